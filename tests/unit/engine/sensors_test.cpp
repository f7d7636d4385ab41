// Sensors against values worked out by hand.
#include "engine/sensors.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

void expect_values(std::span<const double> values, std::initializer_list<double> expected, double tolerance = 1e-12)
{
    ASSERT_EQ(values.size(), expected.size());
    std::size_t i = 0;
    for (const double value : expected) EXPECT_NEAR(values[i++], value, tolerance) << "component " << i - 1;
}

/// A hinge about z at the origin; the arm's mass centre is at (1, 0, 0) and a site at (2, 0, 0), turned 90 degrees.
struct ArmScene
{
    ModelBuilder builder;
    BodyId arm = builder.add_body({.inertia = Inertia{.mass = 1, .position = {1, 0, 0}, .diagonal = {1, 1, 1}}});
    JointId hinge = builder.add_joint(arm, {.axis = {0, 0, 1}});
    SiteId tip = builder.add_site(arm, {.position = {2, 0, 0}, .rotation = from_axis_angle({0, 1, 0}, kPi / 2)});
};

}  // namespace

TEST(Sensors, joints_and_frames_read_what_the_geometry_says)
{
    ArmScene scene;
    const SensorId angle = scene.builder.add_sensor(SensorType::joint_position, scene.hinge);
    const SensorId speed = scene.builder.add_sensor(SensorType::joint_velocity, scene.hinge);
    const SensorId position = scene.builder.add_sensor(SensorType::frame_position, scene.tip);
    const SensorId rotation = scene.builder.add_sensor(SensorType::frame_rotation, scene.tip);
    const SensorId linear = scene.builder.add_sensor(SensorType::linear_velocity, scene.tip);
    const SensorId angular = scene.builder.add_sensor(SensorType::angular_velocity, scene.tip);
    const SensorId gyro = scene.builder.add_sensor(SensorType::gyro, scene.tip);
    const SensorId origin = scene.builder.add_sensor(SensorType::linear_velocity, scene.arm);
    Simulation simulation(scene.builder.build().value(), {.solver = "smooth"});
    simulation.state().q[0] = kPi / 2;
    simulation.state().v[0] = 3;
    simulation.refresh();

    expect_values(simulation.sensor(angle), {kPi / 2});
    expect_values(simulation.sensor(speed), {3});
    expect_values(simulation.sensor(position), {0, 2, 0});
    const Quat expected = from_axis_angle({0, 0, 1}, kPi / 2) * from_axis_angle({0, 1, 0}, kPi / 2);
    expect_values(simulation.sensor(rotation), {expected.w, expected.x, expected.y, expected.z});
    expect_values(simulation.sensor(linear), {-6, 0, 0});
    expect_values(simulation.sensor(angular), {0, 0, 3});
    expect_values(simulation.sensor(gyro), {-3, 0, 0});  // the site's x axis points down
    expect_values(simulation.sensor(origin), {0, 0, 0});
}

TEST(Sensors, an_accelerometer_feels_gravity_at_rest_and_nothing_in_free_fall)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body(
        {.rotation = from_axis_angle({1, 0, 0}, kPi / 2), .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const SensorId sensor = builder.add_sensor(SensorType::accelerometer, body);
    Simulation simulation(builder.build().value(), {.solver = "smooth"});
    expect_values(simulation.sensor(sensor), {0, 9.81, 0});  // before the first step nothing has changed: it lies still
    simulation.run_steps(3);
    expect_values(simulation.sensor(sensor), {0, 0, 0}, 1e-9);
    simulation.control().body_wrench[1].force = {0, 0, 2 * 9.81};
    simulation.step();
    expect_values(simulation.sensor(sensor), {0, 2 * 9.81, 0}, 1e-9);
}

TEST(Sensors, contact_forces_count_for_the_second_body_and_against_the_first)
{
    ModelBuilder builder;
    const BodyId a = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const BodyId b = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    for (const BodyId body : {a, b})
    {
        builder.add_sensor(SensorType::touch, body);
        builder.add_sensor(SensorType::contact_force, body);
    }
    const Model model = builder.build().value();
    State state(model);
    Contacts contacts;
    contacts.items = {{.first_body = a, .second_body = b, .frame = make_contact_frame({0, 0, 1})},
                      {.first_body = kWorld, .second_body = a, .frame = make_contact_frame({1, 0, 0})}};
    const ContactForces forces{{{{1, 2, 10}, {}}, {{5, 0, 1}, {}}}};
    std::vector<double> values(8);
    const Tree tree(model);
    const ConstWorldView world = state.world();
    SensorReader(tree).read(
        {.world = world, .step = {.dt = 0.01}, .contacts = contacts, .forces = forces, .constraints = {}, .starts = {}},
        values);
    expect_values(values, {15, 4, -2, -9, 10, 1, 2, 10});
}

}  // namespace rattleback
