// Random scenes with every solver: nothing that a builder or a file is told may end the process.
#include "support/random_scene.h"
#include "support/run_scene.h"
#include "support/throwing_checks.h"

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

constexpr int kScenes = 300, kAbsurdScenes = 200;
constexpr std::size_t kBytes = 600;  // a little more than most scenes read

struct Totals
{
    int built = 0, made = 0, committed = 0;
};

Totals run_scenes(std::uint64_t first_seed, int count, bool absurd)
{
    const ThrowingChecks checks;
    Totals totals;
    for (int i = 0; i < count; ++i)
    {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        const std::vector<std::uint8_t> data = make_random_bytes(seed, kBytes);
        ByteSource bytes(data);
        try
        {
            const SceneRun run = run_scene(make_random_scene(bytes, {.absurd = absurd}));
            EXPECT_EQ(run.fault, "") << "seed " << seed;
            totals.built += run.built;
            totals.made += run.made;
            totals.committed += run.committed;
        }
        catch (const std::exception& error)
        {
            ADD_FAILURE() << "seed " << seed << ": " << error.what();
        }
    }
    return totals;
}

}  // namespace

TEST(RandomScenes, sensible_ones_run_or_are_refused_with_reasons_by_every_solver)
{
    const Totals totals = run_scenes(1000, kScenes, false);
    // The claims are worth something only where scenes are built and stepped.
    EXPECT_GT(totals.built, kScenes / 2) << totals.built;
    EXPECT_GT(totals.committed, 3 * kScenes) << totals.committed;
}

TEST(RandomScenes, absurd_ones_end_in_errors_or_in_a_status)
{
    const Totals totals = run_scenes(5000, kAbsurdScenes, true);
    EXPECT_GT(totals.built, kAbsurdScenes / 10);
    EXPECT_LT(totals.built, kAbsurdScenes) << "some are refused";
}

}  // namespace rattleback
