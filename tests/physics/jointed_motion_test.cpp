// Laws of bodies on joints: periods, decay, conservation, precession, moving bases.
#include "lab/metrics/drift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/pendulums.h"
#include "physics/laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

class JointedMotion : public testing::TestWithParam<const SolverInfo*>
{
protected:
    std::optional<Simulation> make(const Model& model, double dt) { return make_simulation(*GetParam(), model, dt); }
};

/// A point mass on a hinge about y, hanging along -z, let go at `angle`.
Model make_pendulum(double length, double angle)
{
    ModelBuilder builder("pendulum");
    const BodyId bob = builder.add_body({.name = "bob"});
    builder.add_joint(bob, {.axis = {0, 1, 0}, .position = {0, 0, length}, .initial_position = angle});
    builder.add_shape(bob, Sphere{.radius = 0.05}, {.mass = 2});
    return builder.build().value();
}

/// Mean time between downward zero crossings of the first coordinate.
double measure_period(Simulation& simulation, double seconds)
{
    const State& state = simulation.state();
    std::vector<double> crossings;
    while (state.time[0] < seconds)
    {
        const double before = state.q[0], v0 = state.v[0], t0 = state.time[0];
        simulation.step();
        const double after = state.q[0], v1 = state.v[0];
        if (before > 0 && after <= 0)
        {
            // Hermite interpolation through both ends, solved by bisection
            const double dt = simulation.dt();
            double low = 0, high = 1;
            for (int i = 0; i < 60; ++i)
            {
                const double s = 0.5 * (low + high);
                const double q = (1 + 2 * s) * (1 - s) * (1 - s) * before + s * (1 - s) * (1 - s) * dt * v0 +
                                 s * s * (3 - 2 * s) * after + s * s * (s - 1) * dt * v1;
                (q > 0 ? low : high) = s;
            }
            crossings.push_back(t0 + low * dt);
        }
    }
    return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

/// Period of a physical pendulum of this amplitude: 4 sqrt(I / (m g l)) K(sin(angle / 2)).
double pendulum_period(double length, double radius, double angle)
{
    const double inertia = length * length + 0.4 * radius * radius;  // per mass, about the hinge
    return 4 * std::sqrt(inertia / (9.81 * length)) * elliptic_integral(std::sin(angle / 2));
}

TEST_P(JointedMotion, a_pendulum_of_large_amplitude_has_the_period_of_the_elliptic_integral)
{
    auto simulation = make(make_pendulum(0.4, 2.0), 0.002);
    if (!simulation) return;
    const double period = measure_period(*simulation, 20);
    EXPECT_NEAR(period / pendulum_period(0.4, 0.05, 2.0), 1, tolerance(*GetParam(), "pendulum_period"));
}

TEST_P(JointedMotion, a_mass_on_a_spring_swings_with_root_k_over_m)
{
    ModelBuilder builder("spring");
    builder.settings().gravity = {};
    const BodyId mass = builder.add_body();
    builder.add_shape(mass, Sphere{}, {.mass = 3});
    builder.add_joint(mass, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_position = 0.5, .stiffness = 300});
    auto simulation = make(builder.build().value(), 0.001);
    if (!simulation) return;
    EXPECT_NEAR(measure_period(*simulation, 10) / (2 * kPi / 10), 1, tolerance(*GetParam(), "spring_period"));
}

TEST_P(JointedMotion, joint_damping_decays_like_the_exponential_at_any_stiffness)
{
    for (const double rate : {0.1, 10.0, 1e3, 1e5})  // damping / mass [1/s], times dt: from weak to far beyond stiff
    {
        ModelBuilder builder("damped");
        builder.settings().gravity = {};
        const BodyId mass = builder.add_body();
        builder.add_shape(mass, Sphere{}, {.mass = 2});
        builder.add_joint(mass,
                          {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = 1, .damping = 2 * rate});
        auto simulation = make(builder.build().value(), 0.002);
        if (!simulation) return;
        simulation->run_for(0.2);
        EXPECT_NEAR(simulation->state().v[0], std::exp(-0.2 * rate), tolerance(*GetParam(), "damped_decay")) << rate;
    }
}

TEST_P(JointedMotion, the_planar_chain_keeps_its_energy_and_its_angular_momentum_about_the_first_hinge)
{
    auto simulation = make(lab::build_chain5().value(), 0.001);
    if (!simulation) return;
    const lab::RunResult result = lab::run_and_watch(*simulation, 10);
    EXPECT_LT(result.drift.energy, tolerance(*GetParam(), "chain_energy"));
    EXPECT_LT(result.drift.angular, tolerance(*GetParam(), "chain_momentum"));
}

TEST_P(JointedMotion, the_astronaut_keeps_momentum_and_energy)
{
    auto simulation = make(lab::build_astronaut().value(), 0.001);
    if (!simulation) return;
    const lab::RunResult result = lab::run_and_watch(*simulation, 2);
    EXPECT_LT(result.drift.linear, tolerance(*GetParam(), "astronaut_linear"));
    EXPECT_LT(result.drift.angular, tolerance(*GetParam(), "astronaut_angular"));
    EXPECT_LT(result.drift.energy, tolerance(*GetParam(), "astronaut_energy"));
}

