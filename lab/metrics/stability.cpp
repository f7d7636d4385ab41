// Runs of wild scenes, with an eye on their energy.
#include "lab/metrics/stability.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// Mass that moves with a body: at most its whole tree's. Zero: nothing moves it.
double moving_mass(const Model& model, int body)
{
    if (model.bodies.last_dof[static_cast<std::size_t>(body)] < 0) return 0;
    int root = body;
    while (model.bodies.parent[static_cast<std::size_t>(root)] > 0)
        root = model.bodies.parent[static_cast<std::size_t>(root)];
    std::vector<char> inside(static_cast<std::size_t>(model.body_count()));
    double mass = 0;
    for (int b = root; b < model.body_count(); ++b)
    {
        const auto i = static_cast<std::size_t>(b);
        inside[i] = b == root || inside[static_cast<std::size_t>(model.bodies.parent[i])];
        if (inside[i]) mass += model.bodies.mass[i];
    }
    return mass;
}

/// Momenta of a world, and how far they come from those of its start.
class MomentumWatch
{
public:
    MomentumWatch(const Simulation& simulation, double energy) : simulation_(simulation)
    {
        const Model& model = simulation.model();
        const Vec3 center = compute_center_of_mass(model, simulation.state().world());
        double mass = 0, spread = 0;
        for (int b = 1; b < model.body_count(); ++b)
        {
            const auto i = static_cast<std::size_t>(b);
            if (model.bodies.last_dof[i] < 0) continue;
            const Vec3 arm = simulation.state().position(BodyId{b}) - center;
            const Vec3& moments = model.bodies.inertia[i];
            mass += model.bodies.mass[i];
            spread += model.bodies.mass[i] * dot(arm, arm) + 0.5 * (moments.x + moments.y + moments.z);
        }
        linear_scale_ = std::sqrt(2 * mass * energy);
        angular_scale_ = mass > 0 ? linear_scale_ * std::sqrt(spread / mass) : 0;
        start_ = find();
    }

    void look(StabilityRun& run) const
    {
        const Momentum now = find();
        if (linear_scale_ > 0) run.linear = std::max(run.linear, norm(now.linear - start_.linear) / linear_scale_);
        if (angular_scale_ > 0)
            run.angular = std::max(run.angular, norm(now.angular - start_.angular) / angular_scale_);
    }

private:
    /// The angular one about the centre of mass.
    Momentum find() const
    {
        const Model& model = simulation_.model();
        Momentum momentum = compute_momentum(model, simulation_.state().world());
        const Vec3 center = compute_center_of_mass(model, simulation_.state().world());
        momentum.angular -= cross(center, momentum.linear);
        return momentum;
    }

    const Simulation& simulation_;
    double linear_scale_ = 0, angular_scale_ = 0;
    Momentum start_;
};

}  // namespace

double find_stored_energy(const Simulation& simulation)
{
    const Model& model = simulation.model();
    const double speed = 1 / (6 * simulation.dt()), gravity = norm(model.settings.gravity);
    const auto store = [&](double mass, double depth)
    { return 0.5 * mass * speed * depth * speed * depth + mass * gravity * depth; };
    double sum = 0;
    for (const Contact& contact : simulation.contacts().items)
    {
        if (contact.distance >= 0) continue;
        const double first = moving_mass(model, model.shapes.body[static_cast<std::size_t>(contact.first_shape.index)]);
        const double second =
            moving_mass(model, model.shapes.body[static_cast<std::size_t>(contact.second_shape.index)]);
        // The lighter one is thrown; where one side stands still, the other.
        const double mass = first == 0 || second == 0 ? first + second : std::min(first, second);
        sum += store(mass, -contact.distance);
    }
    return sum;
}

Result<StabilityRun> run_wild(std::uint64_t seed, const WildOptions& options, const SimulationOptions& settings,
                              std::int64_t steps)
{
    Result<Model> model = build_wild(seed, options);
    if (!model.ok()) return model.errors();
    Result<Simulation> made = Simulation::make(std::move(model).value(), settings);
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    StabilityRun run;
    simulation.forward();
    run.stored = find_stored_energy(simulation);
    run.start = run.highest = simulation.energy().total();
    double lowest = simulation.energy().potential;
    const MomentumWatch momenta(simulation, run.start + run.stored);
    for (run.steps = 0; run.steps < steps; ++run.steps)
    {
        if (options.servos) drive_wild(simulation.model(), seed, simulation.state().time[0], simulation.control());
        const StepReport report = simulation.step();
        run.status = std::max(run.status, report.status);
        run.unsettled += report.status == StepStatus::not_converged;
        run.divided += report.substeps > 1;
        run.removed += report.removed_energy;
        const bool lost = report.removed_energy > 0;
        run.trimmed += lost && report.status == StepStatus::ok;
        run.slowed += lost && report.status != StepStatus::ok;
        if (report.status >= StepStatus::diverged)
        {
            run.trouble = simulation.explain(report);
            break;
        }
        momenta.look(run);
        const Energy energy = simulation.energy();
        run.highest = std::max(run.highest, energy.total());
        lowest = std::min(lowest, energy.potential);
    }
    // At rest there is no energy to compare with: at least what a fall by one metre gives.
    double weight = 0;
    for (int b = 1; b < simulation.model().body_count(); ++b)
        if (simulation.model().bodies.last_dof[static_cast<std::size_t>(b)] >= 0)
            weight += simulation.model().bodies.mass[static_cast<std::size_t>(b)];
    run.scale = std::max(run.start - lowest, weight * norm(simulation.model().settings.gravity));
    return run;
}

}  // namespace rattleback::lab
