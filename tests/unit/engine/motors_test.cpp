// Servos made motors: a controller of the caller's drives the robot as its servos did.
#include <rattleback/simulation.h>

#include "lab/scenes/arm.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{
namespace
{

/// The laboratory's arm, far from where its servos pull it. `euler` takes actuator forces at the begin of a step, where
/// a controller sees the state; the steps are short enough for it.
ModelBuilder make_arm()
{
    ModelBuilder builder = ModelBuilder::from(lab::build_arm({.away = true}).value());
    builder.settings().integrator = Integrator::euler;
    builder.settings().dt = 5e-4;
    return builder;
}

TEST(MakeMotors, lets_a_controller_repeat_the_servos_of_the_arm)
{
    const Model servos = make_arm().build().value();
    ModelBuilder builder = make_arm();
    builder.make_motors();
    Simulation by_servo(servos), by_torque(builder.build().value());

    bool saturated = false;
    const auto control = [&]
    {
        const State& state = by_torque.state();
        for (std::size_t a = 0; a < servos.actuators.target.size(); ++a)
        {
            // force = kp (0 - q) - kd v, as the servos have it with inputs of zero; limits are the motor's
            const auto joint = static_cast<std::size_t>(servos.actuators.target[a]);
            const double kp = servos.actuators.gain[a][0], kd = -servos.actuators.bias[a][2];
            const double q = state.q[static_cast<std::size_t>(servos.joints.q_begin[joint])];
            const double v = state.v[static_cast<std::size_t>(servos.joints.v_begin[joint])];
            const double force = -kp * q - kd * v;
            by_torque.control().input[a] = force;
            saturated = saturated || std::abs(force) > servos.actuators.force_range[a].upper;
        }
    };
    by_servo.run_for(0.25);
    by_torque.run_for(0.25, control);

    EXPECT_TRUE(saturated);
    double moved = 0;
    for (std::size_t i = 0; i < by_servo.state().q.size(); ++i)
    {
        moved = std::max(moved, std::abs(by_servo.state().q[i] - servos.initial_q[i]));
        EXPECT_NEAR(by_torque.state().q[i], by_servo.state().q[i], 1e-12);  // sums of the law in another order
    }
    EXPECT_GT(moved, 0.1);
}

TEST(FromModel, leaves_the_motion_of_the_loaded_robot_to_the_bit_when_something_is_added_far_away)
{
    ModelBuilder builder = make_arm();
    const BodyId ball = builder.add_body({.name = "ball", .position = {50, 0, 10}});
    builder.add_shape(ball, Sphere{.radius = 0.1});
    Simulation alone(make_arm().build().value()), together(builder.build().value());
    alone.run_for(0.05);
    together.run_for(0.05);
    const std::vector<double>& q = alone.state().q;
    EXPECT_TRUE(std::equal(q.begin(), q.end(), together.state().q.begin()));
    EXPECT_LT(together.state().position(ball).z, 10);
}

}  // namespace
}  // namespace rattleback
