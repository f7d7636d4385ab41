// Bench `piles`: piles of free bodies in `avbd` and in Bullet, cost per step with sink, shake and overlap beside it.
#include "lab/bench/bench.h"
#include "lab/bench/measure.h"
#include "lab/peers/bullet/dynamics.h"
#include "lab/scenes/stacks.h"

#include <rattleback/rattleback.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kStep = 1.0 / 60;

/// One way to run `avbd`.
struct Setting
{
    int substeps = 1, iterations = 10;
    const char* precision = "double";

    std::string name() const { return fmt::format("{}x{} {}", substeps, iterations, precision); }
};

/// A pile, the time it settles and the time that is measured.
struct Pile
{
    std::string name;
    Model model;
    int settle = 300, measured = 50;           ///< steps
    std::optional<double> top = std::nullopt;  ///< true height of the last body [m]
};

/// How a pile ended and what a step cost.
struct Outcome
{
    double ms = 0;       ///< CPU per step
    double shake = 0;    ///< kinetic energy over mass [J/kg]
    double sink = 0;     ///< of the last body below its true height [mm]
    double overlap = 0;  ///< deepest [mm]
    double contacts = 0;
    int escaped = 0;  ///< bodies below the floor or not finite
};

double total_mass(const Model& model)
{
    double sum = 0;
    for (const double mass : model.bodies.mass) sum += mass;
    return sum;
}

/// Fills in what follows from the final state alone.
void judge(const Pile& pile, State& state, Outcome& outcome)
{
    outcome.shake = compute_energy(pile.model, state.world()).kinetic / total_mass(pile.model);
    if (pile.top) outcome.sink = 1e3 * (*pile.top - state.body_pose.back().position.z);
    for (const Pose& pose : state.body_pose)
    {
        const Vec3& p = pose.position;
        outcome.escaped += !(p.z > -0.5) || !std::isfinite(p.x + p.y + p.z) ? 1 : 0;
    }
    Collider collider(pile.model);
    ColliderMemory memory;
    for (const Contact& contact : collider.find_contacts(state.world(), 0, memory).items)
        outcome.overlap = std::max(outcome.overlap, -1e3 * contact.distance);
}

Result<Outcome> run_ours(const Pile& pile, const Setting& setting)
{
    Result<Simulation> made =
        Simulation::make(pile.model, {.solver = "avbd",
                                      .dt = kStep,
                                      .parameters = {{"iterations", setting.iterations},
                                                     {"substeps", setting.substeps},
                                                     {"precision", std::string(setting.precision)}}});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    simulation.run_steps(pile.settle);
    const double begin = thread_seconds();
    const StepReport report = simulation.run_steps(pile.measured);
    Outcome outcome;
    outcome.ms = 1e3 * (thread_seconds() - begin) / pile.measured;
    outcome.contacts = static_cast<double>(report.contact_count) / pile.measured;
    judge(pile, simulation.state(), outcome);
    return outcome;
}

Result<Outcome> run_bullet(const Pile& pile, int iterations)
{
    auto made = make_bullet_dynamics(pile.model, {.dt = kStep, .iterations = iterations});
    if (!made.ok()) return made.errors();
    BulletDynamics& world = *made.value();
    world.step(pile.settle);
    const double begin = thread_seconds();
    world.step(pile.measured);
    Outcome outcome;
    outcome.ms = 1e3 * (thread_seconds() - begin) / pile.measured;
    outcome.contacts = world.contact_count();
    State state(pile.model);
    world.read(state);
    judge(pile, state, outcome);
    return outcome;
}

