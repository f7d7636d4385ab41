// Trees that swing (nothing touches them: the midpoint rule), and firm joints for those that are touched.
#pragma once

#include "solvers/avbd/phases.h"

namespace rattleback::avbd
{

/// [block] whether it is a tree without loops, couplings of tendons, dry friction, a medium or a moving base: what
/// choose_swings() may choose.
std::vector<char> find_smooth_blocks(const Layout& layout);

/// Says of every tree whether it swings in this substep (README, "Motion of second order"): nothing is near it, no
/// limit within reach, and the step resolves its springs, dampers, drives and turns. Everything else moves by implicit
/// Euler, which damps what it does not resolve. Counts of the contacts near each group are in work.near_count.
void choose_swings(StepState& state);
/// Joints of trees that something touches get penalties that can bear the heavier side of the tree; see README,
/// "Joints between unlike masses".
void stiffen_touched(const Layout& layout, BlockWork& work);
/// After the poses have moved on: links and tendons are again those of their present poses.
void finish_swings(BlockWork& work);

}  // namespace rattleback::avbd
