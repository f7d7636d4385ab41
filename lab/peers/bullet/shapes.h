// Our shapes and poses as Bullet's.
#pragma once

#include "geometry/placed_shape.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>

#include <memory>
#include <string>

namespace rattleback::lab
{

/// "bullet 3.24".
std::string bullet_version();

/// The convex shape with Bullet's margin as small as it goes; null for planes and what Bullet does not know.
std::unique_ptr<btConvexShape> make_bullet_shape(const PlacedShape& shape);

inline btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btTransform to_bullet(const PlacedShape& shape)
{
    const Mat3& r = shape.rotation;
    return btTransform(btMatrix3x3(r.m[0], r.m[1], r.m[2], r.m[3], r.m[4], r.m[5], r.m[6], r.m[7], r.m[8]),
                       to_bullet(shape.position));
}

}  // namespace rattleback::lab
