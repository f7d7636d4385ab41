// Muscles: force over length and velocity, and the rate of the activation ([MuJoCo], "Muscle actuators").
#pragma once

#include "math/elementary.h"

#include <rattleback/model.h>

#include <array>

namespace rattleback
{

/// Parameters of a muscle, in the order of Actuators::gain_parameters.
struct MuscleView
{
    const std::array<double, 10>& p;
    Range range;  ///< of the transmission's length

    RB_HD double lmin() const { return p[4]; }
    RB_HD double lmax() const { return p[5]; }
    RB_HD double vmax() const { return p[6]; }
    RB_HD double fpmax() const { return p[7]; }
    RB_HD double fvmax() const { return p[8]; }
    /// Length at which the active force is largest [m]: p[0] and p[1] are the range's ends in units of it.
    RB_HD double optimal_length() const { return at_least(range.upper - range.lower) / at_least(p[1] - p[0]); }

    /// Divisors of this size or less stand for a curve without width.
    RB_HD static double at_least(double x) { return x > 1e-15 ? x : 1e-15; }
};

/// A value and its derivative.
template <class T>
struct Slope
{
    T value, rate;
};

/// Length in units of the optimal one.
template <class T>
RB_HD T normalized_length(const MuscleView& muscle, const T& length)
{
    return T(muscle.p[0]) + (length - T(muscle.range.lower)) / T(muscle.optimal_length());
}

/// Active force over length: a bell of four parabolas from lmin to lmax with its top, 1, at the optimal length.
template <class T>
RB_HD Slope<T> active_over_length(const MuscleView& muscle, const T& length)
{
    const double lmin = muscle.lmin(), lmax = muscle.lmax();
    // the parabolas meet half way between their ends
    const double a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
    // foot: x^2 / 2; flank: 1 - x^2 / 2, each with x from 0 at its flat end to 1 where the parabolas meet
    const auto foot = [](const T& x, double dx) { return Slope<T>{T(0.5) * x * x, x * T(dx)}; };
    const auto flank = [](const T& x, double dx) { return Slope<T>{T(1.0) - T(0.5) * x * x, -(x * T(dx))}; };
    const double up = 1 / MuscleView::at_least(a - lmin), left = 1 / MuscleView::at_least(1 - a);
    const double right = 1 / MuscleView::at_least(b - 1), down = 1 / MuscleView::at_least(lmax - b);
    // four pieces, each half as high as the bell: value and slope are continuous
    const Slope<T> pieces[4] = {foot((length - T(lmin)) * T(up), up), flank((T(1.0) - length) * T(left), -left),
                                flank((length - T(1.0)) * T(right), right), foot((T(lmax) - length) * T(down), -down)};
    const double ends[4] = {a, 1, b, lmax};
    Slope<T> result{T(0.0), T(0.0)};
    // from the last piece to the first: the earliest that holds the length wins
    for (int i = 3; i >= 0; --i)
    {
        const auto before = length <= T(ends[i]);
        result = {select(before, pieces[i].value, result.value), select(before, pieces[i].rate, result.rate)};
    }
    const auto inside = length >= T(lmin);
    return {select(inside, result.value, T(0.0)), select(inside, result.rate, T(0.0))};
}

/// Active force over velocity in units of vmax: 0 at -1, 1 at rest, fvmax when it is stretched fast.
template <class T>
RB_HD Slope<T> active_over_velocity(const MuscleView& muscle, const T& velocity)
{
    // zero, two parabolas that meet at rest, then fvmax
    const double y = muscle.fvmax() - 1, width = MuscleView::at_least(y);
    const T shortening = velocity + T(1.0), rest = T(y) - velocity;
    Slope<T> result{T(muscle.fvmax()), T(0.0)};
    const auto stretched = velocity <= T(y);
    result = {select(stretched, T(muscle.fvmax()) - rest * rest / T(width), result.value),
              select(stretched, T(2.0) * rest / T(width), result.rate)};
    const auto shortened = velocity <= T(0.0);
    result = {select(shortened, shortening * shortening, result.value),
              select(shortened, T(2.0) * shortening, result.rate)};
    const auto slack = velocity <= T(-1.0);
    return {select(slack, T(0.0), result.value), select(slack, T(0.0), result.rate)};
}

/// Passive force over length: none below the optimal length, then a parabola to the middle of lmax, then a line.
template <class T>
RB_HD Slope<T> passive_over_length(const MuscleView& muscle, const T& length)
{
    // quadratic at first, then linear with the same slope
    const double b = 0.5 * (1 + muscle.lmax()), scale = 1 / MuscleView::at_least(b - 1);
    // in units of half the way from the optimal length to lmax
    const T bend = (length - T(1.0)) * T(scale), line = (length - T(b)) * T(scale);
    const auto bent = length <= T(b), slack = length <= T(1.0);
    const T value = select(bent, T(0.5) * bend * bend, T(0.5) + line);
    const T rate = select(bent, bend * T(scale), T(scale));
    return {T(muscle.fpmax()) * select(slack, T(0.0), value), T(muscle.fpmax()) * select(slack, T(0.0), rate)};
}

/// A force per unit of peak force, negative because muscles pull, with its derivatives.
template <class T>
struct MuscleForce
{
    T value, by_length, by_velocity;
};

/// -FL(length) FV(velocity): multiplied by peak force and activation.
template <class T>
RB_HD MuscleForce<T> find_active_force(const MuscleView& muscle, const T& length, const T& velocity)
{
    // lengths and speeds in units of the optimal length, forces in those of the peak
    const double unit = MuscleView::at_least(muscle.optimal_length());
    const double speed = MuscleView::at_least(unit * muscle.vmax());
    // F = -FL FV per unit of activation and peak force ([MuJoCo], "Muscle actuators")
    const Slope<T> over_length = active_over_length(muscle, normalized_length(muscle, length));
    const Slope<T> over_velocity = active_over_velocity(muscle, velocity / T(speed));
    // product rule; the units come back by the chain rule
    return {-(over_length.value * over_velocity.value), -(over_length.rate * over_velocity.value) / T(unit),
            -(over_length.value * over_velocity.rate) / T(speed)};
}

/// -FP(length): multiplied by peak force.
template <class T>
RB_HD MuscleForce<T> find_passive_force(const MuscleView& muscle, const T& length)
{
    const Slope<T> over_length = passive_over_length(muscle, normalized_length(muscle, length));
    return {-over_length.value, -over_length.rate / T(MuscleView::at_least(muscle.optimal_length())), T(0.0)};
}

/// Rate of the activation: (input - act) / tau, tau = t0 (1/2 + 3/2 act) as it rises and t1 / (1/2 + 3/2 act) as it
/// falls (Millard et al. 2013), with a smooth change between them over the width of p[2].
template <class T>
RB_HD T find_muscle_rate(const std::array<double, 10>& p, const T& input, const T& act)
{
    // the more active, the slower it rises and the quicker it falls
    const T scale = T(0.5) + T(1.5) * clamp(act, 0, 1);
    const T excess = clamp(input, 0, 1) - act;
    const T rise = T(p[0]) * scale, fall = T(p[1]) / scale;
    T tau = select(excess > T(0.0), rise, fall);
    if (p[2] >= 1e-15)
    {
        // 6 x^5 - 15 x^4 + 10 x^3: from 0 to 1 with two flat derivatives at either end
        const T x = clamp(excess / T(p[2]) + T(0.5), 0, 1);
        tau = fall + (rise - fall) * (x * x * x * (T(3.0) * x * (T(2.0) * x - T(5.0)) + T(10.0)));
    }
    return excess / maximum(tau, T(1e-15));
}

}  // namespace rattleback
