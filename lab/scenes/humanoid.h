// The humanoid: a free root and 21 hinges, on a floor or adrift in space.
#pragma once

#include <rattleback/builder.h>

namespace rattleback::lab
{

struct HumanoidOptions
{
    std::string name = "humanoid";
    double height = 0;       ///< of the soles above the floor at the start [m]
    bool floor = true;       ///< a floor, gravity, and shapes that collide
    bool limits = true;      ///< joint limits
    bool damping = true;     ///< joint damping
    bool motors = true;      ///< one motor per hinge, input -1..1
    double joint_speed = 0;  ///< scale of the hinge velocities at the start [rad/s]
    int count = 1;           ///< persons, in rows of ten, 0.7 m apart
};
/// About 72 kg and 1.7 m, standing upright: x forward, y left, z up.
Result<Model> build_humanoid(const HumanoidOptions& options = {});

/// The same person without floor, gravity, limits, damping or motors, limbs moving: energy and momentum stay.
Result<Model> build_astronaut();

}  // namespace rattleback::lab
