// Contacts on triangle surfaces: against the plane the triangles lie in, against convex shapes, and laws of nearest
// points.
#include "base/index.h"
#include "collide/surface/touch_surface.h"
#include "geometry/distance.h"
#include "geometry/height_field.h"
#include "geometry/hull.h"
#include "geometry/triangle_surface.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

constexpr std::array kConvex = {ShapeType::sphere,   ShapeType::capsule,   ShapeType::box,
                                ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};

MeshOptions make_cube_mesh(double half)
{
    MeshOptions mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

/// A square of n x n cells in the plane z = 0 of a frame, every cell cut in two, inner vertices moved about in it.
MeshOptions make_plane_mesh(int n, double half, const Pose& pose, Random& random)
{
    MeshOptions mesh;
    const double cell = 2 * half / n;
    for (int row = 0; row <= n; ++row)
    {
        for (int column = 0; column <= n; ++column)
        {
            Vec3 p{-half + cell * column, -half + cell * row, 0};
            const bool inner = row > 0 && row < n && column > 0 && column < n;
            if (inner) p += Vec3{random.uniform(-0.3, 0.3) * cell, random.uniform(-0.3, 0.3) * cell, 0};
            mesh.vertices.push_back(pose.position + rotate(pose.rotation, p));
        }
    }
    mesh.triangles = cut_grid(n + 1, n + 1);
    return mesh;
}

PlacedShape place(const MeshSurface& surface, const Pose& pose = {})
{
    PlacedShape shape;
    shape.type = ShapeType::mesh;
    shape.position = pose.position;
    shape.rotation = to_matrix(pose.rotation);
    shape.mesh = &surface;
    return shape;
}

double find_deepest(const std::vector<ManifoldPoint>& points)
{
    double deepest = std::numeric_limits<double>::infinity();
    for (const ManifoldPoint& p : points) deepest = std::min(deepest, p.distance);
    return deepest;
}

TEST(MeshSurface, a_cube_has_twelve_edges_that_stick_out_and_six_faces)
{
    const MeshSurface cube(make_cube_mesh(0.5), true);
    EXPECT_EQ(cube.triangle_count(), 12);
    EXPECT_EQ(cube.edge_count(), 18);
    EXPECT_TRUE(cube.is_closed());
    int convex = 0, flat = 0;
    std::vector<int> patches;
    for (int t = 0; t < cube.triangle_count(); ++t)
    {
        const SurfaceTriangle triangle = cube.triangle(t);
        for (const EdgeKind kind : triangle.kind)
        {
            convex += kind == EdgeKind::convex ? 1 : 0;
            flat += kind == EdgeKind::flat ? 1 : 0;
        }
        patches.push_back(triangle.patch);
    }
    EXPECT_EQ(convex, 24);  // each from two sides
    EXPECT_EQ(flat, 12);
    std::sort(patches.begin(), patches.end());
    EXPECT_EQ(std::unique(patches.begin(), patches.end()) - patches.begin(), 6);
}

TEST(MeshSurface, corners_at_one_place_are_joined_and_slivers_left_out)
{
    MeshOptions loose;  // every triangle with corners of its own
    const MeshOptions cube = make_cube_mesh(0.5);
    for (const auto& [a, b, c] : cube.triangles)
    {
        const int first = static_cast<int>(loose.vertices.size());
        for (const int v : {a, b, c}) loose.vertices.push_back(cube.vertices[at(v)]);
        loose.triangles.push_back({first, first + 1, first + 2});
    }
    loose.triangles.push_back({0, 0, 1});
    const MeshSurface surface(loose, true);
    EXPECT_EQ(surface.vertex_count(), 8);
    EXPECT_EQ(surface.triangle_count(), 12);
    EXPECT_TRUE(surface.is_closed());
}

TEST(MeshSurface, the_distance_of_a_point_is_that_of_the_box)
{
    const MeshSurface cube(make_cube_mesh(0.5), true);
    PlacedShape box;
    box.type = ShapeType::box;
    box.size = {0.5, 0.5, 0.5};
    box.rotation = to_matrix(Quat{});
    PlacedShape point;
    point.type = ShapeType::sphere;
    point.size = {0, 0, 0};
    point.rotation = to_matrix(Quat{});
    Random random(1);
    for (int k = 0; k < 2000; ++k)
    {
        point.position = random.in_box(1.2);
        const double expected = find_distance(point, box).distance;
        const NearestOnSurface found = find_nearest(cube, point.position, 10);
        ASSERT_GE(found.triangle, 0);
        EXPECT_NEAR(found.distance, expected, 1e-14);
        EXPECT_NEAR(norm(found.point - point.position), std::abs(expected), 1e-14);
    }
    EXPECT_EQ(find_nearest(cube, {2, 0, 0}, 1).triangle, -1);
}

/// What touches the triangles of a plane touches the plane: the same points, whatever the cut.
TEST(SurfaceContacts, a_plane_cut_into_triangles_is_a_plane)
{
    SurfaceScratch scratch;
    for (const ShapeType type : kConvex)
    {
        Random random(10 + at(type));
        for (int k = 0; k < 100; ++k)
        {
            SCOPED_TRACE(std::string(to_string(type)) + " " + std::to_string(k));
            const Pose frame{random.in_box(1), random.rotation()};
            const int cells[] = {1, 3, 10, 40};
            const MeshSurface surface(make_plane_mesh(cells[k % 4], 4, frame, random), true);
            OwnedShape shape = make_random_shape(type, random);
            PlacedShape plane;
            plane.type = ShapeType::plane;
            plane.position = frame.position;
            plane.rotation = to_matrix(frame.rotation);
            const Vec3 normal = plane.rotation.column(2);
            // Somewhere over the middle of the plane, its centre above it.
            shape.placed.rotation = to_matrix(random.rotation());
            shape.placed.position =
                frame.position + plane.rotation * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 3};
            const double gap = find_distance(plane, shape.placed).distance;
            const Vec3 center = type == ShapeType::hull ? shape.placed.rotation * shape.hull->center : Vec3{};
            const double height = dot(normal, shape.placed.position + center - frame.position) - gap;
            const double depth = random.uniform(-0.02, std::min(0.05, 0.9 * height));
            shape.placed.position -= (gap + depth) * normal;

            const double reach = 0.01;
            Manifold expected;
            find_manifold_function(ShapeType::plane, type)(plane, shape.placed, reach, expected);
            touch_surface(shape.placed, place(surface), reach, 8, scratch);
            ASSERT_EQ(scratch.points.size(), at(expected.count));
            for (int i = 0; i < expected.count; ++i)
            {
                const ManifoldPoint& point = expected.points[at(i)];
                const auto same = [&](const ManifoldPoint& other)
                {
                    return norm(other.point - point.point) < 1e-11 && norm(other.normal + point.normal) < 1e-11 &&
                           std::abs(other.distance - point.distance) < 1e-11;
                };
                EXPECT_EQ(std::count_if(scratch.points.begin(), scratch.points.end(), same), 1);
            }
        }
    }
}

