// Motion of a rigid group between the State's free joint and the solvers, and the forces on it.
#pragma once

#include "solvers/particles/particle_set.h"

namespace rattleback::particles
{

template <class T>
Vector3<T> cast(const Vec3& a)
{
    return {static_cast<T>(a.x), static_cast<T>(a.y), static_cast<T>(a.z)};
}
template <class T>
Vec3 widen(const Vector3<T>& a)
{
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

/// A rigid motion about a centre of mass.
struct RigidMotion
{
    Quat rotation;
    Vec3 center;            ///< [m]
    Vec3 velocity;          ///< there [m/s]
    Vec3 angular_velocity;  ///< world axes [rad/s]
};

/// What the free joint of a group says; the centre is at `center_B` in the root's frame.
RigidMotion read_motion(const RigidGroup& group, const Vec3& center_B, const WorldView& world);
void write_motion(const RigidGroup& group, const Vec3& center_B, const RigidMotion& motion, std::vector<double>& q,
                  std::vector<double>& v);
/// True when the coordinates of a group are finite, its quaternion has unit length and its speed is not absurd;
/// otherwise the report says diverged and names the body.
bool check_motion(const RigidGroup& group, const std::vector<double>& q, const std::vector<double>& v,
                  StepReport& report);

/// Sum of what acts on the bodies of a group beside gravity, torque about its centre of mass.
Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const RigidMotion& motion);

/// The solution of I x = b for a symmetric I = (xx, yy, zz, xy, xz, yz); zero where I is singular.
template <class T>
Vector3<T> solve_symmetric(const std::array<T, 6>& i, const Vector3<T>& b)
{
    // Cramer's rule with the cofactors c of I.
    const auto [xx, yy, zz, xy, xz, yz] = i;
    const T c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
    const T determinant = xx * c00 + xy * c01 + xz * c02;
    if (determinant == T(0)) return {};
    const T c11 = xx * zz - xz * xz, c12 = xy * xz - xx * yz, c22 = xx * yy - xy * xy;
    const T s = 1 / determinant;
    return {s * (c00 * b.x + c01 * b.y + c02 * b.z), s * (c01 * b.x + c11 * b.y + c12 * b.z),
            s * (c02 * b.x + c12 * b.y + c22 * b.z)};
}

/// R I R^T + extra 1 of an inertia in body axes: xx, yy, zz, xy, xz, yz in world axes.
std::array<double, 6> rotate_inertia(const Mat3& inertia, const Quat& rotation, double extra = 0);

}  // namespace rattleback::particles
