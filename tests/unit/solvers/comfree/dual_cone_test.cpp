// The facets of the dual cone: impulses stay in the friction cone, and which facets act says how a contact moves.
#include "solvers/comfree/dual_cone.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace rattleback::comfree
{
namespace
{

/// Impulses of one contact whose facets all have the same impedance.
struct Answer
{
    std::array<double, 6> impulse{};
    std::uint64_t active = 0;
};

Answer answer(const FacetSet& facets, int dimension, const std::array<double, 5>& friction, double gap,
              const std::array<double, 6>& u, const FacetImpedance& z)
{
    const std::vector<FacetImpedance> same(64, z);
    Answer result;
    result.active = find_facet_impulses(
        facets, {.dimension = dimension, .friction = friction, .gap = gap, .impedance = same.data()}, u.data(),
        result.impulse.data());
    return result;
}

TEST(DualCone, a_hundred_thousand_random_contacts_push_within_the_cones_of_equation_3)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const FacetSet sets[] = {FacetSet({4, 2, 4}), FacetSet({8, 2, 8}), FacetSet({16, 2, 4})};
    constexpr int kDimensions[] = {1, 3, 4, 6};
    int pushing = 0;
    for (int i = 0; i < 100000; ++i)
    {
        const int dimension = kDimensions[i % 4];
        std::array<double, 6> u{};
        for (double& x : u) x = 3 * unit(random);
        const double slide = std::exp(3 * unit(random)), spin = std::exp(3 * unit(random) - 4),
                     roll = std::exp(3 * unit(random) - 5);
        const FacetImpedance z{std::exp(5 * unit(random)), std::exp(5 * unit(random))};
        const auto [f, active] =
            answer(sets[i % 3], dimension, {slide, slide, spin, roll, roll}, 0.01 * unit(random), u, z);
        // Sums of up to 22 terms: their rounding.
        const double bound = f[0] * (1 + 1e-14);
        ASSERT_GE(f[0], 0);
        ASSERT_LE(std::hypot(f[1], f[2]), slide * bound) << i;
        ASSERT_LE(std::abs(f[3]), spin * bound) << i;
        ASSERT_LE(std::hypot(f[4], f[5]), roll * bound) << i;
        pushing += active != 0;
    }
    EXPECT_GT(pushing, 50000);
}

constexpr std::array<double, 5> kHalf{0.5, 0.5, 0.01, 0.001, 0.001};
constexpr FacetImpedance kDamper{1, 0}, kSpring{1, 100};
/// Facets of dimension 3: directions +x, +y, -x, -y of the tangent plane.
enum Slide : std::uint64_t
{
    kPlusX = 1,
    kPlusY = 2,
    kMinusX = 4,
    kMinusY = 8,
};

TEST(DualConeModes, what_separates_has_no_acting_facet)
{
    const auto [f, active] = answer(FacetSet({}), 3, kHalf, 0, {1, 0.1, 0}, kDamper);
    EXPECT_EQ(active, 0U);
    EXPECT_EQ(f[0], 0);
}

TEST(DualConeModes, what_separates_while_it_slips_fast_is_pushed_by_the_facet_of_its_slip)
{
    // u_n = 0.1 < mu 2: outside of the dual cone towards +x alone. The convex cone's lift.
    const auto [f, active] = answer(FacetSet({}), 3, kHalf, 0, {0.1, 2, 0}, kDamper);
    EXPECT_EQ(active, std::uint64_t{kPlusX});
    EXPECT_NEAR(f[1], -0.5 * f[0], 1e-15);
}

TEST(DualConeModes, what_sticks_has_all_facets_acting)
{
    const auto [f, active] = answer(FacetSet({}), 3, kHalf, -0.001, {-0.2, 0.1, 0.05}, kSpring);
    EXPECT_EQ(active, std::uint64_t{kPlusX | kPlusY | kMinusX | kMinusY});
    EXPECT_LT(std::hypot(f[1], f[2]), 0.5 * f[0]) << "inside of the cone";
    // A pair of opposite facets is a damper: - 2 mu^2 u_t.
    EXPECT_NEAR(f[1], -2 * 0.25 * 0.1, 1e-15);
    EXPECT_NEAR(f[2], -2 * 0.25 * 0.05, 1e-15);
}

TEST(DualConeModes, what_slips_along_an_axis_has_the_facet_ahead_and_those_across_acting)
{
    // u_n - mu u_x < 0 and u_n < 0 across, but u_n + mu u_x > 0 behind.
    const auto [f, active] = answer(FacetSet({}), 3, kHalf, 0, {-0.2, 1, 0}, kDamper);
    EXPECT_EQ(active, std::uint64_t{kPlusX | kPlusY | kMinusY});
    EXPECT_LT(f[1], 0);
    EXPECT_NEAR(f[2], 0, 1e-16);
}

TEST(DualConeModes, what_slips_along_a_diagonal_has_the_two_facets_ahead_acting)
{
    const auto [f, active] = answer(FacetSet({}), 3, kHalf, 0, {-0.1, 1, 1}, kDamper);
    EXPECT_EQ(active, std::uint64_t{kPlusX | kPlusY});
    EXPECT_NEAR(f[1], f[2], 1e-15);
}

TEST(DualConeModes, what_spins_or_rolls_has_the_facets_of_that_motion_acting)
{
    // Of dimension 6: four facets of slide, two of spin, four of roll.
    const auto spin = answer(FacetSet({}), 6, {0.5, 0.5, 0.1, 0.1, 0.1}, 0, {0, 0, 0, 2, 0, 0}, kDamper);
    EXPECT_EQ(spin.active, std::uint64_t{1} << 4);
    EXPECT_NEAR(spin.impulse[3], -0.1 * spin.impulse[0], 1e-15);
    const auto roll = answer(FacetSet({}), 6, {0.5, 0.5, 0.1, 0.1, 0.1}, 0, {0, 0, 0, 0, 0, -2}, kDamper);
    EXPECT_EQ(roll.active, std::uint64_t{1} << 9);
    EXPECT_NEAR(roll.impulse[5], 0.1 * roll.impulse[0], 1e-15);
}

TEST(DualConeModes, a_frictionless_contact_is_one_row)
{
    const auto [f, active] = answer(FacetSet({}), 1, {}, -0.01, {-2, 9, 9, 9, 9, 9}, kSpring);
    EXPECT_EQ(active, 1U);
    EXPECT_DOUBLE_EQ(f[0], 2 + 1);
}

TEST(DualCone, friction_in_fast_slip_is_the_mean_over_the_facets_ahead)
{
    // Friction over normal impulse in fast slip along 45 degrees: two of four facets give cos 45, many the mean
    const auto ratio = [](int facets)
    {
        const double s = std::sqrt(0.5) * 1000;
        const Answer a = answer(FacetSet({facets, 2, 4}), 3, kHalf, 0, {-1, s, s}, kDamper);
        return std::hypot(a.impulse[1], a.impulse[2]) / (0.5 * a.impulse[0]);
    };
    EXPECT_NEAR(ratio(4), std::sqrt(0.5), 1e-3);
    EXPECT_GT(ratio(8), ratio(4));
    // The mean of cos over the half circle ahead, weighted by itself: pi / 4.
    EXPECT_NEAR(ratio(32), 0.785398163397448, 5e-3);
}

}  // namespace
}  // namespace rattleback::comfree