TEST_P(JointedMotion, a_fast_top_precesses_with_m_g_l_over_I_w)
{
    // A disc on a massless arm, pivot at the origin, axis horizontal, started at its steady precession.
    const double mass = 1, arm = 0.2, spin = 300, axial = 0.02, across = 0.011 + mass * arm * arm;
    const double precession = mass * 9.81 * arm / (axial * spin);
    ModelBuilder builder("top");
    const BodyId disc = builder.add_body(
        {.inertia = Inertia{.mass = mass, .position = {arm, 0, 0}, .diagonal = {axial, 0.011, 0.011}}});
    builder.add_joint(disc, {.name = "pivot", .type = JointType::ball});
    auto simulation = make(builder.build().value(), 0.0005);
    if (!simulation) return;
    // body axes: spin about x, precession about the vertical z
    simulation->state().v = {spin, 0, precession};
    simulation->refresh();
    const double seconds = 1.0;
    simulation->run_for(seconds);
    const Vec3 axis = rotate(simulation->state().rotation(disc), Vec3{1, 0, 0});
    const double turned = std::atan2(axis.y, axis.x);
    EXPECT_NEAR(turned, std::remainder(precession * seconds, 2 * kPi), 1e-3 + across * precession / (axial * spin));
    EXPECT_NEAR(axis.z, 0, tolerance(*GetParam(), "fast_top_height"));
}

TEST_P(JointedMotion, a_pendulum_on_an_accelerated_base_hangs_at_the_angle_of_the_apparent_gravity)
{
    // The base follows x = a t^2 / 2 by targets set before every step.
    const double acceleration = 3;
    ModelBuilder builder("cart");
    const BodyId cart = builder.add_body({.name = "cart", .kind = BodyKind::kinematic});
    const BodyId bob = builder.add_body({.name = "bob", .parent = cart});
    builder.add_joint(bob, {.axis = {0, 1, 0}, .position = {0, 0, 0.5}, .damping = 1});
    builder.add_shape(bob, Sphere{.radius = 0.05}, {.mass = 2});
    auto simulation = make(builder.build().value(), 0.002);
    if (!simulation) return;
    for (int i = 0; i < 5000; ++i)
    {
        const double t = simulation->time() + simulation->dt();
        simulation->control().target[0].position.x = 0.5 * acceleration * t * t;
        simulation->step();
    }
    // the bob lags behind: apparent gravity is (-a, 0, -g)
    EXPECT_NEAR(simulation->state().q[0], std::atan2(acceleration, 9.81), tolerance(*GetParam(), "accelerated_base"));
}

TEST_P(JointedMotion, a_kinematic_body_follows_its_track_and_carries_what_is_fixed_on_it)
{
    ModelBuilder builder("lift");
    const BodyId lift = builder.add_body({.name = "lift", .kind = BodyKind::kinematic});
    const BodyId lamp = builder.add_body({.parent = lift, .position = {0.5, 0, 0}, .kind = BodyKind::fixed});
    const Quat quarter = from_axis_angle({0, 0, 1}, kPi / 2);
    builder.add_track(lift, {.times = {0, 1, 3}, .poses = {Pose{}, Pose{{0, 0, 2}, {}}, Pose{{4, 0, 2}, quarter}}});
    auto simulation = make(builder.build().value(), 0.01);
    if (!simulation) return;
    simulation->run_for(0.5);
    EXPECT_NEAR(norm(simulation->state().position(lift) - Vec3{0, 0, 1}), 0, 1e-12);
    EXPECT_NEAR(norm(simulation->state().velocity(lift).linear - Vec3{0, 0, 2}), 0, 1e-9);
    simulation->run_for(1.5);  // half way along the second stretch
    EXPECT_NEAR(norm(simulation->state().position(lift) - Vec3{2, 0, 2}), 0, 1e-12);
    const double half = std::sqrt(0.5);
    EXPECT_NEAR(norm(simulation->state().position(lamp) - Vec3{2 + 0.5 * half, 0.5 * half, 2}), 0, 1e-12);
    EXPECT_NEAR(simulation->state().velocity(lift).angular.z, kPi / 4, 1e-9);
    simulation->run_for(5);  // past its end
    EXPECT_NEAR(norm(simulation->state().position(lift) - Vec3{4, 0, 2}), 0, 1e-12);
    EXPECT_EQ(norm(simulation->state().velocity(lift).linear), 0);
}

INSTANTIATE_TEST_SUITE_P(solvers, JointedMotion, testing::ValuesIn(all_solvers().begin(), all_solvers().end()),
                         [](const auto& solver) { return std::string(solver.param->name); });

}  // namespace
}  // namespace rattleback
