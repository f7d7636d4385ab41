// Tests of the benches `robust` and `soak`: their figures against closed forms, and runs in parts against whole ones.
#include "lab/bench/bench.h"
#include "lab/bench/robust_log.h"
#include "lab/metrics/soak.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rattleback::lab
{

namespace
{

/// A folder that goes with the test.
class KeptRuns : public testing::Test
{
protected:
    KeptRuns() : folder_(std::filesystem::path(testing::TempDir()) / test_name())
    {
        std::filesystem::create_directories(folder_);
    }
    ~KeptRuns() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;

private:
    static std::string test_name() { return testing::UnitTest::GetInstance()->current_test_info()->name(); }
};

constexpr double kMass = 2, kSpeed = 1e-3, kDamping = 0.02;

/// A ball on a slide along z, across gravity, that nothing but a damper holds back.
Result<Model> build_slider()
{
    ModelBuilder builder("slider");
    builder.settings().gravity = {-9.81, 0, 0};
    const BodyId body = builder.add_body();
    builder.add_joint(body,
                      {.type = JointType::slide, .axis = {0, 0, 1}, .initial_velocity = kSpeed, .damping = kDamping});
    builder.add_shape(body, Sphere{.radius = 0.1}, {.mass = kMass});
    return builder.build();
}

TEST(Soak, drift_of_height_and_energy_is_that_of_a_damped_slider)
{
    const SoakScene scene{.name = "slider",
                          .build = &build_slider,
                          .find_height = [](const Simulation& sample) { return sample.state().position(BodyId{1}).z; }};
    Simulation simulation(build_slider().value(), {.solver = "smooth"});
    SoakAccount account;
    constexpr double kEnd = 40;
    run_soak(scene, kEnd, {}, simulation, account);
    // z = v m / c (1 - exp(-c t / m)) from the first look on
    const double first = std::exp(-kDamping / kMass * kSoakSettled), last = std::exp(-kDamping / kMass * kEnd);
    EXPECT_EQ(account.looks, 4);  // after 16, 24, 32 and 40 s
    EXPECT_NEAR(account.seconds, kEnd, 1e-9);
    EXPECT_NEAR(account.height_drift(), kSpeed * kMass / kDamping * (first - last), 1e-9);
    EXPECT_NEAR(account.height_range(), account.height_drift(), 1e-12);
    const double lost = 0.5 * kSpeed * kSpeed / 9.81 * (first * first - last * last);
    EXPECT_NEAR(account.energy_drift() / -lost, 1, 1e-4);
    EXPECT_EQ(account.energy_gain(), 0);
    EXPECT_FALSE(account.diverged);
}

TEST_F(KeptRuns, a_soak_that_was_interrupted_goes_on_as_if_it_had_not_been)
{
    const Bench& bench = *find_bench("soak").value();
    const auto run = [&](double seconds, const std::string& keep)
    {
        BenchReport report;
        const Status measured =
            bench.measure({.solver = "convex", .scene = "chain", .keep = keep, .hours = seconds / 3600}, report);
        EXPECT_TRUE(measured.ok()) << to_text(measured.errors());
        EXPECT_TRUE(report.passes()) << report.verdict();
        return report.tables.at(0).rows.at(0).values;
    };
    run(24, folder_.string());
    const std::vector<double> resumed = run(40, folder_.string()), straight = run(40, "");
    EXPECT_EQ(resumed[1], straight[1]);                   // hours
    EXPECT_EQ(resumed[3], straight[3]);                   // energy gained
    EXPECT_EQ(resumed[5], straight[5]);                   // and drift
    EXPECT_EQ(run(40, folder_.string())[2], resumed[2]);  // CPU time: nothing was left to run
}

TEST_F(KeptRuns, wild_scenes_run_in_shards_add_up_to_the_whole)
{
    const Bench& bench = *find_bench("robust").value();
    const auto run = [&](const std::string& seeds, const std::string& keep)
    {
        BenchReport report;
        const Status measured = bench.measure({.solver = "comfree", .seeds = seeds, .keep = keep}, report);
        EXPECT_TRUE(measured.ok()) << to_text(measured.errors());
        return report.tables.at(0).rows.at(0).values;
    };
    const std::string log = (folder_ / "log.jsonl").string();
    EXPECT_EQ(run("1..1", log)[0], 1);
    run("2..3", log);
    EXPECT_EQ(run("1..3", log), run("1..3", ""));
    EXPECT_EQ(RobustLog::open(log).value().runs().size(), 24);  // six kinds, two of them without the guard as well

    // A line that a kill cut off is run again; one that is no line of ours is named.
    std::ofstream(log, std::ios::app) << R"({"contender":"com)";
    EXPECT_EQ(RobustLog::open(log).value().runs().size(), 24);
    std::ofstream(log, std::ios::app) << "\n{}\n";
    const Result<RobustLog> broken = RobustLog::open(log);
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.errors()[0].where, log + ":25");
}

TEST(Soak, unknown_scenes_solvers_and_seeds_are_named)
{
    const auto answer = [](const char* bench, const BenchOptions& options)
    {
        BenchReport report;
        return to_text(find_bench(bench).value()->measure(options, report).errors());
    };
    EXPECT_NE(answer("soak", {.scene = "stak"}).find("'stack'"), std::string::npos);
    EXPECT_NE(answer("soak", {.solver = "convx"}).find("'convex'"), std::string::npos);
    EXPECT_NE(answer("robust", {.solver = "convex,refined"}).find("no contender 'refined'"), std::string::npos);
    for (const char* seeds : {"5", "5..", "..5", "7..3", "0..3", "1..x", "1...3"})
        EXPECT_NE(answer("robust", {.seeds = seeds}).find("1 <= A <= B"), std::string::npos) << seeds;
}

}  // namespace
}  // namespace rattleback::lab
