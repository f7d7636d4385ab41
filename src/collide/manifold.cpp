// The table of contact functions: spheres, capsules and boxes on planes, and spheres on spheres.
#include "collide/manifold.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// A ball against a plane through `plane.position` with normal +z of its frame.
void add_ball_on_plane(const PlacedShape& plane, const Vec3& center, double radius, double reach, std::uint64_t feature,
                       Manifold& manifold)
{
    const Vec3 normal = plane.rotation.column(2);
    const double distance = dot(normal, center - plane.position) - radius;
    if (distance >= reach) return;
    manifold.add({center - (radius + 0.5 * distance) * normal, normal, distance, feature});
}

void touch_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double reach, Manifold& manifold)
{
    add_ball_on_plane(plane, sphere.position, sphere.size.x, reach, 0, manifold);
}

void touch_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double reach, Manifold& manifold)
{
    const Vec3 half = capsule.size.y * capsule.rotation.column(2);
    add_ball_on_plane(plane, capsule.position - half, capsule.size.x, reach, 0, manifold);
    add_ball_on_plane(plane, capsule.position + half, capsule.size.x, reach, 1, manifold);
}

/// The four deepest corners; bits 0, 1, 2 of a corner's number are the signs of x, y, z.
void touch_plane_box(const PlacedShape& plane, const PlacedShape& box, double reach, Manifold& manifold)
{
    constexpr int kCorners = 8, kKept = 4;
    Manifold corners;
    for (int corner = 0; corner < kCorners; ++corner)
    {
        const Vec3 local{(corner & 1) != 0 ? box.size.x : -box.size.x, (corner & 2) != 0 ? box.size.y : -box.size.y,
                         (corner & 4) != 0 ? box.size.z : -box.size.z};
        add_ball_on_plane(plane, box.position + box.rotation * local, 0, reach, static_cast<std::uint64_t>(corner),
                          corners);
    }
    const auto begin = corners.points.begin(), end = begin + corners.count;
    std::sort(begin, end, [](const ManifoldPoint& a, const ManifoldPoint& b)
              { return a.distance != b.distance ? a.distance < b.distance : a.feature < b.feature; });
    const int kept = std::min(corners.count, kKept);
    std::sort(begin, begin + kept,
              [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.feature < b.feature; });
    for (int i = 0; i < kept; ++i) manifold.add(corners.points[static_cast<std::size_t>(i)]);
}

void touch_sphere_sphere(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    const Vec3 between = second.position - first.position;
    const double length = norm(between);
    const double distance = length - first.size.x - second.size.x;
    if (distance >= reach) return;
    const Vec3 normal = length > 0 ? (1 / length) * between : Vec3{1, 0, 0};  // concentric: any direction, always this
    manifold.add({first.position + (first.size.x + 0.5 * distance) * normal, normal, distance, 0});
}

using Row = std::array<ManifoldFunction, kShapeTypeCount>;

// One line per pair of types, lower type first.
constexpr std::array<Row, kShapeTypeCount> make_table()
{
    std::array<Row, kShapeTypeCount> table{};
    const auto set = [&](ShapeType first, ShapeType second, ManifoldFunction function)
    { table[static_cast<std::size_t>(first)][static_cast<std::size_t>(second)] = function; };
    set(ShapeType::plane, ShapeType::sphere, &touch_plane_sphere);
    set(ShapeType::plane, ShapeType::capsule, &touch_plane_capsule);
    set(ShapeType::plane, ShapeType::box, &touch_plane_box);
    set(ShapeType::sphere, ShapeType::sphere, &touch_sphere_sphere);
    return table;
}
constexpr std::array<Row, kShapeTypeCount> kTable = make_table();

}  // namespace

ManifoldFunction find_manifold_function(ShapeType first, ShapeType second)
{
    return kTable[static_cast<std::size_t>(std::min(first, second))][static_cast<std::size_t>(std::max(first, second))];
}

bool never_touch(ShapeType first, ShapeType second)
{
    const auto is_ground = [](ShapeType type) { return type == ShapeType::plane || type == ShapeType::height_field; };
    return is_ground(first) && is_ground(second);
}

}  // namespace rattleback
