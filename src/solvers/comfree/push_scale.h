// How far the poses of an island leave its overlaps in one step (README, "Energy").
#pragma once

#include "math/pack.h"

#include <algorithm>

namespace rattleback::comfree
{

/// Overlaps deeper than those that gravity makes in some steps are not of this run's making: they are left in any
/// case.
inline double find_unpaid_depth(double gravity, double dt) { return std::min(8 * gravity * dt * dt, 0.01); }

/// Whether a push moves a row beyond the `left` part of its overlap (negative), so that the row holds it back.
inline bool pulls_back(double left, double moved) { return left + moved > -1e-7 * left; }

/// Of an island's overlaps.
template <class T>
struct Push
{
    T taken{};          ///< energy that the step has taken [J]
    T cost{};           ///< energy that it takes to lift the bodies out by one share [J]
    T fastest{};        ///< speed of the deepest, by one share [m/s]
    bool deep = false;  ///< some overlap is deeper than find_unpaid_depth
};

/// By how much a push by one share of the overlaps is scaled: up to the whole, as far as the energy pays for the lift
/// that this very step has taken from the bodies; unpaid lifts of deep overlaps, and what costs nothing, no faster than
/// `speed`.
template <class T>
T find_push_scale(const Push<T>& push, const T& share, double speed)
{
    // One share is what a step asks for; the whole overlap is 1 / share of them.
    const T whole = T(1.0) / share, slow = T(speed) / maximum(push.fastest, T(1e-15));
    const T least = push.deep ? minimum(T(1.0), slow) : T(0.0);
    // What lifts nothing is free, and only as fast as allowed.
    const auto costs = push.cost > T(0.0);
    const T paid = push.taken / select(costs, push.cost, T(1.0));
    return select(costs, maximum(least, minimum(whole, paid)), minimum(whole, slow));
}

}  // namespace rattleback::comfree
