// Pairs of vertices, edges and faces: whatever is left out stays apart, sampled along the motion.
#include "geometry/simplex_distance.h"
#include "math/random.h"
#include "math/rotation.h"

#include <rattleback/builder.h>
#include <rattleback/simplices.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace rattleback
{
namespace
{

/// A wavy sheet with its edges, or a solid with eight sides.
MeshOptions make_simplex_mesh(bool solid)
{
    if (solid)
        return {.vertices = {{.3, 0, 0}, {-.3, 0, 0}, {0, .2, 0}, {0, -.2, 0}, {0, 0, .25}, {0, 0, -.25}},
                .triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
    constexpr int kCells = 4;
    MeshOptions mesh;
    for (int i = 0; i <= kCells; ++i)
    {
        for (int j = 0; j <= kCells; ++j)
            mesh.vertices.push_back({0.15 * (i - 2), 0.1 * (j - 2), 0.05 * std::sin(1.0 * i + 2.0 * j)});
    }
    const auto number = [](int i, int j) { return i * (kCells + 1) + j; };
    for (int i = 0; i < kCells; ++i)
    {
        for (int j = 0; j < kCells; ++j)
        {
            mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i, j + 1)});
            mesh.triangles.push_back({number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)});
            mesh.edges.push_back({number(i + 1, j), number(i, j)});  // the higher number first
        }
    }
    mesh.edges.push_back(mesh.edges.front());  // twice
    return mesh;
}

/// Two free bodies with a shape each, off their centres.
Model make_simplex_pair(int first, int second)
{
    ModelBuilder builder;
    const MeshId sheet = builder.add_mesh(make_simplex_mesh(false)), solid = builder.add_mesh(make_simplex_mesh(true));
    const std::vector<Shape> kinds = {Points{sheet}, Segments{sheet}, Surface{sheet},
                                      Mesh{.mesh = solid, .collide = MeshCollide::exact}};
    for (const int kind : {first, second})
    {
        const BodyId body =
            builder.add_body({.inertia = Inertia{.mass = 1, .position = {.1, 0, .05}, .diagonal = {1, 1, 1}}});
        builder.add_shape(body, kinds[static_cast<std::size_t>(kind)], {.position = {0, .1, -.1}, .mass = 0});
    }
    return builder.build().value();
}

Simplex take_simplex(const ShapeSimplices& all, int corner_count, int item, const Pose& pose)
{
    Simplex simplex{.count = corner_count};
    for (int k = 0; k < corner_count; ++k)
    {
        const auto i = static_cast<std::size_t>(item), c = static_cast<std::size_t>(k);
        const int v = corner_count == 1 ? item : corner_count == 2 ? all.edges[i][c] : all.faces[i][c];
        simplex.corner[c] = pose.position + rotate(pose.rotation, all.vertices[static_cast<std::size_t>(v)]);
    }
    return simplex;
}

/// Corners of the first and the second of a pair.
std::array<int, 2> count_corners(SimplexPairKind kind)
{
    const std::array<int, 2> counts[] = {{1, 3}, {3, 1}, {2, 2}, {1, 2}, {2, 1}, {1, 1}};
    return counts[static_cast<std::size_t>(kind)];
}

/// All pairs of a kind that the two shapes have, by the rule of SimplexFinder.
std::vector<SimplexPair> list_all_pairs(const ShapeSimplices& a, const ShapeSimplices& b)
{
    std::vector<SimplexPair> all;
    const auto add = [&](SimplexPairKind kind, std::size_t first, std::size_t second)
    {
        for (int i = 0; i < static_cast<int>(first); ++i)
        {
            for (int j = 0; j < static_cast<int>(second); ++j) all.push_back({kind, i, j});
        }
    };
    add(SimplexPairKind::vertex_face, a.vertices.size(), b.faces.size());
    add(SimplexPairKind::face_vertex, a.faces.size(), b.vertices.size());
    add(SimplexPairKind::edge_edge, a.edges.size(), b.edges.size());
    if (a.edges.empty() && b.faces.empty()) add(SimplexPairKind::vertex_edge, a.vertices.size(), b.edges.size());
    if (b.edges.empty() && a.faces.empty()) add(SimplexPairKind::edge_vertex, a.edges.size(), b.vertices.size());
    if (a.edges.empty() && b.edges.empty()) add(SimplexPairKind::vertex_vertex, a.vertices.size(), b.vertices.size());
    return all;
}

double find_simplex_distance(const SimplexPair& pair, const ShapeSimplices& a, const Pose& pose_a,
                             const ShapeSimplices& b, const Pose& pose_b)
{
    const auto [first, second] = count_corners(pair.kind);
    const Simplex x = take_simplex(a, first, pair.first, pose_a), y = take_simplex(b, second, pair.second, pose_b);
    return norm(first > second ? find_nearest(y, x).between : find_nearest(x, y).between);
}

/// Where a shape is after so many seconds of an even motion.
Pose move_shape(const Model& model, const State& state, int shape, double time)
{
    const auto body = static_cast<std::size_t>(model.shapes.body[static_cast<std::size_t>(shape)]);
    const Pose at = state.world(0).body_pose[body];
    const Velocity velocity = state.world(0).body_velocity[body];
    const Vec3 center = (at * model.bodies.inertial_pose[body]).position;
    const double angle = time * norm(velocity.angular);
    const Quat turn = angle > 0 ? from_axis_angle((1 / norm(velocity.angular)) * velocity.angular, angle) : Quat{};
    const Pose moved{center + time * velocity.linear + rotate(turn, at.position - center), turn * at.rotation};
    return moved * model.shapes.pose[static_cast<std::size_t>(shape)];
}

