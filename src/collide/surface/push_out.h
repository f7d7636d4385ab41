// The way out for what has gone into a solid with its centre, or crosses edges of it.
#pragma once

#include "collide/manifold/flat_part.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/touch_surface.h"

#include <algorithm>
#include <limits>

namespace rattleback
{

/// Adds one contact that pushes the whole shape out through the face nearest to its centre, if the centre is inside.
/// `find_reach(down)` says how far the shape goes from its centre along a unit direction [m].
template <class Surface, class FindReach>
void push_out(const Surface& surface, const Vec3& center, const FindReach& find_reach, SurfaceScratch& scratch)
{
    if (!overlaps({center, center}, surface.bounds())) return;
    const NearestOnSurface nearest = find_nearest(surface, center, std::numeric_limits<double>::infinity());
    if (nearest.triangle < 0 || !(nearest.distance < 0)) return;
    const SurfaceTriangle triangle = surface.triangle(nearest.triangle);
    const double reach = find_reach(-triangle.normal), distance = nearest.distance - reach;
    scratch.points.push_back({.point = center - (reach + 0.5 * distance) * triangle.normal,
                              .normal = triangle.normal,
                              .distance = distance,
                              .feature = make_surface_key(SurfacePart::inside, 0, triangle.patch)});
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
