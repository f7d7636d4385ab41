// A pair of shapes whose shortest way is known, on its way to contact points.
#pragma once

#include "collide/manifold/overlap.h"

#include <algorithm>

namespace rattleback
{

struct TouchingPair
{
    const PlacedShape& first;
    const PlacedShape& second;
    ShapeDistance found;
    Face first_face, second_face;  ///< nearest to the normal, if any
    double reach = 0, tolerance = 0;
    int limit = 4;  ///< of points
};

inline constexpr double kTolerance = 1e-4;   ///< of the width: lengths that differ by less are equal
inline constexpr double kFaceToFace = 0.98;  ///< cosine: nearer to the normal than this, a face may lie on the other

/// How far beside the deepest vertices of a hull others may also touch: as deep as it has sunk in, up to a twentieth
/// of its width [m].
inline double find_loose_depth(double distance, double tolerance)
{
    constexpr double kMost = 0.05 / kTolerance;
    return std::min(-distance, kMost * tolerance);
}

/// False where the shapes are out of reach. Rounding may put a distance just below `reach` and still leave out the
/// normal, and may stretch the normal of shapes that all but touch.
inline bool is_in_reach(ShapeDistance& found, double reach)
{
    const double square = dot(found.normal, found.normal);
    if (found.distance >= reach || square < 0.5) return false;
    found.normal = (1.5 - 0.5 * square) * found.normal;  // one step of Newton for 1 / sqrt
    return true;
}

/// Lays the parts over each other along a normal. They count if they show a point as deep as the distance; if only
/// some that are less deep, then together with the point of the distance, when `may_mend`.
bool add_parts(const TouchingPair& pair, const Vec3& normal, bool may_mend, Manifold& manifold);

/// Contact points of a pair whose distance was found below its reach; looks for the faces itself.
void touch_known(TouchingPair& pair, Manifold& manifold);

}  // namespace rattleback
