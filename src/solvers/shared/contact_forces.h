// From row forces to wrenches of contacts and forces of other constraints.
#pragma once

#include "solvers/shared/rows.h"

#include <rattleback/solver.h>

namespace rattleback
{

/// Forces on the second bodies at the contact points, world axes, in the order of `contacts`; zero where no row acts.
void find_contact_forces(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> forces,
                         std::vector<Wrench>& wrenches);

/// Forces of limits and equalities, and of all rows of each tendon. Allocates only the first time.
void find_constraint_forces(const Workspace<double>& w, const ConstraintRows& rows, std::span<const double> forces,
                            ConstraintForces& found);

}  // namespace rattleback
