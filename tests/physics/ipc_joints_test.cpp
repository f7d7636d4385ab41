// Laws of joints, motors and bounces in solver `ipc`.
#include "physics/laws.h"

#include <rattleback/rattleback.h>

namespace rattleback
{
namespace
{

Simulation make_ipc_machine(const Model& model, double dt, const Parameters& parameters = {})
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = parameters}).value();
}

/// Crank, coupler and rocker of lengths 0.2, 0.5, 0.4 on a ground of 0.5, the loop closed by a connection. All in x, z.
struct DrivenFourBar
{
    Model model;
    BodyId coupler, rocker;
    Vec3 on_coupler, on_rocker;

    explicit DrivenFourBar(double speed)
    {
        ModelBuilder builder("four-bar");
        const auto add_bar = [&](const char* name, BodyId parent, const Vec3& place, const Vec3& end, double turned)
        {
            const Quat turn = from_axis_angle({0, 1, 0}, turned);
            const BodyId body = builder.add_body({.name = name, .parent = parent, .position = place, .rotation = turn});
            builder.add_shape(body, Capsule{.radius = 0.01, .half_length = 0.5 * norm(end) - 0.02},
                              {.position = 0.5 * end,
                               .rotation = from_axis_angle({0, 1, 0}, kPi / 2),
                               .density = 2700,
                               .category = 0,
                               .mask = 0});
            return body;
        };
        // Crank along x at first; coupler and rocker meet above the ground (a triangle 0.3, 0.5, 0.4).
        const BodyId crank = add_bar("crank", kWorld, {}, {0.2, 0, 0}, 0);
        const JointId motor = builder.add_joint(crank, {.axis = {0, 1, 0}});
        coupler = add_bar("coupler", crank, {0.2, 0, 0}, {0.5, 0, 0}, -std::asin(0.8));
        builder.add_joint(coupler, {.axis = {0, 1, 0}});
        rocker = add_bar("rocker", kWorld, {0.5, 0, 0}, {0.4, 0, 0}, -kPi / 2);
        builder.add_joint(rocker, {.axis = {0, 1, 0}});
        on_coupler = {0.5, 0, 0};
        on_rocker = {0.4, 0, 0};
        builder.add_connect_points(coupler, on_coupler, rocker, on_rocker);
        builder.add_actuator(motor, {.gain = {5, 0, 0}, .bias = {0, 0, -5}});
        model = builder.build().value();
        input = speed;
    }
    double find_gap(const State& state) const
    {
        const Pose &a = state.pose(coupler), &b = state.pose(rocker);
        return norm(a.position + rotate(a.rotation, on_coupler) - b.position - rotate(b.rotation, on_rocker));
    }
    double input = 0;
};

TEST(IpcJoints, slow_a_driven_four_bar_loop_stays_closed_for_a_minute)
{
    const DrivenFourBar bars(2 * kPi);
    Simulation simulation = make_ipc_machine(bars.model, 0.01);
    simulation.control().input[0] = bars.input;
    double worst = 0, turned = 0;
    for (int i = 0; i < 6000; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        worst = std::max(worst, bars.find_gap(simulation.state()));
        turned = simulation.state().q[0];
    }
    EXPECT_LT(worst, 1e-4 * 0.5);
    EXPECT_LT(worst, 1e-6);  // joint_tolerance: a thousandth of d̂
    // the servo turns it once in a second, but for the load of gravity that comes and goes
    EXPECT_NEAR(turned, 2 * kPi * 60, 0.05 * 2 * kPi * 60);
}

