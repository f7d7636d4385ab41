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

/// Contacts between random groups, the world among them.
std::vector<Manifold> make_manifolds(std::mt19937& random, int groups, int pairs)
{
    std::vector<Manifold> manifolds(static_cast<std::size_t>(pairs));
    std::uniform_int_distribution<int> any(0, groups - 1);
    for (Manifold& manifold : manifolds)
    {
        manifold.first = any(random);
        do manifold.second = any(random);
        while (manifold.second == manifold.first);
    }
    return manifolds;
}

void expect_proper(const Layout& layout, const std::vector<Manifold>& manifolds, const Colouring& colouring)
{
    const auto at = [](int index) { return static_cast<std::size_t>(index); };
    for (const Manifold& manifold : manifolds)
    {
        const RigidGroup& a = layout.groups[at(manifold.first)];
        const RigidGroup& b = layout.groups[at(manifold.second)];
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
        const std::vector<Manifold> manifolds = make_manifolds(random, static_cast<int>(layout.groups.size()), 60);
        for (int again = 0; again < 2; ++again)  // the second time nothing has changed
        {
            colour_blocks(layout, manifolds, kept);
            expect_proper(layout, manifolds, kept);
        }
        Colouring fresh;
        colour_blocks(layout, manifolds, fresh);
        EXPECT_EQ(kept.colour, fresh.colour);
        EXPECT_EQ(kept.blocks, fresh.blocks);
        EXPECT_EQ(kept.begin, fresh.begin);
    }
}

}  // namespace
}  // namespace rattleback::avbd
