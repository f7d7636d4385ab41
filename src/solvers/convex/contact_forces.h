// From row forces to wrenches of contacts and to joint forces.
#pragma once

#include "solvers/shared/rows.h"

namespace rattleback::convex
{

/// Forces on the second bodies at the contact points, world axes, in the order of `contacts`; zero where no row acts.
void find_contact_forces(const Contacts& contacts, const ConstraintRows& rows, std::span<const double> forces,
                         std::vector<Wrench>& wrenches);

/// out = Jᵀ forces, [dof].
void find_joint_forces(const ConstraintRows& rows, std::span<const double> forces, std::span<double> out);

}  // namespace rattleback::convex
