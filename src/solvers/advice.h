// What a solver has to say about a model that it does run.
#pragma once

#include <rattleback/solver.h>

namespace rattleback
{

/// Warnings of a solver for a model and complete parameters, for Simulation::warnings().
std::vector<Error> find_advice(const SolverInfo& info, const Model& model, const Parameters& parameters);

}  // namespace rattleback
