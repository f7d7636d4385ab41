// Friction in the solver convex: what sticks stays, what slides stays down.
#include "unit/engine/convex_scenes.h"

#include <gtest/gtest.h>

namespace rattleback
{

using namespace convex_scenes;

namespace
{

/// An object of 45 g between two pads that press with what holds it `margin` times.
Model make_grasp(double margin, const Shape& object, int dimension)
{
    constexpr double kMass = 0.045, kFriction = 0.5;
    ModelBuilder builder("grasp");
    builder.settings().integrator = Integrator::implicitfast;
    const MaterialId material = builder.add_material(
        {.friction = kFriction, .spinning_friction = 0.005, .dimension = dimension, .softness = Impedance{}});
    const BodyId held = builder.add_body({.name = "object", .position = {0, 0, 1}});
    builder.add_shape(held, object, {.material = material, .mass = kMass});
    const double force = margin * kMass * kGravity / (2 * kFriction);
    for (const double side : {-1.0, 1.0})
    {
        const BodyId pad = builder.add_body({.position = {side * 0.0301, 0, 1}});
        const JointId slide = builder.add_joint(pad, {.type = JointType::slide, .axis = {-side, 0, 0}, .damping = 2});
        builder.add_shape(pad, Box{.half_extents = {0.01, 0.02, 0.02}}, {.material = material, .mass = 0.1});
        builder.add_actuator(slide, {.gain = {0, 0, 0}, .bias = {force, 0, 0}});
    }
    return builder.build().value();
}

}  // namespace

TEST(Convex, a_box_on_a_slope_creeps_less_than_a_micrometre_per_second)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        for (const double margin : {2.0, 20.0})
        {
            for (const double dt : {0.002, 0.01})
            {
                Simulation simulation = simulate(make_slope({.tangent = 0.5 / margin}), with(cone), dt);
                EXPECT_LT(find_creep(simulation), 1e-3) << cone << ", margin " << margin << ", dt " << dt;
            }
        }
    }
}

TEST(Convex, a_grasped_object_creeps_less_than_a_micrometre_per_second)
{
    const Shape objects[] = {Box{.half_extents = {0.02, 0.02, 0.02}}, Capsule{.radius = 0.02, .half_length = 0.03}};
    for (const Shape& object : objects)
    {
        for (const char* cone : {"pyramidal", "elliptic"})
        {
            for (const double margin : {2.0, 20.0})
            {
                Simulation simulation = simulate(make_grasp(margin, object, 4), with(cone));
                EXPECT_LT(find_creep(simulation), 1e-2) << cone << ", margin " << margin;
                EXPECT_NEAR(simulation.state().position(BodyId{1}).z, 1, 2e-3) << cone << ", margin " << margin;
            }
        }
    }
}

TEST(Convex, without_stick_the_box_creeps_as_in_mujoco)
{
    // measured with MuJoCo 4.0.0 at 2 ms
    const struct
    {
        const char* cone;
        double margin, speed;
    } cases[] = {{"pyramidal", 2, 882}, {"pyramidal", 20, 81}, {"elliptic", 2, 619}, {"elliptic", 20, 64}};
    for (const auto& c : cases)
    {
        Parameters parameters = with(c.cone);
        parameters["stick"] = false;
        Simulation simulation = simulate(make_slope({.tangent = 0.5 / c.margin}), parameters);
        EXPECT_NEAR(find_creep(simulation) / c.speed, 1, 0.01) << c.cone << ", margin " << c.margin;
    }
}

TEST(Convex, a_box_beyond_the_friction_angle_slides_with_the_right_acceleration)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation simulation = simulate(make_slope({.friction = 0.3, .tangent = 0.5}), with(cone));
        simulation.run_for(0.5);
        const double v = simulation.state().v[0];
        simulation.run_for(0.5);
        const double angle = std::atan(0.5), expected = kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
        // soft convex contact lifts what slides: MuJoCo has the same error
        EXPECT_NEAR((simulation.state().v[0] - v) / 0.5 / expected, 1, 2e-2) << cone;
    }
}

TEST(Convex, stick_does_not_brake_a_ball_that_rolls)
{
    ModelBuilder builder("roll");
    builder.add_ground();
    const BodyId ball =
        builder.add_body({.position = {0, 0, 0.1}, .linear_velocity = {1, 0, 0}, .angular_velocity = {0, 10, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.1});
    const Model model = builder.build().value();
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Simulation simulation = simulate(model, with(cone));
        simulation.run_for(5);
        EXPECT_NEAR(simulation.state().v[0], 1, 2e-3) << cone;
        EXPECT_NEAR(simulation.state().position(ball).x, 5, 2e-2) << cone;
    }
}

TEST(Convex, no_slip_holds_without_stick)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        Parameters parameters = with(cone);
        parameters["stick"] = false;
        parameters["noslip_iterations"] = 10;
        // a pyramid's opposite edges keep their sum, so half of the friction is out of reach
        Simulation simulation = simulate(make_slope({.tangent = 0.1}), parameters);
        EXPECT_LT(find_creep(simulation), 1) << cone;
    }
}

TEST(Convex, a_box_that_slides_fast_stays_on_the_ground)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        ModelBuilder builder("slide");
        const MaterialId material = builder.add_material({.friction = 0.8});
        builder.add_ground({.material = material});
        const BodyId box = builder.add_body({.position = {0, 0, 0.05}, .linear_velocity = {4, 1, 0}});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
        Simulation simulation = simulate(builder.build().value(), with(cone));
        for (int i = 0; i < 500; ++i)
        {
            simulation.step();
            ASSERT_NEAR(simulation.state().position(box).z, 0.05, 1e-3) << cone << ", step " << i;
        }
    }
}

TEST(Convex, a_box_turned_on_ice_turns_by_its_moment_and_stays_down)
{
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        for (const double friction : {0.0, 1e-5})  // edges of so flat a pyramid are the same row but for rounding
        {
            ModelBuilder builder("ice");
            const MaterialId ice = builder.add_material({.friction = friction});
            builder.add_ground({.material = ice});
            const BodyId box = builder.add_body({.position = {0, 0, 0.1}});
            builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = ice, .mass = 4});
            Simulation simulation = simulate(builder.build().value(), with(cone), 0.001);
            simulation.control().body_wrench[1].torque = {0, 0, 0.01};
            for (int i = 0; i < 2000; ++i)
            {
                ASSERT_EQ(simulation.step().status, StepStatus::ok) << cone << ", friction " << friction;
                ASSERT_NEAR(simulation.state().position(box).z, 0.1, 1e-4) << cone << ", friction " << friction;
            }
            const double expected = 2 * 0.01 / (4 * 0.04 / 6);
            EXPECT_NEAR(simulation.state().velocity(box).angular.z / expected, 1, friction == 0 ? 1e-9 : 0.01) << cone;
        }
    }
}

}  // namespace rattleback
