// Forces of the medium on bodies: MuJoCo's two models, by the body's inertia box or by ellipsoids of its shapes.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// The parts of moving bodies on which the medium acts; empty without a medium.
std::vector<FluidPart> make_fluid_parts(const Model& model);

/// Adds the medium's forces to w.passive.
template <class T>
void add_fluid_forces(Workspace<T>& w);

}  // namespace rattleback
