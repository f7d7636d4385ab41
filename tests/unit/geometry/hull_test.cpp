// Convex hulls against the definition: every point inside, closed, convex; and against all triangles of few points.
#include <gtest/gtest.h>

#include "geometry/hull.h"

#include <algorithm>
#include <limits>
#include <set>

#include "geometry/mesh_mass.h"
#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

using Points = std::vector<Vec3>;

Points make_ball_points(int count, ShapeRandom& random)
{
    Points points;
    for (int i = 0; i < count; ++i) points.push_back(sample_inside(ShapeType::sphere, {1, 0, 0}, random));
    return points;
}

/// Many points in common planes and on common edges.
Points make_grid(int n)
{
    Points points;
    for (int i = 0; i < n * n * n; ++i) points.push_back({0.1 * (i % n), 0.1 * (i / n % n), 0.1 * (i / n / n)});
    return points;
}

/// Two caps of `n` points on circles: big flat faces.
Points make_prism(int n)
{
    Points points;
    for (int i = 0; i < 2 * n; ++i)
    {
        const double angle = 2 * kPi * i / n;
        points.push_back({0.3 * std::cos(angle), 0.3 * std::sin(angle), i < n ? -0.5 : 0.5});
    }
    return points;
}

Points moved(Points points, double scale, const Pose& pose)
{
    for (Vec3& p : points) p = pose.position + scale * rotate(pose.rotation, p);
    return points;
}

std::size_t count_edges(const MeshOptions& mesh)
{
    std::set<std::pair<int, int>> edges;
    for (const auto& t : mesh.triangles)
    {
        for (std::size_t k = 0; k < 3; ++k) edges.insert(std::minmax({t[k], t[(k + 1) % 3]}));
    }
    return edges.size();
}

/// Largest height of a point above the plane of a triangle of the hull. Planes of slivers (thinner than `size` 1e-6),
/// which splitting flat faces leaves, are too uncertain to count; their neighbours bound the same points.
double find_overshoot(const MeshOptions& hull, const Points& points, double size)
{
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : hull.triangles)
    {
        const Vec3& origin = hull.vertices[static_cast<std::size_t>(a)];
        const Vec3 ab = hull.vertices[static_cast<std::size_t>(b)] - origin;
        const Vec3 ac = hull.vertices[static_cast<std::size_t>(c)] - origin;
        const Vec3 normal = cross(ab, ac);
        if (norm(normal) < 1e-6 * size * size) continue;
        for (const Vec3& p : points) highest = std::max(highest, dot(p - origin, normal) / norm(normal));
    }
    return highest;
}

void expect_hull(const Points& points, double size)
{
    const auto result = compute_hull(points);
    ASSERT_TRUE(result.ok()) << to_text(result.errors());
    const MeshOptions& hull = result.value();
    EXPECT_FALSE(find_mesh_error(hull));
    EXPECT_FALSE(find_open_edge(hull));
    EXPECT_EQ(hull.vertices.size() - count_edges(hull) + hull.triangles.size(), 2u);

    // Qhull joins faces that are flat up to some tens of rounding errors.
    double reach = size;
    for (const Vec3& p : points) reach = std::max(reach, norm(p));
    EXPECT_LE(find_overshoot(hull, points, size), 1e-13 * reach);
    const auto mass = compute_mass(ShapeType::mesh, {}, &hull, MeshMass::exact, 1);
    EXPECT_TRUE(mass.ok()) << to_text(mass.errors());  // so it is not inside-out

    auto next = points.begin();  // the vertices are points of the input, in its order
    for (const Vec3& v : hull.vertices)
    {
        next = std::find(next, points.end(), v);
        ASSERT_NE(next, points.end());
        ++next;
    }
}

TEST(Hull, holds_all_points_and_closes_around_them)
{
    ShapeRandom random(31);
    for (const int count : {4, 5, 8, 20, 100, 1000}) expect_hull(make_ball_points(count, random), 1);
    expect_hull(make_icosphere(1, 3).vertices, 1);
}

TEST(Hull, flat_faces_are_split_into_triangles_that_close)
{
    ShapeRandom random(32);
    for (int trial = 0; trial < 20; ++trial)
    {
        const Pose pose = trial == 0 ? Pose{} : random.pose();
        expect_hull(moved(make_grid(2), 1, pose), 0.1);
        expect_hull(moved(make_grid(5), 1, pose), 0.4);
        expect_hull(moved(make_prism(7), 1, pose), 0.5);
        expect_hull(moved(make_prism(64), 1, pose), 0.5);
    }
}

