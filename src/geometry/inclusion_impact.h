// Time of impact by inclusion, where corners move in straight lines ([TightInclusion], after [Snyder]).
#pragma once

#include "geometry/certified_impact.h"

namespace rattleback
{

/// As certified_time_of_impact(), proven as well; `advances` counts boxes, of which `max_advances` are looked at. What
/// lies between two points of the simplices is linear in the time and in each of their places, so that its values at
/// the eight corners of a box of these three bound it as tightly as can be: boxes that may hold an impact are halved,
/// until they leave no more than `tolerance`. Coordinates that keep apart by as little as their rounding are told
/// apart; otherwise some hundred times as slow.
CertifiedImpact inclusion_time_of_impact(const LinearSimplex& first, const LinearSimplex& second,
                                         const CertifiedOptions& options = {});

}  // namespace rattleback
