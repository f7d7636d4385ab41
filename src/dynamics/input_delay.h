// Delayed inputs: an actuator remembers its last inputs, and its force follows one of long ago.
#pragma once

#include "dynamics/model_view.h"
#include "math/pack.h"

namespace rattleback
{

// History of an actuator in State::act: n inputs, the newest first, then for each how much its age differs from that of
// steps of `nominal` length, (i + 1) nominal. So all zeros are a world that has rested.

/// The input of `delay` ago, looked up `offset` [s] after the begin of the step.
template <class T>
RB_HD T read_delayed_input(const ActuatorsView& actuators, int actuator, const T* history, double nominal,
                           double offset)
{
    const auto a = static_cast<std::size_t>(actuator);
    const int n = actuators.sample_count[a];
    // Value and age of sample i; newer samples have smaller ages.
    const auto value = [&](int i) { return history[i]; };
    const auto age = [&](int i) { return T((i + 1) * nominal) + history[n + i]; };
    // ages that differ by less are one: sums of time steps are not exact
    const T wanted = T(actuators.delay[a] - offset), same = T(1e-9 * nominal);
    T result = value(0);
    for (int i = 0; i + 1 < n; ++i)
    {
        // Place 0 at the older, 1 at the newer sample of the interval.
        const T span = age(i + 1) - age(i), place = (age(i + 1) - wanted) / span;
        T between = value(i + 1);
        if (actuators.interpolation[a] == Interpolation::linear) between += place * (value(i) - value(i + 1));
        if (actuators.interpolation[a] == Interpolation::cubic)
        {
            // Hermite's basis; slopes over two intervals (Catmull-Rom), flat at the ends
            const T old_slope = i + 2 < n ? (value(i) - value(i + 2)) / (age(i + 2) - age(i)) : T(0.0);
            const T new_slope = i > 0 ? (value(i - 1) - value(i + 1)) / (age(i + 1) - age(i - 1)) : T(0.0);
            const T x2 = place * place, x3 = x2 * place;
            between = (T(2.0) * x3 - T(3.0) * x2 + T(1.0)) * value(i + 1) +
                      (x3 - T(2.0) * x2 + place) * span * old_slope + (T(3.0) * x2 - T(2.0) * x3) * value(i) +
                      (x3 - x2) * span * new_slope;
        }
        result = select(wanted > age(i) + same, between, result);
    }
    // Older than everything that is remembered: the oldest.
    return select(wanted >= age(n - 1) - same, value(n - 1), result);
}

/// After a step of `dt`: the step's input is the newest.
template <class T>
RB_HD void record_input(const ActuatorsView& actuators, int actuator, const T& input, double nominal, double dt,
                        T* history)
{
    const int n = actuators.sample_count[static_cast<std::size_t>(actuator)];
    const T longer = T(dt - nominal);
    // Everything grows older by the step; differences from nominal ages add up.
    for (int i = n - 1; i > 0; --i)
    {
        history[i] = history[i - 1];
        history[n + i] = history[n + i - 1] + longer;
    }
    history[0] = input;
    history[n] = longer;
}

}  // namespace rattleback
