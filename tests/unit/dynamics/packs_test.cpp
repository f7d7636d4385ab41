// A lane of a pack has the bits of a world alone, stage by stage.
#include "unit/dynamics/evaluate.h"

#include <gtest/gtest.h>

#include <bit>

namespace rattleback
{
namespace
{

void expect_same_bits(std::span<const double> single, std::span<const Pack4> pack, const char* what, int seed)
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

/// Largest difference, as a part of the largest number.
double find_error(std::span<const double> right, std::span<const float> single)
{
    double largest = 1e-30, error = 0;
    for (std::size_t i = 0; i < right.size(); ++i)
    {
        largest = std::max(largest, std::abs(right[i]));
        error = std::max(error, std::abs(right[i] - static_cast<double>(single[i])));
    }
    return error / largest;
}

TEST(Packs, floats_agree_with_doubles_to_their_rounding_and_packs_of_floats_with_floats_to_the_bit)
{
    for (int seed = 0; seed < 100; ++seed)
    {
        RandomCase c(static_cast<std::uint64_t>(seed));
        const Tree tree(c.model);
        Workspace<double> right(tree);
        Workspace<float> single(tree);
        Workspace<Pack8> pack(tree);
        evaluate(right, c.state, c.control, 0.002);
        evaluate(single, c.state, c.control, 0.002);
        evaluate(pack, c.state, c.control, 0.002);
        // some hundred roundings of 6e-8 each, and differences of places a few metres away
        EXPECT_LT(find_error(right.mass_matrix, single.mass_matrix), 1e-4) << seed;
        EXPECT_LT(find_error(right.bias, single.bias), 1e-4) << seed;
        EXPECT_LT(find_error(right.tendon_length, single.tendon_length), 1e-5) << seed;
        EXPECT_LT(find_error(right.passive, single.passive), 1e-3) << seed;
        for (std::size_t d = 0; d < single.qacc.size(); ++d)
        {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(single.qacc[d]),
                      std::bit_cast<std::uint32_t>(static_cast<float>(lane(pack.qacc[d], 5))))
                << seed;
        }
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
