// Distances of shapes made of triangles: to a point, and to any other shape.
#pragma once

#include "collide/surface/touch_surface.h"
#include "geometry/distance.h"

#include <rattleback/query.h>

#include <optional>

namespace rattleback
{

/// Signed distance of two shapes one of which, at least, is a mesh, sheet or height field; nothing where the two never
/// meet (see never_touch()). Apart it is the distance of the surfaces; overlapping it is the depth of the deepest
/// contact, which is not the shortest way out of a shape that is not convex. Nothing, too, where they are further apart
/// than `limit` [m]: the search goes no further.
std::optional<ShapeDistance> find_surface_distance(const PlacedShape& first, const PlacedShape& second, double limit,
                                                   SurfaceScratch& scratch);

/// The surface of any placed shape but points and segments seen from a point [m, world]: first the shape, then the
/// point. Negative inside of what has an inside.
ShapeDistance find_point_distance(const PlacedShape& shape, const Vec3& point);

/// As find_distance(), of what is not further apart than `limit` [m].
std::optional<ShapeGap> find_distance_within(const Model& model, const ConstWorldView& world, ShapeId first,
                                             ShapeId second, double limit, SurfaceScratch& scratch);

}  // namespace rattleback
