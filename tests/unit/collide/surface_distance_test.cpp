// Distances of exact meshes against brute force over all triangles.
#include "collide/surface_distance.h"
#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"
#include "math/random.h"
#include "support/brute_triangles.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

constexpr double kRadius = 0.1;
constexpr double kAnywhere = std::numeric_limits<double>::infinity();

PlacedShape place_eared(const MeshSurface& surface, Random& random)
{
    PlacedShape shape;
    shape.type = ShapeType::mesh;
    shape.position = random.in_box(0.3);
    shape.rotation = to_matrix(random.rotation());
    shape.mesh = &surface;
    return shape;
}

TEST(SurfaceDistance, of_a_ball_and_a_point_is_that_of_the_nearest_triangle)
{
    const MeshSurface surface(lab::make_eared(9, kRadius), true);
    Random random(1);
    SurfaceScratch scratch;
    int inside = 0, sunk = 0;
    for (int k = 0; k < 200; ++k)
    {
        const PlacedShape mesh = place_eared(surface, random);
        PlacedShape ball{.type = ShapeType::sphere, .size = {0.03, 0, 0}};
        ball.position = mesh.position + random.in_box(0.2);
        ball.rotation = to_matrix(random.rotation());
        const double expected = find_brute_signed_distance(ball.position, find_world_triangles(mesh));
        const ShapeDistance point = find_point_distance(mesh, ball.position);
        EXPECT_NEAR(point.distance, expected, 1e-12);
        EXPECT_NEAR(norm(point.on_first + point.distance * point.normal - ball.position), 0, 1e-12);
        inside += expected < 0 ? 1 : 0;
        const auto found = find_surface_distance(ball, mesh, kAnywhere, scratch);
        ASSERT_TRUE(found.has_value());
        // With its centre inside the deepest contact need not be the shortest way out, yet there is one.
        if (expected < 0)
        {
            EXPECT_LT(found->distance, 0) << k;
            continue;
        }
        sunk += expected < 0.03 ? 1 : 0;
        EXPECT_NEAR(found->distance, expected - 0.03, 1e-12) << k;
        EXPECT_NEAR(norm(found->on_first + found->distance * found->normal - found->on_second), 0, 1e-12);
    }
    EXPECT_GT(inside, 10);
    EXPECT_GT(sunk, 10);
}

TEST(SurfaceDistance, of_two_meshes_is_that_of_their_nearest_triangles_and_comes_in_either_order)
{
    const MeshSurface coarse(lab::make_eared(3, kRadius), true), fine(lab::make_eared(4, kRadius), true);
    Random random(2);
    SurfaceScratch scratch;
    int apart = 0;
    for (int k = 0; k < 60; ++k)
    {
        const PlacedShape first = place_eared(coarse, random), second = place_eared(fine, random);
        const double expected = find_brute_distance(find_world_triangles(first), find_world_triangles(second));
        const auto found = find_surface_distance(first, second, kAnywhere, scratch),
                   turned = find_surface_distance(second, first, kAnywhere, scratch);
        ASSERT_TRUE(found.has_value() && turned.has_value());
        if (expected > 0)
        {
            ++apart;
            EXPECT_NEAR(found->distance, expected, 1e-12) << k;
            EXPECT_NEAR(turned->distance, expected, 1e-12) << k;
            // A limit beyond the distance changes nothing but rounding, one below it finds nothing.
            const auto within = find_surface_distance(first, second, 1.01 * expected, scratch);
            ASSERT_TRUE(within.has_value()) << k;
            EXPECT_NEAR(within->distance, expected, 1e-12) << k;
            EXPECT_FALSE(find_surface_distance(first, second, 0.99 * expected, scratch).has_value()) << k;
            EXPECT_NEAR(norm(found->normal + turned->normal), 0, 1e-6) << k;
        }
        else
        {
            EXPECT_LT(found->distance, 0) << k;
        }
    }
    EXPECT_GT(apart, 20);
}

}  // namespace
}  // namespace rattleback
