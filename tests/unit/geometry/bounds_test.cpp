// Bounds and support points: each against the other, and both against points of the shapes.
#include <gtest/gtest.h>

#include "geometry/bounds.h"

#include <algorithm>
#include <limits>

#include "geometry/support.h"
#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case
{
    ShapeType type;
    Vec3 size;
};
const Case kPrimitives[] = {{ShapeType::sphere, {0.7, 0, 0}},      {ShapeType::capsule, {0.3, 0.5, 0}},
                            {ShapeType::box, {0.2, 0.5, 0.9}},     {ShapeType::cylinder, {0.4, 0.25, 0}},
                            {ShapeType::cylinder, {0.1, 2, 0}},    {ShapeType::ellipsoid, {0.3, 0.5, 0.8}},
                            {ShapeType::ellipsoid, {2, 0.01, 0.5}}};
constexpr ShapeType kMeshTypes[] = {ShapeType::hull, ShapeType::mesh, ShapeType::points, ShapeType::segments,
                                    ShapeType::surface};
const Vec3 kAxes[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

/// How far the shape reaches along world axis i from `pose`, by its support point.
double find_reach(ShapeType type, const Vec3& size, const MeshOptions* mesh, const Pose& pose, const Vec3& axis)
{
    const Vec3 local = rotate(conjugate(pose.rotation), axis);
    return dot(axis, pose.position) + dot(local, find_support(type, size, mesh, local));
}

void expect_tight(ShapeType type, const Vec3& size, const MeshOptions* mesh, const Pose& pose)
{
    const Aabb box = compute_bounds(type, size, mesh, nullptr, pose);
    for (int i = 0; i < 3; ++i)
    {
        Vec3 axis;
        axis[i] = 1;
        EXPECT_NEAR(box.upper[i], find_reach(type, size, mesh, pose, axis), 4e-15) << to_string(type);
        EXPECT_NEAR(box.lower[i], -find_reach(type, size, mesh, pose, -axis), 4e-15) << to_string(type);
    }
}

TEST(Support, of_a_primitive_is_a_point_of_it_and_no_point_is_further)
{
    ShapeRandom random(41);
    for (const auto& [type, size] : kPrimitives)
    {
        SCOPED_TRACE(to_string(type));
        std::vector<Vec3> inside;
        for (int i = 0; i < 2000; ++i) inside.push_back(sample_inside(type, size, random));
        for (int i = 0; i < 100; ++i)
        {
            const Vec3 direction = i < 6 ? kAxes[i] : random.direction();
            const Vec3 support = find_support(type, size, nullptr, direction);
            EXPECT_TRUE(is_inside(type, size, support, 1e-15 * 4));
            for (const Vec3& p : inside) EXPECT_LE(dot(p, direction), dot(support, direction) + 1e-15);
        }
    }
}

TEST(Support, of_primitives_has_the_known_closed_forms)
{
    const Vec3 d{2, -1, 2};  // three long
    EXPECT_LT(find_difference(find_support(ShapeType::sphere, {3, 0, 0}, nullptr, d), {2, -1, 2}), 1e-15);
    EXPECT_LT(find_difference(find_support(ShapeType::capsule, {3, 5, 0}, nullptr, d), {2, -1, 7}), 1e-15);
    EXPECT_EQ(find_support(ShapeType::box, {1, 2, 3}, nullptr, d), (Vec3{1, -2, 3}));
    EXPECT_LT(find_difference(find_support(ShapeType::cylinder, {5, 2, 0}, nullptr, {3, 4, -9}), {3, 4, -2}), 2e-15);
    // n = S² d / |S d|: for radii (2, 1, 1) and d = (1, 2, 0), S d = (2, 2, 0).
    const double s = std::sqrt(0.5);
    EXPECT_LT(find_difference(find_support(ShapeType::ellipsoid, {2, 1, 1}, nullptr, {1, 2, 0}), {2 * s, s, 0}), 1e-15);
}

TEST(Support, depends_on_the_direction_alone_and_not_on_its_length)
{
    ShapeRandom random(42);
    const MeshOptions mesh = make_icosphere(1, 1);
    for (const auto& [type, size] : kPrimitives)
    {
        for (int i = 0; i < 20; ++i)
        {
            const Vec3 d = random.direction(), support = find_support(type, size, nullptr, d);
            for (const double length : {1e-300, 1e-12, 1e12, 1e300})
            {
                EXPECT_LT(find_difference(find_support(type, size, nullptr, length * d), support), 1e-14);
                EXPECT_EQ(find_support(ShapeType::mesh, {}, &mesh, length * d),
                          find_support(ShapeType::mesh, {}, &mesh, d));
            }
        }
        EXPECT_TRUE(is_inside(type, size, find_support(type, size, nullptr, {}), 1e-15));
    }
}

TEST(Support, of_a_mesh_is_its_furthest_vertex_and_the_first_of_equals)
{
    ShapeRandom random(43);
    MeshOptions mesh;
    for (int i = 0; i < 50; ++i) mesh.vertices.push_back(random.vector());
    for (const ShapeType type : kMeshTypes)
    {
        for (int trial = 0; trial < 50; ++trial)
        {
            const Vec3 d = random.direction(), support = find_support(type, {}, &mesh, d);
            EXPECT_NE(std::find(mesh.vertices.begin(), mesh.vertices.end(), support), mesh.vertices.end());
            for (const Vec3& v : mesh.vertices) EXPECT_LE(dot(v, d), dot(support, d) + 1e-15);
        }
    }
    const MeshOptions box = make_box_mesh({1, 1, 1});
    EXPECT_EQ(find_support(ShapeType::hull, {}, &box, {0, 0, 5}), box.vertices[4]);
    const MeshOptions far{.vertices = {{-3, 0, 0}, {-2, 0, 0}}};  // all behind the origin
    EXPECT_EQ(find_support(ShapeType::points, {}, &far, {1, 0, 0}), (Vec3{-2, 0, 0}));
}

TEST(Bounds, of_every_bounded_shape_touch_its_support_points)
{
    ShapeRandom random(44);
    MeshOptions mesh = make_icosphere(0.8, 1);
    for (Vec3& v : mesh.vertices) v = {v.x, 0.3 * v.y, v.z + 0.2};
    for (int trial = 0; trial < 100; ++trial)
    {
        const Pose pose = trial == 0 ? Pose{} : random.pose();
        for (const auto& [type, size] : kPrimitives) expect_tight(type, size, nullptr, pose);
        for (const ShapeType type : kMeshTypes) expect_tight(type, {}, &mesh, pose);
    }
}

TEST(Bounds, of_upright_primitives_are_their_sizes)
{
    const Vec3 p{1, 2, 3};
    const struct
    {
        ShapeType type;
        Vec3 size, half;
    } cases[] = {{ShapeType::sphere, {0.5, 0, 0}, {0.5, 0.5, 0.5}},
                 {ShapeType::capsule, {0.5, 2, 0}, {0.5, 0.5, 2.5}},
                 {ShapeType::box, {0.5, 1, 2}, {0.5, 1, 2}},
                 {ShapeType::cylinder, {0.5, 2, 0}, {0.5, 0.5, 2}},
                 {ShapeType::ellipsoid, {0.5, 1, 2}, {0.5, 1, 2}}};
    for (const auto& [type, size, half] : cases)
    {
        EXPECT_EQ(compute_bounds(type, size, nullptr, nullptr, {p, {}}), (Aabb{p - half, p + half})) << to_string(type);
    }
}

TEST(Bounds, of_a_plane_are_infinite_and_of_an_empty_mesh_empty)
{
    const Aabb plane = compute_bounds(ShapeType::plane, {}, nullptr, nullptr, {{1, 2, 3}, {0.6, 0.8, 0, 0}});
    const MeshOptions none;
    const Aabb empty = compute_bounds(ShapeType::mesh, {}, &none, nullptr, {{1, 2, 3}, {}});
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(plane.lower[i], -kInfinity);
        EXPECT_EQ(plane.upper[i], kInfinity);
        EXPECT_GT(empty.lower[i], empty.upper[i]);
    }
    EXPECT_EQ(compute_bounding_radius(ShapeType::plane, {}, nullptr, nullptr), kInfinity);
}

