// Mass, centre and inertia of meshes: exact polynomial integrals over tetrahedra, triangles, segments and points.
#include "geometry/mesh_mass.h"

#include <algorithm>
#include <span>
#include <string>

#include "geometry/hull.h"

namespace rattleback
{
namespace
{

// A solid thinner than this fraction of its size is flat: below it, rounding decides the volume.
constexpr double kNoVolume = 1e-12;

// Masses of meshes are integrals of polynomials of second degree over simplices, which are exact in closed form: no
// sampling. A solid is the sum of signed tetrahedra over its triangles, for any common apex.

/// Integrals of 1, x and x xᵀ over a set of simplices.
struct Moments
{
    double measure = 0;  ///< count, length, area or volume
    Vec3 first;
    Mat3 second;
};

/// Adds the simplex with these corners. With d + 1 corners v and their sum s, the integral of x xᵀ over it is
/// measure / ((d + 1)(d + 2)) * (sum of v vᵀ + s sᵀ), in any dimension d.
void add_simplex(std::span<const Vec3> corners, double measure, Moments& moments)
{
    // d + 1 corners: 1 for points, 2 for segments, 3 for triangles, 4 for tetrahedra.
    const double n = static_cast<double>(corners.size());
    Vec3 sum;
    Mat3 products;
    for (const Vec3& v : corners)
    {
        sum += v;
        for (int i = 0; i < 3; ++i)
        {
            // v vᵀ of the corners.
            for (int j = 0; j < 3; ++j) products(i, j) += v[i] * v[j];
        }
    }
    // For tetrahedra d + 1 = 4: volume / 20, for triangles area / 12, for segments length / 6.
    const double scale = measure / (n * (n + 1));
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) moments.second(i, j) += scale * (products(i, j) + sum[i] * sum[j]);
    }
    moments.first += (measure / n) * sum;
    moments.measure += measure;
}

Vec3 find_middle(const MeshOptions& mesh)
{
    // Bounding box: a point near the mesh, from which moments lose few digits.
    Vec3 lower = mesh.vertices.front(), upper = lower;
    for (const Vec3& v : mesh.vertices)
    {
        for (int i = 0; i < 3; ++i)
        {
            lower[i] = std::min(lower[i], v[i]);
            upper[i] = std::max(upper[i], v[i]);
        }
    }
    // Halves first: the sum of two huge coordinates would overflow.
    return 0.5 * lower + 0.5 * upper;
}

double find_extent(const MeshOptions& mesh, const Vec3& origin)
{
    double extent = 0;
    for (const Vec3& v : mesh.vertices) extent = std::max(extent, norm(v - origin));
    return extent;
}

Moments integrate_points(const MeshOptions& mesh, const Vec3& origin)
{
    Moments moments;
    // Points of equal weight.
    for (const Vec3& v : mesh.vertices)
    {
        const Vec3 corner = v - origin;
        add_simplex({&corner, 1}, 1, moments);
    }
    return moments;
}

Moments integrate_segments(const MeshOptions& mesh, const Vec3& origin)
{
    Moments moments;
    for (const auto& [a, b] : mesh.edges)
    {
        const Vec3 corners[2] = {mesh.vertices[static_cast<std::size_t>(a)] - origin,
                                 mesh.vertices[static_cast<std::size_t>(b)] - origin};
        // Rods of equal weight per length.
        add_simplex(corners, norm(corners[1] - corners[0]), moments);
    }
    return moments;
}

/// Tetrahedra from `origin` to every triangle (the fourth corner is zero), or the triangles themselves for a shell.
Moments integrate_triangles(const MeshOptions& mesh, MeshMass rule, const Vec3& origin)
{
    Moments moments;
    for (const auto& [a, b, c] : mesh.triangles)
    {
        // Corners about the origin that was given; the fourth is that origin.
        const Vec3 corners[4] = {mesh.vertices[static_cast<std::size_t>(a)] - origin,
                                 mesh.vertices[static_cast<std::size_t>(b)] - origin,
                                 mesh.vertices[static_cast<std::size_t>(c)] - origin,
                                 {}};
        const Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);  // twice the area long
        if (rule == MeshMass::shell)
        {
            // A shell is its triangles, weighed by area.
            add_simplex(std::span(corners, 3), norm(normal) / 2, moments);
            continue;
        }
        // Signed volumes of tetrahedra with a common apex add up to that of the solid (divergence theorem).
        // A sixth of the triple product, negative where the triangle looks towards the apex.
        const double volume = dot(corners[0], normal) / 6;
        // MuJoCo's old rule counts every tetrahedron as positive, also those that lie outside.
        add_simplex(corners, rule == MeshMass::legacy ? std::abs(volume) : volume, moments);
    }
    return moments;
}

