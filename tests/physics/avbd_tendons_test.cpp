// Gates of `avbd`: tendons against closed forms, conservation laws, and the joint-space solvers as the step shrinks.
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

BodyId add_mass(ModelBuilder& builder, const Vec3& position, double mass)
{
    return builder.add_body({.position = position, .inertia = Inertia{.mass = mass, .diagonal = {0.01, 0.01, 0.01}}});
}

TEST(AvbdTendons, a_weight_hangs_where_the_spring_of_its_tendon_carries_it)
{
    // 10 kg on 2000 N/m, free below 0.5 m; the whole weight stretches it, at any step and in both modes
    for (const char* mode : {"augmented", "penalty"})
    {
        ModelBuilder builder;
        const BodyId weight = add_mass(builder, {0, 0, -0.5}, 10);
        builder.add_spatial_tendon({{.site = builder.add_site(kWorld)}, {.site = builder.add_site(weight)}},
                                   {.stiffness = 2000, .damping = 100, .spring_length = {0, 0.5}});
        Simulation simulation = simulate(builder, 10, 1, kStep, {{"mode", std::string(mode)}});
        simulation.run_for(4);  // 100 N s/m halves the swing in 0.14 s
        EXPECT_NEAR(simulation.state().position(weight).z, -0.5 - 10 * kGravity / 2000, 1e-9) << mode;
    }
}

TEST(AvbdTendons, a_tendon_inside_its_dead_band_does_nothing)
{
    ModelBuilder builder;
    const BodyId body = add_mass(builder, {0, 0, -0.3}, 1);
    builder.add_spatial_tendon({{.site = builder.add_site(kWorld)}, {.site = builder.add_site(body)}},
                               {.stiffness = 1e6, .spring_length = {0.1, 5}});
    Simulation simulation = simulate(builder, 10);
    simulation.run_steps(30);
    // implicit Euler falls by g h^2 n (n + 1) / 2
    EXPECT_NEAR(simulation.state().position(body).z, -0.3 - kGravity * kStep * kStep * 30 * 31 / 2, 1e-12);
}

TEST(AvbdTendons, a_limit_holds_a_weight_with_a_force_equal_to_it)
{
    // The hook that the tendon hangs on rests on a spring, which shows the force: (m + M) g / k. 200 N s/m is just
    // below the critical damping: swings decay with e^-4.9t.
    ModelBuilder builder;
    const BodyId hook = builder.add_body({.parent = kWorld, .inertia = Inertia{.mass = 0.5, .diagonal = {1, 1, 1}}});
    builder.add_joint(hook, {.type = JointType::slide, .axis = {0, 0, 1}, .stiffness = 500, .damping = 200});
    const BodyId weight = add_mass(builder, {0, 0, -0.8}, 20);
    builder.add_spatial_tendon({{.site = builder.add_site(hook)}, {.site = builder.add_site(weight)}},
                               {.range = {true, 0, 1}});
    Simulation simulation = simulate(builder, 10);
    simulation.run_for(6);
    const double hook_z = simulation.state().position(hook).z;
    EXPECT_NEAR(hook_z, -20.5 * kGravity / 500, 1e-6);
    EXPECT_NEAR(hook_z - simulation.state().position(weight).z, 1, 1e-7);
}

TEST(AvbdTendons, atwoods_machine_falls_with_the_difference_of_the_masses)
{
    // over two fixed points, and with a loose pulley that halves the way of the second mass
    for (const double divisor : {1.0, 2.0})
    {
        ModelBuilder builder;
        const SiteId left = builder.add_site(kWorld, {.position = {-0.1, 0, 0}});
        const SiteId right = builder.add_site(kWorld, {.position = {0.1, 0, 0}});
        const BodyId a = add_mass(builder, {-0.1, 0, -1}, 3), b = add_mass(builder, {0.1, 0, -1}, 2);
        const SiteId on_a = builder.add_site(a), on_b = builder.add_site(b);
        builder.add_spatial_tendon(
            {{.site = on_a}, {.site = left}, {.divisor = divisor}, {.site = right}, {.site = on_b}},
            {.range = {true, 0, 1 + 1 / divisor}});
        Simulation simulation = simulate(builder, 10, 1, 1e-3);
        simulation.run_for(0.3);
        // x_a + x_b / d = const; T on a, T / d on b
        const double s = 1 / divisor;
        const double tension = kGravity * (1 + s) / (1.0 / 3 + s * s / 2);
        EXPECT_NEAR(simulation.state().velocity(a).linear.z / 0.3, tension / 3 - kGravity, 1e-6);
        EXPECT_NEAR(simulation.state().velocity(b).linear.z / 0.3, s * tension / 2 - kGravity, 1e-6);
    }
}

