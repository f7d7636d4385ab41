// Equalities and actuators that are switched at run time, through Control.
#include <rattleback/rattleback.h>

#include "support/throwing_checks.h"

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

constexpr double kEarthGravity = 9.81, kHeight = 2;
constexpr BodyId kBox{1};

/// A box that a weld holds in the air.
Model make_held_box(bool active = true)
{
    ModelBuilder builder("held");
    const BodyId box = builder.add_body({.position = {0, 0, kHeight}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    builder.add_weld(kWorld, box, {.name = "magnet", .active = active});
    return builder.build().value();
}

double height_of(const Simulation& simulation) { return simulation.state().position(kBox).z; }

/// A pendulum with a motor, or without.
Model make_driven_pendulum(bool driven, const ActuatorOptions& options = {})
{
    ModelBuilder builder("pendulum");
    builder.settings().integrator = Integrator::implicitfast;
    const BodyId arm = builder.add_body({.position = {0, 0, 1}});
    builder.add_shape(arm, Sphere{.radius = 0.05}, {.position = {0.5, 0, 0}, .mass = 1});
    const JointId joint = builder.add_joint(arm, {.axis = {0, 1, 0}, .damping = 0.01});
    if (driven) builder.add_actuator(joint, options);
    return builder.build().value();
}

}  // namespace

TEST(Switches, a_welded_box_falls_from_where_the_weld_is_switched_off)
{
    constexpr double kDt = 0.002;
    constexpr int kSteps = 200;
    constexpr double kTime = kDt * kSteps;
    const std::pair<std::string, double> solvers[] = {
        {"convex", 0.5 * kEarthGravity * kTime * kTime},        // midpoint: exact
        {"avbd", 0.5 * kEarthGravity * kTime * (kTime + kDt)},  // implicit Euler: g h^2 n (n + 1) / 2
    };
    for (const auto& [solver, fall] : solvers)
    {
        Simulation simulation(make_held_box(), {.solver = solver, .dt = kDt});
        simulation.run_for(1);
        const double held = height_of(simulation), speed = simulation.state().velocity(kBox).linear.z;
        EXPECT_NEAR(held, kHeight, 1e-3) << solver << ": a weld gives way a little";
        EXPECT_NEAR(speed, 0, 1e-6) << solver;
        simulation.control().equality_active[0] = 0;
        simulation.run_steps(kSteps);
        EXPECT_NEAR(height_of(simulation), held + speed * kTime - fall, 1e-9) << solver;
    }
}

TEST(Switches, a_weld_that_comes_back_has_forgotten_the_force_it_bore)
{
    ModelBuilder builder("floating");
    builder.settings().gravity = {};
    const BodyId box = builder.add_body({});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1});
    builder.add_weld(kWorld, box);
    for (const std::string mode : {"augmented", "penalty"})
    {
        Simulation simulation(builder.build().value(),
                              {.solver = "avbd", .dt = 0.002, .parameters = {{"mode", mode}, {"sleep", false}}});
        simulation.control().body_wrench[1].force = {100, 0, 0};
        simulation.run_for(0.2);  // the weld bears 100 N now
        simulation.control().body_wrench[1].force = {};
        simulation.control().equality_active[0] = 0;
        simulation.step();
        State home(simulation.model());
        const Snapshot loaded = simulation.snapshot();  // with the memory of the weld
        Snapshot centred = loaded;
        centred.state.q = home.q;
        centred.state.v = home.v;
        centred.state.body_pose = home.body_pose;
        centred.state.body_velocity = home.body_velocity;
        ASSERT_TRUE(simulation.restore(centred).ok());
        simulation.control().equality_active[0] = 1;
        simulation.run_for(0.1);
        EXPECT_LT(norm(simulation.state().position(box)), 1e-12) << mode;
    }
}

TEST(Switches, an_equality_that_starts_switched_off_can_be_switched_on)
{
    for (const std::string solver : {"avbd", "convex"})
    {
        Simulation simulation(make_held_box(false), {.solver = solver, .dt = 0.002});
        EXPECT_EQ(simulation.control().equality_active[0], 0);
        simulation.run_for(0.1);
        EXPECT_LT(height_of(simulation), kHeight - 0.04) << solver;
        simulation.control().equality_active[0] = 1;
        simulation.run_for(2);
        EXPECT_NEAR(height_of(simulation), kHeight, 2e-3) << solver << ": it is pulled back";
        simulation.reset();
        EXPECT_EQ(simulation.control().equality_active[0], 0) << "as the model has it";
    }
}

TEST(Switches, wake_what_sleeps)
{
    for (const std::string solver : {"avbd", "convex"})
    {
        Simulation simulation(make_held_box(), {.solver = solver, .dt = 0.002, .parameters = {{"sleep", true}}});
        simulation.run_for(1);
        const double held = height_of(simulation);
        simulation.step();
        EXPECT_EQ(height_of(simulation), held) << solver << ": asleep";
        simulation.control().equality_active[0] = 0;
        simulation.run_for(0.2);
        EXPECT_LT(height_of(simulation), held - 0.1) << solver;
    }
}

