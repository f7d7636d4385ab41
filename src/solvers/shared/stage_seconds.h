// The seconds of each stage of a step, as a report tells them.
#pragma once

#include "base/index.h"
#include "base/stage_timer.h"

#include <rattleback/report.h>

namespace rattleback
{

/// `worlds`: how many shared the step; each reports its part.
inline void report_seconds(const StageTimer& timer, StepReport& report, double worlds = 1)
{
    for (int k = 0; k < kStageCount; ++k) report.seconds[at(k)] = timer.seconds(k) / worlds;
}

}  // namespace rattleback