/// Two bodies without gravity, joined by a spring through an eye on a third one, or by a limit that snaps taut.
ModelBuilder make_drifters(bool spring)
{
    ModelBuilder builder;
    const BodyId a = builder.add_body({.position = {-1, 0, 0},
                                       .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.2, 0.2}},
                                       .linear_velocity = {0, 1, 0.3}});
    const BodyId b = builder.add_body({.position = {1, 0.2, 0},
                                       .inertia = Inertia{.mass = 3, .diagonal = {0.1, 0.2, 0.2}},
                                       .linear_velocity = {0, -2, 0}});
    const BodyId eye = add_mass(builder, {0, 0.5, 0.1}, 0.5);
    const SiteId on_a = builder.add_site(a, {.position = {0.1, 0.1, 0}}),
                 on_b = builder.add_site(b, {.position = {0, 0, 0.2}});
    if (spring)
        builder.add_spatial_tendon(
            {{.site = on_a}, {.site = builder.add_site(eye, {.position = {0, 0.1, 0}})}, {.site = on_b}},
            {.stiffness = 40, .damping = 0.5, .spring_length = {0, 1.5}});
    else
        builder.add_spatial_tendon({{.site = on_a}, {.site = on_b}}, {.range = {true, 0, 2.1}});
    builder.settings().gravity = {};
    return builder;
}

TEST(AvbdTendons, bodies_adrift_keep_their_momentum)
{
    for (const bool spring : {true, false})
    {
        // relative change of the angular momentum in a second; that of the linear one is rounding
        const auto drift = [&](double dt)
        {
            Simulation simulation = simulate(make_drifters(spring), 20, 1, dt);
            const Momentum before = simulation.momentum();
            simulation.run_for(1);
            const Momentum after = simulation.momentum();
            EXPECT_LT(norm(after.linear - before.linear), 1e-10 * norm(before.linear)) << spring;
            const Vec3 spin = simulation.state().velocity(BodyId{1}).angular;
            EXPECT_GT(norm(spin), 1) << "the tendon has pulled";
            return norm(after.angular - before.angular) / norm(before.angular);
        };
        // implicit Euler: forces f along the tendon as it lies at the end of a step act on bodies where they are at
        // its start, with the torque h v x f: half of it at half the step (0.6 % and 0.17 % at 2 ms)
        const double coarse = drift(2e-3), fine = drift(1e-3);
        EXPECT_LT(coarse, 0.01) << spring;
        // a spring that nothing touches swings by the midpoint rule, of second order
        EXPECT_NEAR(fine / coarse, spring ? 0.25 : 0.5, 0.02) << spring;
    }
}

/// An arm of two links in a vertical plane, drawn by a spatial and a fixed tendon.
Model make_arm(const std::string& spatial, const std::string& path, const std::string& more = {})
{
    const std::string text = R"(<mujoco><worldbody>
      <site name="a" pos="0 0 0.4"/><site name="side" pos="0.15 0 0.05"/>
      <geom name="drum" type="cylinder" size="0.06 0.1" euler="90 0 0" contype="0" conaffinity="0"/>
      <body><joint name="h" type="hinge" axis="0 1 0" damping="0.05"/><site name="b" pos="0.25 0 -0.02"/>
        <geom type="capsule" fromto="0.1 0 0 0.4 0 0" size="0.02" mass="1" contype="0" conaffinity="0"/>
        <body pos="0.4 0 0"><joint name="e" type="hinge" axis="0 1 0" damping="0.02"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.5" contype="0" conaffinity="0"/>
          <geom name="ball" size="0.03" mass="0.05" contype="0" conaffinity="0"/>
          <site name="c" pos="0.15 0 0.03"/><site name="over" pos="0 0 0.05"/></body></body></worldbody>
      <tendon><spatial name="t" )" +
                             spatial + ">" + path + R"(</spatial>
      <fixed name="f" stiffness="3" damping="0.1"><joint joint="h" coef="0.5"/><joint joint="e" coef="-1"/></fixed></tendon>
      <actuator><motor tendon="t" gear="2"/><position tendon="f" kp="2"/></actuator>)" +
                             more + "</mujoco>";
    return parse_mjcf(text, "arm", ".").value().model;
}
constexpr const char* kThrough =
    R"(<site site="a"/><site site="b"/><pulley divisor="2"/><site site="b"/><site site="c"/>)";