TEST(IpcJoints, a_pendulum_of_two_rods_swings_as_the_smooth_solver_has_it)
{
    const auto build = []
    {
        ModelBuilder builder("double");
        BodyId parent = kWorld;
        for (int i = 0; i < 2; ++i)
        {
            const BodyId rod = builder.add_body({.parent = parent, .position = {0, 0, i == 0 ? 0 : -0.5}});
            builder.add_shape(rod, Capsule{.radius = 0.02, .half_length = 0.23},
                              {.position = {0, 0, -0.25}, .mass = 1});
            builder.add_joint(rod, {.axis = {0, 1, 0}, .initial_position = 0.4});
            parent = rod;
        }
        return builder.build().value();
    };
    const Model model = build();
    // first order: the error halves with the step
    Simulation exact = Simulation::make(model, {.solver = "smooth", .dt = 1e-4}).value();
    exact.run_for(0.5);
    std::vector<double> errors;
    for (const double dt : {4e-3, 2e-3, 1e-3})
    {
        Simulation simulation = make_ipc_machine(model, dt);
        simulation.run_for(0.5);
        double error = 0;
        for (std::size_t i = 0; i < 2; ++i)
            error = std::max(error, std::abs(simulation.state().q[i] - exact.state().q[i]));
        errors.push_back(error);
    }
    EXPECT_LT(errors[2], 0.02);
    EXPECT_GT(measured_order({4e-3, 2e-3, 1e-3}, errors), 0.8);
}

TEST(IpcJoints, bodies_on_joints_in_space_keep_linear_and_angular_momentum)
{
    ModelBuilder builder("floating");
    builder.settings().gravity = {};
    BodyId parent = kWorld;
    const JointType types[] = {JointType::free, JointType::hinge, JointType::ball, JointType::slide};
    for (int i = 0; i < 4; ++i)
    {
        const BodyId body = builder.add_body({.parent = parent, .position = {i == 0 ? 0.0 : 0.3, 0, 0}});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.05, 0.03}}, {.density = 800});
        builder.add_joint(body, {.type = types[i], .axis = {0, 0.6, 0.8}, .position = {-0.15, 0, 0}});
        parent = body;
    }
    const Model model = builder.build().value();
    Simulation simulation = make_ipc_machine(model, 2e-3);
    simulation.state().v = {0.1, 0.2, -0.1, 1, 2, -1, 3, 1, -2, 1, 0.2};
    simulation.refresh();
    const Momentum before = compute_momentum(model, simulation.state().world());
    const double energy = compute_energy(model, simulation.state().world()).total();
    simulation.run_for(1);
    const Momentum after = compute_momentum(model, simulation.state().world());
    // joints push with equal and opposite forces: what Newton's tolerance leaves of a step, 1e-3 m/s at the most
    EXPECT_NEAR(norm(after.linear - before.linear), 0, 1e-6 * norm(before.linear) + 1e-9);
    // forces act where the joints are at the end of the step: first order
    EXPECT_NEAR(norm(after.angular - before.angular), 0, 0.01 * norm(before.angular));
    EXPECT_LT(compute_energy(model, simulation.state().world()).total(), energy);
    EXPECT_GT(compute_energy(model, simulation.state().world()).total(), 0.9 * energy);
}

TEST(IpcJoints, a_limit_holds_a_weight_within_its_tolerance_and_tells_its_force)
{
    ModelBuilder builder("stop");
    const BodyId arm = builder.add_body();
    builder.add_shape(arm, Sphere{.radius = 0.05}, {.position = {0.4, 0, 0}, .mass = 2});
    const JointId hinge = builder.add_joint(arm, {.axis = {0, 1, 0}, .range = {true, -0.5, 0.3}});
    const SensorId force = builder.add_sensor(SensorType::joint_limit_force, hinge);
    Simulation simulation = make_ipc_machine(builder.build().value(), 0.005);
    double worst = 0;
    for (int i = 0; i < 400; ++i)
    {
        simulation.step();
        worst = std::max(worst, simulation.state().q[0] - 0.3);
    }
    EXPECT_LT(worst, 2e-6 / 0.4);  // joint_tolerance over the arm, in every step
    EXPECT_NEAR(simulation.state().q[0], 0.3, 1e-6);
    EXPECT_NEAR(simulation.sensor(force)[0], 2 * 9.81 * 0.4 * std::cos(0.3), 1e-3);
}

