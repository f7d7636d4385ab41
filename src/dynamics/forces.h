// All forces on the joints that depend on position and velocity: passive, applied and total ones, and the stages that
// gather them.
#pragma once

#include <rattleback/report.h>

#include "base/stage_timer.h"
#include "dynamics/actuators.h"
#include "dynamics/bias.h"
#include "dynamics/fluid.h"
#include "dynamics/jacobian.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "dynamics/tendons.h"
#include "math/rotation.h"

namespace rattleback
{

/// In the place of a StageTimer where no clock is.
struct NoTimer
{
    RB_HD void mark(int) const {}
};

/// Torque of a ball joint's (or a free joint's rotational) spring per unit stiffness: minus the turn from rest, body
/// axes.
template <class T>
RB_HD Vector3<T> rotation_spring(const Quaternion<T>& q, const Quat& rest)
{
    // log(rest^-1 q): the shortest rotation from rest to now, in body axes as the dofs of a ball are.
    return -logarithm(broadcast<T>(conjugate(rest)) * q);
}

/// -k (q - rest) for each coordinate; rotations by their rotation vector.
template <class T>
RB_HD void add_joint_spring(WorkspaceView<T>& w, const TreeJoint& joint)
{
    const ModelView& model = w.tree->arrays;
    const T k = T(model.joints.stiffness[joint.joint]);
    const std::span<const double> rest = model.spring_q;
    // Coordinates and dofs of a free joint: three translations, then the rotation.
    int q = joint.q, v = joint.v;
    if (joint.type == JointType::hinge || joint.type == JointType::slide)
    {
        w.passive[v] -= k * (w.q[q] - T(rest[q]));
        return;
    }
    if (joint.type == JointType::free)
    {
        for (int i = 0; i < 3; ++i) w.passive[v + i] -= k * (w.q[q + i] - T(rest[q + i]));
        q += 3;
        v += 3;
    }
    const Quaternion<T> now = normalized(Quaternion<T>{w.q[q], w.q[q + 1], w.q[q + 2], w.q[q + 3]});
    const Vector3<T> torque = rotation_spring(now, Quat{rest[q], rest[q + 1], rest[q + 2], rest[q + 3]});
    for (int i = 0; i < 3; ++i) w.passive[v + i] += k * torque[i];
}

/// Adds to `out` the joint forces of a force at the body's centre of mass and a torque, world axes.
template <class T>
RB_HD void add_body_force(const WorkspaceView<T>& w, int body, const Force<T>& at_center, std::span<T> out)
{
    const ModelView& model = w.tree->arrays;
    // J^T of a wrench at the centre of mass: only dofs on the path to the root feel it.
    for (int d = model.bodies.last_dof[body]; d >= 0; d = model.dofs.parent[d])
    {
        const Motion<T>& dof = w.dof[d];
        out[d] +=
            dot(at_center.force, point_velocity(w, dof, body, w.center[body])) + dot(at_center.torque, dof.angular);
    }
}

/// Dampers and springs of joints and tendons, and the medium.
template <class T>
RB_HD void compute_passive(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    // -B v; overwrites what the last stage left.
    for (std::size_t d = 0; d < w.passive.size(); ++d) w.passive[d] = -(T(model.dofs.damping[d]) * w.v[d]);
    for (const int j : w.tree->sprung_joints) add_joint_spring(w, w.tree->joints[j]);
    add_tendon_forces(w);
    add_fluid_forces(w);
}

/// Holds up a part of each body's weight; where the joint says so the force counts as the actuator's.
template <class T>
RB_HD void add_gravity_compensation(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    if (w.tree->bodies_with_compensation.empty()) return;
    // `applied` serves as scratch here; compute_applied fills it afterwards.
    for (T& force : w.applied) force = T(0.0);
    for (const int b : w.tree->bodies_with_compensation)
    {
        const Vector3<T> lift = (T(-model.bodies.gravity_compensation[b]) * w.mass[b]) * w.gravity[0];
        add_body_force<T>(w, b, {{}, lift}, w.applied);
    }
    for (int d = 0; d < model.v_count(); ++d)
    {
        const bool by_actuator = model.joints.gravity_compensation_by_actuator[model.dofs.joint[d]] != 0;
        // A joint may have its actuator hold the weight, so that it counts against the actuator's limits.
        (by_actuator ? w.actuation : w.passive)[d] += w.applied[d];
    }
}

/// Joint forces of the caller, and wrenches on bodies through Jᵀ.
template <class T>
RB_HD void compute_applied(WorkspaceView<T>& w)
{
    for (std::size_t d = 0; d < w.applied.size(); ++d) w.applied[d] = w.joint_force[d];
    if (!w.has_wrench) return;
    // Wrenches are dense over bodies; most steps have none and end above.
    for (const TreeBody& body : w.tree->bodies) add_body_force<T>(w, body.body, w.wrench[body.body], w.applied);
}

/// q -> everything that depends on position alone: poses, dof motions, tendons, mass matrix, transmissions.
template <class T, class Timer>
RB_HD void compute_position_stage(WorkspaceView<T>& w, Timer& timer)
{
    // Parents first: q to poses, then the axes and inertias at these poses.
    compute_poses(w);
    compute_dof_motions(w);
    timer.mark(static_cast<int>(Stage::kinematics));
    compute_tendons(w);
    compute_transmissions(w);
    timer.mark(static_cast<int>(Stage::forces));
    compute_mass_matrix(w);
    timer.mark(static_cast<int>(Stage::mass_matrix));
}

/// v, inputs -> bias, passive, actuation, applied and their sum `total`. `dt` [s] as in compute_actuation.
template <class T, class Timer>
RB_HD void compute_velocity_stage(WorkspaceView<T>& w, double dt, Timer& timer)
{
    // Outward and inward pass of Newton-Euler: c(q, v).
    compute_velocities(w);
    compute_bias(w);
    timer.mark(static_cast<int>(Stage::bias));
    // Forces from tendons need lengths and rates, actuators need both as well.
    compute_tendon_velocities(w);
    compute_passive(w);
    compute_actuation(w, dt);
    add_gravity_compensation(w);
    clamp_joint_actuation(w);
    compute_applied(w);
    for (std::size_t d = 0; d < w.total.size(); ++d)
    {
        // adding zero last gives every zero the same sign, whether or not a term was left out
        w.total[d] = ((w.passive[d] + w.actuation[d]) + (w.applied[d] - w.bias[d])) + T(0.0);
    }
    timer.mark(static_cast<int>(Stage::forces));
}

/// Adds scale times the derivative of passive and actuator forces with respect to v (symmetric, in M's pattern) to
/// `matrix`. Joint damping, tendon damping and actuators; Coriolis terms are left out, the medium is in
/// fluid_derivative.h.
template <class T>
RB_HD void add_force_derivative(const WorkspaceView<T>& w, double scale, std::span<T> matrix)
{
    const TreeView& tree = *w.tree;
    const ModelView& model = tree.arrays;
    for (int d = 0; d < model.v_count(); ++d)
        matrix[model.dofs.row_begin[d + 1] - 1] -= T(scale * model.dofs.damping[d]);
    // scale Jᵀ J: a force along a row that depends on the row's own rate is a rank-one matrix in joint space.
    const auto add = [&](const SparsePattern& pattern, std::span<const T> values, int row, const T& factor)
    {
        const auto begin = static_cast<std::size_t>(pattern.begin[row]);
        const auto count = static_cast<std::size_t>(pattern.begin[row + 1]) - begin;
        add_outer_product<T>(model, std::span(pattern.dof).subspan(begin, count),
                             std::span(values).subspan(begin, count), factor, matrix);
    };
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.damping[t] != 0) add(tree.tendon, w.tendon_jacobian, t, T(-scale * model.tendons.damping[t]));
    }
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        // Gain and bias may each have a term in the velocity (laws of affine actuators).
        const bool depends = model.actuators.gain[a][2] != 0 || model.actuators.bias[a][2] != 0 ||
                             model.actuators.gain_law[a] != ActuatorLaw::affine;
        if (depends) add(tree.moment, w.moment, a, T(scale) * w.force_rate[a]);
    }
}

#if !defined(__CUDACC__)  // compiled once, in forces.cpp
extern template Vector3<double> rotation_spring(const Quaternion<double>&, const Quat&);
extern template Vector3<Pack4> rotation_spring(const Quaternion<Pack4>&, const Quat&);
extern template void compute_position_stage(WorkspaceView<double>&, StageTimer&);
extern template void compute_position_stage(WorkspaceView<Pack4>&, StageTimer&);
extern template void compute_velocity_stage(WorkspaceView<double>&, double, StageTimer&);
extern template void compute_velocity_stage(WorkspaceView<Pack4>&, double, StageTimer&);
extern template void add_force_derivative(const WorkspaceView<double>&, double, std::span<double>);
extern template void add_force_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);
#endif

}  // namespace rattleback
