// Motion of second order in `avbd`: trees and springs that nothing touches, against closed forms and conservation laws.
#include "lab/metrics/drift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/pendulums.h"
#include "physics/avbd_gates.h"
#include "physics/laws.h"

namespace rattleback::gates
{
namespace
{

constexpr double kBobMass = 2, kBobStiffness = 200, kBobDamping = 4,
                 kBobStart = 0.3;  // 10 rad/s, a tenth of the critical damping

/// What pulls the mass back.
enum class Pull
{
    joint,
    fixed_tendon,
    spatial_tendon,
};

/// A mass on a slide along x with spring and damper.
Model build_oscillator(Pull pull)
{
    ModelBuilder builder("oscillator");
    builder.settings().gravity = {};
    const BodyId body = builder.add_body({.inertia = Inertia{.mass = kBobMass, .diagonal = {0.1, 0.2, 0.3}}});
    const bool own = pull == Pull::joint;
    const JointId slide = builder.add_joint(body, {.type = JointType::slide,
                                                   .axis = {1, 0, 0},
                                                   .initial_position = kBobStart,
                                                   .stiffness = own ? kBobStiffness : 0,
                                                   .damping = own ? kBobDamping : 0});
    const TendonOptions tendon{.stiffness = kBobStiffness, .damping = kBobDamping};  // at rest where the slide is at 0
    if (pull == Pull::fixed_tendon) builder.add_fixed_tendon({{slide, 1.0}}, tendon);
    if (pull == Pull::spatial_tendon)
    {
        const SiteId base = builder.add_site(kWorld, {.position = {-1, 0, 0}}), end = builder.add_site(body, {});
        builder.add_spatial_tendon({{.site = base}, {.site = end}}, tendon);
    }
    return builder.build().value();
}

/// Largest errors of position and velocity over two seconds, as fractions of the first deflection and of w times it.
std::pair<double, double> find_oscillator_errors(Pull pull, double dt)
{
    Simulation simulation(build_oscillator(pull), {.solver = "avbd", .dt = dt});
    const double decay = kBobDamping / (2 * kBobMass), natural = std::sqrt(kBobStiffness / kBobMass);
    const double w = std::sqrt(natural * natural - decay * decay);
    double position = 0, velocity = 0;
    while (simulation.time() < 2 - 0.5 * dt)
    {
        simulation.step();
        // x = x0 e^(-d t) (cos w t + d / w sin w t), x' = -x0 e^(-d t) (w0^2 / w) sin w t
        const double t = simulation.time(), fade = kBobStart * std::exp(-decay * t);
        const double x = fade * (std::cos(w * t) + decay / w * std::sin(w * t));
        const double v = -fade * natural * natural / w * std::sin(w * t);
        position = std::max(position, std::abs(simulation.state().q[0] - x) / kBobStart);
        velocity = std::max(velocity, std::abs(simulation.state().v[0] - v) / (kBobStart * natural));
    }
    return {position, velocity};
}

TEST(AvbdSwing, a_damped_oscillator_follows_its_closed_form_in_position_and_velocity)
{
    for (const Pull pull : {Pull::joint, Pull::fixed_tendon, Pull::spatial_tendon})
    {
        // the midpoint rule lags by (h w)^2 / 12 of the phase: 3e-5 of it, fading e-fold in a second, at most 10 rad
        const auto [position, velocity] = find_oscillator_errors(pull, 0.002);
        EXPECT_LT(position, 3e-4) << static_cast<int>(pull);
        EXPECT_LT(velocity, 3e-4) << static_cast<int>(pull);
        // second order
        const auto [coarse, coarse_velocity] = find_oscillator_errors(pull, 0.004);
        EXPECT_NEAR(coarse / position, 4, 0.2) << static_cast<int>(pull);
        EXPECT_NEAR(coarse_velocity / velocity, 4, 0.2) << static_cast<int>(pull);
    }
}

TEST(AvbdSwing, a_ball_joint_with_a_spring_swings_with_its_period)
{
    // a small turn about a principal axis: a torsion pendulum of stiffness k and moment I
    ModelBuilder builder("torsion");
    builder.settings().gravity = {};
    const BodyId body = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.5, 0.4, 0.3}}});
    builder.add_joint(body, {.type = JointType::ball, .stiffness = 20});
    Simulation simulation(builder.build().value(), {.solver = "avbd", .dt = 0.002});
    const double angle = 0.4, w = std::sqrt(20 / 0.4);
    simulation.state().q = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
    simulation.refresh();
    const double start = simulation.energy().total();
    double worst = 0;
    for (int i = 0; i < 2000; ++i)
    {
        simulation.step();
        const double turned = 2 * std::atan2(simulation.state().q[2], simulation.state().q[0]);
        worst = std::max(worst, std::abs(turned - angle * std::cos(w * simulation.time())));
    }
    // (h w)^2 / 12 of 28 rad, times the amplitude
    EXPECT_LT(worst, 4e-4);
    EXPECT_NEAR(simulation.energy().total() / start, 1, 1e-5);
}

struct Swinging
{
    const char* name;
    Model model;
    double energy;  ///< drift allowed in ten seconds at 2 ms
};

