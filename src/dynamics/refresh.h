// Body poses and velocities from joint coordinates, with the constants prepared: for every step.
#pragma once

#include "dynamics/tree.h"

#include <rattleback/state.h>

namespace rattleback
{

/// As refresh_bodies(model, world), with the same bits; bodies that never move are left as they are.
void refresh_bodies(const Tree& tree, WorldView world);

}  // namespace rattleback
