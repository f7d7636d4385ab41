// Symmetric 3x3 matrices, lanes, the turn of the z axis and lists of zeros: against their definitions.
#include "math/symmetric3.h"
#include "math/align.h"
#include "math/lanes.h"
#include "math/random.h"
#include "math/zero.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace rattleback
{
namespace
{

TEST(Symmetric3, the_inverse_times_the_matrix_is_one)
{
    Random random(1);
    for (int i = 0; i < 200; ++i)
    {
        // a sum of squares with at least one on the diagonal: its condition number is below 20
        Symmetric3<double> a;
        for (int k = 0; k < 3; ++k) add_outer(a, 1.0, random.in_box(1));
        add_diagonal(a, 1.0);
        const Symmetric3<double> inverse = invert_or_zero(a);
        const Vec3 b = random.in_box(1);
        EXPECT_LT(norm(inverse * (a * b) - b), 1e-13);
        EXPECT_LT(norm(a * solve_or_zero(a, b) - b), 1e-13);
        EXPECT_LT(norm(Cholesky3<double>(a).solve(b) - inverse * b), 1e-13);
    }
}

TEST(Symmetric3, a_singular_matrix_has_the_inverse_zero)
{
    Symmetric3<double> flat;
    add_outer(flat, 1.0, Vec3{1, 0, 0});
    add_outer(flat, 2.0, Vec3{0, 1, 0});
    EXPECT_EQ(solve_or_zero(flat, Vec3{1, 2, 3}), Vec3{});
    for (const double entry : invert_or_zero(flat).m) EXPECT_EQ(entry, 0);
}

TEST(Lanes, of_any_width_are_loaded_stored_and_summed_in_the_stated_order)
{
    // powers of 2^20 far apart: sums in another order round to other numbers
    const double numbers[4] = {0x1p60, 1, -0x1p60, 3};
    double copy[4] = {};
    store_lanes(load_lanes<FullPack<double>>(numbers), copy);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(copy[i], numbers[i]);
    EXPECT_EQ(sum_halves(load_lanes<FullPack<double>>(numbers)), 4) << "(0 + 2) + (1 + 3)";
    EXPECT_EQ(sum_lanes(load_lanes<FullPack<double>>(numbers)), 0) << "(0 + 1) + (2 + 3)";

    const float floats[8] = {0x1p30F, 1, 0x1p30F, 2, -0x1p30F, 4, -0x1p30F, 8};
    EXPECT_EQ(sum_halves(load_lanes<FullPack<float>>(floats)), 15);
    EXPECT_EQ(sum_halves(load_lanes<float>(floats + 5)), 4);
    float one = 0;
    store_lanes(load_lanes<float>(floats + 3), &one);
    EXPECT_EQ(one, 2);
}

TEST(Align, the_turn_of_the_z_axis_ends_at_the_direction_by_the_shortest_way)
{
    Random random(2);
    for (int i = 0; i < 200; ++i)
    {
        const Vec3 direction = random.uniform(0.1, 10) * random.direction();
        const Quat turn = turn_z_to(direction);
        EXPECT_LT(norm(norm(direction) * rotate(turn, Vec3{0, 0, 1}) - direction), 1e-14 * norm(direction));
        EXPECT_EQ(turn.z, 0) << "its axis is across z";
        EXPECT_GE(turn.w, 0);
    }
    EXPECT_EQ(rotate(turn_z_to({0, 0, -3}), Vec3{0, 0, 1}), (Vec3{0, 0, -1}));
}

TEST(Zero, a_list_is_zero_where_all_its_numbers_are_of_either_sign)
{
    std::vector<Wrench> list(7);
    EXPECT_TRUE(are_zero<Wrench>(list));
    EXPECT_TRUE(are_zero<Wrench>({}));
    list[6].torque.z = -0.0;
    EXPECT_TRUE(are_zero<Wrench>(list));
    for (const double x : {5e-324, -5e-324, 1.0, std::numeric_limits<double>::quiet_NaN()})
    {
        for (Wrench& wrench : list)
        {
            for (double* number : {&wrench.force.x, &wrench.force.y, &wrench.force.z, &wrench.torque.x,
                                   &wrench.torque.y, &wrench.torque.z})
            {
                const double before = *number;
                *number = x;
                EXPECT_FALSE(are_zero<Wrench>(list));
                *number = before;
            }
        }
    }
}

}  // namespace
}  // namespace rattleback
