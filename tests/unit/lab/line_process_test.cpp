// A child process that answers lines: what it says arrives, and whatever goes wrong with it is an error in time.
#include "lab/peers/line_process.h"

#include <gtest/gtest.h>

namespace rattleback::lab
{
namespace
{

using std::chrono::milliseconds;

constexpr milliseconds kPatience{20000};

TEST(LineProcess, answers_of_any_length_arrive_whole_and_in_order)
{
    Result<LineProcess> started = LineProcess::start({"cat"});
    ASSERT_TRUE(started.ok()) << to_text(started.errors());
    LineProcess echo = std::move(started).value();
    for (const std::size_t length : {1u, 0u, 65535u, 65536u, 150000u})
    {
        const std::string line(length, static_cast<char>('a' + length % 26));
        const Result<std::string> answer = echo.ask(line, kPatience);
        ASSERT_TRUE(answer.ok()) << to_text(answer.errors());
        EXPECT_TRUE(answer.value() == line) << length;
    }
}

TEST(LineProcess, two_answers_in_one_piece_are_told_apart)
{
    LineProcess child = LineProcess::start({"sh", "-c", "read x; printf 'one\\ntwo\\n'; read x; sleep 60"}).value();
    EXPECT_EQ(child.ask("", kPatience).value(), "one");
    EXPECT_EQ(child.ask("", kPatience).value(), "two");
}

TEST(LineProcess, words_reach_the_child_as_they_are_without_a_shell)
{
    const std::vector<std::string> command{"sh", "-c", "read x; echo \"$1\"", "sh", "$HOME; echo `x` 'y'"};
    LineProcess child = LineProcess::start(command).value();
    EXPECT_EQ(child.ask("", kPatience).value(), "$HOME; echo `x` 'y'");
}

TEST(LineProcess, a_program_that_does_not_exist_is_an_error)
{
    const Result<LineProcess> missing = LineProcess::start({"rattleback-no-such-program"});
    ASSERT_FALSE(missing.ok());
    EXPECT_NE(to_text(missing.errors()).find("rattleback-no-such-program"), std::string::npos);
}

TEST(LineProcess, a_child_that_ends_or_is_silent_is_an_error_and_not_a_wait_for_ever)
{
    LineProcess ended = LineProcess::start({"true"}).value();
    EXPECT_FALSE(ended.ask("hello", kPatience).ok());
    EXPECT_FALSE(ended.ask("hello again", kPatience).ok());
    LineProcess silent = LineProcess::start({"sleep", "60"}).value();
    EXPECT_FALSE(silent.ask("hello", milliseconds(100)).ok());
    EXPECT_FALSE(silent.ask(std::string(10'000'000, 'x'), milliseconds(100)).ok()) << "more than fits into a socket";
}

}  // namespace
}  // namespace rattleback::lab
