// Recursive Newton-Euler: body velocities, and the forces that motion and gravity ask of the joints.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// v -> velocity, acceleration (velocity products, gravity, motion of kinematic bases).
template <class T>
void compute_velocities(Workspace<T>& w);

/// velocity, acceleration, inertia -> force, bias: M a + bias = applied forces.
template <class T>
void compute_bias(Workspace<T>& w);

}  // namespace rattleback
