// A lane of a pack has the bits of a world alone, stage by stage.
#include "unit/dynamics/evaluate.h"

#include <gtest/gtest.h>

#include <bit>

namespace rattleback
{
namespace
{

void expect_same_bits(const std::vector<double>& single, const std::vector<Pack4>& pack, const char* what, int seed)
{
    for (std::size_t i = 0; i < single.size(); ++i)
    {
        for (int k = 0; k < 4; ++k)
        {
            ASSERT_EQ(std::bit_cast<std::uint64_t>(single[i]), std::bit_cast<std::uint64_t>(lane(pack[i], k)))
                << what << ' ' << i << " of model " << seed;
        }
    }
}

TEST(Packs, every_array_of_a_pack_has_the_bits_of_a_single_world)
{
    for (int seed = 0; seed < 300; ++seed)
    {
        RandomCase c(static_cast<std::uint64_t>(seed));
        const Tree tree(c.model);
        Workspace<double> single(tree);
        Workspace<Pack4> pack(tree);
        evaluate(single, c.state, c.control, 0.002);
        evaluate(pack, c.state, c.control, 0.002);
        expect_same_bits(single.mass_matrix, pack.mass_matrix, "M", seed);
        expect_same_bits(single.inverse_pivot, pack.inverse_pivot, "pivots", seed);
        expect_same_bits(single.bias, pack.bias, "bias", seed);
        expect_same_bits(single.passive, pack.passive, "passive", seed);
        expect_same_bits(single.actuation, pack.actuation, "actuation", seed);
        expect_same_bits(single.total, pack.total, "total", seed);
        expect_same_bits(single.qacc, pack.qacc, "acceleration", seed);
    }
}

TEST(Packs, a_push_on_one_world_leaves_the_bits_of_its_neighbours)
{
    // An unpushed world skips the wrench pass alone, yet adds zeros when a neighbour in its pack is pushed.
    RandomCase c(11);
    c.control = Control(c.model);
    Control pushed = c.control;
    pushed.body_wrench[1].force = {1, 2, 3};
    const Tree tree(c.model);
    Workspace<double> single(tree);
    evaluate(single, c.state, c.control, 0.002);
    Workspace<Pack4> pack(tree);
    for (int k = 0; k < 4; ++k) load_world(pack, k, c.state.world(), (k == 2 ? pushed : c.control).world());
    StageTimer timer(false);
    compute_position_stage(pack, timer);
    compute_velocity_stage(pack, 0.002, timer);
    ASSERT_TRUE(pack.has_wrench);
    for (std::size_t d = 0; d < single.total.size(); ++d)
    {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(single.total[d]), std::bit_cast<std::uint64_t>(lane(pack.total[d], 1)));
    }
}

}  // namespace
}  // namespace rattleback
