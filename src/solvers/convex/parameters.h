// Parameters of the solver `convex`: MuJoCo's names and defaults, and a few of our own.
#pragma once

#include "solvers/convex/world_constraints.h"

#include <rattleback/solver.h>

namespace rattleback::convex
{

std::vector<ParameterInfo> make_parameter_table();

Options read_options(const Model& model, const Parameters& parameters);

/// Features that switches leave out; errors for switches of MuJoCo that this solver does not have.
Result<std::vector<Feature>> check_switches(const Parameters& parameters);

}  // namespace rattleback::convex
