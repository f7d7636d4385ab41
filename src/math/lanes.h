// Numbers found across the lanes of a pack.
#pragma once

#include "math/pack.h"

namespace rattleback
{

/// The largest of the lanes.
inline double find_largest(const Pack4& a)
{
    const Pack4 pairs = maximum(a, Pack4(Pack4::Lanes{a.lanes[2], a.lanes[3], a.lanes[0], a.lanes[1]}));
    return maximum(pairs.lanes[0], pairs.lanes[1]);
}

/// Their sum, neighbours first.
inline double sum_lanes(const Pack4& a) { return (a.lanes[0] + a.lanes[1]) + (a.lanes[2] + a.lanes[3]); }

}  // namespace rattleback
