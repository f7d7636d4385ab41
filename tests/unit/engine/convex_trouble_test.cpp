// Bad input for the solver convex: named, bounded, and nothing lost.
#include "unit/engine/convex_scenes.h"

#include <gtest/gtest.h>

namespace rattleback
{

using namespace convex_scenes;

TEST(Convex, a_step_that_diverges_changes_neither_state_nor_memory)
{
    Simulation simulation = simulate(make_heap());
    simulation.run_steps(500);
    const Snapshot before = simulation.snapshot();
    const std::uint64_t bits = hash(simulation.state());
    simulation.control().joint_force[7] = std::nan("");
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_GE(report.culprit_dof, 0);
    EXPECT_EQ(hash(simulation.state()), bits);
    EXPECT_EQ(simulation.snapshot().memories, before.memories);
}

TEST(Convex, deep_overlap_at_the_start_is_resolved_without_an_explosion)
{
    ModelBuilder builder("overlap");
    builder.add_ground();
    for (int i = 0; i < 4; ++i)
    {
        const BodyId box = builder.add_body({.position = {0.02 * i, 0, 0.05 + 0.03 * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    Simulation simulation = simulate(builder.build().value());
    double fastest = 0;
    for (int i = 0; i < 2000; ++i)
    {
        ASSERT_NE(simulation.step().status, StepStatus::diverged);
        for (int b = 1; b <= 4; ++b) fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{b}).linear));
    }
    EXPECT_LT(fastest, 10) << "0.17 m over 36 steps of 2 ms is 2.4 m/s, and three such overlaps add up";
    EXPECT_LT(simulation.step().deepest_penetration, 1e-4);
}

TEST(Convex, ten_thousand_contacts_of_one_pair_of_bodies_carry_the_weight)
{
    ModelBuilder builder("carpet");
    builder.add_ground();
    const BodyId carpet = builder.add_body({.position = {0, 0, 0.1}});
    for (int i = 0; i < 10000; ++i)
    {
        builder.add_shape(carpet, Sphere{.radius = 0.1},
                          {.position = {0.1 * (i % 100), 0.1 * (i / 100), 0}, .mass = 1e-3});
    }
    Simulation simulation = simulate(builder.build().value());
    StepReport report;
    for (int i = 0; i < 20; ++i) report = simulation.step();
    EXPECT_NE(report.status, StepStatus::diverged);
    EXPECT_EQ(report.contact_count, 10000);
    double lift = 0;
    for (const Wrench& wrench : simulation.contact_forces().items) lift += wrench.force.z;
    EXPECT_NEAR(lift / (10 * kGravity), 1, 1e-3);
}

TEST(Convex, contradictory_ties_give_a_finite_answer)
{
    ModelBuilder builder("torn");
    const BodyId box = builder.add_body();
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    builder.add_connect_points(kWorld, {0, 0, 0}, box, {});
    builder.add_connect_points(kWorld, {1, 0, 0}, box, {});  // and a metre away
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});
    builder.add_weld_frames(kWorld, Pose{{0, 1, 0}, {}}, box, {});  // twice
    Simulation simulation = simulate(builder.build().value());
    for (int i = 0; i < 1000; ++i) ASSERT_NE(simulation.step().status, StepStatus::diverged);
    const Vec3 p = simulation.state().position(box);  // the mean of what they want
    EXPECT_NEAR(p.x, 0.25, 0.01);
    EXPECT_NEAR(p.y, 0.5, 0.01);
    EXPECT_LT(norm(simulation.state().velocity(box).linear), 1e-3);
}

TEST(Convex, a_step_of_a_second_stays_finite_and_no_step_is_refused)
{
    Simulation slow = simulate(make_heap(), {}, 1.0);
    for (int i = 0; i < 60; ++i) ASSERT_NE(slow.step().status, StepStatus::diverged);
    for (int b = 1; b <= 12; ++b)
    {
        EXPECT_LT(norm(slow.state().position(BodyId{b})), 1e4) << "no faster than what falls for some of the minute";
        EXPECT_GT(slow.state().position(BodyId{b}).z, -100);
    }
    for (const double dt : {-0.001, std::nan("")})
        EXPECT_FALSE(Simulation::make(make_heap(), {.solver = "convex", .dt = dt}).ok()) << dt;
}

TEST(Convex, names_what_is_at_fault)
{
    ModelBuilder builder("arm");
    const BodyId arm = builder.add_body({.name = "arm"});
    const JointId elbow = builder.add_joint(arm, {.name = "elbow", .axis = {0, 1, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1}, {.position = {0.3, 0, 0}});
    builder.add_motor(elbow, {.name = "biceps"});
    Simulation simulation = simulate(builder.build().value());
    EXPECT_EQ(simulation.explain(simulation.step()), "");
    simulation.control().input[0] = std::nan("");
    EXPECT_EQ(simulation.explain(simulation.step()),
              "the input of actuator \"biceps\" (control.input[0]) is not a finite number");
    simulation.control().input[0] = 1e308;
    simulation.control().joint_force[0] = 1e308;
    EXPECT_EQ(simulation.explain(simulation.step()), "joint \"elbow\" would leave the finite numbers");

    Simulation heap = simulate(make_heap(), {{"iterations", 0}});
    StepReport report;
    for (int i = 0; i < 500 && report.status == StepStatus::ok; ++i) report = heap.step();
    EXPECT_EQ(report.status, StepStatus::not_converged);
    EXPECT_NE(heap.explain(report).find("of shapes \""), std::string::npos) << heap.explain(report);
}

TEST(Convex, says_when_it_did_not_converge)
{
    Parameters parameters = with("elliptic");
    parameters["iterations"] = 1;
    parameters["tolerance"] = 1e-14;
    Simulation simulation = simulate(make_heap(), parameters);
    EXPECT_EQ(simulation.run_steps(600).status, StepStatus::not_converged);
}

TEST(Convex, refuses_switches_it_does_not_have)
{
    const Result<Simulation> refused = Simulation::make(
        make_heap(), {.solver = "convex", .parameters = {{"clampctrl", false}, {"filterparent", false}}});
    ASSERT_EQ(refused.errors().size(), 2U) << to_text(refused.errors());
    EXPECT_EQ(refused.errors()[0].code, ErrorCode::unsupported);
}

}  // namespace rattleback
