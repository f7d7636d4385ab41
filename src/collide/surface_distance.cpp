// Distances from contacts: all contacts within a reach that grows until there is one.
#include "collide/surface_distance.h"

#include "collide/surface/touch_surface.h"
#include "geometry/bounds.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr int kPoints = 8;  // of a group of contacts; the deepest is among any number

const ManifoldPoint* find_deepest(const SurfaceScratch& scratch)
{
    const auto deepest =
        std::min_element(scratch.points.begin(), scratch.points.end(),
                         [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.distance < b.distance; });
    return deepest == scratch.points.end() ? nullptr : &*deepest;
}

/// A length of the order of the triangles' surface [m].
double find_size(const PlacedShape& shape)
{
    if (!is_surface(shape)) return 0;
    const Aabb box = shape.mesh != nullptr ? shape.mesh->bounds() : shape.grid->bounds();
    return norm(box.upper - box.lower);
}

ShapeDistance make_point_distance(const Vec3& point, const Vec3& on_shape, const Vec3& normal, double distance)
{
    return {.distance = distance, .lower = distance, .on_first = on_shape, .on_second = point, .normal = normal};
}

}  // namespace

std::optional<ShapeDistance> find_surface_distance(const PlacedShape& first, const PlacedShape& second)
{
    if (!can_touch_surface(first, second) || never_touch(first.type, second.type)) return std::nullopt;
    const double size = std::max(find_size(first), find_size(second));
    // Contacts nearer than the reach are all found, so the nearest of any is the distance. A reach that holds both
    // shapes ends the search; far from each other it is of the order of the way between them.
    const double far = norm(second.position - first.position);
    if (!std::isfinite(size + far)) return std::nullopt;
    SurfaceScratch scratch;
    for (double reach = 0; reach <= 64 * (size + far); reach = std::max(4 * reach, 1e-3 * (size + far)))
    {
        touch_surface(first, second, reach, kPoints, scratch);
        const ManifoldPoint* deepest = find_deepest(scratch);
        if (deepest == nullptr) continue;
        const Vec3 half = (0.5 * deepest->distance) * deepest->normal;
        return ShapeDistance{.distance = deepest->distance,
                             .lower = deepest->distance,
                             .on_first = deepest->point - half,
                             .on_second = deepest->point + half,
                             .normal = deepest->normal};
    }
    return std::nullopt;
}

ShapeDistance find_point_distance(const PlacedShape& shape, const Vec3& point)
{
    if (!is_surface(shape))
    {
        PlacedShape ball;
        ball.position = point;
        ball.rotation = to_matrix(Quat{});
        return find_distance(shape, ball);
    }
    const Vec3 local = transpose_times(shape.rotation, point - shape.position);
    constexpr double kAnywhere = std::numeric_limits<double>::infinity();
    const NearestOnSurface nearest = shape.mesh != nullptr ? find_nearest(*shape.mesh, local, kAnywhere)
                                                           : find_nearest(*shape.grid, local, kAnywhere);
    if (nearest.triangle < 0)
        return make_point_distance(point, shape.position, {0, 0, 1}, std::numeric_limits<double>::infinity());
    // Along the way to the surface; on it along its normal.
    const Vec3 way = local - nearest.point;
    const double length = norm(way);
    Vec3 normal =
        shape.mesh != nullptr ? shape.mesh->normal(nearest.triangle) : shape.grid->triangle(nearest.triangle).normal;
    if (length > 0) normal = ((nearest.distance < 0 ? -1 : 1) / length) * way;
    return make_point_distance(point, shape.position + shape.rotation * nearest.point, shape.rotation * normal,
                               nearest.distance);
}

}  // namespace rattleback
