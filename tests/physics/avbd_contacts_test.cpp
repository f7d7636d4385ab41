// Gates of `avbd`: friction, impact, fast bodies, snapshots, bad input.
#include "physics/avbd_gates.h"

namespace rattleback::gates
{
namespace
{

constexpr double kSlope = kPi / 6;

/// A cube on a plane of 30 degrees whose friction is `factor` times the tangent of the slope.
ModelBuilder make_slope(double factor)
{
    ModelBuilder builder;
    const Quat tilt = from_axis_angle({0, 1, 0}, kSlope);
    const MaterialId material = builder.add_material({.friction = factor * std::tan(kSlope)});
    builder.add_shape(kWorld, Plane{}, {.rotation = tilt, .material = material});
    const BodyId box = builder.add_body({.position = rotate(tilt, Vec3{0, 0, 0.5}), .rotation = tilt});
    builder.add_shape(box, Box{}, {.material = material});
    return builder;
}

TEST(AvbdContacts, friction_just_above_the_slope_holds_for_a_minute)
{
    for (const int iterations : {4, 10})
    {
        Simulation simulation = simulate(make_slope(1.02), iterations);
        simulation.run_for(1);
        const Vec3 before = simulation.state().position(BodyId{1});
        simulation.run_for(60);
        EXPECT_LT(norm(simulation.state().position(BodyId{1}) - before), 60e-6) << iterations;
    }
}

TEST(AvbdContacts, friction_just_below_the_slope_slides_with_the_right_acceleration)
{
    for (const int iterations : {4, 10})
    {
        Simulation simulation = simulate(make_slope(0.98), iterations);
        simulation.run_for(1);
        const double before = norm(simulation.state().velocity(BodyId{1}).linear);
        simulation.run_for(1);
        const double gained = norm(simulation.state().velocity(BodyId{1}).linear) - before;
        const double expected = kGravity * (std::sin(kSlope) - 0.98 * std::tan(kSlope) * std::cos(kSlope));
        EXPECT_NEAR(gained / expected, 1, 0.02) << iterations;
    }
}

TEST(AvbdContacts, a_sliding_box_stops_after_v_squared_over_two_mu_g)
{
    for (const double friction : {0.2, 0.4, 0.7})
    {
        ModelBuilder builder;
        const MaterialId material = builder.add_material({.friction = friction});
        builder.add_ground({.material = material});
        const double speed = 10;
        const BodyId box = builder.add_body({.position = {0, 0, 0.5}, .linear_velocity = {speed, 0, 0}});
        builder.add_shape(box, Box{}, {.material = material});
        Simulation simulation = simulate(builder, 10);
        simulation.run_for(8);
        const double expected = speed * speed / (2 * friction * kGravity);
        EXPECT_NEAR(simulation.state().position(box).x / expected, 1, 0.02) << friction;
    }
}

TEST(AvbdContacts, a_fast_ball_does_not_pass_a_thin_plate)
{
    for (const double speed : {30.0, 300.0, 3000.0})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        builder.add_shape(kWorld, Box{.half_extents = {0.5, 0.5, 0.001}});
        const BodyId ball = builder.add_body({.position = {0.01, 0.02, 2.3}, .linear_velocity = {0, 0, -speed}});
        builder.add_shape(ball, Sphere{.radius = 0.01});
        Simulation simulation = simulate(builder, 4);
        for (int i = 0; i < 60; ++i)
        {
            simulation.step();
            ASSERT_GT(simulation.state().position(ball).z, 0.009) << speed << " m/s, step " << i;
        }
    }
}

TEST(AvbdContacts, a_ball_bounces_to_the_square_of_its_restitution)
{
    for (const double restitution : {0.0, 0.5, 0.9})
    {
        ModelBuilder builder;
        const MaterialId rubber = builder.add_material({.restitution = restitution});
        builder.add_ground({.material = rubber});
        const BodyId ball = builder.add_body({.position = {0, 0, 1.1}});
        builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = rubber});
        Simulation simulation = simulate(builder, 10, 1, 1.0 / 240);
        simulation.run_for(0.46);  // it lands after 0.4515 s
        double highest = 0;
        for (int i = 0; i < 240; ++i)
        {
            simulation.step();
            highest = std::max(highest, simulation.state().position(ball).z - 0.1);
        }
        EXPECT_NEAR(highest, restitution * restitution, 0.03) << restitution;
    }
}

TEST(AvbdContacts, rolling_and_spinning_friction_bring_a_ball_to_rest)
{
    ModelBuilder builder;
    const MaterialId felt =
        builder.add_material({.friction = 1, .spinning_friction = 0.02, .rolling_friction = 0.01, .dimension = 6});
    builder.add_ground({.material = felt});
    const BodyId roller =
        builder.add_body({.position = {0, 0, 0.1}, .linear_velocity = {1, 0, 0}, .angular_velocity = {0, 10, 0}});
    builder.add_shape(roller, Sphere{.radius = 0.1}, {.material = felt});
    const BodyId spinner = builder.add_body({.position = {0, 2, 0.1}, .angular_velocity = {0, 0, 20}});
    builder.add_shape(spinner, Sphere{.radius = 0.1}, {.material = felt});
    Simulation simulation = simulate(builder, 10, 1, 1.0 / 240);
    simulation.run_for(4);
    // torque 0.01 m N slows the ball by a = 0.01 g / (r (1 + 2/5)): it stops after v^2 / 2 a
    const double deceleration = 0.01 * kGravity / (0.1 * 1.4);
    EXPECT_NEAR(simulation.state().position(roller).x / (1 / (2 * deceleration)), 1, 0.05);
    EXPECT_LT(norm(simulation.state().velocity(roller).linear), 1e-3);
    EXPECT_LT(norm(simulation.state().velocity(spinner).angular), 1e-3);
}

