// Bench `robust`: wild scenes with every solver that has contact; how many diverge, and what energy does.
#include "lab/bench/bench.h"
#include "lab/metrics/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rattleback::lab
{

namespace
{

constexpr std::uint64_t kFirstSeed = 1;
constexpr std::int64_t kSteps = 600;
constexpr double kGainBar = 0.01;  // of the energy at hand

struct Contender
{
    std::string_view name, solver;
    bool plain = false;  ///< convex without true stick
};
constexpr Contender kContenders[] = {
    {"convex", "convex"}, {"convex, plain", "convex", true}, {"comfree", "comfree"}, {"avbd", "avbd"}};

struct Count
{
    int scenes = 0, diverged = 0, gained = 0, unsettled = 0, divided = 0, slowed = 0;
    std::int64_t steps = 0, divided_steps = 0, unsettled_steps = 0;
    double worst = 0;  ///< gain

    void add(const StabilityRun& run)
    {
        ++scenes;
        diverged += run.diverged();
        gained += run.diverged() || run.gain() > kGainBar;
        unsettled += run.unsettled > 0;
        divided += run.divided > 0;
        slowed += run.removed > 0;
        steps += run.steps;
        divided_steps += run.divided;
        unsettled_steps += run.unsettled;
        worst = run.diverged() ? std::numeric_limits<double>::infinity() : std::max(worst, run.gain());
    }
};

Result<Count> count_scenes(const Contender& contender, bool servos, int scenes, const BenchOptions& options)
{
    SimulationOptions settings{.solver = std::string(contender.solver)};
    if (contender.plain) settings.parameters["stick"] = false;
    Count count;
    for (int i = 0; i < scenes; ++i)
    {
        const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(i);
        Result<StabilityRun> run = run_wild(seed, {.servos = servos}, settings, kSteps);
        if (!run.ok()) return run.errors();
        count.add(run.value());
        // One line for each scene that misses its bar: the log that seeds are taken from.
        const bool bad = run.value().diverged() || (!servos && run.value().gain() > kGainBar);
        if (bad && options.say)
            options.say(fmt::format("{}, {} seed {}: {} after {} steps, gain {:.3g} {}", contender.name,
                                    servos ? "servos" : "passive", seed, to_string(run.value().status),
                                    run.value().steps, run.value().gain(), run.value().trouble));
    }
    return count;
}

}  // namespace

Status measure_robust(const BenchOptions& options, BenchReport& report)
{
    const int scenes = options.quick ? 100 : 10'000;
    report.notes.push_back(fmt::format(
        "{} wild scenes of {} steps (lab/scenes/wild.h), seeds from {}, passive and with servos; gain: energy above "
        "the start and the store of the first overlaps, over the energy at hand",
        scenes, kSteps, kFirstSeed));
    BenchTable table{.title = "scenes",
                     .columns = {"scenes", "diverged", "gain > 1 %", "worst gain [%]", "not converged", "in parts",
                                 "slowed", "steps in parts [%]", "steps not converged [%]"},
                     .rows = {}};
    for (const bool servos : {false, true})
    {
        for (const Contender& contender : kContenders)
        {
            if (options.solver != "all" && options.solver != contender.solver) continue;
            const std::string name = fmt::format("{}, {}", contender.name, servos ? "servos" : "passive");
            if (options.say) options.say(name);
            const Result<Count> counted = count_scenes(contender, servos, scenes, options);
            if (!counted.ok()) return counted.errors();
            const Count& count = counted.value();
            const double none = std::numeric_limits<double>::quiet_NaN();
            const auto share = [&](std::int64_t part)
            { return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, count.steps)); };
            table.rows.push_back(
                {name,
                 "double",
                 {static_cast<double>(count.scenes), static_cast<double>(count.diverged), servos ? none : count.gained,
                  servos ? none : 100 * count.worst, static_cast<double>(count.unsettled),
                  static_cast<double>(count.divided), static_cast<double>(count.slowed), share(count.divided_steps),
                  share(count.unsettled_steps)}});
            report.figures.push_back({.name = name + ": diverged",
                                      .value = static_cast<double>(count.diverged),
                                      .unit = "scenes",
                                      .bar = 0,
                                      .higher_is_better = false});
            if (!servos)
                report.figures.push_back({.name = name + ": energy above the start by more than 1 %",
                                          .value = static_cast<double>(count.gained),
                                          .unit = "scenes",
                                          .bar = 0,
                                          .higher_is_better = false});
        }
    }
    if (table.rows.empty())
        return Error{ErrorCode::unknown_name, "--solver", "there is no contender '" + options.solver + "'",
                     "use convex, comfree, avbd or all"};
    report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
