// Motion of a rigid group between the State's free joint and the solvers, and the forces on it.
#pragma once

#include "math/symmetric3.h"
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

template <class T>
Matrix3<T> cast(const Mat3& a)
{
    Matrix3<T> b;
    for (int k = 0; k < 9; ++k) b.m[k] = static_cast<T>(a.m[k]);
    return b;
}
template <class T>
Mat3 widen(const Matrix3<T>& a)
{
    Mat3 b;
    for (int k = 0; k < 9; ++k) b.m[k] = static_cast<double>(a.m[k]);
    return b;
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

/// Coordinates at the end of a step, which the world sees only when all of them are sound.
class EndCoordinates
{
public:
    explicit EndCoordinates(const Model& model) : q_(at(model.q_count())), v_(at(model.v_count())) {}

    /// Starts from what the world has.
    void start(const WorldView& world);
    /// The motion of a group, with its centre at `center_B` in the root's frame. False, with the culprit in the report,
    /// when it is not finite or absurd.
    bool set(const RigidGroup& group, const Vec3& center_B, const RigidMotion& motion, StepReport& report);
    void commit(const WorldView& world) const;

    const std::vector<double>& q() const { return q_; }
    const std::vector<double>& v() const { return v_; }

private:
    std::vector<double> q_, v_;
};

/// A step that would take more pairs of spheres than Neighbours::kMostPairs.
inline StepReport refuse_pairs(int pairs) { return {.status = StepStatus::capacity, .needed_capacity = pairs}; }

/// Sum of what acts on the bodies of a group beside gravity, torque about its centre of mass.
Wrench find_wrench(const ParticleSet& set, int group, const ControlView& control, const RigidMotion& motion);

/// R I R^T + extra 1 of an inertia in body axes, in world axes.
Symmetric3<double> rotate_inertia(const Mat3& inertia, const Quat& rotation, double extra = 0);

}  // namespace rattleback::particles
