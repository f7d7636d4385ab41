// Adhesion: actuators on bodies pull at the contacts of their body, against the normals.
#pragma once

#include "dynamics/workspace.h"
#include "solvers/shared/rows.h"

#include <rattleback/contacts.h>

namespace rattleback
{

/// Whether some actuator of the model acts on a body.
bool has_adhesion(const Model& model);

/// Moment arms of actuators on bodies: minus the mean of the normals' Jacobians over all contacts of the body, whether
/// they touch or lie in the gap ([MuJoCo], "adhesion"). Those of a body without contacts are zero.
void compute_adhesion_moments(const Contacts& contacts, Workspace<double>& w);

// Surfaces that stick (Contact::adhesion): the cone of a contact's forces is shifted down its normal by the pull d.
// With f the force in the cone as it stands, f - d is the force between the bodies; the row's reference has R d more,
// and the smooth forces have - Jᵀd ([MuJoCo], "Adhesion"). Then (f - d, a) are those of the shifted cone exactly.

/// Whether some material sticks.
bool has_sticky_surfaces(const Model& model);
/// - Jᵀd over all contacts, for all dofs.
void find_pull(const ConstraintRows& rows, std::span<double> joint_force);
/// Row forces f -> f - d.
void take_off_pull(const ConstraintRows& rows, std::span<double> row_force);

}  // namespace rattleback
