// Kinematic bodies in a step: where their tracks and targets take them, and their end written to the world.
#pragma once

#include "base/index.h"
#include "dynamics/integrate.h"

#include <rattleback/solver.h>

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
