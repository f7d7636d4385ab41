// Forces that go round with a body: on arms of the middle of the step, as far as that does no work.
#pragma once

#include "solvers/ipc/newton.h"

namespace rattleback::ipc
{

/// Of one group: its turn in the step, and the angular momentum to take back.
struct TurningArms
{
    Vec3 turn, moment;
};

/// The centre goes along the chord of its way, the body turns along the arc, and a force F that acts on an arm r as it
/// is at the end, not in the middle, of a turn θ changes angular momentum by δL = h/2 (θ x r) x F = h/2 (r (θ · F) - θ
/// (r · F)) too much. The second part, along the turn, does work: Balance has it. The first, across the turn, does
/// none: it carries the normal forces of a box round with the table that it stands on, and is taken back here from
/// `velocities` [group]; by a tenth of the body's spin at most, and not beyond a radian, where the end says little of
/// the middle. `arms`: [group] scratch.
void take_turning_arms(const Newton& newton, std::span<const Body> bodies, double dt, std::vector<TurningArms>& arms,
                       std::span<Velocity> velocities);

}  // namespace rattleback::ipc
