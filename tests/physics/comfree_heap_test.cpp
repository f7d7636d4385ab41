// A heap of stones in `comfree`: corrections settle, so that nothing gives way.
#include "lab/scenes/piles.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{
namespace
{

TEST(ComfreeHeap, stones_at_rest_have_impulses_that_settle)
{
    // Friction that unloads its own normal kept the corrections from settling (five of these six heaps, by 0.002 to
    // 0.16 m/s, up to 400 steps of 400): what stood then was the answer of soft rows, in which friction creeps.
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6})
    {
        Simulation simulation(lab::build_mixed_bin({.count = 6, .seed = seed}).value(),
                              {.solver = "comfree", .dt = 0.005});
        EXPECT_EQ(simulation.run_for(8).status, StepStatus::ok);
        double worst = 0;
        for (int i = 0; i < 400; ++i) worst = std::max(worst, simulation.step().residual);
        EXPECT_LT(worst, 1e-4) << "seed " << seed;  // [m/s], of 0.05 that gravity makes in a step
    }
}

}  // namespace
}  // namespace rattleback
