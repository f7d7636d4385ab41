// Actuators: forces, and the rates of their activations. Gain and bias, clamps and activation dynamics are as MuJoCo
// defines them.
#pragma once

#include "dynamics/actuator_law.h"
#include "dynamics/transmissions.h"
#include "dynamics/workspace.h"

namespace rattleback
{

/// force = gain * (input or activation) + bias, gain = g0 + g1 length + g2 velocity, bias likewise ([MuJoCo], actuation
/// model): one actuator before its range, its derivative with respect to velocity, and the rate of its activation.
template <class T>
RB_HD void compute_force(WorkspaceView<T>& w, int a, double dt)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    // -1: no activation.
    const int s = actuators.act_begin[a];
    const ActuatorDrive<T> drive = find_actuator_drive(actuators, a, w.input[a], s >= 0 ? w.act[s] : T(0.0), dt);
    if (s >= 0) w.act_rate[s] = drive.act_rate;
    const T* const gain = w.force_law.data() + 6 * a;
    const ForceLaw<T> law{gain, gain + 3};
    w.actuator_force[a] = find_actuator_force(law, drive.value, w.actuator_length[a], w.actuator_velocity[a]);
    const AffineForce<T> affine = find_affine_force(law, drive.value);
    w.force_rate[a] = affine.damping;
    w.force_slope[a] = affine.slope;
}

/// Inputs of actuator `a` and, where it has several, of those behind it: of now or of long ago, within their ranges.
template <class T>
RB_HD void gather_inputs(const WorkspaceView<T>& w, int a, T* inputs)
{
    const ModelView& model = w.tree->arrays;
    const ActuatorsView& actuators = model.actuators;
    for (int i = 0; i < kMaxInputs && a + i < model.actuator_count(); ++i)
    {
        const int h = actuators.history_begin[a + i];
        // A delayed input is looked up at the stage's own time.
        const T input =
            h >= 0 ? read_delayed_input(actuators, a + i, &w.act[h], model.dt, w.stage_offset) : w.input[a + i];
        inputs[i] = clamp_to(actuators.input_range[a + i], input);
    }
}

/// The force of an actuator that is not plain: of another law, on a circle, or delayed.
template <class T>
RB_HD void compute_special_force(WorkspaceView<T>& w, int a, double dt)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    const int s = actuators.act_begin[a];
    T inputs[kMaxInputs];
    gather_inputs(w, a, inputs);
    const T* const gain = w.force_law.data() + 6 * a;
    // All that a law may look at.
    const ActuatorState<T> state{inputs, s >= 0 ? &w.act[s] : nullptr, w.actuator_length[a], w.actuator_velocity[a]};
    const ActuatorForce<T> force =
        find_any_force(actuators, a, ForceLaw<T>{gain, gain + 3}, state, dt, s >= 0 ? &w.act_rate[s] : nullptr);
    w.actuator_force[a] = force.force;
    w.force_rate[a] = force.by_velocity;
    w.force_slope[a] = force.by_length;
}

/// Three actuators that turn together: kp log(q^-1 q_target) + b0 + b2 velocity, within the norm of their force range.
template <class T>
RB_HD void compute_orientation(WorkspaceView<T>& w, int a, double dt)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    T inputs[kMaxInputs];
    gather_inputs(w, a, inputs);
    Vector3<T> wanted, length, velocity;
    for (int k = 0; k < 3; ++k)
    {
        const int s = actuators.act_begin[a + k];
        // Each of the three may filter its input.
        const ActuatorDrive<T> drive = find_actuator_drive(actuators, a + k, inputs[k], s >= 0 ? w.act[s] : T(0.0), dt);
        if (s >= 0) w.act_rate[s] = drive.act_rate;
        wanted[k] = drive.value;
        length[k] = w.actuator_length[a + k];
        velocity[k] = w.actuator_velocity[a + k];
    }
    const T* const gain = w.force_law.data() + 6 * a;
    const auto [force, rate, slope] =
        find_orientation_force(actuators, a, ForceLaw<T>{gain, gain + 3}, inputs, wanted, length, velocity);
    for (int k = 0; k < 3; ++k)
    {
        w.actuator_force[a + k] = force[k];
        w.force_rate[a + k] = rate;
        w.force_slope[a + k] = slope;
    }
}

/// Forces of actuators that are not plain; their velocities are known.
template <class T>
RB_HD void compute_special_forces(WorkspaceView<T>& w, double dt)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    for (const int a : w.tree->special_actuators)
    {
        // Three actuators of an orientation are computed once, with the first of them, which has the inputs.
        if (actuators.gain_law[a] != ActuatorLaw::orientation)
            compute_special_force(w, a, dt);
        else if (actuators.inputs[a] > 0)
            compute_orientation(w, a, dt);
    }
}

/// Torques on the rotors of DC motors, which no range bounds.
template <class T>
RB_HD void add_rotor_torques(WorkspaceView<T>& w)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    for (const int a : w.tree->special_actuators)
    {
        if (actuators.gain_law[a] != ActuatorLaw::dc_motor) continue;
        // Cogging and bristles act on the shaft whatever the controller says.
        const int s = actuators.act_begin[a];
        w.actuator_force[a] += find_rotor_torque(actuators, a, w.actuator_length[a], s >= 0 ? &w.act[s] : nullptr,
                                                 s >= 0 ? &w.act_rate[s] : nullptr);
        w.force_rate[a] -= T(find_rotor_damping(actuators, a));
    }
}

