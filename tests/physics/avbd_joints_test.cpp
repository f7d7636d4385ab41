// Gates of `avbd`: chains, springs, loops, drives, limits, and joints that break.
#include "lab/scenes/humanoid.h"
#include "lab/scenes/piles.h"
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

constexpr double kLink = 0.5;  // [m]

struct Chain
{
    ModelBuilder builder;
    std::vector<BodyId> links;
    JointType type = JointType::hinge;
    Vec3 along;  ///< from one joint to the next, in the links' frames
};

/// Links of 1 kg from the origin on, and a load at the end.
Chain make_chain(int count, double load, JointType type, const Vec3& along)
{
    Chain chain;
    chain.type = type;
    chain.along = along;
    BodyId parent = kWorld;
    const double third = kLink * kLink / 12;
    for (int i = 0; i <= count; ++i)
    {
        const bool last = i == count;
        const double mass = last ? load : 1;
        const Vec3 moments = last ? Vec3{0.1 * load, 0.1 * load, 0.1 * load} : Vec3{third, third, third};
        const BodyId link = chain.builder.add_body(
            {.parent = parent,
             .position = i == 0 ? Vec3{} : along,
             .inertia = Inertia{.mass = mass, .position = last ? Vec3{} : 0.5 * along, .diagonal = moments}});
        chain.builder.add_joint(link, {.type = type, .axis = type == JointType::slide ? Vec3{1, 0, 0} : Vec3{0, 1, 0}});
        chain.links.push_back(link);
        parent = link;
    }
    return chain;
}

/// Largest distance between the two points that a joint holds together [m]; along a slide's axis they may part.
double find_opening(const Chain& chain, const State& state)
{
    double worst = 0;
    Vec3 anchor;
    for (const BodyId link : chain.links)
    {
        Vec3 gap = state.position(link) - anchor;
        if (chain.type == JointType::slide) gap.x = 0;
        worst = std::max(worst, norm(gap));
        anchor = state.position(link) + rotate(state.rotation(link), chain.along);
    }
    return worst;
}

TEST(AvbdJoints, a_hanging_chain_with_a_heavy_end_stays_together)
{
    for (const JointType type : {JointType::hinge, JointType::slide, JointType::ball})
    {
        for (const auto& [substeps, iterations] : {std::pair{1, 4}, std::pair{1, 10}, std::pair{4, 10}})
        {
            const Chain chain = make_chain(20, 100, type, {0, 0, -kLink});
            Simulation simulation = simulate(chain.builder, iterations, substeps);
            double worst = 0;
            for (int i = 0; i < 300; ++i)
            {
                simulation.step();
                worst = std::max(worst, find_opening(chain, simulation.state()));
            }
            EXPECT_LT(worst, substeps == 1 ? 5e-4 : 1e-4) << to_string(type) << ' ' << substeps << 'x' << iterations;
        }
    }
}

TEST(AvbdJoints, a_chain_released_sideways_stays_together_at_fifty_thousand_times_the_mass)
{
    for (const int iterations : {4, 10, 20})
    {
        const Chain chain = make_chain(50, 50'000, JointType::ball, {kLink, 0, 0});
        Simulation simulation = simulate(chain.builder, iterations);
        double worst = 0;
        for (int i = 0; i < 300; ++i)
        {
            simulation.step();
            worst = std::max(worst, find_opening(chain, simulation.state()));
        }
        EXPECT_LT(worst, 0.01 * kLink) << iterations;  // 1 %: measured below 0.001 %
        EXPECT_LT(worst, 1e-4) << iterations;
    }
}

void expect_springs_at_rest(int iterations)
{
    ModelBuilder builder;
    BodyId parent = kWorld;
    std::vector<double> stiffness;
    for (int i = 0; i < 8; ++i)
    {
        stiffness.push_back(i % 2 == 0 ? 1e4 : 1e8);
        const BodyId mass = builder.add_body({.parent = parent,
                                              .position = {0, 0, i == 0 ? 0 : -0.5},
                                              .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.1, 0.1}}});
        builder.add_joint(mass, {.type = JointType::slide, .axis = {0, 0, -1}, .stiffness = stiffness.back()});
        parent = mass;
    }
    Simulation simulation = simulate(builder, iterations);
    simulation.run_for(5);
    for (std::size_t i = 0; i < 8; ++i)
    {
        const double expected = static_cast<double>(8 - i) * kGravity / stiffness[i];
        EXPECT_NEAR(simulation.state().q[i] / expected, 1, 0.01) << i << ", " << iterations << " iterations";
    }
}

TEST(AvbdJoints, springs_of_unlike_stiffness_hang_at_their_lengths_after_few_iterations_a_step)
{
    for (const int iterations : {4, 5, 10}) expect_springs_at_rest(iterations);
}

