// Gates of `avbd`, mode `penalty`: k of [VBD-R] from its start to its bounds, and rest, slip and turn in closed form.
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

/// A simulation in mode `penalty`, ten iterations.
Simulation simulate_penalty(const ModelBuilder& builder, Parameters parameters = {}, double dt = kStep,
                            int substeps = 1)
{
    parameters["mode"] = std::string("penalty");
    return simulate(builder, 10, substeps, dt, std::move(parameters));
}

/// A cube of 1 m on the floor, `depth` in it.
ModelBuilder make_cube(double mass, double depth = 0)
{
    ModelBuilder builder;
    builder.add_ground();
    add_box(builder, {0, 0, 0.5 - depth}, {0.5, 0.5, 0.5}, mass);
    return builder;
}

/// The numbers of [VBD-R] that a contact lives by.
struct Ramp
{
    double start = 1e4, beta = 1e7, limit = 1e7, gamma = 0.99, damping = 0;

    Parameters parameters() const
    {
        return {{"penalty_start", start},
                {"penalty_ramp", beta},
                {"penalty_limit", limit},
                {"penalty_damping", damping},
                {"keep", gamma}};
    }
};

/// "The Complete Per-Step Algorithm" for a body that moves up and down on four contacts, in one dimension.
struct Column
{
    Ramp ramp;
    double mass = 1, dt = kStep;
    double depth = 0, speed = 0, k = ramp.start;

    void step(int iterations)
    {
        // warmstart: k <- clamp(gamma k, k_min, k_max); first guess = inertial target
        k = std::clamp(ramp.gamma * k, ramp.start, ramp.limit);
        const double inertia = mass / (dt * dt), before = depth;
        const double target = depth + dt * speed + dt * dt * kGravity;
        depth = target;
        for (int i = 0; i < iterations; ++i)
        {
            // one Newton step: m / h^2 (y - x) = 4 (k x + kd k (x - x_t) / h), damping while it closes
            double stiffness = 0, moved = 0;
            if (depth > 0) stiffness = 4 * k;
            if (depth > 0 && depth > before) moved = 4 * ramp.damping * k / dt;
            depth = (inertia * target + moved * before) / (inertia + stiffness + moved);
            // k <- min(k + beta |C|, k_max)
            k = std::min(k + ramp.beta * std::max(0.0, depth), ramp.limit);
        }
        speed = (depth - before) / dt;
    }
};

TEST(AvbdPenalty, a_cube_follows_the_algorithm_of_the_text_to_rounding)
{
    // start, ramp, decay and clamp of k: each case leaves one of them in charge
    struct Case
    {
        Ramp ramp;
        double mass;
        int substeps;
    };
    const Case cases[] = {
        {{}, 1, 1},                               // ramp against decay
        {{}, 1000, 1},                            //
        {{.beta = 0}, 10, 1},                     // k stays at its start
        {{.beta = 1e6, .gamma = 0.5}, 100, 1},    // falls to its start when it flies
        {{.start = 1e3, .limit = 2e4}, 100, 1},   // clamped
        {{.beta = 1e6, .damping = 0.05}, 50, 1},  // damped while closing
        {{.beta = 1e6, .gamma = 0.9}, 50, 3},     // gamma once per timestep h, whatever calls for it
    };
    for (std::size_t c = 0; c < std::size(cases); ++c)
    {
        const auto& [ramp, mass, substeps] = cases[c];
        Simulation simulation = simulate_penalty(make_cube(mass), ramp.parameters(), kStep, substeps);
        Column column{.ramp = ramp, .mass = mass, .dt = kStep / substeps};
        for (int i = 0; i < 90; ++i)
        {
            simulation.step();
            for (int s = 0; s < substeps; ++s) column.step(10);
            // rounding of quaternions and of the regularisation of H_aa, 1e-9 of it
            ASSERT_NEAR(0.5 - simulation.state().position(BodyId{1}).z, column.depth, 1e-9 + 1e-9 * column.depth)
                << c << ' ' << i;
        }
    }
}

TEST(AvbdPenalty, without_a_ramp_weight_over_stiffness_is_the_depth_at_any_step_and_mass)
{
    for (const double dt : {1.0 / 60, 1.0 / 240})
    {
        for (const double mass : {10.0, 1000.0})
        {
            const double depth = mass * kGravity / (4 * 1e4);  // 245 mm under 1,000 kg
            Simulation simulation = simulate_penalty(make_cube(mass, depth), {{"penalty_ramp", 0.0}}, dt);
            simulation.run_for(1);
            EXPECT_NEAR(0.5 - simulation.state().position(BodyId{1}).z, depth, 1e-9) << dt << ' ' << mass;
        }
    }
}

