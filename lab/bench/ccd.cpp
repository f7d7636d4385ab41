// Bench `ccd`: the certified time of impact on exact public queries and on random rigid ones: what it misses, what it
// accuses wrongly, how fast it is and how slow its slowest query.
#include "geometry/inclusion_impact.h"
#include "lab/bench/bench.h"
#include "lab/bench/ccd_bolt.h"
#include "lab/bench/data_folder.h"
#include "lab/measure/measure.h"
#include "math/random.h"
#include "math/rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace rattleback::lab
{

namespace
{

/// A linear query with its exact answer: corners at the start, then at the end.
struct LinearQuery
{
    LinearSimplex first, second;
    bool hits = false;
};

struct CcdCount
{
    std::int64_t queries = 0, hits = 0, missed = 0, accused = 0, undecided = 0, advances = 0, slowest = 0;
    double seconds = 0;

    void add(bool hits_really, CertifiedState found, std::int64_t steps)
    {
        ++queries;
        hits += hits_really ? 1 : 0;
        missed += hits_really && found == CertifiedState::apart ? 1 : 0;
        accused += !hits_really && found != CertifiedState::apart ? 1 : 0;
        undecided += found == CertifiedState::undecided ? 1 : 0;
        advances += steps;
        slowest = std::max(slowest, steps);
    }
};

/// The files are eight rows to a query, three fractions and the answer in each.
std::vector<LinearQuery> read_linear_queries(const std::filesystem::path& path, bool edges)
{
    std::ifstream file(path);
    std::vector<std::array<double, 7>> rows;
    for (std::string line, cell; std::getline(file, line);)
    {
        std::istringstream cells(line);
        for (double& value : rows.emplace_back())
        {
            std::getline(cells, cell, ',');
            value = std::strtod(cell.c_str(), nullptr);
        }
    }
    const auto place = [&](std::size_t row)
    { return Vec3{rows[row][0] / rows[row][1], rows[row][2] / rows[row][3], rows[row][4] / rows[row][5]}; };
    std::vector<LinearQuery> queries;
    for (std::size_t q = 0; q + 8 <= rows.size(); q += 8)
    {
        LinearQuery& query = queries.emplace_back();
        const int counts[2] = {edges ? 2 : 1, edges ? 2 : 3};
        std::size_t corner = 0;
        for (LinearSimplex* simplex : {&query.first, &query.second})
        {
            const int count = counts[simplex == &query.second ? 1 : 0];
            simplex->begin.count = simplex->end.count = count;
            for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k, ++corner)
            {
                simplex->begin.corner[k] = place(q + corner);
                simplex->end.corner[k] = place(q + 4 + corner);
            }
        }
        query.hits = rows[q][6] != 0;
    }
    return queries;
}

std::vector<LinearQuery> read_all_linear_queries(bool edges)
{
    const char* const folder = edges ? "edge-edge" : "vertex-face";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_data_folder() / "ccd-queries"))
        if (entry.path().extension() == ".csv" && entry.path().generic_string().find(folder) != std::string::npos)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<LinearQuery> all;
    for (const auto& file : files)
    {
        const std::vector<LinearQuery> queries = read_linear_queries(file, edges);
        all.insert(all.end(), queries.begin(), queries.end());
    }
    return all;
}

CcdCount measure_linear(const std::vector<LinearQuery>& queries)
{
    CcdCount count;
    const double begin = thread_seconds();
    for (const LinearQuery& query : queries)
    {
        const CertifiedImpact impact = certified_time_of_impact(query.first, query.second);
        count.add(query.hits, impact.state, impact.advances);
    }
    count.seconds = thread_seconds() - begin;
    return count;
}

/// The same asked of an inclusion method with the same tolerance: advances are boxes.
CcdCount measure_inclusion(const std::vector<LinearQuery>& queries)
{
    CcdCount count;
    const double begin = thread_seconds();
    for (const LinearQuery& query : queries)
    {
        const CertifiedImpact impact = inclusion_time_of_impact(query.first, query.second, {.max_advances = 1'000'000});
        count.add(query.hits, impact.state, impact.advances);
    }
    count.seconds = thread_seconds() - begin;
    return count;
}

