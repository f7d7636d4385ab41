// Closed meshes of shapes against closed forms: Euler's formula, volumes, support functions, and sampled distances.
#include "geometry/tessellate.h"

#include "geometry/drawing.h"
#include "geometry/mesh_mass.h"
#include "unit/geometry/solids.h"

#include <rattleback/math.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace rattleback
{
namespace
{

using namespace testing_geometry;

struct SolidVolume
{
    ShapeType type;
    Vec3 size;
    double volume;
};
const SolidVolume kCases[] = {
    {ShapeType::sphere, {0.3, 0, 0}, 4.0 / 3 * kPi * 0.027},
    {ShapeType::capsule, {0.1, 0.4, 0}, kPi * 0.01 * 0.8 + 4.0 / 3 * kPi * 0.001},
    {ShapeType::capsule, {0.01, 50, 0}, kPi * 1e-4 * 100 + 4.0 / 3 * kPi * 1e-6},
    {ShapeType::cylinder, {0.2, 0.3, 0}, kPi * 0.04 * 0.6},
    {ShapeType::ellipsoid, {0.1, 0.2, 0.4}, 4.0 / 3 * kPi * 0.1 * 0.2 * 0.4},
    {ShapeType::ellipsoid, {0.5, 0.05, 0.1}, 4.0 / 3 * kPi * 0.5 * 0.05 * 0.1},
    {ShapeType::box, {0.1, 0.2, 0.3}, 8 * 0.1 * 0.2 * 0.3},
};
constexpr int kCorners[] = {4, 8, 12, 32, 100};
constexpr Fit kFits[] = {Fit::inscribed, Fit::circumscribed};

template <class Check>
void for_each_mesh(const Check& check)
{
    for (const SolidVolume& shape : kCases)
    {
        for (const int around : kCorners)
        {
            for (const Fit fit : kFits)
            {
                SCOPED_TRACE(std::string(to_string(shape.type)) + ", " + std::to_string(around) +
                             (fit == Fit::inscribed ? ", inscribed" : ", circumscribed"));
                check(shape, around, fit, tessellate(shape.type, shape.size, around, fit));
            }
        }
    }
}

/// Support function of a shape along a vector of any length, in extended precision.
long double find_support_height(ShapeType type, const Vec3& size, long double x, long double y, long double z)
{
    const long double a = size.x, b = size.y, c = size.z;
    switch (type)
    {
        case ShapeType::sphere:
            return a * std::sqrt(x * x + y * y + z * z);
        case ShapeType::capsule:
            return a * std::sqrt(x * x + y * y + z * z) + b * std::abs(z);
        case ShapeType::cylinder:
            return a * std::sqrt(x * x + y * y) + b * std::abs(z);
        case ShapeType::ellipsoid:
            return std::sqrt(a * a * x * x + b * b * y * y + c * c * z * z);
        default:
            return a * std::abs(x) + b * std::abs(y) + c * std::abs(z);
    }
}

TEST(Tessellate, meshes_are_closed_oriented_and_of_the_kind_of_a_sphere)
{
    for_each_mesh(
        [](const SolidVolume&, int, Fit, const MeshOptions& mesh)
        {
            EXPECT_FALSE(find_mesh_error(mesh).has_value());
            EXPECT_FALSE(find_open_edge(mesh).has_value()) << find_open_edge(mesh)->text();
            std::set<std::pair<int, int>> edges;
            std::set<int> used;
            for (const auto& [a, b, c] : mesh.triangles)
            {
                for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) edges.insert(std::minmax(from, to));
                used.insert({a, b, c});
            }
            EXPECT_EQ(used.size(), mesh.vertices.size());
            EXPECT_EQ(static_cast<int>(mesh.vertices.size() + mesh.triangles.size()) - static_cast<int>(edges.size()),
                      2)
                << "V - E + F";
        });
}

TEST(Tessellate, volumes_are_below_the_exact_one_inside_and_above_it_outside)
{
    for_each_mesh(
        [](const SolidVolume& shape, int around, Fit fit, const MeshOptions& mesh)
        {
            const double volume = compute_mass(ShapeType::mesh, {}, &mesh, MeshMass::exact, 1)->mass;
            if (shape.type == ShapeType::box)
                EXPECT_NEAR(volume, shape.volume, 1e-15);
            else if (fit == Fit::inscribed)
                EXPECT_LT(volume, shape.volume);
            else
                EXPECT_GT(volume, shape.volume);
            // 2 or 3 lengths, each wrong by at most 1.3 (pi / n)^2; around a ball four sides leave more than its volume
            const double tolerance = around == 100 ? 4e-3 : around > 4 ? 1 : 2;
            EXPECT_NEAR(volume, shape.volume, tolerance * shape.volume);
        });
}

TEST(Tessellate, a_circumscribed_mesh_contains_the_shape_without_any_tolerance)
{
    for_each_mesh(
        [](const SolidVolume& shape, int around, Fit fit, const MeshOptions& mesh)
        {
            if (fit != Fit::circumscribed || shape.type == ShapeType::box) return;
            const double error = find_tessellation_error(shape.type, shape.size, around, fit);
            for (const auto& triangle : mesh.triangles)
            {
                // The shape is below the plane of each triangle, and the plane is not further than the stated error.
                std::array<std::array<long double, 3>, 3> p;
                for (std::size_t k = 0; k < 3; ++k)
                {
                    const Vec3& v = mesh.vertices[static_cast<std::size_t>(triangle[k])];
                    p[k] = {v.x, v.y, v.z};
                }
                const auto edge = [&](std::size_t k, std::size_t axis) { return p[k][axis] - p[0][axis]; };
                const long double x = edge(1, 1) * edge(2, 2) - edge(1, 2) * edge(2, 1);
                const long double y = edge(1, 2) * edge(2, 0) - edge(1, 0) * edge(2, 2);
                const long double z = edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0);
                const long double height = x * p[0][0] + y * p[0][1] + z * p[0][2];
                const long double support = find_support_height(shape.type, shape.size, x, y, z);
                ASSERT_GE(height, support);
                EXPECT_LE((height - support) / std::sqrt(x * x + y * y + z * z), error);
            }
        });
}

