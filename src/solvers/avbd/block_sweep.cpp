// Choosing between packs and single blocks.
#include "solvers/avbd/block_sweep.h"

#include "solvers/avbd/sleep.h"

#include <algorithm>

namespace rattleback::avbd
{

BlockSweep::BlockSweep(const Layout& layout) : packed_(layout.groups.size()), single_(layout.groups.size())
{
    for (const Loop& loop : layout.loops)
    {
        loops_inside_ = loops_inside_ && loop.in_block;
        couplings_inside_ = couplings_inside_ && (loop.in_block || loop.type != EqualityType::joint);
    }
    for (const TendonRow& row : layout.tendon_rows)
    {
        loops_inside_ = loops_inside_ && row.in_block;
        couplings_inside_ = couplings_inside_ && row.in_block;
    }
}

void BlockSweep::choose(const Layout& layout, const Colouring& colouring, const std::vector<Manifold>& manifolds,
                        const Sleep* sleep)
{
    const auto first_of = [&](int block) { return at(layout.order[at(layout.blocks[at(block)].begin)]); };
    std::fill(packed_.begin(), packed_.end(), 0);
    // packs know contacts alone: neither joints nor a medium
    for (const Block& block : layout.blocks)
        packed_[at(layout.order[at(block.begin)])] = block.tree || !layout.medium_parts.empty() ? 0 : 1;
    // turning friction, running surfaces and rolling have rows that packs do not know
    for (const Manifold& manifold : manifolds)
    {
        if (manifold.turning || manifold.drifts || manifold.rolling)
            packed_[at(manifold.first)] = packed_[at(manifold.second)] = 0;
    }
    // everything else moves one by one, sleepers not at all
    for (std::size_t g = 0; g < packed_.size(); ++g) single_[g] = packed_[g] == 0 ? 1 : 0;
    for (int g = 0; sleep != nullptr && g < static_cast<int>(packed_.size()); ++g)
    {
        if (sleep->is_asleep(g)) packed_[at(g)] = single_[at(g)] = 0;
    }
    // blocks that move one by one, colour by colour
    blocks_.clear();
    begin_.assign(1, 0);
    for (std::size_t c = 0; c + 1 < colouring.begin.size(); ++c)
    {
        for (int k = colouring.begin[c]; k < colouring.begin[c + 1]; ++k)
        {
            const int block = colouring.blocks[at(k)];
            if (single_[first_of(block)] != 0) blocks_.push_back(block);
        }
        begin_.push_back(static_cast<int>(blocks_.size()));
    }
}

void BlockSweep::choose_all(const Colouring& colouring)
{
    std::fill(packed_.begin(), packed_.end(), 0);
    std::fill(single_.begin(), single_.end(), 1);
    blocks_ = colouring.blocks;
    begin_ = colouring.begin;
}

}  // namespace rattleback::avbd
