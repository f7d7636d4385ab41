// The law `stable` by sweeps as a solver: worlds in the lanes of packs.
#pragma once

#include "solvers/comfree/parameters.h"

#include <memory>

namespace rattleback::comfree
{

/// Whether a model is solved by sweeps: by its parts and the options alone, so that one world and a batch agree.
bool uses_sweeps(const Model& model, const Options& options);

std::unique_ptr<Solver> make_sweep_solver(const Model& model, const Options& options);

}  // namespace rattleback::comfree
