// Two capsules: the nearest points of their segments.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

/// Two segments, c ± half u each; `between` leads from the first centre to the second.
struct SegmentPair
{
    Vec3 first_axis, second_axis, between;
    double first_half = 0, second_half = 0;

    Vec3 find_gap(double s, double t) const { return between + t * second_axis - s * first_axis; }
};

/// The middle of the stretch where two segments on nearly parallel lines run side by side, on the first one; outside it
/// the nearest end.
double find_middle(const SegmentPair& segments, double direction)
{
    const double center = dot(segments.between, segments.first_axis);
    const double half = std::abs(direction) * segments.second_half;
    const double low = std::max(-segments.first_half, center - half);
    const double high = std::min(segments.first_half, center + half);
    return std::clamp(0.5 * (low + high), -segments.first_half, segments.first_half);
}

/// Places on the two axes where the segments are nearest: on the lines first, then clamped (Ericson 2005,
/// section 5.1.9, about the middles). `across` is the product of the axes; with it the lines' places keep their digits
/// down to the smallest angles.
void find_places(const SegmentPair& segments, const Vec3& across, double& s, double& t)
{
    constexpr double kParallel = 1e-28;  // sine 1e-14: any point of the common stretch is as near, up to rounding
    const double direction = dot(segments.first_axis, segments.second_axis);
    const double on_first = dot(segments.between, segments.first_axis);
    const double on_second = dot(segments.between, segments.second_axis);
    const double sine_square = dot(across, across);
    s = sine_square > kParallel ? std::clamp(dot(cross(segments.between, segments.second_axis), across) / sine_square,
                                             -segments.first_half, segments.first_half)
                                : find_middle(segments, direction);
    t = direction * s - on_second;
    if (std::abs(t) <= segments.second_half) return;
    t = std::clamp(t, -segments.second_half, segments.second_half);
    s = std::clamp(direction * t + on_first, -segments.first_half, segments.first_half);
}

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
    const bool both_inside = std::abs(s) < segments.first_half && std::abs(t) < segments.second_half;
    const double across_length = norm(across);
    if (!both_inside || across_length < 1e-6)
    {
        Vec3 cleaned = gap;
        remove_inward(segments.first_axis, s, segments.first_half, cleaned);
        remove_inward(-segments.second_axis, t, segments.second_half, cleaned);
        const double length = norm(cleaned);
        if (length > noise) return (1 / length) * cleaned;
    }
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
    const double lower = length - segments.first_half - segments.second_half - radii;
    if (lower > reach) return make_beyond(length, lower);

    const Vec3 across = cross(segments.first_axis, segments.second_axis);
    double s = 0, t = 0;
    find_places(segments, across, s, t);
    const double noise = std::max(1e-14 * (length + segments.first_half + segments.second_half), kShortest);
    const Vec3 normal = find_normal(segments, across, s, t, noise, first.rotation.column(0));
    const double distance = dot(normal, segments.find_gap(s, t)) - radii;
    const Vec3 on_first = first.position + s * segments.first_axis + first.size.x * normal;
    return make_exact(distance, on_first, normal, find_capsule_feature(s, segments.first_half),
                      find_capsule_feature(t, segments.second_half));
}

}  // namespace rattleback
