// Actuators: lengths, moment arms, forces, and the rates of their activations.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// Poses, tendons -> actuator_length, moment.
template <class T>
void compute_transmissions(Workspace<T>& w);

/// Inputs, lengths, velocities -> actuator_force, force_rate, act_rate, actuation.
/// `dt` [s] matters for actuators that use the activation at the end of the step.
template <class T>
void compute_actuation(Workspace<T>& w, double dt);

/// Clamps actuation to the range of each joint.
template <class T>
void clamp_joint_actuation(Workspace<T>& w);

/// The activation after `dt` [s] at the given rate, clamped to its range.
template <class T>
T next_activation(const Model& model, int actuator, const T& act, const T& rate, double dt);

}  // namespace rattleback