TEST(Simplices, what_is_left_out_stays_further_apart_than_the_margin_all_the_time)
{
    constexpr int kTrials = 12, kSamples = 24;
    Random random(5);
    std::size_t listed = 0, possible = 0, near = 0;
    for (int first = 0; first < 4; ++first)
    {
        for (int second = 0; second < 4; ++second)
        {
            const Model model = make_simplex_pair(first, second);
            SimplexFinder finder(model);
            State state(model);
            const ShapeSimplices &a = *finder.find_simplices(ShapeId{0}), &b = *finder.find_simplices(ShapeId{1});
            const std::vector<SimplexPair> all = list_all_pairs(a, b);
            for (int trial = 0; trial < kTrials; ++trial)
            {
                SCOPED_TRACE(std::to_string(first) + " " + std::to_string(second) + ", trial " + std::to_string(trial));
                const double motion = trial % 3 == 0 ? 0 : random.uniform(0, 0.3), margin = random.uniform(0, 0.05);
                for (const std::size_t body : {1U, 2U})
                {
                    state.world(0).body_pose[body] = {random.in_box(0.4), random.rotation()};
                    state.world(0).body_velocity[body] = {random.in_box(2), random.in_box(8)};
                }
                const auto found = finder.find_pairs(state.world(0), {ShapeId{0}, ShapeId{1}}, margin, motion);
                EXPECT_TRUE(std::ranges::is_sorted(found));
                EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
                listed += found.size();
                possible += all.size();
                for (int sample = 0; sample <= (motion > 0 ? kSamples : 0); ++sample)
                {
                    const double time = motion * sample / kSamples;
                    const Pose pose_a = move_shape(model, state, 0, time), pose_b = move_shape(model, state, 1, time);
                    for (const SimplexPair& pair : all)
                    {
                        if (find_simplex_distance(pair, a, pose_a, b, pose_b) > margin) continue;
                        ++near;
                        ASSERT_TRUE(std::ranges::binary_search(found, pair)) << "time " << time;
                    }
                }
            }
        }
    }
    EXPECT_GT(near, 1000U);               // the question was asked
    EXPECT_LT(3 * listed, 2 * possible);  // and many were left out, though motions are wide for these sizes
}

TEST(Simplices, the_nearest_of_all_pairs_is_as_far_as_the_shapes_are)
{
    Random random(9);
    int compared = 0;
    for (const auto& [first, second] : {std::pair(2, 2), {2, 3}, {3, 3}})
    {
        const Model model = make_simplex_pair(first, second);
        SimplexFinder finder(model);
        State state(model);
        const ShapeSimplices &a = *finder.find_simplices(ShapeId{0}), &b = *finder.find_simplices(ShapeId{1});
        for (int trial = 0; trial < 40; ++trial)
        {
            state.world(0).body_pose[1] = {random.in_box(0.5), random.rotation()};
            state.world(0).body_pose[2] = {random.in_box(0.5), random.rotation()};
            const auto gap = find_distance(model, state.world(0), ShapeId{0}, ShapeId{1});
            ASSERT_TRUE(gap.has_value());
            if (gap->distance < 0.01) continue;
            double nearest = HUGE_VAL;
            for (const SimplexPair& pair : finder.find_pairs(state.world(0), {ShapeId{0}, ShapeId{1}}, gap->distance))
                nearest = std::min(nearest, find_simplex_distance(pair, a, move_shape(model, state, 0, 0), b,
                                                                  move_shape(model, state, 1, 0)));
            EXPECT_NEAR(nearest, gap->distance, 1e-9);
            ++compared;
        }
    }
    EXPECT_GT(compared, 40);
}

TEST(Simplices, surfaces_know_what_lies_beside_an_edge)
{
    const Model model = make_simplex_pair(2, 3);
    const SimplexFinder finder(model);
    for (const int shape : {0, 1})
    {
        const ShapeSimplices& all = *finder.find_simplices(ShapeId{shape});
        // Euler: V - E + F is 1 for a sheet, 2 for a closed solid.
        EXPECT_EQ(static_cast<int>(all.vertices.size()) - static_cast<int>(all.edges.size()) +
                      static_cast<int>(all.faces.size()),
                  shape + 1);
        std::size_t borders = 0;
        for (std::size_t e = 0; e < all.edges.size(); ++e)
        {
            for (const int face : all.beside[e])
            {
                if (face < 0) continue;
                for (const int v : all.edges[e])
                    EXPECT_EQ(std::ranges::count(all.faces[static_cast<std::size_t>(face)], v), 1);
            }
            borders += all.beside[e][1] < 0 ? 1 : 0;
        }
        EXPECT_EQ(borders, shape == 0 ? 16U : 0U);
    }
    EXPECT_EQ(SimplexFinder(make_simplex_pair(1, 0)).find_simplices(ShapeId{0})->edges.size(), 16U);  // each once
}

}  // namespace
}  // namespace rattleback
