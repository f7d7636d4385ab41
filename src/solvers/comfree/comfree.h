// Solver `comfree`: contact impulses in closed form from the predicted velocity, without a complementarity problem.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::comfree
{

extern const SolverInfo kInfo;

}  // namespace rattleback::comfree
