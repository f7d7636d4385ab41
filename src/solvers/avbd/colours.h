// Colours of blocks: two blocks that share a contact, a link or a loop differ, so that one colour moves at once.
#pragma once

#include "solvers/avbd/contact_rows.h"

namespace rattleback::avbd
{

/// Blocks by colour. Kept from step to step: a block keeps its colour as long as no neighbour has it.
struct Colouring
{
    std::vector<int> colour;  ///< [block]
    std::vector<int> begin;   ///< [colours + 1] into blocks
    std::vector<int> blocks;
    int serial = 0;  ///< first colour whose blocks may touch each other; = number of colours when none does

    // scratch
    std::vector<int> edge_begin, edges, fill;
};

void colour_blocks(const Layout& layout, const std::vector<RowGroup>& groups, Colouring& colouring);

}  // namespace rattleback::avbd
