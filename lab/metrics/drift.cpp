// Drift of energy and momentum.
#include "lab/metrics/drift.h"

#include "math/finite.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Sum over the bodies of the size of each one's angular momentum about the origin: never cancels.
double sum_angular(const Model& model, const State& state)
{
    double sum = 0;
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b)
    {
        const Pose centre = state.body_pose[b] * model.bodies.inertial_pose[b];
        const Velocity& velocity = state.body_velocity[b];
        const Vec3 w = rotate(conjugate(centre.rotation), velocity.angular);
        const Vec3& inertia = model.bodies.inertia[b];
        const Vec3 spin = rotate(centre.rotation, Vec3{inertia.x * w.x, inertia.y * w.y, inertia.z * w.z});
        sum += norm(spin + model.bodies.mass[b] * cross(centre.position, velocity.linear));
    }
    return sum;
}

double sum_mass(const Model& model)
{
    double sum = 0;
    for (std::size_t b = 1; b < model.bodies.mass.size(); ++b) sum += model.bodies.mass[b];
    return sum;
}

/// error / scale, and the error itself where there is nothing to compare it with.
double fraction(double error, double scale) { return scale > 0 ? error / scale : error; }

}  // namespace

DriftWatch::DriftWatch(const Simulation& simulation)
    : first_energy_(simulation.energy()), first_momentum_(simulation.momentum())
{
    const Model& model = simulation.model();
    axis_ = find_conserved(model).axis;
    potential_ = model.settings.gravity != Vec3{};
    for (const double stiffness : model.joints.stiffness) potential_ = potential_ || stiffness != 0;
    for (const double stiffness : model.tendons.stiffness) potential_ = potential_ || stiffness != 0;
    for (const auto* terms : {&model.joints.stiffness_polynomial, &model.tendons.stiffness_polynomial})
    {
        for (const auto& [square, cube] : *terms) potential_ = potential_ || square != 0 || cube != 0;
    }
    largest_kinetic_ = first_energy_.kinetic;
    linear_scale_ = std::sqrt(2 * sum_mass(model) * first_energy_.kinetic);
    angular_scale_ = sum_angular(model, simulation.state());
}

void DriftWatch::sample(const Simulation& simulation)
{
    const Energy energy = simulation.energy();
    const Momentum momentum = simulation.momentum();
    largest_kinetic_ = std::max(largest_kinetic_, energy.kinetic);
    energy_error_ = std::max(energy_error_, std::abs(energy.total() - first_energy_.total()));
    linear_error_ = std::max(linear_error_, norm(momentum.linear - first_momentum_.linear));
    const Vec3 change = momentum.angular - first_momentum_.angular;
    angular_error_ = std::max(angular_error_, axis_ == Vec3{} ? norm(change) : std::abs(dot(axis_, change)));
    ++sample_count_;
}

Drift DriftWatch::drift() const
{
    const double energy_scale = potential_ ? largest_kinetic_ : std::abs(first_energy_.total());
    return {.energy = fraction(energy_error_, energy_scale),
            .linear = fraction(linear_error_, linear_scale_),
            .angular = fraction(angular_error_, angular_scale_),
            .sample_count = sample_count_};
}

RunResult run_and_watch(Simulation& simulation, double seconds, int sample_every)
{
    RB_CHECK(sample_every > 0, "run_and_watch: sample_every must be positive");
    const std::int64_t wanted = std::llround(seconds / simulation.dt());
    const std::int64_t first_step = simulation.state().step[0];
    DriftWatch watch(simulation);
    RunResult result;
    std::int64_t done = 0;
    while (done < wanted)
    {
        const std::int64_t chunk = std::min<std::int64_t>(sample_every, wanted - done);
        result.report = merge(result.report, simulation.run_steps(chunk));
        done += chunk;
        watch.sample(simulation);
        if (simulation.state().step[0] - first_step != done) break;  // a step was not committed
    }
    result.steps = simulation.state().step[0] - first_step;
    result.drift = watch.drift();
    return result;
}

bool is_finite(const State& state)
{
    const auto all = [](const auto& list)
    { return std::all_of(list.begin(), list.end(), [](const auto& x) { return rattleback::is_finite(x); }); };
    return all(state.time) && all(state.q) && all(state.v) && all(state.act) && all(state.body_pose) &&
           all(state.body_velocity);
}

}  // namespace rattleback::lab
