// Central differences of the value of `ipc`'s incremental potential.
#pragma once

#include "solvers/ipc/potential.h"

#include <span>
#include <vector>

namespace rattleback::ipc
{

/// Of the value at `placements`, by component i of the motion of group g, with step h.
inline double find_value_difference(Potential& potential, std::span<const Body> bodies,
                                    const std::vector<Placement>& placements, std::size_t g, std::size_t i, double h)
{
    Vector6 d{};
    d[i] = h;
    std::vector<Placement> more = placements, less = placements;
    more[g] = move(placements[g], d, 1);
    less[g] = move(placements[g], d, -1);
    return (potential.evaluate(bodies, more) - potential.evaluate(bodies, less)) / (2 * h);
}

}  // namespace rattleback::ipc
