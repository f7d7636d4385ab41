// Each kind of sensor against closed forms: weights, distances, energies, momenta, means over a step.
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kG = 9.81;

void expect_reads(std::span<const double> values, std::initializer_list<double> expected, double tolerance = 1e-12)
{
    ASSERT_EQ(values.size(), expected.size());
    std::size_t i = 0;
    for (const double value : expected) EXPECT_NEAR(values[i++], value, tolerance) << "number " << i - 1;
}

/// A ball of 2 kg on the ground, under a lamp that looks down.
struct BallScene
{
    ModelBuilder builder;
    ShapeId ground = builder.add_ground({.name = "ground"});
    BodyId ball = builder.add_body({.position = {0, 0, 0.5}});
    ShapeId skin = builder.add_shape(ball, Sphere{0.5}, {.mass = 2});
    SiteId low = builder.add_site(ball, {.position = {0, 0, -0.5}, .size = {0.1, 0, 0}});
    SiteId high = builder.add_site(ball, {.position = {0, 0, 0.4}, .size = {0.05, 0, 0}});
    BodyId lamp =
        builder.add_body({.position = {0, 0, 3}, .rotation = from_axis_angle({1, 0, 0}, kPi), .kind = BodyKind::fixed});
    SiteId light = builder.add_site(lamp);
};

