// Bad input for the solver comfree: named, bounded, and nothing lost.
#include "unit/engine/comfree_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

Model make_tower(double step, int count)
{
    ModelBuilder builder("tower");
    builder.add_ground();
    for (int i = 0; i < count; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.02 * i, 0, 0.05 + step * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    return builder.build().value();
}

TEST(ComfreeTrouble, a_step_that_diverges_changes_neither_state_nor_memory)
{
    for (const bool anchor : {false, true})
    {
        Simulation simulation = make_comfree(make_tower(0.2, 3), {{"anchor", anchor}});
        simulation.run_steps(200);
        const Snapshot before = simulation.snapshot();
        const std::uint64_t bits = hash(simulation.state());
        simulation.control().joint_force[7] = std::nan("");
        const StepReport report = simulation.step();
        EXPECT_EQ(report.status, StepStatus::diverged);
        EXPECT_GE(report.culprit_dof, 0);
        EXPECT_EQ(hash(simulation.state()), bits);
        EXPECT_EQ(simulation.snapshot().memories, before.memories);
    }
}

TEST(ComfreeTrouble, deep_overlap_at_the_start_is_pushed_out_no_faster_than_told)
{
    Simulation simulation = make_comfree(make_tower(0.03, 4));
    double fastest = 0;
    for (int i = 0; i < 2000; ++i)
    {
        ASSERT_NE(simulation.step().status, StepStatus::diverged);
        for (int b = 1; b <= 4; ++b) fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
    }
    EXPECT_LT(fastest, 5) << "1 m/s per overlap, four of them, and a fall of a few centimetres";
    EXPECT_LT(simulation.step().deepest_penetration, 1e-3);
}

TEST(ComfreeTrouble, ten_thousand_contacts_of_one_pair_of_bodies_carry_the_weight)
{
    ModelBuilder builder("carpet");
    builder.add_ground();
    const BodyId carpet = builder.add_body({.position = {0, 0, 0.1}});
    for (int i = 0; i < 10000; ++i)
        builder.add_shape(carpet, Sphere{.radius = 0.1},
                          {.position = {0.1 * (i % 100), 0.1 * (i / 100), 0}, .mass = 1e-3});
    Simulation simulation = make_comfree(builder.build().value());
    StepReport report;
    for (int i = 0; i < 20; ++i) report = simulation.step();
    EXPECT_NE(report.status, StepStatus::diverged);
    EXPECT_GT(report.contact_count, 1000) << "those of one plane, to rounding";
    double lift = 0;
    for (const Wrench& wrench : simulation.contact_forces().items) lift += wrench.force.z;
    EXPECT_NEAR(lift / (10 * 9.81), 1, 1e-3);
}

TEST(ComfreeTrouble, contradictory_ties_give_a_finite_answer)
{
    ModelBuilder builder("torn");
    const BodyId box = builder.add_body();
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    builder.add_connect_points(kWorld, {0, 0, 0}, box, {});
    builder.add_connect_points(kWorld, {1, 0, 0}, box, {});  // and a metre away
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});  // twice
    Simulation simulation = make_comfree(builder.build().value());
    StepReport report;
    for (int i = 0; i < 4000; ++i)
    {
        report = simulation.step();
        ASSERT_NE(report.status, StepStatus::diverged);
    }
    EXPECT_EQ(report.status, StepStatus::not_converged);
    EXPECT_NE(simulation.explain(report).find("at joint"), std::string::npos) << simulation.explain(report);
    // At rest where they balance: one pulls as fast as any may (1 m/s), the three others with share x / dt each.
    const Vec3 p = simulation.state().position(box);
    const double share = 0.2 * simulation.dt() / (0.001 + 0.2 * simulation.dt());
    EXPECT_NEAR(p.x, simulation.dt() / (3 * share), 1e-6);
    EXPECT_LT(norm(simulation.state().velocity(box).linear), 1e-3);
}

