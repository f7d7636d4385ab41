// The chord of smoothed Coulomb friction: its curvature between the slip here and where a Newton step leads.
#pragma once

#include "solvers/ipc/barrier.h"

#include <cmath>

namespace rattleback::ipc
{

/// For friction of at most `bound`, smooth below the slip `limit`, at slip `slip` > 0 that changes by `along`.
/// `is_bent`: `curvature`, with which the step was found, is a chord's already.
inline double find_slip_chord(double bound, double limit, double slip, double along, double curvature, bool is_bent)
{
    const Slip smooth = find_slip(slip, limit);
    // At first f1 / |u|: the quadratic that lies above the energy everywhere, f0 being concave in |u|^2.
    if (!is_bent) return bound * smooth.slope_ratio;
    const double force = bound * smooth.slope_ratio * slip;
    const double next = (force + curvature * along) / bound;
    // On along the slip with all of Coulomb's force, or back against it with all of it.
    if (next >= 1) return bound * smooth.slope;
    if (next <= -1) return (force + bound) / -along;
    // In between it sticks, at the slip that has this force; 1 - sqrt(1 - x) so that slips of 1e-20 m keep their
    // digits.
    const double stuck = limit * next / (1 + std::sqrt(1 - std::abs(next)));
    if (std::abs(slip - stuck) < 1e-3 * slip) return curvature;
    return curvature * along / (stuck - slip);
}

}  // namespace rattleback::ipc
