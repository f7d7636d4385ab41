// Nearest names for the hints of errors.
#include "base/nearest_match.h"

#include <gtest/gtest.h>

#include <array>

namespace rattleback
{

namespace
{

constexpr std::array<std::string_view, 6> kNames{"smooth", "convex", "comfree", "avbd", "pbd", "ipc"};

}  // namespace

TEST(NearestMatch, counts_edits_as_in_the_textbook)
{
    EXPECT_EQ(compute_edit_distance("", ""), 0);
    EXPECT_EQ(compute_edit_distance("", "abc"), 3);
    EXPECT_EQ(compute_edit_distance("kitten", "sitting"), 3);
    EXPECT_EQ(compute_edit_distance("sunday", "saturday"), 3);
    EXPECT_EQ(compute_edit_distance("avdb", "avbd"), 1) << "a swap of neighbours is one edit";
    EXPECT_EQ(compute_edit_distance("AVBD", "avbd"), 0) << "case does not count";
}

TEST(NearestMatch, is_symmetric)
{
    for (const std::string_view a : kNames)
    {
        for (const std::string_view b : kNames) EXPECT_EQ(compute_edit_distance(a, b), compute_edit_distance(b, a));
    }
}

TEST(NearestMatch, finds_the_name_that_was_meant)
{
    EXPECT_EQ(find_nearest_match("smoth", kNames), "smooth");
    EXPECT_EQ(find_nearest_match("avdb", kNames), "avbd");
    EXPECT_EQ(find_nearest_match("Convex", kNames), "convex");
    EXPECT_EQ(find_nearest_match("ipcs", kNames), "ipc");
}

TEST(NearestMatch, is_empty_when_nothing_is_near)
{
    EXPECT_EQ(find_nearest_match("featherstone", kNames), "");
    EXPECT_EQ(find_nearest_match("", kNames), "");
    EXPECT_EQ(find_nearest_match("x", kNames), "");
    EXPECT_EQ(find_nearest_match(std::string(100000, 'a'), kNames), "");
    EXPECT_EQ(find_nearest_match("smooth", {}), "");
}

TEST(NearestMatch, hints_with_the_match_or_with_all_names_when_they_are_few)
{
    EXPECT_EQ(make_name_hint("smoot", kNames), "did you mean 'smooth'?");
    EXPECT_EQ(make_name_hint("bullet", kNames), "one of: smooth, convex, comfree, avbd, pbd, ipc");
    const std::vector<std::string_view> many(40, "something");
    EXPECT_EQ(make_name_hint("else", many), "");
}

}  // namespace rattleback
