// Collects what a certified run of the bolt has to prove, and asks each method.
#include "lab/bench/ccd_bolt.h"

#include "geometry/interval_impact.h"
#include "lab/bench/data_folder.h"
#include "lab/bench/root_finders.h"
#include "lab/measure/measure.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "solvers/ipc/candidates.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr int kSteps = 10;
constexpr PublicScene kBolt{"bolt", "rigid-ipc/fixtures/3D/mechanisms/bolt.json", "ipc/bolt",
                            [] { return (*find_scene("ipc/bolt"))->build(); }};
constexpr PublicScene kPiston{"piston", "rigid-ipc/fixtures/3D/mechanisms/507-movements/092-piston.json", "ipc/piston",
                              [] { return (*find_scene("ipc/piston"))->build(); }};

Result<Model> load_scene(const PublicScene& scene, const FoundScene& found)
{
    if (!found.file) return scene.build();
    Result<Imported> imported = load_model(*found.file);
    if (!imported.ok()) return imported.errors();
    return std::move(imported->model);
}

/// Two simplices on the paths of their bodies in one step, the simpler first.
struct BoltQuery
{
    std::size_t first_track = 0, second_track = 0;
    Simplex first, second;
    double distance = 0;  ///< at the start
};

struct BoltQueries
{
    std::vector<RigidTrack> tracks;
    std::vector<BoltQuery> points, edges;  ///< vertices and faces; edges and edges
};

/// Pairs whose boxes meet on the way of a step: all that the way can bring together.
void add_queries(const ipc::Layout& layout, ipc::Candidates& candidates, const State& before, const State& after,
                 double farther, BoltQueries& queries)
{
    std::vector<ipc::Placement> placements;
    std::vector<double> skins;
    std::vector<ipc::Rest> rests;
    const std::size_t base = queries.tracks.size();
    for (const ipc::Group& group : layout.groups)
    {
        const auto b = static_cast<std::size_t>(group.body);
        RigidPath path = make_path(before.body_pose[b], after.body_pose[b], group.center);
        path.motion = farther * path.motion;
        path.turning = farther * path.turning;
        queries.tracks.emplace_back(path);
        placements.push_back(ipc::make_placement(path.center, path.rotation));
        rests.push_back(group.row < 0 ? ipc::Rest::fixed : ipc::Rest::none);
        skins.push_back(group.row < 0 ? 0 : norm(path.motion) + norm(path.turning) * group.radius);
    }
    candidates.find(placements, {skins, {}, {}}, {}, rests);
    for (const ipc::CandidateSet& set : candidates.sets())
    {
        if (set.is_plane) continue;
        const auto a = static_cast<std::size_t>(candidates.first_group(set)),
                   b = static_cast<std::size_t>(candidates.second_group(set));
        for (const ipc::Candidate& item : candidates.candidates(set))
        {
            BoltQuery query{base + a, base + b, candidates.first_simplex(set, item),
                            candidates.second_simplex(set, item), item.distance};
            if (query.first.count > query.second.count)
            {
                std::swap(query.first, query.second);
                std::swap(query.first_track, query.second_track);
            }
            (query.first.count == 2 ? queries.edges : queries.points).push_back(query);
        }
    }
}

/// Of the first steps of a scene. `farther`: paths go on so many times as far as the step did, into what stopped it, as
/// Newton's first directions do.
Result<BoltQueries> collect_queries(const Result<Model>& model, double farther)
{
    if (!model.ok()) return model.errors();
    const SolverInfo& info = *find_solver("ipc").value();
    const Result<Parameters> parameters = make_parameters(info, *model, {});
    if (!parameters.ok()) return parameters.errors();
    const ipc::Settings settings(*parameters);
    const Result<std::shared_ptr<const ipc::Layout>> layout = ipc::build_layout(*model, settings);
    if (!layout.ok()) return layout.errors();
    Result<Simulation> made = Simulation::make(*model, {.solver = "ipc"});
    if (!made.ok()) return made.errors();
    ipc::Candidates candidates(*model, **layout, settings);
    BoltQueries queries;
    State before = made->state();
    for (int i = 0; i < kSteps; ++i)
    {
        made->step();
        add_queries(**layout, candidates, before, made->state(), farther, queries);
        before = made->state();
    }
    return queries;
}

/// How a method answered.
struct BoltAnswer
{
    bool hits = false, gave_up = false;
    int pieces = 0;
};
using BoltMethod = std::function<BoltAnswer(const BoltQueries&, const BoltQuery&)>;

constexpr int kFirstDecade = -8, kDecades = 9;

