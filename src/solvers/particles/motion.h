// Motion of one group between the State's free joint and the solvers, and forces on it.
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
struct Motion
{
    Quat rotation;
    Vec3 center;    ///< [m]
    Vec3 velocity;  ///< there [m/s]
    Vec3 spin;      ///< world axes [rad/s]
};

/// What the free joint of a group says; the centre is at `center_B` in the root's frame.
Motion read_motion(const Group& group, const Vec3& center_B, const WorldView& world);
void write_motion(const Group& group, const Vec3& center_B, const Motion& motion, std::vector<double>& q,
                  std::vector<double>& v);
/// True when the coordinates of a group are finite, its quaternion has unit length and its speed is not absurd.
bool is_sound(const Group& group, const std::vector<double>& q, const std::vector<double>& v);
/// What the free joint of a group does.
Vec3 read_position(const Group& group, const std::vector<double>& q);
Velocity read_velocity(const Group& group, const std::vector<double>& v);

/// Sum of what acts on the bodies of a group beside gravity, torque about its centre of mass.
Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const Motion& motion);

/// The solution of I x = b for a symmetric I = (xx, yy, zz, xy, xz, yz); zero where I is singular.
template <class T>
Vector3<T> solve_symmetric(const std::array<T, 6>& i, const Vector3<T>& b)
{
    const auto [xx, yy, zz, xy, xz, yz] = i;
    const T c00 = yy * zz - yz * yz, c01 = xz * yz - xy * zz, c02 = xy * yz - xz * yy;
    const T determinant = xx * c00 + xy * c01 + xz * c02;
    if (determinant == T(0)) return {};
    const T c11 = xx * zz - xz * xz, c12 = xy * xz - xx * yz, c22 = xx * yy - xy * xy;
    const T s = 1 / determinant;
    return {s * (c00 * b.x + c01 * b.y + c02 * b.z), s * (c01 * b.x + c11 * b.y + c12 * b.z),
            s * (c02 * b.x + c12 * b.y + c22 * b.z)};
}

/// An inertia given in body axes, with world axes and `extra` on its diagonal: xx, yy, zz, xy, xz, yz.
std::array<double, 6> turn_inertia(const Mat3& inertia, const Quat& rotation, double extra = 0);

/// Collects contacts and forces of a step and hands them over sorted.
class ContactList
{
public:
    explicit ContactList(const Model& model) : model_(model) {}

    void clear() { items_.clear(); }
    /// `normal` points towards shape `mine`, `force` acts on it [N].
    void add(int mine, int other, std::uint64_t feature, const Vec3& normal, const Vec3& point, double gap,
             double friction, const Vec3& force);
    void hand_over(Memory& memory);

private:
    struct Item
    {
        Contact contact;
        Wrench force;
    };
    const Model& model_;
    std::vector<Item> items_;
};

}  // namespace rattleback::particles
