// Sleep policies as users see them: who is asleep at first, who may fall asleep, who never does.
#include <rattleback/builder.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

/// A floor, and a ball high above it.
Model make_high_ball(SleepPolicy policy)
{
    ModelBuilder builder("ball");
    builder.add_shape(kWorld, Plane{});
    const BodyId ball = builder.add_body({.name = "ball", .position = {0, 0, 1}, .sleep = policy});
    builder.add_shape(ball, Sphere{0.1});
    return builder.build().value();
}

TEST(SleepPolicy, what_starts_asleep_hangs_in_the_air_until_it_is_touched)
{
    for (const char* solver : {"convex", "avbd"})
    {
        SCOPED_TRACE(solver);
        const SimulationOptions options{.solver = solver, .parameters = {{"sleep", true}}};
        Simulation asleep(make_high_ball(SleepPolicy::init), options),
            awake(make_high_ball(SleepPolicy::automatic), options);
        asleep.run_steps(50);
        awake.run_steps(50);
        EXPECT_EQ(asleep.state().q[2], 1);
        EXPECT_LT(awake.state().q[2], 0.999);
        // a push wakes it
        asleep.control().body_wrench[1].force = {1, 0, 0};
        asleep.step();
        asleep.control().body_wrench[1].force = {};
        asleep.run_steps(50);
        EXPECT_LT(asleep.state().q[2], 0.999);
    }
}

TEST(SleepPolicy, who_starts_elsewhere_or_moves_is_awake)
{
    for (const char* solver : {"convex", "avbd"})
    {
        SCOPED_TRACE(solver);
        const SimulationOptions options{.solver = solver, .parameters = {{"sleep", true}}};
        Simulation moved(make_high_ball(SleepPolicy::init), options);
        moved.state().q[2] = 2;
        moved.refresh();
        moved.run_steps(50);
        EXPECT_LT(moved.state().q[2], 1.999);
    }
}

TEST(SleepPolicy, a_driven_tree_sleeps_only_where_it_is_allowed)
{
    for (const SleepPolicy policy : {SleepPolicy::automatic, SleepPolicy::allowed, SleepPolicy::never})
    {
        SCOPED_TRACE(to_string(policy));
        ModelBuilder builder("sledge");
        builder.add_shape(kWorld, Plane{});
        const BodyId sledge = builder.add_body({.name = "sledge", .position = {0, 0, 0.1}, .sleep = policy});
        const JointId rail = builder.add_joint(sledge, {.type = JointType::slide, .axis = {1, 0, 0}});
        builder.add_joint(sledge, {.type = JointType::slide, .axis = {0, 0, 1}});
        builder.add_shape(sledge, Sphere{0.1}, {.mass = 1});
        builder.add_actuator(rail, {.gain = {1, 0, 0}});
        Simulation simulation(builder.build().value(), {.solver = "convex", .parameters = {{"sleep", true}}});
        simulation.run_steps(500);
        // MuJoCo too: who may sleep in spite of his actuator is not woken by it
        const double before = simulation.state().q[0];
        simulation.control().input[0] = 50;
        simulation.run_steps(50);
        if (policy == SleepPolicy::allowed)
            EXPECT_EQ(simulation.state().q[0], before);
        else
            EXPECT_GT(simulation.state().q[0], before + 0.01);
    }
}

}  // namespace
}  // namespace rattleback