/// Asks `stride`-th queries until the budget is spent, each timed.
void ask(const std::string& name, const BoltQueries& all, const std::vector<BoltQuery>& queries, std::size_t stride,
         double budget, const BoltMethod& method, BenchTable& table, BenchTable& histogram)
{
    std::array<double, kDecades> counts{};
    // All of them by CPU time, each by the clock: what disturbs the machine makes the slowest slower.
    const double start = thread_seconds();
    double seconds = 0, slowest = 0, pieces = 0, hits = 0, given_up = 0, count = 0;
    for (std::size_t i = 0; i < queries.size() && seconds < budget; i += stride)
    {
        const auto begin = std::chrono::steady_clock::now();
        const BoltAnswer answer = method(all, queries[i]);
        const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        seconds += time;
        slowest = std::max(slowest, time);
        pieces += answer.pieces;
        hits += answer.hits ? 1 : 0;
        given_up += answer.gave_up ? 1 : 0;
        count += 1;
        const int decade = static_cast<int>(std::floor(std::log10(std::max(time, 1e-9)))) - kFirstDecade;
        counts[static_cast<std::size_t>(std::clamp(decade, 0, kDecades - 1))] += 1;
    }
    table.rows.push_back({name,
                          "double",
                          {static_cast<double>(queries.size()), count, count / (thread_seconds() - start),
                           pieces / count, slowest, hits, given_up}});
    histogram.rows.push_back({name, "double", {}});
    for (const double n : counts) histogram.rows.back().values.push_back(n / count);
}