/// Rotation vectors among the activations stay below half a turn.
template <class T>
RB_HD void shorten_turns(WorkspaceView<T>& w)
{
    const ActuatorsView& actuators = w.tree->arrays.actuators;
    for (const int a : w.tree->special_actuators)
    {
        const int s = actuators.act_begin[a];
        if (actuators.gain_law[a] != ActuatorLaw::orientation || actuators.inputs[a] == 0 || s < 0) continue;
        // Beyond half a turn a rotation vector would wind up.
        shorten_turn(&w.act[s]);
    }
}

/// An actuator that is switched off gives no force, feels no velocity, and its activation stays.
template <class T>
RB_HD void leave_out_switched_off(WorkspaceView<T>& w)
{
    if (!w.has_off) return;
    const ModelView& model = w.tree->arrays;
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        // A mask per lane: worlds of a pack may have switched different ones off.
        const auto on = w.actuator_on[a] > T(0.0);
        w.actuator_force[a] = select(on, w.actuator_force[a], T(0.0));
        w.force_rate[a] = select(on, w.force_rate[a], T(0.0));
        w.force_slope[a] = select(on, w.force_slope[a], T(0.0));
        const int s = model.actuators.act_begin[a];
        for (int k = 0; k < model.actuators.act_size[a]; ++k) w.act_rate[s + k] = select(on, w.act_rate[s + k], T(0.0));
    }
}

/// Clamps each actuator's force to its range; a saturated actuator does not feel velocity.
template <class T>
RB_HD void clamp_forces(WorkspaceView<T>& w)
{
    for (int a = 0; a < w.tree->arrays.actuator_count(); ++a)
    {
        const Range& range = w.tree->arrays.actuators.force_range[a];
        // Those of an orientation were bounded by their norm already.
        if (!range.limited || w.tree->arrays.actuators.gain_law[a] == ActuatorLaw::orientation) continue;
        const T force = w.actuator_force[a];
        // Saturated: the force no longer depends on the velocity.
        const auto inside = both(force >= T(range.lower), force <= T(range.upper));
        w.actuator_force[a] = clamp(force, range.lower, range.upper);
        w.force_rate[a] = select(inside, w.force_rate[a], T(0.0));
        w.force_slope[a] = select(inside, w.force_slope[a], T(0.0));
    }
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
        // Actuators are few, tendons with a range fewer: a scan.
        const auto on_tendon = [&](int a)
        { return model.actuators.transmission[a] == TransmissionType::tendon && model.actuators.target[a] == t; };
        T sum = T(0.0);
        for (int a = 0; a < model.actuator_count(); ++a) sum += on_tendon(a) ? w.actuator_force[a] : T(0.0);
        // The sum of all actuators on the tendon, against the tendon's own range.
        const T clamped = clamp(sum, range.lower, range.upper);
        const auto saturated = either(clamped<sum, clamped> sum);
        // All by the same factor, so that each keeps its share.
        const T scale = select(saturated, clamped / sum, T(1.0));
        for (int a = 0; a < model.actuator_count(); ++a)
        {
            if (!on_tendon(a)) continue;
            w.actuator_force[a] = scale * w.actuator_force[a];
            w.force_rate[a] = select(saturated, T(0.0), w.force_rate[a]);
            w.force_slope[a] = select(saturated, T(0.0), w.force_slope[a]);
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
        // Rate of the transmission: moment arms times v, and what moving bases add.
        T velocity = T(0.0);
        for (int k = pattern.begin[a]; k < pattern.begin[a + 1]; ++k) velocity += w.moment[k] * w.v[pattern.dof[k]];
        if (!w.tree->kinematic_bodies.empty()) velocity += actuator_base_rate(w, a);
        w.actuator_velocity[a] = velocity;
        if (is_affine(model.actuators, a)) compute_force(w, a, dt);
    }
    // [MuJoCo], "Actuation model": laws, then ranges of tendons, then those of actuators, then what no range bounds.
    compute_special_forces(w, dt);
    // Before the clamps, because the others have the tendon's range alone; behind them, because zero may lie outside.
    leave_out_switched_off(w);
    clamp_tendon_forces(w);
    clamp_forces(w);
    add_rotor_torques(w);
    leave_out_switched_off(w);
    // Jᵀ f: the moment arms are the transpose of what made lengths from q.
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
        if (transmission != TransmissionType::joint && transmission != TransmissionType::joint_in_parent) continue;
        const int joint = model.actuators.target[a];
        const Range& range = model.joints.actuator_force_range[joint];
        if (!range.limited) continue;
        const T sum = w.actuation[model.joints.v_begin[joint]];
        const auto inside = both(sum >= T(range.lower), sum <= T(range.upper));
        w.force_rate[a] = select(inside, w.force_rate[a], T(0.0));
        w.force_slope[a] = select(inside, w.force_slope[a], T(0.0));
    }
    for (const TreeJoint& joint : w.tree->joints)
    {
        const Range& range = w.tree->arrays.joints.actuator_force_range[joint.joint];
        // After all actuators and gravity compensation have been added up.
        if (range.limited) w.actuation[joint.v] = clamp(w.actuation[joint.v], range.lower, range.upper);
    }
}

#if !defined(__CUDACC__)  // compiled once, in actuators.cpp
extern template void compute_actuation(WorkspaceView<double>&, double);
extern template void compute_actuation(WorkspaceView<Pack4>&, double);
extern template void clamp_joint_actuation(WorkspaceView<double>&);
extern template void clamp_joint_actuation(WorkspaceView<Pack4>&);
#endif

}  // namespace rattleback
