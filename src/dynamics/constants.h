// Constants of a Model that follow from its dynamics at q0.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// Fills what is derived from M(q0): dofs.inertia, dofs.inverse_weight, bodies.inverse_weight, tendons.length,
/// tendons.spring_length where negative, tendons.inverse_weight, mean_inertia. The rest of the model is complete.
void compute_constants(Model& model);

/// Inertia that each actuator feels at q0: 1 / (J M^-1 Jᵀ), with J its moment arms; 0 when it moves nothing.
std::vector<double> compute_actuator_inertias(const Model& model);

/// Norm of the joint acceleration that a unit of force of each actuator gives at q0 (MuJoCo's actuator_acc0).
std::vector<double> compute_actuator_accelerations(const Model& model);

}  // namespace rattleback