TEST(AvbdSwing, pendulums_and_chains_keep_their_energy_for_ten_seconds)
{
    // bars: a few times the drifts in the README
    const Swinging scenes[] = {{"pendulum", lab::build_pendulum().value(), 1e-4},
                               {"double pendulum", lab::build_double_pendulum().value(), 4e-4},
                               {"chain of five", lab::build_chain5().value(), 4e-4}};
    for (const Swinging& scene : scenes)
    {
        std::vector<double> drift, dts{0.004, 0.002};
        for (const double dt : dts)
        {
            Simulation simulation(scene.model, {.solver = "avbd", .dt = dt});
            drift.push_back(lab::run_and_watch(simulation, 10).drift.energy);
        }
        EXPECT_LT(drift[1], scene.energy) << scene.name;
        EXPECT_LT(drift[1], 0.4 * drift[0]) << scene.name << ": second order is a quarter";
    }
}

/// How far the bodies of a scene are from where `smooth` takes them, after a second.
double find_path_error(const Model& model, const State& exact, double dt)
{
    Simulation simulation(model, {.solver = "avbd", .dt = dt});
    simulation.run_for(1);
    double worst = 0;
    for (std::size_t b = 0; b < exact.body_pose.size(); ++b)
        worst = std::max(worst, norm(simulation.state().body_pose[b].position - exact.body_pose[b].position));
    return worst;
}

TEST(AvbdSwing, trajectories_converge_with_the_square_of_the_step)
{
    for (const Model& model : {lab::build_double_pendulum().value(), lab::build_chain5().value()})
    {
        Simulation exact(model,
                         {.solver = "smooth",
                          .dt = 1.0 / 8192,
                          .parameters = {{"integrator", std::string("lie_rk4")}, {"ignore", std::string("contact")}}});
        exact.run_for(1);
        std::vector<double> dts{1.0 / 512, 1.0 / 1024, 1.0 / 2048}, errors;
        for (const double dt : dts) errors.push_back(find_path_error(model, exact.state(), dt));
        EXPECT_NEAR(measured_order(dts, errors), 2, 0.15) << model.name << ' ' << errors.front();
    }
}

TEST(AvbdSwing, a_floating_tree_keeps_angular_momentum_to_rounding)
{
    ModelBuilder builder("floating");
    builder.settings().gravity = {};
    BodyId parent = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.02, 0.03, 0.01}}});
    for (int i = 0; i < 3; ++i)
    {
        parent = builder.add_body({.parent = parent,
                                   .position = {0.3, 0.1, 0},
                                   .inertia = Inertia{.mass = 1.0 + i, .diagonal = {0.02, 0.03, 0.01}}});
        builder.add_joint(parent, {.type = i == 1 ? JointType::ball : JointType::hinge,
                                   .axis = {0, 1, static_cast<double>(i)},
                                   .position = {-0.15, 0, 0},
                                   .stiffness = 5});
    }
    Simulation floating(builder.build().value(), {.solver = "avbd", .dt = 0.002});
    for (std::size_t i = 6; i < floating.state().v.size(); ++i)
        floating.state().v[i] = 1.5 - 0.5 * static_cast<double>(i % 4);
    floating.refresh();
    const Momentum start = floating.momentum();
    const double energy = floating.energy().total();
    floating.run_for(5);
    // joints push at one point with equal and opposite forces, at the mean arms of each step
    EXPECT_LT(norm(floating.momentum().linear - start.linear), 1e-10);
    EXPECT_LT(norm(floating.momentum().angular - start.angular), 1e-7 * (1 + norm(start.angular)));
    EXPECT_NEAR(floating.energy().total() / energy, 1, 1e-3);
}

TEST(AvbdSwing, changing_to_and_fro_between_the_two_rules_makes_no_energy)
{
    // the tip of a double pendulum passes a ball that it never reaches: within the margin of contacts it moves by
    // implicit Euler, elsewhere by the midpoint rule
    ModelBuilder builder("passing");
    BodyId parent = kWorld;
    for (int i = 0; i < 2; ++i)
    {
        parent = builder.add_body({.parent = parent, .position = {0, 0, i == 0 ? 0.0 : -0.5}});
        builder.add_joint(parent, {.axis = {0, 1, 0}, .initial_position = i == 0 ? 1.5 : 0.3});
        builder.add_shape(parent, Capsule{.radius = 0.02, .half_length = 0.23},
                          {.position = {0, 0, -0.25}, .mass = 1, .category = 1, .mask = 2});
    }
    builder.add_shape(kWorld, Sphere{.radius = 0.1}, {.position = {0, 0, -1.104}, .category = 2, .mask = 1});
    Simulation simulation(builder.build().value(), {.solver = "avbd", .dt = 0.002});
    const double hanging = -9.81 * (0.25 + 0.75), start = simulation.energy().total() - hanging;
    double highest = start;
    int near = 0, alone = 0;
    for (int i = 0; i < 5000; ++i)
    {
        const StepReport report = simulation.step();
        ASSERT_EQ(report.substeps, 1) << i;
        (report.contact_count > 0 ? near : alone) += 1;
        highest = std::max(highest, simulation.energy().total() - hanging);
    }
    EXPECT_GT(near, 0);
    EXPECT_GT(alone, 1000);
    // energy of the midpoint rule oscillates with h^2
    EXPECT_LT(highest, 1.0005 * start);
}

TEST(AvbdSwing, what_the_step_does_not_resolve_comes_to_rest_as_before)
{
    // h w = 1.7: implicit Euler damps it within a second, the midpoint rule would keep it for ever
    ModelBuilder builder("stiff");
    const BodyId body = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.1, 0.1}}});
    builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, 1}, .stiffness = 1e4});
    Simulation simulation = simulate(builder, 10);
    simulation.run_for(1);
    EXPECT_NEAR(simulation.state().q[0], -kGravity / 1e4, 1e-9);
}

}  // namespace
}  // namespace rattleback::gates