TEST(AvbdJoints, a_jointed_pair_falls_freely)
{
    for (const char* blocks : {"trees", "bodies"})
    {
        ModelBuilder builder;
        const BodyId first = builder.add_body({.position = {0, 0, 5}});
        builder.add_shape(first, Box{}, {.density = 1000});
        const BodyId second = builder.add_body({.parent = first, .position = {1.2, 0, 0}});
        builder.add_joint(second, {.axis = {0, 1, 0}, .position = {-0.6, 0, 0}});
        builder.add_shape(second, Box{}, {.density = 1000});
        Simulation simulation = simulate(builder, 4, 1, kStep, {{"blocks", std::string(blocks)}});
        simulation.run_for(0.5);
        EXPECT_NEAR(-simulation.momentum().linear.z / (2000 * kGravity * 0.5), 1, 0.01) << blocks;
    }
}

void expect_four_bar_closed(int iterations)
{
    ModelBuilder builder;
    const auto rod = [](double length)
    {
        const double moment = length * length / 12;
        return Inertia{.mass = 1, .position = {length / 2, 0, 0}, .diagonal = {0.01 * moment, moment, moment}};
    };
    const auto turned = [](double angle) { return from_axis_angle({0, 1, 0}, angle); };
    const BodyId crank = builder.add_body({.rotation = turned(-1.2), .inertia = rod(0.3)});
    const JointId motor = builder.add_joint(crank, {.axis = {0, 1, 0}});
    const BodyId coupler =
        builder.add_body({.parent = crank, .position = {0.3, 0, 0}, .rotation = turned(1.0), .inertia = rod(1.0)});
    builder.add_joint(coupler, {.axis = {0, 1, 0}});
    const BodyId rocker =
        builder.add_body({.parent = coupler, .position = {1.0, 0, 0}, .rotation = turned(1.3), .inertia = rod(0.8)});
    builder.add_joint(rocker, {.axis = {0, 1, 0}});
    builder.add_connect(rocker, kWorld, {0.8, 0, 0});
    builder.add_velocity_actuator(motor, {.gain = 20});
    Simulation simulation = simulate(builder, iterations);
    simulation.control().input[0] = 5;
    const auto foot = [&]
    { return simulation.state().position(rocker) + rotate(simulation.state().rotation(rocker), Vec3{0.8, 0, 0}); };
    const Vec3 before = foot();
    double worst = 0;
    for (int i = 0; i < 3600; ++i)
    {
        simulation.step();
        worst = std::max(worst, norm(foot() - before));
    }
    EXPECT_LT(worst, 5e-4) << iterations;
    EXPECT_GT(simulation.state().q[0], 10) << iterations;  // it turned all the time, over the dead points too
}

TEST(AvbdJoints, a_four_bar_linkage_stays_closed_for_a_minute)
{
    for (const int iterations : {4, 10}) expect_four_bar_closed(iterations);
}

TEST(AvbdJoints, drives_respect_their_force_limit_at_any_number_of_iterations)
{
    for (const int iterations : {1, 2, 4, 10, 50})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId wheel = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.5, 0.5, 0.5}}});
        const JointId hinge = builder.add_joint(wheel, {.axis = {0, 0, 1}});
        builder.add_position_actuator(
            hinge, {.stiffness = 1e5, .damping = 10, .force_range = {.limited = true, .lower = -2, .upper = 2}});
        Simulation simulation = simulate(builder, iterations);
        simulation.control().input[0] = 100;
        simulation.run_for(1);
        EXPECT_NEAR(simulation.state().v[0], 2 / 0.5 * 1.0, 1e-6) << iterations;  // torque / inertia * time
    }
}

TEST(AvbdJoints, a_limited_drive_between_two_floating_bodies_turns_them_against_each_other)
{
    for (const int iterations : {1, 2, 4, 10, 50})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId hub = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {1, 1, 1}}});
        const BodyId wheel =
            builder.add_body({.parent = hub, .inertia = Inertia{.mass = 1, .diagonal = {0.25, 0.25, 0.25}}});
        const JointId axle = builder.add_joint(
            wheel, {.axis = {0, 0, 1}, .actuator_force_range = {.limited = true, .lower = -0.5, .upper = 0.5}});
        builder.add_velocity_actuator(axle, {.gain = 1e4});
        Simulation simulation = simulate(builder, iterations);
        simulation.control().input[0] = 100;
        simulation.run_for(1);
        EXPECT_NEAR(simulation.state().velocity(wheel).angular.z, 0.5 / 0.25, 1e-6) << iterations;
        EXPECT_NEAR(simulation.state().velocity(hub).angular.z, -0.5 / 1.0, 1e-6) << iterations;
    }
}