HeightFieldOptions make_hills(ShapeRandom& random)
{
    HeightFieldOptions field{.rows = 5, .columns = 7, .half_x = 3, .half_y = 2, .base = 0.25};
    for (int i = 0; i < 35; ++i) field.heights.push_back(random.uniform(0, 0.9));
    field.heights[17] = 1;
    return field;
}

TEST(Bounds, of_a_height_field_hold_its_surface_and_its_base)
{
    ShapeRandom random(45);
    const HeightFieldOptions field = make_hills(random);
    const Aabb upright = compute_bounds(ShapeType::height_field, {}, nullptr, &field, {{10, 0, 0}, {}});
    EXPECT_LT(find_difference(upright.lower, {7, -2, -0.25}), 1e-15);
    EXPECT_LT(find_difference(upright.upper, {13, 2, 1}), 1e-15);
    const double radius = compute_bounding_radius(ShapeType::height_field, {}, nullptr, &field);

    for (int trial = 0; trial < 50; ++trial)
    {
        const Pose pose = random.pose();
        const Aabb box = compute_bounds(ShapeType::height_field, {}, nullptr, &field, pose);
        for (int i = 0; i < 35; ++i)
        {
            const double x = -3 + i % 7, y = -2 + i / 7;
            for (const double z : {field.heights[static_cast<std::size_t>(i)], -field.base})
            {
                const Vec3 p = pose.position + rotate(pose.rotation, Vec3{x, y, z});
                for (int axis = 0; axis < 3; ++axis)
                {
                    EXPECT_GE(p[axis], box.lower[axis] - 4e-15);
                    EXPECT_LE(p[axis], box.upper[axis] + 4e-15);
                }
                EXPECT_LE(norm(Vec3{x, y, z}), radius);
            }
        }
    }
}

TEST(Bounds, the_bounding_radius_is_the_distance_of_the_furthest_point)
{
    ShapeRandom random(46);
    MeshOptions mesh = make_icosphere(0.8, 1);
    for (Vec3& v : mesh.vertices) v = {v.x, 0.3 * v.y, v.z + 0.2};
    const auto check = [&](ShapeType type, const Vec3& size, const MeshOptions* asset)
    {
        double furthest = 0;
        for (int i = 0; i < 2000; ++i)
        {
            const Vec3 direction = i < 6 ? kAxes[i] : random.direction();
            furthest = std::max(furthest, norm(find_support(type, size, asset, direction)));
        }
        EXPECT_NEAR(compute_bounding_radius(type, size, asset, nullptr), furthest, 1e-15) << to_string(type);
    };
    for (const auto& [type, size] : kPrimitives) check(type, size, nullptr);
    for (const ShapeType type : kMeshTypes) check(type, {}, &mesh);
}

}  // namespace
}  // namespace rattleback
