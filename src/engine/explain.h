// What went wrong in a step, in words with names.
#pragma once

#include <rattleback/solver.h>

namespace rattleback
{

/// Empty when nothing did. `control`, `world` and `time` are those of the step, which it did not change.
/// `refuses_overlaps`: of a solver that takes no step from shapes in each other.
std::string explain_step(const Model& model, const ControlView& control, const ConstWorldView& world, double time,
                         const StepReport& report, bool refuses_overlaps = false);

}  // namespace rattleback
