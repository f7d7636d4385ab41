// Distances from contacts: the nearest of all contacts within a reach.
#include "collide/surface_distance.h"

#include "geometry/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{
namespace
{

constexpr int kPoints = 8;  // of a group of contacts; the deepest is among any number

const ManifoldPoint* find_deepest(const SurfaceScratch& scratch)
{
    // Distances are negative where shapes overlap: the least is the deepest.
    const auto deepest =
        std::min_element(scratch.points.begin(), scratch.points.end(),
                         [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.distance < b.distance; });
    return deepest == scratch.points.end() ? nullptr : &*deepest;
}

/// A length of the order of the triangles' surface [m].
double find_size(const PlacedShape& shape)
{
    if (!is_surface(shape)) return 0;
    // The diagonal of the surface's box.
    const Aabb box = shape.mesh != nullptr ? shape.mesh->bounds() : shape.grid->bounds();
    return norm(box.upper - box.lower);
}

ShapeDistance make_point_distance(const Vec3& point, const Vec3& on_shape, const Vec3& normal, double distance)
{
    return {.distance = distance, .lower = distance, .on_first = on_shape, .on_second = point, .normal = normal};
}

/// The deepest contact within the reach.
std::optional<ShapeDistance> find_contact(const PlacedShape& first, const PlacedShape& second, double reach,
                                          SurfaceScratch& scratch)
{
    touch_surface(first, second, reach, kPoints, scratch);
    const ManifoldPoint* deepest = find_deepest(scratch);
    if (deepest == nullptr) return std::nullopt;
    // Contact points lie half way between the two surfaces.
    const Vec3 half = (0.5 * deepest->distance) * deepest->normal;
    return ShapeDistance{.distance = deepest->distance,
                         .lower = deepest->distance,
                         .on_first = deepest->point - half,
                         .on_second = deepest->point + half,
                         .normal = deepest->normal};
}

/// How far two points on the surfaces are from each other [m]: each the nearest to the other in turn, from the second
/// shape's origin on. Between convex shapes this tends to the distance; otherwise it is no less.
double find_upper_bound(const PlacedShape& first, const PlacedShape& second)
{
    constexpr int kTurns = 6;  // the first few bring nearly all of it
    // Alternating projections: each step can only come nearer.
    Vec3 on_second = second.position;
    double least = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < kTurns; ++turn)
    {
        const Vec3 on_first = find_point_distance(first, on_second).on_first;
        on_second = find_point_distance(second, on_first).on_first;
        const double distance = norm(on_second - on_first);
        // No progress: the pair of points is a fixed point, for convex shapes the nearest.
        if (!(distance < least)) break;
        least = distance;
    }
    return least;
}

}  // namespace

std::optional<ShapeDistance> find_surface_distance(const PlacedShape& first, const PlacedShape& second, double limit,
                                                   SurfaceScratch& scratch)
{
    if (!can_touch_surface(first, second) || never_touch(first.type, second.type)) return std::nullopt;
    const double size = std::max(find_size(first), find_size(second));
    const double far = norm(second.position - first.position);
    // Positions that are no numbers.
    if (!std::isfinite(size + far)) return std::nullopt;
    // Contacts nearer than the reach are all found, so the nearest of any is the distance. First those that touch, then
    // those not further than two points that lie on the shapes; where sides or edges allow no contact that near, the
    // reach grows until it holds both shapes. It never grows beyond the limit.
    if (const auto touching = find_contact(first, second, 0, scratch)) return touching;
    if (!(limit > 0)) return std::nullopt;
    const double bound = find_upper_bound(first, second);
    // A reach that surely holds a contact, if the bound is one.
    const double near = std::isfinite(bound) ? (1 + 1e-9) * bound + 1e-12 * (size + far) : 1e-3 * (size + far);
    // By a factor of four: the cost of the last search dominates.
    for (double reach = near; reach <= 64 * (size + far) + near; reach = std::max(4 * reach, 1e-3 * (size + far)))
    {
        if (const auto found = find_contact(first, second, std::min(reach, limit), scratch)) return found;
        if (reach >= limit) break;
    }
    return std::nullopt;
}

ShapeDistance find_point_distance(const PlacedShape& shape, const Vec3& point)
{
    if (!is_surface(shape))
    {
        // A point is a ball of radius zero.
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
        // On the surface itself there is no way to it: the face's normal.
        shape.mesh != nullptr ? shape.mesh->normal(nearest.triangle) : shape.grid->triangle(nearest.triangle).normal;
    if (length > 0) normal = ((nearest.distance < 0 ? -1 : 1) / length) * way;
    return make_point_distance(point, shape.position + shape.rotation * nearest.point, shape.rotation * normal,
                               nearest.distance);
}

}  // namespace rattleback
