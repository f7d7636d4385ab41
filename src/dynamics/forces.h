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
#include "dynamics/spring_law.h"
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

/// Minus k times the displacement from rest, where k depends on its size if the spring is not linear.
template <class T>
RB_HD void add_joint_spring(WorkspaceView<T>& w, const TreeJoint& joint)
{
    const JointsView& joints = w.tree->arrays.joints;
    const auto pull = [&](int v, int count, const Vector3<T>& displacement, const T& size)
    {
        const T k = find_secant(joints.stiffness[joint.joint], joints.stiffness_polynomial[joint.joint], size);
        for (int i = 0; i < count; ++i) w.passive[v + i] -= k * displacement[i];
    };
    visit_springs(w, joint, pull);
}

/// What joint dampers give beyond -B v: -(a |v| + b v^2) v.
template <class T>
RB_HD void add_curved_damping(WorkspaceView<T>& w)
{
    const DofsView& dofs = w.tree->arrays.dofs;
    for (std::size_t d = 0; d < w.passive.size(); ++d)
        w.passive[d] -= find_secant(0, dofs.damping_polynomial[d], absolute(w.v[d])) * w.v[d];
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
    if (w.tree->curved) add_curved_damping(w);
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
        // - g m, per world: gravity and masses may be a world's own.
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

/// Poses -> the rest of the position stage: dof motions, tendons, transmissions, mass matrix.
template <class T, class Timer>
RB_HD void compute_stage_at_poses(WorkspaceView<T>& w, Timer& timer)
{
    // Axes and inertias at these poses.
    compute_dof_motions(w);
    timer.mark(static_cast<int>(Stage::kinematics));
    // Lengths and moment arms before M: armature of tendons is a part of it.
    compute_tendons(w);
    compute_transmissions(w);
    timer.mark(static_cast<int>(Stage::forces));
    compute_mass_matrix(w);
    timer.mark(static_cast<int>(Stage::mass_matrix));
}

/// q -> everything that depends on position alone: poses, dof motions, tendons, mass matrix, transmissions.
template <class T, class Timer>
RB_HD void compute_position_stage(WorkspaceView<T>& w, Timer& timer)
{
    // Parents first.
    compute_poses(w);
    compute_stage_at_poses(w, timer);
}

/// v, inputs -> bias, passive, actuation, applied and their sum `total`. `dt` [s] as in compute_actuation.
template <class T, class Timer>
RB_HD void compute_velocity_stage(WorkspaceView<T>& w, double dt, Timer& timer)
{
    // [MuJoCo] eq:motion: M a + c = tau, here all of tau and c.
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
    // Tau - c, in one fixed order of sums.
    for (std::size_t d = 0; d < w.total.size(); ++d)
    {
        // adding zero last gives every zero the same sign, whether or not a term was left out
        w.total[d] = ((w.passive[d] + w.actuation[d]) + (w.applied[d] - w.bias[d])) + T(0.0);
    }
    timer.mark(static_cast<int>(Stage::forces));
}

/// Adds scale times the slope of joint dampers beyond their linear part to the diagonal of `matrix`.
template <class T>
RB_HD void add_curved_derivative(const WorkspaceView<T>& w, double scale, std::span<T> matrix)
{
    const DofsView& dofs = w.tree->arrays.dofs;
    for (std::size_t d = 0; d < w.v.size(); ++d)
        matrix[dofs.row_begin[d + 1] - 1] += T(scale) * find_tangent(0, dofs.damping_polynomial[d], absolute(w.v[d]));
}

/// Adds scale times the derivative of passive and actuator forces with respect to v (symmetric, in M's pattern) to
/// `matrix`. Joint damping, tendon damping and actuators; Coriolis terms are left out, the medium is in
/// fluid_derivative.h.
template <class T>
RB_HD void add_force_derivative(const WorkspaceView<T>& w, double scale, std::span<T> matrix)
{
    const TreeView& tree = *w.tree;
    const ModelView& model = tree.arrays;
    // The diagonal entry of a row stands last.
    for (int d = 0; d < model.v_count(); ++d)
        matrix[model.dofs.row_begin[d + 1] - 1] -= T(scale * model.dofs.damping[d]);
    if (tree.curved) add_curved_derivative<T>(w, -scale, matrix);
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
        const auto& terms = model.tendons.damping_polynomial[t];
        if (model.tendons.damping[t] == 0 && terms[0] == 0 && terms[1] == 0) continue;
        const T rate = find_tangent(model.tendons.damping[t], terms, absolute(w.tendon_velocity[t]));
        add(tree.tendon, w.tendon_jacobian, t, T(-scale) * rate);
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
