// Two capsules: the nearest points of their segments.
#include "geometry/distance/pairs.h"
#include "geometry/distance/segments.h"

namespace rattleback
{
namespace
{

// The nearest points of two segments are exact, but where the segments meet or all but meet the vector between them has
// no direction: then the normal is that across both axes, which has one.

/// Takes from `v` what leads back over an axis at `place`: all of it inside the segment, at an end what points inwards.
void remove_inward(const Vec3& axis, double place, double half, Vec3& v)
{
    if (half == 0) return;
    const double along = dot(axis, v);
    if (place >= half ? along < 0 : place <= -half ? along > 0 : true) v = v - along * axis;
}

/// Unit direction from the first segment to the second where they are nearest. Where they all but meet the difference
/// of the nearest points is rounding: then the direction across both.
Vec3 find_normal(const SegmentPair& segments, const Vec3& across, double s, double t, double noise, const Vec3& side)
{
    const Vec3 gap = segments.find_gap(s, t);
    // Inside both segments the way between them is across both; rounding must not turn it.
    const bool both_inside = std::abs(s) < segments.first_half && std::abs(t) < segments.second_half;
    const double across_length = norm(across);
    if (!both_inside || across_length < 1e-6)
    {
        // What leads along an axis is rounding, but beyond an end it is part of the way.
        Vec3 cleaned = gap;
        remove_inward(segments.first_axis, s, segments.first_half, cleaned);
        remove_inward(-segments.second_axis, t, segments.second_half, cleaned);
        const double length = norm(cleaned);
        if (length > noise) return (1 / length) * cleaned;
    }
    // Segments that meet: across both axes, whatever is left of the gap.
    if (across_length > 1e-10)
    {
        const Vec3 normal = (1 / across_length) * across;
        return dot(normal, gap) < 0 ? -normal : normal;
    }
    return side;
}

}  // namespace

ShapeDistance find_capsule_capsule(const PlacedShape& first, const PlacedShape& second, double reach)
{
    const SegmentPair segments{first.rotation.column(2), second.rotation.column(2), second.position - first.position,
                               first.size.y, second.size.y};
    const double radii = first.size.x + second.size.x, length = norm(segments.between);
    // Centres further apart than all lengths: no closer look.
    const double lower = length - segments.first_half - segments.second_half - radii;
    if (lower > reach) return make_beyond(length, lower);

    const Vec3 across = cross(segments.first_axis, segments.second_axis);
    double s = 0, t = 0;
    find_places(segments, across, s, t);
    const double noise = std::max(1e-14 * (length + segments.first_half + segments.second_half), kShortest);
    const Vec3 normal = find_normal(segments, across, s, t, noise, first.rotation.column(0));
    // Along the normal rather than the length of the gap: consistent with it to rounding.
    const double distance = dot(normal, segments.find_gap(s, t)) - radii;
    const Vec3 on_first = first.position + s * segments.first_axis + first.size.x * normal;
    return make_exact(distance, on_first, normal, find_capsule_feature(s, segments.first_half),
                      find_capsule_feature(t, segments.second_half));
}

}  // namespace rattleback
