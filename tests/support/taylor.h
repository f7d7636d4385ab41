// Polynomials in time cut off after t^2: arithmetic on them gives first and second derivatives without error.
#pragma once

#include "support/extended.h"

#include <cmath>

namespace rattleback
{

/// value + rate * t + half_second * t^2 + O(t^3).
struct Taylor
{
    Real value = 0;
    Real rate = 0;         ///< first derivative at t = 0
    Real half_second = 0;  ///< half the second derivative at t = 0

    constexpr Taylor() = default;
    constexpr Taylor(Real constant) : value(constant) {}
    constexpr Taylor(Real constant, Real first, Real second) : value(constant), rate(first), half_second(second) {}
};

constexpr Taylor operator+(const Taylor& a, const Taylor& b)
{
    return {a.value + b.value, a.rate + b.rate, a.half_second + b.half_second};
}
constexpr Taylor operator-(const Taylor& a, const Taylor& b)
{
    return {a.value - b.value, a.rate - b.rate, a.half_second - b.half_second};
}
constexpr Taylor operator-(const Taylor& a) { return {-a.value, -a.rate, -a.half_second}; }
constexpr Taylor operator*(const Taylor& a, const Taylor& b)
{
    return {a.value * b.value, a.value * b.rate + a.rate * b.value,
            a.value * b.half_second + a.rate * b.rate + a.half_second * b.value};
}

/// f(a), from the value and the first two derivatives of f at a.value.
constexpr Taylor compose(const Taylor& a, Real f, Real df, Real ddf)
{
    return {f, df * a.rate, df * a.half_second + Real(0.5) * ddf * a.rate * a.rate};
}
inline Taylor sin(const Taylor& a) { return compose(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value)); }
inline Taylor cos(const Taylor& a) { return compose(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value)); }
/// Root of a positive number.
inline Taylor sqrt(const Taylor& a)
{
    const Real root = std::sqrt(a.value);
    return compose(a, root, Real(0.5) / root, Real(-0.25) / (root * a.value));
}

}  // namespace rattleback