TEST(Switches, belong_to_each_world_of_a_batch_and_to_snapshots)
{
    for (const std::string solver : {"avbd", "convex"})
    {
        Batch batch(make_held_box(), {.solver = solver, .dt = 0.002, .world_count = 3});
        batch.control().equality_active[1] = 0;
        batch.run_for(0.2);
        EXPECT_NEAR(batch.state().position(kBox, 0).z, kHeight, 1e-3);
        EXPECT_LT(batch.state().position(kBox, 1).z, kHeight - 0.15);
        EXPECT_EQ(batch.state().position(kBox, 2).z, batch.state().position(kBox, 0).z);

        const Result<Snapshot> saved = to_snapshot(to_bytes(batch.snapshot(1)));
        ASSERT_TRUE(saved.ok());
        Simulation alone(make_held_box(), {.solver = solver, .dt = 0.002});
        ASSERT_TRUE(alone.restore(*saved).ok());
        EXPECT_EQ(alone.control().equality_active[0], 0);
        alone.run_for(0.1);
        batch.run_for(0.1);
        EXPECT_EQ(height_of(alone), batch.state().position(kBox, 1).z) << solver;
    }
}

TEST(Switches, an_actuator_that_is_off_leaves_the_passive_motion_bit_for_bit)
{
    // Damping of the actuator would be implicit, a range without zero would push.
    const ActuatorOptions options{.gain = {3, 1, 0.5}, .bias = {1, -2, -3}, .force_range = {true, 1, 5}};
    for (const std::string solver : {"smooth", "convex", "avbd"})
    {
        Simulation passive(make_driven_pendulum(false), {.solver = solver, .dt = 0.002});
        Simulation off(make_driven_pendulum(true, options), {.solver = solver, .dt = 0.002});
        Simulation on(make_driven_pendulum(true, options), {.solver = solver, .dt = 0.002});
        off.control().actuator_active[0] = 0;
        for (Simulation* simulation : {&off, &on}) simulation->control().input[0] = 7;
        for (Simulation* simulation : {&passive, &off, &on}) simulation->run_for(0.5);
        EXPECT_EQ(off.state().q, passive.state().q) << solver;
        EXPECT_EQ(off.state().v, passive.state().v) << solver;
        EXPECT_NE(on.state().q, passive.state().q) << solver;
    }
}

TEST(Switches, an_activation_stays_while_its_actuator_is_off)
{
    for (const std::string solver : {"smooth", "convex", "avbd"})
    {
        Simulation simulation(make_driven_pendulum(true, {.dynamics = ActuatorDynamics::filter, .time_constant = 0.1}),
                              {.solver = solver, .dt = 0.002});
        simulation.control().input[0] = 1;
        simulation.run_for(0.1);
        const double act = simulation.state().act[0];
        EXPECT_NEAR(act, 1 - std::exp(-1), 0.01) << solver;  // first order in the step
        simulation.control().actuator_active[0] = 0;
        simulation.run_for(0.1);
        EXPECT_EQ(simulation.state().act[0], act) << solver;
    }
}

TEST(Switches, actuators_are_those_of_each_world_in_the_lanes_of_a_batch)
{
    const Model model = make_driven_pendulum(true);
    Batch batch(model, {.solver = "smooth", .world_count = 7, .thread_count = 1});
    for (int w = 0; w < 7; ++w)
    {
        batch.control().input[static_cast<std::size_t>(w)] = 0.1 * w;
        batch.control().actuator_active[static_cast<std::size_t>(w)] = w % 2;
    }
    batch.run_for(0.2);
    for (int w = 0; w < 7; ++w)
    {
        Simulation alone(model, {.solver = "smooth"});
        alone.control().input[0] = 0.1 * w;
        alone.control().actuator_active[0] = w % 2;
        alone.run_for(0.2);
        EXPECT_EQ(alone.state().q[0], batch.state().q[static_cast<std::size_t>(w)]) << w;
    }
}

TEST(Switches, an_equality_that_the_solver_lacks_cannot_be_switched_on)
{
    const ThrowingChecks checks;
    Simulation simulation(make_held_box(false), {.solver = "smooth"});
    simulation.step();
    simulation.control().equality_active[0] = 1;
    try
    {
        simulation.step();
        FAIL() << "it took a step";
    }
    catch (const std::runtime_error& error)
    {
        EXPECT_NE(std::string(error.what()).find("equality 'magnet' was switched on, which solver 'smooth'"),
                  std::string::npos)
            << error.what();
    }
}

TEST(Surfaces, that_are_no_number_are_refused_by_name)
{
    ModelBuilder builder("bad");
    builder.add_ground({.name = "belt", .surface_velocity = {std::nan(""), 0, 0}});
    builder.add_shape(kWorld, Sphere{}, {.name = "table", .surface_spin = {0, 0, HUGE_VAL}});
    const std::string text = to_text(builder.build().errors());
    EXPECT_NE(text.find("'belt': surface velocity"), std::string::npos) << text;
    EXPECT_NE(text.find("'table': surface spin"), std::string::npos) << text;
}

TEST(Surfaces, that_become_no_number_are_named_by_explain)
{
    for (const std::string solver : {"avbd", "convex", "refined"})
    {
        ModelBuilder builder("bad");
        builder.add_ground({.name = "belt"});
        builder.add_shape(builder.add_body({.position = {0, 0, 0.1}}), Box{.half_extents = {0.1, 0.1, 0.1}});
        Simulation simulation(builder.build().value(), {.solver = solver});
        simulation.control().surface_velocity[0].linear.x = std::nan("");
        const StepReport report = simulation.run_steps(10);
        EXPECT_EQ(report.status, StepStatus::diverged) << solver;
        EXPECT_NE(simulation.explain(report).find("the surface velocity of shape \"belt\""), std::string::npos)
            << solver << ": " << simulation.explain(report);
    }
}

}  // namespace rattleback
