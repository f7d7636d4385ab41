// SweepPack: worlds stepped in the lanes of a pack, whatever its width.
#pragma once

#include "solvers/comfree/parameters.h"

#include "dynamics/tree.h"

#include <rattleback/solver.h>

#include <memory>

namespace rattleback::comfree
{

class SweepPack
{
public:
    virtual ~SweepPack() = default;

    /// Steps as many worlds as there are views, at most one per lane; unused lanes repeat the last. Of several, those
    /// in which something is fast are not stepped: returned as bits, lane i as bit i.
    virtual int step(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                     std::span<Memory* const> memories, std::span<StepReport> reports) = 0;
};

/// Twice as many lanes, where has_wide_lanes() says that registers of 512 bits are there.
std::unique_ptr<SweepPack> make_wide_pack(const Tree& tree, const Options& options);

}  // namespace rattleback::comfree
