// What a world of the solver `convex` keeps from step to step: where to start, where contacts stick, who sleeps.
#pragma once

#include "solvers/convex/sleep.h"
#include "solvers/convex/stick.h"

#include "base/bytes.h"

#include <rattleback/solver.h>

namespace rattleback::convex
{

struct ConvexMemory final : Memory
{
    ConvexMemory(std::size_t dofs, std::size_t coordinates, std::size_t equalities)
        : dof_count(dofs), q_count(coordinates), equality_count(equalities)
    {
    }

    void reset() override
    {
        Memory::reset();
        acceleration.clear();
        anchors.clear();
        sleep = {};
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, acceleration);
        append(bytes, anchors);
        if (!anchors.empty()) append(bytes, place);
        append(bytes, sleep.island);
        append(bytes, sleep.quiet);
        append(bytes, sleep.q);
        if (keeps_switches()) append(bytes, sleep.equalities);
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        // In the order of save().
        // Bytes come from outside: sizes that do not fit the model leave the memory empty.
        const bool complete = Memory::load(bytes) && read(bytes, acceleration) && read(bytes, anchors) &&
                              (anchors.empty() || read(bytes, place)) && read(bytes, sleep.island) &&
                              read(bytes, sleep.quiet) && read(bytes, sleep.q) &&
                              (!keeps_switches() || read(bytes, sleep.equalities)) && fits();
        if (!complete) reset();
        return complete;
    }

    /// Where trees may sleep through the switching of an equality.
    bool keeps_switches() const { return !sleep.island.empty() && equality_count > 0; }
    /// Sizes are those of the model.
    bool fits() const
    {
        return (acceleration.empty() || acceleration.size() == dof_count) &&
               sleep.q.size() == (sleep.island.empty() ? 0 : q_count) && sleep.is_sound() &&
               sleep.island.size() <= dof_count && (sleep.island.empty() || sleep.equalities.size() == equality_count);
    }

    std::vector<double> acceleration;  ///< the last, from which the next minimisation starts; empty: none
    std::vector<Anchor> anchors;       ///< of sticking contacts
    double place = 0;                  ///< where the step, or part of one, left the bodies: mark_place
    TreeSleepState sleep;
    std::size_t dof_count = 0, q_count = 0, equality_count = 0;
};

}  // namespace rattleback::convex
