// Implicit velocity steps of lone free bodies, with the derivative of their gyroscopic forces.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// For every body in Tree::lone_bodies: solves (M - dt D) a = force over its six dofs, D the derivative by v of all
/// smooth forces, gyroscopic ones included. That block is not symmetric, yet nothing else depends on it. `system` holds
/// M - dt D without gyroscopic terms and without the medium, in M's pattern. Other entries of `acceleration` stay.
template <class T>
void solve_lone_bodies(const Workspace<T>& w, double dt, std::span<const T> system, std::span<const T> force,
                       std::span<T> acceleration);

}  // namespace rattleback
