// Parts of bench `convex`.
#pragma once

#include "lab/bench/convex_duel.h"

namespace rattleback::lab
{

/// Adds speed, ratio and accuracy of one scene: ours with and without true stick beside MuJoCo's fastest. `bar` and
/// `aim` are of the ratio.
void measure_duel(const std::string& title, const Result<ConvexDuel>& duel, int steps, double bar, double aim,
                  const BenchOptions& options, BenchReport& report);

/// Growth of the time per step with the number of capsules: sparse, dense, and without contact.
void measure_capsules(const BenchOptions& options, BenchReport& report);
/// Many humanoids on one thread and on two.
void measure_convex_batch(const BenchOptions& options, BenchReport& report);

}  // namespace rattleback::lab