/// Apart, the nearest contact of a convex solid made of triangles is as far as the distance of the two solids; sunk in
/// a little it is as deep.
TEST(SurfaceContacts, a_convex_mesh_is_as_far_as_its_hull)
{
    SurfaceScratch scratch;
    const double reach = 0.05;
    int met = 0;
    for (const ShapeType type : kConvex)
    {
        Random random(50 + at(type));
        for (int k = 0; k < 600; ++k)
        {
            SCOPED_TRACE(std::string(to_string(type)) + " " + std::to_string(k));
            // A cube, or the hull of random points.
            MeshOptions mesh = make_cube_mesh(0.5);
            if (k % 2 == 1)
            {
                mesh.vertices.clear();
                for (int i = 0; i < 12; ++i) mesh.vertices.push_back(random.uniform(0.4, 0.8) * random.direction());
                mesh = compute_hull(mesh.vertices).value();
            }
            const MeshSurface surface(mesh, true);
            const Polyhedron solid = build_polyhedron(mesh);
            PlacedShape hull;
            hull.type = ShapeType::hull;
            hull.hull = &solid;
            hull.rotation = to_matrix(Quat{});
            OwnedShape shape = make_random_shape(type, random);
            shape.placed.rotation = to_matrix(random.rotation());
            const Vec3 way = random.direction();
            shape.placed.position = 5 * way;
            // Along a ray until the gap is the wanted one, by the secant rule on the exact distance.
            const double wanted = random.uniform(-0.02, 0.04);
            for (int i = 0; i < 60; ++i)
                shape.placed.position -= (0.9 * (find_distance(shape.placed, hull).distance - wanted)) * way;
            const double gap = find_distance(shape.placed, hull).distance;
            if (gap >= reach || gap < -0.03) continue;
            touch_surface(shape.placed, place(surface), reach, 8, scratch);
            ++met;
            ASSERT_FALSE(scratch.points.empty());
            if (gap > 0)
                EXPECT_NEAR(find_deepest(scratch.points), gap, 1e-6);
            else
            {
                // The shortest way out may turn with the depth: what is found lies between half and a quarter more.
                EXPECT_LE(find_deepest(scratch.points), 0.5 * gap + 1e-6);
                EXPECT_GE(find_deepest(scratch.points), 1.25 * gap - 1e-6);
            }
        }
    }
    EXPECT_GT(met, 3000);
}

