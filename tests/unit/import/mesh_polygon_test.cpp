// Polygons become triangles that cover them exactly once.
#include "import/meshes/polygon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace rattleback
{
namespace
{

using Triangles = std::vector<std::array<int, 3>>;

Triangles cut(const std::vector<Vec3>& corners)
{
    Triangles triangles;
    std::uint64_t work = 1'000'000;
    EXPECT_TRUE(cut_polygon(corners, triangles, work));
    return triangles;
}

Vec3 area_of(const Vec3& a, const Vec3& b, const Vec3& c) { return 0.5 * cross(b - a, c - a); }

/// Newell's area vector, about the origin.
Vec3 area_of(const std::vector<Vec3>& corners)
{
    Vec3 sum;
    for (std::size_t i = 0; i < corners.size(); ++i) sum += 0.5 * cross(corners[i], corners[(i + 1) % corners.size()]);
    return sum;
}

/// n - 2 triangles whose areas, none of them negative, sum up to that of a flat polygon: then they do not overlap, and
/// nothing sticks out.
void expect_covered_once(const std::vector<Vec3>& corners)
{
    const Triangles triangles = cut(corners);
    ASSERT_EQ(triangles.size(), corners.size() - 2);
    const double whole = norm(area_of(corners));
    double sum = 0;
    for (const auto& [a, b, c] : triangles)
    {
        sum += norm(area_of(corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)],
                            corners[static_cast<std::size_t>(c)]));
    }
    EXPECT_NEAR(sum, whole, 1e-5 * whole);
}

/// A random rotation and translation, rounded to single precision as a file's coordinates are.
std::vector<Vec3> placed(const std::vector<Vec3>& flat, std::mt19937& random)
{
    std::normal_distribution<double> normal;
    const Quat rotation = normalized(Quat{normal(random), normal(random), normal(random), normal(random)});
    const Vec3 offset{normal(random), normal(random), normal(random)};
    std::vector<Vec3> result;
    for (const Vec3& v : flat)
    {
        const Vec3 p = rotate(rotation, v) + offset;
        result.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    return result;
}

}  // namespace

TEST(MeshPolygon, a_quad_is_cut_along_its_shorter_diagonal_and_ties_go_to_the_second)
{
    // The answers are those of MuJoCo 4.0.
    const Vec3 o{0, 0, 0}, x{1, 0, 0}, xy{1, 1, 0}, y{0, 1, 0};
    EXPECT_EQ(cut({o, x, xy, y}), (Triangles{{0, 1, 3}, {1, 2, 3}}));
    EXPECT_EQ(cut({o, {2, 0, 0}, xy, y}), (Triangles{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(cut({o, x, {5, 5, 0}, y}), (Triangles{{0, 1, 3}, {1, 2, 3}}));
}

TEST(MeshPolygon, a_convex_polygon_becomes_a_fan)
{
    std::vector<Vec3> corners;
    for (int i = 0; i < 7; ++i) corners.push_back({std::cos(0.9 * i), 3, std::sin(0.9 * i)});
    Triangles fan;
    for (int i = 1; i < 6; ++i) fan.push_back({0, i, i + 1});
    EXPECT_EQ(cut(corners), fan);
}

TEST(MeshPolygon, star_shapes_in_any_plane_and_direction_are_covered_once)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> radius(0.2, 1);
    for (int round = 0; round < 300; ++round)
    {
        const int n = 5 + round % 12;
        std::vector<Vec3> flat;
        for (int i = 0; i < n; ++i)
        {
            const double angle = (round % 2 == 0 ? 2 : -2) * std::numbers::pi * i / n;
            const double r = radius(random);
            flat.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
        expect_covered_once(placed(flat, random));
    }
}

TEST(MeshPolygon, combs_with_right_angles_and_corners_in_line_are_covered_once)
{
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round)
    {
        std::vector<Vec3> comb;
        const int teeth = 2 + round % 4;
        for (int i = 0; i <= 2 * teeth; ++i) comb.push_back({static_cast<double>(i), 0, 0});
        for (int i = 2 * teeth; i > 0; --i)
        {
            const double height = i % 2 == 0 ? 3 : 1;
            comb.push_back({static_cast<double>(i), height, 0});
            comb.push_back({static_cast<double>(i - 1), height, 0});
        }
        std::rotate(comb.begin(), comb.begin() + round % static_cast<int>(comb.size()), comb.end());
        if (round % 2 == 0) std::reverse(comb.begin(), comb.end());
        expect_covered_once(comb);
        expect_covered_once(placed(comb, random));
    }
}

TEST(MeshPolygon, the_area_vector_survives_even_where_a_polygon_crosses_itself)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> coordinate(-1, 1);
    for (int round = 0; round < 200; ++round)
    {
        std::vector<Vec3> corners(static_cast<std::size_t>(4 + round % 9));
        for (Vec3& v : corners) v = {coordinate(random), coordinate(random), coordinate(random)};
        Vec3 sum;
        const Triangles triangles = cut(corners);
        for (const auto& [a, b, c] : triangles)
        {
            sum += area_of(corners[static_cast<std::size_t>(a)], corners[static_cast<std::size_t>(b)],
                           corners[static_cast<std::size_t>(c)]);
        }
        EXPECT_EQ(triangles.size(), corners.size() - 2);
        EXPECT_NEAR(norm(sum - area_of(corners)), 0, 1e-12);
    }
}

TEST(MeshPolygon, corners_at_one_place_or_in_line_still_give_their_triangles)
{
    EXPECT_EQ(cut(std::vector<Vec3>(6)).size(), 4U);
    std::vector<Vec3> line;
    for (int i = 0; i < 6; ++i) line.push_back({static_cast<double>(i), 0, 0});
    EXPECT_EQ(cut(line).size(), 4U);
}

TEST(MeshPolygon, the_work_is_counted_and_bounded)
{
    std::vector<Vec3> corners;
    for (int i = 0; i < 100; ++i) corners.push_back({std::cos(0.06 * i), std::sin(0.06 * i), 0});
    Triangles triangles;
    std::uint64_t work = 1000;
    EXPECT_FALSE(cut_polygon(corners, triangles, work));
    work = 100 * 100;
    triangles.clear();
    EXPECT_TRUE(cut_polygon(corners, triangles, work));
    EXPECT_LT(work, 100U * 100U / 2 + 100U);
}

}  // namespace rattleback
