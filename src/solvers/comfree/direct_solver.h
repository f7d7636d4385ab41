// All laws of `comfree` for one world at a time: closed forms, and `stable` by corrections.
#pragma once

#include "solvers/comfree/parameters.h"

#include <memory>

namespace rattleback::comfree
{

std::unique_ptr<Solver> make_direct_solver(const Model& model, const Options& options);

}  // namespace rattleback::comfree
