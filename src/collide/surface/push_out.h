// The way out for what has gone into a solid with its centre.
#pragma once

#include "collide/surface/surface_key.h"
#include "collide/surface/touch_surface.h"

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

}  // namespace rattleback
