// Capsule and box: the capsule's segment against the box, apart by a piecewise quadratic, crossing by six axes.
#include "geometry/distance/pairs.h"
#include "geometry/distance/segments.h"

namespace rattleback
{
namespace
{

// A capsule is a segment and a radius. Outside the box the squared distance along the segment is convex and piecewise
// quadratic, and its minimum is found exactly; a segment that meets the box comes apart along one of six axes.

/// How far a point is outside the box along each axis.
Vec3 find_excess(const Vec3& size, const Vec3& p)
{
    return p -
           Vec3{std::clamp(p.x, -size.x, size.x), std::clamp(p.y, -size.y, size.y), std::clamp(p.z, -size.z, size.z)};
}

/// The place on the segment nearest to the box. The derivative of the squared distance grows, is straight between the
/// places where the segment passes the planes of the faces, and is zero at the answer; where it is zero over a stretch,
/// the middle of it.
double find_nearest_place(const Vec3& size, const CapsuleSegment& segment)
{
    constexpr double kFlat = 1e-14;  // a slope that moves the distance by rounding alone
    const auto find_slope = [&](double t)
    {
        // Half the derivative of the squared distance at a place of the segment.
        const Vec3 excess = find_excess(size, segment.find_point(t));
        const double slope = dot(segment.axis, excess);
        return std::abs(slope) > kFlat * find_largest(excess) ? slope : 0.0;
    };
    // The bracket, with the slopes at its ends.
    double low = -segment.half, high = segment.half;
    double low_slope = find_slope(low), high_slope = find_slope(high);
    // The function is convex: where its slope does not change sign an end is the answer.
    if (low_slope > 0) return low;
    if (high_slope < 0) return high;
    // Zeros of the slope are remembered as an interval: a segment along a face has many.
    double first_zero = low_slope == 0 ? low : high, last_zero = high_slope == 0 ? high : low;
    for (int axis = 0; axis < 3; ++axis)
    {
        // A segment parallel to a face never passes its plane.
        const double step = segment.axis[axis];
        if (step == 0) continue;
        // Where the segment passes a face's plane the slope has a kink: between two kinks it is straight.
        for (const double face : {-size[axis], size[axis]})
        {
            const double t = (face - segment.center[axis]) / step;
            if (!(t > low && t < high)) continue;
            const double slope = find_slope(t);
            if (slope == 0)
            {
                first_zero = std::min(first_zero, t);
                last_zero = std::max(last_zero, t);
                continue;
            }
            (slope < 0 ? low : high) = t;
            (slope < 0 ? low_slope : high_slope) = slope;
        }
    }
    // A stretch of equal distance, or the zero between the two kinks around it.
    if (first_zero <= last_zero) return 0.5 * (first_zero + last_zero);
    return std::clamp(low + (high - low) * (low_slope / (low_slope - high_slope)), low, high);
}

/// Where the segment and the box come apart along one direction: from segment to box, unit, in the box's frame.
struct SeparatingAxis
{
    double separation = -std::numeric_limits<double>::infinity();
    Vec3 normal;
    int face = -1;  ///< box axis of a face; -1: an edge
    int edge = -1;  ///< box axis of an edge
};

double find_separation(const Vec3& size, const CapsuleSegment& segment, const Vec3& n)
{
    // Support of the segment and of the box along n.
    const double reach = segment.half * std::abs(dot(n, segment.axis)) + size.x * std::abs(n.x) +
                         size.y * std::abs(n.y) + size.z * std::abs(n.z);
    return -dot(n, segment.center) - reach;
}

/// The best of the normals of the facets of box minus segment: faces, and products of the segment with edges.
SeparatingAxis find_best_axis(const Vec3& size, const CapsuleSegment& segment)
{
    constexpr double kPreference = 1e-13;  // of the size: equal up to rounding, then a face
    const double scale = segment.half + find_largest(size);
    SeparatingAxis best;
    // Six axes for overlap: three faces and three products with edges (facets of box minus segment).
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec3 normal;
        // Of two opposite faces the one on the segment's side.
        normal[axis] = segment.center[axis] > 0 ? -1 : 1;
        const double separation = find_separation(size, segment, normal);
        if (separation > best.separation + kPreference * scale) best = {separation, normal, axis, -1};
    }
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec3 edge;
        edge[axis] = 1;
        Vec3 normal = cross(edge, segment.axis);
        const double length = norm(normal);
        if (length < 1e-14) continue;
        // Across both; parallel to an edge there is no such axis.
        normal = (dot(normal, segment.center) > 0 ? -1 / length : 1 / length) * normal;
        const double separation = find_separation(size, segment, normal);
        if (separation > best.separation + kPreference * scale) best = {separation, normal, -1, axis};
    }
    return best;
}