constexpr const char* kAround = R"(<site site="a"/><geom geom="drum" sidesite="side"/><site site="b"/>
                                   <geom geom="ball" sidesite="over"/><site site="c"/>)";

std::vector<double> find_end(const Model& model, const char* solver, double dt, Parameters parameters = {})
{
    Simulation simulation(model, {.solver = solver, .dt = dt, .parameters = std::move(parameters)});
    simulation.control().input[0] = -3;
    simulation.control().input[1] = 0.4;
    simulation.run_for(0.3);
    return {simulation.state().q.begin(), simulation.state().q.end()};
}

/// The error against a fine run of another solver falls in proportion to the step.
void expect_first_order(const Model& model, const char* reference, double most)
{
    const std::vector<double> exact = find_end(model, reference, 1e-4);
    const auto error = [&](double dt)
    {
        const std::vector<double> end = find_end(model, "avbd", dt, {{"iterations", 10}});
        double worst = 0;
        for (std::size_t i = 0; i < end.size(); ++i) worst = std::max(worst, std::abs(end[i] - exact[i]));
        return worst;
    };
    const double coarse = error(4e-3), fine = error(1e-3);
    EXPECT_LT(coarse, 4 * most);
    EXPECT_LT(fine, most);
    EXPECT_LT(fine, 0.35 * coarse);  // a quarter, and what the reference is off by
}

/// An arm that swings by the midpoint rule: as near to `smooth` as that (semi-implicit Euler at 0.1 ms) is to the
/// truth, 5e-5 rad.
void expect_as_smooth(const Model& model)
{
    const std::vector<double> exact = find_end(model, "smooth", 1e-4);
    for (const double dt : {4e-3, 1e-3})
    {
        const std::vector<double> end = find_end(model, "avbd", dt, {{"iterations", 10}});
        for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(end[i], exact[i], dt > 2e-3 ? 1.5e-4 : 1e-4) << dt;
    }
}

TEST(AvbdTendons, springs_dampers_and_motors_move_an_arm_as_in_smooth)
{
    const std::string spring = R"(stiffness="50" damping="0.5" springlength="0.3")";
    expect_as_smooth(make_arm(spring, kThrough));
    expect_as_smooth(make_arm(spring, kAround));
}

TEST(AvbdTendons, armature_moves_an_arm_as_in_smooth)
{
    expect_as_smooth(make_arm(R"(stiffness="50" damping="0.5" springlength="0.3" armature="0.3")", kThrough));
}

TEST(AvbdTendons, dry_friction_and_couplings_move_an_arm_as_in_convex)
{
    expect_first_order(make_arm(R"(stiffness="50" damping="0.5" springlength="0.3" frictionloss="2")", kAround),
                       "convex", 2e-3);
    // a stiff coupling: the joint-space solver's is soft by its impedance
    const std::string coupling =
        R"(<equality><tendon tendon1="f" tendon2="t" polycoef="0 0.5 0.1 0 0" solref="0.004 1"/></equality>)";
    expect_first_order(make_arm(R"(stiffness="50" damping="0.5" springlength="0.3")", kThrough, coupling), "convex",
                       2e-3);
}

