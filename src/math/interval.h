// Intervals that hold every value a formula can have, rounding included: our own outward-rounded arithmetic.
#pragma once

#include "math/elementary.h"

#include <rattleback/math.h>

#include <algorithm>

namespace rattleback
{

/// All numbers from `lower` to `upper`. Operations round to nearest, and then each end goes outward by at least one
/// unit in the last place, which is twice the error of the operation ([RigidIPC] A.3 does so by a library).
struct Interval
{
    double lower = 0, upper = 0;

    Interval() = default;
    explicit(false) Interval(double value) : lower(value), upper(value) {}
    Interval(double low, double high) : lower(low), upper(high) {}

    double magnitude() const { return std::max(std::abs(lower), std::abs(upper)); }
    double width() const { return upper - lower; }
    double middle() const { return 0.5 * (lower + upper); }
    bool holds(double value) const { return lower <= value && value <= upper; }
};

namespace rounding
{

/// At least one unit in the last place, and the smallest number at zero.
inline double find_ulp(double x) { return std::abs(x) * 2.220446049250313e-16 + 4.9406564584124654e-324; }
inline Interval outward(double low, double high) { return {low - find_ulp(low), high + find_ulp(high)}; }

}  // namespace rounding

inline Interval operator-(const Interval& a) { return {-a.upper, -a.lower}; }
inline Interval operator+(const Interval& a, const Interval& b)
{
    return rounding::outward(a.lower + b.lower, a.upper + b.upper);
}
inline Interval operator-(const Interval& a, const Interval& b)
{
    return rounding::outward(a.lower - b.upper, a.upper - b.lower);
}
inline Interval operator*(const Interval& a, const Interval& b)
{
    const double ll = a.lower * b.lower, lu = a.lower * b.upper, ul = a.upper * b.lower, uu = a.upper * b.upper;
    return rounding::outward(std::min({ll, lu, ul, uu}), std::max({ll, lu, ul, uu}));
}
inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }

/// x^2: never negative, unlike x times x.
inline Interval square(const Interval& a)
{
    const double low = a.holds(0) ? 0 : std::min(std::abs(a.lower), std::abs(a.upper)), high = a.magnitude();
    const Interval wide = rounding::outward(low * low, high * high);
    return {std::max(0.0, wide.lower), wide.upper};
}
/// Of what is not negative; what lies below zero by rounding counts as zero.
inline Interval sqrt(const Interval& a)
{
    const Interval wide = rounding::outward(std::sqrt(std::max(0.0, a.lower)), std::sqrt(std::max(0.0, a.upper)));
    return {std::max(0.0, wide.lower), wide.upper};
}
inline Interval hull(const Interval& a, const Interval& b)
{
    return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}
/// True where the two have no number in common.
inline bool are_apart(const Interval& a, const Interval& b) { return a.upper < b.lower || b.upper < a.lower; }

/// cos over an interval: 1 or -1 where a multiple of pi lies within, otherwise its ends.
inline Interval cos(const Interval& a)
{
    // More than the error of our sine and cosine (2 ulp), and of the places of multiples of pi up to 1e6.
    constexpr double kError = 1e-15, kPlace = 1e-9;
    if (!(a.width() < 2 * kPi)) return {-1, 1};
    double s = 0, low = 1, high = 1;
    sincos(a.lower, s, low);
    sincos(a.upper, s, high);
    Interval result{std::min(low, high) - kError, std::max(low, high) + kError};
    const auto holds_turns = [&](double phase)
    {
        const double n = round_to_integer((a.middle() - phase) / (2 * kPi));
        const double place = phase + 2 * kPi * n;
        return a.lower <= place + kPlace && place - kPlace <= a.upper;
    };
    if (holds_turns(0)) result.upper = 1;
    if (holds_turns(kPi)) result.lower = -1;
    return {std::max(-1.0, result.lower), std::min(1.0, result.upper)};
}
inline Interval sin(const Interval& a) { return cos(a - Interval(kPi / 2 - 1e-16, kPi / 2 + 1e-16)); }

/// sin(x) / x ([RigidIPC] A.3): falling from 0 to its first valley, so that there the ends tell; beyond it by division.
inline Interval sinc(const Interval& a)
{
    constexpr double kFalls = 4.4934094579, kError = 1e-15;
    const auto find_value = [](double x)
    {
        if (x * x < 1e-2)
        {
            const double q = x * x;
            return 1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110))));
        }
        double s = 0, c = 1;
        sincos(x, s, c);
        return s / x;
    };
    // It is even.
    const double high = a.magnitude(), low = a.holds(0) ? 0 : std::min(std::abs(a.lower), std::abs(a.upper));
    Interval result{1, -1};
    if (low <= kFalls) result = {find_value(std::min(high, kFalls)) - kError, find_value(low) + kError};
    if (high <= kFalls) return result;
    // |sin| <= 1 over what is at least 4.49 away from zero.
    const Interval far{std::max(low, kFalls), high};
    const Interval sine = sin(far);
    const double ends[] = {sine.lower / far.lower, sine.lower / far.upper, sine.upper / far.lower,
                           sine.upper / far.upper};
    const Interval rest = rounding::outward(*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4));
    return result.lower > result.upper ? rest : hull(result, rest);
}

}  // namespace rattleback
