// What a world of the solver `ipc` keeps from step to step.
#pragma once

#include "base/bytes.h"

#include <rattleback/solver.h>

namespace rattleback::ipc
{

struct IpcMemory final : Memory
{
    void reset() override
    {
        Memory::reset();
        stiffness = 1;
        is_checked = 0;
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, stiffness);
        append(bytes, is_checked);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        const bool complete = Memory::load(bytes) && read(bytes, stiffness) && read(bytes, is_checked) &&
                              stiffness >= 1 && stiffness <= 1e300;
        if (!complete) reset();
        return complete;
    }

    double stiffness = 1;  ///< adapted factor upon the barrier's
    int is_checked = 0;    ///< 1: the state comes from a step of this solver, no edge passes through a face
};

}  // namespace rattleback::ipc
