// The part of bench `smooth` that stands beside other engines.
#pragma once

#include "lab/bench/bench.h"

namespace rattleback::lab
{

/// Speed of a step without constraints over MuJoCo's, on its own humanoid, a robot and a hand, with the distance of the
/// two motions beside it; and of a batch. What is missing here (MuJoCo, models) is noted, not an error.
void measure_smooth_peers(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
