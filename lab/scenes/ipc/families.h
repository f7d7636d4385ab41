// The larger scenes for `ipc`, by family.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

namespace rattleback::lab
{

std::span<const IpcScene> linked_scenes();    ///< chains, nets, the wrecking ball
std::span<const IpcScene> friction_scenes();  ///< arches, cards, slopes, turntables, what rolls
std::span<const IpcScene> machine_scenes();   ///< bolt, gears, Lewis, clouds of points, packing
std::span<const IpcScene> linkage_scenes();   ///< pendulums, piston, punching press, intermittent motion
std::span<const IpcScene> bicycle_scenes();   ///< the chain of a bicycle
std::span<const IpcScene> lock_box_scenes();  ///< a box that a key unlocks
std::span<const IpcScene> cube_scenes();      ///< loose piles of 125, 512 and 1,000 cubes
std::span<const IpcScene> arm_scenes();       ///< arms with motors

}  // namespace rattleback::lab
