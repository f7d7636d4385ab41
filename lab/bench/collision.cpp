// Bench `collision`: pairs of shapes, the broad phase, and the contacts of whole scenes.
#include "lab/bench/collision.h"

namespace rattleback::lab
{

Result<bool> measure_collision(const BenchOptions& options, BenchReport& report)
{
    for (const auto measure : {&measure_pairs, &measure_broad_phase, &measure_scenes})
    {
        const Result<bool> measured = measure(options, report);
        if (!measured.ok()) return measured;
    }
    return true;
}

}  // namespace rattleback::lab
