// Shapes on planes: the parts that look down, as they are.
#include "collide/manifold/functions.h"
#include "collide/manifold/part_builder.h"
#include "collide/manifold/touching_pair.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// A plane has no features: the contacts are the points of the shape that reach lowest. Which of them are shown must not
// flicker while a body rests, so that levels within a tolerance count as equal and the choice is by number.

/// A ball against a plane through `plane.position` with normal +z of its frame.
void add_ball(const PlacedShape& plane, const Vec3& center, double radius, double reach, std::uint64_t feature,
              Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    const double distance = dot(normal, center - plane.position) - radius;
    if (distance >= reach) return;
    // Half-way between the ball's lowest point and the plane.
    manifold.add({center - (radius + 0.5 * distance) * normal, normal, distance, feature});
}

}  // namespace

void touch_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double reach, Manifold& manifold)
{
    add_ball(plane, sphere.position, sphere.size.x, reach, 0, manifold);
}

void touch_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double reach, Manifold& manifold)
{
    // Both end balls; a capsule that lies flat has two points, a standing one one.
    const Vec3 axis = capsule.rotation.column(2), half = capsule.size.y * axis;
    add_ball(plane, capsule.position - half, capsule.size.x, reach, 0, manifold);
    add_ball(plane, capsule.position + half, capsule.size.x, reach, 1, manifold);
    // The first tangent is the axis, so that the friction directions turn with the capsule and not with the world.
    for (int i = 0; i < manifold.count; ++i) manifold.points[static_cast<std::size_t>(i)].tangent = axis;
}

/// The lower end of each of the four diagonals; bits 0, 1, 2 of a corner's number are the signs of x, y, z.
void touch_plane_box(const PlacedShape& plane, const PlacedShape& box, double reach, Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    const double height = dot(normal, box.position - plane.position);
    const Vec3 local = transpose_times(box.rotation, normal);
    // Height of the corners over the centre: signed sums of three numbers.
    const double x = box.size.x * local.x, y = box.size.y * local.y, z = box.size.z * local.z;
    if (height - std::abs(x) - std::abs(y) - std::abs(z) >= reach) return;
    // A box that lies flat keeps its four lower corners while rounding makes it rock.
    const double level = kTolerance * find_width(box);
    // Corners in opposite pairs: one of each is the lower.
    for (int pair = 0; pair < 4; ++pair)
    {
        // Of corners `pair` and 7 - `pair` the first unless the second is clearly lower.
        const double sx = (pair & 1) != 0 ? 1 : -1, sy = (pair & 2) != 0 ? 1 : -1;
        const double rise = sx * x + sy * y - z;
        const double sign = rise > level ? -1 : 1;
        const double distance = height + sign * rise;
        if (distance >= reach) continue;
        const Vec3 corner{sign * sx * box.size.x, sign * sy * box.size.y, -sign * box.size.z};
        const std::uint64_t number = static_cast<std::uint64_t>(sign < 0 ? 7 - pair : pair);
        manifold.add({box.position + box.rotation * corner - (0.5 * distance) * normal, normal, distance, number});
    }
    const auto begin = manifold.points.begin();
    std::sort(begin, begin + manifold.count,
              [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; });
}

/// Standing: four points of the lower rim, of a cap that lies flat at fixed places of the cylinder, so that they do not
/// wander, of a tilted one beginning with the lowest. Otherwise the ends of the lowest line of the side.
void touch_plane_cylinder(const PlacedShape& plane, const PlacedShape& cylinder, double reach, Manifold& manifold)
{
    constexpr double kSteepest = 0.70710678118654752, kFlat = 1e-4;
    const Vec3 normal = plane.rotation.column(2), axis = cylinder.rotation.column(2);
    const double radius = cylinder.size.x, half = cylinder.size.y;
    const double cosine = dot(axis, normal), height = dot(normal, cylinder.position - plane.position);
    // Straight down within the cap: from the axis to the lowest line of the side.
    const Vec3 radial = cosine * axis - normal;
    const double sine = norm(radial);
    if (height - radius * sine - half * std::abs(cosine) >= reach) return;
    const auto add = [&](const Vec3& point, double distance, std::uint64_t feature)
    {
        if (distance < reach) manifold.add({point - (0.5 * distance) * normal, normal, distance, feature});
    };
    // Lying: the two ends of the lowest line of the side.
    if (std::abs(cosine) <= kSteepest)
    {
        const Vec3 low = cylinder.position + (radius / sine) * radial;
        add(low - half * axis, height - radius * sine - half * cosine, 0);
        add(low + half * axis, height - radius * sine + half * cosine, kRim);
        return;
    }
    // Which cap looks down.
    const double end = cosine > 0 ? -half : half;
    const Vec3 center = cylinder.position + end * axis;
    // Standing: four points of the rim, fixed to the cylinder while it is level.
    const Vec3 e = sine < kFlat ? cylinder.rotation.column(0) : (1 / sine) * radial;
    const Vec3 f = cross(cosine > 0 ? axis : -axis, e);
    // Heights of four points of the rim, a quarter turn apart.
    const double level = height + end * cosine, rise_e = radius * dot(normal, e), rise_f = radius * dot(normal, f);
    const std::uint64_t first = cosine > 0 ? 0 : kRim;
    add(center + radius * e, level + rise_e, first);
    add(center + radius * f, level + rise_f, first + 2);
    add(center - radius * e, level - rise_e, first + 4);
    add(center - radius * f, level - rise_f, first + 6);
}

void touch_plane_ellipsoid(const PlacedShape& plane, const PlacedShape& ellipsoid, double reach, Manifold& manifold)
{
    // The unit ball stretched by the radii S reaches furthest along d at S normalize(S d).
    const Vec3 normal = plane.rotation.column(2), local = -transpose_times(ellipsoid.rotation, normal);
    const Vec3& radii = ellipsoid.size;
    const Vec3 ball{radii.x * local.x, radii.y * local.y, radii.z * local.z};
    const double extent = norm(ball), distance = dot(normal, ellipsoid.position - plane.position) - extent;
    if (distance >= reach) return;
    const Vec3 lowest = (1 / extent) * Vec3{radii.x * ball.x, radii.y * ball.y, radii.z * ball.z};
    const Vec3 point = ellipsoid.position + ellipsoid.rotation * lowest - (0.5 * distance) * normal;
    manifold.add({point, normal, distance, 0});
}

}  // namespace rattleback
