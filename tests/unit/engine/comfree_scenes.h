// What the tests of the solver comfree share.
#pragma once

#include <rattleback/rattleback.h>

namespace rattleback
{

/// A simulation with the solver comfree; dt [s].
inline Simulation make_comfree(const Model& model, const Parameters& parameters = {}, double dt = 0.002)
{
    return Simulation::make(model, {.solver = "comfree", .dt = dt, .parameters = parameters}).value();
}

}  // namespace rattleback
