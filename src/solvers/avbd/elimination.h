// The order in which the parts of a block are eliminated: a spanning tree of its links and loops.
#pragma once

#include "solvers/avbd/layout.h"

namespace rattleback::avbd
{

/// Sets Part::up, Loop::edge and the order of the parts within each block. Links are always edges of the tree; so is
/// a connect, weld or cable between parts that nothing else joins (cables of any length are then solved exactly).
/// Loops and links in trees that edges join learn which mass they carry.
void plant_trees(Layout& layout);

}  // namespace rattleback::avbd
