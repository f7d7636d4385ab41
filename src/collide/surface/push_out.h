// The way out for what is wholly in a solid, or crosses edges of it.
#pragma once

#include "collide/manifold/flat_part.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/touch_surface.h"

#include <algorithm>
#include <limits>
#include <span>

namespace rattleback
{

/// Is the point in the solid?
template <class Surface>
bool lies_in(const Surface& surface, const Vec3& point)
{
    if (!surface.has_inside() || !overlaps({point, point}, surface.bounds())) return false;
    return find_nearest(surface, point, std::numeric_limits<double>::infinity()).distance < 0;
}

/// A contact that pushes the whole shape out through the face nearest to its `middle`, which is in the solid.
/// `find_reach(down)` says how far the shape goes from its middle along a unit direction [m].
template <class Surface, class FindReach>
ManifoldPoint push_out(const Surface& surface, const Vec3& middle, const FindReach& find_reach, std::uint64_t kind)
{
    const NearestOnSurface nearest = find_nearest(surface, middle, std::numeric_limits<double>::infinity());
    const SurfaceTriangle triangle = surface.triangle(nearest.triangle);
    const double reach = find_reach(-triangle.normal), distance = nearest.distance - reach;
    return {.point = middle - (reach + 0.5 * distance) * triangle.normal,
            .normal = triangle.normal,
            .distance = distance,
            .feature = make_surface_key(SurfacePart::inside, kind, triangle.patch)};
}

/// How far the furthest vertex is from `middle` along a unit direction: that of the hull, where a mesh is not convex.
inline double find_extent_of(std::span<const Vec3> vertices, const Vec3& middle, const Vec3& down)
{
    double reach = 0;
    for (const Vec3& vertex : vertices) reach = std::max(reach, dot(down, vertex - middle));
    return reach;
}

/// Edges are in the shape, and the shortest way out of each is no way out for the two solids: as for two thin boxes
/// that cross. Then the shape leaves along the direction between the faces of an edge in which it is least deep.
/// False where its centre is behind all of them.
template <class FindTriangle>
bool leave_edges(const PlacedShape& shape, const Vec3& center, const FindTriangle& find_triangle,
                 SurfaceScratch& scratch)
{
    double least = std::numeric_limits<double>::infinity();
    ManifoldPoint way_out{};
    constexpr int kDirections = 16;
    for (const SurfaceScratch::Edge& edge : scratch.crossed)
    {
        const SurfaceTriangle triangle = find_triangle(edge.triangle);
        const Vec3 &from = triangle.corner[edge.place], &to = triangle.corner[(edge.place + 1) % 3];
        for (int k = 0; k <= kDirections; ++k)
        {
            const double share = static_cast<double>(k) / kDirections;
            const Vec3 normal = make_unit((1 - share) * triangle.normal + share * triangle.beyond[edge.place]);
            const double depth = find_extent(shape, -normal) - dot(normal, shape.position - from);
            if (!(dot(normal, center - from) >= 0) || !(depth < least)) continue;
            least = depth;
            const Vec3 along = to - from;
            const double place = std::clamp(dot(center - from, along) / dot(along, along), 0.0, 1.0);
            way_out = {.point = from + place * along - (0.5 * depth) * normal,
                       .normal = normal,
                       .distance = -depth,
                       .feature = make_surface_key(SurfacePart::inside, 1, triangle.edge[edge.place])};
        }
    }
    if (!(least < std::numeric_limits<double>::infinity())) return false;
    scratch.points.push_back(way_out);
    return true;
}

}  // namespace rattleback
