// The triangles of a mesh on those of another surface: corners on faces both ways, and edges that cross. Only what
// sticks out touches: a corner that is the furthest of its surroundings along the normal, an edge within its Voronoi
// region.
#include "base/index.h"
#include "collide/surface/choose_points.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/surface_pairs.h"
#include "collide/surface/triangle_tests.h"

#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kCornerSlack = 0.02;  // sine: how far a neighbour may lie below a corner that touches

Aabb find_box(const std::array<Vec3, 3>& corners, double margin)
{
    return inflate(merge(merge({corners[0], corners[0]}, {corners[1], corners[1]}), {corners[2], corners[2]}), margin);
}

/// The box around a box turned and moved.
Aabb turn_box(const Aabb& box, const Mat3& rotation, const Vec3& position)
{
    const Vec3 center = position + rotation * (0.5 * (box.lower + box.upper)), half = 0.5 * (box.upper - box.lower);
    Vec3 reach;
    for (int row = 0; row < 3; ++row)
        reach[row] = std::abs(rotation(row, 0)) * half.x + std::abs(rotation(row, 1)) * half.y +
                     std::abs(rotation(row, 2)) * half.z;
    return {center - reach, center + reach};
}

/// One number for two of them.
std::uint64_t mix(int a, int b) { return static_cast<std::uint64_t>(a) * 0x9e3779b1U + static_cast<std::uint64_t>(b); }

/// False for points behind a face, `distance` [m] (negative) away from it, that have left the solid on another side. An
/// edge that lies flat on another is on that side: a little beside it, when the two are tilted, still counts.
template <class Surface>
bool is_inside(const Surface& surface, const Vec3& point, double distance)
{
    return !surface.has_inside() ||
           find_nearest(surface, point, -(1 + 1e-9) * distance).distance <= -kCornerSlack * distance;
}

template <class Surface>
class MeshOnSurface
{
public:
    MeshOnSurface(const Surface& surface, const PlacedShape& placed, double reach, SurfaceScratch& scratch)
        : surface_(surface), placed_(placed), mesh_(*placed.mesh), reach_(reach), scratch_(scratch)
    {
        const Aabb box = mesh_.bounds();
        center_ = to_surface(0.5 * (box.lower + box.upper));
        surface_center_ = 0.5 * (surface_.bounds().lower + surface_.bounds().upper);
    }

    void touch()
    {
        // The part of the mesh near the surface, triangle by triangle, against the part of the surface near each.
        const Mat3 back = transpose(placed_.rotation);
        const Aabb near_mesh = turn_box(inflate(surface_.bounds(), reach_), back, -(back * placed_.position));
        mesh_.query(near_mesh, [&](int t) { touch_triangle(t); });
        drop_deeper_faces(scratch_);
        drop_long_ways(scratch_);
        if (scratch_.points.empty() && surface_.has_inside()) leave_inside();
    }

private:
    Vec3 to_surface(const Vec3& point) const { return placed_.position + placed_.rotation * point; }

