// Moving along a velocity: joint coordinates on their manifold, activations, kinematic bodies.
#pragma once

#include "base/flatten.h"
#include "dynamics/actuators.h"
#include "dynamics/workspace.h"
#include "math/rotation.h"

namespace rattleback
{

/// to = from * exp(u): turned by the rotation vector u in body axes.
template <class T>
RB_HD void turn_quaternion(const Vector3<T>& u, const T* from, T* to)
{
    // Normalised every time, so that rounding does not add up over a million steps.
    // From the right: body axes.
    const Quaternion<T> q = normalized(Quaternion<T>{from[0], from[1], from[2], from[3]} * exponential(u));
    to[0] = q.w;
    to[1] = q.x;
    to[2] = q.y;
    to[3] = q.z;
}

/// to = from (+) scale * rates, joint by joint.
template <class T>
RB_FLATTEN RB_HD void displace(const TreeView& tree, const T* from, const T* rates, double scale, T* to)
{
    const T s = T(scale);
    for (const TreeJoint& joint : tree.joints)
    {
        // q and v differ in length: quaternions have four numbers for three rates.
        int q = joint.q, v = joint.v;
        if (joint.type == JointType::hinge || joint.type == JointType::slide)
        {
            to[q] = from[q] + s * rates[v];
            continue;
        }
        if (joint.type == JointType::free)
        {
            for (int k = 0; k < 3; ++k) to[q + k] = from[q + k] + s * rates[v + k];
            q += 3;
            v += 3;
        }
        // The rate is in body axes: multiplied from the right.
        turn_quaternion(Vector3<T>{s * rates[v], s * rates[v + 1], s * rates[v + 2]}, from + q, to + q);
    }
}

/// q <- q (+) dt * v: quaternions turn by the exponential of the body rate and stay unit vectors.
template <class T>
RB_HD void advance_positions(const TreeView& tree, std::span<const T> v, double dt, std::span<T> q)
{
    // The exponential map of each joint: q (+) h v.
    displace(tree, q.data(), v.data(), dt, q.data());
}

/// q = start (+) displacement, with rotation vectors in body axes for balls and free joints.
template <class T>
RB_HD void displace_positions(const TreeView& tree, std::span<const T> start, std::span<const T> displacement,
                              std::span<T> q)
{
    displace(tree, start.data(), displacement.data(), 1.0, q.data());
}

/// act <- act after dt at w.act_rate, and delayed actuators remember their inputs.
template <class T>
RB_HD void advance_activations(WorkspaceView<T>& w, double dt)
{
    const ModelView& model = w.tree->arrays;
    const ActuatorsView& actuators = model.actuators;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        if (const int s = actuators.act_begin[a]; s >= 0)
            advance_activation(actuators, a, w.actuator_length[a], w.actuator_velocity[a], &w.act_rate[s], dt,
                               &w.act[s]);
        if (const int h = actuators.history_begin[a]; h >= 0)
            record_input(actuators, a, w.input[a], model.dt, dt, &w.act[h]);
    }
    // Rotation vectors are charts: kept below half a turn.
    shorten_turns(w);
}

/// Centre of mass of a body at a pose, world axes.
Vec3 center_of(const Model& model, int body, const Pose& pose);

/// Where a track is at `time` [s].
Pose track_pose(const Track& track, double time);

/// Motion of one kinematic body over a step: from its pose and velocity in `world` to the track or target at the end.
struct KinematicMotion
{
    Pose begin, end;
    Velocity begin_velocity;  ///< at the centre of mass
    Velocity end_velocity;    ///< mean over the step
};
KinematicMotion find_kinematic_motion(const Model& model, int body, const ConstWorldView& world,
                                      const ControlView& control, double time, double dt);

/// Pose at a fraction of the motion.
Pose interpolate(const KinematicMotion& motion, double fraction);

/// Places kinematic bodies (and what is fixed on them) of one lane at `fraction` of their motion; base velocity and
/// acceleration likewise. `motions` in the order of Tree::kinematic_bodies.
template <class T>
void place_kinematic_bodies(WorkspaceView<T>& w, int lane, std::span<const KinematicMotion> motions, double fraction,
                            double dt);

#if !defined(__CUDACC__)  // compiled once, in integrate.cpp
extern template void advance_positions(const TreeView&, std::span<const double>, double, std::span<double>);
extern template void advance_positions(const TreeView&, std::span<const Pack4>, double, std::span<Pack4>);
extern template void displace_positions(const TreeView&, std::span<const double>, std::span<const double>,
                                        std::span<double>);
extern template void displace_positions(const TreeView&, std::span<const Pack4>, std::span<const Pack4>,
                                        std::span<Pack4>);
extern template void advance_activations(WorkspaceView<double>&, double);
extern template void advance_activations(WorkspaceView<Pack4>&, double);
extern template void place_kinematic_bodies(WorkspaceView<double>&, int, std::span<const KinematicMotion>, double,
                                            double);
extern template void place_kinematic_bodies(WorkspaceView<Pack4>&, int, std::span<const KinematicMotion>, double,
                                            double);
#endif

}  // namespace rattleback
