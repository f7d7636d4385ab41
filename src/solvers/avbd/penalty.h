// The blocks and updates of [VBD-R]: penalties that grow, no multipliers. What differs from it is in README.md.
#pragma once

#include "solvers/avbd/block_sweep.h"
#include "solvers/avbd/blocks.h"

namespace rattleback::avbd
{

/// A contact's action on its second body at the present poses, the stiffness, and the energy that they come from.
struct PenaltyContact
{
    Vec3 force;      ///< [N]
    Mat3 stiffness;  ///< K_c = -df/dx [N/m]
    Vec3 first_arm, second_arm;
    double depth = 0;   ///< [m], positive: overlap
    double energy = 0;  ///< k depth^2 / 2, friction and damping apart [J]
    Vec3 torque;        ///< of spinning and rolling friction [N m]
    Mat3 turning;       ///< its stiffness [N m/rad]
};
/// `drift`: velocity of the second surface against the first, where one runs on its body.
PenaltyContact evaluate_penalty(const ContactRow& row, const Settings& settings, const Body& first, const Body& second,
                                double dt, const Velocity& drift = {});

/// k_max of a contact: the stiffness of its material [N/m].
double find_stiffness(const ContactRow& row, const Settings& settings);

/// The 6x6 system of one rigid group: inertia about the present rotation, contacts, links and loops.
BodySystem<double> assemble_penalty(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                                    int group, LoopScratch& scratch, BlockWork& work);

/// One Newton step of each body, colour by colour, those of one colour side by side.
void solve_bodies(const Layout& layout, const Settings& settings, const Colouring& colouring, const BlockSweep& sweep,
                  const std::vector<ContactRow>& rows, ThreadPool& pool, BlockWork& work);

/// k <- min(k + beta |C|, k_max), the dual update of [VBD-R].
double ramp_penalty(double k, double beta, double violation, double limit);
/// k <- gamma k inside [k_min, k_max], its warm start.
double warm_penalty(double k, double gamma, double least, double limit);

/// Penalties at the start of a substep, from those of the last one; nothing has a multiplier.
void start_penalties(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                     BlockWork& work);

/// Penalties after a sweep.
void ramp_penalties(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                    BlockWork& work);

/// Forces at the present poses and penalties, for reports and for joints that may break.
void record_loads(const Layout& layout, const Settings& settings, ThreadPool& pool, std::vector<ContactRow>& rows,
                  BlockWork& work);

}  // namespace rattleback::avbd
