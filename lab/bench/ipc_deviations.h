// What each deviation of `ipc` from [RigidIPC] changes: `bench ipc --deviations`.
#pragma once

#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// Runs a few scenes with all deviations, without one, with one alone, and with none; or options.scene by itself.
Status measure_ipc_deviations(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
