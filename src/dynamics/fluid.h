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

/// Adds scale times the symmetrised derivative of the medium's forces by v to `matrix` (in M's pattern); lone free
/// bodies (Tree::lone_bodies) are left out.
template <class T>
void add_fluid_derivative(const Workspace<T>& w, double scale, std::span<T> matrix);

/// Adds scale times the derivative of the medium's forces on one lone free body to a 6 x 6 block, row-major.
template <class T>
void add_fluid_block(const Workspace<T>& w, int body, double scale, std::span<T, 36> block);

}  // namespace rattleback
