// A ball, a foot and a wheel on terrain: held on the triangles themselves, as brute force over all of them says, and
// rolling as the closed form says where the terrain is a slope cut into triangles.
#include "geometry/height_field.h"
#include "support/brute_triangles.h"
#include "support/shape_pairs.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kTerrainGravity = 9.81;

/// 20 x 20 cells of 10 cm, up to 3 cm rough, in a shallow bowl: what rolls stays on it.
HeightFieldOptions make_rough_bowl()
{
    constexpr int kPoints = 21;
    HeightFieldOptions field{.name = "rough", .rows = kPoints, .columns = kPoints, .heights = {}};
    Random random(11);
    for (int row = 0; row < kPoints; ++row)
    {
        for (int column = 0; column < kPoints; ++column)
        {
            const double x = 0.1 * (column - 10), y = 0.1 * (row - 10);
            field.heights.push_back(random.uniform(0, 0.03) + 0.3 * (x * x + y * y));
        }
    }
    return field;
}

/// A slope along x with a tangent of 0.1.
HeightFieldOptions make_terrain_slope()
{
    HeightFieldOptions field{.name = "slope", .rows = 11, .columns = 61, .half_x = 3, .heights = {}};
    for (int row = 0; row < field.rows; ++row)
    {
        for (int column = 0; column < field.columns; ++column) field.heights.push_back(0.1 * (6 - 0.1 * column));
    }
    return field;
}

std::vector<Corners> find_field_triangles(const HeightFieldOptions& field)
{
    const std::vector<Vec3> points = find_grid_points(field);
    std::vector<Corners> triangles;
    for (const auto& [a, b, c] : cut_grid(field.rows, field.columns))
        triangles.push_back({points[static_cast<std::size_t>(a)], points[static_cast<std::size_t>(b)],
                             points[static_cast<std::size_t>(c)]});
    return triangles;
}

/// Height of a point above the triangle that it stands over [m].
double find_height_above(const Vec3& point, const std::vector<Corners>& triangles)
{
    double height = point.z;
    for (const auto& [a, b, c] : triangles)
    {
        // Barycentric coordinates in the plane z = 0; triangles are counter-clockwise from above.
        const auto area = [](const Vec3& p, const Vec3& q, const Vec3& r)
        { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); };
        const double all = area(a, b, c), u = area(point, b, c) / all, v = area(a, point, c) / all;
        if (u >= 0 && v >= 0 && u + v <= 1) height = point.z - (u * a.z + v * b.z + (1 - u - v) * c.z);
    }
    return height;
}

/// How far a point is outside of a box centred at the origin [m]; negative inside.
double find_outside_box(const Vec3& point, const Vec3& half)
{
    const Vec3 over{std::abs(point.x) - half.x, std::abs(point.y) - half.y, std::abs(point.z) - half.z};
    const double inside = std::min(std::max({over.x, over.y, over.z}), 0.0);
    return inside + norm(Vec3{std::max(over.x, 0.0), std::max(over.y, 0.0), std::max(over.z, 0.0)});
}

struct TerrainCase
{
    const char* solver;
    double sunk;  ///< [m] allowed below the surface: 0.2 % of the ball's size, what soft contacts give way
};

class Terrain : public testing::TestWithParam<TerrainCase>
{
protected:
    static Simulation start(const HeightFieldOptions& field, const Shape& shape, const BodyOptions& body,
                            double friction)
    {
        ModelBuilder builder("terrain");
        const MaterialId material = builder.add_material({.friction = friction});
        builder.add_shape(kWorld, HeightField{builder.add_height_field(field)}, {.material = material});
        builder.add_shape(builder.add_body(body), shape, {.material = material});
        return Simulation::make(builder.build().value(), {.solver = GetParam().solver, .dt = 0.002}).value();
    }
};

