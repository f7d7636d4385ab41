// Laws of a single free body: falling, flying, tumbling.
#include "lab/scenes/tumblers.h"
#include "physics/laws.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{
namespace
{

class FreeMotion : public Law
{
};

/// A box of unequal sides with an off-centre shape, so that frame and centre of mass differ.
Model make_brick(const Vec3& velocity, const Vec3& spin, const Vec3& gravity)
{
    ModelBuilder builder("brick");
    builder.settings().gravity = gravity;
    const BodyId brick = builder.add_body(
        {.name = "brick", .position = {0, 0, 10}, .linear_velocity = velocity, .angular_velocity = spin});
    builder.add_shape(brick, Box{.half_extents = {0.1, 0.2, 0.3}}, {.position = {0.05, -0.1, 0.02}});
    return builder.build().value();
}

TEST_P(FreeMotion, a_body_at_rest_falls_by_half_g_t_squared)
{
    const Model model = make_brick({}, {}, {0, 0, -9.81});
    auto simulation = make_simulation(*GetParam(), model, 0.002);
    if (!simulation) return;
    simulation->run_for(1.5);
    const double expected = 10 - 0.5 * 9.81 * 1.5 * 1.5;
    EXPECT_NEAR(simulation->state().position(BodyId{1}).z / expected, 1, tolerance(*GetParam(), "free_fall"));
}

TEST_P(FreeMotion, the_centre_of_mass_of_a_spinning_projectile_follows_the_parabola)
{
    const Vec3 gravity{1, -2, -9.81};
    const Model model = make_brick({3, -1, 5}, {2, 7, -3}, gravity);
    auto simulation = make_simulation(*GetParam(), model, 0.002);
    if (!simulation) return;
    const Vec3 start = compute_center_of_mass(model, simulation->state().world());
    const Vec3 velocity = simulation->state().velocity(BodyId{1}).linear;
    simulation->run_for(2);
    const Vec3 expected = start + 2.0 * velocity + 2.0 * gravity;
    const Vec3 reached = compute_center_of_mass(model, simulation->state().world());
    // the free joint's origin is not the centre of mass: its path is integrated to the order of the rotation
    EXPECT_NEAR(norm(reached - expected), 0, tolerance(*GetParam(), "spinning_projectile"));
}

TEST_P(FreeMotion, a_force_on_an_attached_body_turns_the_whole_by_its_arm)
{
    // 8 N at 0.5 m from the root's centre: torque about the common centre over the moment about it.
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId root = builder.add_body({.name = "root"});
    builder.add_shape(root, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 4, .category = 2, .mask = 0});
    const BodyId arm = builder.add_body({.name = "arm", .parent = root, .position = {0.5, 0, 0}});
    builder.add_shape(arm, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1, .category = 2, .mask = 0});
    // The points of pbd and pbdr have the body's inertia when they are weighed for it.
    Parameters parameters;
    for (const ParameterInfo& parameter : GetParam()->parameters)
        if (parameter.name == "packing") parameters["packing"] = std::string("exact");
    auto made = Simulation::make(builder.build().value(),
                                 {.solver = std::string(GetParam()->name), .dt = 0.001, .parameters = parameters});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    Simulation simulation = std::move(made).value();
    simulation.control().body_wrench[2].force = {0, 8, 0};
    simulation.run_for(0.02);
    // Centre 0.1 m from the root: arms 0.1 and 0.4 m, each box m s^2 / 6 about its own centre.
    const double inertia = 5 * 0.04 / 6 + 4 * 0.01 + 1 * 0.16, spin = 8 * 0.4 / inertia * 0.02;
    // The force keeps its direction while the arm turns: cos(0.0027) of it; first-order methods lag by half a step of
    // twenty; float loses 1e-4.
    EXPECT_NEAR(simulation.state().velocity(root).angular.z / spin, 1, 1e-3);
    EXPECT_NEAR(simulation.momentum().linear.y, 8 * 0.02, 2e-4);
}

