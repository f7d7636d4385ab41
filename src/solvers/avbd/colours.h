// Colours of blocks: two blocks that share a contact, a link or a loop differ, so that one colour moves at once.
#pragma once

#include "solvers/avbd/contact_rows.h"

#include <utility>

namespace rattleback::avbd
{

/// Blocks by colour, a function of who touches whom alone; kept from step to step while that stays the same.
struct Colouring
{
    std::vector<int> colour;  ///< [block]
    std::vector<int> begin;   ///< [colours + 1] into blocks
    std::vector<int> blocks;
    int count() const { return static_cast<int>(begin.size()) - 1; }

    int serial = 0;  ///< first colour whose blocks may touch each other; = number of colours when none does

    std::vector<std::pair<int, int>> touching;  ///< groups that contacts joined when the colours were made
    // scratch
    std::vector<std::pair<int, int>> touching_now;
    std::vector<int> edge_begin, edges, fill;
};

void colour_blocks(const Layout& layout, const std::vector<Manifold>& manifolds, Colouring& colouring);

}  // namespace rattleback::avbd