TEST(SensorKinds, a_ball_at_rest_weighs_on_the_ground_and_its_accelerometer_feels_g)
{
    BallScene scene;
    const SensorId whole = scene.builder.add_sensor(SensorType::touch, scene.ball);
    const SensorId below = scene.builder.add_sensor(SensorType::touch, scene.low);
    const SensorId above = scene.builder.add_sensor(SensorType::touch, scene.high);
    const SensorId acceleration = scene.builder.add_sensor(SensorType::accelerometer, scene.low);
    const SensorId net =
        scene.builder.add_sensor(SensorType::contact, scene.ground,
                                 {.reference = scene.skin, .fields = 1 + 2 + 32, .reduce = SensorReduce::strongest});
    for (const char* solver : {"convex", "avbd", "refined"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(scene.builder.build().value(), {.solver = solver});
        simulation.run_for(3);
        expect_reads(simulation.sensor(whole), {2 * kG}, 1e-6);
        expect_reads(simulation.sensor(below), {2 * kG}, 1e-6);
        expect_reads(simulation.sensor(above), {0}, 1e-6);  // the ray from the contact leads out of the ball
        expect_reads(simulation.sensor(acceleration), {0, 0, kG}, 1e-5);
        expect_reads(simulation.sensor(net), {1, 2 * kG, 0, 0, 0, 0, 1}, 1e-6);
        // forward() finds the same at this moment
        simulation.forward();
        expect_reads(simulation.sensor(whole), {2 * kG}, 1e-6);
        expect_reads(simulation.sensor(acceleration), {0, 0, kG}, 1e-5);
    }
}

TEST(SensorKinds, rays_and_distances_to_planes_and_spheres_have_closed_forms)
{
    BallScene scene;
    const SensorId range = scene.builder.add_sensor(SensorType::rangefinder, scene.light, {.fields = 63});
    const SensorId inside = scene.builder.add_sensor(SensorType::rangefinder, scene.low);
    const SensorId gap =
        scene.builder.add_sensor(SensorType::distance, scene.skin, {.reference = scene.ground, .cutoff = 9});
    const SensorId segment =
        scene.builder.add_sensor(SensorType::distance_segment, scene.ball, {.reference = kWorld, .cutoff = 9});
    const SensorId far =
        scene.builder.add_sensor(SensorType::distance, scene.ball, {.reference = kWorld, .cutoff = 0.1});
    const SensorId nowhere =
        scene.builder.add_sensor(SensorType::distance_normal, scene.ball, {.reference = kWorld, .cutoff = 0.1});
    const SensorId image = scene.builder.add_sensor(SensorType::camera_projection, scene.high,
                                                    {.reference = CameraFrame{kWorld, {{0.2, 0.1, 3}, {}}},
                                                     .resolution = {40, 30},
                                                     .focal = {10, 20},
                                                     .principal = {20, 15}});
    Simulation simulation(scene.builder.build().value(), {.solver = "convex"});
    simulation.state().q[2] = 1;  // half a metre above the ground
    simulation.refresh();
    expect_reads(simulation.sensor(range), {1.5, 0, 0, -1, 0, 0, 3, 0, 0, 1.5, 0, 0, 1, 1.5});
    expect_reads(simulation.sensor(inside), {-1});  // its own ball is not seen, and it looks up, past the lamp
    expect_reads(simulation.sensor(gap), {0.5});
    expect_reads(simulation.sensor(segment), {0, 0, 0.5, 0, 0, 0});
    expect_reads(simulation.sensor(far), {0.1});
    expect_reads(simulation.sensor(nowhere), {0, 0, 0});
    // 1.6 m below the camera, -0.2 m and -0.1 m aside of its axis
    expect_reads(simulation.sensor(image), {20 - 10 * 0.2 / 1.6, 15 + 20 * 0.1 / 1.6});
}

/// A bracket welded to a slide that accelerates, with a load of 3 kg at the end of an arm of 0.4 m.
TEST(SensorKinds, force_and_torque_carry_weight_inertia_and_what_is_applied)
{
    ModelBuilder builder;
    const Inertia light{.mass = 1, .diagonal = {1, 1, 1}};
    const BodyId sled = builder.add_body({.inertia = light});
    builder.add_joint(sled, {.type = JointType::slide, .axis = {1, 0, 0}});
    const BodyId bracket =
        builder.add_body({.parent = sled,
                          .position = {0, 0, 1},
                          .inertia = Inertia{.mass = 3, .position = {0, 0.4, 0}, .diagonal = {1, 1, 1}}});
    const SiteId gauge = builder.add_site(bracket);
    const SensorId force = builder.add_sensor(SensorType::force, gauge);
    const SensorId torque = builder.add_sensor(SensorType::torque, gauge);
    const SensorId acceleration = builder.add_sensor(SensorType::linear_acceleration, gauge);
    Simulation simulation(builder.build().value(), {.solver = "smooth"});
    simulation.control().joint_force[0] = 8;                  // 2 m/s^2 for 4 kg
    simulation.control().body_wrench[2].force = {0, 0, 5.0};  // lifts at the centre of mass
    for (int i = 0; i < 2; ++i)
    {
        if (i == 0)
            simulation.forward();
        else
            simulation.run_steps(3);  // the mean over a step is the same
        // F = m (a - g) - lift; about the gauge: arm x F
        const double lift = 3 * kG - 5;
        expect_reads(simulation.sensor(force), {6, 0, lift}, 1e-9);
        expect_reads(simulation.sensor(torque), {0.4 * lift, 0, -0.4 * 6}, 1e-9);
        expect_reads(simulation.sensor(acceleration), {2, 0, kG}, 1e-9);
    }
}

TEST(SensorKinds, the_world_carries_what_is_fixed_to_it_about_one_point)
{
    ModelBuilder builder;
    const auto weight = [](double mass) { return Inertia{.mass = mass, .diagonal = {1, 1, 1}}; };
    const Vec3 near{1, 0, 0}, far{-2, 3, 1}, point{0.5, 0.25, 0};
    builder.add_body({.position = near, .kind = BodyKind::fixed, .inertia = weight(2)});
    builder.add_body({.position = far, .kind = BodyKind::fixed, .inertia = weight(5)});
    builder.add_body({.position = {4, 4, 4}, .inertia = weight(7)});
    const SiteId gauge = builder.add_site(kWorld, {.position = point});
    const SensorId force = builder.add_sensor(SensorType::force, gauge);
    const SensorId torque = builder.add_sensor(SensorType::torque, gauge);
    Simulation simulation(builder.build().value(), {.solver = "smooth"});
    simulation.forward();
    // what falls freely weighs nothing
    const Vec3 moment = cross(near - point, Vec3{0, 0, 2 * kG}) + cross(far - point, Vec3{0, 0, 5 * kG});
    expect_reads(simulation.sensor(force), {0, 0, 7 * kG}, 1e-9);
    expect_reads(simulation.sensor(torque), {moment.x, moment.y, moment.z}, 1e-9);
}

TEST(SensorKinds, energies_momenta_and_clock_are_those_of_the_world)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body({.position = {0, 0, 2},
                                          .inertia = Inertia{.mass = 2, .diagonal = {1, 2, 3}},
                                          .linear_velocity = {3, 0, 0},
                                          .angular_velocity = {0, 0, 4}});
    const SensorId potential = builder.add_sensor(SensorType::potential_energy, {});
    const SensorId kinetic = builder.add_sensor(SensorType::kinetic_energy, {});
    const SensorId clock = builder.add_sensor(SensorType::clock, {});
    const SensorId velocity = builder.add_sensor(SensorType::subtree_velocity, Subtree{kWorld});
    const SensorId spin = builder.add_sensor(SensorType::subtree_angular_momentum, body);
    const SensorId north = builder.add_sensor(SensorType::magnetometer, body);
    builder.settings().magnetic_field = {1, 2, 3};
    Simulation simulation(builder.build().value(), {.solver = "smooth", .dt = 0.01});
    expect_reads(simulation.sensor(potential), {2 * kG * 2});
    expect_reads(simulation.sensor(kinetic), {0.5 * 2 * 9 + 0.5 * 3 * 16});
    expect_reads(simulation.sensor(velocity), {3, 0, 0});
    expect_reads(simulation.sensor(spin), {0, 0, 12});
    expect_reads(simulation.sensor(north), {1, 2, 3});
    simulation.run_steps(5);
    expect_reads(simulation.sensor(clock), {0.05}, 1e-15);
    const Energy energy = simulation.energy();
    expect_reads(simulation.sensor(kinetic), {energy.kinetic});
}

