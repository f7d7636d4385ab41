// Rays and distances between the shapes of a model.
#include "base/index.h"
#include "collide/model_shape.h"
#include "collide/ray_filter.h"
#include "collide/surface_distance.h"
#include "geometry/distance.h"
#include "geometry/ray.h"
#include "geometry/surface_ray.h"

#include <rattleback/query.h>

namespace rattleback
{
namespace
{

// For users, not for a step: every shape is asked in turn, and balls around shapes keep nearly all of them cheap.

/// True when the ball around the shape keeps further than `reach` from the ray's origin, or aside of the ray.
bool is_out_of_the_way(const Vec3& center, double radius, const Vec3& origin, const Vec3& direction, double reach)
{
    // The ball around the shape against the ray: origin, direction and perpendicular distance.
    const Vec3 to_center = center - origin;
    const double along = dot(to_center, direction);
    // Behind the origin, or beyond the reach.
    if (along + radius < 0 || along - radius > reach) return true;
    const Vec3 aside = to_center - along * direction;
    const double slack = 1e-9 * norm(to_center);  // never lets rounding decide
    return dot(aside, aside) > (radius + slack) * (radius + slack);
}

void check_pair(const Model& model, ShapeId first, ShapeId second)
{
    for (const ShapeId shape : {first, second})
        RB_CHECK(shape.valid() && shape.index < model.shape_count(), "a distance needs two shapes of the model");
}

/// The same for shapes made of triangles, in their own frame.
std::optional<RayHit> cast_ray_at(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double reach)
{
    if (shape.mesh == nullptr && shape.grid == nullptr) return cast_ray(shape, origin, direction, reach);
    // In the frame of the triangles, where their tree is.
    const Vec3 from = transpose_times(shape.rotation, origin - shape.position);
    const Vec3 along = transpose_times(shape.rotation, direction);
    std::optional<RayHit> hit =
        shape.mesh != nullptr ? cast_ray(*shape.mesh, from, along, reach) : cast_ray(*shape.grid, from, along, reach);
    if (hit) hit->normal = shape.rotation * hit->normal;
    return hit;
}

bool is_seen(const PlacedShape& shape)
{
    return shape.type < ShapeType::hull || shape.hull != nullptr || shape.mesh != nullptr || shape.grid != nullptr;
}

ShapeGap make_gap(const ShapeDistance& found)
{
    return {found.distance, found.on_first, found.on_second, found.normal};
}

}  // namespace

std::optional<ShapeHit> cast_ray(const Model& model, const ConstWorldView& world, const Vec3& origin,
                                 const Vec3& direction, double reach)
{
    return cast_ray(model, world, origin, direction, reach, RayFilter{});
}

std::optional<ShapeHit> cast_ray(const Model& model, const ConstWorldView& world, const Vec3& origin,
                                 const Vec3& direction, double reach, const RayFilter& filter)
{
    const double length = norm(direction);
    RB_CHECK(length > 0, "a ray needs a direction");
    const Vec3 unit = (1 / length) * direction;
    std::optional<ShapeHit> first;
    // All shapes in turn: balls reject nearly all of them.
    for (int shape = 0; shape < model.shape_count(); ++shape)
    {
        if (model.shapes.body[at(shape)] == filter.own_body) continue;
        if (filter.as_seen && model.shapes.colour[at(shape)][3] == 0) continue;
        const PlacedShape placed = make_placed(model, world.body_pose[at(model.shapes.body[at(shape)])], shape);
        if (!is_seen(placed)) continue;
        if (filter.as_seen && placed.type == ShapeType::plane && !(dot(placed.rotation.column(2), unit) < 0)) continue;
        if (is_out_of_the_way(placed.position, model.shapes.bounding_radius[at(shape)], origin, unit, reach)) continue;
        const std::optional<RayHit> hit = cast_ray_at(placed, origin, unit, reach);
        if (!hit || (first && hit->distance >= first->distance)) continue;
        first = ShapeHit{ShapeId{shape}, hit->distance, origin + hit->distance * unit, hit->normal};
        // Later shapes need look no further than the first hit so far.
        reach = hit->distance;
    }
    return first;
}

std::optional<ShapeGap> find_distance(const Model& model, const ConstWorldView& world, ShapeId first, ShapeId second)
{
    check_pair(model, first, second);
    const auto body = [&](ShapeId shape) { return world.body_pose[at(model.shapes.body[at(shape.index)])]; };
    return find_distance(model, first, body(first), second, body(second));
}

std::optional<ShapeGap> find_distance(const Model& model, ShapeId first, const Pose& first_body, ShapeId second,
                                      const Pose& second_body)
{
    check_pair(model, first, second);
    const PlacedShape a = make_placed(model, first_body, first.index),
                      b = make_placed(model, second_body, second.index);
    if (!is_seen(a) || !is_seen(b)) return std::nullopt;
    const auto is_surface = [](const PlacedShape& shape) { return shape.mesh != nullptr || shape.grid != nullptr; };
    if (is_surface(a) || is_surface(b))
    {
        const std::optional<ShapeDistance> found = find_surface_distance(a, b);
        return found ? std::optional(make_gap(*found)) : std::nullopt;
    }
    if (!has_distance(a.type, b.type)) return std::nullopt;
    return make_gap(find_distance(a, b));
}

std::optional<ShapeGap> find_distance(const Model& model, const ConstWorldView& world, ShapeId shape, const Vec3& point)
{
    check_pair(model, shape, shape);
    const PlacedShape placed = make_placed(model, world.body_pose[at(model.shapes.body[at(shape.index)])], shape.index);
    if (!is_seen(placed)) return std::nullopt;
    return make_gap(find_point_distance(placed, point));
}

}  // namespace rattleback
