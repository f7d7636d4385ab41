// Nothing blows up: random valid scenes, the seeds that once did, and what steps in parts promise.
#include "lab/metrics/stability.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

class WildScenes : public testing::TestWithParam<std::string>
{
protected:
    /// The bars: no step diverges, and no energy comes from nowhere.
    void check(std::uint64_t seed, bool servos, std::int64_t steps, const Parameters& parameters = {})
    {
        const Result<lab::StabilityRun> made =
            lab::run_wild(seed, {.servos = servos}, {.solver = GetParam(), .parameters = parameters}, steps);
        ASSERT_TRUE(made.ok()) << made.errors()[0].message;
        const lab::StabilityRun& run = made.value();
        EXPECT_FALSE(run.diverged()) << "seed " << seed << (servos ? " with servos" : "") << " after " << run.steps
                                     << " steps: " << run.trouble;
        if (servos || run.diverged()) return;
        // Twice what the guard itself keeps to: the energy at hand is measured anew here.
        EXPECT_LT(run.gain(), 0.01) << "seed " << seed;
    }
};

TEST_P(WildScenes, three_hundred_neither_diverge_nor_gain_energy)
{
    // Of those that diverged without the guard most did so within so many steps.
    constexpr std::int64_t kSteps = 40;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) check(seed, seed % 2 == 0, kSteps);
}

TEST_P(WildScenes, those_that_once_failed_stay_cured)
{
    // Seeds that still diverged or gained energy while the guard was made, passive and with servos.
    for (const std::uint64_t seed : {9, 13, 25, 73, 79, 552, 1811}) check(seed, false, 600);
    // 969 with servos: avbd's joint of 44 mg between the ground and 1.5 kg parted, sweep after sweep.
    for (const std::uint64_t seed : {14, 38, 44, 52, 969}) check(seed, true, 600);
    // Diverged in convex: links of slides on spinning trees, whose energy grew by M(q') - M(q) unseen until they were
    // kilometres away at tens of km/s (82 and 3372 in true stick, 3300 in plain cones, 1617 in both).
    if (GetParam() != "convex") return;
    for (const std::uint64_t seed : {82, 1617, 3372}) check(seed, true, 600);
    for (const std::uint64_t seed : {1617, 3300}) check(seed, true, 600, {{"stick", false}});
}

TEST_P(WildScenes, long_ten_thousand_neither_diverge_nor_gain_energy)
{
    for (std::uint64_t seed = 1; seed <= 10'000; ++seed)
    {
        check(seed, false, 600);
        check(seed, true, 600);
        if (GetParam() == "convex") check(seed, false, 600, {{"stick", false}});
    }
}

TEST(TrueStick, slow_is_never_worse_than_plain_cones_on_wild_scenes)
{
    // Neither diverges, neither gains energy; anchors and shifts make no more scenes slow down or stop converging than
    // the plain cone does.
    int slowed[2] = {}, unsettled[2] = {};
    for (std::uint64_t seed = 301; seed <= 360; ++seed)
    {
        for (const bool servos : {false, true})
        {
            for (const bool stick : {false, true})
            {
                const lab::StabilityRun run =
                    lab::run_wild(seed, {.servos = servos}, {.solver = "convex", .parameters = {{"stick", stick}}}, 150)
                        .value();
                EXPECT_FALSE(run.diverged()) << seed << servos << stick << ": " << run.trouble;
                EXPECT_LT(servos ? 0 : run.gain(), 0.01) << seed << stick;
                slowed[stick ? 1 : 0] += run.removed > 0;
                unsettled[stick ? 1 : 0] += run.unsettled > 0;
            }
        }
    }
    EXPECT_LE(slowed[1], slowed[0]);
    EXPECT_LE(unsettled[1], unsettled[0]);
}

/// A gram on a spring of 1e6 N/m, released 1 cm from rest, at 2 ms: h^2 k / m = 4000, where 4 is the limit of explicit
/// rules.
Model build_stiff_spring()
{
    ModelBuilder builder("stiff");
    builder.settings().gravity = {0, 0, 0};
    const BodyId body = builder.add_body();
    builder.add_joint(body, {.type = JointType::slide, .initial_position = 0.01, .stiffness = 1e6});
    builder.add_shape(body, Sphere{.radius = 0.01}, {.mass = 1e-3});
    return builder.build().value();
}

TEST_P(WildScenes, a_spring_too_stiff_for_the_step_never_gains_and_is_reported)
{
    Simulation simulation(build_stiff_spring(), {.solver = GetParam()});
    const double start = simulation.energy().total();
    int most = 1;
    for (int i = 0; i < 500; ++i)
    {
        const StepReport report = simulation.step();
        ASSERT_LT(report.status, StepStatus::diverged) << simulation.explain(report);
        most = std::max(most, report.substeps);
        ASSERT_LT(simulation.energy().total(), 1.006 * start) << "step " << i;
    }
    // avbd has springs at the end of the step: whole steps are stable there
    EXPECT_GE(most, GetParam() == "avbd" ? 1 : 2);
}

TEST_P(WildScenes, a_pendulum_and_a_falling_box_take_whole_steps)
{
    ModelBuilder builder("calm");
    builder.add_ground({});
    const BodyId arm = builder.add_body({.position = {2, 0, 2}});
    builder.add_joint(arm, {.type = JointType::hinge, .axis = {0, 1, 0}});
    builder.add_shape(arm, Box{.half_extents = {0.2, 0.02, 0.02}}, {.position = {0.2, 0, 0}});
    const BodyId box = builder.add_body({.position = {0, 0, 0.5}, .rotation = normalized(Quat{1, 0.2, 0.3, 0.1})});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.08, 0.06}});
    Simulation simulation(builder.build().value(), {.solver = GetParam()});
    EXPECT_EQ(simulation.run_for(3).substeps, 1);
}

