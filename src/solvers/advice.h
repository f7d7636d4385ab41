// What a solver has to say about a model that it does run.
#pragma once

#include <rattleback/solver.h>

namespace rattleback
{

/// Warnings of a solver for a model, complete parameters and a timestep [s], for Simulation::warnings().
std::vector<Error> find_advice(const SolverInfo& info, const Model& model, const Parameters& parameters, double dt);

/// The same of what SolverInfo::prepare has found; null: nothing.
std::vector<Error> find_start_advice(const SolverInfo& info, const void* prepared);

}  // namespace rattleback
