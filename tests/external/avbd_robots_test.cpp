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
    /// Of every joint coordinate after half a second [m, rad]. What is apart at any step is what gives way: impedances
    /// of contacts, limits and dry friction creep in `convex`; friction in `avbd` sticks.
    double tolerance;
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

INSTANTIATE_TEST_SUITE_P(
    Mjcf, AvbdRobots,
    testing::Values(Robot{"menagerie/franka_emika_panda/mjx_scene.xml", 1e-3},
                    Robot{"menagerie/franka_emika_panda/panda_nohand.xml", 1e-3},
                    Robot{"menagerie/franka_emika_panda/panda.xml", 0.02},  // starts with its hand in link 5
                    Robot{"menagerie/shadow_hand/right_hand.xml", 0.02},    // dry friction
                    Robot{"menagerie/leap_hand/scene_right.xml", 1e-3},
                    Robot{"menagerie/wonik_allegro/scene_left.xml", 1e-4},
                    Robot{"menagerie/unitree_g1/scene.xml", 2e-3}, Robot{"menagerie/unitree_g1/scene_mjx.xml", 5e-3},
                    Robot{"menagerie/unitree_g1/scene_with_hands.xml", 2e-3}, Robot{"mujoco_warp/humanoid.xml", 0.05}),
    [](const auto& robot) { return make_title(robot.param.path); });

/// The largest distance of a joint coordinate between the two solvers after half a second, while the actuators on
/// tendons pull as three quarters of their range say; and how far the joints have come.
struct PulledRobot
{
    double apart = 0, moved = 0;
};
PulledRobot compare_pulled(const Model& model, double dt)
{
    Simulation joints(Model(model), {.solver = "convex", .dt = dt}), bodies(Model(model), {.solver = "avbd", .dt = dt});
    for (std::size_t a = 0; a < model.actuators.transmission.size(); ++a)
    {
        if (model.actuators.transmission[a] != TransmissionType::tendon) continue;
        const Range& range = model.actuators.input_range[a];
        joints.control().input[a] = bodies.control().input[a] = range.lower + 0.75 * (range.upper - range.lower);
    }
    const std::vector<double> start = joints.state().q;
    EXPECT_EQ(joints.run_for(0.5).status, StepStatus::ok);
    EXPECT_EQ(bodies.run_for(0.5).status, StepStatus::ok);
    PulledRobot result;
    for (std::size_t i = 0; i < start.size(); ++i)
    {
        result.apart = std::max(result.apart, std::abs(joints.state().q[i] - bodies.state().q[i]));
        result.moved = std::max(result.moved, std::abs(joints.state().q[i] - start[i]));
    }
    return result;
}

TEST(AvbdRobotTendons, move_fingers_as_in_convex)
{
    for (const char* name : {"menagerie/franka_emika_panda/panda.xml", "menagerie/shadow_hand/right_hand.xml"})
    {
        const std::filesystem::path path = find_data() / "mjcf" / name;
        if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
        // without contacts, limits and dry friction, whose softness the solvers see differently
        Model model = load_model(path).value().model;
        std::ranges::fill(model.shapes.category, 0U);
        std::ranges::fill(model.shapes.mask, 0U);
        std::ranges::fill(model.dofs.dry_friction, 0.0);
        for (Range& range : model.joints.range) range.limited = false;
        // of first order, or of second where trees swing by the midpoint rule: half as far apart at half the step, or
        // less
        const PulledRobot coarse = compare_pulled(model, 2e-3), fine = compare_pulled(model, 1e-3);
        EXPECT_LT(coarse.apart, 5e-4) << name;
        EXPECT_LT(fine.apart / coarse.apart, 0.55) << name;
        EXPECT_GT(coarse.moved, 0.02) << name;
    }
}

}  // namespace
}  // namespace rattleback
