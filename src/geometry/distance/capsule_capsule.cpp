// Two capsules: the nearest points of their segments.
#include "geometry/distance/pairs.h"
#include "geometry/distance/segments.h"

namespace rattleback
{

// The nearest points of two segments are exact, but where the segments meet or all but meet the vector between them has
// no direction: then the normal is that across both axes, which has one.

ShapeDistance find_capsule_capsule(const PlacedShape& first, const PlacedShape& second, double reach)
{
    const SegmentPair<double> segments{first.rotation.column(2), second.rotation.column(2),
                                       second.position - first.position, first.size.y, second.size.y};
    const double radii = first.size.x + second.size.x, length = norm(segments.between);
    // Centres further apart than all lengths: no closer look.
    const double lower = length - segments.first_half - segments.second_half - radii;
    if (lower > reach) return make_beyond(length, lower);

    const CapsuleGap<double> gap = find_capsule_gap(first, second, segments, length);
    return make_exact(gap.distance, gap.on_first, gap.normal, find_capsule_feature(gap.s, segments.first_half),
                      find_capsule_feature(gap.t, segments.second_half));
}

}  // namespace rattleback