    SurfaceTriangle place(SurfaceTriangle triangle) const
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            triangle.corner[i] = to_surface(triangle.corner[i]);
            triangle.beyond[i] = placed_.rotation * triangle.beyond[i];
        }
        triangle.normal = placed_.rotation * triangle.normal;
        return triangle;
    }

    void touch_triangle(int number_of_ours)
    {
        SurfaceTriangle ours = place(mesh_.triangle(number_of_ours));
        if (!mesh_.has_inside()) face(surface_center_, ours);
        surface_.query(find_box(ours.corner, reach_),
                       [&](int number)
                       {
                           SurfaceTriangle theirs = surface_.triangle(number);
                           if (!surface_.has_inside()) face(center_, theirs);
                           touch_corners(ours, theirs);
                           touch_faces(ours, theirs);
                           // From each of its triangles, for one of them may be too deep to be found: equal points
                           // have equal features.
                           for (std::size_t i = 0; i < 3; ++i)
                           {
                               if (!sticks_out(ours.kind[i])) continue;
                               for (std::size_t k = 0; k < 3; ++k)
                               {
                                   if (sticks_out(theirs.kind[k])) touch_edges(ours, i, theirs, k);
                               }
                           }
                       });
    }

    /// Sheets have two sides: the one towards the other's middle counts.
    static void face(const Vec3& other, SurfaceTriangle& triangle)
    {
        if (dot(triangle.normal, other - triangle.corner[0]) < 0) triangle = turn_over(triangle);
    }

    /// Corners of the mesh on a face of the surface.
    void touch_corners(const SurfaceTriangle& ours, const SurfaceTriangle& theirs)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const Vec3& corner = ours.corner[i];
            const double height = dot(theirs.normal, corner - theirs.corner[0]);
            if (height >= reach_) continue;
            const Over over = find_over(theirs, corner - height * theirs.normal, corner, height);
            if (over == Over::outside) continue;
            const Vec3 down = -transpose_times(placed_.rotation, theirs.normal);
            if (!mesh_.is_extreme(ours.vertex[i], down, kCornerSlack)) continue;
            if (height < 0 && !is_inside(surface_, corner, height)) continue;
            add(corner - (0.5 * height) * theirs.normal, theirs.normal, height,
                make_surface_key(SurfacePart::face, static_cast<std::uint64_t>(ours.vertex[i]), theirs.patch),
                over == Over::face ? static_cast<std::uint32_t>(2 * ours.vertex[i]) : kKeepsAll);
        }
    }

    /// Corners of the surface on a face of the mesh.
    void touch_faces(const SurfaceTriangle& ours, const SurfaceTriangle& theirs)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const Vec3& corner = theirs.corner[i];
            const double height = dot(ours.normal, corner - ours.corner[0]);
            if (height >= reach_) continue;
            const Over over = find_over(ours, corner - height * ours.normal, corner, height);
            if (over == Over::outside || !surface_.is_extreme(theirs.vertex[i], -ours.normal, kCornerSlack)) continue;
            const Vec3 local = transpose_times(placed_.rotation, corner - placed_.position);
            if (height < 0 && !is_inside(mesh_, local, height)) continue;
            add(corner - (0.5 * height) * ours.normal, -ours.normal, height,
                make_surface_key(SurfacePart::vertex, static_cast<std::uint64_t>(ours.patch), theirs.vertex[i]),
                over == Over::face ? static_cast<std::uint32_t>(2 * theirs.vertex[i] + 1) : kKeepsAll);
        }
    }

    /// Two edges that cross, seen along their common normal.
    void touch_edges(const SurfaceTriangle& ours, std::size_t i, const SurfaceTriangle& theirs, std::size_t k)
    {
        const Vec3 &a = ours.corner[i], &b = theirs.corner[k];
        const Vec3 u = ours.corner[(i + 1) % 3] - a, v = theirs.corner[(k + 1) % 3] - b;
        Vec3 normal = cross(u, v);
        const double sine = norm(normal), scale = norm(u) * norm(v);
        if (!(sine > 1e-3 * scale)) return;  // (nearly) parallel: their corners touch faces
        normal = (1 / sine) * normal;
        // From the surface to the mesh: away from what is behind the surface's edge.
        if (dot(normal, theirs.normal + theirs.beyond[k]) < 0) normal = -normal;
        const Vec3 way = a - b;
        const double distance = dot(normal, way);
        if (distance >= reach_) return;
        // Where the two lines pass each other: a + s u and b + t v with way + s u - t v along the normal.
        const Vec3 n = cross(u, v);
        const double square = dot(n, n), s = dot(cross(v, way), n) / square, t = dot(cross(u, way), n) / square;
        if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
        if (!faces_edge(theirs, k, normal, kCornerSlack) || !faces_edge(ours, i, -normal, kCornerSlack)) return;
        // Sunk into each other: each edge is in the other solid, or on its side.
        const Vec3 ours_at = a + s * u, theirs_at = b + t * v;
        if (distance < 0 &&
            !(is_inside(surface_, ours_at, distance) &&
              is_inside(mesh_, transpose_times(placed_.rotation, theirs_at - placed_.position), distance)))
            return;
        add(theirs_at + (0.5 * distance) * normal, normal, distance,
            make_surface_key(SurfacePart::edge, mix(ours.edge[i], 0), theirs.edge[k]), kKeepsAll);
    }

    void add(const Vec3& point, const Vec3& normal, double distance, std::uint64_t feature, std::uint32_t source)
    {
        scratch_.points.push_back({.point = point, .normal = normal, .distance = distance, .feature = feature});
        scratch_.source.push_back(source);
    }

    void leave_inside()
    {
        if (!overlaps({center_, center_}, surface_.bounds())) return;
        const NearestOnSurface nearest = find_nearest(surface_, center_, std::numeric_limits<double>::infinity());
        if (nearest.triangle < 0 || !(nearest.distance < 0)) return;
        const SurfaceTriangle triangle = surface_.triangle(nearest.triangle);
        const Vec3 down = -transpose_times(placed_.rotation, triangle.normal);
        double extent = 0;
        for (const Vec3& vertex : mesh_.vertices())
            extent =
                std::max(extent, dot(down, vertex - transpose_times(placed_.rotation, center_ - placed_.position)));
        const double distance = nearest.distance - extent;
        scratch_.points.push_back({.point = center_ - (extent + 0.5 * distance) * triangle.normal,
                                   .normal = triangle.normal,
                                   .distance = distance,
                                   .feature = make_surface_key(SurfacePart::inside, 0, triangle.patch)});
    }

    const Surface& surface_;
    const PlacedShape& placed_;
    const MeshSurface& mesh_;
    double reach_;
    SurfaceScratch& scratch_;
    Vec3 center_, surface_center_;
};

}  // namespace

void touch_mesh(const PlacedShape& surface, const PlacedShape& mesh, double reach, SurfaceScratch& scratch)
{
    if (surface.mesh != nullptr)
        MeshOnSurface(*surface.mesh, mesh, reach, scratch).touch();
    else
        MeshOnSurface(*surface.grid, mesh, reach, scratch).touch();
}

}  // namespace rattleback
