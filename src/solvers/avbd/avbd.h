// Solver `avbd`: augmented vertex block descent for rigid bodies.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::avbd
{

extern const SolverInfo kInfo;

}  // namespace rattleback::avbd