TEST(SensorKinds, noise_repeats_with_its_seed_and_has_its_deviation)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    builder.add_sensor(SensorType::gyro, body, {.noise = 0.5});
    builder.add_sensor(SensorType::frame_rotation, body, {.noise = 0.1});
    const Model model = builder.build().value();
    Simulation quiet(model), noisy(model, {.sensor_noise = 7}), again(model, {.sensor_noise = 7}),
        other(model, {.sensor_noise = 8});
    double sum = 0, squares = 0;
    constexpr int kSteps = 2000;
    for (int i = 0; i < kSteps; ++i)
    {
        for (Simulation* simulation : {&quiet, &noisy, &again, &other}) simulation->step();
        EXPECT_EQ(quiet.sensors()[0], 0);
        EXPECT_TRUE(std::equal(noisy.sensors().begin(), noisy.sensors().end(), again.sensors().begin()));
        EXPECT_NE(noisy.sensors()[0], other.sensors()[0]);
        const auto q = noisy.sensors().subspan(3);
        EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-12);
        for (int k = 0; k < 3; ++k) sum += noisy.sensors()[static_cast<std::size_t>(k)];
        for (int k = 0; k < 3; ++k) squares += std::pow(noisy.sensors()[static_cast<std::size_t>(k)], 2);
    }
    // five standard deviations of the mean, and of the mean square
    EXPECT_NEAR(sum / (3 * kSteps), 0, 5 * 0.5 / std::sqrt(3.0 * kSteps));
    EXPECT_NEAR(squares / (3 * kSteps), 0.25, 5 * 0.25 * std::sqrt(2 / (3.0 * kSteps)));
}

TEST(SensorKinds, readings_of_force_and_limits_survive_a_snapshot)
{
    ModelBuilder builder;
    const BodyId arm =
        builder.add_body({.inertia = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {1, 1, 1}}});
    const JointId hinge = builder.add_joint(arm, {.axis = {0, 1, 0}, .range = {true, -0.1, 0.1}});
    builder.add_sensor(SensorType::torque, arm);
    const SensorId push = builder.add_sensor(SensorType::joint_limit_force, hinge);
    const SensorId depth = builder.add_sensor(SensorType::joint_limit_position, hinge);
    const Model model = builder.build().value();
    for (const char* solver : {"convex", "comfree", "avbd"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(model, {.solver = solver});
        simulation.run_for(2);
        // at rest on its limit: the moment of the weight
        EXPECT_NEAR(simulation.sensor(push)[0], 0.5 * kG * std::cos(simulation.state().q[0]), 1e-3);
        EXPECT_LT(simulation.sensor(depth)[0], 1e-6);
        Simulation other(model, {.solver = solver});
        ASSERT_TRUE(other.restore(simulation.snapshot()).ok());
        EXPECT_TRUE(std::equal(other.sensors().begin(), other.sensors().end(), simulation.sensors().begin()));
    }
}

