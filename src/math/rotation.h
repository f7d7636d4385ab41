// Rotations: as quaternions of matrices, and by vectors: exponential, logarithm, and the derivative that links them.
#pragma once

#include <rattleback/math.h>

#include "math/elementary.h"

namespace rattleback
{

// Rotation vectors (axis times angle) are the algebra of unit quaternions: exponential and logarithm go to and fro, and
// their derivatives say how a vector changes while the body turns at a given rate.

/// Unit quaternion of a turn about the unit `axis` by `angle` [rad].
template <class T>
RB_HD Quaternion<T> turn(const Vec3& axis, const T& angle)
{
    T s, c;
    sincos(T(0.5) * angle, s, c);
    return {c, s * T(axis.x), s * T(axis.y), s * T(axis.z)};
}

/// Unit; what is unit to rounding stays as it is, so that building a model from a model's numbers changes no bit of
/// them.
RB_HD inline Quat make_unit(const Quat& q) { return std::abs(norm(q) - 1) < 1e-15 ? q : normalized(q); }
RB_HD inline Vec3 make_unit(const Vec3& a)
{
    const double length = norm(a);
    return std::abs(length - 1) < 1e-15 ? a : (1 / length) * a;
}

/// Unit quaternion of a rotation matrix. Divides by its largest member, which is at least one half.
RB_HD inline Quat to_quaternion(const Mat3& m)
{
    // Four times the squares of the members, from the diagonal; four times their products, from the rest.
    const double w = 1 + m(0, 0) + m(1, 1) + m(2, 2), x = 1 + m(0, 0) - m(1, 1) - m(2, 2);
    const double y = 1 - m(0, 0) + m(1, 1) - m(2, 2), z = 1 - m(0, 0) - m(1, 1) + m(2, 2);
    const double wx = m(2, 1) - m(1, 2), wy = m(0, 2) - m(2, 0), wz = m(1, 0) - m(0, 1);
    const double xy = m(1, 0) + m(0, 1), xz = m(0, 2) + m(2, 0), yz = m(2, 1) + m(1, 2);
    // A row of the products over its own square: dividing by the largest member keeps all digits.
    if (w >= x && w >= y && w >= z) return normalized(Quat{w, wx, wy, wz});
    if (x >= y && x >= z) return normalized(Quat{wx, x, xy, xz});
    if (y >= z) return normalized(Quat{wy, xy, y, yz});
    return normalized(Quat{wz, xz, yz, z});
}

/// Unit quaternion of the rotation vector u (axis times angle [rad]).
template <class T>
RB_HD Quaternion<T> exponential(const Vector3<T>& u)
{
    using std::sqrt;
    // exp(u) = (cos(a/2), sin(a/2) u / a): half angles, as everywhere with quaternions.
    const T squared = dot(u, u);
    const T angle = sqrt(squared);
    T s, c;
    sincos(T(0.5) * angle, s, c);
    // sin(angle/2) / angle, by its series where the division loses meaning
    const auto small = squared < T(1e-10);
    const T ratio = select(small, T(0.5) - squared * T(1.0 / 48.0), s / select(small, T(1.0), angle));
    return {c, ratio * u.x, ratio * u.y, ratio * u.z};
}

/// Rotation vector of the unit quaternion, length at most pi.
template <class T>
RB_HD Vector3<T> logarithm(const Quaternion<T>& q)
{
    // q and -q are the same rotation: the one with w >= 0 is the shorter turn.
    const T sign = select(q.w < T(0.0), T(-1.0), T(1.0));
    const Vector3<T> v{sign * q.x, sign * q.y, sign * q.z};
    const T w = sign * q.w;
    const T s = norm(v);
    // Near zero 2 asin(s) / s is 2 + s^2 / 3, and the second term below rounding.
    const auto small = s < T(1e-8);
    const T ratio = select(small, T(2.0), T(2.0) * angle_of(s, w) / select(small, T(1.0), s));
    return ratio * v;
}

/// u' for a rotation exp(u) on the right that turns with body rate w: w + u x w / 2 + u x (u x w) / 12, up to fourth
/// order in u (Munthe-Kaas 1998: enough for a fourth-order method).
template <class T>
RB_HD Vector3<T> exponential_rate(const Vector3<T>& u, const Vector3<T>& w)
{
    // Bernoulli's numbers: 1, 1/2, 1/12, 0: the next term is of fourth order.
    const Vector3<T> uw = cross(u, w);
    return w + T(0.5) * uw + T(1.0 / 12.0) * cross(u, uw);
}

/// u' for a rotation exp(u) that turns with rate w on the left (w in the axes that exp(u) maps to), |u| < 2 pi:
/// w - u x w / 2 + c u x (u x w), c = (1 - a / 2 cot(a / 2)) / a^2 with a = |u| (the inverse of the left Jacobian of
/// SO(3); its transpose is the same of -u).
template <class T>
RB_HD Vector3<T> logarithm_rate(const Vector3<T>& u, const Vector3<T>& w)
{
    using std::sqrt;
    const T squared = dot(u, u);
    const auto small = squared < T(1e-4);
    // Away from zero first: the quotient below must not divide by zero in lanes that use the series.
    const T half = T(0.5) * sqrt(select(small, T(1.0), squared));
    T s, c;
    sincos(half, s, c);
    // c = 1/12 + a^2 / 720 + a^4 / 30240 + ...
    const T series = T(1.0 / 12.0) + squared * (T(1.0 / 720.0) + squared * T(1.0 / 30240.0));
    const T factor = select(small, series, (T(1.0) - half * c / s) / (T(4.0) * half * half));
    const Vector3<T> uw = cross(u, w);
    return w - T(0.5) * uw + factor * cross(u, uw);
}

}  // namespace rattleback
