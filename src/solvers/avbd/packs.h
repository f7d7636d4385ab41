// The sweep over single bodies in packs: bodies of one colour side by side, their contacts in slots.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/colours.h"

#include <memory>

namespace rattleback
{
class ThreadPool;
}

namespace rattleback::avbd
{

/// Sweeps in one precision. Contacts are kept per body side; increments of all parts in one array.
class PackSweep
{
public:
    virtual ~PackSweep() = default;

    /// Makes room for so many rows. They are taken afterwards, before start().
    virtual void resize(std::size_t row_count) = 0;
    /// Takes some rows, of which the fraction `work.counted` of overlaps counts at first.
    virtual void take_rows(const Settings& settings, const std::vector<ContactRow>& rows, Piece range,
                           const BlockWork& work) = 0;
    /// Sorts the parts that `packed` marks into batches by colour, and the rows into slots. Parts that are not packed
    /// are seen through `work.bodies`.
    virtual void start(const Layout& layout, const Settings& settings, const Colouring& colouring,
                       const std::vector<char>& packed, const std::vector<RowGroup>& groups, const BlockWork& work,
                       ThreadPool& pool) = 0;
    /// One Newton step of each packed part of a colour; bodies that others outside look at are written to `work`.
    virtual void move(int colour, ThreadPool& pool, BlockWork& work) = 0;
    /// Takes a part that moved outside.
    virtual void take(int part, const BlockWork& work) = 0;
    /// Multipliers and penalties of all contacts.
    virtual void raise(ThreadPool& pool) = 0;
    /// Counts the settings' `correction` of overlaps, as the rows had them when they were taken, and of slips from now
    /// on, with penalties `firmness` times as large.
    virtual void count_errors(double correction, double firmness, ThreadPool& pool) = 0;
    /// Multipliers back into the rows.
    virtual void scatter(const std::vector<RowGroup>& groups, ThreadPool& pool,
                         std::vector<ContactRow>& rows) const = 0;
    /// Increments of the packed parts into `work`.
    virtual void finish(BlockWork& work) const = 0;
};

std::unique_ptr<PackSweep> make_pack_sweep(bool single_precision);

}  // namespace rattleback::avbd
