// forward(): accelerations, contacts, forces and sensors of the present state, without a step.
#include "unit/engine/two_boxes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{

TEST(Forward, leaves_the_next_step_as_it_would_have_been_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Simulation looking = make_simulation(model, *info), plain = make_simulation(model, *info);
        for (Simulation* each : {&looking, &plain})
        {
            push(each->state(), 0, 2);
            each->refresh();
        }
        for (int i = 0; i < 15; ++i)
        {
            looking.forward();
            looking.step();
            plain.step();
        }
        EXPECT_EQ(to_bytes(looking.snapshot()), to_bytes(plain.snapshot()));
        EXPECT_TRUE(std::ranges::equal(looking.sensors(), plain.sensors()));
        const std::uint64_t before = hash(looking.state());
        const StepReport report = looking.forward();
        EXPECT_EQ(hash(looking.state()), before);
        EXPECT_EQ(report.mean_acceleration, info->coordinates != Coordinates::joints);
        EXPECT_GE(report.contact_count, info->name == "smooth" ? 0 : 4) << "a box lies on the ground";
        EXPECT_EQ(looking.contacts().count(), report.contact_count);
        EXPECT_EQ(looking.contact_forces().items.size(), looking.contacts().items.size());
    }
}

TEST(Forward, a_body_that_falls_accelerates_by_gravity_and_its_accelerometer_feels_nothing)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {1, 2, 3}}});
    builder.add_sensor(SensorType::accelerometer, body);
    Simulation simulation(builder.build().value(), {.solver = "smooth"});
    EXPECT_FALSE(simulation.forward().mean_acceleration);
    EXPECT_NEAR(simulation.acceleration()[2], simulation.model().settings.gravity.z, 1e-14);
    for (const double value : simulation.sensors()) EXPECT_NEAR(value, 0, 1e-14);
    simulation.control().body_wrench[1].force = {6, 0, 0};
    simulation.forward();
    EXPECT_NEAR(simulation.acceleration()[0], 3, 1e-14) << "inputs count as they are now";
    EXPECT_NEAR(simulation.sensors()[0], 3, 1e-14);
    EXPECT_EQ(simulation.time(), 0);
}

TEST(Forward, a_pendulum_accelerates_by_the_torque_of_its_weight_and_its_tip_feels_the_rod)
{
    constexpr double kLength = 0.7, kMass = 1.3, kInertia = 0.05, kAngle = 0.4, kRate = 2.5;
    ModelBuilder builder;
    const BodyId bob = builder.add_body(
        {.inertia = Inertia{.mass = kMass, .position = {0, 0, -kLength}, .diagonal = {kInertia, kInertia, kInertia}}});
    builder.add_joint(bob, {.type = JointType::hinge, .axis = {0, 1, 0}});
    const SiteId tip = builder.add_site(bob, {.position = {0, 0, -kLength}});
    builder.add_sensor(SensorType::accelerometer, tip);
    Simulation simulation(builder.build().value(), {.solver = "smooth"});
    simulation.state().q[0] = kAngle;
    simulation.state().v[0] = kRate;
    simulation.forward();
    const double g = -simulation.model().settings.gravity.z;
    const double turn = -kMass * g * kLength * std::sin(kAngle) / (kMass * kLength * kLength + kInertia);
    EXPECT_NEAR(simulation.acceleration()[0], turn, 1e-12);
    // In the axes of the bob: along the swing, and along the rod where the mass is held on its circle.
    EXPECT_NEAR(simulation.sensors()[0], -kLength * turn - g * std::sin(kAngle), 1e-12);
    EXPECT_NEAR(simulation.sensors()[1], 0, 1e-12);
    EXPECT_NEAR(simulation.sensors()[2], kLength * kRate * kRate + g * std::cos(kAngle), 1e-12);
}

TEST(Forward, forces_of_the_present_contacts_carry_what_lies_still)
{
    const auto model = make_two_boxes();
    Simulation simulation = make_simulation(model, **find_solver("convex"));
    simulation.run_for(1);
    const StepReport report = simulation.forward();
    EXPECT_EQ(report.status, StepStatus::ok);
    double weight = 0;
    for (const double mass : model->bodies.mass) weight -= mass * model->settings.gravity.z;
    Vec3 total;
    for (int i = 0; i < simulation.contacts().count(); ++i)
    {
        const auto k = static_cast<std::size_t>(i);
        const Contact& contact = simulation.contacts().items[k];
        if (contact.first_body == kWorld) total += simulation.contact_forces().items[k].force;
        if (contact.second_body == kWorld) total -= simulation.contact_forces().items[k].force;
    }
    EXPECT_NEAR(total.z, weight, 1e-3 * weight);  // what is left of settling after a second
    for (const double a : simulation.acceleration()) EXPECT_NEAR(a, 0, 1e-2);
}

TEST(Forward, where_no_solver_solves_accelerations_are_the_mean_of_the_last_step)
{
    ModelBuilder builder;
    builder.add_shape(builder.add_body({.position = {0, 0, 5}}), Box{.half_extents = {0.1, 0.1, 0.1}},
                      {.density = 1000});
    for (const char* solver : {"avbd", "pbd"})
    {
        SCOPED_TRACE(solver);
        Simulation simulation(builder.build().value(), {.solver = solver});
        EXPECT_TRUE(simulation.forward().mean_acceleration);
        EXPECT_EQ(simulation.acceleration()[2], 0) << "no step was taken";
        simulation.run_steps(3);
        simulation.forward();
        // free fall; in single precision 5 m resolve 2.4e-7 m, of which a step of 2 ms makes 0.06 m/s² twice
        const double rounding = solver == std::string_view("pbd") ? 0.12 : 1e-3;
        EXPECT_NEAR(simulation.acceleration()[2], simulation.model().settings.gravity.z, rounding);
    }
}

}  // namespace rattleback
