// Criteria for the scenes of the reference (ipc-sim/rigid-ipc), which are read from their files.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"

namespace rattleback::lab
{

/// What a run of the public scene of this file (its name without folder and ".json") is judged by: closed forms where
/// there are some, clearances and linking numbers of its meshes, otherwise energy and convergence. Runs begin at the
/// start and may be cut short, but long enough for what is judged to happen; one with a pose that is no number fails.
IpcVerdict judge_public_scene(std::string_view name, const IpcRun& run);

}  // namespace rattleback::lab