Vec3 find_center(const Moments& moments, const Vec3& origin) { return origin + (1 / moments.measure) * moments.first; }

/// From moments taken about the centre of mass.
MassProperties make_mass(const Moments& moments, const Vec3& center)
{
    MassProperties result{.mass = moments.measure, .center = center};
    const Mat3& s = moments.second;
    // I = tr(S) 1 - S of the second moments S.
    const double trace = s(0, 0) + s(1, 1) + s(2, 2);
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) result.inertia(i, j) = (i == j ? trace : 0) - s(i, j);
    }
    return result;
}

Error make_missing(const char* what)
{
    return {.code = ErrorCode::invalid_value, .message = std::string("the mesh has no ") + what};
}

Error make_no_volume()
{
    return {.code = ErrorCode::invalid_value,
            .message = "the mesh is a solid without volume",
            .hint = "use the `surface` shape for a thin object, or the mass rule `shell`"};
}

Result<MassProperties> compute_points(const MeshOptions& mesh)
{
    if (mesh.vertices.empty()) return make_missing("vertices");
    // Twice: about the middle for the centre, about the centre for the moments.
    const Vec3 middle = find_middle(mesh);
    const Vec3 center = find_center(integrate_points(mesh, middle), middle);
    return make_mass(integrate_points(mesh, center), center);
}

Result<MassProperties> compute_segments(const MeshOptions& mesh)
{
    if (mesh.edges.empty()) return make_missing("edges");
    const Vec3 middle = find_middle(mesh);
    const Moments moments = integrate_segments(mesh, middle);
    if (!(moments.measure > 0)) return make_missing("edge with a length");
    // Two passes: about the middle for the centre, about the centre for the moments.
    const Vec3 center = find_center(moments, middle);
    return make_mass(integrate_segments(mesh, center), center);
}

/// All rules but convex. The first pass finds the centre, the second integrates about it: that keeps the digits of a
/// mesh far from its origin. Tetrahedra start at the area centroid, then at the centre of mass, which makes no
/// difference to signed volumes and is what MuJoCo does with absolute ones.
Result<MassProperties> compute_triangles(const MeshOptions& mesh, MeshMass rule)
{
    if (mesh.triangles.empty()) return make_missing("triangles");
    // The area centroid first: for absolute volumes it matters where the apex is.
    const Vec3 middle = find_middle(mesh);
    const Moments area = integrate_triangles(mesh, MeshMass::shell, middle);
    const bool thin = rule == MeshMass::shell;
    if (!(area.measure > 0)) return thin ? make_missing("triangle with an area") : make_no_volume();

    const Vec3 centroid = find_center(area, middle);
    if (thin) return make_mass(integrate_triangles(mesh, rule, centroid), centroid);

    // Relative to area times size: a sheet has volume only by rounding.
    const Moments volume = integrate_triangles(mesh, rule, centroid);
    if (std::abs(volume.measure) <= kNoVolume * area.measure * find_extent(mesh, centroid)) return make_no_volume();
    if (volume.measure < 0)
    {
        return Error{.code = ErrorCode::invalid_value,
                     .message = "the volume of the mesh is negative",
                     .hint = "the mesh is inside-out: list triangles counter-clockwise from outside"};
    }
    const Vec3 center = find_center(volume, centroid);
    return make_mass(integrate_triangles(mesh, rule, center), center);
}

Result<MassProperties> compute_hull_mass(const MeshOptions& mesh)
{
    // The hull of the vertices, whatever the triangles are.
    const Result<MeshOptions> hull = compute_hull(mesh.vertices);
    // Any cloud of vertices has a hull, and a hull is closed.
    if (!hull) return hull.errors();
    return compute_triangles(hull.value(), MeshMass::exact);
}

}  // namespace

Result<MassProperties> compute_mesh_mass(ShapeType type, const MeshOptions& mesh, MeshMass rule)
{
    // By type, then by rule.
    if (auto error = find_mesh_error(mesh)) return *error;
    if (type == ShapeType::points) return compute_points(mesh);
    if (type == ShapeType::segments) return compute_segments(mesh);
    if (type == ShapeType::surface) return compute_triangles(mesh, MeshMass::shell);
    if (type == ShapeType::hull || rule == MeshMass::convex) return compute_hull_mass(mesh);
    // An open mesh has no inside: the signed sum would depend on the apex.
    if (rule == MeshMass::exact && !mesh.triangles.empty())
    {
        if (auto error = find_open_edge(mesh)) return *error;
    }
    return compute_triangles(mesh, rule);
}

Result<MassProperties> compute_pyramid_mass(const MeshOptions& mesh)
{
    if (auto error = find_mesh_error(mesh)) return *error;
    // An open mesh has no volume: its pyramids are MuJoCo's word for it.
    return compute_triangles(mesh, MeshMass::exact);
}

}  // namespace rattleback
