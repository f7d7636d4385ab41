// The larger scenes for `ipc`, by family.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

namespace rattleback::lab
{

std::span<const IpcScene> linked_scenes();    ///< chains, nets, the wrecking ball
std::span<const IpcScene> friction_scenes();  ///< arches, cards, slopes, turntables, what rolls
std::span<const IpcScene> machine_scenes();   ///< bolt, gears, piston, Lewis, pendulums, clouds of points
std::span<const IpcScene> arm_scenes();       ///< arms with motors

}  // namespace rattleback::lab
