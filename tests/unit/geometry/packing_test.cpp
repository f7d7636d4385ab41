// Sphere packings against closed forms, a slow inside test and exact moments.
#include "geometry/packing/packing.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/rabbit.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

using lab::make_rabbit;

/// How often the surface winds about a point: the solid angle of all triangles over 4 pi (Van Oosterom and Strackee).
double find_winding(const MeshOptions& mesh, const Vec3& p)
{
    double sum = 0;
    for (const auto& [i, j, k] : mesh.triangles)
    {
        const Vec3 a = mesh.vertices[static_cast<std::size_t>(i)] - p;
        const Vec3 b = mesh.vertices[static_cast<std::size_t>(j)] - p;
        const Vec3 c = mesh.vertices[static_cast<std::size_t>(k)] - p;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return sum / (4 * kPi);
}

MeshOptions make_cube_mesh(double half)
{
    MeshOptions mesh{.name = "cube"};
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

TEST(Packing, a_cube_of_n_across_has_n_cubed_spheres_that_touch_its_faces_and_each_other)
{
    for (const int n : {1, 2, 4, 7})
    {
        const auto spheres = pack_shape({.type = ShapeType::box, .size = {0.1, 0.1, 0.1}}, {.across = n}).value();
        ASSERT_EQ(spheres.size(), static_cast<std::size_t>(n * n * n));
        double nearest = 1, furthest = 0;
        for (const PackedSphere& a : spheres)
        {
            EXPECT_NEAR(a.radius, 0.1 / n, 1e-15);
            for (int k = 0; k < 3; ++k) furthest = std::max(furthest, std::abs(a.center[k]) + a.radius);
            for (const PackedSphere& b : spheres)
                if (&a != &b) nearest = std::min(nearest, norm(a.center - b.center) - a.radius - b.radius);
        }
        EXPECT_NEAR(furthest, 0.1, 1e-14);
        EXPECT_NEAR(n > 1 ? nearest : 0, 0, 1e-14);
    }
}

TEST(Packing, point_masses_of_a_cube_have_its_inertia_less_one_over_n_squared)
{
    for (const int n : {2, 4, 10})
    {
        auto spheres = pack_shape({.type = ShapeType::box, .size = {0.1, 0.1, 0.1}}, {.across = n}).value();
        for (PackedSphere& s : spheres) s.mass = 4.0 / (n * n * n);
        const double exact = 4 * 0.04 / 6;
        EXPECT_NEAR(point_mass_properties(spheres).inertia(2, 2), exact * (1 - 1.0 / (n * n)), 1e-15);
    }
}

TEST(Packing, a_rod_is_one_chain_from_end_to_end)
{
    const auto chain = pack_shape({.type = ShapeType::cylinder, .size = {0.03, 0.2, 0}}, {}).value();
    ASSERT_EQ(chain.size(), 6U);  // int(0.4 / 0.06), as in the paper
    EXPECT_NEAR(chain.front().center.z - 0.03, -0.2, 1e-15);
    EXPECT_NEAR(chain.back().center.z + 0.03, 0.2, 1e-15);
    EXPECT_GT(pack_shape({.type = ShapeType::cylinder, .size = {0.03, 0.2, 0}}, {.across = 4, .chains = false})
                  .value()
                  .size(),
              50U);
}

TEST(Packing, centres_in_a_mesh_are_those_about_which_its_surface_winds_once)
{
    const MeshOptions rabbit = make_rabbit();
    const std::array<int, 3> counts{14, 14, 14};
    const Vec3 lower{-0.11, -0.112, -0.09};
    const double spacing = 0.0161;
    std::size_t expected = 0;
    const std::vector<Vec3> found = find_centers_inside(rabbit, lower, spacing, counts);
    for (int i = 0; i < counts[0]; ++i)
        for (int j = 0; j < counts[1]; ++j)
            for (int k = 0; k < counts[2]; ++k)
                if (find_winding(rabbit, lower + Vec3{spacing * i, spacing * j, spacing * k}) > 0.5) ++expected;
    EXPECT_EQ(found.size(), expected);
    for (const Vec3& p : found) EXPECT_NEAR(find_winding(rabbit, p), 1, 1e-9);
}

TEST(Packing, columns_through_edges_and_corners_of_a_mesh_count_once)
{
    // the lines run through vertices, along the diagonals of faces and through the faces' edges
    const std::vector<Vec3> inside = find_centers_inside(make_cube_mesh(1), {-1.5, -1.5, -1.5}, 0.5, {7, 7, 7});
    for (const Vec3& p : inside)
        for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(p[k]), 1);
    std::size_t strictly = 0;
    for (const Vec3& p : inside)
        if (std::abs(p.x) < 1 && std::abs(p.y) < 1 && std::abs(p.z) < 1) ++strictly;
    EXPECT_EQ(strictly, 27U);
}

TEST(Packing, weighed_spheres_have_exactly_the_mass_centre_and_inertia_of_the_solid)
{
    const MeshOptions rabbit = make_rabbit();
    const MassProperties solid = compute_mass_scaled(ShapeType::mesh, {}, &rabbit, MeshMass::exact, 2.18).value();
    for (const double radius : {0.005, 0.008, 0.012})
    {
        auto spheres = pack_shape({.type = ShapeType::mesh, .mesh = &rabbit}, {.radius = radius}).value();
        ASSERT_TRUE(weigh_exactly(solid, spheres).ok());
        const MassProperties points = point_mass_properties(spheres);
        EXPECT_NEAR(points.mass, 2.18, 1e-12);
        EXPECT_LT(norm(points.center - solid.center), 1e-12);
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(points.inertia.m[k], solid.inertia.m[k], 1e-12);
        for (const PackedSphere& s : spheres) EXPECT_GT(s.mass, 0);
    }
}

TEST(Packing, weights_that_cannot_be_are_an_error_that_says_what_to_change)
{
    // all eight centres lie on a sphere: no weights change the trace of the second moment
    auto spheres = pack_shape({.type = ShapeType::box, .size = {0.1, 0.1, 0.1}}, {.across = 2}).value();
    const MassProperties solid =
        compute_mass_scaled(ShapeType::box, {0.1, 0.1, 0.1}, nullptr, MeshMass::exact, 4).value();
    const Status weighed = weigh_exactly(solid, spheres);
    ASSERT_FALSE(weighed.ok());
    EXPECT_NE(weighed.errors().front().text().find("at least 3 across"), std::string::npos);
}

TEST(Packing, a_point_cloud_gets_one_sphere_per_occupied_cell)
{
    MeshOptions cloud{.name = "cloud"};
    Random random(7);
    for (int i = 0; i < 5000; ++i)
        cloud.vertices.push_back({random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)});
    const auto spheres = pack_shape({.type = ShapeType::points, .mesh = &cloud}, {.radius = 0.125}).value();
    EXPECT_EQ(spheres.size(), 64U);
    EXPECT_LT(norm(point_mass_properties(spheres).center - Vec3{0.5, 0.5, 0.5}), 0.01);
}

