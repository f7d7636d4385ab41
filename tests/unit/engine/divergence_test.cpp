// Absurd speeds end a run before numbers overflow, and plausible ones never do.
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{

namespace
{

/// One block of 1 kg and 1 kg m^2 in empty space.
Model make_ball(const Vec3& velocity = {}, const Vec3& spin = {}, const Vec3& position = {})
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId ball = builder.add_body({.name = "ball",
                                          .position = position,
                                          .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}},
                                          .linear_velocity = velocity,
                                          .angular_velocity = spin});
    builder.add_shape(ball, Box{.half_extents = {0.1, 0.1, 0.1}});
    return builder.build().value();
}

Simulation simulate(const Model& model, const SolverInfo& solver)
{
    return Simulation::make(model, {.solver = std::string(solver.name), .dt = 1e-3}).value();
}

}  // namespace

TEST(Divergence, a_step_to_an_absurd_speed_is_not_committed_and_says_who_and_how_fast)
{
    for (const SolverInfo* solver : all_solvers())
    {
        SCOPED_TRACE(solver->name);
        Simulation simulation = simulate(make_ball(), *solver);
        simulation.run_steps(3);
        const std::uint64_t before = hash(simulation.state());
        simulation.control().body_wrench[1].force.y = 1e12;  // 1e9 m/s within a step
        const StepReport report = simulation.step();
        EXPECT_EQ(report.status, StepStatus::diverged);
        EXPECT_EQ(hash(simulation.state()), before);
        EXPECT_NEAR(report.culprit_speed, 1e9, 1e6);
        EXPECT_NE(simulation.explain(report).find("would move at 1e+09 m/s"), std::string::npos)
            << simulation.explain(report);
        EXPECT_NE(simulation.explain(report).find("ball"), std::string::npos) << simulation.explain(report);

        simulation.control().body_wrench[1].force.y = 0;
        EXPECT_EQ(simulation.step().status, StepStatus::ok) << "the state before is still good";
    }
}

TEST(Divergence, an_absurd_spin_is_named_in_radians_per_second)
{
    for (const SolverInfo* solver : all_solvers())
    {
        if (solver->coordinates == Coordinates::particles) continue;  // particles turn about their own inertia
        SCOPED_TRACE(solver->name);
        Simulation simulation = simulate(make_ball(), *solver);
        simulation.control().body_wrench[1].torque.x = 1e12;
        const StepReport report = simulation.step();
        EXPECT_EQ(report.status, StepStatus::diverged);
        EXPECT_NE(simulation.explain(report).find("rad/s"), std::string::npos) << simulation.explain(report);
    }
}

TEST(Divergence, a_step_beyond_where_doubles_resolve_contacts_is_not_committed)
{
    for (const SolverInfo* solver : all_solvers())
    {
        SCOPED_TRACE(solver->name);
        const Vec3 start{0.999 * kMaxDistance, 0, 0};
        Simulation simulation = simulate(make_ball({0.9 * kMaxSpeed, 0, 0}, {}, start), *solver);
        const StepReport report = simulation.run_steps(5000);  // 1.35e9 m, and 1e9 m are left
        EXPECT_EQ(report.status, StepStatus::diverged);
        EXPECT_LE(simulation.state().position(BodyId{1}).x, kMaxDistance);
        EXPECT_NE(simulation.explain(report).find("m from the origin"), std::string::npos)
            << simulation.explain(report);
    }
}

TEST(Divergence, fast_rotors_and_long_falls_are_not_absurd)
{
    for (const SolverInfo* solver : all_solvers())
    {
        if (solver->coordinates == Coordinates::particles) continue;  // floats do not resolve metres so far out
        SCOPED_TRACE(solver->name);
        Simulation rotor = simulate(make_ball({}, {0, 0, 1e5}), *solver);
        EXPECT_EQ(rotor.run_steps(20).status, StepStatus::ok);
        Simulation falling = simulate(make_ball({0, 0, -1e6}), *solver);  // after 28 hours of free fall
        EXPECT_EQ(falling.run_steps(20).status, StepStatus::ok);
        EXPECT_NEAR(falling.state().position(BodyId{1}).z, -2e4, 1e-3);
    }
}

TEST(Divergence, a_run_that_blows_up_ends_while_its_numbers_can_be_read)
{
    // A spring of 1e4 rad/s in steps of 10 ms: semi-implicit Euler multiplies the speed by 1e4 each step.
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.name = "cart", .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    builder.add_joint(
        cart, {.name = "rail", .type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = 1, .stiffness = 1e8});
    Simulation simulation(builder.build().value(),
                          {.solver = "smooth", .dt = 0.01, .parameters = {{"integrator", std::string("euler")}}});
    const StepReport report = simulation.run_steps(1000);
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_LT(std::abs(simulation.state().v[0]), kMaxSpeed);
    EXPECT_LT(std::abs(simulation.state().q[0]), kMaxSpeed * simulation.time()) << "no further than such speeds lead";
    EXPECT_NE(simulation.explain(report).find("joint \"rail\" would move at "), std::string::npos)
        << simulation.explain(report);
}

}  // namespace rattleback
