// Forward: what the engine adds to Solver::forward - contacts for solvers that have none, accelerations of sensors.
#pragma once

#include "dynamics/workspace.h"

#include <rattleback/solver.h>

namespace rattleback
{

/// Scratch of one thread, made when it is first needed.
class Forward
{
public:
    /// For a solver that does not solve at one moment: the contacts of the present poses, with the forces that those
    /// of them had which the last step of `memory` knew, and none for the others.
    void find_contacts(const Model& model, const ContactFilter& filter, const ConstWorldView& world, Memory& memory,
                       Contacts& contacts, ContactForces& forces);

    /// Accelerations of the accelerometers' frames minus gravity, world axes [m/s^2], for given accelerations of the
    /// dofs. Bodies of `world` are up to date.
    std::span<const Vec3> find_sensor_accelerations(const Tree& tree, const StepInput& input,
                                                    const ConstWorldView& world, std::span<const double> qacc);

    Contacts contacts;     ///< scratch for what a world finds
    ContactForces forces;  ///< likewise

private:
    // Made by the first call: most runs never ask.
    std::unique_ptr<Collider> collider_;
    std::unique_ptr<Workspace<double>> workspace_;
    std::vector<double> linear_, angular_;  ///< Jacobians, [3][v_count]
    std::vector<Vec3> accelerations_;
};

}  // namespace rattleback
