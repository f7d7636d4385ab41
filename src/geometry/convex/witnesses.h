// The points where two cores touch when one is moved along a given normal.
#pragma once

#include "geometry/convex/penetration.h"

namespace rattleback::cores
{

/// `height` [m]: dot(n, support(n)) for the unit normal n. Finds points of the difference at that height whose weighted
/// point is height * n, from those in `simplex`. Where these will not do, they are some of many in a plane: the rest of
/// it is searched as GJK does it, by supports along the normal, tilted as little as it takes to see others. Returns how
/// far the weighted point is from where it should be [m].
double find_witnesses(const DifferenceView& view, const Vec3& n, double height, Simplex& simplex);

}  // namespace rattleback::cores
