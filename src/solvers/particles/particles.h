// Solvers `pbd`, `pbdr` and `refined`: rigid bodies as sets of spheres.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::particles
{

extern const SolverInfo kPbd;
extern const SolverInfo kPbdr;
extern const SolverInfo kRefined;

}  // namespace rattleback::particles
