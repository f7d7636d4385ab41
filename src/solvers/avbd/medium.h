// The medium around the bodies: drag, lift and added mass as forces at the velocities of the end of the substep.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// The parts of a Model's bodies on which the medium acts, sorted by group, in the groups' frames.
void add_medium_parts(const Model& model, Layout& layout);

/// Adds the medium's force on a group at v = (x - x_t) / h, and what it resists with, to the group's system.
void add_medium(const Layout& layout, int group, const BlockWork& work, BodySystem<double>& system);

}  // namespace rattleback::avbd
