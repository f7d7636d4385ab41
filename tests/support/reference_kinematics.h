// Poses of a Model as products of homogeneous transforms, for any scalar; the ground of the reference dynamics.
#pragma once

#include "support/taylor.h"

#include <rattleback/model.h>

#include <array>
#include <span>
#include <vector>

namespace rattleback
{

/// Rigid transform x -> rotation * x + position.
template <class T>
struct Transform
{
    Matrix3<T> rotation{{T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}};
    Vector3<T> position;
};
template <class T>
Transform<T> operator*(const Transform<T>& a, const Transform<T>& b)
{
    return {a.rotation * b.rotation, a.position + a.rotation * b.position};
}
template <class T>
Vector3<T> apply(const Transform<T>& a, const Vector3<T>& point)
{
    return a.position + a.rotation * point;
}

template <class To, class From>
Vector3<To> cast(const Vector3<From>& a)
{
    return {To(a.x), To(a.y), To(a.z)};
}
template <class To, class From>
Matrix3<To> cast(const Matrix3<From>& a)
{
    Matrix3<To> b;
    for (int i = 0; i < 9; ++i) b.m[i] = To(a.m[i]);
    return b;
}

/// Rotation matrix of a quaternion of any length but zero.
Matrix3<Real> rotation_of(Real w, Real x, Real y, Real z);
/// The same of the quaternion that begins at one place of q.
Matrix3<Real> rotation_at(std::span<const double> q, int begin);
/// Rotation vector [rad] of a rotation matrix, at most pi long.
Vector3<Real> log_of(const Matrix3<Real>& rotation);
Transform<Real> transform_of(const Pose& pose);

/// Values of one time-dependent vector or rotation, and its derivatives at time 0.
Vector3<Real> value_of(const Vector3<Taylor>& a);
Vector3<Real> first_derivative(const Vector3<Taylor>& a);
Vector3<Real> second_derivative(const Vector3<Taylor>& a);
Matrix3<Real> value_of(const Matrix3<Taylor>& a);
/// Angular velocity and its rate, world axes, of a rotation that changes in time.
Vector3<Real> angular_velocity(const Matrix3<Taylor>& rotation);
Vector3<Real> angular_acceleration(const Matrix3<Taylor>& rotation);

/// Frames of all bodies along the motion q (+) v t with constant v.
struct Motion
{
    std::vector<Transform<Taylor>> body;       ///< [body_count], body frames in the world
    std::vector<Transform<Real>> before;       ///< [joint_count], the body's frame before the joint acts, at t = 0
    std::vector<Transform<Real>> after;        ///< [joint_count], the same just after it
    std::vector<Vector3<Taylor>> mass_centre;  ///< [body_count]
};

/// Kinematic bodies start at `body_pose` and keep their `body_velocity`; empty: authored pose, at rest.
Motion compute_motion(const Model& model, std::span<const double> q, std::span<const double> v,
                      std::span<const Pose> body_pose, std::span<const Velocity> body_velocity);

/// Lengths of all tendons along a motion with velocity v; empty v: at rest.
std::vector<Taylor> compute_tendon_lengths(const Model& model, const Motion& motion, std::span<const double> q,
                                           std::span<const double> v);

}  // namespace rattleback