TEST(Hull, the_unit_of_length_and_the_place_do_not_matter)
{
    ShapeRandom random(33);
    const Points points = make_ball_points(200, random);
    for (const double scale : {1e-12, 1e-3, 1e6, 1e30})
    {
        expect_hull(moved(points, scale, {}), scale);
        expect_hull(moved(points, scale, {{10 * scale, 20 * scale, -5 * scale}, random.rotation()}), scale);
    }
}

TEST(Hull, repeated_points_change_nothing)
{
    ShapeRandom random(34);
    Points points = make_ball_points(50, random);
    const auto once = compute_hull(points);
    const Points copy = points;
    points.insert(points.end(), copy.begin(), copy.end());
    const auto twice = compute_hull(points);
    ASSERT_TRUE(once.ok() && twice.ok());
    EXPECT_EQ(once.value().triangles.size(), twice.value().triangles.size());
    EXPECT_EQ(once.value().vertices.size(), twice.value().vertices.size());
    expect_hull(points, 1);
}

TEST(Hull, agrees_with_testing_every_triangle_of_few_points)
{
    ShapeRandom random(35);
    for (int trial = 0; trial < 30; ++trial)
    {
        const Points points = make_ball_points(12, random);
        std::set<std::array<std::size_t, 3>> expected;  // a triangle is on the hull if all points are on one side of it
        for (std::size_t i = 0; i < points.size(); ++i)
        {
            for (std::size_t j = i + 1; j < points.size(); ++j)
            {
                for (std::size_t k = j + 1; k < points.size(); ++k)
                {
                    const Vec3 normal = cross(points[j] - points[i], points[k] - points[i]);
                    int above = 0, below = 0;
                    for (std::size_t m = 0; m < points.size(); ++m)
                    {
                        if (m == i || m == j || m == k) continue;
                        ++(dot(points[m] - points[i], normal) > 0 ? above : below);
                    }
                    if (above == 0 || below == 0) expected.insert({i, j, k});
                }
            }
        }
        const MeshOptions hull = compute_hull(points).value();
        std::set<std::array<std::size_t, 3>> found;
        for (const auto& triangle : hull.triangles)
        {
            std::array<std::size_t, 3> corners{};
            for (std::size_t c = 0; c < 3; ++c)
            {
                const Vec3& v = hull.vertices[static_cast<std::size_t>(triangle[c])];
                corners[c] = static_cast<std::size_t>(std::find(points.begin(), points.end(), v) - points.begin());
            }
            std::sort(corners.begin(), corners.end());
            found.insert(corners);
        }
        EXPECT_EQ(found, expected);
    }
}

TEST(Hull, the_same_points_give_the_same_triangles)
{
    ShapeRandom random(36);
    const Points points = make_ball_points(300, random);
    const MeshOptions first = compute_hull(points).value(), second = compute_hull(points).value();
    EXPECT_EQ(first.vertices, second.vertices);
    EXPECT_EQ(first.triangles, second.triangles);
}

TEST(Hull, flat_and_broken_input_is_an_error_without_a_word_on_stderr)
{
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ShapeRandom random(37);
    std::vector<Points> bad = {{},
                               {{0, 0, 0}},
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               Points(10, Vec3{1, 2, 3}),
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, kNaN}},
                               {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, kInfinity}},
                               {{-1e308, 0, 0}, {1e308, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int trial = 0; trial < 100; ++trial)
    {
        Points plane, line;
        for (int i = 0; i < 30; ++i)
        {
            const double x = random.uniform(-1, 1);
            plane.push_back({x, random.uniform(-1, 1), 0});
            line.push_back({x, 0, 0});
        }
        bad.push_back(moved(plane, 1, trial == 0 ? Pose{} : random.pose()));
        bad.push_back(moved(line, 1, trial == 0 ? Pose{} : random.pose()));
    }
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    for (const Points& points : bad)
    {
        const auto result = compute_hull(points);
        ASSERT_FALSE(result.ok()) << points.size();
        ASSERT_EQ(result.errors().size(), 1u);
        EXPECT_FALSE(result.errors()[0].message.empty());
        EXPECT_EQ(result.errors()[0].where, "");
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

    const auto flat = compute_hull(bad[7]);
    EXPECT_NE(flat.errors()[0].message.find("plane"), std::string::npos);
    EXPECT_NE(flat.errors()[0].hint.find("`surface`"), std::string::npos);
}

}  // namespace
}  // namespace rattleback
