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

    /// Sorts the parts that `packed` marks into batches by colour, and takes the contacts' sides. Parts that are not
    /// packed are seen through `work.bodies`.
    virtual void start(const Layout& layout, const Settings& settings, const Colouring& colouring,
                       const std::vector<char>& packed, const std::vector<ContactRow>& rows, const BlockWork& work) = 0;
    /// One Newton step of each packed part of a colour; bodies that others outside look at are written to `work`.
    virtual void move(int colour, ThreadPool& pool, BlockWork& work) = 0;
    /// Takes a part that moved outside.
    virtual void take(int part, const BlockWork& work) = 0;
    /// Multipliers and penalties of all contacts.
    virtual void raise(ThreadPool& pool) = 0;
    /// Counts this fraction of overlaps and slips from now on.
    virtual void count_errors(const std::vector<ContactRow>& rows, double fraction, double firmness) = 0;
    /// Multipliers back into the rows.
    virtual void scatter(std::vector<ContactRow>& rows) const = 0;
    /// Increments of the packed parts into `work`.
    virtual void finish(ThreadPool& pool, BlockWork& work) const = 0;
};

std::unique_ptr<PackSweep> make_pack_sweep(bool single_precision);

}  // namespace rattleback::avbd