TEST(ComfreeTrouble, a_step_of_a_second_stays_finite_and_no_step_is_refused)
{
    for (const std::string law : {"stable", "printed"})
    {
        Simulation slow = make_comfree(make_tower(0.25, 4), {{"law", law}}, 1.0);
        for (int i = 0; i < 60; ++i) slow.step();
        for (int b = 1; b <= 4; ++b) EXPECT_LT(norm(slow.state().position(BodyId{b})), 1e9);
    }
    for (const double dt : {-0.001, std::nan("")})
        EXPECT_FALSE(Simulation::make(make_tower(0.2, 1), {.solver = "comfree", .dt = dt}).ok()) << dt;
    // 0 stands for the model's timestep, which may not be 0 itself.
    Model frozen = make_tower(0.2, 1);
    frozen.settings.dt = 0;
    EXPECT_FALSE(Simulation::make(frozen, {.solver = "comfree"}).ok());
}

TEST(ComfreeTrouble, ties_that_agree_are_not_called_contradictory)
{
    ModelBuilder builder("door");
    const BodyId door = builder.add_body({.position = {0.5, 0, 0}});
    builder.add_shape(door, Box{.half_extents = {0.5, 0.02, 1}}, {.density = 5000});
    builder.add_connect_points(kWorld, {0, 0, 0.8}, door, {-0.5, 0, 0.8});
    builder.add_connect_points(kWorld, {0, 0, -0.8}, door, {-0.5, 0, -0.8});
    Simulation simulation = make_comfree(builder.build().value());
    simulation.state().v[5] = 2;
    simulation.refresh();
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
}

