// Scenes that nobody should have built: what comes of them is finite, slow and named.
#include "lab/scenes/gears.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

class BadInput : public testing::TestWithParam<std::string>
{
protected:
    /// Runs for `seconds`; the fastest that any body got [m/s].
    double find_fastest(Model model, double seconds, std::span<const double> input = {})
    {
        Simulation simulation(std::move(model), {.solver = GetParam()});
        std::copy(input.begin(), input.end(), simulation.control().input.begin());
        double fastest = 0;
        const int steps = static_cast<int>(seconds / simulation.dt());
        for (int i = 0; i < steps; ++i)
        {
            const StepReport report = simulation.step();
            EXPECT_NE(report.status, StepStatus::diverged) << simulation.explain(report);
            if (report.status == StepStatus::diverged) return HUGE_VAL;
            for (const Velocity& velocity : simulation.state().body_velocity)
                fastest = std::max(fastest, norm(velocity.linear));
        }
        return fastest;
    }
};

TEST_P(BadInput, boxes_that_start_deep_inside_each_other_part_slowly)
{
    ModelBuilder builder("deep");
    builder.add_ground({.name = "floor"});
    for (int i = 0; i < 4; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.02 * i, 0.01 * i, 0.1 + 0.03 * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    // to be pushed out by 0.2 m within two steps would be 50 m/s; a 36th of it per step is below 3, and a box on top of
    // three that part goes faster
    EXPECT_LT(find_fastest(builder.build().value(), 1), 10);
}

TEST_P(BadInput, a_gram_bears_a_thousand_tonnes_without_an_explosion)
{
    ModelBuilder builder("ratio");
    builder.add_ground({.name = "floor"});
    const BodyId light = builder.add_body({.position = {0, 0, 0.05}});
    builder.add_shape(light, Box{.half_extents = {0.05, 0.05, 0.05}}, {.mass = 1e-3});
    const BodyId heavy = builder.add_body({.position = {0, 0, 0.2}});
    builder.add_shape(heavy, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1e6});
    // it may sink through, but nothing is shot away: falling by its own height gives 2 m/s
    EXPECT_LT(find_fastest(builder.build().value(), 1), 10);
}

TEST_P(BadInput, limits_that_exclude_the_start_bring_the_joint_back_slowly)
{
    ModelBuilder builder("limits");
    builder.settings().gravity = {0, 0, 0};
    const BodyId arm = builder.add_body();
    builder.add_joint(arm, {.type = JointType::hinge, .axis = {0, 1, 0}, .range = {true, 1.0, 1.5}});
    builder.add_shape(arm, Box{.half_extents = {0.2, 0.02, 0.02}}, {.position = {0.2, 0, 0}});
    // a radian within 36 steps of 2 ms is 14 rad/s
    EXPECT_LT(find_fastest(builder.build().value(), 1), 10);
}

TEST_P(BadInput, two_motors_that_fight_over_one_joint_hold_it)
{
    ModelBuilder builder("fight");
    builder.settings().gravity = {0, 0, 0};
    const BodyId arm = builder.add_body();
    const JointId joint = builder.add_joint(arm, {.type = JointType::hinge, .axis = {0, 1, 0}});
    builder.add_shape(arm, Box{.half_extents = {0.2, 0.02, 0.02}}, {.position = {0.2, 0, 0}});
    builder.add_position_actuator(joint, {.stiffness = 100, .damping = 5});
    builder.add_position_actuator(joint, {.stiffness = 100, .damping = 5});
    const double input[] = {1, -1};
    EXPECT_LT(find_fastest(builder.build().value(), 1, input), 1e-6);
}

TEST_P(BadInput, a_spring_of_a_giganewton_per_metre_holds_a_gram)
{
    ModelBuilder builder("spring");
    const BodyId body = builder.add_body();
    builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, 1}, .initial_position = 1e-3, .stiffness = 1e9});
    builder.add_shape(body, Sphere{.radius = 0.01}, {.mass = 1e-3});
    // all of its energy, 500 J, in the gram: 1 km/s
    EXPECT_LT(find_fastest(builder.build().value(), 1), 1100);
}

