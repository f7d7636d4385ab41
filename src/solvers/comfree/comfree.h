// Solver `comfree`: contact impulses in closed form from the predicted velocity, without a complementarity problem.
#pragma once

#include <rattleback/solver.h>

namespace rattleback::comfree
{

extern const SolverInfo kInfo;

/// A warning where settings, or a model that sweeps were asked for, leave packs of worlds for single ones.
std::vector<Error> find_unswept(const Model& model, const Parameters& parameters);

}  // namespace rattleback::comfree
