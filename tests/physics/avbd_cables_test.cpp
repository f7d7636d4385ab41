// Cable joints and rods of `avbd` against closed forms: stretch, bend, twist, frequencies, large turns.
#include "math/rotation.h"
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

/// A steel wire from the origin along +x, clamped to the world.
RodOptions make_wire(int segments)
{
    return {.end = {1, 0, 0},
            .segments = segments,
            .radius = 0.005,
            .density = 7850,
            .young = 2e11,
            .shear_modulus = 8e10,
            .damping_time = 0.02,
            .first_body = kWorld,
            .collide = false};
}
double second_moment(const RodOptions& rod) { return kPi * std::pow(rod.radius, 4) / 4; }

/// A force at the tip of the last segment.
void load_tip(Simulation& simulation, const Rod& rod, const Vec3& force, const Vec3& arm)
{
    simulation.control().body_wrench[static_cast<std::size_t>(rod.segments.back().index)] = {force, cross(arm, force)};
}

TEST(AvbdCables, a_weight_stretches_a_cable_by_weight_over_stiffness)
{
    for (const char* mode : {"augmented", "penalty"})
    {
        for (const double stiffness : {1e3, 1e5, 1e7, 1e9})
        {
            if (stiffness > 1e6 && mode[0] == 'p')
                continue;  // beyond the stiffness that the penalties of [VBD-R] reach
            ModelBuilder builder;
            const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
            builder.add_cable(kWorld, bob, {.cable = {.stretch = {.stiffness = stiffness, .damping = 0}}});
            Simulation simulation = simulate(builder, 10, 1, kStep, {{"mode", std::string(mode)}});
            simulation.run_for(10);
            EXPECT_NEAR(simulation.state().position(bob).z / (-2 * kGravity / stiffness), 1, 1e-4)
                << mode << ' ' << stiffness;
        }
    }
}

TEST(AvbdCables, damping_slows_a_stretching_cable_as_a_dashpot_does)
{
    ModelBuilder builder;
    const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
    builder.add_cable(kWorld, bob, {.cable = {.stretch = {.stiffness = 0, .damping = 40}}});
    Simulation simulation = simulate(builder, 10);
    simulation.run_for(5);
    EXPECT_NEAR(simulation.state().velocity(bob).linear.z, -2 * kGravity / 40, 1e-6);
}

TEST(AvbdCables, the_tip_of_a_cantilever_sinks_as_euler_and_bernoulli_say)
{
    double last = 1;
    for (const int n : {4, 8, 16, 32})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const RodOptions options = make_wire(n);
        const Rod rod = builder.add_rod(options);
        Simulation simulation = simulate(builder, 10);
        const double rigidity = options.young * second_moment(options), force = 0.01 * 3 * rigidity;
        load_tip(simulation, rod, {0, 0, -force}, {0.5 / n, 0, 0});
        simulation.run_for(5);
        const State& state = simulation.state();
        const Vec3 tip =
            state.position(rod.segments.back()) + rotate(state.rotation(rod.segments.back()), Vec3{0, 0, 0.5 / n});
        const double error = -tip.z / 0.01 - 1;
        EXPECT_NEAR(error, 0.5 / (n * n), 1.5e-4) << n;  // the trapezoidal rule's; the rest is geometry, (0.01)^2
        EXPECT_LT(std::abs(error), last) << n;
        last = std::abs(error);
    }
    EXPECT_LT(last, 5e-4);
}

TEST(AvbdCables, a_beam_clamped_at_both_ends_sinks_a_hundred_and_ninety_second)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    RodOptions options = make_wire(25);
    options.second_body = kWorld;
    const Rod rod = builder.add_rod(options);
    Simulation simulation = simulate(builder, 10);
    const double rigidity = options.young * second_moment(options);
    // small against the radius: a beam that sinks further is held by its stretch
    simulation.control().body_wrench[static_cast<std::size_t>(rod.segments[12].index)].force = {0, 0,
                                                                                                -192 * rigidity * 1e-4};
    simulation.run_for(5);
    EXPECT_NEAR(-simulation.state().position(rod.segments[12]).z / 1e-4, 1, 0.02);
}

