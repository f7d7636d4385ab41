// Conserved: which quantities of a model must stay constant, read from the model alone.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::lab
{

/// What a model conserves when nothing is applied from outside.
struct Conserved
{
    bool energy = false;   ///< no damping, friction, servos or anything else that takes or gives energy
    bool linear = false;   ///< linear momentum: no gravity, and nothing tied to the world or able to touch it
    bool angular = false;  ///< angular momentum about the world's origin, all of it or along `axis`
    Vec3 axis;             ///< zero: all three components; otherwise the unit axis along which it stays
};

/// `ignored` names features that the run leaves out (see SolverInfo::ignored).
Conserved find_conserved(const Model& model, std::span<const Feature> ignored = {});

}  // namespace rattleback::lab
