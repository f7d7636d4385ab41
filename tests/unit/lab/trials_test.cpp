// Series of accuracy tests: seeds move nothing that matters, and an interrupted series goes on where it was.
#include "lab/accuracy/trials.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace rattleback::lab
{
namespace
{

class Trials : public ::testing::Test
{
protected:
    void TearDown() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    /// Fewer frames each: pushes of 1 N to 4 N on a box without friction.
    std::vector<TrialOutcome> run(TrialBook& book, int threads)
    {
        std::vector<Trial> trials;
        for (int i = 1; i <= 4; ++i)
            trials.push_back({.test = 1,
                              .changes = {.friction = 0.0, .force = 1.0 * i},
                              .who = {.name = "refined", .solver = "refined"},
                              .frames = 10 * i,
                              .keep = 5});
        const auto make = [](const Trial& trial) { return make_case(trial.test, trial.changes); };
        return book.run(trials, make, [](const std::string&) {}, threads).value();
    }

    std::string read() const
    {
        std::stringstream text;
        text << std::ifstream(folder_ / "runs.jsonl").rdbuf();
        return text.str();
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("rattleback_trials_" + std::to_string(getpid()));
};

TEST_F(Trials, several_threads_give_the_outcomes_of_one_in_their_order)
{
    TrialBook alone = TrialBook::open(folder_ / "one").value(), together = TrialBook::open(folder_ / "four").value();
    const std::vector<TrialOutcome> first = run(alone, 1), second = run(together, 4);
    ASSERT_EQ(first.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i)
    {
        const double frames = 10.0 * static_cast<double>(i + 1);
        EXPECT_EQ(first[i].end.time, frames * kCaseFrame);
        EXPECT_EQ(first[i].samples.size(), 2 * (i + 1) + 1) << "every fifth frame, the start included";
        // x = F / M t^2 / 2; float carries 7 digits
        EXPECT_NEAR(first[i].end.pose.x, 0.125 * static_cast<double>(i + 1) * first[i].end.time * first[i].end.time,
                    1e-6);
        EXPECT_EQ(first[i].end.position, second[i].end.position);
        EXPECT_EQ(first[i].mean.linear, second[i].mean.linear);
    }
}

TEST_F(Trials, what_is_in_the_file_is_not_run_again_and_a_line_cut_off_is)
{
    TrialBook book = TrialBook::open(folder_).value();
    const std::vector<TrialOutcome> first = run(book, 1);
    EXPECT_EQ(book.ran(), 4);
    const std::string whole = read();

    TrialBook again = TrialBook::open(folder_).value();
    const std::vector<TrialOutcome> second = run(again, 1);
    EXPECT_EQ(again.reused(), 4);
    EXPECT_EQ(again.ran(), 0);
    EXPECT_EQ(read(), whole);
    for (std::size_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(second[i].end.position, first[i].end.position) << "JSON keeps every bit";
        EXPECT_EQ(second[i].samples.back().place.position.x, first[i].samples.back().place.position.x);
    }

    std::ofstream(folder_ / "runs.jsonl") << whole.substr(0, whole.size() - 20);
    TrialBook torn = TrialBook::open(folder_).value();
    EXPECT_EQ(run(torn, 1)[3].end.position, first[3].end.position);
    EXPECT_EQ(torn.reused(), 3);
    EXPECT_EQ(torn.ran(), 1);
    TrialBook mended = TrialBook::open(folder_).value();
    run(mended, 1);
    EXPECT_EQ(mended.ran(), 0) << "the line after the torn one counts";

    TrialBook other = TrialBook::open(folder_, "; mesh other.obj").value();
    run(other, 1);
    EXPECT_EQ(other.reused(), 0);
}

TEST_F(Trials, a_contestant_that_cannot_run_is_kept_with_its_reason_and_no_numbers)
{
    TrialBook book = TrialBook::open(folder_).value();
    const Trial trial{.test = 1, .who = {.name = "smooth", .solver = "smooth"}, .frames = 5};
    const auto make = [](const Trial& t) { return make_case(t.test, t.changes); };
    const auto outcomes = book.run(std::span(&trial, 1), make, [](const std::string&) {}, 1).value();
    EXPECT_FALSE(outcomes[0].ran());
    EXPECT_NE(outcomes[0].refused.find("contact"), std::string::npos);
    EXPECT_TRUE(std::isnan(outcomes[0].end.position));
    const auto kept =
        TrialBook::open(folder_).value().run(std::span(&trial, 1), make, [](const std::string&) {}, 1).value();
    EXPECT_EQ(kept[0].refused, outcomes[0].refused);
    EXPECT_TRUE(std::isnan(kept[0].end.position));
}

TEST(AccuracyCases, a_shifted_start_has_the_same_answer)
{
    for (const int number : {1, 3, 7})
    {
        const AccuracyCase plain = make_case(number).value();
        const AccuracyCase moved = make_case(number, {.shift_x = 1e-3, .shift_y = -2e-3}).value();
        EXPECT_EQ(norm(plain.expected(500).displacement - moved.expected(500).displacement), 0) << number;
        const State a(*plain.model), b(*moved.model);
        EXPECT_NEAR(norm(b.pose(moved.object).position - a.pose(plain.object).position), std::sqrt(5.0) * 1e-3, 1e-12);
        // double and second order: what is left is the solver's own tolerance, 1e-5 g h per step
        const Contestant who{
            .name = "refined", .solver = "refined", .parameters = {{"precision", std::string("double")}}};
        const double first = run_case(plain, who, 50).end().position, second = run_case(moved, who, 50).end().position;
        EXPECT_NEAR(first, second, 1e-5) << number;
    }
}

}  // namespace
}  // namespace rattleback::lab
