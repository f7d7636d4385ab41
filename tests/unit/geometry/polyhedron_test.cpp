// Polyhedra against what a convex solid is: closed, convex, Euler's formula, faces flat and merged.
#include <gtest/gtest.h>

#include "base/index.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"

#include <algorithm>
#include <set>

#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

Polyhedron make(const std::vector<Vec3>& points)
{
    const Result<MeshOptions> hull = compute_hull(points);
    EXPECT_TRUE(hull);
    return build_polyhedron(hull.value());
}

double find_size(const Polyhedron& solid)
{
    double size = 0;
    for (const Vec3& v : solid.vertices) size = std::max(size, norm(v - solid.center));
    return size;
}

/// Every law of a closed convex solid; `tolerance` relative to the size.
void expect_sound(const Polyhedron& solid, double tolerance)
{
    const double slack = tolerance * find_size(solid);
    EXPECT_EQ(solid.vertex_count() - solid.edge_count() + solid.face_count(), 2);
    for (int f = 0; f < solid.face_count(); ++f)
    {
        const Vec3& n = solid.face_normal[at(f)];
        EXPECT_NEAR(norm(n), 1, 1e-14);
        EXPECT_LT(dot(n, solid.center), solid.face_offset[at(f)]);
        for (const Vec3& v : solid.vertices) EXPECT_LE(dot(n, v), solid.face_offset[at(f)] + slack);
        const int begin = solid.face_begin[at(f)], count = solid.face_begin[at(f) + 1] - begin;
        ASSERT_GE(count, 3);
        for (int i = 0; i < count; ++i)
        {
            const auto corner = [&](int k)
            { return solid.vertices[at(solid.face_vertices[at(begin + (i + k) % count)])]; };
            EXPECT_NEAR(dot(n, corner(0)), solid.face_offset[at(f)], slack);
            const Vec3 chord = corner(2) - corner(0);
            EXPECT_GE(dot(n, cross(corner(1) - corner(0), chord)), -slack * norm(chord));
        }
    }
    std::set<std::tuple<int, int, int>> sides;  // from, to, face
    for (int f = 0; f < solid.face_count(); ++f)
    {
        const int begin = solid.face_begin[at(f)], count = solid.face_begin[at(f) + 1] - begin;
        for (int i = 0; i < count; ++i)
            sides.insert({solid.face_vertices[at(begin + i)], solid.face_vertices[at(begin + (i + 1) % count)], f});
    }
    EXPECT_EQ(sides.size(), 2 * at(solid.edge_count()));
    std::pair<int, int> last{-1, -1};
    for (const Polyhedron::Edge& edge : solid.edges)
    {
        EXPECT_LT(edge.first, edge.second);
        EXPECT_LT(last, std::pair(edge.first, edge.second));
        last = {edge.first, edge.second};
        EXPECT_TRUE(sides.count({edge.first, edge.second, edge.left}));
        EXPECT_TRUE(sides.count({edge.second, edge.first, edge.right}));
    }
    EXPECT_EQ(solid.neighbours.size(), 2 * at(solid.edge_count()));
    for (int v = 0; v < solid.vertex_count(); ++v)
    {
        EXPECT_GE(solid.neighbour_begin[at(v) + 1] - solid.neighbour_begin[at(v)], 3);
        for (int k = solid.neighbour_begin[at(v)]; k < solid.neighbour_begin[at(v) + 1]; ++k)
        {
            const auto [a, b] = std::minmax(v, solid.neighbours[at(k)]);
            const Polyhedron::Edge& edge = solid.edges[at(solid.neighbour_edges[at(k)])];
            EXPECT_EQ(std::pair(edge.first, edge.second), std::pair(a, b));
            EXPECT_TRUE(std::any_of(solid.edges.begin(), solid.edges.end(),
                                    [a = a, b = b](const auto& e) { return e.first == a && e.second == b; }));
        }
        EXPECT_EQ(solid.x[at(v)], solid.vertices[at(v)].x);
        EXPECT_EQ(solid.y[at(v)], solid.vertices[at(v)].y);
        EXPECT_EQ(solid.z[at(v)], solid.vertices[at(v)].z);
    }
    EXPECT_EQ(solid.x.size() % 4, 0u);
}

std::vector<Vec3> make_point_grid(int n)
{
    std::vector<Vec3> points;
    for (int i = 0; i < n * n * n; ++i) points.push_back({0.1 * (i % n), 0.1 * (i / n % n), 0.1 * (i / n / n)});
    return points;
}

std::vector<Vec3> make_prism_points(int n)
{
    std::vector<Vec3> points;
    for (int i = 0; i < 2 * n; ++i)
    {
        const double angle = 2 * kPi * i / n;
        points.push_back({0.3 * std::cos(angle), 0.3 * std::sin(angle), i < n ? -0.5 : 0.5});
    }
    return points;
}

std::vector<Vec3> turned(std::vector<Vec3> points, double scale, const Vec3& stretch, bool single_precision)
{
    const Quat turn = from_axis_angle({1, 2, 3}, 0.7);
    for (Vec3& p : points)
    {
        p = scale * rotate(turn, Vec3{stretch.x * p.x, stretch.y * p.y, stretch.z * p.z});
        const auto round = [](double x) { return static_cast<double>(static_cast<float>(x)); };
        if (single_precision) p = {round(p.x), round(p.y), round(p.z)};
    }
    return points;
}

