// The certified time of impact on public queries: exact linear ones with their answers, rigid ones against sampling.
#include "external/data.h"
#include "geometry/inclusion_impact.h"
#include "lab/bench/root_finders.h"
#include "math/rotation.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace rattleback
{

namespace
{

/// Queries of one file: eight rows of three rationals and the answer.
struct ExactQuery
{
    std::array<Vec3, 8> place;
    bool hits = false;
};

std::vector<ExactQuery> read_queries(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::vector<ExactQuery> queries;
    std::string line, cell;
    for (std::size_t row = 0; std::getline(file, line); ++row)
    {
        if (row % 8 == 0) queries.emplace_back();
        std::istringstream cells(line);
        std::array<double, 7> number{};
        for (double& value : number)
        {
            std::getline(cells, cell, ',');
            value = std::stod(cell);
        }
        // Doubles written as fractions: the quotient gives them back exactly.
        queries.back().place[row % 8] = {number[0] / number[1], number[2] / number[3], number[4] / number[5]};
        queries.back().hits = number[6] != 0;
    }
    return queries;
}

LinearSimplex pick_corners(const ExactQuery& query, std::size_t first, int count)
{
    LinearSimplex simplex;
    simplex.begin.count = simplex.end.count = count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    {
        simplex.begin.corner[i] = query.place[first + i];
        simplex.end.corner[i] = query.place[4 + first + i];
    }
    return simplex;
}

struct QueryCount
{
    int queries = 0, hits = 0, missed = 0, false_alarms = 0, undecided = 0, most_advances = 0;
    int false_by_inclusion = 0;  ///< of an inclusion method with the same tolerance
};

QueryCount count_answers(const char* kind, int first_corners)
{
    QueryCount count;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_data() / "ccd-queries"))
    {
        if (entry.path().extension() != ".csv" || entry.path().parent_path().filename() != kind) continue;
        for (const ExactQuery& query : read_queries(entry.path()))
        {
            const LinearSimplex first = pick_corners(query, 0, first_corners);
            const LinearSimplex second =
                pick_corners(query, static_cast<std::size_t>(first_corners), 4 - first_corners);
            const CertifiedImpact impact = certified_time_of_impact(first, second, {.tolerance = 1e-6});
            const bool found = impact.state != CertifiedState::apart;
            ++count.queries;
            count.hits += query.hits ? 1 : 0;
            count.missed += query.hits && !found ? 1 : 0;
            count.false_alarms += !query.hits && found ? 1 : 0;
            count.undecided += impact.state == CertifiedState::undecided ? 1 : 0;
            count.most_advances = std::max(count.most_advances, impact.advances);
            const CertifiedImpact inclusion =
                inclusion_time_of_impact(first, second, {.tolerance = 1e-6, .max_advances = 1'000'000});
            count.false_by_inclusion += !query.hits && inclusion.state != CertifiedState::apart ? 1 : 0;
            EXPECT_TRUE(!query.hits || inclusion.state != CertifiedState::apart);
        }
    }
    std::printf(
        "%s: %d queries, %d hits, %d missed, %d false alarms (%d by inclusion), %d undecided, at most %d advances\n",
        kind, count.queries, count.hits, count.missed, count.false_alarms, count.false_by_inclusion, count.undecided,
        count.most_advances);
    return count;
}

Vec3 read_vector(const nlohmann::json& list) { return {list[0], list[1], list[2]}; }

RigidPath read_path(const nlohmann::json& body)
{
    const Vec3 begin = read_vector(body["pose_t0"]["position"]), end = read_vector(body["pose_t1"]["position"]);
    const Vec3 turn = read_vector(body["pose_t0"]["rotation"]), to = read_vector(body["pose_t1"]["rotation"]);
    return {begin, end - begin, Quat{}, turn, to - turn};
}

