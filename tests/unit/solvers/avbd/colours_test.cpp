// Colours of blocks: who touches differs, and colours follow who touches whom, not the steps before.
#include "solvers/avbd/colours.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <random>

namespace rattleback::avbd
{
namespace
{

Model make_boxes(int count)
{
    ModelBuilder builder;
    builder.add_ground();
    for (int i = 0; i < count; ++i)
    {
        const BodyId body = builder.add_body({.position = {2.0 * i, 0, 1}});
        builder.add_shape(body, Box{});
    }
    return builder.build().value();
}

/// Contacts between random parts, the world among them.
std::vector<RowGroup> make_groups(std::mt19937& random, int parts, int pairs)
{
    std::vector<RowGroup> groups(static_cast<std::size_t>(pairs));
    std::uniform_int_distribution<int> any(0, parts - 1);
    for (RowGroup& group : groups)
    {
        group.first = any(random);
        do group.second = any(random);
        while (group.second == group.first);
    }
    return groups;
}

void expect_proper(const Layout& layout, const std::vector<RowGroup>& groups, const Colouring& colouring)
{
    const auto at = [](int index) { return static_cast<std::size_t>(index); };
    for (const RowGroup& group : groups)
    {
        const Part& a = layout.parts[at(group.first)];
        const Part& b = layout.parts[at(group.second)];
        if (!a.dynamic || !b.dynamic) continue;
        EXPECT_NE(colouring.colour[at(a.block)], colouring.colour[at(b.block)]);
    }
    std::vector<int> seen(layout.blocks.size());
    for (const int block : colouring.blocks) ++seen[at(block)];
    for (const int times : seen) EXPECT_EQ(times, 1);
}

TEST(AvbdColours, blocks_that_touch_differ_and_each_has_one_colour)
{
    const Model model = make_boxes(40);
    const Layout layout(model, true);
    std::mt19937 random(7);
    Colouring kept;
    for (int step = 0; step < 50; ++step)
    {
        const std::vector<RowGroup> groups = make_groups(random, static_cast<int>(layout.parts.size()), 60);
        for (int again = 0; again < 2; ++again)  // the second time nothing has changed
        {
            colour_blocks(layout, groups, kept);
            expect_proper(layout, groups, kept);
        }
        Colouring fresh;
        colour_blocks(layout, groups, fresh);
        EXPECT_EQ(kept.colour, fresh.colour);
        EXPECT_EQ(kept.blocks, fresh.blocks);
        EXPECT_EQ(kept.begin, fresh.begin);
    }
}

}  // namespace
}  // namespace rattleback::avbd
