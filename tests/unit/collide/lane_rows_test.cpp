// Pairs of one world, four at a time, against every pair on its own.
#include "collide/lane_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rattleback
{
namespace
{

TEST(LaneRows, visit_the_pairs_whose_bounds_meet_and_no_others)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    int met = 0;
    for (int scene = 0; scene < 50; ++scene)
    {
        // Some shapes are in no pair, some pairs are looked at elsewhere, and orders are any.
        const int count = 2 + scene;
        std::vector<int> shapes;
        for (int s = 0; s < count; ++s)
            if (s % 7 != 3) shapes.push_back(s);
        std::shuffle(shapes.begin(), shapes.end(), random);
        std::vector<std::array<int, 2>> pairs;
        for (const int a : shapes)
            for (const int b : shapes)
                if (a < b && unit(random) < 0.6)
                    pairs.push_back(unit(random) < 0.1   ? std::array{-1, -1}
                                    : unit(random) < 0.5 ? std::array{a, b}
                                                         : std::array{b, a});
        if (pairs.size() < 20) continue;
        std::vector<LaneBounds<double>> bounds(static_cast<std::size_t>(count));
        for (LaneBounds<double>& box : bounds)
        {
            for (int k = 0; k < 3; ++k)
            {
                box.lower[k] = unit(random);
                box.upper[k] = box.lower[k] + unit(random);
            }
        }
        std::vector<int> expected, found;
        for (std::size_t p = 0; p < pairs.size(); ++p)
        {
            const auto bound = [&](int i)
            { return bounds[static_cast<std::size_t>(pairs[p][static_cast<std::size_t>(i)])]; };
            if (pairs[p][0] >= 0 && do_meet(bound(0), bound(1))) expected.push_back(static_cast<int>(p));
        }
        LaneRows rows(shapes, pairs);
        ASSERT_FALSE(rows.empty());
        rows.place(bounds);
        rows.visit([&](int pair) { found.push_back(pair); });
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
        met += static_cast<int>(found.size());
    }
    EXPECT_GT(met, 1000);
}

TEST(LaneRows, are_empty_where_pairs_are_few_among_the_shapes)
{
    std::vector<int> shapes(400);
    for (int s = 0; s < 400; ++s) shapes[static_cast<std::size_t>(s)] = s;
    const std::array<int, 2> pairs[] = {{0, 1}, {0, 399}};
    EXPECT_TRUE(LaneRows(shapes, pairs).empty());
}

}  // namespace
}  // namespace rattleback