TEST(AvbdPenalty, k_at_rest_is_where_ramp_and_decay_meet)
{
    // k (1 - gamma) = sum of beta d over the sweeps, d = m g / 4k: k^2 = N beta m g / (4 (1 - gamma))
    Simulation simulation = simulate_penalty(make_cube(100));
    simulation.run_for(20);
    const double k = std::sqrt(10 * 1e7 * 100 * kGravity / (4 * 0.01));
    // k moves by 1 % within a step, between which of its values d is taken is not in the estimate
    EXPECT_NEAR(0.5 - simulation.state().position(BodyId{1}).z, 100 * kGravity / (4 * k),
                0.01 * 100 * kGravity / (4 * k));
}

TEST(AvbdPenalty, springs_of_the_material_bound_k)
{
    // 1 kg on springs of 1,000 N/m on either side, in series 500 N/m: 19.6 mm; a cube stands on four of them
    for (const bool cube : {false, true})
    {
        ModelBuilder builder;
        const MaterialId soft = builder.add_material({.softness = Spring{.stiffness = 1000, .damping = 50}});
        builder.add_ground({.material = soft});
        const BodyId body = builder.add_body({.position = {0, 0, 0.1}});
        const ShapeOptions options{.material = soft, .mass = 1};
        if (cube)
            builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, options);
        else
            builder.add_shape(body, Sphere{.radius = 0.1}, options);
        Simulation simulation = simulate_penalty(builder);
        simulation.run_for(20);
        const double expected = kGravity / 500 / (cube ? 4 : 1);
        EXPECT_NEAR(0.1 - simulation.state().position(body).z, expected, 1e-4 * expected) << cube;
    }
}

TEST(AvbdPenalty, the_angular_k_of_a_hinge_ramps_with_its_angular_error)
{
    // 1 N m across the axis of a hinge whose anchor nothing pulls at
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId arm =
        builder.add_body({.parent = kWorld, .inertia = Inertia{.mass = 1, .diagonal = {0.01, 0.01, 0.01}}});
    builder.add_joint(arm, {.axis = {0, 0, 1}});
    Simulation simulation = simulate_penalty(builder);
    simulation.control().body_wrench[1].torque = {1, 0, 0};
    simulation.run_for(5);
    // k of rest as in the test above: k^2 = N beta torque / (1 - gamma)
    const double k = std::sqrt(10 * 1e7 * 1 / 0.01);
    EXPECT_NEAR(2 * std::abs(simulation.state().rotation(arm).x), 1 / k, 0.01 / k);
}

TEST(AvbdPenalty, welds_and_limits_of_tendons_ramp_by_their_own_errors)
{
    // 1 N m on a welded body and 1 kg on a tendon of 1 m at its limit: k^2 = N beta load / (1 - gamma)
    ModelBuilder builder;
    const BodyId welded =
        builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.01, 0.01, 0.01}}, .gravity_compensation = 1});
    builder.add_weld(kWorld, welded);
    const BodyId weight =
        builder.add_body({.position = {1, 0, -1}, .inertia = Inertia{.mass = 1, .diagonal = {0.01, 0.01, 0.01}}});
    builder.add_spatial_tendon(
        {{.site = builder.add_site(kWorld, {.position = {1, 0, 0}})}, {.site = builder.add_site(weight)}},
        {.range = {true, 0, 1}});
    Simulation simulation = simulate_penalty(builder);
    simulation.control().body_wrench[1].torque = {1, 0, 0};
    simulation.run_for(10);
    const double turn = 1 / std::sqrt(10 * 1e7 * 1 / 0.01);
    EXPECT_NEAR(2 * std::abs(simulation.state().rotation(welded).x), turn, 0.01 * turn);
    const double stretch = kGravity / std::sqrt(10 * 1e7 * kGravity / 0.01);
    EXPECT_NEAR(-1 - simulation.state().position(weight).z, stretch, 0.01 * stretch);
}

