// Bench `smooth`: the 27-dof humanoid without contact; speed with accuracy beside it.
#include "lab/bench/bench.h"
#include "lab/bench/integrators.h"
#include "lab/bench/smooth_peers.h"
#include "lab/measure/measure.h"
#include "lab/metrics/drift.h"
#include "lab/scenes/humanoid.h"

#include <rattleback/batch.h>

#include <fmt/format.h>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kIgnore = "contact, limits";
constexpr int kWorlds = 256;

/// What the measurements share.
struct Bed
{
    const BenchOptions& options;
    BenchReport& report;
    std::shared_ptr<const Model> humanoid;

    void say(const std::string& what) const
    {
        if (options.say) options.say(what);
    }
    void add(Figure figure) const { report.figures.push_back(std::move(figure)); }
};

Result<Simulation> make_humanoid(const Bed& bed, Integrator integrator, bool timings)
{
    return Simulation::make(
        bed.humanoid, {.solver = "smooth", .parameters = smooth_parameters(integrator, kIgnore), .timings = timings});
}

/// Steps per CPU second of one core, every integrator in turn.
Status measure_speed(const Bed& bed)
{
    bed.say("steps per second, one core");
    const int steps = bed.options.quick ? 1000 : 4000;
    const int rounds = bed.options.quick ? 5 : 11;
    std::vector<Simulation> simulations;
    for (const Integrator integrator : kIntegrators)
    {
        Result<Simulation> made = make_humanoid(bed, integrator, false);
        if (!made.ok()) return made.errors();
        simulations.push_back(std::move(made).value());
    }
    std::vector<std::function<double()>> runs;
    for (Simulation& simulation : simulations)
    {
        runs.push_back(
            [&simulation, steps]
            {
                simulation.reset();
                simulation.run_steps(10);  // warm
                const double begin = thread_seconds();
                simulation.run_steps(steps);
                return steps / (thread_seconds() - begin);
            });
    }
    const std::vector<double> speeds = median_of_alternating(runs, rounds);
    for (std::size_t i = 0; i < speeds.size(); ++i)
    {
        bed.add({.name = fmt::format("humanoid, {}, one core", to_string(kIntegrators[i])),
                 .value = speeds[i],
                 .unit = "steps/s"});
    }
    bed.add({.name = "humanoid, euler, one step",
             .value = 1e9 / speeds[0] / bed.report.calibration,
             .unit = "calibration turns",
             .higher_is_better = false});
    return {};
}

/// Nanoseconds per stage of an Euler step.
Status measure_stages(const Bed& bed)
{
    bed.say("nanoseconds per stage");
    const int steps = bed.options.quick ? 2000 : 10000;
    Result<Simulation> made = make_humanoid(bed, Integrator::euler, true);
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    simulation.run_steps(10);
    const StepReport report = simulation.run_steps(steps);
    for (int i = 0; i < kStageCount; ++i)
    {
        const double nanoseconds = 1e9 * report.seconds[static_cast<std::size_t>(i)] / steps;
        if (nanoseconds == 0) continue;
        bed.add({.name = fmt::format("humanoid, euler, stage {}", to_string(static_cast<Stage>(i))),
                 .value = nanoseconds,
                 .unit = "ns",
                 .higher_is_better = false});
    }
    return {};
}

std::vector<std::string> run_command(int steps, Integrator integrator)
{
    return {own_program(),
            "run",
            "humanoid",
            "--steps",
            std::to_string(steps),
            "--set",
            fmt::format("integrator={}", to_string(integrator)),
            "--set",
            fmt::format("ignore={}", kIgnore),
            "--no-watch",
            "--json"};
}

/// The difference of a long and a short run leaves the steps alone: start-up and printing cancel.
void measure_instructions(const Bed& bed)
{
    const int steps = bed.options.quick ? 100 : 400;
    const std::span<const Integrator> chosen(kIntegrators.data(), bed.options.quick ? 1 : kIntegrators.size());
    for (const Integrator integrator : chosen)
    {
        bed.say(fmt::format("instructions per step, {}", to_string(integrator)));
        const Result<double> shorter = count_instructions(run_command(steps, integrator));
        const Result<double> longer = shorter.ok() ? count_instructions(run_command(2 * steps, integrator)) : shorter;
        if (!longer.ok())
        {
            bed.report.notes.push_back("instructions not counted: " + to_text(longer.errors()));
            return;
        }
        bed.add({.name = fmt::format("humanoid, {}, instructions", to_string(integrator)),
                 .value = (longer.value() - shorter.value()) / steps,
                 .unit = "per step",
                 .higher_is_better = false});
    }
}

