// Warns where a box of spheres tips over and the box itself would not.
#pragma once

#include "solvers/particles/options.h"

namespace rattleback::particles
{

/// The outermost spheres of a box touch the floor one radius r inside its faces, and friction moves their centres, one
/// radius above it. Pushed at its centre until it slides, a box of half height z and half width w stands while friction
/// z <= w, its spheres while friction (z - r) <= w - r: one warning per body where only the box stands, with the
/// smallest `across` that does. Of `pbd` and `pbdr`; `refined` touches with the corners themselves.
std::vector<Error> find_tipping_boxes(const Model& model, const ParticleOptions& options);

}  // namespace rattleback::particles
