// Bench `convex`: how the time per step grows with the number of capsules, and a batch of humanoids.
#include "lab/bench/convex.h"
#include "lab/measure/measure.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/stacks.h"

#include <rattleback/batch.h>
#include <rattleback/import.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kCapsuleStep = 0.01;  ///< [s]
constexpr int kMeasured = 200;         ///< capsules of the run beside MuJoCo
constexpr int kCapsuleRounds = 5;

/// CPU seconds per step of a dense solver at moments of a run that `guide` makes: a dense run of 10 s would take hours.
double time_dense(Simulation& guide, Simulation& dense, int steps, int moments)
{
    constexpr int kWarm = 1, kTimed = 2;
    guide.reset();
    double seconds = 0;
    for (int moment = 0; moment < moments; ++moment)
    {
        guide.run_steps(steps / moments - kWarm - kTimed);
        Snapshot now = guide.snapshot();
        now.parameters.clear();  // the same method with other linear algebra: its memory fits
        if (!dense.restore(now).ok()) return std::nan("");
        dense.run_steps(kWarm);
        const double begin = thread_seconds();
        for (int i = 0; i < kTimed; ++i) dense.step();
        seconds += thread_seconds() - begin;
        guide.run_steps(kWarm + kTimed);
    }
    return seconds / (kTimed * moments);
}

struct CapsuleTimes
{
    double sparse = 0, dense = 0, free = 0;  ///< CPU [s] per step
};

/// As many layers as the heap is wide: a cube.
int cube_layers(int count) { return static_cast<int>(std::lround(std::cbrt(static_cast<double>(count)))); }

Result<CapsuleTimes> time_capsules(int count, int layers, int steps, const BenchOptions& options)
{
    Result<Model> built = build_capsules({.count = count, .layers = layers});
    if (!built.ok()) return built.errors();
    Model capsules = std::move(built).value();
    capsules.settings.integrator = Integrator::euler;
    const auto model = std::make_shared<const Model>(std::move(capsules));
    const auto make = [&](const Parameters& parameters)
    { return Simulation::make(model, {.solver = "convex", .dt = kCapsuleStep, .parameters = parameters}); };
    std::vector<Simulation> simulations;
    for (const Parameters& parameters : {Parameters{}, {{"dense_limit", 1'000'000}}, {{"contact", false}}})
    {
        Result<Simulation> made = make(parameters);
        if (!made.ok()) return made.errors();
        simulations.push_back(std::move(made).value());
    }
    Simulation &sparse = simulations[0], &dense = simulations[1], &free = simulations[2];
    const auto time_run = [&](Simulation& simulation)
    {
        simulation.reset();
        const double begin = thread_seconds();
        for (int i = 0; i < steps; ++i) simulation.step();
        return (thread_seconds() - begin) / steps;
    };
    const std::function<double()> runs[] = {[&] { return time_run(sparse); }, [&] { return time_run(free); }};
    const std::vector<double> times = median_of_alternating(runs, options.quick ? 1 : kCapsuleRounds);
    return CapsuleTimes{times[0], time_dense(sparse, dense, steps, options.quick ? 2 : 5), times[1]};
}

void measure_capsule_duels(const BenchOptions& options, BenchReport& report)
{
    const auto measure = [&](const std::string& title, const CapsulesOptions& capsules, int steps)
    {
        Result<Model> model = build_capsules(capsules);
        if (!model.ok()) return report.notes.push_back(title + " not measured: " + to_text(model.errors()));
        measure_duel(title, ConvexDuel::write(std::move(model).value(), {.dt = kCapsuleStep}), steps,
                     capsules.count == kMeasured ? 1.5 : 1, 5, options, report);
    };
    if (options.quick) return measure(fmt::format("{} capsules", kMeasured), {.count = kMeasured}, 1000);
    for (int count = 25; count <= 250; count += 25) measure(fmt::format("{} capsules", count), {.count = count}, 1000);
    measure(fmt::format("{} capsules in a cube", kMeasured), {.count = kMeasured, .layers = cube_layers(kMeasured)},
            500);
}

