// Parts of bench `ccd`: the queries of the bolt's first steps by four methods, and what delta does to the piston.
#pragma once

#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// [RigidIPC] Fig. 21: queries per second, subdivisions, slowest query and a histogram of times.
void measure_bolt_queries(const BenchOptions& options, BenchReport& report);
/// [RigidIPC] App. C on queries alone: those of the piston's first steps, the same for delta 0.1, 0.5, 0.9.
void measure_delta_queries(const BenchOptions& options, BenchReport& report);
/// [RigidIPC] App. C: time and Newton iterations with `ccd = paper` and delta 0.1, 0.5, 0.9.
void measure_delta(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