/// Wall time of one and two threads, in turn: here the wall counts, because threads share it.
Status measure_batch(const Bed& bed)
{
    bed.say(fmt::format("batch of {} worlds on 1 and 2 threads", kWorlds));
    const int steps = bed.options.quick ? 100 : 400;
    std::vector<Batch> batches;
    for (const int threads : {1, 2})
    {
        Result<Batch> made = Batch::make(bed.humanoid, {.solver = "smooth",
                                                        .parameters = smooth_parameters(Integrator::euler, kIgnore),
                                                        .world_count = kWorlds,
                                                        .thread_count = threads});
        if (!made.ok()) return made.errors();
        batches.push_back(std::move(made).value());
    }
    std::vector<double> per_cpu_second;  // of one thread
    std::vector<std::function<double()>> runs;
    for (Batch& batch : batches)
    {
        runs.push_back(
            [&batch, &per_cpu_second, steps]
            {
                batch.reset();
                batch.run_steps(2);  // warm
                const double begin = wall_seconds(), cpu_begin = process_seconds();
                batch.run_steps(steps);
                const double count = static_cast<double>(steps) * kWorlds;
                if (batch.thread_count() == 1) per_cpu_second.push_back(count / (process_seconds() - cpu_begin));
                return count / (wall_seconds() - begin);
            });
    }
    const std::vector<double> speeds = median_of_alternating(runs, bed.options.quick ? 5 : 11);
    bed.add({.name = "batch of 256, euler, 1 thread, CPU time", .value = median(per_cpu_second), .unit = "steps/s"});
    bed.add({.name = "batch of 256, euler, 1 thread", .value = speeds[0], .unit = "steps/s (wall)"});
    bed.add({.name = "batch of 256, euler, 2 threads", .value = speeds[1], .unit = "steps/s (wall)"});
    bed.add({.name = "batch of 256, 2 threads over 1", .value = speeds[1] / speeds[0], .unit = "x", .bar = 1.8});
    return {};
}

/// From the start of a process to the end of the humanoid's first step (and of the process).
void measure_start(const Bed& bed)
{
    bed.say("time to the first step");
    std::vector<double> seen, cpu_seen;
    for (int i = 0; i < 11; ++i)
    {
        const double begin = wall_seconds(), cpu_begin = children_seconds();
        const Result<int> code = run_program(run_command(1, Integrator::euler));
        if (!code.ok() || code.value() != 0)
        {
            bed.report.notes.push_back("time to the first step not measured: cannot run " + own_program());
            return;
        }
        seen.push_back(1000 * (wall_seconds() - begin));
        cpu_seen.push_back(1000 * (children_seconds() - cpu_begin));
    }
    bed.add({.name = "process start to end of first step, CPU time",
             .value = median(cpu_seen),
             .unit = "ms",
             .higher_is_better = false});
    bed.add({.name = "process start to end of first step",
             .value = median(seen),
             .unit = "ms",
             .bar = 10,
             .higher_is_better = false});
}

/// What each integrator's speed buys: drift of the astronaut's energy and momentum.
Status measure_accuracy(const Bed& bed)
{
    const double seconds = bed.options.quick ? 2 : 10;
    bed.say("drift of the astronaut");
    Result<Model> built = build_astronaut();
    if (!built.ok()) return built.errors();
    const auto astronaut = std::make_shared<const Model>(std::move(built).value());
    for (const Integrator integrator : kIntegrators)
    {
        Result<Simulation> made = Simulation::make(
            astronaut, {.solver = "smooth", .dt = 0.002, .parameters = smooth_parameters(integrator, "")});
        if (!made.ok()) return made.errors();
        Simulation simulation = std::move(made).value();
        const Drift drift = run_and_watch(simulation, seconds, 5).drift;
        const std::string name = fmt::format("astronaut, {}, {:.0f} s at 2 ms, ", to_string(integrator), seconds);
        bed.add({.name = name + "energy drift", .value = drift.energy, .unit = "|dE|/E", .higher_is_better = false});
        bed.add({.name = name + "angular momentum drift",
                 .value = drift.angular,
                 .unit = "|dL|/sum |L|",
                 .higher_is_better = false});
    }
    return {};
}

}  // namespace

Status measure_smooth(const BenchOptions& options, BenchReport& report)
{
    Result<Model> built = build_humanoid();
    if (!built.ok()) return built.errors();
    const Bed bed{options, report, std::make_shared<const Model>(std::move(built).value())};
    report.notes.push_back(fmt::format("humanoid: {} degrees of freedom, {} bodies; left out: {}",
                                       bed.humanoid->v_count(), bed.humanoid->body_count() - 1, kIgnore));

    for (const auto measure : {&measure_speed, &measure_stages, &measure_batch, &measure_accuracy})
    {
        const Status measured = measure(bed);
        if (!measured.ok()) return measured;
    }
    measure_start(bed);
    measure_instructions(bed);
    measure_smooth_peers(options, report);
    return {};
}

}  // namespace rattleback::lab
