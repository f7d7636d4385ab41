// Kinematic bodies in a step: where their tracks and targets take them, and their end written to the world.
#pragma once

#include "base/index.h"
#include "dynamics/integrate.h"

#include <rattleback/solver.h>

#include <algorithm>
#include <span>

namespace rattleback
{

/// The motion of each of `bodies` in this step.
inline void find_kinematic_motions(const Model& model, std::span<const int> bodies, const StepInput& input,
                                   const ConstWorldView& world, std::span<KinematicMotion> motions)
{
    // Kinematic bodies are not integrated: pose and velocity at the end of the step are prescribed.
    for (std::size_t k = 0; k < bodies.size(); ++k)
        motions[k] = find_kinematic_motion(model, bodies[k], world, input.control, input.time, input.dt);
}

/// Targets of a part of a step: where bodies are at `fraction` of their motion, `ends` for those without one.
inline void place_targets(const Model& model, std::span<const int> bodies, std::span<const KinematicMotion> motions,
                          double fraction, std::span<const Pose> ends, std::span<Pose> targets)
{
    std::copy(ends.begin(), ends.end(), targets.begin());
    for (std::size_t k = 0; k < bodies.size(); ++k)
    {
        const int target = model.bodies.kinematic_index[at(bodies[k])];
        if (target >= 0) targets[at(target)] = interpolate(motions[k], fraction);
    }
}

/// Poses and velocities of bodies that have reached the end of their motion.
inline void commit_kinematic_bodies(std::span<const int> bodies, std::span<const KinematicMotion> motions,
                                    const WorldView& world)
{
    for (std::size_t k = 0; k < bodies.size(); ++k)
    {
        world.body_pose[at(bodies[k])] = motions[k].end;
        world.body_velocity[at(bodies[k])] = motions[k].end_velocity;
    }
}

}  // namespace rattleback
