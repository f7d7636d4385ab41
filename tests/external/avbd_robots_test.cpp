// The same robot in body coordinates and in joint coordinates: `avbd` beside `convex` on published MJCF files.
#include "external/data.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string>

namespace rattleback
{
namespace
{

struct Robot
{
    const char* path;
    double tolerance;  ///< of every joint coordinate after half a second [m, rad]; both solvers are of first order
};

class AvbdRobots : public testing::TestWithParam<Robot>
{
};

TEST_P(AvbdRobots, moves_as_in_convex)
{
    const std::filesystem::path path = find_data() / "mjcf" / GetParam().path;
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
    const Model model = load_model(path).value().model;
    Simulation joints(Model(model), {.solver = "convex"}), bodies(Model(model), {.solver = "avbd"});
    const std::vector<double> start = joints.state().q;
    EXPECT_EQ(joints.run_for(0.5).status, StepStatus::ok);
    EXPECT_EQ(bodies.run_for(0.5).status, StepStatus::ok);
    double apart = 0, moved = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
    {
        apart = std::max(apart, std::abs(joints.state().q[i] - bodies.state().q[i]));
        moved = std::max(moved, std::abs(joints.state().q[i] - start[i]));
    }
    EXPECT_LT(apart, GetParam().tolerance);
    EXPECT_GT(moved, 3 * apart) << "the robot moves, or the test says nothing";
}

INSTANTIATE_TEST_SUITE_P(Mjcf, AvbdRobots,
                         testing::Values(Robot{"menagerie/franka_emika_panda/mjx_scene.xml", 1e-3},
                                         Robot{"menagerie/franka_emika_panda/panda_nohand.xml", 1e-3},
                                         Robot{"menagerie/franka_emika_panda/panda.xml", 1e-3},  // tendons
                                         Robot{"menagerie/shadow_hand/right_hand.xml", 1e-2},    // tendons
                                         Robot{"menagerie/leap_hand/scene_right.xml", 1e-3},
                                         Robot{"menagerie/wonik_allegro/scene_left.xml", 1e-4},
                                         Robot{"menagerie/unitree_g1/scene.xml", 2e-3},
                                         Robot{"menagerie/unitree_g1/scene_mjx.xml", 5e-3},
                                         Robot{"menagerie/unitree_g1/scene_with_hands.xml", 2e-3},
                                         Robot{"mujoco_warp/humanoid.xml", 0.05}),
                         [](const auto& robot) { return make_title(robot.param.path); });

}  // namespace
}  // namespace rattleback
