// Actuators that act on bodies and not along a dof or tendon: explicit wrenches, found once per step.
#pragma once

#include "solvers/avbd/actuator_drives.h"

namespace rattleback::avbd
{

/// Adds the wrench of an actuator on a site, between two sites, or on a ball or free joint. One on the contacts of a
/// body adds nothing here.
void add_actuator_wrench(const ActuatorStep& step, int actuator, ExternalForces& forces);

/// Adds the forces of adhesive actuators, once the contacts are known: each is shared by all contacts of its body and
/// pulls both sides together along their normals.
void add_adhesion(const Layout& layout, const StepInput& input, const WorldView& world, const std::vector<Body>& bodies,
                  const Contacts& contacts, ExternalForces& forces);

}  // namespace rattleback::avbd
