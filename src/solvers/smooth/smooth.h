// Solver `smooth`: articulated motion without contact, by several integrators.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::smooth
{

extern const SolverInfo kInfo;

}  // namespace rattleback::smooth