TEST(AvbdPenalty, dry_friction_of_a_joint_holds_below_its_bound_and_brakes_with_it_above)
{
    for (const double torque : {0.5, 3.0})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const BodyId wheel =
            builder.add_body({.parent = kWorld, .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.1, 0.1}}});
        builder.add_joint(wheel, {.axis = {0, 0, 1}, .dry_friction = 1});
        Simulation simulation = simulate_penalty(builder, {}, 1e-3);
        simulation.control().body_wrench[1].torque = {0, 0, torque};
        simulation.run_for(1);
        const double rate = simulation.state().v.back();
        // below: 1 (2 s - s^2) = 0.5 at s = 0.29 of 1e-2 rad/s, the slip that the smooth law needs
        if (torque < 1)
            EXPECT_NEAR(rate, 1e-2 * (1 - std::sqrt(0.5)), 1e-6);
        else
            EXPECT_NEAR(rate, (torque - 1) / 0.1, 0.02);  // the smooth part is passed within a millisecond
    }
}

TEST(AvbdPenalty, limits_ramp_as_contacts_do_and_soft_ones_give_way_by_load_over_stiffness)
{
    for (const bool soft : {false, true})
    {
        ModelBuilder builder;
        const BodyId weight =
            builder.add_body({.parent = kWorld, .inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
        builder.add_joint(
            weight, {.type = JointType::slide,
                     .axis = {0, 0, 1},
                     .range = {true, -0.1, 1},
                     .limit_softness = soft ? Softness(Spring{.stiffness = 5000, .damping = 200}) : Softness(Rigid{})});
        Simulation simulation = simulate_penalty(builder);
        simulation.run_for(10);
        const double k = soft ? 5000 : std::sqrt(10 * 1e7 * 2 * kGravity / 0.01);
        const double beyond = -0.1 - simulation.state().q.back();
        EXPECT_NEAR(beyond, 2 * kGravity / k, (soft ? 1e-4 : 0.01) * 2 * kGravity / k) << soft;
    }
}

TEST(AvbdPenalty, a_stiff_joint_spring_is_as_stiff_as_it_says)
{
    for (const double stiffness : {1e3, 1e6, 1e9})
    {
        ModelBuilder builder;
        const BodyId weight =
            builder.add_body({.parent = kWorld, .inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
        builder.add_joint(
            weight, {.type = JointType::slide, .axis = {0, 0, 1}, .stiffness = stiffness, .damping = 1e-2 * stiffness});
        Simulation simulation = simulate_penalty(builder);
        simulation.run_for(5);
        EXPECT_NEAR(simulation.state().q.back() / (-2 * kGravity / stiffness), 1, 1e-6) << stiffness;
    }
}

TEST(AvbdPenalty, spinning_and_rolling_friction_brake_a_ball_with_their_torques)
{
    for (const bool spins : {false, true})
    {
        ModelBuilder builder;
        const MaterialId felt = builder.add_material(
            {.friction = 0.8, .spinning_friction = 0.01, .rolling_friction = 0.005, .dimension = 6});
        builder.add_ground({.material = felt});
        BodyOptions options{.position = {0, 0, 0.1}};
        if (spins)
            options.angular_velocity = {0, 0, 20};
        else
            options.linear_velocity = {2, 0, 0}, options.angular_velocity = {0, 20, 0};
        const BodyId ball = builder.add_body(options);
        builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = felt, .mass = 1});
        const double h = 1e-3, time = 0.5;
        Simulation simulation = simulate_penalty(builder, {}, h);
        simulation.run_for(time);
        const Velocity v = simulation.state().velocity(ball);
        // about the normal: I w' = -c N
        const double inertia = 0.4 * 1 * 0.1 * 0.1;
        if (spins)
        {
            EXPECT_NEAR(v.angular.z, 20 - 0.01 * kGravity / inertia * time, 1e-3 * 20);
            continue;
        }
        // rolling: (m + I / r^2) v' = -(c - h v) N / r. The points of [VBD-R] are fixed to their bodies for a step and
        // so fall back by h v under a wheel: the normal force drives it on with that arm. v = c / h + (v_0 - c / h)
        // e^at
        const double rate = h * kGravity / 0.1 / (1 + 0.4), still = 0.005 / h;
        EXPECT_NEAR(v.linear.x, still + (2 - still) * std::exp(rate * time), 1e-3);
    }
}

TEST(AvbdPenalty, a_box_on_a_slope_creeps_below_its_angle_of_friction_and_slides_above)
{
    for (const double friction : {0.7, 0.4})
    {
        const double angle = kPi / 6;  // tan = 0.577
        ModelBuilder builder;
        const MaterialId material = builder.add_material({.friction = friction});
        const Quat tilt = from_axis_angle({0, 1, 0}, angle);
        builder.add_shape(kWorld, Box{.half_extents = {20, 1, 0.5}},
                          {.position = rotate(tilt, Vec3{0, 0, -0.5}), .rotation = tilt, .material = material});
        const BodyId box = builder.add_body({.position = rotate(tilt, Vec3{0, 0, 0.1}), .rotation = tilt});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.1}}, {.material = material});
        Simulation simulation = simulate_penalty(builder, {}, 1.0 / 240);
        simulation.run_for(2);
        const double speed = dot(simulation.state().velocity(box).linear, rotate(tilt, Vec3{1, 0, 0}));
        // sticking is a slip of s 1e-2 m/s with friction (2 s - s^2) = tan 30
        if (friction > 0.577)
            EXPECT_NEAR(speed, 1e-2 * (1 - std::sqrt(1 - std::tan(angle) / friction)), 1e-5);
        else
            EXPECT_NEAR(speed, 2 * kGravity * (std::sin(angle) - friction * std::cos(angle)), 0.02);
    }
}

