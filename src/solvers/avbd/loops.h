// Equality constraints between parts that the tree of links does not know: connects, welds, joint couplings.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// The part that updates a loop's multipliers: the first dynamic one it touches.
int owner_of(const Layout& layout, int loop);

/// Adds the action of a loop on one of its parts to the part's system. A loop inside a block adds its stiffness as
/// rows, once, to work.loop_rows.
void add_loop(const Layout& layout, int loop, int part, BlockWork& work);

void raise_loop(const Layout& layout, int loop, BlockWork& work);

/// Twice the energy of a loop's penalty.
double loop_violation(const Layout& layout, int loop, BlockWork& work);

/// Distance [m] and angle [rad] that a loop is open; joint couplings: their residual.
Vector6 find_loop_error(const Layout& layout, int loop, BlockWork& work);

}  // namespace rattleback::avbd
