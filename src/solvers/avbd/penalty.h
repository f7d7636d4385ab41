// The blocks and updates of [VBD-R] to the letter: penalties that grow, no multipliers.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/colours.h"

namespace rattleback::avbd
{

/// A contact's force on its second body at the present poses, the stiffness, and the energy that they come from.
struct PenaltyContact
{
    Vec3 force;      ///< [N]
    Mat3 stiffness;  ///< K_c = -df/dx [N/m]
    Vec3 first_arm, second_arm;
    double depth = 0;   ///< [m], positive: overlap
    double energy = 0;  ///< k depth^2 / 2, friction and damping apart [J]
};
/// `drift`: velocity of the second surface against the first, where one runs on its body [m/s].
PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt, const Vec3& drift = {});

/// The 6x6 system of one rigid group: inertia about the present rotation, contacts, links and loops.
BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int group, BlockWork& work);

/// Penalties at the start of a substep, from those of the last one; nothing has a multiplier.
void start_penalties(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work);

/// One Newton step of each body, colour by colour.
void solve_bodies(const Layout& layout, const Settings& settings, const Colouring& colouring,
                  const std::vector<ContactRow>& rows, BlockWork& work);

/// Penalties after a sweep.
void ramp_penalties(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work);

/// Forces at the present poses and penalties, for reports and for joints that may break.
void record_loads(const Layout& layout, const Settings& settings, std::vector<ContactRow>& rows, BlockWork& work);

}  // namespace rattleback::avbd