TEST(AvbdCables, a_torque_twists_a_rod_by_torque_times_length_over_rigidity)
{
    for (const char* mode : {"augmented", "penalty"})
    {
        const bool seed = mode[0] == 'p';  // one body per block: a soft short rod, and time
        ModelBuilder builder;
        builder.settings().gravity = {};
        RodOptions options = make_wire(seed ? 3 : 10);
        if (seed) options.young = 2e8;
        options.shear_modulus = 0.004 * options.young;  // or it would buckle long before (Greenhill)
        const Rod rod = builder.add_rod(options);
        Simulation simulation = simulate(builder, 10, 1, kStep, {{"mode", std::string(mode)}});
        const double rigidity = *options.shear_modulus * 2 * second_moment(options);
        // nearly two radians at every joint, 18 altogether
        const double per_length = (seed ? 0.3 : 1.8) * options.segments;
        for (int i = 0; i < 600; ++i)
        {
            simulation.control().body_wrench[static_cast<std::size_t>(rod.segments.back().index)].torque = {
                std::min(1.0, i / 300.0) * per_length * rigidity, 0, 0};
            simulation.step();
        }
        for (std::size_t i = 0; i < rod.segments.size(); ++i)
        {
            const double expected = per_length * (static_cast<double>(i) + 0.5) / options.segments;
            const Quat untwisted =
                simulation.model().bodies.pose[static_cast<std::size_t>(rod.segments[i].index)].rotation;
            const Quat turned = simulation.state().rotation(rod.segments[i]) * conjugate(untwisted);
            const Quat wanted = from_axis_angle({1, 0, 0}, expected);
            EXPECT_LT(norm(logarithm(turned * conjugate(wanted))), seed ? 0.02 : 1e-4) << mode << ' ' << i;
        }
    }
}

TEST(AvbdCables, a_released_cantilever_swings_with_its_natural_frequency)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    RodOptions options = make_wire(16);
    options.damping_time = 0;
    const Rod rod = builder.add_rod(options);
    Simulation simulation = simulate(builder, 4, 1, 2e-4);
    const double rigidity = options.young * second_moment(options);
    const double line = options.density * kPi * options.radius * options.radius;
    const double expected = 2 * kPi / (1.8751 * 1.8751 * std::sqrt(rigidity / line));
    // its first shape, as initial velocities: the static one under a load at the tip is close
    State& state = simulation.state();
    for (const BodyId segment : rod.segments)
    {
        const double x = state.position(segment).x, slope = 1.5 * x * (2 - x), value = 0.5 * x * x * (3 - x);
        const auto v =
            static_cast<std::size_t>(simulation.model().bodies.v_begin[static_cast<std::size_t>(segment.index)]);
        const Vec3 spin = rotate(conjugate(state.rotation(segment)), Vec3{0, -0.1 * slope, 0});
        state.v[v + 2] = 0.1 * value;
        for (std::size_t c = 0; c < 3; ++c) state.v[v + 3 + c] = spin[static_cast<int>(c)];
    }
    simulation.refresh();
    std::vector<double> crossings;
    double before = 0;
    while (crossings.size() < 3 && simulation.time() < 2)
    {
        simulation.step();
        const double now = simulation.state().position(rod.segments.back()).z;
        if (before > 0 && now <= 0) crossings.push_back(simulation.time());
        if (before < 0 && now >= 0) crossings.push_back(simulation.time());
        before = now;
    }
    ASSERT_EQ(crossings.size(), 3U);
    EXPECT_NEAR((crossings[2] - crossings[0]) / expected, 1, 0.01);
}

TEST(AvbdCables, a_bending_spring_adds_to_the_weight_of_a_pendulum)
{
    for (const double stiffness : {0.0, 3.0, 300.0})
    {
        ModelBuilder builder;
        const Inertia rod{.mass = 2, .position = {0, 0, -0.5}, .diagonal = {0.2, 0.2, 0.01}};
        const BodyId bob = builder.add_body({.rotation = from_axis_angle({0, 1, 0}, 0.05), .inertia = rod});
        builder.add_cable(kWorld, bob,
                          {.second_frame = Pose{}, .cable = {.bend = {.stiffness = stiffness, .damping = 0}}});
        Simulation simulation = simulate(builder, 4, 1, 5e-4);
        const double inertia = 0.2 + 2 * 0.25;
        const double expected = kPi / std::sqrt((2 * kGravity * 0.5 + stiffness) / inertia);  // half a period
        std::vector<double> crossings;
        double before = 1;
        while (crossings.size() < 3 && simulation.time() < 10)
        {
            simulation.step();
            const double now = simulation.state().rotation(bob).y;
            if ((now < 0) != (before < 0)) crossings.push_back(simulation.time());
            before = now;
        }
        ASSERT_EQ(crossings.size(), 3U) << stiffness;
        EXPECT_NEAR((crossings[2] - crossings[0]) / (2 * expected), 1, 0.003) << stiffness;
    }
}