/// A slide that moves by one metre each step of 0.1 s, from one metre on; expected values are those of MuJoCo 4.0.
TEST(SensorKinds, delays_and_intervals_read_samples_of_the_past)
{
    struct Case
    {
        SensorOptions options;
        std::vector<double> expected;
    };
    using enum Interpolation;
    const std::vector<Case> cases{
        {{.samples = 3, .delay = 0.3}, {0, 0, 0, 1, 2, 3, 4, 5, 6, 7}},
        {{.samples = 3, .delay = 0.15}, {0, 0, 1, 2, 3, 4, 5, 6, 7, 8}},
        {{.samples = 2, .delay = 0.5}, {0, 0, 1, 2, 3, 4, 5, 6, 7, 8}},
        {{.samples = 3, .interpolation = linear, .delay = 0.25}, {0, 0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}},
        {{.samples = 5, .interpolation = cubic, .delay = 0.25},
         {0, -0.0625, 0.4375, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}},
        {{.samples = 2, .interval = {0.25, 0}}, {1, 1, 1, 4, 4, 6, 6, 6, 9, 9}},
        {{.samples = 2, .interval = {0.25, -0.15}}, {0, 2, 2, 2, 5, 5, 7, 7, 7, 10}},
        {{.samples = 4, .delay = 0.3, .interval = {0.25, 0}}, {0, 0, 0, 1, 1, 1, 4, 4, 6, 6}},
        {{.samples = 4, .interpolation = linear, .delay = 0.3, .interval = {0.2, 0}}, {0, 0, 0.5, 1, 2, 3, 4, 5, 6, 7}},
    };
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId sled = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const JointId slide = builder.add_joint(
        sled, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_position = 1, .initial_velocity = 10});
    for (const Case& c : cases) builder.add_sensor(SensorType::joint_position, slide, c.options);
    Simulation simulation(builder.build().value(), {.solver = "smooth", .dt = 0.1});
    Simulation at_once(simulation.model(), {.solver = "smooth", .dt = 0.1});
    for (std::size_t i = 0; i < 10; ++i)
    {
        for (std::size_t k = 0; k < cases.size(); ++k)
            EXPECT_NEAR(simulation.sensors()[k], cases[k].expected[i], 1e-12) << "case " << k << ", step " << i;
        simulation.refresh();
        simulation.forward();  // neither of them lets time pass
        if (i < 9) simulation.step();
    }
    at_once.run_steps(9);
    EXPECT_TRUE(std::equal(at_once.sensors().begin(), at_once.sensors().end(), simulation.sensors().begin()));
    Simulation other(simulation.model(), {.solver = "smooth", .dt = 0.1});
    ASSERT_TRUE(other.restore(simulation.snapshot()).ok());
    other.step();
    simulation.step();
    EXPECT_TRUE(std::equal(other.sensors().begin(), other.sensors().end(), simulation.sensors().begin()));
}

TEST(SensorKinds, a_late_reading_does_not_find_what_forward_measured)
{
    ModelBuilder builder;
    const BodyId sled = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const JointId slide = builder.add_joint(sled, {.type = JointType::slide, .axis = {1, 0, 0}});
    const ActuatorId motor = builder.add_motor(slide);
    builder.add_sensor(SensorType::actuator_force, motor, {.samples = 2, .delay = 0.1});
    Simulation simulation(builder.build().value(), {.solver = "convex", .dt = 0.1});
    simulation.step();
    // An input that is tried out and taken back before the step.
    simulation.control().input[0] = 5;
    simulation.forward();
    simulation.control().input[0] = 0;
    simulation.step();
    EXPECT_EQ(simulation.sensors()[0], 0);
}

}  // namespace
}  // namespace rattleback
