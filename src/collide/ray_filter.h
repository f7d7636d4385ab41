// Rays that do not see every shape.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

struct RayFilter
{
    int own_body = -1;  ///< its shapes are not seen; -1: all are
    /// Nor those without colour (opacity 0), nor planes from behind or beyond their size; of meshes the triangles are
    /// seen, whatever collides.
    bool as_seen = false;
};

/// As the public cast_ray, with the shapes that the filter lets through.
std::optional<ShapeHit> cast_ray(const Model& model, const ConstWorldView& world, const Vec3& origin,
                                 const Vec3& direction, double reach, const RayFilter& filter);

}  // namespace rattleback