TEST(AvbdCables, equal_stiffnesses_turn_with_the_torque_up_to_half_a_revolution)
{
    for (const double angle : {0.5, 1.5, 2.5, 3.1})
    {
        for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{0.48, -0.6, 0.64}})
        {
            ModelBuilder builder;
            builder.settings().gravity = {};
            const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.01, 0.02, 0.015}}});
            // a free bob under a torque that is fixed in space wobbles for minutes when it is turned so far
            builder.add_joint(bob, {.axis = direction});
            const Spring spring{.stiffness = 2, .damping = 0.2};
            builder.add_cable(kWorld, bob, {.cable = {.bend = spring, .twist = spring}});
            Simulation simulation = simulate(builder, 10);
            for (int i = 0; i < 600; ++i)  // slowly, or the bob swings over
            {
                simulation.control().joint_force[0] = 2 * angle * std::min(1.0, i / 300.0);
                simulation.step();
            }
            EXPECT_NEAR(simulation.state().q[0], angle, 1e-9) << angle;
        }
    }
}

/// Turn of a body on a cable under a torque that is fixed in space, after it has come to rest.
Vec3 find_turn(const Cable& cable, const Vec3& torque)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.01, 0.02, 0.015}}});
    builder.add_cable(kWorld, bob, {.cable = cable});
    Simulation simulation = simulate(builder, 10);
    for (int i = 0; i < 1200; ++i)
    {
        simulation.control().body_wrench[static_cast<std::size_t>(bob.index)].torque =
            std::min(1.0, i / 300.0) * torque;
        simulation.step();
    }
    EXPECT_LT(norm(simulation.state().velocity(bob).angular), 1e-6);
    return logarithm(simulation.state().rotation(bob));
}

TEST(AvbdCables, unequal_stiffnesses_rest_where_the_slope_of_their_energy_is_the_torque)
{
    const double bend = 2, twist = 6;
    const auto energy = [&](const Quat& q)
    {
        const Vec3 u = logarithm(q);
        return 0.5 * bend * (u.x * u.x + u.y * u.y) + 0.5 * twist * u.z * u.z;
    };
    for (const Vec3& torque : {Vec3{2, 0, 2}, Vec3{2.5, 1, 4}, Vec3{-1, 3, 5}})
    {
        const Vec3 turned = find_turn({.bend = {bend, 0.2 * bend}, .twist = {twist, 0.2 * twist}}, torque);
        const Quat rest = exponential(turned);
        for (int c = 0; c < 3; ++c)
        {
            Vec3 by;
            by[c] = 1e-5;
            const double slope = (energy(exponential(by) * rest) - energy(exponential(-by) * rest)) / 2e-5;
            EXPECT_NEAR(slope, torque[c], 1e-6) << norm(turned) << " rad, " << c;
        }
    }
}

/// Largest distance between the ends that the joints of a rod tie [m].
double find_opening(const Rod& rod, double half, const State& state)
{
    double worst = 0;
    for (std::size_t i = 0; i + 1 < rod.segments.size(); ++i)
    {
        const auto end = [&](BodyId body, double z)
        { return state.position(body) + rotate(state.rotation(body), Vec3{0, 0, z}); };
        worst = std::max(worst, norm(end(rod.segments[i + 1], -half) - end(rod.segments[i], half)));
    }
    return worst;
}

TEST(AvbdCables, a_rope_of_a_hundred_segments_carries_a_thousand_times_its_mass)
{
    for (const int iterations : {4, 10})
    {
        ModelBuilder builder;
        // a rope of 0.5 kg: E A = 1e9 N would be 1 mm of stretch for 1 MN
        const BodyId load =
            builder.add_body({.position = {5, 0, 0}, .inertia = Inertia{.mass = 500, .diagonal = {50, 50, 50}}});
        const Rod rod = builder.add_rod({.end = {5, 0, 0},
                                         .segments = 100,
                                         .radius = 0.01,
                                         .density = 318,
                                         .young = 1e9 / (kPi * 1e-4),
                                         .first_body = kWorld,
                                         .second_body = load,
                                         .collide = false});
        Simulation simulation = simulate(builder, iterations);
        double worst = 0;
        for (int i = 0; i < 300; ++i)
        {
            ASSERT_EQ(simulation.step().status, StepStatus::ok);
            worst = std::max(worst, find_opening(rod, 0.025, simulation.state()));
        }
        EXPECT_LT(worst, 1e-4) << iterations;
        EXPECT_LT(simulation.state().position(load).z, -1) << iterations;  // it fell
    }
}

