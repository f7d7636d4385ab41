// Rays against shapes: where the line enters and leaves the solid, in the shape's own frame.
#include "geometry/ray.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rattleback
{
namespace
{

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Every solid here is convex: a line is inside it for one stretch, which is the intersection of half-spaces and round
// bodies. The ray hits where the stretch begins, or from inside where it ends.

struct Ray
{
    Vec3 origin, direction;  ///< direction unit

    Vec3 find_point(double t) const { return origin + t * direction; }
};

/// The stretch of a line inside a convex solid; none where enter > leave.
struct Stretch
{
    double enter = -kUnbounded, leave = kUnbounded;
    Vec3 enter_normal, leave_normal;  ///< outward, of any length

    bool empty() const { return enter > leave; }
};

constexpr Stretch kNothing{kUnbounded, -kUnbounded, {}, {}};

/// Keeps what lies below the plane dot(normal, x) = offset.
void clip(const Ray& ray, const Vec3& normal, double offset, Stretch& stretch)
{
    // How fast the line rises through the plane, and how high it begins.
    const double rise = dot(normal, ray.direction);
    const double height = dot(normal, ray.origin) - offset;
    if (rise == 0)
    {
        // Parallel to the plane: inside for ever or never.
        if (height > 0) stretch = kNothing;
        return;
    }
    // Below the plane after a fall, until a rise.
    const double t = -height / rise;
    // The latest entry and the earliest exit of all half-spaces bound the stretch inside of all.
    if (rise < 0 && t > stretch.enter)
    {
        stretch.enter = t;
        stretch.enter_normal = normal;
    }
    else if (rise > 0 && t < stretch.leave)
    {
        stretch.leave = t;
        stretch.leave_normal = normal;
    }
}

/// The roots of |across|^2 t^2 + 2 (across . from) t + |from|^2 = radius^2, about the line's nearest point so that a
/// far origin costs no digits beyond its own rounding.
bool find_roots(const Vec3& from, const Vec3& across, double radius, double& enter, double& leave)
{
    // The nearest point of the line to the axis or centre, and half the chord from there.
    const double square = dot(across, across);
    // About the line's nearest point both roots are middle -+ half: no cancellation between them.
    const double middle = -dot(from, across) / square;
    const Vec3 nearest = from + middle * across;
    const double rest = radius * radius - dot(nearest, nearest);
    // The line passes by, or a number is none.
    if (!(rest >= 0)) return false;
    const double half = std::sqrt(rest / square);
    enter = middle - half;
    leave = middle + half;
    return true;
}

Stretch cross_ball(const Ray& ray, const Vec3& center, double radius)
{
    Stretch stretch;
    if (!find_roots(ray.origin - center, ray.direction, radius, stretch.enter, stretch.leave)) return kNothing;
    stretch.enter_normal = ray.find_point(stretch.enter) - center;
    // Normals may be of any length: the caller divides once, for the one that is hit.
    stretch.leave_normal = ray.find_point(stretch.leave) - center;
    return stretch;
}

/// The endless cylinder about z.
Stretch cross_tube(const Ray& ray, double radius)
{
    const Vec3 from{ray.origin.x, ray.origin.y, 0}, across{ray.direction.x, ray.direction.y, 0};
    // Along the axis the line is inside for ever, or never.
    if (dot(across, across) < 1e-200) return dot(from, from) <= radius * radius ? Stretch{} : kNothing;
    Stretch stretch;
    if (!find_roots(from, across, radius, stretch.enter, stretch.leave)) return kNothing;
    // Radial, from the axis to where the line goes through.
    stretch.enter_normal = from + stretch.enter * across;
    stretch.leave_normal = from + stretch.leave * across;
    return stretch;
}

/// The side and the two balls: together convex, so the line is inside from the first entry to the last exit. Where the
/// line passes an end of the side it is inside a ball.
Stretch cross_capsule(const Ray& ray, double radius, double half)
{
    Stretch all = kNothing;
    const auto add_enter = [&](double t, const Vec3& normal)
    {
        if (t >= all.enter) return;
        all.enter = t;
        all.enter_normal = normal;
    };
    const auto add_leave = [&](double t, const Vec3& normal)
    {
        if (t <= all.leave) return;
        all.leave = t;
        all.leave_normal = normal;
    };
    // Entry into the union of convex parts is the first of all entries, exit the last of all exits.
    for (const double end : {-half, half})
    {
        const Stretch ball = cross_ball(ray, {0, 0, end}, radius);
        if (ball.empty()) continue;
        add_enter(ball.enter, ball.enter_normal);
        add_leave(ball.leave, ball.leave_normal);
    }
    const Stretch tube = cross_tube(ray, radius);
    if (tube.empty() || tube.enter == -kUnbounded) return all;
    // Of the tube only the stretch between the caps.
    if (std::abs(ray.find_point(tube.enter).z) <= half) add_enter(tube.enter, tube.enter_normal);
    if (std::abs(ray.find_point(tube.leave).z) <= half) add_leave(tube.leave, tube.leave_normal);
    return all;
}

Stretch cross_box(const Ray& ray, const Vec3& size)
{
    Stretch stretch;
    // Three pairs of planes: the slab method.
    for (int axis = 0; axis < 3; ++axis)
    {
        Vec3 normal;
        normal[axis] = 1;
        clip(ray, normal, size[axis], stretch);
        clip(ray, -normal, size[axis], stretch);
    }
    return stretch;
}

Stretch cross_cylinder(const Ray& ray, double radius, double half)
{
    // The intersection of convex sets: a stretch, cut by two more half-spaces.
    Stretch stretch = cross_tube(ray, radius);
    // A tube between two planes.
    clip(ray, {0, 0, 1}, half, stretch);
    clip(ray, {0, 0, -1}, half, stretch);
    return stretch;
}

/// In coordinates divided by the radii the ellipsoid is the unit ball; normals are divided once more.
Stretch cross_ellipsoid(const Ray& ray, const Vec3& radii)
{
    // An affine map keeps lines straight and t the same.
    const auto shrink = [&](const Vec3& v) { return Vec3{v.x / radii.x, v.y / radii.y, v.z / radii.z}; };
    const Vec3 from = shrink(ray.origin), across = shrink(ray.direction);
    Stretch stretch;
    if (!find_roots(from, across, 1, stretch.enter, stretch.leave)) return kNothing;
    // The gradient of |x / radii|^2, which is the normal but for its length.
    stretch.enter_normal = shrink(from + stretch.enter * across);
    stretch.leave_normal = shrink(from + stretch.leave * across);
    return stretch;
}

Stretch cross_hull(const Ray& ray, const Polyhedron& solid)
{
    Stretch stretch;
    // Half-spaces one after the other; an empty stretch cannot come back.
    for (std::size_t face = 0; face < solid.face_normal.size() && !stretch.empty(); ++face)
        clip(ray, solid.face_normal[face], solid.face_offset[face], stretch);
    return stretch;
}

/// The half-space below z = 0. A line along the surface never crosses it.
Stretch cross_plane(const Ray& ray)
{
    if (ray.direction.z == 0) return kNothing;
    Stretch stretch;
    clip(ray, {0, 0, 1}, 0, stretch);
    return stretch;
}

Stretch cross_shape(const PlacedShape& shape, const Ray& ray)
{
    const Vec3& size = shape.size;
    switch (shape.type)
    {
        case ShapeType::plane:
            return cross_plane(ray);
        case ShapeType::sphere:
            return cross_ball(ray, {}, size.x);
        case ShapeType::capsule:
            return cross_capsule(ray, size.x, size.y);
        case ShapeType::box:
            return cross_box(ray, size);
        case ShapeType::cylinder:
            return cross_cylinder(ray, size.x, size.y);
        case ShapeType::ellipsoid:
            return cross_ellipsoid(ray, size);
        case ShapeType::hull:
        case ShapeType::mesh:
            return shape.hull != nullptr && shape.hull->face_count() > 0 ? cross_hull(ray, *shape.hull) : kNothing;
        case ShapeType::height_field:
        case ShapeType::points:
        case ShapeType::segments:
        case ShapeType::surface:
            break;
    }
    return kNothing;
}

}  // namespace

std::optional<RayHit> cast_ray(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double reach)
{
    // In the shape's frame the solid is centred and along its axes.
    // Rotations keep lengths: t is the same in both frames.
    const Ray ray{transpose_times(shape.rotation, origin - shape.position), transpose_times(shape.rotation, direction)};
    const Stretch stretch = cross_shape(shape, ray);
    if (stretch.empty()) return std::nullopt;
    // From inside, the surface is met where the line leaves.
    const bool from_inside = stretch.enter < 0;
    // t is a length: the direction is a unit vector.
    const double distance = from_inside ? stretch.leave : stretch.enter;
    if (!(distance >= 0 && distance < kUnbounded) || distance > reach) return std::nullopt;
    const Vec3 outward = from_inside ? stretch.leave_normal : stretch.enter_normal;
    return RayHit{distance, (1 / norm(outward)) * (shape.rotation * outward)};
}

}  // namespace rattleback
