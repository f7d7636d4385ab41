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
