// Solvers `pbd` and `pbdr`: rigid bodies as sets of spheres held together by shape matching.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::particles
{

extern const SolverInfo kPbd;
extern const SolverInfo kPbdr;

}  // namespace rattleback::particles
