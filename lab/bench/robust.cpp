// Bench `robust`: wild scenes with every solver that has contact; how many diverge, and what energy does.
#include "lab/bench/bench.h"
#include "lab/bench/robust_log.h"
#include "lab/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace rattleback::lab
{

namespace
{

constexpr std::int64_t kSteps = 600;
constexpr double kGainBar = 0.01;   // of the energy at hand
constexpr double kRounding = 1e-9;  // momentum errors below it are rounding, in either run

struct Contender
{
    std::string_view name, solver;
    bool plain = false;  ///< convex without true stick
};
constexpr Contender kContenders[] = {
    {"convex", "convex"}, {"convex, plain", "convex", true}, {"comfree", "comfree"}, {"avbd", "avbd"}};

struct Kind
{
    std::string_view name;
    WildOptions options;

    /// Nothing gives it energy.
    bool passive() const { return !options.servos; }
};
constexpr Kind kKinds[] = {{"passive", {}},
                           {"servos", {.servos = true}},
                           {"ties", {.ties = true}},
                           {"ties and servos", {.servos = true, .ties = true}},
                           {"adrift", {.adrift = true}},
                           {"adrift with ties", {.ties = true, .adrift = true}}};

struct Count
{
    int scenes = 0, diverged = 0, gained = 0, unsettled = 0, divided = 0, trimmed = 0, slowed = 0;
    std::int64_t steps = 0, divided_steps = 0, unsettled_steps = 0, trimmed_steps = 0, slowed_steps = 0;
    double worst = 0;  ///< gain

    void add(const StabilityRun& run)
    {
        ++scenes;
        diverged += run.diverged();
        gained += run.diverged() || run.gain() > kGainBar;
        unsettled += run.unsettled > 0;
        divided += run.divided > 0;
        trimmed += run.trimmed > 0;
        slowed += run.slowed > 0;
        steps += run.steps;
        divided_steps += run.divided;
        unsettled_steps += run.unsettled;
        trimmed_steps += run.trimmed;
        slowed_steps += run.slowed;
        worst = std::max(worst, run.diverged() ? std::numeric_limits<double>::infinity() : run.gain());
    }
};

/// One row of the table: a contender and a kind of scene.
struct Field
{
    Contender contender;
    Kind kind;
    bool guard = true;

    std::string name() const { return fmt::format("{}, {}", contender_name(), kind.name); }
    std::string contender_name() const { return fmt::format("{}{}", contender.name, guard ? "" : " without guard"); }
    RobustKey key(std::uint64_t seed) const { return {contender_name(), std::string(kind.name), seed}; }
    bool misses(const StabilityRun& run) const
    {
        return guard && (run.diverged() || (kind.passive() && run.gain() > kGainBar));
    }
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
    for (const Kind& kind : kKinds)
    {
        for (const Contender& contender : kContenders)
        {
            // The plain cone is there for true stick to be compared with, no guard for momenta.
            if (!is_asked(options, contender.solver)) continue;
            if (!contender.plain || (!kind.options.ties && !kind.options.adrift)) fields.push_back({contender, kind});
            if (kind.options.adrift && !contender.plain) fields.push_back({contender, kind, false});
        }
    }
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
    if (!field.guard) settings.parameters["guard"] = false;
    const Result<StabilityRun> made = run_wild(seed, field.kind.options, settings, kSteps);
    if (!made.ok()) return made.errors();
    const StabilityRun& run = made.value();
    if (field.misses(run) && options.say)
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
         {static_cast<double>(count.scenes), static_cast<double>(count.diverged),
          field.kind.passive() ? count.gained : none, field.kind.passive() ? 100 * count.worst : none,
          static_cast<double>(count.unsettled), static_cast<double>(count.divided), static_cast<double>(count.trimmed),
          static_cast<double>(count.slowed), share(count.divided_steps), share(count.trimmed_steps),
          share(count.slowed_steps), share(count.unsettled_steps)}});
    if (!field.guard) return;
    report.figures.push_back({.name = field.name() + ": diverged",
                              .value = static_cast<double>(count.diverged),
                              .unit = "scenes",
                              .bar = 0,
                              .higher_is_better = false});
    if (!field.kind.passive()) return;
    report.figures.push_back({.name = field.name() + ": energy above the start by more than 1 %",
                              .value = static_cast<double>(count.gained),
                              .unit = "scenes",
                              .bar = 0,
                              .higher_is_better = false});
}

using Seeds = std::pair<std::uint64_t, std::uint64_t>;

/// visit(first, second) for the scenes that both fields have run.
template <class Visit>
void visit_pairs(const RobustLog& log, const Field& first, const Field& second, const Seeds& seeds, const Visit& visit)
{
    for (auto at = log.runs().lower_bound(first.key(seeds.first));
         at != log.runs().end() && at->first <= first.key(seeds.second); ++at)
        if (const auto other = log.runs().find(second.key(at->first.seed)); other != log.runs().end())
            visit(at->second, other->second);
}

