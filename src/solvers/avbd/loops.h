// Equality constraints between groups that the tree of joints does not know: connects, welds, cables, joint couplings.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// The group that updates a loop's multipliers: the first dynamic one it touches.
int owner_of(const Layout& layout, int loop);

/// Adds the action of a loop on one of its groups to the group's system. A loop that is an edge of the block's tree
/// adds its stiffness to both groups, once; another loop inside a block adds it as rows, once, to the scratch.
void add_loop(const Layout& layout, int loop, int group, LoopScratch& scratch, BlockWork& work);

void update_loop_dual(const Layout& layout, int loop, BlockWork& work);

/// Twice the energy of a loop's penalty.
double loop_violation(const Layout& layout, int loop, BlockWork& work);

/// Mode penalty: the rows become springs of this stiffness [N/m] (turns: times the square of the loop's arm), those of
/// a soft material at most as stiff as it.
void set_loop_penalty(const Layout& layout, int loop, double stiffness, BlockWork& work);

/// Distance that a loop is open, its turn error_fraction at the loop's arm [m]; joint couplings: their residual.
double find_loop_opening(const Layout& layout, int loop, BlockWork& work);

}  // namespace rattleback::avbd