TEST(ComfreeTrouble, two_joints_about_one_axis_have_no_inertia_and_are_named)
{
    // M of the two hinges is [I I; I I].
    ModelBuilder builder("twice");
    const BodyId arm = builder.add_body({.name = "arm"});
    builder.add_joint(arm, {.name = "first", .axis = {0, 1, 0}});
    builder.add_joint(arm, {.name = "second", .axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    for (const std::string law : {"stable", "printed", "as_coded"})
    {
        Result<Simulation> made =
            Simulation::make(builder.build().value(), {.solver = "comfree", .parameters = {{"law", law}}});
        if (!made.ok()) continue;  // refused with words is as good
        const std::uint64_t bits = hash(made->state());
        made->control().joint_force[1] = 1;
        const StepReport report = made->step();
        EXPECT_EQ(report.status, StepStatus::diverged) << law;
        EXPECT_NE(made->explain(report).find("joint \""), std::string::npos) << made->explain(report);
        EXPECT_EQ(hash(made->state()), bits) << law;
    }
}

TEST(ComfreeTrouble, a_damper_that_drives_harder_than_mass_holds_back_does_not_take_the_ground_away)
{
    // M + hD of Euler's method is negative, and no impulse of a contact stops what has such an inertia. The whole step
    // is refused; its parts, which the report tells of, have a matrix that is positive.
    ModelBuilder builder("driven");
    builder.add_ground();
    const BodyId ball = builder.add_body({.name = "ball", .position = {0, 0, 0.0999}});
    builder.add_joint(ball, {.name = "lift",
                             .type = JointType::slide,
                             .axis = {0, 0, 1},
                             .initial_velocity = -2,
                             .damping_polynomial = {-300, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.mass = 1});
    Simulation simulation = make_comfree(builder.build().value(),
                                         {{"method", std::string("sweeps")}, {"integrator", std::string("euler")}});
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::ok);
    EXPECT_GT(report.substeps, 1);
    EXPECT_NEAR(simulation.state().v[0], 0, 1e-6);
    EXPECT_GT(simulation.state().q[0], -1e-4);
}

TEST(ComfreeTrouble, an_input_that_is_no_number_stops_one_world_of_a_pack_and_leaves_the_others_their_bits)
{
    ModelBuilder builder("arms");
    builder.add_ground();
    const BodyId arm = builder.add_body({.position = {0, 0, 0.25}});
    const JointId shoulder = builder.add_joint(arm, {.axis = {0, 1, 0}});
    builder.add_shape(arm, Capsule{.radius = 0.05, .half_length = 0.1}, {.position = {0, 0, -0.1}});
    const BodyId hand = builder.add_body({.parent = arm, .position = {0, 0, -0.2}});
    builder.add_joint(hand, {.axis = {0, 1, 0}});
    builder.add_shape(hand, Sphere{.radius = 0.05}, {.position = {0.02, 0, -0.02}});
    builder.add_motor(shoulder, {.name = "biceps"});
    for (const std::string method : {"direct", "sweeps"})
    {
        const BatchOptions options{.solver = "comfree", .parameters = {{"method", method}}, .world_count = 6};
        Batch sound(builder.build().value(), options), hurt(builder.build().value(), options);
        for (int w = 0; w < 6; ++w) sound.control().input[static_cast<std::size_t>(w)] = 0.1 * w;
        std::copy(sound.control().input.begin(), sound.control().input.end(), hurt.control().input.begin());
        sound.run_steps(20);
        hurt.run_steps(20);
        hurt.control().input[2] = std::nan("");
        const std::vector<double> kept(hurt.state().world(2).q.begin(), hurt.state().world(2).q.end());
        sound.run_steps(30);
        hurt.run_steps(30);
        EXPECT_EQ(hurt.reports()[2].status, StepStatus::diverged) << method;
        EXPECT_EQ(hurt.explain(2), "the input of actuator \"biceps\" (control.input[0]) is not a finite number")
            << method;
        EXPECT_TRUE(std::equal(kept.begin(), kept.end(), hurt.state().world(2).q.begin())) << method;
        for (const int w : {0, 1, 3, 4, 5})
        {
            EXPECT_EQ(hurt.explain(w), "") << method << " " << w;
            for (std::size_t i = 0; i < kept.size(); ++i)
                EXPECT_EQ(hurt.state().world(w).q[i], sound.state().world(w).q[i]) << method << " " << w;
        }
    }
}

TEST(ComfreeTrouble, the_code_at_a_step_of_a_second_diverges_by_name_and_keeps_the_last_good_state)
{
    Simulation simulation = make_comfree(make_tower(0.25, 4),
                                         {{"law", std::string("as_coded")}, {"stiffness", 1e6}, {"damping", 1e6}}, 1.0);
    std::uint64_t bits = hash(simulation.state());
    StepReport report;
    for (int i = 0; i < 1000 && report.status != StepStatus::diverged; ++i)
    {
        bits = hash(simulation.state());
        report = simulation.step();
    }
    ASSERT_EQ(report.status, StepStatus::diverged);
    EXPECT_EQ(hash(simulation.state()), bits);
    EXPECT_NE(simulation.explain(report).find("joint \""), std::string::npos) << simulation.explain(report);
}

TEST(ComfreeTrouble, a_stiff_spring_that_holds_a_joint_beyond_its_range_stops_nothing_else)
{
    // The spring asks for 0, the range begins at 0.15: neither gives way. A cart glides along beside them.
    for (const Integrator integrator : {Integrator::implicitfast, Integrator::euler, Integrator::midpoint})
    {
        ModelBuilder builder("held lever");
        builder.settings().integrator = integrator;
        builder.settings().gravity = {};
        const BodyId cart = builder.add_body({.name = "cart"});
        builder.add_joint(cart, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = 0.5});
        builder.add_shape(cart, Sphere{.radius = 0.1}, {.mass = 1});
        const BodyId lever = builder.add_body({.name = "lever", .parent = cart});
        builder.add_joint(lever, {.axis = {1, 1, 1},
                                  .range = {true, 0.15, 0.7},
                                  .limit_softness = Impedance{{0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}},
                                  .stiffness = 1.9e7,
                                  .armature = 0.06});
        builder.add_shape(lever, Capsule{.radius = 0.02, .half_length = 0.1}, {.position = {0, 0, -0.1}, .mass = 0.3});
        Simulation simulation = make_comfree(builder.build().value(), {}, 0.003);
        double removed = 0;
        for (int i = 0; i < 100; ++i) removed += simulation.step().removed_energy;
        EXPECT_EQ(removed, 0) << to_string(integrator);
        EXPECT_NEAR(simulation.state().q[0], 0.15, 0.03) << to_string(integrator);
        // The spring is by far the harder of the two: what the limit pushes, it takes back.
        EXPECT_LT(std::abs(simulation.state().q[1]), 0.01) << to_string(integrator);
    }
}

TEST(ComfreeTrouble, names_the_input_that_is_at_fault)
{
    ModelBuilder builder("arm");
    const BodyId arm = builder.add_body({.name = "arm"});
    const JointId elbow = builder.add_joint(arm, {.name = "elbow", .axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    builder.add_motor(elbow, {.name = "biceps"});
    Simulation simulation = make_comfree(builder.build().value());
    simulation.control().input[0] = std::nan("");
    EXPECT_EQ(simulation.explain(simulation.step()),
              "the input of actuator \"biceps\" (control.input[0]) is not a finite number");
}

}  // namespace
}  // namespace rattleback