Simplex read_simplex(const nlohmann::json& body)
{
    Simplex simplex;
    for (const char* name : {"vertex", "vertex0", "vertex1", "vertex2"})
    {
        if (body.contains(name)) simplex.corner[static_cast<std::size_t>(simplex.count++)] = read_vector(body[name]);
    }
    return simplex;
}

}  // namespace

TEST(CertifiedImpactMatch, no_exact_vertex_face_query_is_missed)
{
    if (!std::filesystem::exists(find_data() / "ccd-queries"))
        GTEST_SKIP() << find_data() / "ccd-queries" << " is not there";
    const QueryCount count = count_answers("vertex-face", 1);
    EXPECT_EQ(count.queries, 1835);
    EXPECT_EQ(count.hits, 187);
    EXPECT_EQ(count.missed, 0);
    EXPECT_LE(count.false_alarms, count.false_by_inclusion);
    EXPECT_EQ(count.undecided, 0);
}

TEST(CertifiedImpactMatch, no_exact_edge_edge_query_is_missed)
{
    if (!std::filesystem::exists(find_data() / "ccd-queries"))
        GTEST_SKIP() << find_data() / "ccd-queries" << " is not there";
    const QueryCount count = count_answers("edge-edge", 2);
    EXPECT_EQ(count.queries, 2944);
    EXPECT_EQ(count.hits, 90);
    EXPECT_EQ(count.missed, 0);
    EXPECT_LE(count.false_alarms, count.false_by_inclusion);
    EXPECT_EQ(count.undecided, 0);
}

TEST(CertifiedImpactMatch, rigid_queries_are_never_free_where_samples_meet)
{
    if (!std::filesystem::exists(find_data() / "rigid-ipc"))
        GTEST_SKIP() << find_data() / "rigid-ipc" << " is not there";
    int queries = 0, apart = 0, accused = 0, accused_by_inclusion = 0, most_advances = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_data() / "rigid-ipc" / "tests"))
    {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path());
        const nlohmann::json query = nlohmann::json::parse(file);
        const bool edges = query["type"] == "ee";
        const auto &one = query[edges ? "edge0" : "vertex"], &other = query[edges ? "edge1" : "face"];
        const RigidTrack first_track(read_path(one)), second_track(read_path(other));
        const Simplex first = read_simplex(one), second = read_simplex(other);
        const CertifiedImpact impact =
            certified_time_of_impact(first_track, first, second_track, second, {.tolerance = 1e-9});
        ++queries;
        apart += impact.state == CertifiedState::apart ? 1 : 0;
        const CertifiedImpact coarse =
            certified_time_of_impact(first_track, first, second_track, second, {.tolerance = 1e-6});
        const lab::RootReport root =
            lab::find_root_snyder(first_track.path(), first, second_track.path(), second, {.tolerance = 1e-6});
        accused += coarse.state != CertifiedState::apart ? 1 : 0;
        accused_by_inclusion += root.hits || root.gave_up ? 1 : 0;
        most_advances = std::max(most_advances, impact.advances);
        EXPECT_NE(impact.state, CertifiedState::undecided) << entry.path();
        // Dense samples of the certified part: the gap along the direction of the nearest points stays open.
        for (int i = 0; i <= 2000 && impact.time > 0; ++i)
        {
            const double t = impact.time * i / 2000;
            Simplex a = first, b = second;
            const RigidTrack::Moment p = first_track.at(t), q = second_track.at(t);
            for (Vec3& corner : a.corner) corner = p.center + p.rotation * corner;
            for (Vec3& corner : b.corner) corner = q.center + q.rotation * corner;
            ASSERT_GT(norm(find_nearest(a, b).between), 0) << entry.path() << " at " << t;
        }
    }
    std::printf("rigid: %d queries, %d apart, accused %d (%d by inclusion), at most %d advances\n", queries, apart,
                accused, accused_by_inclusion, most_advances);
    EXPECT_GE(queries, 100);
    EXPECT_LE(accused, accused_by_inclusion);
}

}  // namespace rattleback
