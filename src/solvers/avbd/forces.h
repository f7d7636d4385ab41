// External forces of a step: control wrenches and joint forces, actuators.
#pragma once

#include "solvers/avbd/blocks.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// External forces of a step, and what the actuators' states become.
struct ExternalForces
{
    explicit ExternalForces(const Layout& layout);

    std::vector<Wrench> wrench;        ///< [group] control wrenches, actuators on sites, balls and free joints
    std::vector<double> dof_force;     ///< [dof] control's joint forces
    std::vector<double> act;           ///< activations at the end of the step
    std::vector<const Contact*> held;  ///< scratch of add_adhesion
    bool adhesive = false;             ///< some actuator acts on the contacts of a body
    bool sticky = false;               ///< some material pulls what touches it
    double rotor = 0;                  ///< of the actuator looked at last: force that no range bounds
};

/// Finds them, and sets the drives of dofs and tendons for the step. The bodies of `work` are placed.
void find_external_forces(const Layout& layout, const StepInput& input, const WorldView& world, BlockWork& work,
                          ExternalForces& forces);

/// Origin of a group's frame at the start of the step, world [m].
Vec3 group_origin(const Layout& layout, int group, const std::vector<Body>& bodies);
/// Adds a force at `point` and a torque, world axes, to the wrench about a group's centre of mass.
void add_force(const std::vector<Body>& bodies, int group, const Vec3& point, const Vec3& force, const Vec3& torque,
               std::vector<Wrench>& wrenches);

}  // namespace rattleback::avbd
