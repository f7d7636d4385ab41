// Springs and dampers that are polynomials, and springs that yield: against energies, closed forms and their own laws.
#include "dynamics/spring_law.h"

#include <rattleback/builder.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

using Terms = std::array<double, 2>;

TEST(SpringLaw, tangent_is_the_slope_and_energy_the_integral_of_the_force)
{
    constexpr Terms kTerms{-3, 7};
    const auto force = [&](double x) { return find_secant(4, kTerms, x) * x; };
    for (const double x : {-0.8, -0.1, 0.0, 0.3, 1.1})
    {
        constexpr double kStep = 1e-5;
        EXPECT_NEAR(find_tangent(4, kTerms, x), (force(x + kStep) - force(x - kStep)) / (2 * kStep), 1e-8);
        const double slope = (find_spring_energy(4, kTerms, x + kStep) - find_spring_energy(4, kTerms, x - kStep));
        EXPECT_NEAR(slope / (2 * kStep), force(x), 1e-8);
    }
}

/// One slide of 2 kg without gravity.
Model make_slide(const JointOptions& options)
{
    ModelBuilder builder("slide");
    builder.settings().gravity = {};
    const BodyId body = builder.add_body({});
    JointOptions joint = options;
    joint.type = JointType::slide;
    joint.axis = {1, 0, 0};
    builder.add_joint(body, joint);
    builder.add_shape(body, Sphere{0.1}, {.mass = 2});
    return builder.build().value();
}

TEST(Springs, a_double_well_keeps_its_energy)
{
    // f = 5 x - 80 x^3: rests at +-1/4, with a hill between them.
    const Model model = make_slide({.initial_position = 0.1, .stiffness = -5, .stiffness_polynomial = {0, 80}});
    Simulation simulation(model, {.solver = "smooth", .dt = 1e-3, .parameters = {{"integrator", std::string("rk4")}}});
    const double start = compute_energy(model, simulation.state().world()).total();
    double nearest = 1;
    for (int i = 0; i < 5000; ++i)
    {
        simulation.step();
        nearest = std::min(nearest, simulation.state().q[0]);
        ASSERT_NEAR(compute_energy(model, simulation.state().world()).total(), start, 1e-9);
    }
    EXPECT_GT(nearest, 0.09) << "it has not the energy to cross the hill";
    EXPECT_LT(start, 0);
}

TEST(Springs, quadratic_damping_slows_down_as_one_over_time)
{
    // m v' = -b v |v|: v = v0 / (1 + b v0 t / m).
    const Model model = make_slide({.initial_velocity = 3, .damping_polynomial = {1.5, 0}});
    Simulation simulation(model, {.solver = "smooth", .dt = 1e-3, .parameters = {{"integrator", std::string("rk4")}}});
    simulation.run_steps(2000);
    EXPECT_NEAR(simulation.state().v[0], 3 / (1 + 1.5 * 3 * 2 / 2.0), 1e-9);
}

TEST(Springs, one_that_yields_rests_where_the_work_was_spent)
{
    // Elastic to the yield y, then a constant force k y: the rest moves by (m v^2 - k y^2) / (2 k y).
    constexpr double kStiffness = 50, kYield = 0.05, kSpeed = 2, kMass = 2;
    const Model model = make_slide({.initial_velocity = kSpeed, .stiffness = kStiffness, .spring_yield = kYield});
    ASSERT_EQ(model.act_count, 1);
    Simulation simulation(model,
                          {.solver = "smooth", .dt = 1e-4, .parameters = {{"integrator", std::string("euler")}}});
    simulation.run_steps(20000);  // it comes to rest after 1.6 s
    const double way = (kMass * kSpeed * kSpeed - kStiffness * kYield * kYield) / (2 * kStiffness * kYield);
    // first order in the step: 2 m/s times 0.1 ms, and as much again
    EXPECT_NEAR(simulation.state().act[0], way, 5e-4);
    const double shift = simulation.state().act[0];
    simulation.run_steps(20000);
    // symplectic steps: the amplitude is the yield to the order of the step squared
    EXPECT_NEAR(simulation.state().act[0], shift, 1e-6) << "it swings within its yield from then on";
    EXPECT_LT(std::abs(simulation.state().q[0] - shift), kYield + 1e-12);
}

TEST(Springs, a_ball_that_yields_keeps_the_turn_beyond)
{
    ModelBuilder builder("ball");
    builder.settings().gravity = {};
    const BodyId body = builder.add_body({});
    builder.add_joint(body, {.type = JointType::ball, .spring_yield = 0.2});
    builder.add_shape(body, Sphere{0.1}, {.mass = 1});
    const Model model = builder.build().value();
    Simulation simulation(model,
                          {.solver = "smooth", .dt = 0.01, .parameters = {{"integrator", std::string("euler")}}});
    ASSERT_EQ(model.act_count, 3);
    simulation.state().v = {0.3, 0.4, 1.2};
    simulation.refresh();
    simulation.run_steps(100);
    // no stiffness: it turns by 1.3 rad, and its rest follows 0.2 rad behind
    const Vec3 shift{simulation.state().act[0], simulation.state().act[1], simulation.state().act[2]};
    EXPECT_NEAR(norm(shift), 1.1, 1e-12);
    EXPECT_NEAR(norm(cross(shift, Vec3{0.3, 0.4, 1.2})), 0, 1e-12);
}

TEST(Springs, a_rope_that_is_stretched_stays_longer_and_its_slack_end_stays)
{
    for (const bool rope : {true, false})
    {
        ModelBuilder builder("rope");
        builder.settings().gravity = {};
        const BodyId body = builder.add_body({});
        const JointId joint =
            builder.add_joint(body, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_position = 0.5});
        builder.add_shape(body, Sphere{0.1}, {.mass = 1});
        builder.add_fixed_tendon({{joint, 1.0}}, {.spring_length = {rope ? 0.0 : 0.1, 0.2}, .spring_yield = 0.05});
        const Model model = builder.build().value();
        Simulation simulation(model, {.solver = "smooth"});
        simulation.step();
        ASSERT_EQ(model.act_count, 2);
        EXPECT_NEAR(simulation.state().act[0], rope ? 0 : 0.25, 1e-12);
        EXPECT_NEAR(simulation.state().act[1], 0.25, 1e-12);
    }
}

}  // namespace
}  // namespace rattleback
