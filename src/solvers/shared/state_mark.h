// Marks of states: by which solvers know a state that they left, and one that somebody wrote.
#pragma once

#include <rattleback/state.h>

namespace rattleback
{

/// Hashes of the bits of coordinates, and of velocities, gravity and switches with them: whole numbers below 2^53,
/// which a double keeps exactly. Two states have the same mark by chance alone, in one of 2^53 cases. The same on every
/// machine; -0 is 0.
double mark_place(std::span<const double> q);
double mark_state(const ConstWorldView& world, const Vec3& gravity, std::span<const int> switches);

}  // namespace rattleback
