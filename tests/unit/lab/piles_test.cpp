// Tests of bench `piles`: its measures against hand-computed cases, its judgement, its scenes, and bad names.
#include "lab/bench/piles.h"

#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/piles.h"
#include "lab/scenes/stacks.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::lab
{
namespace
{

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

TEST(PileQuality, overlap_shake_and_escapes_are_as_computed_by_hand)
{
    ModelBuilder builder;
    builder.add_ground();
    const auto add = [&](const Vec3& position)
    {
        const BodyId body = builder.add_body({.position = position});
        builder.add_shape(body, Sphere{.radius = 0.5}, {.mass = 2});
        return body;
    };
    add({0, 0, 0.4});   // 0.1 m in the floor
    add({0, 0, 1.38});  // 0.02 m in the first
    const BodyId below = add({5, 0, -3});
    const Model model = builder.build().value();
    State state(model);
    state.body_velocity[2] = {{3, 0, 0}, {0, 0, 2}};
    const PileQuality quality = measure_quality(model, state, {.low = {-HUGE_VAL, -HUGE_VAL, 0}});
    EXPECT_EQ(quality.overlaps, 3);
    EXPECT_NEAR(quality.deepest, 3.5, 1e-12);
    EXPECT_NEAR(quality.mean_overlap, (0.1 + 0.02 + 3.5) / 3, 1e-12);
    const double moment = 0.4 * 2 * 0.25;
    EXPECT_NEAR(quality.shake, (0.5 * 2 * 9 + 0.5 * moment * 4) / 6, 1e-12);
    EXPECT_EQ(quality.escaped, 1);
    state.body_pose[static_cast<std::size_t>(below.index)].position = {0, kNotANumber, 5};
    EXPECT_EQ(measure_quality(model, state).escaped, 1);
}

TEST(PileQuality, joint_errors_are_the_distances_of_anchors)
{
    ModelBuilder builder;
    const auto add = [&](BodyId parent, const Vec3& position)
    {
        return builder.add_body(
            {.parent = parent, .position = position, .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.1, 0.1}}});
    };
    const BodyId slide = add(kWorld, {0, 0, 1});
    builder.add_joint(slide, {.type = JointType::slide, .axis = {0, 0, 1}});
    const BodyId hinge = add(slide, {1, 0, 0});
    builder.add_joint(hinge, {.type = JointType::hinge, .axis = {0, 1, 0}, .position = {-0.5, 0, 0}});
    const BodyId loose = add(kWorld, {3, 0, 1});
    builder.add_connect(hinge, loose, {1, 0, 0});
    const Model model = builder.build().value();
    State state(model);
    EXPECT_NEAR(measure_joint_error(model, state), 0, 1e-12);
    auto& pose = state.body_pose;
    for (std::size_t b = 1; b < pose.size(); ++b) pose[b].position.z += 0.3;  // along the slide: no error
    EXPECT_NEAR(measure_joint_error(model, state), 0, 1e-12);
    pose[1].position.x += 0.001;  // across the slide, and against the hinge
    EXPECT_NEAR(measure_joint_error(model, state), 0.001, 1e-12);
    pose[2].rotation = from_axis_angle({0, 1, 0}, kPi / 2);  // its anchors: 0.5 beside the hinge, 1 beside the other
    EXPECT_NEAR(measure_joint_error(model, state), std::sqrt(2.0), 1e-9);
}

PileOutcome make_outcome(const char* engine, double ms, double sink, double shake)
{
    PileOutcome outcome{.engine = engine, .ms = ms, .sink = sink};
    outcome.quality.shake = shake;
    return outcome;
}

TEST(PileJudgement, the_cheapest_setting_of_an_engine_counts_that_lies_no_worse)
{
    const PileOutcome bullet = make_outcome("bullet", 10, 2e-3, 1e-6);
    std::vector<PileOutcome> outcomes{bullet,
                                      make_outcome("avbd double", 1, 3e-3, 1e-7),   // sinks
                                      make_outcome("avbd double", 2, -1e-3, 2e-6),  // shakes
                                      make_outcome("avbd single", 3, -1e-3, 1e-7),  // in another precision
                                      make_outcome("avbd double", 4, -1e-3, 1e-7),  // the answer
                                      make_outcome("avbd double", 5, 0, 0)};
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd double", bullet), &outcomes[4]);
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd single", bullet), &outcomes[3]);
    outcomes[4].trouble = "diverged";
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd double", bullet), &outcomes[5]);
    outcomes[5].quality.escaped = 1;
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd double", bullet), nullptr);
}

TEST(PileJudgement, without_a_true_place_overlap_counts_and_shake_does_not)
{
    PileOutcome bullet = make_outcome("bullet", 10, kNotANumber, 1e-6);
    bullet.quality.deepest = 2e-3;
    bullet.quality.mean_overlap = 1e-3;
    std::vector<PileOutcome> outcomes{make_outcome("avbd double", 1, kNotANumber, 5)};
    outcomes[0].quality.deepest = 3e-3;
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd double", bullet), nullptr);
    outcomes[0].quality.deepest = 1e-3;
    EXPECT_EQ(find_cheapest_as_good(outcomes, "avbd double", bullet), &outcomes[0]);
}

