// Body poses and velocities from joint coordinates, with the constants prepared: for every step.
#pragma once

#include "dynamics/workspace.h"

#include <rattleback/state.h>

namespace rattleback
{

/// As refresh_bodies(model, world), with the same bits; bodies that never move are left as they are.
void refresh_bodies(const Tree& tree, WorldView world);

/// The same, with the same bits, where w.q is the world's and nothing is kinematic; the workspace is then as after
/// compute_poses(), with its bits.
void refresh_bodies(WorkspaceView<double>& w, WorldView world);

}  // namespace rattleback
