// Bench `batch`: heaps of capsules, by their number: speed beside MuJoCo, how well contacts hold, and how time grows.
#include "lab/bench/batch.h"
#include "lab/measure/measure.h"
#include "lab/scenes/stacks.h"

#include <fmt/format.h>

#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kHeapStep = 0.01;  ///< [s]
constexpr int kJudgedCount = 200;   ///< capsules at which speeds are compared

/// How capsules lie at first.
struct HeapShape
{
    const char* title;
    bool cube;

    int layers(int count) const
    {
        return cube ? static_cast<int>(std::lround(std::cbrt(1.0 * count))) : CapsulesOptions().layers;
    }
};

Parameters sweeps(int count) { return {{"method", std::string("sweeps")}, {"sweeps", count}}; }

/// One number of capsules.
struct HeapResult
{
    std::vector<double> speed;        ///< [contender], then MuJoCo's fastest [steps/s]
    std::vector<RunQuality> quality;  ///< [contender], then MuJoCo's defaults
};

/// No worse than MuJoCo's defaults, with a tenth of room: runs are chaotic.
bool holds_as_well(const RunQuality& ours, const RunQuality& theirs)
{
    constexpr double kRoom = 1.1;
    return ours.penetration <= kRoom * theirs.penetration && ours.creep <= kRoom * theirs.creep;
}

Result<HeapResult> run_heap(const BatchBed& bed, const HeapShape& shape, int count, int steps,
                            const std::vector<BatchContender>& who)
{
    bed.say(fmt::format("{} capsules in {}", count, shape.title));
    Result<Model> model = build_capsules({.count = count, .layers = shape.layers(count)});
    if (!model.ok()) return model.errors();
    Result<ConvexDuel> made = ConvexDuel::write(std::move(model).value(), {.dt = kHeapStep});
    if (!made.ok()) return made.errors();
    const ConvexDuel& duel = made.value();
    Result<DuelPeer> fastest = duel.find_fastest(steps), standard = duel.make_theirs({.method = "Newton"});
    if (!fastest.ok()) return fastest.errors();
    if (!standard.ok()) return standard.errors();
    std::vector<Simulation> ours;
    for (const BatchContender& contender : who)
    {
        Result<Simulation> one = Simulation::make(
            duel.shared_model(), {.solver = contender.solver, .dt = kHeapStep, .parameters = contender.parameters});
        if (!one.ok()) return one.errors();
        ours.push_back(std::move(one).value());
    }
    std::vector<std::function<double()>> runs;
    for (Simulation& simulation : ours) runs.emplace_back([&] { return steps / duel.run(simulation, steps); });
    runs.emplace_back([&] { return steps / duel.run(*fastest->peer, steps); });
    HeapResult result{median_of_alternating(runs, bed.options.quick ? 1 : bed.rounds()), {}};
    for (Simulation& simulation : ours) result.quality.push_back(duel.judge(simulation, steps, 0));
    result.quality.push_back(duel.judge(*standard->peer, steps, 0));
    return result;
}

/// The fastest of some contenders that holds as well as MuJoCo, over MuJoCo's fastest; 0: none does.
double find_ratio(const HeapResult& heap, std::size_t begin, std::size_t end)
{
    double best = 0;
    for (std::size_t i = begin; i < end; ++i)
        if (holds_as_well(heap.quality[i], heap.quality.back()))
            best = std::max(best, heap.speed[i] / heap.speed.back());
    return best;
}

void measure_heaps(const BatchBed& bed, const HeapShape& shape)
{
    const std::vector<int> counts =
        bed.options.quick ? std::vector{50, 200} : std::vector{25, 50, 75, 100, 125, 150, 175, 200, 225, 250};
    const int steps = bed.options.quick ? 300 : 1000;
    // Five sweeps are what robots have, ten carry more layers; corrections, the choice for tall stacks, are far slower.
    // The fastest that holds as well as MuJoCo counts.
    std::vector<BatchContender> who{{.name = "convex", .solver = "convex", .parameters = {}}};
    for (const int count : {3, 5, 10})
        who.push_back(
            {.name = fmt::format("comfree, {} sweeps", count), .solver = "comfree", .parameters = sweeps(count)});
    BenchTable table{
        .title = fmt::format("capsules in {}, {} steps of 10 ms: steps/s, contacts, mean penetration [mm], "
                             "median creep [mm/s]",
                             shape.title, steps),
        .columns = {},
        .rows = {}};
    for (const char* what : {"", "pen. ", "creep "})
    {
        for (const BatchContender& contender : who) table.columns.push_back(what + contender.name);
        table.columns.push_back(fmt::format("{}MuJoCo", what));
        if (*what == 0) table.columns.emplace_back("contacts");
    }
    std::vector<double> numbers;
    std::vector<std::vector<double>> times(who.size() + 1);
    for (const int count : counts)
    {
        const Result<HeapResult> heap = run_heap(bed, shape, count, steps, who);
        if (!heap.ok()) return bed.note("capsules not measured: " + to_text(heap.errors()));
        BenchTable::Row row{fmt::format("{}", count), "double", heap->speed};
        row.values.push_back(heap->quality.back().contacts);
        for (const RunQuality& quality : heap->quality) row.values.push_back(1e3 * quality.penetration);
        for (const RunQuality& quality : heap->quality) row.values.push_back(1e3 * quality.creep);
        table.rows.push_back(std::move(row));
        if (count == kJudgedCount)
        {
            const auto add = [&](const char* name, double ratio)
            {
                bed.add_ratio(fmt::format("{} capsules in {}, {} over MuJoCo", count, shape.title, name), ratio, 5, 10);
            };
            add("convex", find_ratio(heap.value(), 0, 1));
            add("comfree by sweeps", find_ratio(heap.value(), 1, who.size()));
        }
        if (count < 50) continue;
        numbers.push_back(count);
        for (std::size_t i = 0; i < times.size(); ++i) times[i].push_back(1 / heap->speed[i]);
    }
    bed.report.tables.push_back(std::move(table));
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        Figure figure{.name = fmt::format("capsules in {}, growth of the time per step, {}", shape.title,
                                          i < who.size() ? who[i].name : "MuJoCo"),
                      .value = find_exponent(numbers, times[i]),
                      .unit = "exponent",
                      .higher_is_better = false};
        if (i < who.size()) figure.bar = 1.15;
        bed.report.figures.push_back(std::move(figure));
    }
}

}  // namespace

void measure_batch_capsules(const BatchBed& bed) { measure_heaps(bed, {"three layers", false}); }
void measure_batch_cubes(const BatchBed& bed) { measure_heaps(bed, {"a cube", true}); }

}  // namespace rattleback::lab
