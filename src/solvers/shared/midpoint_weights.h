// How much of a joint's damping the midpoint rule takes at the end of the step.
#pragma once

#include "math/elementary.h"

#include <algorithm>

namespace rattleback
{

/// theta(z) = 1 / (1 - exp(-z)) - 1 / z with z = h B / I: solves v' = -z v / dt exactly over a step, 1/2 for weak and 1
/// for stiff damping.
inline double find_midpoint_weight(double damping, double inertia, double dt)
{
    const double z = dt * damping / inertia;
    // its series where the difference has no digits
    return z < 1e-4 ? 0.5 + z / 12 : 1 / (1 - exponential(-std::min(z, 500.0))) - 1 / z;
}

}  // namespace rattleback
