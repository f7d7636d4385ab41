// Two habits of MuJoCo's compiler that change the weights of constraints, and nothing else.
#pragma once

#include <rattleback/model.h>

namespace rattleback
{

/// Makes the constants of a compiled model at q0 those that MuJoCo finds:
/// - a body without mass has its "centre of mass" where its frame would be if its parent's pose were applied twice
///   (MuJoCo takes `pos` for a missing inertial position);
/// - where all joints of a body are slides along its own principal axes, nothing is attached to it, no tendon with
///   armature among it, and it hangs from the world, its inverse weights are 1 / mass, armature left out.
void apply_mujoco_weights(Model& model);

}  // namespace rattleback
