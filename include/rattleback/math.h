// Vectors, quaternions, 3x3 matrices and poses, templated on the scalar; no heap, host and device.
#pragma once

#include <rattleback/api.h>
#include <rattleback/error.h>

#include <cmath>

namespace rattleback RATTLEBACK_API
{

template <class T>
struct Vector3
{
    T x{};
    T y{};
    T z{};

    RB_HD constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    RB_HD constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    friend constexpr bool operator==(const Vector3&, const Vector3&) = default;
};

template <class T>
RB_HD constexpr Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
RB_HD constexpr Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
RB_HD constexpr Vector3<T> operator-(const Vector3<T>& a)
{
    return {-a.x, -a.y, -a.z};
}
template <class T, class S>
RB_HD constexpr Vector3<T> operator*(const S& s, const Vector3<T>& a)
{
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
RB_HD constexpr Vector3<T>& operator+=(Vector3<T>& a, const Vector3<T>& b)
{
    return a = a + b;
}
template <class T>
RB_HD constexpr Vector3<T>& operator-=(Vector3<T>& a, const Vector3<T>& b)
{
    return a = a - b;
}
template <class A, class B>
RB_HD constexpr auto dot(const Vector3<A>& a, const Vector3<B>& b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
RB_HD constexpr auto cross(const Vector3<A>& a, const Vector3<B>& b)
{
    return Vector3<decltype(a.x * b.x)>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
RB_HD T norm(const Vector3<T>& a)
{
    using std::sqrt;
    return sqrt(dot(a, a));
}

/// Unit quaternion (w, x, y, z), the rotation from the body's axes to the parent's.
template <class T>
struct Quaternion
{
    T w{1};
    T x{};
    T y{};
    T z{};

    friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class A, class B>
RB_HD constexpr auto operator*(const Quaternion<A>& a, const Quaternion<B>& b)
{
    return Quaternion<decltype(a.w * b.w)>{
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
RB_HD constexpr Quaternion<T> conjugate(const Quaternion<T>& q)
{
    return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
RB_HD T norm(const Quaternion<T>& q)
{
    using std::sqrt;
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
template <class T>
RB_HD Quaternion<T> normalized(const Quaternion<T>& q)
{
    const T s = T(1.0) / norm(q);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// Row-major 3x3 matrix.
template <class T>
struct Matrix3
{
    T m[9]{};

    RB_HD constexpr T& operator()(int row, int column) { return m[3 * row + column]; }
    RB_HD constexpr const T& operator()(int row, int column) const { return m[3 * row + column]; }
    RB_HD constexpr Vector3<T> column(int c) const { return {m[c], m[3 + c], m[6 + c]}; }
    friend constexpr bool operator==(const Matrix3&, const Matrix3&) = default;
};

template <class A, class B>
RB_HD constexpr auto operator*(const Matrix3<A>& a, const Vector3<B>& v)
{
    return Vector3<decltype(a.m[0] * v.x)>{a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z,
                                           a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
                                           a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
template <class A, class B>
RB_HD constexpr auto operator*(const Matrix3<A>& a, const Matrix3<B>& b)
{
    Matrix3<decltype(a.m[0] * b.m[0])> c;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    }
    return c;
}
template <class T>
RB_HD constexpr Matrix3<T> transpose(const Matrix3<T>& a)
{
    return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
/// Product with the transpose: aᵀ v.
template <class A, class B>
RB_HD constexpr auto transpose_times(const Matrix3<A>& a, const Vector3<B>& v)
{
    return Vector3<decltype(a.m[0] * v.x)>{a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z,
                                           a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
                                           a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}
/// Rotation matrix of a unit quaternion.
template <class T>
RB_HD constexpr Matrix3<T> to_matrix(const Quaternion<T>& q)
{
    const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const T wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    const T xx = q.x * x2, xy = q.x * y2, xz = q.x * z2, yy = q.y * y2, yz = q.y * z2, zz = q.z * z2;
    const T one = T(1.0);
    return {{one - (yy + zz), xy - wz, xz + wy, xy + wz, one - (xx + zz), yz - wx, xz - wy, yz + wx, one - (xx + yy)}};
}
/// q v q*, the vector v turned by the unit quaternion q.
template <class A, class B>
RB_HD constexpr auto rotate(const Quaternion<A>& q, const Vector3<B>& v)
{
    const Vector3<A> u{q.x, q.y, q.z};
    const auto t = cross(u, v);
    const auto t2 = t + t;
    return Vector3<decltype(q.w * v.x)>{v.x, v.y, v.z} + q.w * t2 + cross(u, t2);
}

/// Where a frame is: position of its origin and rotation of its axes, both measured in the parent frame.
template <class T>
struct PoseOf
{
    Vector3<T> position;
    Quaternion<T> rotation;

    friend constexpr bool operator==(const PoseOf&, const PoseOf&) = default;
};
template <class T>
RB_HD constexpr PoseOf<T> operator*(const PoseOf<T>& a, const PoseOf<T>& b)
{
    return {a.position + rotate(a.rotation, b.position), a.rotation * b.rotation};
}
template <class T>
RB_HD constexpr PoseOf<T> inverse(const PoseOf<T>& a)
{
    const Quaternion<T> r = conjugate(a.rotation);
    return {-rotate(r, a.position), r};
}

using Vec3 = Vector3<double>;
using Quat = Quaternion<double>;
using Mat3 = Matrix3<double>;
using Pose = PoseOf<double>;

/// Linear and angular velocity [m/s, rad/s] of a body: at its centre of mass, world axes.
struct Velocity
{
    Vec3 linear;
    Vec3 angular;

    friend constexpr bool operator==(const Velocity&, const Velocity&) = default;
};

/// Force and torque [N, N m]: at the centre of mass (or at the contact point where so said), world axes.
struct Wrench
{
    Vec3 force;
    Vec3 torque;

    friend constexpr bool operator==(const Wrench&, const Wrench&) = default;
};

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kDegree = kPi / 180;  ///< [rad]

/// Unit quaternion of a turn by `angle` [rad] about `axis` (any length but zero).
Quat from_axis_angle(const Vec3& axis, double angle);

}  // namespace rattleback
