// Tests of the quotients that rotation vectors are made of, and of intervals.
#include "math/interval.h"
#include "math/random.h"
#include "math/rotation.h"
#include "math/sinc.h"

#include <gtest/gtest.h>

#include <array>

namespace rattleback
{

namespace
{

/// Sum of (-1)^k c(k) x^(2k) in wide numbers, c(k) = factor(k) / (2k + shift)!.
long double sum_wide(long double x, int shift, long double (*factor)(int))
{
    long double sum = 0, power = 1;
    for (int k = 0; k < 20; ++k)
    {
        long double factorial = 1;
        for (int i = 2; i <= 2 * k + shift; ++i) factorial *= i;
        sum += (k % 2 == 0 ? 1 : -1) * factor(k) * power / factorial;
        power *= x * x;
    }
    return sum;
}

long double one(int) { return 1; }

}  // namespace

TEST(Turns, quotients_and_their_derivatives_are_continuous_where_series_and_division_meet)
{
    // [RigidIPC] A.1, A.2: with the switch at 1e-4 of the paper, g would jump by 1e-8 and h by 1.
    struct Quotient
    {
        double (*find)(double);
        long double (*exact)(long double);
    };
    const std::array<Quotient, 5> quotients{{
        {&sinc, [](long double x) { return sum_wide(x, 1, &one); }},
        {&find_sinc_slope, [](long double x) { return -sum_wide(x, 3, [](int k) { return 2.0L * (k + 1); }); }},
        {&find_sinc_bend, [](long double x) { return sum_wide(x, 5, [](int k) { return 4.0L * (k + 1) * (k + 2); }); }},
        {&find_versine_quotient, [](long double x) { return sum_wide(x, 2, &one); }},
        {&find_sine_rest_quotient, [](long double x) { return sum_wide(x, 3, &one); }},
    }};
    for (std::size_t i = 0; i < quotients.size(); ++i)
    {
        for (const double x : {0.0, 1e-9, 9.99e-5, 1e-4, 1.001e-4, 1e-2, 0.3, 1 - 1e-15, 1.0, 1 + 1e-15, 1.7, 3.0})
        {
            const double expected = static_cast<double>(quotients[i].exact(x));
            EXPECT_NEAR(quotients[i].find(x), expected, 1e-14) << i << " at " << x;
        }
        EXPECT_NEAR(quotients[i].find(1 - 1e-15), quotients[i].find(1 + 1e-15), 1e-14) << i;
    }
    // the last printed coefficient of g: minus 1/840
    EXPECT_NEAR((find_sinc_slope(0.1) + 1.0 / 3 - 0.01 / 30) / 1e-4, -1.0 / 840, 1e-6);
}

TEST(Turns, derivatives_of_the_exponential_are_those_of_differences)
{
    Random random(11);
    for (const double size : {1e-9, 1e-4, 0.9, 1.1, 3.0})
    {
        for (int i = 0; i < 20; ++i)
        {
            const Vec3 u = size * random.direction(), rate = random.in_box(1);
            const double h = 1e-6;
            const Quat turned = exponential(u + h * rate) * conjugate(exponential(u - h * rate));
            const Vec3 spin = exponential_spin(u, rate);
            EXPECT_LT(norm((0.5 / h) * logarithm(turned) - spin), 1e-9) << size;  // h^2 and rounding over h
            EXPECT_LT(norm(logarithm_rate(u, spin) - rate), 1e-12) << size;
            // gradient and Hessian of sinc(|u|)
            const auto value = [&](double s) { return sinc(norm(u + s * rate)); };
            EXPECT_NEAR((value(1e-5) - value(-1e-5)) / 2e-5, find_sinc_slope(size) * dot(u, rate), 1e-9);
            const double along = dot(u, rate);
            EXPECT_NEAR((value(1e-3) - 2 * value(0) + value(-1e-3)) / 1e-6,
                        find_sinc_bend(size) * along * along + find_sinc_slope(size) * dot(rate, rate), 2e-6);
        }
    }
}

TEST(Intervals, hold_every_value_of_their_formulas)
{
    Random random(12);
    for (int i = 0; i < 20'000; ++i)
    {
        const double size = std::pow(10.0, random.uniform(-3, 1));
        const auto draw = [&]
        {
            const double a = random.uniform(-size, size), b = a + random.uniform(0, size) * (i % 3);
            return Interval(a, b);
        };
        const Interval a = draw(), b = draw();
        const double x = std::min(a.upper, a.lower + random.uniform(0, 1) * a.width()),
                     y = std::min(b.upper, b.lower + random.uniform(0, 1) * b.width());
        // in wide numbers: the interval must hold the exact result, not the rounded one
        const auto holds = [](const Interval& range, long double value)
        { return range.lower <= value && value <= range.upper; };
        ASSERT_TRUE(holds(a + b, static_cast<long double>(x) + y));
        ASSERT_TRUE(holds(a - b, static_cast<long double>(x) - y));
        ASSERT_TRUE(holds(a * b, static_cast<long double>(x) * y));
        ASSERT_TRUE(holds(square(a), static_cast<long double>(x) * x));
        ASSERT_TRUE(holds(sqrt(square(a)), std::abs(static_cast<long double>(x))));
        ASSERT_TRUE(holds(cos(a), std::cos(static_cast<long double>(x)))) << x;
        ASSERT_TRUE(holds(sin(a), std::sin(static_cast<long double>(x)))) << x;
        const long double quotient = x == 0 ? 1 : std::sin(static_cast<long double>(x)) / x;
        ASSERT_TRUE(holds(sinc(a), quotient)) << x;
        ASSERT_LE(sinc(a).upper, 1 + 1e-14);
        ASSERT_GE(sinc(a).lower, -0.2226) << "beyond its first valley by division: -1 / 4.4934";
    }
}

TEST(Intervals, of_single_numbers_are_a_few_ulp_wide)
{
    for (const double x : {0.0, 1e-7, 0.3, 2.0, 4.5, 9.0})
    {
        EXPECT_LT((Interval(x) + Interval(0.1)).width(), 1e-15 * (1 + x) * 4);
        EXPECT_LT(sinc(Interval(x)).width(), 1e-14);
        EXPECT_LT(cos(Interval(x)).width(), 1e-14);
    }
    // wide ones end where the function does
    EXPECT_NEAR(cos(Interval(-0.5, 0.2)).upper, 1, 0);
    EXPECT_NEAR(cos(Interval(-0.5, 0.2)).lower, std::cos(0.5), 1e-14);
    EXPECT_NEAR(cos(Interval(3.0, 3.3)).lower, -1, 0);
}

}  // namespace rattleback
