// Equality constraints between parts that the tree of links does not know: connects, welds, joint couplings.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// The part that updates a loop's multipliers: the first dynamic one it touches.
int owner_of(const Layout& layout, int loop);

/// Adds the action of a loop on one of its parts. The couplings to other parts of the same block are bounded by the
/// diagonal times the number of parts.
void add_loop(const Layout& layout, int loop, int part, BlockWork& work, Matrix6& diagonal, Vector6& right);

void raise_loop(const Layout& layout, int loop, BlockWork& work);

/// Distance [m] and angle [rad] that a loop is open; joint couplings: their residual.
Vector6 find_loop_error(const Layout& layout, int loop, BlockWork& work);

}  // namespace rattleback::avbd