TEST(AvbdCables, a_necklace_stays_closed)
{
    constexpr int kBeads = 16;
    ModelBuilder builder;
    std::vector<BodyId> beads;
    const double half = std::sin(kPi / kBeads);
    for (int i = 0; i < kBeads; ++i)
    {
        const double angle = 2 * kPi * i / kBeads;
        beads.push_back(builder.add_body(
            {.position = {std::cos(kPi / kBeads) * std::cos(angle), 0, std::cos(kPi / kBeads) * std::sin(angle)},
             .rotation = from_axis_angle({0, 1, 0}, -angle),
             .inertia = Inertia{.mass = 1, .diagonal = {0.02, 0.02, 0.001}}}));
    }
    for (int i = 0; i < kBeads; ++i)
    {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>((i + 1) % kBeads);
        builder.add_cable(beads[a], beads[b],
                          {.first_frame = {.position = {0, 0, half}}, .second_frame = Pose{.position = {0, 0, -half}}});
    }
    builder.add_cable(beads[4], kWorld, {});
    Simulation simulation = simulate(builder, 10);
    double worst = 0;
    for (int k = 0; k < 300; ++k)
    {
        simulation.step();
        const State& state = simulation.state();
        for (std::size_t i = 0; i < kBeads; ++i)
        {
            const auto end = [&](BodyId body, double z)
            { return state.position(body) + rotate(state.rotation(body), Vec3{0, 0, z}); };
            worst = std::max(worst, norm(end(beads[(i + 1) % kBeads], -half) - end(beads[i], half)));
        }
    }
    EXPECT_LT(worst, 5e-4);
}

TEST(AvbdCables, the_order_in_which_cables_are_added_changes_nothing_but_rounding)
{
    const auto run = [](const std::vector<int>& order, bool reversed)
    {
        ModelBuilder builder;
        std::vector<BodyId> bodies;
        for (int i = 0; i < 6; ++i)
            bodies.push_back(builder.add_body(
                {.position = {0.3 * i, 0, 0}, .inertia = Inertia{.mass = 1.0 + i, .diagonal = {0.1, 0.2, 0.15}}}));
        for (const int i : order)
        {
            const auto k = static_cast<std::size_t>(i);
            const Cable cable{.bend = {50, 1}, .twist = {20, 1}};
            const Pose left{.position = {0.15, 0, 0}}, right{.position = {-0.15, 0, 0}};
            if (reversed)
                builder.add_cable(bodies[k + 1], bodies[k],
                                  {.first_frame = right, .second_frame = left, .cable = cable});
            else
                builder.add_cable(bodies[k], bodies[k + 1],
                                  {.first_frame = left, .second_frame = right, .cable = cable});
        }
        builder.add_cable(bodies[2], kWorld, {.cable = {.bend = {500, 10}, .twist = {500, 10}}});
        Simulation simulation = simulate(builder, 20);
        simulation.run_for(0.5);
        return simulation.state().position(bodies[5]);
    };
    const Vec3 expected = run({0, 1, 2, 3, 4}, false);
    EXPECT_LT(expected.z, -0.01);
    EXPECT_LT(norm(run({4, 2, 0, 3, 1}, false) - expected), 1e-9);
    EXPECT_LT(norm(run({1, 3, 0, 4, 2}, true) - expected), 1e-4);  // shear and bend in the other frame's axes
}

TEST(AvbdCables, a_cable_breaks_at_its_force_and_not_before)
{
    for (const char* mode : {"augmented", "penalty"})
    {
        for (const double load : {0.4, 1.1})  // a weight put on at once pulls up to twice as hard
        {
            ModelBuilder builder;
            const BodyId bob = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
            const EqualityId cable = builder.add_cable(
                kWorld, bob,
                {.cable = {.stretch = {.stiffness = 1e5, .damping = 1e4}}, .break_force = 2 * kGravity / load});
            Simulation simulation = simulate(builder, 10, 1, kStep, {{"mode", std::string(mode)}});
            simulation.run_for(1);
            EXPECT_EQ(simulation.is_broken(cable), load > 1) << mode;
            const double fallen = -simulation.state().position(bob).z;
            if (load < 1)
                EXPECT_LT(fallen, 5e-3) << mode;
            else
                EXPECT_GT(fallen, 1) << mode;
        }
    }
}

TEST(AvbdCables, a_snapshot_of_a_swinging_rod_continues_bit_for_bit)
{
    ModelBuilder builder;
    builder.add_rod(make_wire(12));
    Simulation simulation = simulate(builder, 4);
    simulation.run_for(0.5);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_for(0.5);
    Simulation other = simulate(builder, 4);
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_for(0.5);
    EXPECT_EQ(hash(simulation.state()), hash(other.state()));
}

TEST(AvbdCables, solvers_without_cables_refuse_them_by_name)
{
    ModelBuilder builder;
    builder.add_cable(builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}}), kWorld,
                      {.name = "cord"});
    const auto refused = Simulation::make(builder.build().value(), {.solver = "convex"});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.errors()[0].text().find("cable"), std::string::npos) << refused.errors()[0].text();
    EXPECT_NE(refused.errors()[0].text().find("equality 'cord'"), std::string::npos) << refused.errors()[0].text();
}

}  // namespace
}  // namespace rattleback::gates