TEST_P(Terrain, a_ball_rolls_over_rough_ground_and_never_into_it)
{
    const HeightFieldOptions field = make_rough_bowl();
    const std::vector<Corners> triangles = find_field_triangles(field);
    constexpr double kRadius = 0.12;
    Simulation simulation = start(field, Sphere{kRadius}, {.position = {0.5, 0.3, 0.3}}, 0.8);
    double deepest = 0;
    int touching = 0;
    for (int k = 0; k < 100; ++k)
    {
        simulation.run_for(0.02);
        const Vec3 middle = simulation.state().position(BodyId{1});
        double nearest = 1;
        for (const Corners& triangle : triangles) nearest = std::min(nearest, find_brute_distance(middle, triangle));
        // The nearest of all triangles, and above it.
        EXPECT_GT(find_height_above(middle, triangles), 0) << k;
        deepest = std::min(deepest, nearest - kRadius);
        touching += nearest - kRadius < 1e-3 ? 1 : 0;
    }
    EXPECT_GT(deepest, -GetParam().sunk);
    EXPECT_GT(touching, 30) << "it flies";
    EXPECT_LT(norm(simulation.state().position(BodyId{1})), 0.9) << "it left the bowl";
}

TEST_P(Terrain, a_foot_rests_on_rough_ground_between_touching_and_sinking)
{
    const HeightFieldOptions field = make_rough_bowl();
    const std::vector<Corners> triangles = find_field_triangles(field);
    const Vec3 half{0.18, 0.12, 0.03};
    Simulation simulation = start(field, Box{half}, {.position = {0.03, -0.02, 0.1}}, 0.8);
    EXPECT_EQ(simulation.run_for(2).status, StepStatus::ok);
    const Pose pose = simulation.state().body_pose[1];
    // Corners of the box above the triangles, and peaks of the terrain below the box.
    double gap = 1;
    for (int i = 0; i < 8; ++i)
    {
        const Vec3 corner{(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                          (i & 4) != 0 ? half.z : -half.z};
        gap = std::min(gap, find_height_above(pose.position + rotate(pose.rotation, corner), triangles));
    }
    for (const Vec3& peak : find_grid_points(field))
        gap = std::min(gap, find_outside_box(rotate(conjugate(pose.rotation), peak - pose.position), half));
    EXPECT_GT(gap, -GetParam().sunk);
    EXPECT_LT(gap, 1e-3);
    EXPECT_LT(norm(simulation.state().velocity(BodyId{1}).linear), 0.01);
    EXPECT_LT(norm(simulation.state().velocity(BodyId{1}).angular), 0.1);
}

/// `refined` makes its wheels of balls: they are not round.
class WheelOnTerrain : public Terrain
{
};

/// A solid cylinder that rolls down a slope of angle a gains (2/3) g sin a, whatever its size.
TEST_P(WheelOnTerrain, rolls_down_a_slope_of_triangles_as_down_a_plane)
{
    constexpr double kRadius = 0.2;
    const double angle = std::atan(0.1), seconds = 1;
    const Vec3 up{std::sin(angle), 0, std::cos(angle)}, down{std::cos(angle), 0, -std::sin(angle)};
    const Vec3 from = Vec3{-2, 0, 0.1 * 5} + (kRadius - 1e-5) * up;
    const Quat axle = from_axis_angle({1, 0, 0}, kPi / 2);
    Simulation simulation =
        start(make_terrain_slope(), Cylinder{kRadius, 0.05}, {.position = from, .rotation = axle}, 1);
    simulation.run_for(seconds);
    const Vec3 way = simulation.state().position(BodyId{1}) - from;
    const double expected = 0.5 * (2.0 / 3) * kTerrainGravity * std::sin(angle) * seconds * seconds;
    // Implicit steps of 2 ms are off by dt / t; contacts that give way start it a little late.
    EXPECT_NEAR(dot(way, down), expected, 0.01 * expected);
    EXPECT_NEAR(dot(way, up), 0, 1e-3);
    EXPECT_NEAR(way.y, 0, 1e-3);
}

std::string name_terrain(const testing::TestParamInfo<TerrainCase>& info) { return info.param.solver; }

INSTANTIATE_TEST_SUITE_P(solvers, WheelOnTerrain,
                         testing::Values(TerrainCase{"convex", 1e-3}, TerrainCase{"avbd", 1e-3}), name_terrain);
INSTANTIATE_TEST_SUITE_P(solvers, Terrain,
                         testing::Values(TerrainCase{"convex", 1e-3}, TerrainCase{"avbd", 1e-3},
                                         TerrainCase{"refined", 4e-3}),
                         name_terrain);

}  // namespace
}  // namespace rattleback
