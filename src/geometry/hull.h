// Convex hull of points in space.
#pragma once

#include <rattleback/error.h>
#include <rattleback/shapes.h>

#include <span>

namespace rattleback
{

/// The convex hull as a closed mesh: triangles counter-clockwise from outside; the vertices are the points on it, in
/// the order in which `points` gives them. Errors: fewer than four points, a point that is not finite, all points in a
/// plane (up to rounding); `where` is left empty for the caller to fill.
Result<MeshOptions> compute_hull(std::span<const Vec3> points);

}  // namespace rattleback
