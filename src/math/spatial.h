// Spatial algebra: motions, forces and inertias of rigid bodies about one reference point, world axes.
#pragma once

#include <rattleback/math.h>

#include "math/pack.h"

namespace rattleback
{

// Featherstone's spatial vectors without his frames: all of a tree are about one point and along the world's axes, so
// that sums need no transforms and only inertias are ever moved.

/// Angular velocity, and linear velocity of the body point at the reference (or the like for accelerations and joint
/// axes).
template <class T>
struct Motion
{
    Vector3<T> angular;
    Vector3<T> linear;
};
/// Torque about the reference, and force.
template <class T>
struct Force
{
    Vector3<T> torque;
    Vector3<T> force;
};

template <class T>
RB_HD Motion<T> operator+(const Motion<T>& a, const Motion<T>& b)
{
    // About the same point and along the same axes: components add.
    return {a.angular + b.angular, a.linear + b.linear};
}
template <class T>
RB_HD Force<T> operator+(const Force<T>& a, const Force<T>& b)
{
    return {a.torque + b.torque, a.force + b.force};
}
template <class T>
RB_HD Motion<T> operator*(const T& s, const Motion<T>& a)
{
    return {s * a.angular, s * a.linear};
}
/// Power of a force on a motion.
template <class T>
RB_HD T dot(const Motion<T>& m, const Force<T>& f)
{
    // A scalar: the same whatever reference point the two have in common.
    // Torque on turns, force on translations.
    return dot(m.angular, f.torque) + dot(m.linear, f.force);
}
/// Rate of a motion vector that is carried along by `v`.
template <class T>
RB_HD Motion<T> cross(const Motion<T>& v, const Motion<T>& m)
{
    // Featherstone 2008, ch. 2, spatial cross products: v x m, here with the angular part first.
    return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}
/// Rate of a force vector that is carried along by `v`.
template <class T>
RB_HD Force<T> cross(const Motion<T>& v, const Force<T>& f)
{
    // The dual, v x* f = - (v x)ᵀ f: power stays invariant.
    return {cross(v.angular, f.torque) + cross(v.linear, f.force), cross(v.angular, f.force)};
}

/// Inertia about the reference: ten numbers.
template <class T>
struct SpatialInertia
{
    T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};  ///< rotational, about the reference
    Vector3<T> moment;                     ///< mass times offset of the centre of mass
    T mass{};
};

template <class T>
RB_HD SpatialInertia<T>& operator+=(SpatialInertia<T>& a, const SpatialInertia<T>& b)
{
    a.xx += b.xx;
    a.yy += b.yy;
    a.zz += b.zz;
    a.xy += b.xy;
    a.xz += b.xz;
    a.yz += b.yz;
    a.moment += b.moment;
    a.mass += b.mass;
    return a;
}
template <class T>
RB_HD Force<T> operator*(const SpatialInertia<T>& i, const Motion<T>& m)
{
    // I v = (I w + m c x v, m v - m c x w).
    const Vector3<T>& w = m.angular;
    // Torque: rotational inertia and m c x v. Force: m v - m c x w.
    const Vector3<T> turned{i.xx * w.x + i.xy * w.y + i.xz * w.z, i.xy * w.x + i.yy * w.y + i.yz * w.z,
                            i.xz * w.x + i.yz * w.y + i.zz * w.z};
    return {turned + cross(i.moment, m.linear), i.mass * m.linear - cross(i.moment, w)};
}

/// Inertia of a body with principal `moments` along the columns of `axes`, its centre of mass at `offset` from the
/// reference.
template <class T>
RB_HD SpatialInertia<T> make_spatial_inertia(const T& mass, const Vector3<T>& moments, const Matrix3<T>& axes,
                                             const Vector3<T>& offset)
{
    SpatialInertia<T> i;
    // Sum of moments along the principal axes, R diag(I) Rᵀ, as three outer products.
    const Vector3<T> a = axes.column(0), b = axes.column(1), c = axes.column(2);
    const Vector3<T> da = moments.x * a, db = moments.y * b, dc = moments.z * c;
    // Parallel axis theorem: plus m (c^2 1 - c cᵀ).
    // m c, the first moment.
    const Vector3<T> h = mass * offset;
    const T hx = h.x * offset.x, hy = h.y * offset.y, hz = h.z * offset.z;
    i.xx = da.x * a.x + db.x * b.x + dc.x * c.x + (hy + hz);
    i.yy = da.y * a.y + db.y * b.y + dc.y * c.y + (hx + hz);
    i.zz = da.z * a.z + db.z * b.z + dc.z * c.z + (hx + hy);
    i.xy = da.x * a.y + db.x * b.y + dc.x * c.y - h.x * offset.y;
    i.xz = da.x * a.z + db.x * b.z + dc.x * c.z - h.x * offset.z;
    i.yz = da.y * a.z + db.y * b.z + dc.y * c.z - h.y * offset.z;
    i.moment = h;
    i.mass = mass;
    return i;
}

}  // namespace rattleback
