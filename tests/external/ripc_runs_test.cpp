// The public scenes of the rigid-IPC reference run with `ipc`: a few steps of the small ones, all of them whole in long
// tests; the audit along the way from state to state finds nothing.
#include <rattleback/import.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "external/data.h"
#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_run.h"

namespace rattleback
{
namespace
{

/// Runs a scene and expects that no two bodies ever meet; false where `ipc` refuses it, by a feature it names.
bool run_public_scene(const std::filesystem::path& path, std::int64_t most_steps, double budget)
{
    const Result<Imported> imported = load_model(path);
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    if (!imported.ok()) return false;
    const double dt = imported->model.settings.dt;
    const auto whole = static_cast<std::int64_t>(std::ceil(imported->duration / dt - 1e-9));
    const Result<lab::IpcOutcome> outcome =
        lab::run_ipc(std::make_shared<const Model>(imported->model),
                     {.steps = std::min(most_steps, std::max<std::int64_t>(whole, 1)), .budget = budget});
    if (!outcome.ok())
    {
        for (const Error& error : outcome.errors())
            EXPECT_EQ(error.code, ErrorCode::unsupported) << path << ": " << error.text();
        return false;
    }
    EXPECT_FALSE(outcome->failed) << path << ": a step was not committed";
    EXPECT_GE(outcome->steps, 1) << path;
    EXPECT_TRUE(outcome->audit.findings.empty())
        << path << ": " << outcome->audit.findings.size() << " pairs intersect";
    EXPECT_EQ(outcome->audit.undecided, 0) << path;
    std::printf("%s: %lld of %lld steps, %.4f s each, %lld not converged\n", path.stem().string().c_str(),
                static_cast<long long>(outcome->steps), static_cast<long long>(whole), outcome->seconds_per_step(),
                static_cast<long long>(outcome->not_converged));
    return true;
}

TEST(RipcRuns, small_public_scenes_take_a_few_steps_without_an_intersection)
{
    const std::vector<std::filesystem::path> scenes = list_public_scenes();
    if (scenes.empty()) GTEST_SKIP() << "no scenes in " << find_data();
    int run = 0, small = 0;
    for (const std::filesystem::path& path : scenes)
    {
        const Result<Imported> imported = load_model(path);
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        if (lab::find_size(imported->model).vertices > 300) continue;
        ++small;
        run += run_public_scene(path, 4, 0.3) ? 1 : 0;
    }
    // Those with partly fixed bodies need joints: that they are refused by name is checked where they are.
    EXPECT_GE(run, small - 8);
    EXPECT_GE(run, 25);
}

class WholePublicScene : public testing::TestWithParam<std::filesystem::path>
{
};

TEST_P(WholePublicScene, long_never_intersects)
{
    // Half an hour of steps at most, or as many seconds as the environment says; what did not fit is printed.
    const char* seconds = std::getenv("RATTLEBACK_SCENE_SECONDS");
    const double limit = seconds != nullptr ? std::atof(seconds) : 1500;
    ASSERT_GT(limit, 0) << "RATTLEBACK_SCENE_SECONDS";
    if (!run_public_scene(GetParam(), 100'000, limit)) GTEST_SKIP() << "ipc refuses it by name";
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(WholePublicScene);
INSTANTIATE_TEST_SUITE_P(Ripc, WholePublicScene, testing::ValuesIn(list_public_scenes()), [](const auto& scene)
                         { return make_title(std::filesystem::relative(scene.param, find_data() / "rigid-ipc")); });

}  // namespace
}  // namespace rattleback