/// Cubes of 0.2 m and 8 kg on each other.
ModelBuilder make_cubes(int count)
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < count; ++i) add_box(builder, {0, 0, 0.1 + 0.2 * i}, {0.1, 0.1, 0.1}, 1000);
    return builder;
}

TEST(AvbdPenalty, each_joint_of_a_stack_is_as_deep_as_the_weight_above_over_stiffness)
{
    // without a ramp, and with sweeps enough to converge
    Parameters parameters = Ramp{.start = 1e5, .beta = 0, .damping = 0.02}.parameters();
    parameters["mode"] = std::string("penalty");
    Simulation simulation = simulate(make_cubes(5), 100, 1, kStep, parameters);
    simulation.run_for(4);
    double below = 0;
    for (int i = 0; i < 5; ++i)
    {
        const double top = simulation.state().position(BodyId{i + 1}).z;
        EXPECT_NEAR((i == 0 ? 0.1 : 0.2) - (top - below), (5 - i) * 8 * kGravity / (4 * 1e5), 1e-6) << i;
        below = top;
    }
}

TEST(AvbdPenalty, ten_cubes_stand_on_each_other)
{
    // Ten sweeps do not converge: the top sinks by 6 mm, where the stiffness at rest would let it sink by 1 mm.
    Simulation simulation = simulate_penalty(make_cubes(10));
    simulation.run_for(10);
    for (int i = 0; i < 10; ++i)
    {
        const Vec3 position = simulation.state().position(BodyId{i + 1});
        EXPECT_NEAR(position.z, 0.1 + 0.2 * i, 7e-3) << i;
        EXPECT_NEAR(std::hypot(position.x, position.y), 0, 1e-3) << i;
        EXPECT_LT(norm(simulation.state().velocity(BodyId{i + 1}).linear), 1e-3) << i;
    }
}

TEST(AvbdPenalty, a_snapshot_continues_bit_for_bit)
{
    // every k that survives a step: of contacts, hinges, limits and a weld
    ModelBuilder builder;
    builder.add_ground();
    const BodyId box = add_box(builder, {0, 0, 0.3}, {0.1, 0.1, 0.1}, 1000);
    const BodyId arm = builder.add_body({.parent = box, .position = {0.3, 0, 0}});
    builder.add_shape(arm, Box{.half_extents = {0.1, 0.05, 0.05}});
    builder.add_joint(arm, {.axis = {0, 1, 0}, .position = {-0.15, 0, 0}, .range = {true, -0.1, 0.1}});
    builder.add_weld(box, add_box(builder, {0, 0.25, 0.3}, {0.1, 0.1, 0.1}, 500));
    Simulation simulation = simulate_penalty(builder, {}, kStep, 2);
    simulation.run_steps(30);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_steps(30);
    const std::uint64_t expected = hash(simulation.state());
    Simulation other = simulate_penalty(builder, {}, kStep, 2);
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_steps(30);
    EXPECT_EQ(hash(other.state()), expected);
}

