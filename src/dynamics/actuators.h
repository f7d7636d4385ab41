// Actuators: lengths, moment arms, forces, and the rates of their activations. Transmission, gain and bias, clamps and
// activation dynamics are as MuJoCo defines them.
#pragma once

#include "dynamics/actuator_law.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_frame.h"
#include "dynamics/workspace.h"

namespace rattleback
{

/// Torque of ball and free joints is given in body axes, or, with joint_in_parent, in the parent's.
template <class T>
RB_HD void compute_joint_moment(WorkspaceView<T>& w, int a, int joint)
{
    const ModelView& model = w.tree->arrays;
    const auto& gear = model.actuators.gear[a];
    T* moment = &w.moment[w.tree->moment.begin[a]];
    const JointType type = model.joints.type[joint];
    if (type == JointType::hinge || type == JointType::slide)
    {
        w.actuator_length[a] = T(gear[0]) * w.q[model.joints.q_begin[joint]];
        moment[0] = T(gear[0]);
        return;
    }
    const bool free = type == JointType::free;
    const int first = free ? 3 : 0;
    for (int k = 0; k < first; ++k) moment[k] = T(gear[k]);
    const TurningMoment<T> turning =
        find_turning_moment(model.actuators, a, free, unit_quaternion(&w.q[model.joints.q_begin[joint] + first]));
    w.actuator_length[a] = turning.length;
    for (int k = 0; k < 3; ++k) moment[first + k] = turning.torque[k];
}

template <class T>
RB_HD void compute_site_moment(WorkspaceView<T>& w, int a, int site)
{
    const ModelView& model = w.tree->arrays;
    const int b = model.sites.body[site];
    const auto& gear = model.actuators.gear[a];
    const Vector3<T> point = w.position[b] + w.matrix[b] * broadcast<T>(model.sites.pose[site].position);
    const Matrix3<T> axes = w.matrix[b] * broadcast<T>(to_matrix(model.sites.pose[site].rotation));
    const Vector3<T> force = axes * Vector3<T>{T(gear[0]), T(gear[1]), T(gear[2])};
    const Vector3<T> torque = axes * Vector3<T>{T(gear[3]), T(gear[4]), T(gear[5])};
    w.actuator_length[a] = T(0.0);
    for (int k = w.tree->moment.begin[a]; k < w.tree->moment.begin[a + 1]; ++k)
    {
        const Motion<T>& dof = w.dof[w.tree->moment.dof[k]];
        w.moment[k] = dot(force, point_velocity(w, dof, b, point)) + dot(torque, dof.angular);
    }
}

/// force = gain * (input or activation) + bias, gain = g0 + g1 length + g2 velocity, bias likewise ([MuJoCo], actuation
/// model): one actuator before its range, its derivative with respect to velocity, and the rate of its activation.
template <class T>
RB_HD void compute_force(WorkspaceView<T>& w, int a, double dt)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    const int s = actuators.act_begin[a];
    const ActuatorDrive<T> drive = find_actuator_drive(actuators, a, w.input[a], s >= 0 ? w.act[s] : T(0.0), dt);
    if (s >= 0) w.act_rate[s] = drive.act_rate;
    const T* const gain = w.force_law.data() + 6 * a;
    const ForceLaw<T> law{gain, gain + 3};
    w.actuator_force[a] = find_actuator_force(law, drive.value, w.actuator_length[a], w.actuator_velocity[a]);
    w.force_rate[a] = find_affine_force(law, drive.value).damping;
}

/// An actuator that is switched off gives no force, feels no velocity, and its activation stays.
template <class T>
RB_HD void leave_out_switched_off(WorkspaceView<T>& w)
{
    if (!w.has_off) return;
    const ModelView& model = w.tree->arrays;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const auto on = w.actuator_on[a] > T(0.0);
        w.actuator_force[a] = select(on, w.actuator_force[a], T(0.0));
        w.force_rate[a] = select(on, w.force_rate[a], T(0.0));
        if (const int s = model.actuators.act_begin[a]; s >= 0) w.act_rate[s] = select(on, w.act_rate[s], T(0.0));
    }
}

/// Clamps each actuator's force to its range; a saturated actuator does not feel velocity.
template <class T>
RB_HD void clamp_forces(WorkspaceView<T>& w)
{
    for (int a = 0; a < w.tree->arrays.actuator_count(); ++a)
    {
        const Range& range = w.tree->arrays.actuators.force_range[a];
        if (!range.limited) continue;
        const T force = w.actuator_force[a];
        const auto inside = both(force >= T(range.lower), force <= T(range.upper));
        w.actuator_force[a] = clamp(force, range.lower, range.upper);
        w.force_rate[a] = select(inside, w.force_rate[a], T(0.0));
    }
}

/// Rate of an actuator's length due to the kinematic body that carries its target, joints at rest.
template <class T>
RB_HD T actuator_base_rate(const WorkspaceView<T>& w, int a)
{
    const ModelView& model = w.tree->arrays;
    const int target = model.actuators.target[a];
    const auto& gear = model.actuators.gear[a];
    if (model.actuators.transmission[a] == TransmissionType::tendon)
    {
        T along = T(0.0);
        const SparsePattern& pattern = w.tree->tendon;
        for (int k = pattern.begin[target]; k < pattern.begin[target + 1]; ++k)
        {
            along += w.tendon_jacobian[k] * w.v[pattern.dof[k]];
        }
        return T(gear[0]) * (w.tendon_velocity[target] - along);
    }
    if (model.actuators.transmission[a] != TransmissionType::site) return T(0.0);
    const int b = model.sites.body[target];
    const Vector3<T> point = w.position[b] + w.matrix[b] * broadcast<T>(model.sites.pose[target].position);
    const Matrix3<T> axes = w.matrix[b] * broadcast<T>(to_matrix(model.sites.pose[target].rotation));
    return dot(axes * Vector3<T>{T(gear[0]), T(gear[1]), T(gear[2])}, base_point_velocity(w, b, point)) +
           dot(axes * Vector3<T>{T(gear[3]), T(gear[4]), T(gear[5])}, base_angular_velocity(w, b));
}

