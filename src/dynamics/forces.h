// All forces on the joints that depend on position and velocity, and the stages that gather them.
#pragma once

#include "base/stage_timer.h"
#include "dynamics/workspace.h"

namespace rattleback
{

/// q -> everything that depends on position alone: poses, dof motions, tendons, mass matrix, transmissions.
template <class T>
void compute_position_stage(Workspace<T>& w, StageTimer& timer);

/// v, inputs -> bias, passive, actuation, applied and their sum `total`. `dt` [s] as in compute_actuation.
template <class T>
void compute_velocity_stage(Workspace<T>& w, double dt, StageTimer& timer);

/// Adds scale times the derivative of passive and actuator forces with respect to v (symmetric, in M's pattern) to
/// `matrix`. Joint damping, tendon damping and actuators; Coriolis terms are left out, the medium is in fluid.h.
template <class T>
void add_force_derivative(const Workspace<T>& w, double scale, std::span<T> matrix);

/// Torque of a ball joint's (or a free joint's rotational) spring per unit stiffness: minus the turn from rest, body
/// axes.
template <class T>
Vector3<T> rotation_spring(const Quaternion<T>& q, const Quat& rest);

}  // namespace rattleback
