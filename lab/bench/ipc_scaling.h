// Part of bench `ipc`: how the step of one world gains by threads ([RigidIPC] Fig. 15).
#pragma once

#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// Chains of densely meshed links, wall time. Weak: as many links as threads; strong: 64 links, 1 to 16 threads.
Status measure_ipc_scaling(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