/// Adds times per step over the number of capsules; returns the exponent from 50 on.
Result<double> measure_growth(bool cube, const BenchOptions& options, BenchReport& report)
{
    std::vector<double> counts, times;
    for (int count = 25; count <= 250; count += options.quick ? 75 : 25)
    {
        const std::string title = fmt::format("{} capsules{}", count, cube ? " in a cube" : "");
        if (options.say) options.say(title + ": sparse, dense, without contact");
        const Result<CapsuleTimes> timed = time_capsules(count, cube ? cube_layers(count) : CapsulesOptions().layers,
                                                         options.quick ? 400 : 1000, options);
        if (!timed.ok()) return timed.errors();
        const auto add = [&](const char* name, double seconds)
        {
            report.figures.push_back({.name = fmt::format("{}, {}", title, name),
                                      .value = 1e6 * seconds,
                                      .unit = "us per step",
                                      .higher_is_better = false});
        };
        add("sparse", timed.value().sparse);
        add("dense", timed.value().dense);
        if (!cube) add("without contact", timed.value().free);
        if (count < 50) continue;
        counts.push_back(count);
        times.push_back(timed.value().sparse);
    }
    return find_exponent(counts, times);
}

}  // namespace

void measure_capsules(const BenchOptions& options, BenchReport& report)
{
    if (find_mujoco().ok()) measure_capsule_duels(options, report);
    const Result<double> layers = measure_growth(false, options, report);
    if (!layers.ok()) return report.notes.push_back("capsules not measured: " + to_text(layers.errors()));
    report.figures.push_back({.name = "capsules in three layers, growth of the time per step",
                              .value = layers.value(),
                              .unit = "exponent",
                              .bar = 1.2,
                              .aim = 1.1,
                              .higher_is_better = false});
    if (options.quick) return;
    const Result<double> cube = measure_growth(true, options, report);
    if (!cube.ok()) return report.notes.push_back("cubes of capsules not measured: " + to_text(cube.errors()));
    report.figures.push_back({.name = "capsules in a cube, growth of the time per step",
                              .value = cube.value(),
                              .unit = "exponent",
                              .higher_is_better = false});
}

static void measure_worlds(const FoundScene& found, const BenchOptions& options, BenchReport& report)
{
    constexpr int kWorlds = 256;
    if (options.say) options.say(fmt::format("{} worlds of {}", kWorlds, found.title));
    const auto load = [&]() -> Result<Model>
    {
        if (!found.file) return build_humanoid();
        Result<Imported> imported = load_mjcf(*found.file);
        if (!imported.ok()) return imported.errors();
        return std::move(imported).value().model;
    };
    Result<Model> loaded = load();
    if (!loaded.ok()) return report.notes.push_back("batch not measured: " + to_text(loaded.errors()));
    const auto model = std::make_shared<const Model>(std::move(loaded).value());
    const auto make = [&](int threads)
    { return Batch::make(model, {.solver = "convex", .world_count = kWorlds, .thread_count = threads}); };
    Result<Batch> made_one = make(1), made_two = make(2);
    if (!made_one.ok()) return report.notes.push_back("batch not measured: " + to_text(made_one.errors()));
    if (!made_two.ok()) return report.notes.push_back("batch not measured: " + to_text(made_two.errors()));
    Batch one = std::move(made_one).value(), two = std::move(made_two).value();
    const int steps = options.quick ? 50 : 200;
    std::vector<double> cpu[2];  // of each run, by threads
    const auto run = [&](Batch& batch)
    {
        batch.reset();
        Random random(1);  // every world falls its own way
        for (double& input : batch.control().input) input = random.uniform(-0.1, 0.1);
        const double begin = wall_seconds(), cpu_begin = process_seconds();
        batch.run_steps(steps);
        cpu[batch.thread_count() - 1].push_back(process_seconds() - cpu_begin);
        return steps * kWorlds / (wall_seconds() - begin);
    };
    const std::function<double()> runs[] = {[&] { return run(one); }, [&] { return run(two); }};
    const std::vector<double> speeds = median_of_alternating(runs, kCapsuleRounds);
    const std::string title = fmt::format("{} worlds of {}", kWorlds, found.title);
    report.figures.push_back({.name = title + ", 1 thread", .value = speeds[0], .unit = "steps/s"});
    report.figures.push_back({.name = title + ", 2 threads", .value = speeds[1], .unit = "steps/s"});
    report.figures.push_back(
        {.name = title + ", 2 threads over 1", .value = speeds[1] / speeds[0], .unit = "x", .bar = 1.8, .aim = 1.9});
    // what the wall would show on two cores that do nothing else
    report.figures.push_back({.name = title + ", 2 threads over 1, from CPU time",
                              .value = 2 * median(cpu[0]) / median(cpu[1]),
                              .unit = "x"});
}

void measure_convex_batch(const BenchOptions& options, BenchReport& report)
{
    const PublicScene humanoid{"MuJoCo's humanoid", "mjcf/mujoco/model/humanoid/humanoid.xml", "our humanoid"};
    measure_public_scene(humanoid, report, [&](const FoundScene& found) { measure_worlds(found, options, report); });
}

}  // namespace rattleback::lab
