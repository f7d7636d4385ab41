// The unit tests of [RigidIPC] (Fig. 16) and the cases of Erleben (Fig. 17) with shapes of our own.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

namespace rattleback::lab
{

/// The scenes of this family.
std::span<const IpcScene> unit_scenes();
std::span<const IpcScene> erleben_scenes();

}  // namespace rattleback::lab
