// Where a ray meets a shape.
#pragma once

#include "geometry/placed_shape.h"

#include <optional>

namespace rattleback
{

struct RayHit
{
    double distance = 0;  ///< from the origin along the unit direction [m]
    Vec3 normal;          ///< outward, unit, world
};

/// First point of the surface on the ray from `origin` along the unit `direction`, not further than `reach` [m]. A ray
/// that starts inside meets the surface where it leaves; a plane is met from either side.
std::optional<RayHit> cast_ray(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double reach);

}  // namespace rattleback
