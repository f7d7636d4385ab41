// Armature: inertia that belongs to joint coordinates, carried from one substep to the next.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// A substep moves coordinates along the axes of its start and leaves bodies whose axes have turned: seen along these,
/// the same velocities are other rates. The velocities of trees with armature become those nearest to what the bodies
/// (by mass) and the coordinates (by armature) had. It takes energy, never gives, and leaves all momentum; near gimbal
/// lock, where slow bodies would mean endless rates, it is what keeps the rates finite. After commit_poses().
void carry_armature(const Layout& layout, double dt, BlockWork& work);

}  // namespace rattleback::avbd
