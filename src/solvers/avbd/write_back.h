// The end of a step: bounces, poses and velocities of all bodies, joint coordinates.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/sleep.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// Velocities after impacts with restitution: one pass over the contacts that pressed and approached fast enough.
void bounce(const Layout& layout, double least_speed, const std::vector<ContactRow>& rows,
            const std::vector<Manifold>& manifolds, std::vector<Body>& bodies);

/// First group whose pose or velocity is not finite or absurd; -1: none.
int find_bad_group(const Layout& layout, const std::vector<Body>& bodies);

/// How far rigid joints are open after a step.
struct JointErrors
{
    double largest = 0;  ///< distance, turns error_fraction at the joint's arm [m]
    int parted = -1;     ///< a body whose joint has opened by more than its own size within the step; -1: none
};
/// After write_links, which places them.
JointErrors find_joint_errors(const Layout& layout, BlockWork& work);

/// Forces of joints' and tendons' limits in this step, for sensors.
void write_limit_forces(const Layout& layout, const BlockWork& work, ConstraintForces& forces);

/// q and v of all links but those that sleep. `sleep` may be null.
void write_links(const Layout& layout, const Sleep* sleep, BlockWork& work, const WorldView& world);
/// Poses and velocities of a range of the model's bodies, q and v of the free ones; not of those that sleep.
void write_bodies(const Layout& layout, const Sleep* sleep, Piece range, const std::vector<Body>& bodies,
                  const WorldView& world);

}  // namespace rattleback::avbd