TEST(AvbdJoints, a_limited_drive_lifts_what_it_can_and_not_more)
{
    for (const int iterations : {1, 2, 4, 10, 50})
    {
        for (const double load : {0.95, 1.05})
        {
            ModelBuilder builder;
            const BodyId sledge = builder.add_body({.inertia = Inertia{.mass = 5, .diagonal = {1, 1, 1}}});
            const JointId lift = builder.add_joint(sledge, {.type = JointType::slide, .axis = {0, 0, 1}});
            const double most = 5 * kGravity / load;
            builder.add_position_actuator(
                lift, {.stiffness = 1e7, .force_range = {.limited = true, .lower = -most, .upper = most}});
            Simulation simulation = simulate(builder, iterations);
            simulation.control().input[0] = 1e3;
            simulation.run_for(1);
            EXPECT_NEAR(simulation.state().v[0], most / 5 - kGravity, 1e-6) << iterations << ' ' << load;
        }
    }
}

TEST(AvbdJoints, a_servo_reaches_its_target_without_overshoot_at_any_gain)
{
    for (const double gain : {1e2, 1e4, 1e6})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId arm = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.5, 0.5, 0.5}}});
        const JointId hinge = builder.add_joint(arm, {.axis = {0, 0, 1}});
        builder.add_position_actuator(hinge, {.stiffness = gain, .damping_ratio = 1});
        Simulation simulation = simulate(builder, 10);
        simulation.control().input[0] = 1;
        double most = 0;
        for (int i = 0; i < 300; ++i)
        {
            simulation.step();
            most = std::max(most, simulation.state().q[0]);
        }
        EXPECT_NEAR(simulation.state().q[0], 1, 1e-3) << gain;
        EXPECT_LT(most, 1.05) << gain;
    }
}

TEST(AvbdJoints, limits_stop_hinges_slides_and_balls)
{
    for (const JointType type : {JointType::hinge, JointType::slide, JointType::ball})
    {
        ModelBuilder builder;
        const BodyId arm =
            builder.add_body({.inertia = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {0.1, 0.1, 0.1}}});
        builder.add_joint(arm, {.type = type,
                                .axis = type == JointType::slide ? Vec3{0, 0, -1} : Vec3{0, 1, 0},
                                .range = {.limited = true, .lower = type == JointType::ball ? 0 : -0.4, .upper = 0.4}});
        Simulation simulation = simulate(builder, 10);
        simulation.run_for(5);
        const State& state = simulation.state();
        const double reached =
            type == JointType::ball ? 2 * std::acos(std::min(1.0, std::abs(state.q[0]))) : state.q[0];
        EXPECT_NEAR(reached, 0.4, 2e-3) << to_string(type);
        EXPECT_LT(std::abs(state.v[1 % state.v.size()]), 1e-3) << to_string(type);
    }
}

TEST(AvbdJoints, dry_friction_holds_up_to_its_bound_and_yields_beyond)
{
    for (const double load : {0.9, 1.1})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId sledge = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {1, 1, 1}}});
        builder.add_joint(sledge, {.type = JointType::slide, .axis = {1, 0, 0}, .dry_friction = 3});
        Simulation simulation = simulate(builder, 10);
        simulation.control().joint_force[0] = 3 * load;
        simulation.run_for(2);
        const double expected = load < 1 ? 0 : 3 * (load - 1) / 2 * 2;
        EXPECT_NEAR(simulation.state().v[0], expected, 1e-6) << load;
    }
}

TEST(AvbdJoints, armature_adds_to_the_inertia_of_a_joint)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId wheel = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.5, 0.5, 0.5}}});
    builder.add_joint(wheel, {.axis = {0, 0, 1}, .armature = 1.5});
    Simulation simulation = simulate(builder, 4);
    simulation.control().joint_force[0] = 4;
    simulation.run_for(1);
    EXPECT_NEAR(simulation.state().v[0], 4 / 2.0, 1e-6);
}

/// Coordinates of a solver's astronaut after half a second.
std::vector<double> float_astronaut(const char* solver, double dt, Parameters parameters)
{
    Simulation simulation(lab::build_astronaut().value(),
                          {.solver = solver, .dt = dt, .parameters = std::move(parameters)});
    simulation.run_for(0.5);
    return simulation.state().q;
}

TEST(AvbdJoints, armature_on_a_floating_tree_converges_to_joint_dynamics)
{
    const std::vector<double> exact = float_astronaut("smooth", 1e-3, {{"integrator", "lie_rk4"}});
    std::array<double, 2> error{};
    for (const int i : {0, 1})
    {
        const std::vector<double> q = float_astronaut("avbd", 2e-3 / (i + 1), {});
        double& worst = error[static_cast<std::size_t>(i)];
        for (std::size_t k = 0; k < q.size(); ++k) worst = std::max(worst, std::abs(q[k] - exact[k]));
    }
    EXPECT_LT(error[0], 1e-4);
    EXPECT_NEAR(error[0] / error[1], 4, 0.2);  // second order: nothing touches it
}

