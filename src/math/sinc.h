// Quotients of sine and cosine by powers of the angle, smooth through zero: what rotation vectors and their derivatives
// are made of.
#pragma once

#include "math/elementary.h"

#include <rattleback/math.h>

namespace rattleback
{

// Below one radian the series in x^2 are exact to rounding, beyond it the quotients lose at most a digit to
// cancellation: the two agree to some 1e-15 where they meet. ([RigidIPC] A.1 and A.2 switch at 1e-4, where cancellation
// has left eight digits of the first derivative and none of the second.)

/// 1 - q / ((2 + a)(2 + b)) (1 - q / ((4 + a)(4 + b)) (1 - ...)), for q < 1.
inline double sum_turn_series(double q, int a, int b)
{
    constexpr int kTerms = 9;  // the next is below 1e-17
    double sum = 1;
    for (int k = 2 * kTerms; k > 0; k -= 2) sum = 1 - q * sum / ((k + a) * (k + b));
    return sum;
}

/// sin(x) / x.
inline double sinc(double x)
{
    if (x * x < 1) return sum_turn_series(x * x, 0, 1);
    double s = 0, c = 1;
    sincos(x, s, c);
    return s / x;
}

/// sinc'(x) / x = (x cos x - sin x) / x^3 = -1/3 + x^2 / 30 - x^4 / 840 + ...: g of [RigidIPC] A.2, where the sign of
/// the last term is printed wrongly. The gradient of sinc(|u|) is g u.
inline double find_sinc_slope(double x)
{
    if (x * x < 1) return -1.0 / 3 * sum_turn_series(x * x, 0, 3);
    double s = 0, c = 1;
    sincos(x, s, c);
    return (x * c - s) / (x * x * x);
}

/// g'(x) / x = (3 sin x - 3 x cos x - x^2 sin x) / x^5: h of A.2. The Hessian of sinc(|u|) is h u uᵀ + g.
inline double find_sinc_bend(double x)
{
    const double q = x * x;
    if (q < 1) return 1.0 / 15 * sum_turn_series(q, 0, 5);
    double s = 0, c = 1;
    sincos(x, s, c);
    return (3 * (s - x * c) - q * s) / (q * q * x);
}

/// (1 - cos x) / x^2 and (x - sin x) / x^3: of u x w and of u x (u x w) in the derivative of exp(u).
inline double find_versine_quotient(double x)
{
    if (x * x < 1) return 0.5 * sum_turn_series(x * x, 1, 2);
    double s = 0, c = 1;
    sincos(x, s, c);
    return (1 - c) / (x * x);
}
inline double find_sine_rest_quotient(double x)
{
    if (x * x < 1) return 1.0 / 6 * sum_turn_series(x * x, 2, 3);
    double s = 0, c = 1;
    sincos(x, s, c);
    return (x - s) / (x * x * x);
}

/// Angular velocity of exp(u) while u changes at `rate`, in the axes that exp(u) maps to: rate + v u x rate +
/// w u x (u x rate), the left Jacobian of SO(3). The inverse of logarithm_rate(); its transpose is that of -u.
inline Vec3 exponential_spin(const Vec3& u, const Vec3& rate)
{
    const double angle = norm(u);
    const Vec3 across = cross(u, rate);
    return rate + find_versine_quotient(angle) * across + find_sine_rest_quotient(angle) * cross(u, across);
}

}  // namespace rattleback
