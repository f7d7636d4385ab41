// Solver `convex`: articulated bodies with MuJoCo's soft convex contact, and friction that holds.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::convex
{

extern const SolverInfo kInfo;

}  // namespace rattleback::convex