TEST_P(FreeMotion, a_body_spun_about_its_centre_flies_the_exact_parabola)
{
    ModelBuilder builder;
    const BodyId ball = builder.add_body({.linear_velocity = {3, -1, 5}, .angular_velocity = {2, 7, -3}});
    builder.add_shape(ball, Box{.half_extents = {0.1, 0.2, 0.3}});
    auto simulation = make_simulation(*GetParam(), builder.build().value(), 0.002);
    if (!simulation) return;
    simulation->run_for(2);
    const Vec3 expected{6, -2, 10 - 0.5 * 9.81 * 4};
    EXPECT_NEAR(norm(simulation->state().position(ball) - expected), 0,
                tolerance(*GetParam(), "projectile") * norm(expected));
}

TEST_P(FreeMotion, a_tumbling_body_keeps_energy_and_angular_momentum)
{
    const Model model = lab::build_tumble().value();  // I = diag(1, 2, 3), w = (0.3, 5, 0.3)
    auto simulation = make_simulation(*GetParam(), model, 0.001);
    if (!simulation) return;
    const Energy energy = simulation->energy();
    const Momentum momentum = simulation->momentum();
    double worst_energy = 0, worst_momentum = 0;
    for (int i = 0; i < 10'000; ++i)
    {
        simulation->step();
        worst_energy = std::max(worst_energy, std::abs(simulation->energy().total() / energy.total() - 1));
        const Vec3 change = simulation->momentum().angular - momentum.angular;
        worst_momentum = std::max(worst_momentum, norm(change) / norm(momentum.angular));
    }
    EXPECT_LT(worst_energy, tolerance(*GetParam(), "torque_free_energy"));
    EXPECT_LT(worst_momentum, tolerance(*GetParam(), "torque_free_momentum"));
}

TEST_P(FreeMotion, a_small_sphere_in_oil_sinks_with_the_speed_of_Stokes)
{
    const double radius = 0.01, mass = 0.05, viscosity = 2;
    ModelBuilder builder("oil");
    builder.settings().medium.viscosity = viscosity;
    const BodyId ball = builder.add_body();
    builder.add_shape(ball, Sphere{.radius = radius},
                      {.mass = mass, .fluid = std::array<double, 5>{0.5, 0.25, 1.5, 1, 1}});
    auto simulation = make_simulation(*GetParam(), builder.build().value(), 0.001);
    if (!simulation) return;
    simulation->run_for(2);
    const double speed = mass * 9.81 / (6 * kPi * viscosity * radius);  // weight = 6 pi mu r v
    EXPECT_NEAR(simulation->state().v[2] / -speed, 1, tolerance(*GetParam(), "stokes"));
}

/// Time between two flips of a body spun about its middle axis (Landau and Lifshitz, Mechanics, section 37).
double flip_time(const Vec3& moments, const Vec3& spin)
{
    const double a = moments.x, b = moments.y, c = moments.z;  // increasing
    const double twice_energy = a * spin.x * spin.x + b * spin.y * spin.y + c * spin.z * spin.z;
    const double squared = a * a * spin.x * spin.x + b * b * spin.y * spin.y + c * c * spin.z * spin.z;
    const double first = (c - b) * (squared - twice_energy * a), second = (b - a) * (twice_energy * c - squared);
    const double k = std::sqrt(std::min(first, second) / std::max(first, second));
    return 2 * elliptic_integral(k) / std::sqrt(std::max(first, second) / (a * b * c));
}

TEST_P(FreeMotion, the_Dzhanibekov_flips_come_at_the_right_times)
{
    auto simulation = make_simulation(*GetParam(), lab::build_tumble().value(), 0.001);
    if (!simulation) return;
    const State& state = simulation->state();
    const double expected = flip_time({1, 2, 3}, {0.3, 5, 0.3});
    std::vector<double> crossings;
    for (int i = 0; i < 20'000; ++i)
    {
        const double before = state.v[4];  // about the middle axis, body frame
        simulation->step();
        const double after = state.v[4];
        if ((before < 0) != (after < 0)) crossings.push_back(state.time[0] - 0.001 * after / (after - before));
    }
    ASSERT_GE(crossings.size(), 3U);
    for (std::size_t i = 1; i < crossings.size(); ++i)
    {
        EXPECT_NEAR((crossings[i] - crossings[i - 1]) / expected, 1, tolerance(*GetParam(), "flip_time"));
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, FreeMotion, testing::ValuesIn(all_solvers().begin(), all_solvers().end()),
                         [](const auto& solver) { return std::string(solver.param->name); });

}  // namespace
}  // namespace rattleback
