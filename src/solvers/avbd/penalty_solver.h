// Mode `penalty` of the solver `avbd`: [VBD-R], with ramped penalties instead of multipliers.
#pragma once

#include "solvers/avbd/settings.h"

#include <rattleback/solver.h>

#include <memory>

namespace rattleback::avbd
{

std::unique_ptr<Solver> make_penalty_solver(const Model& model, const Settings& settings);

}  // namespace rattleback::avbd
