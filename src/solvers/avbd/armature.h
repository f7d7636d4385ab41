// Armature: inertia that belongs to joint coordinates, carried from one substep to the next.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/sleep.h"

#include <optional>

namespace rattleback
{
class ThreadPool;
}

namespace rattleback::avbd
{

/// A substep moves coordinates along the axes of its start and leaves bodies whose axes have turned: seen along these,
/// the same velocities are other rates. The velocities of a tree with armature become those nearest to what the bodies
/// (by mass) and the coordinates (by armature) had. It takes energy, never gives, and leaves the momentum of a tree
/// that hangs on nothing; near gimbal lock, where slow bodies would mean endless rates, it is what keeps the rates
/// finite. Loops and contacts are left to the next substep. Trees that swing (swing.h) lose by the same solve the
/// velocities that would open their joints.
class ArmatureTrees
{
public:
    /// Of a layout whose blocks are trees, or (`tree_blocks` false) single groups.
    ArmatureTrees(const Layout& layout, bool tree_blocks);

    /// Takes over the masses of the layout, where those of the trees stand apart.
    void follow_masses();
    /// Notes how far the links' coordinates have come, when the velocities of a substep are taken.
    void record_advance(BlockWork& work) const;
    /// After commit_poses(): the velocities of all trees with armature, or that swing. `sleep` may be null: all are
    /// awake.
    void carry_rates(double dt, const Sleep* sleep, ThreadPool& pool, BlockWork& work) const;

private:
    const Layout& trees() const { return trees_ ? *trees_ : layout_; }

    const Layout& layout_;
    std::optional<Layout> trees_;  ///< with trees as blocks, where those of the layout are not
    std::vector<int> blocks_;      ///< of trees() that have armature or may swing
};

}  // namespace rattleback::avbd
