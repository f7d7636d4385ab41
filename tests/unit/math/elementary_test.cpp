// Our elementary functions against the C library's, and packs against single numbers.
#include "math/elementary.h"

#include "math/random.h"
#include "math/rotation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace rattleback
{
namespace
{

TEST(Elementary, sine_and_cosine_agree_with_the_library_up_to_a_million_radians)
{
    Random random(1);
    double worst = 0;
    for (int i = 0; i < 300'000; ++i)
    {
        const double scale = i % 3 == 0 ? 3 : i % 3 == 1 ? 1e3 : 1e6;
        const double x = scale * (2 * random.uniform(0, 1) - 1);
        double s = 0, c = 0;
        sincos(x, s, c);
        worst = std::max({worst, std::abs(s - std::sin(x)), std::abs(c - std::cos(x))});
    }
    EXPECT_LE(worst, 2.3e-16);  // one unit in the last place of 1
}

TEST(Elementary, sine_and_cosine_in_floats_agree_with_those_in_doubles)
{
    for (int i = -30000; i <= 30000; ++i)
    {
        const float x = 0.1f * static_cast<float>(i);
        float sine = 0, cosine = 0;
        sincos(x, sine, cosine);
        const double exact = static_cast<double>(x);
        EXPECT_NEAR(static_cast<double>(sine), std::sin(exact), 1.8e-7) << x;  // three roundings of 6e-8
        EXPECT_NEAR(static_cast<double>(cosine), std::cos(exact), 1.8e-7) << x;
    }
}

TEST(Elementary, sine_of_a_huge_angle_is_as_good_as_the_angle_itself)
{
    Random random(2);
    for (int i = 0; i < 10'000; ++i)
    {
        const double x = 1e9 * random.uniform(0, 1);
        double s = 0, c = 0;
        sincos(x, s, c);
        EXPECT_NEAR(s, std::sin(x), 1e9 * 2.3e-16);
        EXPECT_NEAR(s * s + c * c, 1, 1e-15);
    }
}

TEST(Elementary, multiples_of_a_right_angle_fall_into_the_right_quadrant)
{
    for (int n = -9; n <= 9; ++n)
    {
        double s = 0, c = 0;
        sincos(n * kPi / 2, s, c);
        EXPECT_NEAR(s, std::sin(n * kPi / 2), 1e-15) << n;
        EXPECT_NEAR(c, std::cos(n * kPi / 2), 1e-15) << n;
    }
}

TEST(Elementary, angle_of_inverts_sine_and_cosine)
{
    for (int i = 0; i <= 1000; ++i)
    {
        const double angle = kPi * i / 1000;
        EXPECT_NEAR(angle_of(3 * std::sin(angle), 3 * std::cos(angle)), angle, 2e-15);
    }
    EXPECT_EQ(angle_of(0.0, 0.0), 0.0);
    EXPECT_NEAR(angle_of(1e-300, 1.0), 1e-300, 1e-315);
}

TEST(Elementary, the_logarithm_agrees_with_the_library)
{
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        EXPECT_NEAR(natural_logarithm(x), std::log(x), 5e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
    for (double x = 0.99; x < 1.01; x += 1e-4) EXPECT_NEAR(natural_logarithm(x), std::log(x), 3e-16) << x;
    EXPECT_EQ(natural_logarithm(1), 0);
}

TEST(Elementary, powers_of_fractions_agree_with_the_library)
{
    for (double p = 0; p < 40; p += 0.25)
    {
        for (double x = 0.001; x <= 1; x += 0.013) EXPECT_NEAR(power(x, p) / std::pow(x, p), 1, 1e-13) << x << "^" << p;
        EXPECT_EQ(power(0, p), p == 0 ? 1 : 0) << p;
        EXPECT_EQ(power(1, p), 1) << p;
    }
    EXPECT_EQ(power(1e-4, 1e6), 0);
}

TEST(Elementary, exponential_agrees_with_the_library)
{
    for (double x = -600; x < 600; x += 0.37) EXPECT_NEAR(exponential(x) / std::exp(x), 1, 5e-16) << x;
}

TEST(Elementary, a_lane_of_a_pack_has_the_bits_of_a_single_number)
{
    Random random(3);
    for (int i = 0; i < 20'000; ++i)
    {
        Pack4 x, y;
        for (int k = 0; k < 4; ++k)
        {
            set_lane(x, k, 40 * (random.uniform(0, 1) - 0.5));
            set_lane(y, k, random.uniform(0, 1));
        }
        Pack4 s, c;
        sincos(x, s, c);
        const Quaternion<Pack4> q = exponential(Vector3<Pack4>{x, y, s});
        const Vector3<Pack4> u = logarithm(q);
        for (int k = 0; k < 4; ++k)
        {
            double s1 = 0, c1 = 0;
            sincos(lane(x, k), s1, c1);
            const Quat q1 = exponential(Vec3{lane(x, k), lane(y, k), s1});
            const Vec3 u1 = logarithm(q1);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(lane(s, k)), std::bit_cast<std::uint64_t>(s1));
            EXPECT_EQ(std::bit_cast<std::uint64_t>(lane(c, k)), std::bit_cast<std::uint64_t>(c1));
            EXPECT_EQ(std::bit_cast<std::uint64_t>(lane(q.x, k)), std::bit_cast<std::uint64_t>(q1.x));
            EXPECT_EQ(std::bit_cast<std::uint64_t>(lane(u.z, k)), std::bit_cast<std::uint64_t>(u1.z));
        }
    }
}

TEST(Rotation, logarithm_inverts_exponential_for_angles_from_tiny_to_half_a_turn)
{
    for (const double angle : {0.0, 1e-200, 1e-12, 1e-7, 1e-5, 1e-3, 0.5, 2.0, 3.1})
    {
        const Vec3 u{angle * 0.36, angle * -0.48, angle * 0.8};
        const Vec3 back = logarithm(exponential(u));
        EXPECT_NEAR(norm(back - u), 0, 1e-15 + 4e-16 * angle) << angle;
    }
}

TEST(Rotation, the_exponential_rate_is_the_derivative_of_the_rotation_vector)
{
    // exp(u + t u') = exp(u) exp(t w) + O(t^2), for a u small enough that the series is exact to 1e-9
    const Vec3 u{0.01, -0.02, 0.03}, w{0.7, -0.4, 1.1};
    const Vec3 rate = exponential_rate(u, w);
    const double t = 1e-5;
    const Vec3 ahead = logarithm(exponential(u) * exponential(t * w));
    const Vec3 behind = logarithm(exponential(u) * exponential(-t * w));
    EXPECT_NEAR(norm((1 / (2 * t)) * (ahead - behind) - rate), 0, 1e-8);
}

}  // namespace
}  // namespace rattleback
