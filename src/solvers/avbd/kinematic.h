// Groups whose motion is given: they follow tracks or targets through the step.
#pragma once

#include "solvers/avbd/bodies.h"
#include "solvers/shared/kinematic_bodies.h"

#include <rattleback/solver.h>

namespace rattleback::avbd
{

/// The motion of each of Layout::kinematic in this step.
struct KinematicGroups
{
    std::vector<KinematicMotion> motions;
    std::vector<char> moves;  ///< whether it moves at all
};

void find_motions(const Layout& layout, const StepInput& input, const WorldView& world, KinematicGroups& groups);

/// Increments and velocities in substep number `substep` of so many, each `dt` long.
void move_groups(const Layout& layout, const KinematicGroups& groups, int substep, int substeps, double dt,
                 std::vector<Body>& bodies);

}  // namespace rattleback::avbd
