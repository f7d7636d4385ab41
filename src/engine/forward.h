// Forward: what the engine adds to Solver::forward - contacts for solvers that have none.
#pragma once

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

    Contacts contacts;     ///< scratch for what a world finds
    ContactForces forces;  ///< likewise
    ConstraintForces constraints;

private:
    // Made by the first call: most runs never ask.
    std::unique_ptr<Collider> collider_;
};

}  // namespace rattleback