std::string error_of(const PackedShape& shape, const PackOptions& options)
{
    const auto packed = pack_shape(shape, options);
    return packed.ok() ? "packed" : to_text(packed.errors());
}

TEST(Packing, what_cannot_be_packed_is_an_error_that_says_what_to_change)
{
    const MeshOptions rabbit = make_rabbit();
    const PackedShape mesh{.type = ShapeType::mesh, .mesh = &rabbit};
    const PackedShape box{.type = ShapeType::box, .size = {0.1, 0.1, 0.001}};
    EXPECT_NE(error_of(mesh, {.radius = 0.5}).find("smaller radius"), std::string::npos);
    EXPECT_NE(error_of(box, {.radius = 0.01}).find("at most 1 mm"), std::string::npos);
    EXPECT_NE(error_of(mesh, {.radius = 1e-5}).find("use a radius of"), std::string::npos);
    EXPECT_NE(error_of(box, {.across = 100, .most = 1000}).find("fewer spheres"), std::string::npos);
    EXPECT_NE(error_of(mesh, {.across = 0, .radius = 0}).find("positive radius"), std::string::npos);
    EXPECT_NE(error_of(mesh, {.radius = std::nan("")}).find("positive radius"), std::string::npos);
    EXPECT_NE(error_of({.type = ShapeType::plane}, {}).find("no inside"), std::string::npos);
    const PackedShape needle{.type = ShapeType::capsule, .size = {1e-9, 1e9, 0}};  // a chain of 1e18 spheres
    EXPECT_NE(error_of(needle, {}).find("use a radius of"), std::string::npos);
    const Polyhedron none;
    EXPECT_NE(error_of({.type = ShapeType::hull, .hull = &none}, {}).find("no inside"), std::string::npos);
    MeshOptions open = make_cube_mesh(1);
    open.triangles.pop_back();
    EXPECT_NE(error_of({.type = ShapeType::mesh, .mesh = &open}, {}), "packed");
    open = make_cube_mesh(1);
    open.vertices[3].x = std::nan("");
    EXPECT_NE(error_of({.type = ShapeType::mesh, .mesh = &open}, {}), "packed");
}

}  // namespace
}  // namespace rattleback
