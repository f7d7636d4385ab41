// Round shapes: one point where two surfaces are nearest, two where capsules lie side by side.
#include "collide/manifold/functions.h"
#include "collide/manifold/touching_pair.h"
#include "geometry/distance/nearest.h"
#include "geometry/distance/segments.h"

#include <algorithm>

namespace rattleback
{

// Shapes without flat faces touch in a point; only capsules side by side touch along a line, which two points at its
// ends stand for. Features of such points are ends of capsules: they stay while the capsules slide along each other.

void touch_round(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    // Smooth against anything: one nearest point.
    ShapeDistance found = find_distance(first, second, reach);
    if (!is_in_reach(found, reach)) return;
    manifold.add({0.5 * (found.on_first + found.on_second), found.normal, found.distance, 0});
}

namespace
{

/// A ball and a shape that find_nearest(size, point) knows.
template <class FindNearest>
void touch_ball(const PlacedShape& sphere, const PlacedShape& other, double reach, const FindNearest& find_nearest,
                Manifold& manifold)
{
    // Nearest point of the other surface to the ball's centre.
    const SurfacePoint surface = find_nearest(other.size, to_local(other, sphere.position));
    const double distance = surface.distance - sphere.size.x;
    if (distance >= reach) return;
    // The normal of a contact points from the first shape to the second: out of the ball.
    const Vec3 normal = -(other.rotation * surface.normal);
    manifold.add({sphere.position + (sphere.size.x + 0.5 * distance) * normal, normal, distance, 0});
}

/// Two capsules.
struct CapsulePair
{
    const PlacedShape& first;
    const PlacedShape& second;
    Vec3 first_axis, second_axis;

    /// The ball of the first capsule at `s` against that of the second at `t`.
    void add_balls(double s, double t, std::uint64_t feature, double reach, Manifold& manifold) const
    {
        const Vec3 center = first.position + s * first_axis;
        const Vec3 between = second.position + t * second_axis - center;
        const double length = norm(between), distance = length - first.size.x - second.size.x;
        if (distance >= reach || !(length > 0)) return;
        const Vec3 normal = (1 / length) * between;
        manifold.add({center + (first.size.x + 0.5 * distance) * normal, normal, distance, feature});
    }
};

/// Capsules whose axes are well apart: the balls around the nearest places. False where they are not.
bool touch_clear_capsules(const CapsulePair& pair, const Vec3& across, const Vec3& between, double reach,
                          Manifold& manifold)
{
    constexpr double kClear = 1e-6;  // squared: the way between the axes over their lengths
    const PlacedShape &first = pair.first, &second = pair.second;
    // Nearest places of the two segments, by the closed form.
    const SegmentPair segments{pair.first_axis, pair.second_axis, between, first.size.y, second.size.y};
    double s = 0, t = 0;
    find_places(segments, across, s, t);
    const Vec3 gap = segments.find_gap(s, t);
    const double square = dot(gap, gap), reaches = first.size.y + second.size.y;
    // Axes that nearly meet have no direction between them; the general distance knows what to do.
    if (!(square > kClear * reaches * reaches)) return false;
    const double length = std::sqrt(square), distance = length - first.size.x - second.size.x;
    if (distance >= reach) return true;
    const Vec3 normal = (1 / length) * gap;
    manifold.add(
        {first.position + s * pair.first_axis + (first.size.x + 0.5 * distance) * normal, normal, distance, 0});
    return true;
}

}  // namespace

void touch_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double reach, Manifold& manifold)
{
    touch_ball(sphere, capsule, reach, find_nearest_on_capsule, manifold);
}

void touch_sphere_box(const PlacedShape& sphere, const PlacedShape& box, double reach, Manifold& manifold)
{
    touch_ball(sphere, box, reach, find_nearest_on_box, manifold);
}

void touch_sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, double reach, Manifold& manifold)
{
    touch_ball(sphere, cylinder, reach, find_nearest_on_cylinder, manifold);
}

void touch_capsule_capsule(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    constexpr double kParallel = 1e-6;  // sine squared
    constexpr double kFlush = 1e-4;     // of the radius: ends this near count as one
    const CapsulePair pair{first, second, first.rotation.column(2), second.rotation.column(2)};
    const Vec3 across = cross(pair.first_axis, pair.second_axis), between = second.position - first.position;
    // Axes at an angle touch in one point.
    if (dot(across, across) > kParallel)
    {
        if (!touch_clear_capsules(pair, across, between, reach, manifold)) touch_round(first, second, reach, manifold);
        return;
    }
    // Parallel: as far apart as the sum of all lengths they cannot touch.
    const double bar = first.size.x + second.size.x + first.size.y + second.size.y + reach;
    if (dot(between, between) >= bar * bar) return;
    // Parallel axes: where the two stretches lie beside each other.
    const double middle = dot(between, pair.first_axis);
    const bool is_same = dot(pair.first_axis, pair.second_axis) > 0;
    const double low = std::max(-first.size.y, middle - second.size.y);
    const double high = std::min(first.size.y, middle + second.size.y);
    const double flush = kFlush * std::min(first.size.x, second.size.x);
    const double aside = norm(between - middle * pair.first_axis);
    // No common stretch, or one inside the other: one point again.
    if (high - low <= flush || aside <= flush) return touch_round(first, second, reach, manifold);

    // The common stretch begins at an end of the first capsule, unless the second's is clearly further in.
    // Whose end it is decides the feature, so that it stays while the capsules slide.
    const bool low_is_first = low <= -first.size.y + flush, high_is_first = high >= first.size.y - flush;
    const std::uint64_t second_low = is_same ? 2 : 3, second_high = is_same ? 3 : 2;
    const auto on_second = [&](double s) { return is_same ? s - middle : middle - s; };
    const auto add = [&](double s, std::uint64_t feature)
    { pair.add_balls(s, std::clamp(on_second(s), -second.size.y, second.size.y), feature, reach, manifold); };
    // Two points, at the ends of the common stretch.
    add(low_is_first ? -first.size.y : low, low_is_first ? 0 : second_low);
    add(high_is_first ? first.size.y : high, high_is_first ? 1 : second_high);
    if (manifold.count == 2 && manifold.points[0].feature > manifold.points[1].feature)
        std::swap(manifold.points[0], manifold.points[1]);
}

}  // namespace rattleback
