// Bench `ccd`: the certified time of impact on exact public queries and on random rigid ones: what it misses, what it
// accuses wrongly, how fast it is and how slow its slowest query.
#include "geometry/certified_impact.h"
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

void count_linear(const std::vector<LinearQuery>& queries, CcdCount& count)
{
    const double begin = thread_seconds();
    for (const LinearQuery& query : queries)
    {
        const CertifiedImpact impact = certified_time_of_impact(query.first, query.second);
        ++count.queries;
        count.hits += query.hits ? 1 : 0;
        count.missed += query.hits && impact.state == CertifiedState::apart ? 1 : 0;
        count.accused += !query.hits && impact.state != CertifiedState::apart ? 1 : 0;
        count.undecided += impact.state == CertifiedState::undecided ? 1 : 0;
        count.advances += impact.advances;
        count.slowest = std::max<std::int64_t>(count.slowest, impact.advances);
    }
    count.seconds += thread_seconds() - begin;
}

CcdCount measure_linear(bool edges)
{
    CcdCount count;
    const char* const folder = edges ? "edge-edge" : "vertex-face";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_data_folder() / "ccd-queries"))
        if (entry.path().extension() == ".csv" && entry.path().generic_string().find(folder) != std::string::npos)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) count_linear(read_linear_queries(file, edges), count);
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
        ++count.queries;
        count.hits += impact.state == CertifiedState::touch ? 1 : 0;
        count.undecided += impact.state == CertifiedState::undecided ? 1 : 0;
        count.advances += impact.advances;
        count.slowest = std::max<std::int64_t>(count.slowest, impact.advances);
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

/// What --scene may name: the piston's queries, or a run of it.
Status check_delta_name(const std::string& name)
{
    const std::vector<std::string_view> names{"delta", "delta 0.1", "delta 0.5", "delta 0.9"};
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return {};
    return Error{.code = ErrorCode::unknown_name,
                 .where = "--scene",
                 .message = "there is no scene '" + name + "' in bench ccd",
                 .hint = "there are \"delta\", \"delta 0.1\", \"delta 0.5\" and \"delta 0.9\""};
}

}  // namespace

Status measure_ccd(const BenchOptions& options, BenchReport& report)
{
    if (Status known = check_delta_name(options.scene); !known.ok()) return known;
    // "delta": its queries with each delta; "delta 0.1" and the like: that run of the piston.
    if (!options.scene.empty())
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
        if (present)
        {
            if (options.say) options.say("exact linear queries, " + kind);
            const CcdCount count = measure_linear(edges);
            add_row("exact linear, " + kind, count, table);
            report.figures.push_back({.name = kind + ": hits missed of " + std::to_string(count.hits),
                                      .value = static_cast<double>(count.missed),
                                      .unit = "",
                                      .bar = 0,
                                      .higher_is_better = false});
            report.figures.push_back(
                {.name = kind + ": wrongly accused of " + std::to_string(count.queries - count.hits),
                 .value = static_cast<double>(count.accused),
                 .unit = "",
                 .higher_is_better = false});
        }
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
    measure_bolt_queries(options, report);
    measure_delta_queries(options, report);
    measure_delta(options, report);
    return {};
}

}  // namespace rattleback::lab
