// The barrier between two surfaces, and the mollifiers of edges and of friction: values and derivatives.
#pragma once

#include "math/elementary.h"

namespace rattleback::ipc
{

/// Value and two derivatives of a function of one number.
struct Jet
{
    double value = 0, slope = 0, curvature = 0;
};

/// The clamped logarithm of [IPC] Eq. 6 on squared distances, scaled to be free of units: with s = (d^2 - d_min^2) /
/// (2 d_min d̂ + d̂^2), b = -(1 - s)^2 ln s for 0 < s < 1 and 0 beyond; derivatives by d. Two continuous ones.
inline Jet find_barrier(double distance, double reach, double separation)
{
    const double width = reach * (2 * separation + reach);
    const double s = (distance - separation) * (distance + separation) / width;
    if (!(s < 1)) return {};
    const double rest = 1 - s, logarithm = natural_logarithm(s);
    const double by_s = 2 * rest * logarithm - rest * rest / s;
    const double by_ss = -2 * logarithm + 4 * rest / s + rest * rest / (s * s);
    const double ds = 2 * distance / width;
    return {-rest * rest * logarithm, by_s * ds, by_ss * ds * ds + by_s * 2 / width};
}

/// Where the barrier pushes with `force` = - b'(d): the inverse of its slope, looked for from `start` on, where it is
/// `jet`; d̂ + d_min where the force is not positive.
inline double find_barrier_distance(double force, double reach, double separation, double start, Jet jet)
{
    const double far = reach + separation;
    if (!(force > 0)) return far;
    // Newton's method for ln(-b') as a function of ln s, nearly a line for small s; kept within bounds that close in.
    constexpr int kMaxIterations = 60;
    const double width = reach * (2 * separation + reach);
    double d = start, low = 0, high = 1;
    double s = (d - separation) * (d + separation) / width;
    for (int i = 0; i < kMaxIterations; ++i)
    {
        const double excess = -jet.slope - force;
        // A chord needs no more.
        if (std::abs(excess) <= 1e-3 * force) return d;
        (excess > 0 ? low : high) = s;
        const double rate = jet.curvature / jet.slope * (s * width / (2 * d));
        const double next = s * (1 + natural_logarithm(force / -jet.slope) / rate);
        const bool is_inside = next > low && next < high;
        s = is_inside ? next : (low > 0 ? std::sqrt(low * high) : 0.1 * high);
        d = std::sqrt(s * width + separation * separation);
        jet = find_barrier(d, reach, separation);
    }
    return d;
}
/// The same from a guess by the force alone.
inline double find_barrier_distance(double force, double reach, double separation)
{
    const double s = force > 0 ? 1 / (1 + force * reach) : 1;
    const double start = std::sqrt(s * reach * (2 * separation + reach) + separation * separation);
    return find_barrier_distance(force, reach, separation, start, find_barrier(start, reach, separation));
}

/// Mollifier of edges that are nearly parallel ([IPC] Eq. 24): c = |u x v|^2, full from `limit` on.
inline Jet find_edge_mollifier(double c, double limit)
{
    if (c >= limit) return {1, 0, 0};
    const double x = c / limit;
    return {x * (2 - x), 2 * (1 - x) / limit, -2 / (limit * limit)};
}
/// Where it ends, of two edges with squared lengths uu and vv.
inline double find_parallel_limit(double uu, double vv) { return 1e-3 * uu * vv; }

/// Smoothed length of a slip y ([IPC] Eq. 31 and its integral): slope f1(y) from 0 to 1 at y = `limit`.
struct Slip
{
    double value = 0;
    double slope = 0;        ///< f1' >= 0
    double slope_ratio = 0;  ///< f1 / y, finite at y = 0
};
inline Slip find_slip(double y, double limit)
{
    if (y >= limit) return {y, 0, 1 / y};
    const double x = y / limit;
    return {limit * (1.0 / 3 + x * x * (1 - x / 3)), 2 * (1 - x) / limit, (2 - x) / limit};
}

}  // namespace rattleback::ipc
