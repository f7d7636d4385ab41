// The Newton system of a tree of groups, solved exactly: elimination along the tree, loops as rows of low rank.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Solves the system in work.diagonal, to_parent, right and the rows of `scratch`; the answer takes the place of
/// `right`.
void solve_tree(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work);
/// Moves the block's groups by a fraction of the answer, or by as much of it as one may trust.
void move_tree(const Layout& layout, const Block& block, double fraction, BlockWork& work);

}  // namespace rattleback::avbd