/// How far a point of the shape's frame is outside the shape (negative: inside), for shapes with such a formula.
double find_height(ShapeType type, const Vec3& size, const Vec3& p)
{
    const double along = std::max(std::abs(p.z) - size.y, 0.0);
    if (type == ShapeType::sphere) return norm(p) - size.x;
    if (type == ShapeType::capsule) return std::hypot(p.x, p.y, along) - size.x;
    return std::hypot(p.x, p.y) - size.x;  // side of a cylinder
}

TEST(Tessellate, vertices_of_inscribed_meshes_are_on_the_surface)
{
    for_each_mesh(
        [](const SolidVolume& shape, int, Fit fit, const MeshOptions& mesh)
        {
            if (fit != Fit::inscribed) return;
            const Vec3& s = shape.size;
            for (const Vec3& v : mesh.vertices)
            {
                double off = 0;  // a length, or a fraction of it
                if (shape.type == ShapeType::ellipsoid)
                    off = norm(Vec3{v.x / s.x, v.y / s.y, v.z / s.z}) - 1;
                else if (shape.type == ShapeType::cylinder)
                    off = (std::hypot(v.x, v.y) > 0 ? std::hypot(v.x, v.y) - s.x : 0) + std::abs(v.z) - s.y;
                else if (shape.type != ShapeType::box)
                    off = find_height(shape.type, s, v);
                EXPECT_NEAR(off, 0, 4e-16 * (1 + s.y));  // a rounding or two of the largest number
            }
        });
}