/// Of the scenes that both have run: those that only true stick ends worse than the plain cone - diverged, or above its
/// bar of energy.
void compare_stick(const RobustLog& log, const Kind& kind, const Seeds& seeds, BenchReport& report)
{
    const auto rank = [&](const StabilityRun& run)
    { return run.diverged() ? 2 : kind.passive() && run.gain() > kGainBar; };
    int both = 0, worse = 0;
    visit_pairs(log, {kContenders[0], kind}, {kContenders[1], kind}, seeds,
                [&](const StabilityRun& with, const StabilityRun& without)
                {
                    ++both;
                    worse += rank(with) > rank(without);
                });
    if (both == 0) return;
    report.figures.push_back({.name = fmt::format("true stick worse than plain, {}, of {}", kind.name, both),
                              .value = static_cast<double>(worse),
                              .unit = "scenes",
                              .bar = 0,
                              .higher_is_better = false});
}

double find_quantile(std::vector<double> list, double share)
{
    if (list.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(list.begin(), list.end());
    return list[static_cast<std::size_t>(share * static_cast<double>(list.size() - 1))];
}

/// Errors of momentum with and without the guard, of the scenes in which it acted and of which the run without it has
/// not diverged: there is nothing to compare with otherwise.
void compare_momenta(const RobustLog& log, const Field& field, const Seeds& seeds, BenchTable& table,
                     BenchReport& report)
{
    Field without = field;
    without.guard = false;
    std::vector<double> errors[2][2];  // [without][angular]
    int acted = 0, exploded = 0, worse = 0;
    visit_pairs(log, field, without, seeds,
                [&](const StabilityRun& on, const StabilityRun& off)
                {
                    if (on.divided + on.trimmed + on.slowed == 0) return;
                    ++acted;
                    exploded += off.diverged();
                    if (off.diverged()) return;
                    errors[0][0].push_back(on.linear);
                    errors[0][1].push_back(on.angular);
                    errors[1][0].push_back(off.linear);
                    errors[1][1].push_back(off.angular);
                    worse += on.linear > 2 * off.linear + kRounding || on.angular > 2 * off.angular + kRounding;
                });
    if (acted == 0) return;
    BenchTable::Row row{field.name(),
                        "double",
                        {static_cast<double>(acted), static_cast<double>(exploded), static_cast<double>(worse)}};
    for (const double share : {0.5, 0.9, 1.0})
    {
        for (const int angular : {0, 1})
        {
            const double on = find_quantile(errors[0][angular], share), off = find_quantile(errors[1][angular], share);
            for (const double error : {on, off}) row.values.push_back(100 * error);
            if (!(off > 0)) continue;
            report.figures.push_back(
                {.name = fmt::format("{}: {} momentum error where the guard acted, {}, with it over without",
                                     field.name(), angular ? "angular" : "linear",
                                     share == 0.5   ? "median"
                                     : share == 0.9 ? "90 % of scenes"
                                                    : "worst"),
                 .value = (on + kRounding) / (off + kRounding),
                 .unit = "times",
                 .bar = 2,
                 .higher_is_better = false});
        }
    }
    table.rows.push_back(row);
}

}  // namespace

Status measure_robust(const BenchOptions& options, BenchReport& report)
{
    const std::string asked = !options.seeds.empty() ? options.seeds : options.quick ? "1..20" : "1..10000";
    const auto seeds = parse_seeds(asked);
    const Result<std::vector<Field>> fields = choose_fields(options);
    Result<RobustLog> opened = RobustLog::open(options.keep);
    if (!seeds.ok()) return seeds.errors();
    if (!fields.ok()) return fields.errors();
    if (!opened.ok()) return opened.errors();
    RobustLog& log = opened.value();
    const auto [first, last] = seeds.value();
    report.notes.push_back(
        fmt::format("wild scenes of {} steps (lab/scenes/wild.h), seeds {}; gain: energy above the start and the store "
                    "of the first "
                    "overlaps, over the energy at hand; momentum errors: largest change, over sqrt(2 m E)",
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
    BenchTable table{
        .title = "scenes",
        .columns = {"scenes", "diverged", "gain > 1 %", "worst gain [%]", "not converged", "in parts", "trimmed",
                    "slowed", "steps in parts [%]", "steps trimmed [%]", "steps slowed [%]", "steps not converged [%]"},
        .rows = {}};
    for (const Field& field : fields.value())
    {
        Count count;
        std::string gained;
        for (auto at = log.runs().lower_bound(field.key(first)); at != log.runs().end() && at->first <= field.key(last);
             ++at)
        {
            count.add(at->second);
            if (field.misses(at->second)) gained += fmt::format(" {}", at->first.seed);
        }
        if (!gained.empty()) report.notes.push_back(field.name() + ": seeds that miss a bar:" + gained);
        report_field(field, count, table, report);
    }
    for (const Kind& kind : kKinds) compare_stick(log, kind, seeds.value(), report);
    BenchTable momenta{.title = "momentum errors where the guard acted, % of sqrt(2 m E), with it and without",
                       .columns = {"scenes", "diverged without", "more than twice", "linear, median", "without",
                                   "angular, median", "without", "linear, 90 %", "without", "angular, 90 %", "without",
                                   "linear, worst", "without", "angular, worst", "without"},
                       .rows = {}};
    for (const Field& field : fields.value())
        if (field.guard && field.kind.options.adrift) compare_momenta(log, field, seeds.value(), momenta, report);
    report.tables.push_back(std::move(table));
    if (!momenta.rows.empty()) report.tables.push_back(std::move(momenta));
    return {};
}

}  // namespace rattleback::lab
