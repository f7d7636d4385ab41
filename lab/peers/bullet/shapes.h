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

/// Bullet rounds its shapes by a margin.
enum class BulletMargin
{
    none,   ///< as small as it goes: exact shapes
    inner,  ///< its standard margin, taken off the shape first: exact faces, round edges, quick and steady contacts
};

/// The convex shape; null for planes and what Bullet does not know.
std::unique_ptr<btConvexShape> make_bullet_shape(const PlacedShape& shape, BulletMargin margin = BulletMargin::none);

inline btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btTransform to_bullet(const Pose& pose)
{
    const Quat& q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(pose.position));
}
inline Pose from_bullet(const btTransform& transform)
{
    const btQuaternion q = transform.getRotation();
    return {from_bullet(transform.getOrigin()), {q.w(), q.x(), q.y(), q.z()}};
}
inline btTransform to_bullet(const PlacedShape& shape)
{
    const Mat3& r = shape.rotation;
    return btTransform(btMatrix3x3(r.m[0], r.m[1], r.m[2], r.m[3], r.m[4], r.m[5], r.m[6], r.m[7], r.m[8]),
                       to_bullet(shape.position));
}

}  // namespace rattleback::lab
