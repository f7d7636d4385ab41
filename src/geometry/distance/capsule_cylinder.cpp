// Capsule and cylinder: the place on the capsule's axis that is nearest to the cylinder, the root of a rising function.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

/// Below this fraction of the size the way from the axis to the cylinder has no exact direction: the general search,
/// whose normals come from faces, is better.
constexpr double kNear = 1e-4;

// Distance of a point from a cylinder: beyond the side and beyond a cap, combined. Along a segment it is convex, so
// that one root of its derivative is the answer; no trigonometry, and no case for edges.

/// The points c + t d of a segment, |t| <= half, in the frame of a cylinder. The distance of such a point is convex
/// over t, so half the derivative of its square, slope(t), never falls.
struct AxisOfCapsule
{
    Vec3 c, d;
    double half = 0;
    double radius = 0, height = 0;  ///< of the cylinder; height: half of it

    Vec3 at(double t) const { return c + t * d; }

    /// How far a point is beyond the side and beyond the caps, 0 inside.
    void find_beyond(const Vec3& p, double& aside, double& above) const
    {
        aside = std::max(std::sqrt(p.x * p.x + p.y * p.y) - radius, 0.0);
        above = std::max(std::abs(p.z) - height, 0.0);
    }

    double slope(double t, double& rise) const
    {
        const Vec3 p = at(t);
        // Distance beyond the side and beyond the cap, each with its derivative along the axis.
        const double rho = std::sqrt(p.x * p.x + p.y * p.y), across = d.x * d.x + d.y * d.y;
        double result = 0;
        rise = 0;
        if (rho > radius)
        {
            const double out = (p.x * d.x + p.y * d.y) / rho;  // of rho
            // Derivative of (rho - radius)^2 / 2, and its second derivative: curvature of the side included.
            result += (rho - radius) * out;
            rise += out * out + (rho - radius) * ((across - out * out) / rho);
        }
        const double above = std::abs(p.z) - height;
        if (above > 0)
        {
            // Beyond a cap the distance is a coordinate.
            result += above * (p.z < 0 ? -d.z : d.z);
            rise += d.z * d.z;
        }
        return result;
    }
};

/// The middle of the stretch that has the same distance, where there is one: beside the side or above a cap.
bool find_level(const AxisOfCapsule& axis, double& place)
{
    // Parallel up to rounding of the rotation.
    constexpr double kLevel = 1e-20;  // sine squared
    double low = -axis.half, high = axis.half;
    const double across = axis.d.x * axis.d.x + axis.d.y * axis.d.y;
    // Along the cylinder's axis: all of the common stretch is as near.
    if (across < kLevel)
    {
        // Where the segment passes the middle of the cylinder.
        const double middle = -axis.c.z / axis.d.z;
        low = std::max(low, middle - axis.height);
        high = std::min(high, middle + axis.height);
    }
    // Across it, over a cap: all of the stretch above the cap.
    else if (axis.d.z * axis.d.z < kLevel)
    {
        const double middle = -(axis.c.x * axis.d.x + axis.c.y * axis.d.y) / across;
        const Vec3 p = axis.at(middle);
        // Half the chord over the cap.
        const double square = axis.radius * axis.radius - p.x * p.x - p.y * p.y;
        if (!(square > 0)) return false;
        const double reach = std::sqrt(square / across);
        low = std::max(low, middle - reach);
        high = std::min(high, middle + reach);
    }
    else
    {
        return false;
    }
    // No common stretch: an end is nearest.
    if (!(low < high)) return false;
    place = 0.5 * (low + high);
    return true;
}

/// Newton's method, kept between an end where the slope is negative and one where it is positive.
double find_place(const AxisOfCapsule& axis)
{
    constexpr int kMaxIterations = 60;  // 3 to 6 are usual
    double low = -axis.half, high = axis.half, rise = 0, place = 0;
    if (find_level(axis, place)) return place;
    // The distance only grows from an end where the slope is not negative.
    if (!(axis.slope(low, rise) < 0)) return low;
    if (!(axis.slope(high, rise) > 0)) return high;
    const double across = axis.d.x * axis.d.x + axis.d.y * axis.d.y;
    const double beside = -(axis.c.x * axis.d.x + axis.c.y * axis.d.y);  // over `across`: nearest to the middle line
    // A start where the segment is nearest to the middle line, which is right in most cases.
    place = across > 0 ? std::clamp(beside / across, low, high) : 0;
    for (int i = 0; i < kMaxIterations; ++i)
    {
        // A root of the slope between two ends of opposite signs.
        const double slope = axis.slope(place, rise);
        if (slope == 0) break;
        (slope < 0 ? low : high) = place;
        // Convex: Newton from either side, halving where it leaves the bracket.
        const double step = -slope / rise;
        double next = place + step;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - place) <= 1e-15 * axis.half) break;
        place = next;
    }
    return place;
}

}  // namespace

ShapeDistance find_capsule_cylinder(const PlacedShape& capsule, const PlacedShape& cylinder, double reach)
{
    AxisOfCapsule axis{to_local(cylinder, capsule.position),
                       transpose_times(cylinder.rotation, capsule.rotation.column(2)), capsule.size.y, cylinder.size.x,
                       cylinder.size.y};
    const double place = find_place(axis);
    const Vec3 p = axis.at(place);
    double aside = 0, above = 0;
    axis.find_beyond(p, aside, above);
    const double length = std::sqrt(aside * aside + above * above), distance = length - capsule.size.x;
    const double size = capsule.size.x + capsule.size.y + cylinder.size.x + cylinder.size.y;
    // Inside, or so near that the way out has no exact direction.
    if (!(length > kNear * size)) return find_convex_distance(capsule, cylinder, reach);
    if (distance > reach) return make_beyond(distance, distance);

    // Radial direction; on the axis there is none, and none is needed.
    const double rho = aside > 0 ? std::sqrt(p.x * p.x + p.y * p.y) : 1, scale = 1 / length;
    // Two parts of the way: out of the side, and out of the cap.
    const Vec3 outward{scale * aside * (p.x / rho), scale * aside * (p.y / rho), scale * with_sign(above, p.z)};
    const Vec3 normal = -(cylinder.rotation * outward);
    const int end = p.z > 0 ? 1 : 0;
    const ShapeFeature feature = above == 0   ? ShapeFeature{FeatureKind::face, 2}
                                 : aside == 0 ? ShapeFeature{FeatureKind::face, end}
                                              : ShapeFeature{FeatureKind::edge, end};
    const Vec3 center = capsule.position + place * capsule.rotation.column(2);
    return make_exact(distance, center + capsule.size.x * normal, normal, find_capsule_feature(place, capsule.size.y),
                      feature);
}

}  // namespace rattleback