TEST(PileJudgement, sink_and_drift_are_measured_from_the_true_place_of_the_top)
{
    const PileScene& scene = all_pile_scenes()[0];
    const Model model = scene.build(true).value();
    State state(model);
    state.body_pose.back().position = scene.top(true) + Vec3{0.03, -0.04, -0.02};
    PileOutcome outcome;
    judge_end(scene, true, model, state, outcome);
    EXPECT_NEAR(outcome.sink, 0.02, 1e-12);
    EXPECT_NEAR(outcome.drift, 0.05, 1e-12);
}

TEST(PileScenes, are_what_the_issue_names)
{
    const auto bodies = [](const Result<Model>& model) { return model.value().body_count() - 1; };
    EXPECT_EQ(bodies(build_pyramid({.layers = 15, .gap = 0.5})), 1240);
    EXPECT_EQ(bodies(build_flat_pyramid()), 5050);
    EXPECT_EQ(bodies(build_mixed_bin()), 1000);
    EXPECT_EQ(bodies(build_wall({.rows = 50, .columns = 200, .ball_speed = 20})), 10001);
    EXPECT_EQ(bodies(build_heaps({.count = 1234})), 1234);
    const Model ragdolls = build_ragdolls().value();
    EXPECT_EQ(ragdolls.body_count() - 1, 1100);
    EXPECT_EQ(ragdolls.joint_count(), 100 * 10 + 100);
    const Model grid = build_joint_grid().value();
    EXPECT_EQ(grid.body_count() - 1, 10000);
    EXPECT_EQ(grid.equality_count(), 19800 - 6);  // none between two of the seven that are fixed
}

TEST(PileScenes, nothing_overlaps_at_first_and_every_peer_can_run_them)
{
    for (const PileScene& scene : all_pile_scenes())
    {
        const Model model = scene.build(true).value();
        State state(model);
        const PileQuality quality = measure_quality(model, state, scene.region(true));
        EXPECT_LT(quality.deepest, 1e-6) << scene.name;
        EXPECT_LT(quality.joint_error, 1e-9) << scene.name;
        EXPECT_EQ(quality.escaped, 0) << scene.name;
        EXPECT_TRUE(find_inexpressible(model, "peer").empty()) << scene.name;
    }
}

TEST(PileScenes, the_drum_turns_at_its_speed)
{
    const Model model = build_tumbler({.count = 1, .speed = 25}).value();
    Simulation simulation(model, {.solver = "avbd", .dt = 0.01});
    simulation.run_for(2);
    const Vec3 up = rotate(simulation.state().body_pose[1].rotation, Vec3{0, 0, 1});
    EXPECT_NEAR(std::atan2(up.x, up.z), 50 * kDegree, 1e-6);
}

TEST(PileBench, an_unknown_scene_is_answered_with_the_nearest)
{
    const Bench& bench = *find_bench("piles").value();
    BenchReport report;
    const Status measured = bench.measure({.quick = true, .scene = "pyramyd"}, report);
    ASSERT_FALSE(measured.ok());
    EXPECT_EQ(measured.errors()[0].code, ErrorCode::unknown_name);
    EXPECT_NE(to_text(measured.errors()).find("'pyramid'"), std::string::npos) << to_text(measured.errors());
}

TEST(PileBench, a_quick_scene_has_a_row_for_every_setting_and_every_peer_found)
{
    const Bench& bench = *find_bench("piles").value();
    BenchReport report;
    ASSERT_TRUE(bench.measure({.quick = true, .scene = "capsules_27"}, report).ok());
    ASSERT_EQ(report.tables.size(), 1U);
    const BenchTable& table = report.tables[0];
    ASSERT_EQ(table.rows.size(), 6 + report.peers_found.size());  // four settings, two of mode penalty
    EXPECT_EQ(table.rows[0].name, "avbd 1x4");
    constexpr std::size_t kDeepest = 7, kMeanOverlap = 8;
    ASSERT_EQ(table.columns[kDeepest], "deepest [mm]");
    ASSERT_EQ(table.columns[kMeanOverlap], "mean overlap [mm]");
    for (const BenchTable::Row& row : table.rows)
    {
        ASSERT_EQ(row.values.size(), table.columns.size());
        EXPECT_GT(row.values[0], 0) << row.name;
        EXPECT_GE(row.values[kMeanOverlap], 0) << row.name;
        EXPECT_LE(row.values[kMeanOverlap], row.values[kDeepest]) << row.name;
        EXPECT_LT(row.values[kDeepest], 100) << row.name << ": a capsule is in another by half its radius [mm]";
        EXPECT_EQ(row.values.back(), 0) << row.name << " lost a body";
    }
}

TEST(BenchMeasures, the_exponent_of_a_power_law_is_found)
{
    const std::vector<double> x{10, 100, 1000};
    std::vector<double> y;
    for (const double value : x) y.push_back(3 * std::pow(value, 1.3));
    EXPECT_NEAR(find_exponent(x, y), 1.3, 1e-12);
}

}  // namespace
}  // namespace rattleback::lab