/// The place of the segment that is deepest below a face of the box; where all of it is equally deep, the middle of the
/// stretch below the face.
double find_place_on_face(const Vec3& size, const CapsuleSegment& segment, const SeparatingAxis& best)
{
    // The stretch of the segment that is over the face.
    double low = -segment.half, high = segment.half;
    for (int axis = 0; axis < 3; ++axis)
    {
        const double step = segment.axis[axis];
        if (axis == best.face || step == 0) continue;
        const double one = (-size[axis] - segment.center[axis]) / step,
                     two = (size[axis] - segment.center[axis]) / step;
        low = std::max(low, std::min(one, two));
        high = std::min(high, std::max(one, two));
    }
    const double middle = std::clamp(0.5 * (low + high), -segment.half, segment.half);
    const double slope = dot(best.normal, segment.axis);
    // Level with the face: all of the stretch is as deep, and its middle is taken.
    if (low > high || std::abs(slope) * segment.half <= 1e-12 * (segment.half + find_largest(size))) return middle;
    return slope < 0 ? low : high;
}

/// The place of the segment nearest to the line of the box's edge that `best` comes from.
double find_place_on_edge(const Vec3& size, const CapsuleSegment& segment, const SeparatingAxis& best)
{
    // The coordinates across the edge decide: move along them until the rest is parallel to the normal.
    Vec3 gap, across = segment.axis;
    for (int axis = 0; axis < 3; ++axis) gap[axis] = with_sign(size[axis], -best.normal[axis]) - segment.center[axis];
    gap[best.edge] = 0;
    across[best.edge] = 0;
    const double place = std::clamp(dot(gap, across) / dot(across, across), -segment.half, segment.half);
    // Nearly along the edge that is mostly rounding; but the place is beside the edge, not beyond its ends.
    const double step = segment.axis[best.edge], end = size[best.edge] / std::abs(step);
    const double middle = -segment.center[best.edge] / step;
    return std::abs(step) > 0.5 ? std::clamp(place, middle - end, middle + end) : place;
}

/// The segment meets the box, or is as near as makes no difference.
ShapeDistance find_crossing(const PlacedShape& capsule, const PlacedShape& box, const CapsuleSegment& segment)
{
    const SeparatingAxis best = find_best_axis(box.size, segment);
    const double place =
        best.face >= 0 ? find_place_on_face(box.size, segment, best) : find_place_on_edge(box.size, segment, best);
    // Which ends of the box's axes the point lies at: face, edge or vertex.
    int sides[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis)
    {
        if (axis == best.face || (best.edge >= 0 && axis != best.edge)) sides[axis] = best.normal[axis] > 0 ? -1 : 1;
    }
    const Vec3 on_capsule = segment.find_point(place) + capsule.size.x * best.normal;
    return make_exact(best.separation - capsule.size.x, to_world(box, on_capsule), box.rotation * best.normal,
                      find_capsule_feature(place, segment.half), find_box_feature(sides));
}

}  // namespace

ShapeDistance find_capsule_box(const PlacedShape& capsule, const PlacedShape& box, double reach)
{
    const CapsuleSegment segment{to_local(box, capsule.position),
                                 transpose_times(box.rotation, capsule.rotation.column(2)), capsule.size.y};
    const double place = find_nearest_place(box.size, segment);
    // Outside: one distance from a point. On or in the box that has no direction.
    const Vec3 excess = find_excess(box.size, segment.find_point(place));
    const double length = norm(excess);
    // Below this the way out is decided by axes and not by a short vector.
    const double noise = 1e-11 * (segment.half + find_largest(box.size) + find_largest(segment.center));
    if (length <= std::max(noise, kShortest)) return find_crossing(capsule, box, segment);
    if (length - capsule.size.x > reach) return make_beyond(length - capsule.size.x, length - capsule.size.x);

    int sides[3];
    // Coordinates outside the box name the feature.
    for (int axis = 0; axis < 3; ++axis) sides[axis] = excess[axis] > 0 ? 1 : excess[axis] < 0 ? -1 : 0;
    const Vec3 normal = (-1 / length) * excess;
    const Vec3 on_capsule = segment.find_point(place) + capsule.size.x * normal;
    return make_exact(length - capsule.size.x, to_world(box, on_capsule), box.rotation * normal,
                      find_capsule_feature(place, segment.half), find_box_feature(sides));
}

}  // namespace rattleback
