// A heap of stones in `comfree`: corrections settle, so that nothing gives way.
#include "lab/scenes/piles.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rattleback
{
namespace
{

/// Sum of the heights of all bodies [m].
double sum_heights(const Simulation& simulation)
{
    double sum = 0;
    for (int b = 1; b < simulation.model().body_count(); ++b) sum += simulation.state().position(BodyId{b}).z;
    return sum;
}

TEST(ComfreeHeap, stones_at_rest_have_impulses_that_settle)
{
    // Friction that unloads its own normal kept the corrections from settling in five of these eight heaps, 1993 of
    // 3200 steps, by 0.002 to 0.16 m/s: what stood then was the answer of soft rows, in which friction creeps.
    int unsettled = 0;
    double creep = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8})
    {
        Simulation simulation(lab::build_mixed_bin({.count = 6, .seed = seed}).value(),
                              {.solver = "comfree", .dt = 0.005});
        EXPECT_EQ(simulation.run_for(8).status, StepStatus::ok);
        const double before = sum_heights(simulation);
        for (int i = 0; i < 400; ++i) unsettled += simulation.step().residual > 1e-4 ? 1 : 0;  // [m/s]
        creep = std::max(creep, std::abs(before - sum_heights(simulation)) / 6);
    }
    std::printf("steps of heaps at rest that do not settle: %d of 3200; mean sinking in 2 s: %.4f mm\n", unsettled,
                1e3 * creep);
    EXPECT_LE(unsettled, 8);  // there are none; single steps in which who slides changes
    // Soft rows let them sink by 4.7 mm in 16 s, 0.6 in 2 s: a sixth of that. Measured: 0.03.
    EXPECT_LE(creep, 0.1e-3);
}

}  // namespace
}  // namespace rattleback
