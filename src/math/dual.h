// Dual numbers: a value with its derivatives by N inputs, for exact derivatives of templated formulas.
#pragma once

#include "math/elementary.h"

namespace rattleback
{

template <class T, int N>
struct Dual
{
    T value{};
    // value + sum of rate[i] epsilon_i with epsilon_i epsilon_j = 0.
    T rate[N]{};  ///< derivatives

    Dual() = default;
    RB_HD explicit(false) Dual(double constant) : value(constant) {}
    /// The input number `input`.
    RB_HD Dual(const T& at, int input) : value(at) { rate[input] = T(1.0); }

    // Sum, product and quotient rule, with one lambda for all N rates.
    RB_HD friend Dual operator+(const Dual& a, const Dual& b)
    {
        return make(a.value + b.value, [&](int i) { return a.rate[i] + b.rate[i]; });
    }
    RB_HD friend Dual operator-(const Dual& a, const Dual& b)
    {
        return make(a.value - b.value, [&](int i) { return a.rate[i] - b.rate[i]; });
    }
    RB_HD friend Dual operator-(const Dual& a)
    {
        return make(-a.value, [&](int i) { return -a.rate[i]; });
    }
    RB_HD friend Dual operator*(const Dual& a, const Dual& b)
    {
        // Product rule.
        return make(a.value * b.value, [&](int i) { return a.rate[i] * b.value + a.value * b.rate[i]; });
    }
    RB_HD friend Dual operator/(const Dual& a, const Dual& b)
    {
        const T inverse = T(1.0) / b.value;
        const T quotient = a.value * inverse;
        // (u' - q v') / v with q = u / v: one division for all.
        return make(quotient, [&](int i) { return (a.rate[i] - quotient * b.rate[i]) * inverse; });
    }
    RB_HD Dual& operator+=(const Dual& b) { return *this = *this + b; }
    RB_HD Dual& operator-=(const Dual& b) { return *this = *this - b; }

    // Comparisons look at values alone: a branch or a select follows the formula at this point.
    RB_HD friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
    RB_HD friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
    RB_HD friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
    RB_HD friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

    /// At zero, where the root has no derivative, it counts as constant.
    RB_HD friend Dual sqrt(const Dual& a)
    {
        using std::sqrt;
        const T root = sqrt(a.value);
        const auto positive = root > T(0.0);
        // At zero the slope would be infinite; the select keeps its lanes finite.
        const T slope = select(positive, T(0.5) / select(positive, root, T(1.0)), T(0.0));
        return make(root, [&](int i) { return slope * a.rate[i]; });
    }
    template <class Condition>
    RB_HD friend Dual select(const Condition& condition, const Dual& a, const Dual& b)
    {
        // The derivative of the branch that is taken.
        return make(select(condition, a.value, b.value),
                    [&](int i) { return select(condition, a.rate[i], b.rate[i]); });
    }

private:
    template <class Rate>
    RB_HD static Dual make(const T& value, Rate rate)
    {
        Dual result;
        result.value = value;
        // N is known to the compiler: the loop unrolls.
        for (int i = 0; i < N; ++i) result.rate[i] = rate(i);
        return result;
    }
};

/// Sine and cosine with their derivatives; the general formula would differentiate the rounding to a quadrant.
template <class T, int N>
RB_HD void sincos(const Dual<T, N>& x, Dual<T, N>& sine, Dual<T, N>& cosine)
{
    sincos(x.value, sine.value, cosine.value);
    for (int i = 0; i < N; ++i)
    {
        // Chain rule, from values that are exact to rounding.
        sine.rate[i] = cosine.value * x.rate[i];
        cosine.rate[i] = -sine.value * x.rate[i];
    }
}

/// A rounded number does not change.
template <class T, int N>
RB_HD Dual<T, N> round_to_integer(const Dual<T, N>& x)
{
    Dual<T, N> result;
    result.value = round_to_integer(x.value);
    return result;
}

/// The number itself, of a dual pack that of its first lane: what a formula with one value in all lanes branches on.
RB_HD inline double value_of(double x) { return x; }
template <class T, int N>
RB_HD double value_of(const Dual<T, N>& x)
{
    return lane(x.value, 0);
}

}  // namespace rattleback
