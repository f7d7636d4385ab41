// Bench `batch`: worlds on threads, beside what threads of this machine do with arithmetic alone.
#include "lab/bench/batch.h"
#include "lab/bench/data_folder.h"
#include "lab/bench/integrators.h"
#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"

#include "math/pack.h"

#include <rattleback/import.h>

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <thread>

namespace rattleback::lab
{

namespace
{

constexpr int kManyWorlds = 512;
constexpr const char* kThreadedFile = "mjcf/mujoco/model/humanoid/humanoid.xml";

/// Numbers of threads that are compared with one.
std::vector<int> thread_counts()
{
    if (std::thread::hardware_concurrency() >= 16) return {1, 2, 16};
    return {1, 2};
}

/// What one thread does of the machine's own rows: `Chains` sums that do not wait for each other, each of which waits
/// for itself. Few chains leave room for a second thread of the same core, many do not. No memory is touched.
template <int Chains>
double turn_chains(int turns)
{
    Pack4 sums[Chains];
    for (int c = 0; c < Chains; ++c) sums[c] = Pack4(1.0 + c + 1e-9 * turns);  // known when it runs, not before
    const Pack4 scale(1 - 1e-9), step(1e-9);
    for (int i = 0; i < turns; ++i)
        for (int c = 0; c < Chains; ++c) sums[c] = sums[c] * scale + step;
    double all = 0;
    for (const Pack4& sum : sums) all += lane(sum, 0);
    return all;
}

/// The same share of work on each of some threads: turns per second of wall time, of all together.
template <int Chains>
double run_machine(int threads, int turns, double& cpu)
{
    std::vector<std::thread> crew;
    std::vector<double> results(static_cast<std::size_t>(threads));
    const double begin = wall_seconds(), cpu_begin = process_seconds();
    for (int t = 0; t < threads; ++t)
        crew.emplace_back([&, t] { results[static_cast<std::size_t>(t)] = turn_chains<Chains>(turns); });
    for (std::thread& thread : crew) thread.join();
    cpu = (process_seconds() - cpu_begin) / threads;
    double sum = 0;
    for (const double result : results) sum += result;
    return sum > 0 ? threads * 1.0 * turns / (wall_seconds() - begin) : 0;
}

/// Speeds by the wall, and CPU time of the same work, by number of threads.
struct ThreadTimes
{
    std::vector<double> speed, cpu;
};

ThreadTimes time_threads(int rounds, const std::function<double(std::size_t which, double& cpu)>& run)
{
    const std::size_t count = thread_counts().size();
    std::vector<std::vector<double>> cpu(count);
    std::vector<std::function<double()>> runs;
    for (std::size_t i = 0; i < count; ++i)
    {
        runs.emplace_back(
            [&, i]
            {
                double seconds = 0;
                const double speed = run(i, seconds);
                cpu[i].push_back(seconds);
                return speed;
            });
    }
    ThreadTimes times{median_of_alternating(runs, rounds), {}};
    for (const std::vector<double>& seconds : cpu) times.cpu.push_back(median(seconds));
    return times;
}

/// One line of the table: speeds, and their ratios by the wall and from CPU time. Where the second is as low as the
/// first, threads slow each other down; where it is not, one waits for another.
BenchTable::Row make_row(const std::string& name, const ThreadTimes& times)
{
    BenchTable::Row row{name, "double", {times.speed[0]}};
    const std::vector<int> threads = thread_counts();
    for (std::size_t i = 1; i < threads.size(); ++i)
        row.values.insert(row.values.end(),
                          {times.speed[i], times.speed[i] / times.speed[0], threads[i] * times.cpu[0] / times.cpu[i]});
    return row;
}

Result<ThreadTimes> time_solver(const BatchBed& bed, const std::shared_ptr<const Model>& model,
                                const std::string& solver, int steps)
{
    bed.say(fmt::format("{} worlds on threads, {}", kManyWorlds, solver));
    Parameters parameters;
    if (solver == "smooth")
        parameters = smooth_parameters(model->settings.integrator, "contact, limits, dry_friction, equality");
    if (solver == "comfree") parameters["method"] = std::string("sweeps");
    std::vector<Batch> batches;
    for (const int count : thread_counts())
    {
        Result<Batch> made = Batch::make(
            model, {.solver = solver, .parameters = parameters, .world_count = kManyWorlds, .thread_count = count});
        if (!made.ok()) return made.errors();
        batches.push_back(std::move(made).value());
    }
    return time_threads(bed.rounds(),
                        [&](std::size_t i, double& cpu)
                        {
                            batches[i].reset();
                            Random random(1);  // every world falls its own way
                            for (double& input : batches[i].control().input) input = random.uniform(-0.1, 0.1);
                            const double begin = wall_seconds(), cpu_begin = process_seconds();
                            batches[i].run_steps(steps);
                            cpu = process_seconds() - cpu_begin;
                            return steps * kManyWorlds / (wall_seconds() - begin);
                        });
}

/// Which processors share a core with the first, in the words of the system; empty where it does not tell.
std::string find_siblings()
{
    std::ifstream file("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
    std::string text;
    std::getline(file, text);
    return text;
}

}  // namespace

void measure_batch_threads(const BatchBed& bed)
{
    const int steps = bed.options.quick ? 10 : 50, turns = bed.options.quick ? 2'000'000 : 20'000'000;
    const std::vector<int> threads = thread_counts();
    BenchTable table{
        .title = fmt::format("{} humanoid worlds on threads: steps/s by the wall (machine: turns/s)", kManyWorlds),
        .columns = {"1 thread"},
        .rows = {}};
    for (const int count : std::span(threads).subspan(1))
        for (const char* column : {"{} threads", "{} over 1", "{} over 1, from CPU time"})
            table.columns.push_back(fmt::format(fmt::runtime(column), count));
    // What the machine gives: the same arithmetic on every thread, and no memory.
    bed.say("arithmetic alone on threads");
    const auto machine = [&](const auto& run)
    { return time_threads(bed.rounds(), [&](std::size_t i, double& cpu) { return run(threads[i], turns, cpu); }); };
    const ThreadTimes full = machine(run_machine<8>), waiting = machine(run_machine<1>);
    table.rows.push_back(make_row("machine (arithmetic only, eight sums at once)", full));
    table.rows.push_back(make_row("machine (arithmetic only, one sum that waits)", waiting));
    bed.note(fmt::format("processors that share a core with the first: {}", find_siblings()));
    const Result<Imported> imported = load_mjcf(find_data_folder() / kThreadedFile);
    if (!imported.ok()) return bed.note("threads not measured: " + to_text(imported.errors()));
    const auto model = std::make_shared<const Model>(imported->model);
    for (const char* solver : {"smooth", "convex", "comfree"})
    {
        const Result<ThreadTimes> times = time_solver(bed, model, solver, steps);
        if (!times.ok()) return bed.note("threads not measured: " + to_text(times.errors()));
        table.rows.push_back(make_row(solver, times.value()));
        for (std::size_t i = 1; i < threads.size(); ++i)
        {
            const double bar = threads[i] == 2 ? 1.9 : 14;
            bed.add_ratio(fmt::format("{} humanoid worlds, {}, {} threads over 1", kManyWorlds, solver, threads[i]),
                          times->speed[i] / times->speed[0], bar, bar);
        }
    }
    bed.report.tables.push_back(std::move(table));
}

}  // namespace rattleback::lab