TEST(SurfaceContacts, a_shape_deep_inside_leaves_through_the_nearest_face)
{
    const MeshSurface cube(make_cube_mesh(0.5), true);
    PlacedShape ball;
    ball.type = ShapeType::sphere;
    ball.size = {0.1, 0, 0};
    ball.rotation = to_matrix(Quat{});
    ball.position = {0.05, 0.3, -0.1};
    SurfaceScratch scratch;
    touch_surface(ball, place(cube), 0, 8, scratch);
    ASSERT_EQ(scratch.points.size(), 1U);
    EXPECT_NEAR(scratch.points[0].distance, -(0.2 + 0.1), 1e-14);
    // from the ball to the cube: the cube is pushed down, the ball up
    EXPECT_NEAR(norm(scratch.points[0].normal - Vec3{0, -1, 0}), 0, 1e-14);
}

TEST(SurfaceContacts, a_height_field_is_the_mesh_of_its_triangles)
{
    SurfaceScratch on_grid, on_mesh;
    Random random(77);
    int met = 0;
    for (int k = 0; k < 200; ++k)
    {
        HeightFieldOptions field{
            .name = "field", .rows = 9, .columns = 13, .half_x = 1.5, .half_y = 1, .base = 0.1, .heights = {}};
        for (int i = 0; i < 9 * 13; ++i) field.heights.push_back(k % 3 == 0 ? 0.1 : random.uniform(0, 0.2));
        MeshOptions mesh;
        mesh.vertices = find_grid_points(field);
        mesh.triangles = cut_grid(field.rows, field.columns);
        const GridSurface grid(field);
        const MeshSurface surface(mesh, true);
        PlacedShape placed;
        placed.type = ShapeType::height_field;
        placed.grid = &grid;
        placed.rotation = to_matrix(random.rotation());
        placed.position = random.in_box(1);
        PlacedShape twin = placed;
        twin.type = ShapeType::mesh;
        twin.grid = nullptr;
        twin.mesh = &surface;
        OwnedShape shape = make_random_shape(kConvex[at(k) % kConvex.size()], random);
        shape.placed.rotation = to_matrix(random.rotation());
        shape.placed.position =
            placed.position +
            placed.rotation * Vec3{random.uniform(-1, 1), random.uniform(-0.5, 0.5), random.uniform(0.2, 0.9)};
        touch_surface(shape.placed, placed, 0.02, 8, on_grid);
        touch_surface(shape.placed, twin, 0.02, 8, on_mesh);
        ASSERT_EQ(on_grid.points.size(), on_mesh.points.size());
        if (on_grid.points.empty()) continue;
        ++met;
        EXPECT_NEAR(find_deepest(on_grid.points), find_deepest(on_mesh.points), 1e-12);
    }
    EXPECT_GT(met, 100);
}

/// Two cubes of triangles touch as two boxes do.
TEST(SurfaceContacts, two_meshes_that_sink_into_each_other_a_little_touch_as_boxes)
{
    const MeshSurface cube(make_cube_mesh(0.5), true);
    PlacedShape box;
    box.type = ShapeType::box;
    box.size = {0.5, 0.5, 0.5};
    box.rotation = to_matrix(Quat{});
    SurfaceScratch scratch;
    Random random(5);
    int met = 0;
    for (int k = 0; k < 2000; ++k)
    {
        SCOPED_TRACE(k);
        PlacedShape other = box;
        other.rotation = to_matrix(random.rotation());
        const Vec3 way = random.direction();
        other.position = 3 * way;
        const double wanted = -random.uniform(1e-4, 1e-2);
        for (int i = 0; i < 60; ++i) other.position -= (0.9 * (find_distance(other, box).distance - wanted)) * way;
        const ShapeDistance exact = find_distance(other, box);
        if (exact.distance > -1e-4 || exact.distance < -2e-2) continue;
        PlacedShape first = place(cube);
        first.position = other.position;
        first.rotation = other.rotation;
        touch_surface(first, place(cube), 0, 8, scratch);
        ++met;
        ASSERT_FALSE(scratch.points.empty());
        const auto deepest = std::min_element(scratch.points.begin(), scratch.points.end(),
                                              [](const auto& a, const auto& b) { return a.distance < b.distance; });
        EXPECT_LT(deepest->distance, 0);
        EXPECT_GT(dot(deepest->normal, -other.position), 0);
    }
    EXPECT_GT(met, 1500);
}

}  // namespace
}  // namespace rattleback
