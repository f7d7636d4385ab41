// What the searches for separation and for depth hand over.
#pragma once

#include "geometry/convex/simplex.h"

namespace rattleback::cores
{

enum class Verdict
{
    apart,
    beyond,   ///< further than asked: only `distance` and `lower` are set
    overlap,  ///< or so near that the way between the points has no direction: only the simplex is set
};

/// Signed distance of two cores in the frame of the first.
struct CoreDistance
{
    Verdict verdict = Verdict::apart;
    double distance = 0;  ///< not below the true one [m]
    double lower = 0;     ///< not above the true one [m]
    Vec3 normal;          ///< unit, from first to second
    Simplex simplex;      ///< whose weighted points are the witnesses
};

}  // namespace rattleback::cores
