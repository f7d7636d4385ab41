// AvbdMemory: multipliers, penalties and anchors that survive a step of one world.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/masses.h"
#include "solvers/avbd/sleep.h"

#include "collide/recycle.h"

#include <rattleback/solver.h>

#include <memory>

namespace rattleback::avbd
{

class AvbdMemory final : public Memory
{
public:
    /// `ramps`: of mode penalty.
    explicit AvbdMemory(std::shared_ptr<const Layout> layout, bool ramps = false);

    void reset() override;
    void save(std::vector<std::byte>& bytes) const override;
    bool load(std::span<const std::byte>& bytes) override;
    bool is_broken(JointId joint) const override;
    bool is_broken(EqualityId equality) const override;

    std::vector<ContactRow> rows;  ///< of the last step, sorted as its contacts; of those saved only the ContactPoints
    double dt = 0;                 ///< of the last step, or its substeps [s]
    KeptManifolds kept_manifolds;  ///< of the last step; empty without recycling
    BlockSleepState sleep;         ///< empty without sleep
    std::vector<LinkMemory> links;
    std::vector<LoopMemory> loops;
    std::vector<TendonMemory> tendons;  ///< by Layout::tendon_rows
    std::vector<LinkRamp> link_ramps;   ///< empty but in mode penalty
    std::vector<double> loop_ramps;     ///< likewise
    std::vector<Vec3> velocity;         ///< [group] of the centre of mass one substep before the present one [m/s]
    int stepped = 0;                    ///< 0: `velocity` holds nothing yet
    WorldMasses masses;                 ///< found again where they are missing, neither saved nor reset

private:
    std::shared_ptr<const Layout> layout_;  ///< with the Model's masses: no step writes to it
};

}  // namespace rattleback::avbd
