// Rays and distances between the shapes of a model.
#include "base/index.h"
#include "collide/model_shape.h"
#include "collide/ray_filter.h"
#include "collide/surface_distance.h"
#include "geometry/distance.h"
#include "geometry/ray.h"
#include "geometry/surface_ray.h"
#include "geometry/triangle_surface.h"

#include <rattleback/query.h>

#include <cmath>

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
    // The caller's mistake, not data.
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
        // Meshes by their tree, height fields by their cells.
        shape.mesh != nullptr ? cast_ray(*shape.mesh, from, along, reach) : cast_ray(*shape.grid, from, along, reach);
    if (hit) hit->normal = shape.rotation * hit->normal;
    return hit;
}

bool is_seen(const PlacedShape& shape)
{
    // What has neither a closed form nor a hull nor triangles cannot be hit.
    return shape.type < ShapeType::hull || shape.hull != nullptr || shape.mesh != nullptr || shape.grid != nullptr;
}

/// The triangles of a mesh that collides by its hull, where the model has them: they are what is seen.
const MeshSurface* find_seen_surface(const Model& model, int shape)
{
    const TriangleSurfaces* surfaces = model.surfaces.get();
    const int asset = model.shapes.asset[at(shape)];
    if (surfaces == nullptr || asset < 0 || at(asset) >= surfaces->sheets.size()) return nullptr;
    return surfaces->sheets[at(asset)].get();
}

/// Is the point on a plane, but beyond the rectangle that is seen of it?
bool is_beyond_plane(const Model& model, int shape, const PlacedShape& placed, const Vec3& point)
{
    if (placed.type != ShapeType::plane || model.appearance.shapes.empty()) return false;
    const Vec3 local = transpose_times(placed.rotation, point - placed.position);
    const auto& [x, y] = model.appearance.shapes[at(shape)].plane_size;
    return (x > 0 && std::abs(local.x) > x) || (y > 0 && std::abs(local.y) > y);
}

ShapeGap make_gap(const ShapeDistance& found)
{
    return {found.distance, found.on_first, found.on_second, found.normal};
}

/// Of meshes and the like nothing beyond `limit` [m] is looked for.
std::optional<ShapeGap> find_gap(const PlacedShape& a, const PlacedShape& b, double limit, SurfaceScratch& scratch)
{
    if (!is_seen(a) || !is_seen(b)) return std::nullopt;
    // Exact triangles: distances are the nearest of all contacts.
    if (is_surface(a) || is_surface(b))
    {
        const std::optional<ShapeDistance> found = find_surface_distance(a, b, limit, scratch);
        return found ? std::optional(make_gap(*found)) : std::nullopt;
    }
    if (!has_distance(a.type, b.type)) return std::nullopt;
    return make_gap(find_distance(a, b));
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
        // A sensor does not see the body that it sits on.
        if (model.shapes.body[at(shape)] == filter.own_body) continue;
        // Invisible shapes are there, but not for rangefinders (MuJoCo's rule).
        if (filter.as_seen && model.shapes.colour[at(shape)][3] == 0) continue;
        PlacedShape placed = make_placed(model, world.body_pose[at(model.shapes.body[at(shape)])], shape);
        if (filter.as_seen && placed.type == ShapeType::mesh && placed.mesh == nullptr)
            placed.mesh = find_seen_surface(model, shape);
        if (!is_seen(placed)) continue;
        // A plane is seen from its front alone.
        if (filter.as_seen && placed.type == ShapeType::plane && !(dot(placed.rotation.column(2), unit) < 0)) continue;
        if (is_out_of_the_way(placed.position, model.shapes.bounding_radius[at(shape)], origin, unit, reach)) continue;
        const std::optional<RayHit> hit = cast_ray_at(placed, origin, unit, reach);
        if (!hit || (first && hit->distance >= first->distance)) continue;
        if (filter.as_seen && is_beyond_plane(model, shape, placed, origin + hit->distance * unit)) continue;
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
    SurfaceScratch scratch;
    return find_gap(make_placed(model, first_body, first.index), make_placed(model, second_body, second.index),
                    std::numeric_limits<double>::infinity(), scratch);
}

std::optional<ShapeGap> find_distance_within(const Model& model, const ConstWorldView& world, ShapeId first,
                                             ShapeId second, double limit, SurfaceScratch& scratch)
{
    check_pair(model, first, second);
    const auto place = [&](ShapeId shape)
    { return make_placed(model, world.body_pose[at(model.shapes.body[at(shape.index)])], shape.index); };
    const PlacedShape a = place(first), b = place(second);
    // The balls around the two, with some slack for rounding.
    // Two balls that are further apart than the limit: most pairs end here.
    const double apart = norm(b.position - a.position);
    const double radii = model.shapes.bounding_radius[at(first.index)] + model.shapes.bounding_radius[at(second.index)];
    if (apart * (1 - 1e-9) - radii * (1 + 1e-9) > limit) return std::nullopt;
    return find_gap(a, b, limit, scratch);
}

std::optional<ShapeGap> find_distance(const Model& model, const ConstWorldView& world, ShapeId shape, const Vec3& point)
{
    check_pair(model, shape, shape);
    const PlacedShape placed = make_placed(model, world.body_pose[at(model.shapes.body[at(shape.index)])], shape.index);
    if (!is_seen(placed)) return std::nullopt;
    return make_gap(find_point_distance(placed, point));
}

}  // namespace rattleback