TEST(AvbdTendons, a_coupling_keeps_two_lengths_in_proportion)
{
    // two weights on slides, each with a fixed tendon, q_1 = -2 q_2
    ModelBuilder builder;
    std::vector<TendonId> tendons;
    std::vector<JointId> slides;
    for (const double mass : {1.0, 6.0})
    {
        const BodyId body = builder.add_body(
            {.parent = kWorld, .position = {mass, 0, 0}, .inertia = Inertia{.mass = mass, .diagonal = {1, 1, 1}}});
        slides.push_back(builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, 1}}));
        tendons.push_back(builder.add_fixed_tendon({{slides.back(), 1}}));
    }
    const EqualityId coupling = builder.add_tendon_coupling(tendons[0], tendons[1], {0, -2, 0, 0, 0});
    Simulation simulation = simulate(builder, 10, 1, 1e-3);
    simulation.run_for(0.2);
    // L = (1 * 4 + 6) v^2 / 2 with the force (-2 * 1 + 6) (-g) along the second slide
    EXPECT_NEAR(simulation.state().v[1] / 0.2, -kGravity * (6 - 2) / 10, 1e-6);
    EXPECT_NEAR(simulation.state().q[0], -2 * simulation.state().q[1], 1e-9);
    // switched off, both fall
    simulation.control().equality_active[static_cast<std::size_t>(coupling.index)] = 0;
    const double before = simulation.state().v[0];
    simulation.run_for(0.1);
    EXPECT_NEAR(simulation.state().v[0] - before, -0.1 * kGravity, 1e-9);
}

TEST(AvbdTendons, wake_what_they_pull_and_let_it_sleep)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId weight = add_box(builder, {0, 0, 1}, {0.1, 0.1, 0.1}, 1000);
    builder.add_spatial_tendon(
        {{.site = builder.add_site(kWorld, {.position = {0, 0, 2}})}, {.site = builder.add_site(weight)}},
        {.range = {true, 0, 1}});
    Simulation simulation = simulate(builder, 10, 1, kStep, {{"sleep", true}});
    simulation.run_for(2);
    EXPECT_NEAR(simulation.state().position(weight).z, 1, 1e-6);
    EXPECT_EQ(norm(simulation.state().velocity(weight).linear), 0);
    simulation.control().body_wrench[static_cast<std::size_t>(weight.index)].force = {50, 0, 0};
    simulation.run_for(0.2);
    EXPECT_GT(simulation.state().position(weight).x, 0.01);
}

TEST(AvbdTendons, give_the_same_bits_for_any_number_of_threads_and_from_a_snapshot)
{
    // a curtain of weights that tendons join to each other and to a kinematic rail
    ModelBuilder builder;
    builder.add_ground();
    const BodyId rail = builder.add_body({.position = {0, 0, 3}, .kind = BodyKind::kinematic});
    for (int i = 0; i < 8; ++i)
    {
        const BodyId upper = add_box(builder, {0.5 * i, 0, 2}, {0.1, 0.1, 0.1}, 500);
        const BodyId lower = add_box(builder, {0.5 * i, 0.05 * i, 1}, {0.1, 0.1, 0.1}, 500);
        const SiteId on_upper = builder.add_site(upper);
        builder.add_spatial_tendon(
            {{.site = builder.add_site(rail, {.position = {0.5 * i, 0, 0}})}, {.site = on_upper}},
            {.range = {true, 0, 1.05}});
        builder.add_spatial_tendon({{.site = on_upper}, {.site = builder.add_site(lower)}},
                                   {.stiffness = 300, .damping = 5, .spring_length = {0, 0.9}});
    }
    const Model model = builder.build().value();
    for (const char* blocks : {"trees", "bodies"})
    {
        std::uint64_t expected = 0;
        for (const int threads : {1, 2, 5})
        {
            Simulation simulation(
                model,
                {.solver = "avbd", .dt = kStep, .parameters = {{"threads", threads}, {"blocks", std::string(blocks)}}});
            simulation.run_steps(20);
            const Snapshot snapshot = simulation.snapshot();
            simulation.run_steps(20);
            if (threads == 1) expected = hash(simulation.state());
            EXPECT_EQ(hash(simulation.state()), expected) << blocks << ' ' << threads;
            simulation.restore(snapshot).require();
            simulation.run_steps(20);
            EXPECT_EQ(hash(simulation.state()), expected) << blocks << ' ' << threads;
        }
    }
}

}  // namespace
}  // namespace rattleback::gates
