// Rims: how far a corner is from a flat side beyond whose outline it stands.
#pragma once

#include "math/elementary.h"

#include <rattleback/math.h>

#include <algorithm>

namespace rattleback::ipc
{

/// A corner at height h over a plane side, e beyond its rim, is d = sqrt(h² + e²) away: the barrier pushes it outwards
/// with e / d of its load. Equal boxes that stand over each other without friction are so held by an unstable
/// equilibrium, from which rounding leads away as exp(t sqrt(N / (m d))) (README, "Rims"). Up to kFlatRim h beyond the
/// rim the barrier therefore takes the height, from kRoundRim h on the distance, and between them h φ(e / h) with a
/// continuous slope. Sides whose normals are further apart than twice the angle of kRoundRim never claim the same
/// corner. Where a corner leads on to an edge that leans by α, the edge takes over with the distance at e / h = tan α:
/// so the height counts only between sides that face each other when the step begins, within kFacing, where both are
/// the same to 1 / cos α - 1.
constexpr double kFlatRim = 0.25, kRoundRim = 0.8;
/// Cosine of a degree.
constexpr double kFacing = 0.99985;
/// No distance is more than this times what the barrier takes for it.
constexpr double kRimRoom = 1.05;

/// A function of height and distance, with its derivatives.
struct RimDistance
{
    double value = 0, by_height = 0, by_distance = 1;
    bool is_near = false;  ///< the height counts
};

/// φ and its slope.
inline std::pair<double, double> find_rim_factor(double x)
{
    if (x <= kFlatRim) return {1, 0};
    const double root = std::sqrt(1 + x * x);
    if (x >= kRoundRim) return {root, x / root};
    // A cubic between the two.
    constexpr double kWidth = kRoundRim - kFlatRim;
    const double top = std::sqrt(1 + kRoundRim * kRoundRim), slope = kRoundRim / top * kWidth, rise = top - 1;
    const double t = (x - kFlatRim) / kWidth;
    const double square = 3 * rise - slope, cube = slope - 2 * rise;
    return {1 + t * t * (square + t * cube), t * (2 * square + 3 * t * cube) / kWidth};
}

inline RimDistance find_rim_distance(double height, double distance)
{
    if (!(height > 0)) return {distance, 0, 1};
    const double e = std::sqrt(std::max(0.0, (distance - height) * (distance + height)));
    const double x = e / height;
    if (x >= kRoundRim) return {distance, 0, 1};
    const auto [factor, slope] = find_rim_factor(x);
    // e changes by d / e with the distance, by - h / e with the height.
    const double along = x > kFlatRim ? slope / x : 0;
    return {height * factor, factor - slope * x - along, along * distance / height, true};
}

}  // namespace rattleback::ipc
