// Actuators: lengths, moment arms, forces, and the rates of their activations.
#pragma once

#include "dynamics/actuator_law.h"
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

}  // namespace rattleback
