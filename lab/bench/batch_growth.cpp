// Bench `batch`: motion without contact, heaps of capsules, and threads.
#include "lab/bench/batch.h"
#include "lab/bench/data_folder.h"
#include "lab/bench/integrators.h"
#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/stacks.h"

#include <rattleback/import.h>

#include <fmt/format.h>

#include <cmath>
#include <thread>

namespace rattleback::lab
{

namespace
{

constexpr std::string_view kSmoothOnly = "contact, limits, dry_friction, equality";
constexpr const char* kHumanoidFile = "mjcf/mujoco/model/humanoid/humanoid.xml";
constexpr const char* kG1File = "mjcf/menagerie/unitree_g1/g1.xml";

/// Constraints off in both engines: one world and packs.
Status measure_smooth_robot(const BatchBed& bed, const std::string& title, const std::filesystem::path& path)
{
    constexpr int kPackWorlds = 256;
    const int steps = bed.options.quick ? 500 : 2000, batch_steps = bed.options.quick ? 10 : 50;
    bed.say(title + " without constraints");
    Result<ConvexDuel> read = ConvexDuel::read(path, {.noise = 0.1});
    if (!read.ok()) return read.errors();
    const ConvexDuel& duel = read.value();
    const Parameters parameters = smooth_parameters(duel.model().settings.integrator, kSmoothOnly);
    Result<Simulation> one = Simulation::make(duel.shared_model(), {.solver = "smooth", .parameters = parameters});
    Result<Batch> many =
        Batch::make(duel.shared_model(),
                    {.solver = "smooth", .parameters = parameters, .world_count = kPackWorlds, .thread_count = 1});
    const PeerOptions free{.constraints = false};
    Result<DuelPeer> peer = duel.make_theirs(free);
    Result<std::unique_ptr<PeerBatch>> peers = make_mujoco_batch(duel.path(), free, kPackWorlds, 1);
    if (!one.ok()) return one.errors();
    if (!many.ok()) return many.errors();
    if (!peer.ok()) return peer.errors();
    if (!peers.ok()) return peers.errors();
    const BatchStart start{duel.model().initial_q, duel.model().initial_v, {}, {}};
    const std::function<double()> runs[] = {[&] { return steps / duel.run(one.value(), steps); },
                                            [&] { return steps / duel.run(*peer->peer, steps); },
                                            [&] { return run_batch(many.value(), start, batch_steps); },
                                            [&] { return run_batch(*peers.value(), start, batch_steps, kPackWorlds); }};
    const std::vector<double> speeds = median_of_alternating(runs, bed.rounds());
    bed.report.tables.push_back({.title = title + " without constraints: steps/s on one core",
                                 .columns = {"one world", "256 worlds"},
                                 .rows = {{"smooth", "double", {speeds[0], speeds[2]}},
                                          {peer->peer->name(), "double", {speeds[1], speeds[3]}}}});
    bed.add_ratio(title + " without constraints, one world", speeds[0] / speeds[1], 1.6, 2.5);
    bed.add_ratio(title + " without constraints, 256 worlds in packs", speeds[2] / speeds[3], 5.5, 8);
    return {};
}

/// Steps/s of our contenders and MuJoCo's fastest on a heap.
Result<BenchTable::Row> time_heap(const BatchBed& bed, int count, int steps, const std::vector<BatchContender>& who)
{
    constexpr double kHeapStep = 0.01;
    bed.say(fmt::format("{} capsules", count));
    Result<Model> model = build_capsules({.count = count});
    if (!model.ok()) return model.errors();
    Result<ConvexDuel> made = ConvexDuel::write(std::move(model).value(), {.dt = kHeapStep});
    if (!made.ok()) return made.errors();
    const ConvexDuel& duel = made.value();
    Result<DuelPeer> fastest = duel.find_fastest(steps);
    if (!fastest.ok()) return fastest.errors();
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
    BenchTable::Row row{fmt::format("{}", count), "double",
                        median_of_alternating(runs, bed.options.quick ? 1 : bed.rounds())};
    const RunQuality theirs = duel.judge(*fastest->peer, steps, 0);
    for (Simulation& simulation : ours) row.values.push_back(1e3 * duel.judge(simulation, steps, 0).penetration);
    row.values.push_back(1e3 * theirs.penetration);
    return row;
}

}  // namespace

void measure_batch_smooth(const BatchBed& bed)
{
    for (const auto& [title, path] : {std::pair("humanoid", kHumanoidFile), std::pair("G1", kG1File)})
    {
        const Status measured = measure_smooth_robot(bed, title, find_data_folder() / path);
        if (!measured.ok()) bed.note(fmt::format("{} not measured: {}", title, to_text(measured.errors())));
    }
}

void measure_batch_capsules(const BatchBed& bed)
{
    // Three layers are carried by ten sweeps; corrections, the choice for tall stacks, are far slower (README).
    const std::vector<BatchContender> who{{.name = "convex", .solver = "convex", .parameters = {}},
                                          {.name = "comfree, 10 sweeps",
                                           .solver = "comfree",
                                           .parameters = {{"method", std::string("sweeps")}, {"sweeps", 10}}}};
    const std::vector<int> counts =
        bed.options.quick ? std::vector{50, 200} : std::vector{25, 50, 75, 100, 125, 150, 175, 200, 225, 250};
    const int steps = bed.options.quick ? 300 : 1000;
    BenchTable table{
        .title = fmt::format("capsules in three layers, {} steps of 10 ms: steps/s, and mean penetration", steps),
        .columns = {"convex", "comfree", "MuJoCo", "convex [mm]", "comfree [mm]", "MuJoCo [mm]"},
        .rows = {}};
    std::vector<double> numbers, times[2];
    for (const int count : counts)
    {
        const Result<BenchTable::Row> row = time_heap(bed, count, steps, who);
        if (!row.ok()) return bed.note("capsules not measured: " + to_text(row.errors()));
        table.rows.push_back(row.value());
        const std::vector<double>& v = row->values;
        if (count == 200)
        {
            bed.add_ratio("200 capsules, convex over MuJoCo", v[0] / v[2], 5, 10);
            bed.add_ratio("200 capsules, comfree by sweeps over MuJoCo", v[1] / v[2], 5, 10);
        }
        if (count < 50) continue;
        numbers.push_back(count);
        for (const std::size_t i : {0, 1}) times[i].push_back(1 / v[i]);
    }
    bed.report.tables.push_back(std::move(table));
    for (const std::size_t i : {0, 1})
        bed.report.figures.push_back({.name = "capsules, growth of the time per step, " + who[i].name,
                                      .value = find_exponent(numbers, times[i]),
                                      .unit = "exponent",
                                      .bar = 1.15,
                                      .higher_is_better = false});
}

void measure_batch_threads(const BatchBed& bed)
{
    constexpr int kManyWorlds = 512;
    const int steps = bed.options.quick ? 10 : 50;
    const Result<Imported> imported = load_mjcf(find_data_folder() / kHumanoidFile);
    if (!imported.ok()) return bed.note("threads not measured: " + to_text(imported.errors()));
    const auto model = std::make_shared<const Model>(imported->model);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    std::vector<int> threads{1, 2};
    if (cores >= 16) threads.push_back(16);
    BenchTable table{.title = fmt::format("{} humanoid worlds on threads: steps/s by the wall", kManyWorlds),
                     .columns = {"1 thread", "2 threads", "2 over 1", "2 over 1, from CPU time"},
                     .rows = {}};
    if (cores >= 16) table.columns.insert(table.columns.end(), {"16 threads", "16 over 1"});
    for (const char* solver : {"smooth", "convex", "comfree"})
    {
        bed.say(fmt::format("{} worlds on threads, {}", kManyWorlds, solver));
        Parameters parameters;
        if (std::string_view(solver) == "smooth")
            parameters = smooth_parameters(model->settings.integrator, kSmoothOnly);
        if (std::string_view(solver) == "comfree") parameters["method"] = std::string("sweeps");
        std::vector<Batch> batches;
        for (const int count : threads)
        {
            Result<Batch> made = Batch::make(
                model, {.solver = solver, .parameters = parameters, .world_count = kManyWorlds, .thread_count = count});
            if (!made.ok()) return bed.note("threads not measured: " + to_text(made.errors()));
            batches.push_back(std::move(made).value());
        }
        std::vector<std::vector<double>> cpu(batches.size());
        std::vector<std::function<double()>> runs;
        for (std::size_t i = 0; i < batches.size(); ++i)
        {
            runs.emplace_back(
                [&, i]
                {
                    batches[i].reset();
                    Random random(1);  // every world falls its own way
                    for (double& input : batches[i].control().input) input = random.uniform(-0.1, 0.1);
                    const double begin = wall_seconds(), cpu_begin = process_seconds();
                    batches[i].run_steps(steps);
                    cpu[i].push_back(process_seconds() - cpu_begin);
                    return steps * kManyWorlds / (wall_seconds() - begin);
                });
        }
        const std::vector<double> speeds = median_of_alternating(runs, bed.rounds());
        BenchTable::Row row{
            solver, "double", {speeds[0], speeds[1], speeds[1] / speeds[0], 2 * median(cpu[0]) / median(cpu[1])}};
        if (cores >= 16) row.values.insert(row.values.end(), {speeds[2], speeds[2] / speeds[0]});
        bed.add_ratio(fmt::format("{} humanoid worlds, {}, 2 threads over 1", kManyWorlds, solver),
                      speeds[1] / speeds[0], 1.9, 1.9);
        if (cores >= 16)
            bed.add_ratio(fmt::format("{} humanoid worlds, {}, 16 threads over 1", kManyWorlds, solver),
                          speeds[2] / speeds[0], 14, 14);
        table.rows.push_back(std::move(row));
    }
    bed.report.tables.push_back(std::move(table));
}

}  // namespace rattleback::lab
