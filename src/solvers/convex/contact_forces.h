// From row forces to wrenches of contacts.
#pragma once

#include "solvers/shared/rows.h"

namespace rattleback::convex
{

/// Forces on the second bodies at the contact points, world axes, in the order of `contacts`; zero where no row acts.
void find_contact_forces(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> forces,
                         std::vector<Wrench>& wrenches);

}  // namespace rattleback::convex