TEST(Tessellate, the_stated_error_is_the_largest_of_many_distances)
{
    // Points of the mesh against the surface: inside a convex shape, and beside it, the signed distance says it all.
    ShapeRandom random(5);
    for_each_mesh(
        [&](const SolidVolume& shape, int around, Fit fit, const MeshOptions& mesh)
        {
            if (shape.type == ShapeType::ellipsoid || shape.type == ShapeType::box) return;
            const double error = find_tessellation_error(shape.type, shape.size, around, fit);
            double largest = 0;
            for (const auto& [a, b, c] : mesh.triangles)
            {
                const auto vertex = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
                if (shape.type == ShapeType::cylinder && vertex(a).z == vertex(b).z && vertex(b).z == vertex(c).z)
                    continue;
                for (int i = 0; i < 30; ++i)
                {
                    // the middles of edges and corners among them
                    double u = 0.25 * (i % 5), v = 0.25 * (i / 5 % 5);
                    if (i >= 25) u = random.uniform(), v = random.uniform();
                    if (u + v > 1) u = 1 - u, v = 1 - v;
                    const Vec3 point = vertex(a) + u * (vertex(b) - vertex(a)) + v * (vertex(c) - vertex(a));
                    largest = std::max(largest, std::abs(find_height(shape.type, shape.size, point)));
                }
            }
            EXPECT_LE(largest, error + 1e-13);  // rounding of places up to 50 m away: ten times their last bit
            EXPECT_GT(largest, 0.9 * error) << "attained";
        });
}

TEST(Tessellate, the_stated_error_bounds_that_of_ellipsoids)
{
    for_each_mesh(
        [](const SolidVolume& shape, int around, Fit fit, const MeshOptions& mesh)
        {
            if (shape.type != ShapeType::ellipsoid) return;
            const double error = find_tessellation_error(shape.type, shape.size, around, fit);
            // The ellipsoid grown (or shrunk) by the error along its normals has the support function h(n) + error |n|;
            // the mesh's is the largest of its vertices.
            ShapeRandom random(9);
            double largest = 0;
            for (int i = 0; i < 300; ++i)
            {
                Vec3 n = random.direction();
                if (i < 3) n = {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0};
                double height = 0;
                for (const Vec3& v : mesh.vertices) height = std::max(height, dot(n, v));
                const auto exact = static_cast<double>(find_support_height(shape.type, shape.size, n.x, n.y, n.z));
                largest = std::max(largest, std::abs(height - exact));
            }
            EXPECT_LE(largest, error * (1 + 1e-12));
            // Where the unit sphere's mesh errs most, the ellipsoid's errs by that times a length between the shortest
            // half-axis and the longest. The bound takes the longest; the directions miss the worst by a little.
            const Vec3& s = shape.size;
            const double shortest = std::min({s.x, s.y, s.z}), longest = std::max({s.x, s.y, s.z});
            EXPECT_GT(largest, 0.9 * shortest / longest * error) << "not much too large";
        });
}

TEST(Tessellate, the_error_falls_with_the_square_of_the_corners)
{
    for (const Fit fit : kFits)
    {
        for (const SolidVolume& shape : kCases)
        {
            const auto error = [&](int around) { return find_tessellation_error(shape.type, shape.size, around, fit); };
            if (shape.type == ShapeType::box)
                EXPECT_EQ(error(32), 0);
            else
                EXPECT_NEAR(error(64) / error(128), 4, 0.02) << to_string(shape.type);
        }
    }
}

TEST(Drawing, normals_agree_with_the_triangles)
{
    for (const auto& [type, size] : {std::pair{ShapeType::ellipsoid, Vec3{0.1, 0.4, 0.2}},
                                     {ShapeType::capsule, Vec3{0.2, 0.5, 0}},
                                     {ShapeType::cylinder, Vec3{0.2, 0.5, 0}},
                                     {ShapeType::box, Vec3{1, 2, 3}},
                                     {ShapeType::plane, Vec3{}}})
    {
        const Drawing drawing = draw_shape(type, size, nullptr, nullptr, 2);
        for (std::size_t i = 0; i < drawing.indices.size(); i += 3)
        {
            const auto corner = [&](std::size_t k) { return drawing.vertices[drawing.indices[i + k]]; };
            const Vec3 face = cross(corner(1) - corner(0), corner(2) - corner(0));
            ASSERT_GT(norm(face), 0);
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_GT(dot(drawing.normals[drawing.indices[i + k]], face) / norm(face), 0.8) << to_string(type);
        }
    }
}

}  // namespace
}  // namespace rattleback
