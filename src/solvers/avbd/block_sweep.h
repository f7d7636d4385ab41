// BlockSweep: which groups move in packs and which blocks one by one, and the loops over the latter.
#pragma once

#include "base/index.h"
#include "base/thread_pool.h"
#include "solvers/avbd/colours.h"

namespace rattleback::avbd
{

class BlockSweep
{
public:
    explicit BlockSweep(const Layout& layout);

    /// Single bodies move in packs; trees, and bodies with turning friction, one by one; sleepers (`sleep` may be null)
    /// not at all.
    void choose(const Layout& layout, const Colouring& colouring, const std::vector<Manifold>& manifolds,
                const Sleep* sleep);

    /// All blocks move one by one.
    void choose_all(const Colouring& colouring);

    const std::vector<char>& packed() const { return packed_; }  ///< [group]
    const std::vector<char>& single() const { return single_; }  ///< [group]

    /// Calls function(block, worker) for the blocks of a colour that move one by one, side by side where they may be.
    template <class Function>
    void run_colour(const Layout& layout, const Colouring& colouring, int colour, ThreadPool& pool,
                    Function function) const
    {
        // a coupling (or tendon) places the links of its blocks, and one link may be in the couplings of many
        const bool side_by_side = colour != colouring.serial && couplings_inside_;
        run(layout, begin_[at(colour)], begin_[at(colour) + 1], side_by_side, pool, function);
    }
    /// The same for those of all colours.
    template <class Function>
    void run_all(const Layout& layout, ThreadPool& pool, Function function) const
    {
        // a loop between blocks looks at the links of both
        run(layout, 0, static_cast<int>(blocks_.size()), loops_inside_, pool, function);
    }

private:
    static constexpr int kBlocksPerTask = 4;

    template <class Function>
    void run(const Layout& layout, int begin, int end, bool side_by_side, ThreadPool& pool, Function function) const
    {
        const auto run_some = [&](std::size_t from, std::size_t to, int /*task*/, int worker)
        {
            for (std::size_t k = from; k < to; ++k) function(layout.blocks[at(blocks_[at(begin) + k])], worker);
        };
        run_pieces(side_by_side ? &pool : nullptr, at(end - begin), kBlocksPerTask, run_some);
    }

    std::vector<char> packed_, single_;
    std::vector<int> begin_;        ///< [colours + 1] into blocks_
    std::vector<int> blocks_;       ///< that move one by one, by colour
    bool loops_inside_ = true;      ///< no loop or tendon joins two blocks
    bool couplings_inside_ = true;  ///< no joint coupling or tendon does
};

}  // namespace rattleback::avbd
