// Tests of drift, conservation and benchmark figures.
#include "lab/bench/bench.h"
#include "lab/bench/data_folder.h"
#include "lab/measure/measure.h"
#include "lab/metrics/drift.h"
#include "lab/scenes/chains.h"
#include "lab/scenes/pendulums.h"
#include "lab/scenes/tumblers.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace rattleback::lab
{
namespace
{

Simulation simulate(Result<Model> model)
{
    return Simulation::make(std::move(model).value(), {.solver = "smooth"}).value();
}

TEST(Drift, is_zero_when_nothing_changes)
{
    Simulation simulation = simulate(build_tumble());
    DriftWatch watch(simulation);
    watch.sample(simulation);
    EXPECT_EQ(watch.drift().energy, 0);
    EXPECT_EQ(watch.drift().linear, 0);
    EXPECT_EQ(watch.drift().angular, 0);
}

TEST(Drift, of_a_body_sped_up_by_one_percent_is_two_percent_of_energy_and_one_of_momentum)
{
    Simulation simulation = simulate(build_tumble());
    DriftWatch watch(simulation);
    for (double& v : simulation.state().v) v *= 1.01;
    simulation.refresh();
    watch.sample(simulation);
    EXPECT_NEAR(watch.drift().energy, 1.01 * 1.01 - 1, 1e-12);
    EXPECT_NEAR(watch.drift().angular, 0.01, 1e-12);
    // And it keeps the largest deviation when the body slows down again.
    simulation.reset();
    watch.sample(simulation);
    EXPECT_NEAR(watch.drift().energy, 1.01 * 1.01 - 1, 1e-12);
}

TEST(Drift, of_linear_momentum_is_measured_against_the_most_that_the_energy_could_carry)
{
    Simulation simulation = simulate(build_tumble());
    const double kinetic = simulation.energy().kinetic;
    DriftWatch watch(simulation);
    simulation.state().v[0] = 0.1;  // 1 kg at 0.1 m/s
    simulation.refresh();
    watch.sample(simulation);
    EXPECT_NEAR(watch.drift().linear, 0.1 / std::sqrt(2 * kinetic), 1e-12);
}

TEST(Conserved, depends_on_how_a_model_hangs_on_the_world)
{
    const Conserved tumble = find_conserved(build_tumble().value());
    EXPECT_TRUE(tumble.energy && tumble.linear && tumble.angular);
    EXPECT_EQ(norm(tumble.axis), 0);

    const Conserved pendulum = find_conserved(build_pendulum().value());
    EXPECT_TRUE(pendulum.energy);
    EXPECT_FALSE(pendulum.linear || pendulum.angular);

    const Conserved chain5 = find_conserved(build_chain5().value());
    EXPECT_TRUE(chain5.energy && chain5.angular);
    EXPECT_FALSE(chain5.linear);
    EXPECT_NEAR(std::abs(chain5.axis.z), 1, 1e-15);

    const Conserved top = find_conserved(build_spinning_top().value());
    EXPECT_TRUE(top.energy && top.angular);
    EXPECT_NEAR(std::abs(top.axis.z), 1, 1e-15);
}

TEST(Conserved, momentum_stays_between_bodies_that_touch_each_other_alone)
{
    const auto make = [](bool floor, bool weld, const Vec3& gravity)
    {
        ModelBuilder builder;
        builder.settings().gravity = gravity;
        if (floor) builder.add_ground();
        const BodyId ball = builder.add_body({.position = {0, 0, 1}});
        builder.add_shape(ball, Sphere{0.1});
        builder.add_shape(builder.add_body(), Box{});
        if (weld) builder.add_connect(ball, kWorld, {0, 0, 1});
        return find_conserved(builder.build().value());
    };
    const Conserved free = make(false, false, {});
    EXPECT_TRUE(free.linear && free.angular) << "contact forces come in pairs";
    EXPECT_FALSE(free.energy) << "and take energy";
    for (const Conserved& held : {make(true, false, {}), make(false, true, {}), make(false, false, {0, 0, -9.81})})
        EXPECT_FALSE(held.linear || held.angular);
}

TEST(Conserved, agrees_with_a_run_of_the_planar_chain)
{
    Simulation simulation = simulate(build_chain5());
    const RunResult run = run_and_watch(simulation, 2);
    EXPECT_EQ(run.report.status, StepStatus::ok);
    EXPECT_EQ(run.steps, 1000);
    EXPECT_LT(run.drift.energy, 1e-4);
    EXPECT_LT(run.drift.angular, 1e-4);
}

TEST(Figures, pass_or_miss_their_bar_in_the_right_direction)
{
    EXPECT_TRUE((Figure{.name = "speed", .value = 2, .bar = 1.8}.passes()));
    EXPECT_FALSE((Figure{.name = "speed", .value = 1.7, .bar = 1.8}.passes()));
    EXPECT_TRUE((Figure{.name = "time", .value = 9, .bar = 10, .higher_is_better = false}.passes()));
    EXPECT_FALSE((Figure{.name = "time", .value = 11, .bar = 10, .higher_is_better = false}.passes()));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE((Figure{.name = "broken", .value = nan, .bar = 10, .higher_is_better = false}.passes()));
    EXPECT_TRUE((Figure{.name = "no bar", .value = nan}.passes()));
}

TEST(PublicScenes, a_stand_in_has_its_own_name_and_no_bars)
{
    setenv("RATTLEBACK_DATA", "/nowhere", 1);
    const auto measure = [](const PublicScene& scene)
    {
        BenchReport report;
        measure_public_scene(scene, report,
                             [&](const FoundScene& found)
                             {
                                 EXPECT_FALSE(found.file);
                                 report.figures.push_back({.name = found.title, .value = 1, .bar = 2, .aim = 3});
                             });
        return report;
    };
    const BenchReport stand_in = measure({"Shadow hand", "hand.xml", "our hand"}),
                      none = measure({"G1", "g1.xml", nullptr}), ours = measure({"our hand", "", nullptr});
    unsetenv("RATTLEBACK_DATA");
    ASSERT_EQ(stand_in.figures.size(), 1u);
    EXPECT_EQ(stand_in.figures[0].name, "our hand");
    EXPECT_FALSE(stand_in.figures[0].bar || stand_in.figures[0].aim);
    ASSERT_EQ(stand_in.notes.size(), 1u);
    EXPECT_NE(stand_in.notes[0].find("Shadow hand is not measured: /nowhere/hand.xml"), std::string::npos);
    EXPECT_TRUE(none.figures.empty());
    EXPECT_EQ(none.notes.size(), 1u);
    ASSERT_EQ(ours.figures.size(), 1u);  // a scene of ours from the start is judged
    EXPECT_TRUE(ours.figures[0].bar && ours.figures[0].aim && ours.notes.empty());
}

TEST(Figures, a_verdict_is_one_line_that_names_what_was_missed)
{
    BenchReport report{.name = "demo"};
    report.figures.push_back({.name = "good", .value = 2, .unit = "x", .bar = 1});
    EXPECT_EQ(report.verdict(), "demo: pass (1 of 1 bars met)");
    report.figures.push_back({.name = "poor", .value = 1.5, .unit = "x", .bar = 1.8});
    EXPECT_EQ(report.verdict(), "demo: MISS (1 of 2 bars met; missed: poor is 1.5 x, bar 1.8)");
    const nlohmann::json json = to_json(report);
    EXPECT_FALSE(json["passes"]);
    EXPECT_EQ(json["figures"][1]["bar"], 1.8);
    EXPECT_TRUE(json["figures"][1]["aim"].is_null());
}

TEST(Measure, the_median_is_the_middle_value)
{
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
    EXPECT_TRUE(std::isnan(median({})));
}

TEST(Measure, alternating_runs_meet_the_same_moments)
{
    int turn = 0;
    const std::vector<std::function<double()>> candidates = {[&] { return turn++; }, [&] { return turn++; }};
    EXPECT_EQ(median_of_alternating(candidates, 3), (std::vector<double>{2, 3}));  // 0 2 4 and 1 3 5
}

TEST(Measure, a_program_that_does_not_exist_is_an_error_and_an_exit_code_is_passed_on)
{
    EXPECT_EQ(run_program({"sh", "-c", "exit 7"}).value(), 7);
    EXPECT_FALSE(run_program({"/nonexistent/program"}).ok());
}

TEST(Bench, an_unknown_name_is_answered_with_the_nearest)
{
    const Result<const Bench*> bench = find_bench("tumbel");
    ASSERT_FALSE(bench.ok());
    EXPECT_NE(bench.errors()[0].text().find("'tumble'"), std::string::npos);
}

TEST(Bench, tumble_meets_its_bars_and_rk4_shows_the_known_loss_of_angular_momentum)
{
    const BenchReport report = run_bench(*find_bench("tumble").value(), {.quick = true}).value();
    EXPECT_TRUE(report.passes()) << report.verdict();
    const auto value = [&](std::string_view name)
    {
        for (const Figure& figure : report.figures)
        {
            if (figure.name == name) return figure.value;
        }
        return std::numeric_limits<double>::quiet_NaN();
    };
    // Measured in MuJoCo: 1e-6, 2.3e-2 and 0.22. The same methods must give the same figures.
    EXPECT_NEAR(value("rk4 at 1 ms, angular momentum drift"), 1.3e-6, 5e-7);
    EXPECT_NEAR(value("euler at 1 ms, energy drift"), 2.3e-2, 1e-3);
    EXPECT_NEAR(value("euler at 16 ms, angular momentum drift"), 0.22, 0.01);
}

}  // namespace
}  // namespace rattleback::lab
