// External forces of a step: control wrenches and joint forces, actuators.
#pragma once

#include "solvers/avbd/blocks.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// Places for the drives of a model: by dof, one for each actuator on a hinge or slide.
Drives make_drives(const Model& model);
/// By tendon, one for each actuator that pulls it.
Drives make_tendon_drives(const Model& model);

/// External forces of a step, and what the actuators' states become.
struct ExternalForces
{
    explicit ExternalForces(const Layout& layout);

    std::vector<Wrench> wrench;        ///< [group] control wrenches, actuators on sites, balls and free joints
    std::vector<double> dof_force;     ///< [dof] control's joint forces
    std::vector<double> act;           ///< activations at the end of the step
    std::vector<const Contact*> held;  ///< scratch of add_adhesion
    bool adhesive = false;             ///< some actuator acts on the contacts of a body
    double rotor = 0;                  ///< of the actuator looked at last: force that no range bounds
};

/// Finds them, and sets the drives of dofs and tendons for the step. The bodies of `work` are placed.
void find_external_forces(const Layout& layout, const StepInput& input, const WorldView& world, BlockWork& work,
                          ExternalForces& forces);

/// Adds the forces of adhesive actuators, once the contacts are known: each is shared by all contacts of its body and
/// pulls both sides together along their normals.
void add_adhesion(const Layout& layout, const StepInput& input, const WorldView& world, const std::vector<Body>& bodies,
                  const Contacts& contacts, ExternalForces& forces);

}  // namespace rattleback::avbd
