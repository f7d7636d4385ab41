// Outer forces of a step: control wrenches and joint forces, actuators.
#pragma once

#include "solvers/avbd/dof_rows.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// Places for the drives of a model: by dof, one for each actuator on a hinge or slide.
Drives make_drives(const Model& model);

/// Sets drives for the step, applied forces of link dofs, wrenches of parts; `act` receives the activations at the end
/// of the step.
void find_outer_forces(const Layout& layout, const StepInput& input, const WorldView& world,
                       const std::vector<Body>& bodies, Drives& drives, std::vector<double>& applied,
                       OuterForces& outer, std::vector<double>& act);

}  // namespace rattleback::avbd
