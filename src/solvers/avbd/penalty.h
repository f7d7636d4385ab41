// Mode `penalty`: [VBD-R] to the letter - ramped penalties without multipliers, the inertial target as first guess.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/colours.h"

namespace rattleback::avbd
{

/// A contact's force on its second body at the present poses, the stiffness, and the energy that they come from.
struct PenaltyContact
{
    Vec3 force;
    Mat3 stiffness;
    Vec3 first_arm, second_arm;
    double depth = 0;   ///< [m], positive: overlap
    double energy = 0;  ///< k depth^2 / 2, friction and damping apart [J]
};
PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt);

/// The 6x6 system of one part: inertia about the present rotation, contacts, links and loops.
BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int part, BlockWork& work);

/// All iterations of a substep: bodies one after the other, colour by colour, then k <- min(k + beta |C|, k_max).
void solve_by_penalties(const Layout& layout, const Settings& settings, const Colouring& colouring,
                        std::vector<ContactRow>& rows, BlockWork& work);

}  // namespace rattleback::avbd
