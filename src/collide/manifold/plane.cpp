// Shapes on planes: the parts that look down, as they are.
#include "collide/manifold/functions.h"
#include "collide/manifold/overlap.h"

#include <algorithm>

namespace rattleback
{
namespace
{

/// A ball against a plane through `plane.position` with normal +z of its frame.
void add_ball(const PlacedShape& plane, const Vec3& center, double radius, double reach, std::uint64_t feature,
              Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    const double distance = dot(normal, center - plane.position) - radius;
    if (distance >= reach) return;
    manifold.add({center - (radius + 0.5 * distance) * normal, normal, distance, feature});
}

/// All corners of a part below `reach` over the plane at height zero, at most four.
void add_part(const FlatPart& part, const NormalFrame& frame, double reach, double tolerance, Manifold& manifold)
{
    constexpr int kLimit = 4;
    Overlap overlap;
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.count); ++i)
    {
        if (part.h[i] < reach) overlap.add({part.u[i], part.v[i], 0, part.h[i], part.corner[i]});
    }
    reduce_overlap(overlap, kLimit, tolerance);
    add_overlap(overlap, frame, manifold);
}

constexpr double kTolerance = 1e-4;  // of a shape's width

}  // namespace

void touch_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double reach, Manifold& manifold)
{
    add_ball(plane, sphere.position, sphere.size.x, reach, 0, manifold);
}

void touch_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double reach, Manifold& manifold)
{
    const Vec3 axis = capsule.rotation.column(2), half = capsule.size.y * axis;
    add_ball(plane, capsule.position - half, capsule.size.x, reach, 0, manifold);
    add_ball(plane, capsule.position + half, capsule.size.x, reach, 1, manifold);
    for (int i = 0; i < manifold.count; ++i) manifold.points[static_cast<std::size_t>(i)].tangent = axis;
}

/// The lower end of each of the four diagonals; bits 0, 1, 2 of a corner's number are the signs of x, y, z.
void touch_plane_box(const PlacedShape& plane, const PlacedShape& box, double reach, Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    const double height = dot(normal, box.position - plane.position);
    const Vec3 local = transpose_times(box.rotation, normal);
    const double x = box.size.x * local.x, y = box.size.y * local.y, z = box.size.z * local.z;
    if (height - std::abs(x) - std::abs(y) - std::abs(z) >= reach) return;
    const double level = kTolerance * find_width(box);
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

void touch_plane_cylinder(const PlacedShape& plane, const PlacedShape& cylinder, double reach, Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    if (dot(normal, cylinder.position - plane.position) - find_extent(cylinder, -normal) >= reach) return;
    const NormalFrame frame = make_normal_frame(plane.position, normal);
    FlatPart part;
    build_part(cylinder, find_face(cylinder, -normal), frame, -1, 0, part);
    add_part(part, frame, reach, kTolerance * find_width(cylinder), manifold);
}

void touch_plane_ellipsoid(const PlacedShape& plane, const PlacedShape& ellipsoid, double reach, Manifold& manifold)
{
    const NormalFrame frame = make_normal_frame(plane.position, plane.rotation.column(2));
    FlatPart part;
    build_part(ellipsoid, {}, frame, -1, 0, part);
    add_part(part, frame, reach, 0, manifold);
}

void touch_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double reach, Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    if (dot(normal, hull.position - plane.position) - find_extent(hull, -normal) >= reach) return;
    const NormalFrame frame = make_normal_frame(plane.position, normal);
    const double tolerance = kTolerance * find_width(hull);
    FlatPart part;
    build_part(hull, find_face(hull, -normal), frame, -1, tolerance, part);
    add_part(part, frame, reach, tolerance, manifold);
}

}  // namespace rattleback