void add_figures(const std::string& name, const Outcome& outcome, const Pile& pile, const char* precision,
                 BenchReport& report)
{
    const auto add = [&](const char* what, double value, const char* unit)
    {
        report.figures.push_back({.name = fmt::format("{}, {}: {}", pile.name, name, what),
                                  .value = value,
                                  .unit = unit,
                                  .higher_is_better = false,
                                  .precision = precision});
    };
    add("step", outcome.ms, "ms");
    add("contacts", outcome.contacts, "");
    if (pile.top) add("sink", outcome.sink, "mm");
    add("deepest overlap", outcome.overlap, "mm");
    add("kinetic energy per mass", outcome.shake, "J/kg");
    report.figures.push_back({.name = fmt::format("{}, {}: escaped", pile.name, name),
                              .value = static_cast<double>(outcome.escaped),
                              .unit = "bodies",
                              .bar = 0,
                              .higher_is_better = false,
                              .precision = precision});
}

Result<bool> measure_pile(const Pile& pile, const std::vector<Setting>& settings, const BenchOptions& options,
                          BenchReport& report)
{
    const int rounds = options.quick ? 1 : 3;
    std::vector<std::vector<double>> ours(settings.size());
    std::vector<double> theirs;
    std::vector<Outcome> last(settings.size());
    std::optional<Outcome> bullet;
    for (int round = 0; round < rounds; ++round)
    {
        if (options.say) options.say(fmt::format("{}, round {}", pile.name, round + 1));
        if (const Result<Outcome> outcome = run_bullet(pile, 10); outcome.ok())
        {
            bullet = outcome.value();
            theirs.push_back(outcome.value().ms);
        }
        for (std::size_t s = 0; s < settings.size(); ++s)
        {
            const Result<Outcome> outcome = run_ours(pile, settings[s]);
            if (!outcome.ok()) return outcome.errors();
            last[s] = outcome.value();
            ours[s].push_back(outcome.value().ms);
        }
    }
    double best = 0;
    if (bullet)
    {
        bullet->ms = median(theirs);
        add_figures("bullet 10", *bullet, pile, "double", report);
    }
    for (std::size_t s = 0; s < settings.size(); ++s)
    {
        last[s].ms = median(ours[s]);
        add_figures(settings[s].name(), last[s], pile, settings[s].precision, report);
        // the cheapest setting that settles no worse than Bullet
        const bool as_good = bullet && last[s].shake <= std::max(bullet->shake, 1e-7) &&
                             std::abs(last[s].sink) <= std::max(std::abs(bullet->sink), 1.0);
        if (as_good) best = std::max(best, bullet->ms / last[s].ms);
    }
    if (bullet)
        report.figures.push_back({.name = fmt::format("{}: bullet / cheapest setting that is no worse", pile.name),
                                  .value = best,
                                  .unit = "x",
                                  .aim = 2.0});
    return true;
}

}  // namespace

Result<bool> measure_piles(const BenchOptions& options, BenchReport& report)
{
    report.notes.emplace_back("CPU time of the whole step, one thread; Bullet with 10 iterations, its default");
    std::vector<Setting> settings{{1, 4, "single"}, {1, 10, "single"}, {1, 10, "double"}};
    if (!options.quick)
    {
        settings.push_back({1, 4, "double"});
        settings.push_back({4, 1, "single"});
        settings.push_back({4, 4, "single"});
    }
    const int layers = options.quick ? 8 : 15;
    Result<Model> pyramid = build_pyramid({.layers = layers, .gap = 0.5});
    if (!pyramid.ok()) return pyramid.errors();
    const Result<bool> first = measure_pile({.name = fmt::format("pyramid of {}", pyramid.value().body_count() - 1),
                                             .model = std::move(pyramid).value(),
                                             .settle = options.quick ? 200 : 300,
                                             .top = 2.0 * layers - 1},
                                            settings, options, report);
    if (!first.ok()) return first;
    Result<Model> bin = build_bin({.count = options.quick ? 200 : 1000});
    if (!bin.ok()) return bin.errors();
    return measure_pile({.name = fmt::format("bin of {} convex shapes", options.quick ? 200 : 1000),
                         .model = std::move(bin).value(),
                         .settle = options.quick ? 120 : 300},
                        settings, options, report);
}

}  // namespace rattleback::lab
