// Bench `robust`: wild scenes with every solver that has contact; how many diverge, and what energy does.
#include "lab/bench/bench.h"
#include "lab/bench/robust_log.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace rattleback::lab
{

namespace
{

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
        worst = std::max(worst, run.diverged() ? std::numeric_limits<double>::infinity() : run.gain());
    }
};

/// One row of the table: a contender and a kind of scene.
struct Field
{
    Contender contender;
    bool servos = false;

    std::string name() const { return fmt::format("{}, {}", contender.name, servos ? "servos" : "passive"); }
    RobustKey key(std::uint64_t seed) const { return {std::string(contender.name), servos, seed}; }
};

bool is_asked(const BenchOptions& options, std::string_view solver)
{
    return options.solver == "all" ||
           ("," + options.solver + ",").find(fmt::format(",{},", solver)) != std::string::npos;
}

/// Of the names with commas between, one that no contender has; an error then.
Result<std::vector<Field>> choose_fields(const BenchOptions& options)
{
    std::vector<Field> fields;
    for (const bool servos : {false, true})
        for (const Contender& contender : kContenders)
            if (is_asked(options, contender.solver)) fields.push_back({contender, servos});
    std::string rest = options.solver == "all" ? "" : options.solver + ",";
    for (std::size_t comma; (comma = rest.find(',')) != std::string::npos; rest.erase(0, comma + 1))
    {
        const std::string name = rest.substr(0, comma);
        if (std::any_of(std::begin(kContenders), std::end(kContenders),
                        [&](const Contender& contender) { return contender.solver == name; }))
            continue;
        return Error{ErrorCode::unknown_name, "--solver", "there is no contender '" + name + "'",
                     "use convex, comfree, avbd or all"};
    }
    return fields;
}

/// One scene, and its line in the log; one line more where it misses its bar.
Status run_scene(const Field& field, std::uint64_t seed, const BenchOptions& options, RobustLog& log)
{
    SimulationOptions settings{.solver = std::string(field.contender.solver)};
    if (field.contender.plain) settings.parameters["stick"] = false;
    const Result<StabilityRun> made = run_wild(seed, {.servos = field.servos}, settings, kSteps);
    if (!made.ok()) return made.errors();
    const StabilityRun& run = made.value();
    const bool bad = run.diverged() || (!field.servos && run.gain() > kGainBar);
    if (bad && options.say)
        options.say(fmt::format("{} seed {}: {} after {} steps, gain {:.3g} {}", field.name(), seed,
                                to_string(run.status), run.steps, run.gain(), run.trouble));
    return log.add(field.key(seed), run);
}

void report_field(const Field& field, const Count& count, BenchTable& table, BenchReport& report)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto share = [&](std::int64_t part)
    { return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::int64_t>(1, count.steps)); };
    table.rows.push_back(
        {field.name(),
         "double",
         {static_cast<double>(count.scenes), static_cast<double>(count.diverged), field.servos ? none : count.gained,
          field.servos ? none : 100 * count.worst, static_cast<double>(count.unsettled),
          static_cast<double>(count.divided), static_cast<double>(count.slowed), share(count.divided_steps),
          share(count.unsettled_steps)}});
    report.figures.push_back({.name = field.name() + ": diverged",
                              .value = static_cast<double>(count.diverged),
                              .unit = "scenes",
                              .bar = 0,
                              .higher_is_better = false});
    if (field.servos) return;
    report.figures.push_back({.name = field.name() + ": energy above the start by more than 1 %",
                              .value = static_cast<double>(count.gained),
                              .unit = "scenes",
                              .bar = 0,
                              .higher_is_better = false});
}

/// Of the scenes that both have run: those that only true stick ends worse than the plain cone - diverged, or above its
/// bar of energy.
void compare_stick(const RobustLog& log, bool servos, std::pair<std::uint64_t, std::uint64_t> seeds,
                   BenchReport& report)
{
    const Field stick{kContenders[0], servos}, plain{kContenders[1], servos};
    const auto rank = [&](const StabilityRun& run) { return run.diverged() ? 2 : !servos && run.gain() > kGainBar; };
    int both = 0, worse = 0;
    for (std::uint64_t seed = seeds.first; seed <= seeds.second; ++seed)
    {
        const auto with = log.runs().find(stick.key(seed)), without = log.runs().find(plain.key(seed));
        if (with == log.runs().end() || without == log.runs().end()) continue;
        ++both;
        worse += rank(with->second) > rank(without->second);
    }
    if (both == 0) return;
    report.figures.push_back(
        {.name = fmt::format("true stick worse than plain, {}, of {}", servos ? "servos" : "passive", both),
         .value = static_cast<double>(worse),
         .unit = "scenes",
         .bar = 0,
         .higher_is_better = false});
}

}  // namespace

Status measure_robust(const BenchOptions& options, BenchReport& report)
{
    const std::string asked = !options.seeds.empty() ? options.seeds : options.quick ? "1..100" : "1..10000";
    const auto seeds = parse_seeds(asked);
    const Result<std::vector<Field>> fields = choose_fields(options);
    Result<RobustLog> opened = RobustLog::open(options.keep);
    if (!seeds.ok()) return seeds.errors();
    if (!fields.ok()) return fields.errors();
    if (!opened.ok()) return opened.errors();
    RobustLog& log = opened.value();
    const auto [first, last] = seeds.value();
    report.notes.push_back(fmt::format(
        "wild scenes of {} steps (lab/scenes/wild.h), seeds {}, passive and with servos; gain: energy above the start "
        "and the store of the first overlaps, over the energy at hand",
        kSteps, asked));
    // Seed by seed, so that what fits into the minutes is the same for all.
    const double begin = wall_seconds();
    const auto is_over = [&] { return options.minutes > 0 && wall_seconds() - begin > 60 * options.minutes; };
    for (std::uint64_t seed = first; seed <= last && !is_over(); ++seed)
    {
        if (options.say && seed % 100 == 0) options.say(fmt::format("seed {} of {}", seed, last));
        for (const Field& field : fields.value())
            if (!log.has(field.key(seed)))
                if (const Status ran = run_scene(field, seed, options, log); !ran.ok()) return ran;
    }
    BenchTable table{.title = "scenes",
                     .columns = {"scenes", "diverged", "gain > 1 %", "worst gain [%]", "not converged", "in parts",
                                 "slowed", "steps in parts [%]", "steps not converged [%]"},
                     .rows = {}};
    for (const Field& field : fields.value())
    {
        Count count;
        std::string gained;
        for (auto at = log.runs().lower_bound(field.key(first)); at != log.runs().end() && at->first <= field.key(last);
             ++at)
        {
            count.add(at->second);
            const bool bad = at->second.diverged() || (!field.servos && at->second.gain() > kGainBar);
            if (bad) gained += fmt::format(" {}", at->first.seed);
        }
        if (!gained.empty()) report.notes.push_back(field.name() + ": seeds that miss a bar:" + gained);
        report_field(field, count, table, report);
    }
    for (const bool servos : {false, true}) compare_stick(log, servos, seeds.value(), report);
    report.tables.push_back(std::move(table));
    return {};
}

}  // namespace rattleback::lab