TEST(IpcJoints, servos_motors_and_dry_friction_hold_or_give_way_by_their_forces)
{
    ModelBuilder builder("arm");
    builder.settings().gravity = {};
    const BodyId turned = builder.add_body(), slid = builder.add_body({.position = {0, 1, 0}}),
                 stuck = builder.add_body({.position = {0, 2, 0}});
    for (const BodyId body : {turned, slid, stuck})
        builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 3});
    const JointId hinge = builder.add_joint(turned, {.axis = {0, 0, 1}});
    const JointId slide = builder.add_joint(slid, {.type = JointType::slide, .axis = {1, 0, 0}, .damping = 2});
    const JointId rough = builder.add_joint(stuck, {.type = JointType::slide, .axis = {1, 0, 0}, .dry_friction = 5});
    builder.add_actuator(hinge, {.gain = {50, 0, 0}, .bias = {0, -50, -3}, .force_range = {true, -4, 4}});
    builder.add_actuator(slide, {});
    builder.add_actuator(rough, {});
    Simulation simulation = make_ipc_machine(builder.build().value(), 0.01);
    simulation.control().input = {1.2, 6, 4.5};
    simulation.run_for(10);
    EXPECT_NEAR(simulation.state().q[0], 1.2, 1e-4);      // the servo is there
    EXPECT_NEAR(simulation.state().v[1], 6.0 / 2, 0.02);  // force against damping, 15 / e time constants
    EXPECT_LT(simulation.state().q[2], 10 * 1e-3);        // sticks: creeps below 1 mm/s
    simulation.control().input[2] = 8;
    const double before = simulation.state().v[2];
    simulation.run_for(1);
    EXPECT_NEAR(simulation.state().v[2] - before, (8 - 5) / 3.0, 2e-2);  // slips with what is left
}

TEST(IpcJoints, couplings_and_welds_hold_and_a_world_joint_carries_a_weight)
{
    ModelBuilder builder("coupled");
    const BodyId first = builder.add_body(), second = builder.add_body({.position = {0, 1, 0}}),
                 welded = builder.add_body({.position = {0, 1, 0.3}});
    for (const BodyId body : {first, second, welded})
        builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 2});
    const JointId a = builder.add_joint(first, {.axis = {0, 0, 1}, .damping = 0.1});
    const JointId b = builder.add_joint(second, {.axis = {0, 0, 1}, .damping = 0.1});
    builder.add_weld(welded, second);
    builder.add_joint_coupling(b, a, {0, -2, 0, 0, 0});
    builder.add_actuator(a, {});
    const Model model = builder.build().value();
    Simulation simulation = make_ipc_machine(model, 0.01);
    simulation.control().input[0] = 0.3;
    simulation.run_for(3);
    EXPECT_GT(simulation.state().q[0], 0.5);
    EXPECT_NEAR(simulation.state().q[1], -2 * simulation.state().q[0], 1e-5);
    const Pose in_second = inverse(simulation.state().pose(second)) * simulation.state().pose(welded);
    EXPECT_NEAR(norm(in_second.position - Vec3{0, 0, 0.3}), 0, 1e-5);
    EXPECT_NEAR(std::abs(in_second.rotation.w), 1, 1e-9);
}

