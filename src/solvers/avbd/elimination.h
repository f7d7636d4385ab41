// The order in which the groups of a block are eliminated: a spanning tree of its links and loops.
#pragma once

#include "solvers/avbd/layout.h"

namespace rattleback::avbd
{

/// Sets RigidGroup::up, Loop::edge and the order of the groups within each block. Links are always edges of the tree;
/// so is a connect, weld or cable between groups that nothing else joins (cables of any length are then solved
/// exactly). Loops and links in trees that edges join learn which mass they carry.
void build_spanning_trees(Layout& layout);

}  // namespace rattleback::avbd
