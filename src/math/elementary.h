// Our own sine, cosine, arc tangent and exponential: the C library's change with the CPU, and none takes packs.
#pragma once

#include "math/pack.h"

namespace rattleback
{

// Only + - x / and square roots, in a fixed order: the same bits on every machine and in every lane. Branches on values
// are selects, so that all lanes of a pack take the same way.

/// A positive number far below all lengths and speeds, to divide by: `smallest`, or what floats have room for.
template <class T>
RB_HD T tiny(double smallest)
{
    // Floats end at 1e-38.
    return T(kIsSingle<T> ? 1e-30 : smallest);
}

/// Nearest whole number, for |x| < 2^51 (floats: 2^22): adding 1.5 * 2^52 (1.5 * 2^23) leaves no bits behind the point.
template <class T>
RB_HD T round_to_integer(const T& x)
{
    // The rounding of the addition does the work; the subtraction is exact.
    const T shift = T(kIsSingle<T> ? 12582912.0 : 6755399441055744.0);
    return (x + shift) - shift;
}

/// x - n pi/2 for a whole n. The first two parts of pi/2 have 33 bits each (floats: 11), so that n times them is exact.
template <class T>
RB_HD T subtract_quarter_turns(const T& x, const T& n)
{
    if constexpr (kIsSingle<T>)
    {
        // pi/2 in three parts (Cody and Waite): the first product and the first difference lose nothing.
        return ((x - n * T(1.5703125)) - n * T(4.83751296997070312500e-04)) - n * T(7.54978995489188215e-08);
    }
    else
    {
        return ((x - n * T(1.57079632673412561417e+00)) - n * T(6.07710050630396597660e-11)) -
               n * T(2.02226624879595063154e-21);
    }
}

/// Sine and cosine of x [rad]. Within 2 ulp of the input's own rounding for |x| up to 1e6 (floats: 3e3); beyond, as
/// exact as x itself.
template <class T>
RB_HD void sincos(const T& x, T& sine, T& cosine)
{
    // x = n pi/2 + r, |r| <= pi/4
    const T n = round_to_integer(x * T(0.63661977236758134308));
    const T r = subtract_quarter_turns(x, n);
    const T r2 = r * r;

    // Taylor series: the first terms left out are below 1e-17 on this interval.
    // Horner in r^2, from the last coefficient: odd terms for the sine, even ones for the cosine.
    T s = T(1.0 / 355687428096000.0);
    s = s * r2 - T(1.0 / 1307674368000.0);
    s = s * r2 + T(1.0 / 6227020800.0);
    s = s * r2 - T(1.0 / 39916800.0);
    s = s * r2 + T(1.0 / 362880.0);
    s = s * r2 - T(1.0 / 5040.0);
    s = s * r2 + T(1.0 / 120.0);
    s = s * r2 - T(1.0 / 6.0);
    // The leading term is added last, so that its digits are not rounded twice.
    s = r + r * (r2 * s);
    T c = T(1.0 / 20922789888000.0);
    c = c * r2 - T(1.0 / 87178291200.0);
    c = c * r2 + T(1.0 / 479001600.0);
    c = c * r2 - T(1.0 / 3628800.0);
    c = c * r2 + T(1.0 / 40320.0);
    c = c * r2 - T(1.0 / 720.0);
    c = c * r2 + T(1.0 / 24.0);
    c = T(1.0) - (T(0.5) * r2 - r2 * r2 * c);

    // n modulo 4 picks the quadrant.
    const T m = n - T(4.0) * round_to_integer(n * T(0.25));  // -2 (or 2), -1, 0, 1
    const T m2 = m * m;
    // Odd quadrants exchange sine and cosine; the signs follow the quadrant.
    const auto odd = both(m2 > T(0.5), m2 < T(2.0));
    const T a = select(odd, c, s), b = select(odd, s, c);
    sine = select(either(m<T(-0.5), m> T(1.5)), -a, a);
    cosine = select(either(m > T(0.5), m < T(-1.5)), -b, b);
}

/// Angle in [0, pi] of the point (x, y) with y >= 0 [rad].
template <class T>
RB_HD T angle_of(const T& y, const T& x)
{
    using std::sqrt;
    // tan of half the angle is in [0, 1] after folding to the first quadrant; two more halvings leave t below 0.1.
    const T ax = absolute(x);
    const T length = sqrt(ax * ax + y * y);
    // y / (x + |p|) is the tangent of the half angle, without a case for x = 0.
    T t = y / select(ax + length > T(0.0), ax + length, T(1.0));
    // tan(a / 2) = tan a / (1 + sqrt(1 + tan^2 a)), twice.
    t = t / (T(1.0) + sqrt(T(1.0) + t * t));
    t = t / (T(1.0) + sqrt(T(1.0) + t * t));
    const T t2 = t * t;
    T p = T(1.0 / 21.0);
    // The alternating series of the arc tangent, from its last term.
    for (int k = 19; k >= 1; k -= 2) p = T(1.0 / k) - t2 * p;
    const T angle = T(8.0) * (t * p);
    // The second quadrant mirrors the first.
    return select(x < T(0.0), T(3.14159265358979323846) - angle, angle);
}

/// e^x for -700 < x < 700, within 2 ulp.
RB_HD inline double exponential(double x)
{
    // e^x = 2^n e^r with |r| <= ln 2 / 2; ln 2 in two parts, so that n times the first is exact.
    const double n = round_to_integer(x * 1.44269504088896340736);
    const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    double p = 1;
    // Taylor series as nested quotients; 18 terms reach rounding on this interval.
    for (int k = 18; k >= 1; --k) p = 1 + r * p / k;
    const int exponent = static_cast<int>(n);
    const double power = std::ldexp(1.0, exponent);  // exact: only the exponent changes
    return p * power;
}

/// ln x for normal positive x, within 2 ulp of max(1, |ln x|).
RB_HD inline double natural_logarithm(double x)
{
    int exponent = 0;
    double m = std::frexp(x, &exponent);  // exact: only the exponent changes
    // Mantissa in [1/sqrt 2, sqrt 2), so that both sides of 1 are met alike and ln 1 is exactly zero.
    if (m < 0.70710678118654752440)
    {
        m = 2 * m;
        --exponent;
    }
    // ln m = 2 artanh s with s below 0.172
    const double s = (m - 1) / (m + 1), s2 = s * s;
    double p = 1.0 / 23;
    for (int k = 21; k >= 1; k -= 2) p = 1.0 / k + s2 * p;
    return exponent * 6.93147180369123816490e-01 + (exponent * 1.90821492927058770002e-10 + 2 * s * p);
}

/// x^p for x >= 0, p >= 0 and x^p < 1e304; whole powers up to 4 by multiplication.
RB_HD inline double power(double x, double p)
{
    // Whole powers are common (solimp of MuJoCo) and are exact this way.
    if (p == 0) return 1;
    if (p == 1) return x;
    if (p == 2) return x * x;
    if (p == 3) return x * x * x;
    if (p == 4) return (x * x) * (x * x);
    if (x <= 0) return 0;
    const double y = p * natural_logarithm(x);
    return y < -700 ? 0 : exponential(y);
}

}  // namespace rattleback
