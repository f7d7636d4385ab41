// Tests of the benches `comfree` and `batch`: names, the shape of their tables, and what a quick experiment must show.
#include "lab/bench/batch.h"
#include "lab/bench/comfree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace rattleback::lab
{

namespace
{

/// The row of that name, or a failure.
const BenchTable::Row& find_row(const BenchTable& table, std::string_view name)
{
    for (const BenchTable::Row& row : table.rows)
    {
        if (row.name == name) return row;
    }
    ADD_FAILURE() << "no row " << name;
    return table.rows.front();
}

}  // namespace

TEST(ComfreeBench, an_unknown_experiment_is_answered_with_the_nearest)
{
    for (const auto& [name, wrong, right] :
         {std::tuple("comfree", "stabilty", "'stability'"), std::tuple("batch", "capsule", "'capsules'")})
    {
        BenchReport report;
        const Status measured = find_bench(name).value()->measure({.quick = true, .scene = wrong}, report);
        ASSERT_FALSE(measured.ok());
        EXPECT_EQ(measured.errors()[0].code, ErrorCode::unknown_name);
        EXPECT_NE(to_text(measured.errors()).find(right), std::string::npos) << to_text(measured.errors());
    }
}

TEST(ComfreeBench, the_code_creeps_by_the_closed_formula_and_anchors_do_not)
{
    BenchReport report;
    ASSERT_TRUE(find_bench("comfree").value()->measure({.quick = true, .scene = "creep"}, report).ok());
    ASSERT_EQ(report.tables.size(), 1U);
    const BenchTable& table = report.tables[0];
    constexpr std::size_t kTenDegrees = 1;
    ASSERT_EQ(table.columns[kTenDegrees], "10 deg, friction 1");
    for (const BenchTable::Row& row : table.rows) EXPECT_EQ(row.values.size(), table.columns.size()) << row.name;
    // g sin(angle) dt (1 - c) / c, c = 2 N mu^2 R (d + k dt), four contacts, R between 9 and 19 [um/s]; the two facets
    // along the slope push by half where the slip leaves one of them behind.
    const double code = find_row(table, "as_coded").values[kTenDegrees];
    const double pull = 1e6 * 9.81 * std::sin(10 * kDegree) * 0.002;
    const auto creep = [&](double ratio) { return pull * (1 / (8 * ratio * 0.0014) - 1); };
    EXPECT_GT(code, 0.5 * creep(19));
    EXPECT_LT(code, 2 * creep(9));
    EXPECT_LT(std::abs(find_row(table, "stable, anchor").values[kTenDegrees]), 10);
}

TEST(ComfreeBench, a_box_on_contacts_of_dimension_six_rests_under_the_stable_law)
{
    BenchReport report;
    ASSERT_TRUE(find_bench("comfree").value()->measure({.quick = true, .scene = "condim6"}, report).ok());
    ASSERT_EQ(report.tables.size(), 1U);
    for (const char* gains : {"k 0.2, d 0.001", "k 0.5, d 0.005"})
    {
        for (const double speed : find_row(report.tables[0], std::string("stable, ") + gains).values)
            EXPECT_LT(speed, 1e-3) << gains;
    }
    EXPECT_TRUE(std::isfinite(find_row(report.tables[0], "convex").values[0]));
}

TEST(BatchBench, its_contenders_are_convex_and_every_law_and_method_of_comfree)
{
    std::vector<std::string> names;
    for (const BatchContender& contender : batch_contenders())
    {
        names.push_back(contender.name);
        const Result<Simulation> made = Simulation::make(
            ModelBuilder().build().value(), {.solver = contender.solver, .parameters = contender.parameters});
        EXPECT_TRUE(made.ok()) << contender.name << ": " << to_text(made.errors());
    }
    for (const std::string_view word : {"convex", "sweeps", "direct", "printed", "as_coded"})
    {
        EXPECT_TRUE(
            std::ranges::any_of(names, [&](const std::string& name) { return name.find(word) != std::string::npos; }))
            << word;
    }
}

TEST(BenchScenes, run_alike_in_our_hands_step_by_step_and_at_once)
{
    const BenchScene scene = BenchScene::parse(R"(
<mujoco><worldbody><geom type="plane" size="0 0 .1"/>
  <body pos="0 0 .2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)")
                                 .value();
    SceneRun one = SceneRun::make(scene, make_comfree("stable", {})).value(),
             other = SceneRun::make(scene, make_comfree("stable", {})).value();
    for (SceneRun* run : {&one, &other}) run->reset();
    EXPECT_NEAR(one.find_energy().total(), 1000 * 4.0 / 3 * kPi * 1e-3 * 9.81 * 0.2, 1e-9);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(one.step());
    ASSERT_TRUE(other.step(100));
    EXPECT_EQ(one.q()[2], other.q()[2]);
    std::vector<double> depths;
    one.step(200);
    one.read_depths(depths);
    EXPECT_EQ(depths.size(), 1U) << "the ball lies on the ground";
}

}  // namespace rattleback::lab
