// Tendons: lengths, Jacobians, velocities and spring-damper forces.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// q, poses, dof -> tendon_length, tendon_jacobian.
template <class T>
void compute_tendons(Workspace<T>& w);

/// tendon_jacobian, v -> tendon_velocity.
template <class T>
void compute_tendon_velocities(Workspace<T>& w);

/// Adds springs (with dead band) and dampers of tendons to w.passive, and the velocity products of tendon armature.
template <class T>
void add_tendon_forces(Workspace<T>& w);

/// Force of a tendon spring at `length`: none inside [lower, upper].
template <class T>
T tendon_spring_force(const Model& model, int tendon, const T& length);

}  // namespace rattleback