/// Something for each parameter that the mode reads: a loop of a hinge and a weld that lands, a ball that bounces, one
/// that a plate must stop, a box that creeps down a slope.
Model make_everything()
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId box = add_box(builder, {0, 0, 0.11}, {0.1, 0.1, 0.1}, 1000);
    const BodyId arm = builder.add_body({.parent = box, .position = {0.3, 0, 0}});
    builder.add_shape(arm, Box{.half_extents = {0.1, 0.05, 0.05}});
    builder.add_joint(arm, {.axis = {0, 1, 0}, .position = {-0.15, 0, 0}, .range = {true, -0.1, 0.1}});
    builder.add_weld(box, add_box(builder, {0, 0.25, 0.11}, {0.1, 0.1, 0.1}, 500));
    const MaterialId rubber = builder.add_material({.restitution = 0.5});
    const BodyId ball = builder.add_body({.position = {2, 0, 0.2}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = rubber, .mass = 1});
    builder.add_shape(kWorld, Box{.half_extents = {1, 1, 0.001}}, {.position = {5, 0, 1}});
    const BodyId bullet = builder.add_body({.position = {5, 0, 2}, .linear_velocity = {0, 0, -300}});
    builder.add_shape(bullet, Sphere{.radius = 0.01}, {.mass = 0.03});
    const Quat slope = from_axis_angle({1, 0, 0}, 0.3);
    builder.add_shape(kWorld, Box{.half_extents = {1, 1, 0.1}}, {.position = {-3, 0, 0.5}, .rotation = slope});
    const BodyId sledge =
        builder.add_body({.position = Vec3{-3, 0, 0.5} + rotate(slope, Vec3{0, 0, 0.2}), .rotation = slope});
    builder.add_shape(sledge, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 1});
    return builder.build().value();
}

TEST(AvbdPenalty, every_parameter_of_the_solver_is_read_or_refused_by_name)
{
    // a value beside the default for each parameter there is: a new one fails here until it has a line
    const Parameters others = {{"iterations", 7},
                               {"substeps", 2},
                               {"keep", 0.9},
                               {"bounce_speed", 50.0},
                               {"continuous", false},
                               {"recycling", false},
                               {"threads", 2},
                               {"stiffness", 0.5},
                               {"ramp", 20.0},
                               {"stabilisation", std::string("alpha")},
                               {"alpha", 0.9},
                               {"correction", 0.5},
                               {"firmness", 2.0},
                               {"joint_stiffness", 50.0},
                               {"blocks", std::string("bodies")},
                               {"precision", std::string("single")},
                               {"sleep", true},
                               {"sleep_tolerance", 1.0},
                               {"guard", false},
                               {"penalty_start", 2e4},
                               {"penalty_start_angular", 20.0},
                               {"penalty_ramp", 2e7},
                               {"penalty_limit", 1e5},
                               {"penalty_damping", 0.01}};
    const Model model = make_everything();
    const auto run = [&](const Parameters& parameters)
    {
        Simulation simulation(Model(model), {.solver = "avbd", .dt = kStep, .parameters = parameters});
        simulation.run_steps(60);
        return hash(simulation.state());
    };
    const SolverInfo& avbd = *find_solver("avbd").value();
    const Parameters penalty = {{"mode", std::string("penalty")}};
    const std::uint64_t plain = run(penalty);
    for (const ParameterInfo& parameter : avbd.parameters)
    {
        const std::string name(parameter.name);
        if (name == "mode") continue;
        ASSERT_TRUE(others.contains(name)) << name;
        const ParameterValue& other = others.at(name);
        ASSERT_NE(other, parameter.default_value) << name;
        Parameters given = penalty;
        given.insert_or_assign(name, other);
        const std::vector<Error> refusal = find_refusal(avbd, model, given);
        if (parameter.read_where && parameter.read_where->value == "augmented")
        {
            ASSERT_EQ(refusal.size(), 1U) << name;
            EXPECT_EQ(refusal.front().text(), "solver 'avbd': parameter '" + name +
                                                  "': is not read where mode = penalty (leave it out, or set mode = "
                                                  "augmented)");
            continue;
        }
        ASSERT_TRUE(refusal.empty()) << name << ": " << to_text(refusal);
        // what is read changes the run; threads alone must not
        EXPECT_EQ(run(given) == plain, name == "threads") << name;
        // and the numbers of this mode say nothing in the other
        EXPECT_EQ(find_refusal(avbd, model, {{name, other}}).empty(), !parameter.read_where) << name;
    }
    EXPECT_EQ(others.size() + 1, avbd.parameters.size()) << "no line for a parameter that is gone";
}

TEST(AvbdPenalty, a_fast_ball_is_stopped_by_a_thin_plate)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    builder.add_shape(kWorld, Box{.half_extents = {1, 1, 0.001}});
    const BodyId ball = builder.add_body({.position = {0, 0, 1}, .linear_velocity = {0, 0, -300}});
    builder.add_shape(ball, Sphere{.radius = 0.01}, {.mass = 0.03});
    Simulation simulation = simulate_penalty(builder);
    simulation.run_steps(30);
    EXPECT_GT(simulation.state().position(ball).z, 0);
}

}  // namespace
}  // namespace rattleback::gates