TEST_P(BadInput, a_chain_of_masses_from_one_to_a_billion_hangs_together)
{
    ModelBuilder builder("chain");
    BodyId parent = kWorld;
    for (int i = 0; i < 4; ++i)
    {
        parent = builder.add_body({.parent = parent, .position = {0.2, 0, 0}});
        builder.add_joint(parent, {.type = JointType::hinge, .axis = {0, 1, 0}});
        constexpr double kMasses[] = {1e9, 1, 1e6, 1e3};
        builder.add_shape(parent, Box{.half_extents = {0.1, 0.02, 0.02}},
                          {.position = {0.1, 0, 0}, .mass = kMasses[i], .mask = 0});
    }
    // released sideways: the tip of 0.8 m falls by at most twice that, and a whip may be some times as fast
    EXPECT_LT(find_fastest(builder.build().value(), 1), 60);
}

TEST_P(BadInput, wheels_on_fixed_axles_turn_each_other_by_their_teeth)
{
    // No force at its centre of mass moves such a wheel: contacts that were judged by that alone had no softness left,
    // and no factor of their matrix.
    Simulation simulation(lab::build_gears().value(), {.solver = GetParam()});
    simulation.control().input[0] = 2;
    for (int i = 0; i < 2500; ++i)
    {
        const StepReport report = simulation.step();
        ASSERT_LT(report.status, StepStatus::diverged) << simulation.explain(report);
    }
    const double driver = simulation.state().q[0], driven = simulation.state().q[1];
    EXPECT_GT(driver, 8);  // of 10 rad without a load
    // one to one: teeth of 0.019 in gaps of 2 pi 0.1 / 12 - 0.019 m may be 0.14 rad apart
    EXPECT_NEAR(driver + driven, 0, 0.15);
}

TEST_P(BadInput, warnings_name_what_excludes_the_start)
{
    ModelBuilder builder("named");
    const BodyId arm = builder.add_body({.name = "arm", .position = {5, 0, 0}});
    builder.add_joint(arm, {.name = "elbow", .type = JointType::hinge, .axis = {0, 1, 0}, .range = {true, 1.0, 1.5}});
    builder.add_shape(arm, Box{.half_extents = {0.2, 0.02, 0.02}}, {.position = {0.2, 0, 0}});
    for (const char* name : {"left", "right"})
        builder.add_shape(builder.add_body({.name = name, .position = {name[0] == 'l' ? 0 : 0.1, 0, 0}}),
                          Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = name});
    const Simulation simulation(builder.build().value(), {.solver = GetParam()});
    const std::string text = to_text(simulation.warnings());
    for (const char* part : {"'elbow'", "outside of its range from 1 to 1.5", "left", "right"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST_P(BadInput, a_step_in_parts_says_so_and_who_has_the_energy)
{
    ModelBuilder builder("spring");
    const BodyId body = builder.add_body({.name = "gram"});
    builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, 1}, .initial_position = 1e-3, .stiffness = 1e9});
    builder.add_shape(body, Sphere{.radius = 0.01}, {.mass = 1e-3});
    Simulation simulation(builder.build().value(), {.solver = GetParam()});
    std::string text;
    for (int i = 0; i < 20; ++i)
    {
        const StepReport report = simulation.step();
        if (report.substeps == 1 && report.status == StepStatus::ok)
            EXPECT_EQ(simulation.explain(report), "");
        else if (text.empty())
            text = simulation.explain(report);
    }
    // avbd has springs at the end of the step: its steps are whole
    if (GetParam() == "avbd") return;
    EXPECT_NE(text.find("parts, because a whole step would have made energy or diverged"), std::string::npos) << text;
    EXPECT_NE(text.find("is in body \"gram\""), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(solvers, BadInput, testing::Values("avbd", "comfree", "convex"),
                         [](const auto& solver) { return solver.param; });

}  // namespace
}  // namespace rattleback
