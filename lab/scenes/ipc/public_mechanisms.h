// Criteria for the public scenes whose laws follow from their meshes, and for those that follow tracks.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

namespace rattleback::lab
{

/// The head is where crank and rod put it, and both eyes stay on their pins, within clearances.
IpcVerdict judge_public_piston(const IpcRun& run);
/// No joint plays more than its clearance, the punch is where the knee puts it and rises to its stop, and no energy
/// comes but from the force.
IpcVerdict judge_public_press(const IpcRun& run);
/// kinematic.json: a plane pushes a cube against a force.
IpcVerdict judge_public_pusher(const IpcRun& run);
/// kinematically-scripted.json: a cube follows poses, then turns, and throws another one.
IpcVerdict judge_public_script(const IpcRun& run);

}  // namespace rattleback::lab