TEST_P(WildScenes, worlds_of_a_batch_fall_back_one_by_one_with_the_bits_of_a_simulation)
{
    // One world at rest on its spring, one released: only the second is stepped in parts.
    const auto model = std::make_shared<const Model>(build_stiff_spring());
    BatchOptions options{.world_count = 4};
    options.solver = GetParam();
    Batch batch = Batch::make(model, options).value();
    for (int w = 0; w < 4; ++w) batch.state().q[static_cast<std::size_t>(w)] = 0.01 * w;
    batch.refresh();
    for (int i = 0; i < 50; ++i) batch.step();
    for (int w = 0; w < 4; ++w)
    {
        Simulation simulation = Simulation::make(model, {.solver = GetParam()}).value();
        simulation.state().q[0] = 0.01 * w;
        simulation.refresh();
        for (int i = 0; i < 50; ++i) simulation.step();
        EXPECT_EQ(simulation.state().q[0], batch.state().q[static_cast<std::size_t>(w)]) << "world " << w;
        EXPECT_EQ(simulation.state().v[0], batch.state().v[static_cast<std::size_t>(w)]) << "world " << w;
    }
}

TEST_P(WildScenes, a_snapshot_between_parts_goes_on_with_the_same_bits)
{
    Simulation straight(lab::build_wild(9).value(), {.solver = GetParam()});
    straight.run_steps(60);
    const Snapshot snapshot = straight.snapshot();
    Simulation resumed(lab::build_wild(9).value(), {.solver = GetParam()});
    ASSERT_TRUE(resumed.restore(snapshot).ok());
    straight.run_steps(40);
    resumed.run_steps(40);
    EXPECT_EQ(hash(straight.state()), hash(resumed.state()));
}

TEST(EnergyGuard, lets_soft_limits_give_back_what_they_store_where_a_run_begins_beyond_them)
{
    // As Gymnasium's ant begins: light legs on heavy rotors, half a radian beyond their range. The limit's spring holds
    // 1/2 I k x^2 = 0.5 * 1 * 2770 * 0.27 J, much more than a fall of these legs by a metre.
    ModelBuilder builder;
    for (int i = 0; i < 4; ++i)
    {
        const BodyId leg = builder.add_body({.position = {1.0 * i, 0, 1}});
        const JointId hinge = builder.add_joint(leg, {.axis = {0, 1, 0},
                                                      .range = {true, 0.52, 1.22},
                                                      .limit_softness = Impedance{},
                                                      .damping = 1,
                                                      .armature = 1});
        builder.add_shape(leg, Capsule{.radius = 0.08, .half_length = 0.3}, {.density = 5});
        builder.add_motor(hinge, {.gear = {150}});
    }
    const auto model = std::make_shared<const Model>(builder.build().value());
    Simulation guarded = Simulation::make(model, {.solver = "convex", .dt = 0.01}).value();
    Simulation plain =
        Simulation::make(model, {.solver = "convex", .dt = 0.01, .parameters = {{"guard", false}}}).value();
    for (int i = 0; i < 100; ++i)
    {
        const StepReport report = guarded.step();
        EXPECT_EQ(report.status, StepStatus::ok) << "step " << i;
        EXPECT_EQ(report.substeps, 1) << "step " << i;
        plain.step();
    }
    EXPECT_EQ(hash(guarded.state()), hash(plain.state()));
    EXPECT_GT(guarded.state().q[0], 0.5) << "the limits have pushed the legs back";
}

INSTANTIATE_TEST_SUITE_P(solvers, WildScenes, testing::Values("avbd", "comfree", "convex"),
                         [](const auto& solver) { return solver.param; });

}  // namespace
}  // namespace rattleback
