// Meshes as files bring them: not numbers, too few triangles, the same one many times, open, inside out, a million.
#include "base/index.h"
#include "collide/surface/touch_surface.h"
#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <limits>

namespace rattleback
{
namespace
{

Result<Model> build_with(const MeshOptions& mesh, bool solid)
{
    ModelBuilder builder;
    const MeshId asset = builder.add_mesh(mesh);
    if (solid)
        builder.add_shape(builder.add_body({}), Mesh{.mesh = asset, .collide = MeshCollide::exact});
    else
        builder.add_shape(kWorld, Surface{asset});
    return builder.build();
}

std::string find_first_message(const Result<Model>& built) { return built.ok() ? "" : built.errors().front().message; }

/// The deepest contact of a ball of 5 cm, one centimetre deep in the plane z = 0 at the origin; infinite: none.
double find_ball_depth(const MeshSurface& surface)
{
    PlacedShape ball{.type = ShapeType::sphere, .size = {0.05, 0, 0}};
    ball.position = {0, 0, 0.04};
    ball.rotation = to_matrix(Quat{});
    PlacedShape ground{.type = ShapeType::mesh};
    ground.rotation = to_matrix(Quat{});
    ground.mesh = &surface;
    SurfaceScratch scratch;
    touch_surface(ground, ball, 0, 8, scratch);
    double deepest = std::numeric_limits<double>::infinity();
    for (const ManifoldPoint& point : scratch.points) deepest = std::min(deepest, point.distance);
    return deepest;
}

MeshOptions make_one_triangle()
{
    return {.name = "one", .vertices = {{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}, .triangles = {{0, 1, 2}}};
}

TEST(BadSurfaces, a_corner_that_is_no_number_is_an_error)
{
    MeshOptions mesh = lab::make_eared(3, 0.1);
    mesh.vertices[7].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(find_first_message(build_with(mesh, true)), "");
    EXPECT_NE(find_first_message(build_with(mesh, false)), "");
}

TEST(BadSurfaces, one_triangle_holds_a_ball_and_is_no_solid)
{
    EXPECT_NE(find_first_message(build_with(make_one_triangle(), true)), "");
    EXPECT_TRUE(build_with(make_one_triangle(), false).ok());
    EXPECT_NEAR(find_ball_depth(MeshSurface(make_one_triangle(), false)), -0.01, 1e-12);
}

/// Corners in any order: copies from both sides.
MeshOptions make_copies(int count)
{
    MeshOptions mesh = make_one_triangle();
    constexpr std::array<std::array<int, 3>, 4> kOrders{{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}, {1, 2, 0}}};
    mesh.triangles.clear();
    for (int i = 0; i < count; ++i) mesh.triangles.push_back(kOrders[at(i % 4)]);
    return mesh;
}

TEST(BadSurfaces, the_same_triangle_many_times_is_that_triangle_from_both_sides)
{
    EXPECT_NE(find_first_message(build_with(make_copies(1000), true)), "");
    const MeshSurface surface(make_copies(1000), false);
    EXPECT_EQ(surface.triangle_count(), 2);
    EXPECT_NEAR(find_ball_depth(surface), -0.01, 1e-12);
}

TEST(BadSurfaces, slow_a_million_equal_triangles_are_refused_as_a_solid_and_hold_a_ball_as_a_surface)
{
    const MeshOptions mesh = make_copies(1'000'000);
    EXPECT_NE(find_first_message(build_with(mesh, true)), "");
    EXPECT_TRUE(build_with(mesh, false).ok());
    const MeshSurface surface(mesh, false);
    EXPECT_EQ(surface.triangle_count(), 2);
    EXPECT_NEAR(find_ball_depth(surface), -0.01, 1e-12);
}

TEST(BadSurfaces, an_open_mesh_is_no_solid_and_a_good_surface)
{
    MeshOptions mesh = lab::make_eared(3, 0.1);
    mesh.triangles.pop_back();
    EXPECT_NE(find_first_message(build_with(mesh, true)), "");
    EXPECT_TRUE(build_with(mesh, false).ok());
    EXPECT_FALSE(MeshSurface(mesh, false).is_closed());
}

TEST(BadSurfaces, a_mesh_inside_out_is_no_solid)
{
    MeshOptions mesh = lab::make_eared(3, 0.1);
    for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
    EXPECT_NE(find_first_message(build_with(mesh, true)), "");
}

TEST(BadSurfaces, slow_a_million_triangles_make_a_surface_that_answers)
{
    const MeshSurface surface(lab::make_eared(289, 1), true);
    EXPECT_EQ(surface.triangle_count(), 12 * 289 * 289);
    EXPECT_TRUE(surface.is_closed());
    // Euler: vertices - edges + faces = 2 for a ball.
    EXPECT_EQ(surface.vertex_count() - surface.edge_count() + surface.triangle_count(), 2);
    EXPECT_LT(find_nearest(surface, {0, 0, 0}, 10).distance, -0.8);
    EXPECT_GT(find_nearest(surface, {0, 3, 0}, 10).distance, 1.5);
}

}  // namespace
}  // namespace rattleback