TEST(Polyhedron, a_box_has_six_faces_of_four_corners)
{
    const Polyhedron solid = make(make_point_grid(2));
    EXPECT_EQ(solid.vertex_count(), 8);
    EXPECT_EQ(solid.edge_count(), 12);
    ASSERT_EQ(solid.face_count(), 6);
    expect_sound(solid, 1e-15);
    for (const Vec3& n : solid.face_normal) EXPECT_EQ(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1);
    EXPECT_NEAR(norm(solid.center - Vec3{0.05, 0.05, 0.05}), 0, 1e-16);
}

TEST(Polyhedron, points_inside_faces_and_edges_of_a_grid_go_away)
{
    const Polyhedron solid = make(make_point_grid(6));
    EXPECT_EQ(solid.vertex_count(), 8);
    EXPECT_EQ(solid.face_count(), 6);
    expect_sound(solid, 1e-14);
}

TEST(Polyhedron, a_turned_grid_in_single_precision_is_still_a_box_from_a_millimetre_to_a_kilometre)
{
    for (const double scale : {1e-3, 1.0, 1e3})
    {
        const Polyhedron solid = make(turned(make_point_grid(5), scale, {1, 1, 1}, true));
        EXPECT_EQ(solid.vertex_count(), 8) << scale;
        EXPECT_EQ(solid.face_count(), 6) << scale;
        expect_sound(solid, 2e-6);
    }
}

TEST(Polyhedron, needles_and_plates_keep_their_faces)
{
    for (const double thin : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
    {
        for (const Vec3& stretch : {Vec3{1, 1, thin}, Vec3{1, thin, thin}})
        {
            const Polyhedron solid = make(turned(make_point_grid(2), 1, stretch, false));
            EXPECT_EQ(solid.vertex_count(), 8) << thin;
            EXPECT_EQ(solid.face_count(), 6) << thin;
            expect_sound(solid, 1e-10);
        }
    }
}

TEST(Polyhedron, prisms_have_two_big_faces)
{
    for (const int n : {3, 5, 17, 64, 500})
    {
        const Polyhedron solid = make(turned(make_prism_points(n), 1, {1, 1, 1}, false));
        EXPECT_EQ(solid.vertex_count(), 2 * n);
        EXPECT_EQ(solid.face_count(), n + 2);
        EXPECT_EQ(solid.edge_count(), 3 * n);
        expect_sound(solid, 1e-12);
    }
}

TEST(Polyhedron, random_hulls_are_sound_and_lose_no_vertex)
{
    ShapeRandom random(3);
    for (const int count : {4, 5, 8, 30, 200, 1000})
    {
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i)
        {
            const Vec3 p = sample_inside(ShapeType::sphere, {1, 0, 0}, random);
            points.push_back((1 / norm(p)) * p);
        }
        const Result<MeshOptions> hull = compute_hull(points);
        ASSERT_TRUE(hull);
        const Polyhedron solid = build_polyhedron(hull.value());
        EXPECT_EQ(solid.vertices, hull.value().vertices);
        expect_sound(solid, 1e-6);
    }
}

TEST(Polyhedron, a_flat_lens_keeps_its_bulge)
{
    std::vector<Vec3> points;
    for (int ring = 0; ring < 5; ++ring)
    {
        for (int i = 0; i < 24; ++i)
        {
            const double r = 1 - 0.2 * ring, angle = 2 * kPi * i / 24, height = 1e-8 * (1 - r * r);
            points.push_back({r * std::cos(angle), r * std::sin(angle), height});
            if (ring > 0) points.push_back({r * std::cos(angle), r * std::sin(angle), -height});
        }
    }
    const Polyhedron solid = make(points);
    EXPECT_EQ(solid.vertex_count(), 24 * 9);
    expect_sound(solid, 1e-13);
    double highest = 0;
    for (const Vec3& v : solid.vertices) highest = std::max(highest, v.z);
    EXPECT_NEAR(highest, 1e-8 * 0.96, 1e-12);
}

TEST(Polyhedron, climbing_reaches_the_furthest_vertex_from_anywhere)
{
    ShapeRandom random(5);
    const Polyhedron solid = make(turned(make_prism_points(200), 1, {1, 1, 1}, true));
    ASSERT_FALSE(solid.climb.empty());
    for (int trial = 0; trial < 200; ++trial)
    {
        const Vec3 direction = sample_inside(ShapeType::sphere, {1, 0, 0}, random);
        int best = trial % solid.vertex_count();
        for (bool moved = true; moved;)
        {
            moved = false;
            for (int k = solid.climb_begin[at(best)]; k < solid.climb_begin[at(best) + 1]; ++k)
            {
                if (dot(direction, solid.vertices[at(solid.climb[at(k)])]) <= dot(direction, solid.vertices[at(best)]))
                    continue;
                best = solid.climb[at(k)];
                moved = true;
                break;
            }
        }
        double furthest = -1;
        for (const Vec3& v : solid.vertices) furthest = std::max(furthest, dot(direction, v));
        EXPECT_NEAR(dot(direction, solid.vertices[at(best)]), furthest, 1e-13);
    }
}

}  // namespace
}  // namespace rattleback
