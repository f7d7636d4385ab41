// The Newton system of a tree of parts, solved exactly: elimination along the tree, loops as rows of low rank.
#pragma once

#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// Solves the system in work.diagonal, to_parent, right and loop_rows, and moves the block's parts by the answer.
void solve_tree(const Layout& layout, const Block& block, BlockWork& work);

}  // namespace rattleback::avbd
