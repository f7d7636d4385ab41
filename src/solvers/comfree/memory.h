// What a world of the solver `comfree` keeps from step to step: anchors, where it is told to; otherwise nothing.
#pragma once

#include "solvers/comfree/anchors.h"
#include "solvers/shared/state_mark.h"

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
        if (!anchors.empty()) append(bytes, place);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        const bool complete = Memory::load(bytes) && read(bytes, anchors) && (anchors.empty() || read(bytes, place));
        if (!complete) reset();
        return complete;
    }

    /// The anchors that a step begins with. Where bodies are not as the last step, or part of one, left them, somebody
    /// wrote: anchors keep their displacements and follow other points from here on.
    void begin_anchors(std::span<const double> q, std::vector<Anchor>& begun) const
    {
        begun = anchors;
        if (anchors.empty() || mark_place(q) == place) return;
        for (Anchor& anchor : begun) anchor.follows = 0;
    }

    std::vector<Anchor> anchors;  ///< sorted as contacts are
    double place = 0;             ///< where the step, or part of one, left the bodies: mark_place
};

}  // namespace rattleback::comfree
