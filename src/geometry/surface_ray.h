// Where a ray meets a triangle surface.
#pragma once

#include "geometry/ray.h"
#include "geometry/triangle_surface.h"

namespace rattleback
{

/// The first triangle on the ray, met from either side; origin and unit direction in the surface's frame.
std::optional<RayHit> cast_ray(const MeshSurface& surface, const Vec3& origin, const Vec3& direction, double reach);
std::optional<RayHit> cast_ray(const GridSurface& surface, const Vec3& origin, const Vec3& direction, double reach);

}  // namespace rattleback
