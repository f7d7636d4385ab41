// The second half of a Layout: loops, masses that joints support, and the blocks that are solved together.
#pragma once

#include "solvers/avbd/layout.h"

namespace rattleback::avbd
{

/// The equalities that join two groups, or couple joints: all, because those that are off may be switched on.
void add_loops(const Model& model, Layout& layout);

/// Tendons and their couplings, with the groups that move them (layout_tendons.cpp).
void add_tendons(const Model& model, Layout& layout);

/// The mass that each link and loop supports, from the leaves of the trees to their roots.
void add_supported_masses(Layout& layout);

/// Links, loops and rows of tendons as lists by group.
void index_joints(Layout& layout);

/// Every group a block, or with `tree_blocks` the trees of links and the trees that loops and tendons join.
void add_blocks(Layout& layout, bool tree_blocks);

}  // namespace rattleback::avbd
