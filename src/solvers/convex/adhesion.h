// Adhesion: actuators on bodies pull at the contacts of their body, against the normals.
#pragma once

#include "dynamics/workspace.h"

#include <rattleback/contacts.h>

namespace rattleback::convex
{

/// Moment arms of actuators on bodies: minus the mean of the normals' Jacobians over all contacts of the body, whether
/// they touch or lie in the gap ([MuJoCo], "adhesion"). Those of a body without contacts are zero.
void compute_adhesion_moments(const Contacts& contacts, Workspace<double>& w);

}  // namespace rattleback::convex