/// Two bodies of a tenth of a metre that turn and move past each other, and features on their surfaces.
CcdCount measure_rigid(int queries, bool edges, double turning)
{
    Random random(edges ? 2 : 1);
    const auto draw = [&](double size)
    { return Vec3{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)}; };
    struct Query
    {
        RigidPath first_path, second_path;
        Simplex first, second;
    };
    std::vector<Query> list;
    for (int i = 0; i < queries; ++i)
    {
        Query& query = list.emplace_back();
        for (RigidPath* path : {&query.first_path, &query.second_path})
            *path = {.center = draw(0.1),
                     .motion = draw(0.02),
                     .rotation = exponential(draw(2)),
                     .turn = {},
                     .turning = draw(turning)};
        query.first.count = edges ? 2 : 1;
        query.second.count = edges ? 2 : 3;
        for (Vec3& corner : query.first.corner) corner = draw(0.1);
        for (Vec3& corner : query.second.corner) corner = draw(0.1);
    }
    CcdCount count;
    const double begin = thread_seconds();
    for (const Query& query : list)
    {
        const CertifiedImpact impact =
            certified_time_of_impact(query.first_path, query.first, query.second_path, query.second);
        count.add(impact.state == CertifiedState::touch, impact.state, impact.advances);
    }
    count.seconds = thread_seconds() - begin;
    return count;
}

void add_row(const std::string& name, const CcdCount& count, BenchTable& table)
{
    const double n = static_cast<double>(std::max<std::int64_t>(1, count.queries));
    table.rows.push_back({name,
                          "double",
                          {static_cast<double>(count.queries), static_cast<double>(count.hits), n / count.seconds / 1e6,
                           static_cast<double>(count.advances) / n, static_cast<double>(count.slowest),
                           static_cast<double>(count.undecided)}});
}

/// Exact queries: hits that are missed, and what is accused beside what an inclusion method accuses.
void measure_exact(bool edges, const BenchOptions& options, BenchTable& table, BenchReport& report)
{
    const std::string kind = edges ? "edge and edge" : "vertex and face";
    if (options.say) options.say("exact linear queries, " + kind);
    const std::vector<LinearQuery> queries = read_all_linear_queries(edges);
    const CcdCount ours = measure_linear(queries), inclusion = measure_inclusion(queries);
    add_row("exact linear, " + kind, ours, table);
    add_row("the same by inclusion, " + kind, inclusion, table);
    report.figures.push_back({.name = kind + ": hits missed of " + std::to_string(ours.hits),
                              .value = static_cast<double>(ours.missed),
                              .unit = "",
                              .bar = 0,
                              .higher_is_better = false});
    report.figures.push_back(
        {.name = fmt::format("{}: wrongly accused of {}; bar: by inclusion", kind, ours.queries - ours.hits),
         .value = static_cast<double>(ours.accused),
         .unit = "",
         .bar = static_cast<double>(inclusion.accused),
         .higher_is_better = false});
}

/// What --scene may name: the exact queries alone, the piston's queries, or a run of it.
Status check_scene_name(const std::string& name)
{
    const std::vector<std::string_view> names{"queries", "delta", "delta 0.1", "delta 0.5", "delta 0.9"};
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return {};
    return Error{.code = ErrorCode::unknown_name,
                 .where = "--scene",
                 .message = "there is no scene '" + name + "' in bench ccd",
                 .hint = "there are \"queries\", \"delta\", \"delta 0.1\", \"delta 0.5\" and \"delta 0.9\""};
}

}  // namespace

Status measure_ccd(const BenchOptions& options, BenchReport& report)
{
    if (Status known = check_scene_name(options.scene); !known.ok()) return known;
    // "delta": its queries with each delta; "delta 0.1" and the like: that run of the piston.
    if (options.scene.starts_with("delta"))
    {
        if (options.scene == "delta")
            measure_delta_queries(options, report);
        else
            measure_delta(options, report);
        return {};
    }
    BenchTable table{
        .title = "certified time of impact, tolerance 1e-6 m, one core",
        .columns = {"queries", "hits", "million queries/s", "advances, mean", "advances, slowest", "undecided"},
        .rows = {}};
    const bool present = std::filesystem::exists(find_data_folder() / "ccd-queries");
    if (!present)
        report.notes.push_back("the exact queries are not here: " +
                               (find_data_folder() / "ccd-queries").generic_string());
    for (const bool edges : {false, true})
    {
        const std::string kind = edges ? "edge and edge" : "vertex and face";
        if (present) measure_exact(edges, options, table, report);
        if (options.scene == "queries") continue;
        for (const double turning : {0.01, 0.1, 1.0})
        {
            if (options.say) options.say(fmt::format("random rigid queries, {}, turning by {} rad", kind, turning));
            const CcdCount count = measure_rigid(options.quick ? 20'000 : 500'000, edges, turning);
            add_row(fmt::format("random rigid, {}, {} rad", kind, turning), count, table);
            if (turning == 0.1)
                report.figures.push_back({.name = kind + ": rigid queries, 0.1 rad",
                                          .value = static_cast<double>(count.queries) / count.seconds,
                                          .unit = "1/s",
                                          .bar = 1e5});
        }
    }
    report.tables.push_back(std::move(table));
    if (options.scene == "queries") return {};
    measure_bolt_queries(options, report);
    measure_delta_queries(options, report);
    measure_delta(options, report);
    return {};
}

}  // namespace rattleback::lab