/// Scales the forces of actuators on one tendon so that their sum stays in its range.
template <class T>
RB_HD void clamp_tendon_forces(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        const Range& range = model.tendons.actuator_force_range[t];
        if (!range.limited) continue;
        const auto on_tendon = [&](int a)
        { return model.actuators.transmission[a] == TransmissionType::tendon && model.actuators.target[a] == t; };
        T sum = T(0.0);
        for (int a = 0; a < model.actuator_count(); ++a) sum += on_tendon(a) ? w.actuator_force[a] : T(0.0);
        const T clamped = clamp(sum, range.lower, range.upper);
        const auto saturated = either(clamped<sum, clamped> sum);
        const T scale = select(saturated, clamped / sum, T(1.0));
        for (int a = 0; a < model.actuator_count(); ++a)
        {
            if (!on_tendon(a)) continue;
            w.actuator_force[a] = scale * w.actuator_force[a];
            w.force_rate[a] = select(saturated, T(0.0), w.force_rate[a]);
        }
    }
}

/// Poses, tendons -> actuator_length, moment.
template <class T>
RB_HD void compute_transmissions(WorkspaceView<T>& w)
{
    const ModelView& model = w.tree->arrays;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const int target = model.actuators.target[a];
        switch (model.actuators.transmission[a])
        {
            case TransmissionType::joint:
            case TransmissionType::joint_in_parent:
                compute_joint_moment(w, a, target);
                break;
            case TransmissionType::site:
                compute_site_moment(w, a, target);
                break;
            case TransmissionType::tendon:
            {
                const T gear = T(model.actuators.gear[a][0]);
                w.actuator_length[a] = gear * w.tendon_length[target];
                const int count = w.tree->moment.begin[a + 1] - w.tree->moment.begin[a];
                const T* row = w.tendon_jacobian.data() + w.tree->tendon.begin[target];
                T* moment = w.moment.data() + w.tree->moment.begin[a];
                for (int k = 0; k < count; ++k) moment[k] = gear * row[k];
                break;
            }
        }
    }
}

/// Inputs, lengths, velocities -> actuator_force, force_rate, act_rate, actuation.
/// `dt` [s] matters for actuators that use the activation at the end of the step.
template <class T>
RB_HD void compute_actuation(WorkspaceView<T>& w, double dt)
{
    const ModelView& model = w.tree->arrays;
    const SparsePattern& pattern = w.tree->moment;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        T velocity = T(0.0);
        for (int k = pattern.begin[a]; k < pattern.begin[a + 1]; ++k) velocity += w.moment[k] * w.v[pattern.dof[k]];
        if (!w.tree->kinematic_bodies.empty()) velocity += actuator_base_rate(w, a);
        w.actuator_velocity[a] = velocity;
        compute_force(w, a, dt);
    }
    // Before the clamps, because the others have the tendon's range alone; behind them, because zero may lie outside.
    leave_out_switched_off(w);
    clamp_tendon_forces(w);
    clamp_forces(w);
    leave_out_switched_off(w);
    for (T& force : w.actuation) force = T(0.0);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        for (int k = pattern.begin[a]; k < pattern.begin[a + 1]; ++k)
        {
            w.actuation[pattern.dof[k]] += w.moment[k] * w.actuator_force[a];
        }
    }
}

/// Clamps actuation to the range of each joint.
template <class T>
RB_HD void clamp_joint_actuation(WorkspaceView<T>& w)
{
    // An actuator on a joint that is saturated does not feel velocity; one that reaches it through a tendon or site
    // does.
    const ModelView& model = w.tree->arrays;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const TransmissionType transmission = model.actuators.transmission[a];
        if (transmission == TransmissionType::tendon || transmission == TransmissionType::site) continue;
        const int joint = model.actuators.target[a];
        const Range& range = model.joints.actuator_force_range[joint];
        if (!range.limited) continue;
        const T sum = w.actuation[model.joints.v_begin[joint]];
        w.force_rate[a] = select(both(sum >= T(range.lower), sum <= T(range.upper)), w.force_rate[a], T(0.0));
    }
    for (const TreeJoint& joint : w.tree->joints)
    {
        const Range& range = w.tree->arrays.joints.actuator_force_range[joint.joint];
        if (range.limited) w.actuation[joint.v] = clamp(w.actuation[joint.v], range.lower, range.upper);
    }
}

#if !defined(__CUDACC__)  // compiled once, in actuators.cpp
extern template void compute_transmissions(WorkspaceView<double>&);
extern template void compute_transmissions(WorkspaceView<Pack4>&);
extern template void compute_actuation(WorkspaceView<double>&, double);
extern template void compute_actuation(WorkspaceView<Pack4>&, double);
extern template void clamp_joint_actuation(WorkspaceView<double>&);
extern template void clamp_joint_actuation(WorkspaceView<Pack4>&);
#endif

}  // namespace rattleback
