// How large a placed shape is, and on which side of its surface a point lies.
#pragma once

#include "geometry/placed_shape.h"

namespace rattleback
{

/// Radius about the shape's origin [m]; zero for planes.
double find_radius(const PlacedShape& shape);

/// Negative inside, positive outside, and on a line the further out the larger; near the surface within a factor of the
/// shape's aspect of the distance [m].
double find_level(const PlacedShape& shape, const Vec3& point);

}  // namespace rattleback
