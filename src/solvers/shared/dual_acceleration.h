// The smooth acceleration of Euler's methods in dual numbers: what Stepper does with `split`, with derivatives.
#pragma once

#include "dynamics/dual_stages.h"
#include "solvers/shared/integrators.h"

namespace rattleback
{

/// Whether find_dual_acceleration knows the integrator.
bool has_dual_acceleration(const Tree& tree, Integrator integrator);

/// After the stages: d.qacc = (M - h D)^-1 total, with D as the integrator has it, and the factor of M in `d`.
/// `system` is scratch.
void find_dual_acceleration(Workspace<DualPack>& d, const StepperOptions& options, double dt,
                            std::vector<DualPack>& system);

}  // namespace rattleback
