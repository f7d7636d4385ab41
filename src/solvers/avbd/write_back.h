// The end of a step: bounces, poses and velocities of all bodies, joint coordinates.
#pragma once

#include "solvers/avbd/blocks.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// Velocities after impacts with restitution: one pass over the contacts that pressed and approached fast enough.
void bounce(const Layout& layout, double least_speed, const std::vector<ContactRow>& rows,
            const std::vector<RowGroup>& groups, std::vector<Body>& bodies);

/// First part whose pose or velocity is not finite; -1: none.
int find_bad_part(const Layout& layout, const std::vector<Body>& bodies);

/// Poses and velocities of all bodies, q and v of all joints.
void write_back(const Layout& layout, BlockWork& work, const WorldView& world);

}  // namespace rattleback::avbd