void measure_queries(const FoundScene& found, const BenchOptions& options, BenchReport& report)
{
    if (options.say) options.say(found.title + "'s first ten steps");
    const Result<BoltQueries> queries = collect_queries(load_scene(kBolt, found), 1);
    if (!queries.ok()) return report.notes.push_back(found.title + " is not run: " + queries.errors().front().text());
    const auto ours = [](const BoltQueries& all, const BoltQuery& q)
    {
        const CertifiedImpact impact =
            certified_time_of_impact(all.tracks[q.first_track], q.first, all.tracks[q.second_track], q.second);
        return BoltAnswer{impact.state == CertifiedState::touch, impact.state == CertifiedState::undecided,
                          impact.advances};
    };
    const auto printed = [](const BoltQueries& all, const BoltQuery& q)
    {
        const CertifiedImpact impact =
            interval_time_of_impact(all.tracks[q.first_track], q.first, all.tracks[q.second_track], q.second);
        return BoltAnswer{impact.state == CertifiedState::touch, false, impact.advances};
    };
    const auto root = [](const auto& find)
    {
        return [find](const BoltQueries& all, const BoltQuery& q)
        {
            const RootReport seen = find(all.tracks[q.first_track].path(), q.first, all.tracks[q.second_track].path(),
                                         q.second, {.max_boxes = 100'000});
            return BoltAnswer{seen.hits, seen.gave_up, seen.boxes};
        };
    };
    BenchTable table{
        .title = found.title +
                 "'s first ten steps, from state to state, one core ([RigidIPC] Fig. 21: 43 and 240 "
                 "thousand queries, slowest 0.02 and 0.3 s)",
        .columns = {"queries", "asked", "queries/s", "pieces of the way, mean", "slowest [s]", "hits", "gave up"},
        .rows = {}};
    BenchTable histogram{.title = "part of the queries by time", .columns = {}, .rows = {}};
    for (int d = 0; d < kDecades; ++d)
        histogram.columns.push_back(fmt::format("1e{} to 1e{} s", kFirstDecade + d, kFirstDecade + d + 1));
    const double budget = options.quick ? 1 : 20;
    for (const bool edges : {false, true})
    {
        const std::string kind = edges ? "edge and edge, " : "vertex and face, ";
        const std::vector<BoltQuery>& list = edges ? queries->edges : queries->points;
        if (list.empty()) continue;
        // The root finders are asked a sample: all of it would take hours.
        const std::size_t sample = std::max<std::size_t>(1, list.size() / 2000);
        ask(kind + "ours", *queries, list, 1, budget, ours, table, histogram);
        ask(kind + "intervals of the paper", *queries, list, 1, budget, printed, table, histogram);
        ask(kind + "Redon", *queries, list, sample, budget, root(&find_root_redon), table, histogram);
        ask(kind + "Snyder", *queries, list, sample, budget, root(&find_root_snyder), table, histogram);
        const auto& rows = table.rows;
        const double mine = rows[rows.size() - 4].values[2], theirs = rows[rows.size() - 3].values[2];
        report.figures.push_back({.name = found.title + ", " + kind + "ours over the intervals of the paper",
                                  .value = mine / theirs,
                                  .unit = "",
                                  .bar = 10});
    }
    report.tables.push_back(std::move(table));
    report.tables.push_back(std::move(histogram));
}

void measure_delta_queries_of(const FoundScene& found, const BenchOptions& options, BenchReport& report)
{
    BenchTable table{
        .title =
            "queries of " + found.title + "'s first ten steps, intervals of the paper by delta ([RigidIPC] App. C)",
        .columns = {"queries", "asked", "queries/s", "pieces of the way, mean", "slowest [s]", "hits", "gave up"},
        .rows = {}};
    BenchTable histogram;
    for (const double farther : {1.0, 3.0})
    {
        if (options.say) options.say(fmt::format("{}'s first ten steps, {} times as far", found.title, farther));
        const Result<BoltQueries> queries = collect_queries(load_scene(kPiston, found), farther);
        if (!queries.ok())
            return report.notes.push_back(found.title + " is not run: " + queries.errors().front().text());
        for (const bool edges : {false, true})
        {
            const std::vector<BoltQuery>& list = edges ? queries->edges : queries->points;
            if (list.empty()) continue;
            // The same sample for every delta, those who are slow included: all of it would take hours.
            const std::size_t stride = std::max<std::size_t>(1, list.size() / (options.quick ? 200 : 5000));
            for (const double delta : {0.1, 0.5, 0.9})
            {
                const auto printed = [delta](const BoltQueries& all, const BoltQuery& q)
                {
                    const CertifiedImpact impact = interval_time_of_impact(
                        all.tracks[q.first_track], q.first, all.tracks[q.second_track], q.second, {}, {.delta = delta});
                    return BoltAnswer{impact.state == CertifiedState::touch, impact.state == CertifiedState::undecided,
                                      impact.advances};
                };
                ask(fmt::format("delta {}, {}, {}", delta, edges ? "edge and edge" : "vertex and face",
                                farther == 1 ? "from state to state" : "three times as far"),
                    *queries, list, stride, options.quick ? 1 : 60, printed, table, histogram);
            }
        }
    }
    report.tables.push_back(std::move(table));
}

void measure_delta_of(const FoundScene& found, const BenchOptions& options, BenchReport& report)
{
    BenchTable table{.title = found.title +
                              " with ccd = paper, one core ([RigidIPC] App. C, whole run: 611.6, 130.6, 742.6 s; 227, "
                              "211, 1162 iterations)",
                     .columns = {"steps", "CPU time [s]", "Newton iterations", "not converged"},
                     .rows = {}};
    // With 0.1 and 0.9 one step takes minutes: only where they are asked for by name.
    for (const double delta : {0.5, 0.9, 0.1})
    {
        const std::string name = fmt::format("delta {}", delta);
        if (options.scene.empty() ? delta != 0.5 : options.scene != name) continue;
        if (options.say) options.say(found.title + ", " + name);
        const Result<Model> model = load_scene(kPiston, found);
        if (!model.ok()) return report.notes.push_back(found.title + " is not run: " + model.errors().front().text());
        Result<Simulation> made = Simulation::make(
            *model, {.solver = "ipc", .parameters = {{"ccd", std::string("paper")}, {"ccd_delta", delta}}});
        if (!made.ok()) return report.notes.push_back(found.title + " is not run: " + made.errors().front().text());
        double iterations = 0, seconds = 0, failed = 0;
        int steps = 0;
        const double budget = options.quick ? 1 : options.minutes > 0 ? 60 * options.minutes : 60;
        while (steps < 100 && seconds < budget)
        {
            const double begin = thread_seconds();
            const StepReport step = made->step();
            seconds += thread_seconds() - begin;
            iterations += step.iterations;
            failed += step.status == StepStatus::ok ? 0 : 1;
            ++steps;
        }
        table.rows.push_back({name, "double", {static_cast<double>(steps), seconds, iterations, failed}});
    }
    report.tables.push_back(std::move(table));
}

}  // namespace

void measure_bolt_queries(const BenchOptions& options, BenchReport& report)
{
    measure_public_scene(kBolt, report, [&](const FoundScene& found) { measure_queries(found, options, report); });
}

void measure_delta_queries(const BenchOptions& options, BenchReport& report)
{
    measure_public_scene(kPiston, report,
                         [&](const FoundScene& found) { measure_delta_queries_of(found, options, report); });
}

void measure_delta(const BenchOptions& options, BenchReport& report)
{
    measure_public_scene(kPiston, report, [&](const FoundScene& found) { measure_delta_of(found, options, report); });
}

}  // namespace rattleback::lab
