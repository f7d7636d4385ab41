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
    for (run.steps = 0; run.steps < steps; ++run.steps)
    {
        if (options.servos) drive_wild(simulation.model(), seed, simulation.state().time[0], simulation.control());
        const StepReport report = simulation.step();
        run.status = std::max(run.status, report.status);
        run.unsettled += report.status == StepStatus::not_converged;
        run.divided += report.substeps > 1;
        run.removed += report.removed_energy;
        if (report.status >= StepStatus::diverged)
        {
            run.trouble = simulation.explain(report);
            break;
        }
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