TEST(AvbdContacts, a_spring_material_gives_way_by_weight_over_stiffness)
{
    ModelBuilder builder;
    const MaterialId soft = builder.add_material({.softness = Spring{.stiffness = 2e4, .damping = 200}});
    builder.add_ground({.material = soft});
    const BodyId ball = builder.add_body({.position = {0, 0, 0.5}});
    builder.add_shape(ball, Sphere{}, {.material = soft, .mass = 10});
    Simulation simulation = simulate(builder, 10);
    simulation.run_for(5);
    const double stiffness = 1e4;  // two springs in series
    EXPECT_NEAR(0.5 - simulation.state().position(ball).z, 10 * kGravity / stiffness, 1e-5);
}

TEST(AvbdContacts, a_snapshot_continues_bit_for_bit)
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < 12; ++i)
        add_box(builder, {0.1 * (i % 3), 0.07 * (i % 2), 0.6 + 1.05 * i}, {0.5, 0.4, 0.5}, 1000);
    Simulation simulation = simulate(builder, 4);
    simulation.run_for(1);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_for(1);
    Simulation other = simulate(builder, 4);
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_for(1);
    EXPECT_EQ(hash(simulation.state()), hash(other.state()));
}

TEST(AvbdContacts, an_isolated_cluster_keeps_its_linear_momentum_at_convergence)
{
    for (const int iterations : {4, 10, 200})
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        for (int i = 0; i < 5; ++i)
        {
            const BodyId box =
                builder.add_body({.position = {1.01 * i, 0.05 * i, 0}, .linear_velocity = {2.0 - 1.0 * i, 0, 0.1 * i}});
            builder.add_shape(box, Box{});
        }
        Simulation simulation = simulate(builder, iterations);
        const Vec3 before = simulation.momentum().linear;
        simulation.run_for(0.5);
        const double drift = norm(simulation.momentum().linear - before) / 5000;
        RecordProperty("drift_" + std::to_string(iterations), std::to_string(drift));
        EXPECT_LT(drift, iterations == 200 ? 1e-9 : iterations == 10 ? 0.02 : 0.2) << iterations;
    }
}

/// Peak speed of two boxes that start inside each other.
double overlap_speed(double depth)
{
    ModelBuilder builder;
    builder.add_ground();
    add_box(builder, {0, 0, 0.5}, {0.5, 0.5, 0.5}, 1000);
    add_box(builder, {0.1, 0, 1.5 - depth}, {0.5, 0.5, 0.5}, 1000);
    Simulation simulation = simulate(builder, 10);
    double fastest = 0;
    for (int i = 0; i < 300; ++i)
    {
        EXPECT_EQ(simulation.step().status, StepStatus::ok);
        for (const int b : {1, 2}) fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
    }
    return fastest;
}

TEST(AvbdContacts, overlapping_starts_part_without_an_explosion)
{
    for (const double depth : {0.05, 0.3, 0.8}) EXPECT_LT(overlap_speed(depth), 5) << depth;
}

TEST(AvbdContacts, extreme_settings_end_in_finite_motion)
{
    ModelBuilder builder;
    builder.add_ground();
    add_box(builder, {0, 0, 0.5}, {0.5, 0.5, 0.5}, 1);
    add_box(builder, {0, 0, 1.5}, {0.5, 0.5, 0.5}, 1e9);
    const BodyId point =
        builder.add_body({.position = {3, 0, 1}, .inertia = Inertia{.mass = 1, .diagonal = {1e-9, 1e-3, 1e-3}}});
    builder.add_shape(point, Sphere{.radius = 0.1}, {.mass = 0});
    const BodyId first =
        builder.add_body({.position = {6, 0, 1}, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const BodyId second =
        builder.add_body({.position = {7, 0, 1}, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    builder.add_weld(first, second);
    builder.add_weld(first, second);                                  // twice
    builder.add_connect_points(first, {0, 0, 0}, second, {0, 0, 0});  // and against the welds
    for (const int iterations : {0, 1, 10})
    {
        for (const double dt : {1e-4, kStep, 1.0})
        {
            Simulation simulation = simulate(builder, iterations, 1, dt);
            const StepReport report = simulation.run_steps(60);
            // Welds that contradict each other may be slowed down, and steps of 1 s may diverge: all is reported.
            EXPECT_NE(report.status, StepStatus::capacity);
            EXPECT_TRUE(validate(simulation.model(), simulation.state()).empty()) << iterations << ' ' << dt;
        }
    }
}

}  // namespace
}  // namespace rattleback::gates
