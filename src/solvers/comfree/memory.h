// What a world of the solver `comfree` keeps from step to step: anchors, where it is told to; otherwise nothing.
#pragma once

#include "solvers/comfree/anchors.h"
#include "solvers/shared/energy_guard.h"

#include "base/bytes.h"

#include <rattleback/solver.h>

namespace rattleback::comfree
{

struct ComfreeMemory final : Memory
{
    void reset() override
    {
        Memory::reset();
        anchors.clear();
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, anchors);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        const bool complete = Memory::load(bytes) && read(bytes, anchors);
        if (!complete) reset();
        return complete;
    }

    std::vector<Anchor> anchors;  ///< sorted as contacts are
};

/// Whether bodies are where the last step left them, as those of a part of a step are: otherwise anchors follow no
/// points.
inline bool is_continued(const Model& model, const StepInput& input, const ConstWorldView& world,
                         const ComfreeMemory& memory)
{
    if (memory.anchors.empty() || input.contact_dt > 0) return true;
    return find_signature(world, input.parameters.find_gravity(model)) == memory.energy.signature;
}

}  // namespace rattleback::comfree