TEST(AvbdJoints, armature_takes_energy_through_gimbal_lock_and_never_gives)
{
    // hips and abdomen are three hinges each and pass their gimbal lock a dozen times
    Simulation simulation(lab::build_astronaut().value(), {.solver = "avbd", .dt = 2e-3});
    const double start = simulation.energy().kinetic;
    const Vec3 linear = simulation.momentum().linear, angular = simulation.momentum().angular;
    double last = start;
    for (int i = 0; i < 5000; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        const double now = simulation.energy().kinetic;
        ASSERT_LT(now, last + 1e-5 * start) << i;
        last = now;
    }
    EXPECT_GT(last, 0.85 * start);
    EXPECT_LT(norm(simulation.momentum().linear - linear), 1e-10);
    EXPECT_LT(norm(simulation.momentum().angular - angular), 0.02 * norm(angular));
}

TEST(AvbdJoints, armature_stays_bounded_where_sweeps_over_bodies_do_not_converge)
{
    Simulation simulation(lab::build_astronaut().value(),
                          {.solver = "avbd", .dt = 2e-3, .parameters = {{"blocks", std::string("bodies")}}});
    const double start = simulation.energy().kinetic;
    for (int i = 0; i < 5000; ++i)
    {
        ASSERT_NE(simulation.step().status, StepStatus::diverged) << i;
        ASSERT_LT(simulation.energy().kinetic, 2 * start) << i;  // without armature 1.4
    }
}

TEST(AvbdJoints, a_joint_breaks_at_its_force_and_not_before)
{
    for (const double load : {0.95, 1.05})
    {
        ModelBuilder builder;
        const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
        const JointId joint = builder.add_joint(bob, {.type = JointType::ball, .break_force = 2 * kGravity / load});
        Simulation simulation = simulate(builder, 10);
        EXPECT_FALSE(simulation.is_broken(joint));
        simulation.run_for(1);
        EXPECT_EQ(simulation.is_broken(joint), load > 1);
        const double fallen = -simulation.state().position(bob).z;
        if (load < 1)
            EXPECT_LT(fallen, 1e-4);
        else
            EXPECT_GT(fallen, 4);
    }
}

void expect_couplings_and_welds_held(int iterations)
{
    ModelBuilder builder;
    const auto bar = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {0.1, 0.1, 0.1}};
    const BodyId first = builder.add_body({.inertia = bar});
    const JointId one = builder.add_joint(first, {.axis = {0, 1, 0}});
    const BodyId second = builder.add_body({.position = {0, 1, 0}, .inertia = bar});
    const JointId two = builder.add_joint(second, {.axis = {0, 1, 0}});
    builder.add_joint_coupling(one, two, {0.1, -2, 0, 0, 0});
    const BodyId third = builder.add_body({.position = {0, 2, 0}, .inertia = bar});
    const BodyId fourth = builder.add_body({.position = {0, 3, 0}, .inertia = bar});
    builder.add_weld(third, fourth);
    Simulation simulation = simulate(builder, iterations);
    double worst = 0, apart = 0;
    for (int i = 0; i < 120; ++i)
    {
        simulation.step();
        const State& state = simulation.state();
        if (i > 3) worst = std::max(worst, std::abs(state.q[0] - 0.1 + 2 * state.q[1]));
        apart = std::max(apart, norm(state.position(fourth) - state.position(third) - Vec3{0, 1, 0}));
    }
    EXPECT_LT(worst, 1e-3) << iterations;
    EXPECT_LT(apart, 1e-3) << iterations;
}

TEST(AvbdJoints, couplings_and_welds_hold)
{
    for (const int iterations : {4, 10}) expect_couplings_and_welds_held(iterations);
}

TEST(AvbdJoints, slow_a_hundred_ragdolls_land_without_flying_apart)
{
    const Model model = lab::build_ragdolls().value();
    for (const int iterations : {4, 10, 40})
    {
        Simulation simulation(model, {.solver = "avbd", .dt = kStep, .parameters = {{"iterations", iterations}}});
        double fastest = 0, lowest = 0;
        for (int step = 0; step < 150; ++step)
        {
            simulation.step();
            for (int b = 1; b < model.body_count(); ++b)
            {
                fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
                lowest = std::min(lowest, simulation.state().position(BodyId{b}).z);
            }
        }
        EXPECT_LT(fastest, 60) << iterations;  // they fall at up to 15 m/s
        EXPECT_GT(lowest, -0.2) << iterations;
    }
}

}  // namespace
}  // namespace rattleback::gates