TEST(IpcJoints, a_bar_on_a_hinge_and_a_connection_weighs_half_on_each_and_sensors_tell_it)
{
    ModelBuilder builder("bar");
    const BodyId bar = builder.add_body();
    builder.add_shape(bar, Box{.half_extents = {0.5, 0.02, 0.02}}, {.position = {0.5, 0, 0}, .mass = 4});
    const JointId hinge = builder.add_joint(bar, {.axis = {0, 1, 0}});
    builder.add_connect_points(bar, {1, 0, 0}, kWorld, {1, 0, 0});
    const SiteId site = builder.add_site(bar);
    const SensorId force = builder.add_sensor(SensorType::force, site);
    const SensorId angle = builder.add_sensor(SensorType::joint_position, hinge);
    const SensorId rate = builder.add_sensor(SensorType::joint_velocity, hinge);
    Simulation simulation = make_ipc_machine(builder.build().value(), 0.01);
    simulation.run_for(0.5);
    // joint_tolerance of a micrometre, in a step of 10 ms, is 0.01 m/s^2 of 9.81
    EXPECT_NEAR(simulation.sensor(force)[2], 0.5 * 4 * 9.81, 0.05);
    EXPECT_NEAR(simulation.sensor(angle)[0], 0, 1e-6);
    EXPECT_EQ(simulation.sensor(angle)[0], simulation.state().q[0]);
    EXPECT_EQ(simulation.sensor(rate)[0], simulation.state().v[0]);
}

TEST(IpcJoints, a_snapshot_of_a_machine_continues_bit_for_bit)
{
    const DrivenFourBar bars(3);
    Simulation simulation = make_ipc_machine(bars.model, 0.01);
    simulation.control().input[0] = bars.input;
    simulation.run_for(0.3);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_for(0.3);
    Simulation other = make_ipc_machine(bars.model, 0.01);
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_for(0.3);
    EXPECT_EQ(hash(simulation.state()), hash(other.state()));
}

/// A ball over the ground with restitution e.
Model make_bouncing_ball(double bounce, double height)
{
    ModelBuilder builder("ball");
    const MaterialId rubber = builder.add_material({.restitution = bounce});
    builder.add_ground({.material = rubber});
    const BodyId ball = builder.add_body({.name = "ball", .position = {0, 0, height + 0.1}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = rubber, .density = 1000});
    return builder.build().value();
}

TEST(IpcRestitution, a_ball_bounces_to_the_square_of_e_at_three_timesteps)
{
    for (const double dt : {0.01, 0.005, 0.002})
    {
        Simulation simulation = make_ipc_machine(make_bouncing_ball(0.8, 1), dt, {{"corners", 8}});
        const double lowest_start = simulation.state().body_pose[1].position.z;
        double lowest = lowest_start, highest = 0;
        bool has_bounced = false;
        while (simulation.time() < 1.2)
        {
            simulation.step();
            const double z = simulation.state().body_pose[1].position.z;
            has_bounced = has_bounced || simulation.state().body_velocity[1].linear.z > 0;
            lowest = std::min(lowest, z);
            if (has_bounced) highest = std::max(highest, z);
        }
        EXPECT_NEAR((highest - lowest) / (lowest_start - lowest), 0.64, 0.05 * 0.64) << dt;
    }
}

TEST(IpcRestitution, bodies_with_e_of_one_never_gain_energy)
{
    // a ball, and a box that falls on its corner, spins and lands on several at once
    ModelBuilder builder("elastic");
    const MaterialId steel = builder.add_material({.friction = 0, .restitution = 1});
    builder.add_ground({.material = steel});
    const BodyId ball = builder.add_body({.position = {-1, 0, 1}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.material = steel, .density = 1000});
    const BodyId box = builder.add_body({.position = {1, 0, 1}, .rotation = from_axis_angle({0.6, 0.8, 0}, 0.6)});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.15, 0.05}}, {.material = steel, .density = 1000});
    const Model model = builder.build().value();
    Simulation simulation = make_ipc_machine(model, 0.005, {{"corners", 8}});
    const double start = compute_energy(model, simulation.state().world()).total();
    double highest = 0;
    for (int i = 0; i < 800; ++i)
    {
        simulation.step();
        EXPECT_LE(compute_energy(model, simulation.state().world()).total(), start * (1 + 1e-9)) << i;
        if (simulation.time() > 1.5) highest = std::max(highest, simulation.state().position(ball).z);
    }
    EXPECT_GT(highest, 0.75);  // after a few bounces the ball still flies
}

}  // namespace
}  // namespace rattleback
