// Armature: inertia that belongs to joint coordinates, carried from one substep to the next.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Notes how far the links' coordinates have come, when the velocities of a substep are taken.
void note_advance(const Layout& layout, BlockWork& work);

/// A substep moves coordinates along the axes of its start and leaves bodies whose axes have turned: seen along these,
/// the same velocities are other rates. The velocities of a tree with armature become those nearest to what the bodies
/// (by mass) and the coordinates (by armature) had. It takes energy, never gives, and leaves the momentum of a tree
/// that hangs on nothing; near gimbal lock, where slow bodies would mean endless rates, it is what keeps the rates
/// finite. Loops and contacts are left to the next substep. After commit_poses(); trees may be carried side by side.
void carry_armature(const Layout& layout, int block, double dt, LoopScratch& scratch, BlockWork& work);

}  // namespace rattleback::avbd
