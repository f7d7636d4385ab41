// What a world of the solver `ipc` keeps from step to step.
#pragma once

#include "base/bytes.h"
#include "solvers/ipc/integrator.h"

#include <rattleback/solver.h>

namespace rattleback::ipc
{

struct IpcMemory final : Memory
{
    void reset() override
    {
        Memory::reset();
        stiffness = 1;
        rest_stiffness = 1;
        is_checked = 0;
        history = {};
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, stiffness);
        append(bytes, rest_stiffness);
        append(bytes, is_checked);
        append(bytes, history.past);
        append(bytes, history.dt);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        const bool complete = Memory::load(bytes) && read(bytes, stiffness) && read(bytes, rest_stiffness) &&
                              read(bytes, is_checked) && read(bytes, history.past) && read(bytes, history.dt) &&
                              stiffness > 0 && stiffness <= 1e300 && rest_stiffness > 0 && rest_stiffness <= stiffness;
        if (!complete) reset();
        return complete;
    }

    double stiffness = 1;       ///< adapted factor upon the barrier's
    double rest_stiffness = 1;  ///< what it relaxes to: the one that balanced the start of the run
    History history;            ///< of integrators that look back
    int is_checked = 0;         ///< 1: the state comes from a step of this solver, no edge passes through a face
};

}  // namespace rattleback::ipc
