// Bench `collision`: pairs of shapes, shapes on triangles, the broad phase, and the contacts of whole scenes.
#include "lab/bench/collision.h"

namespace rattleback::lab
{

Status measure_collision(const BenchOptions& options, BenchReport& report)
{
    for (const auto measure : {&measure_pairs, &measure_surfaces, &measure_bowl, &measure_broad_phase, &measure_scenes})
    {
        const Status measured = measure(options, report);
        if (!measured.ok()) return measured;
    }
    return {};
}

}  // namespace rattleback::lab
