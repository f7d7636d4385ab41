// Rays against triangle surfaces.
#include "geometry/surface_ray.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

/// Where the ray goes through a triangle, from either side (Moeller and Trumbore, Fast, Minimum Storage Ray-Triangle
/// Intersection, 1997): a + u (b - a) + v (c - a) = origin + t direction by Cramer's rule.
void meet_triangle(const SurfaceTriangle& triangle, const Vec3& origin, const Vec3& direction, double& reach,
                   std::optional<RayHit>& hit)
{
    const Vec3 ab = triangle.corner[1] - triangle.corner[0], ac = triangle.corner[2] - triangle.corner[0];
    // A ray in the triangle's plane has determinant 0.
    const Vec3 across = cross(direction, ac);
    const double determinant = dot(ab, across);
    if (determinant == 0) return;
    const Vec3 from = origin - triangle.corner[0];
    // u and v are areas over the whole: barycentric coordinates.
    const double u = dot(from, across) / determinant;
    const Vec3 turned = cross(from, ab);
    const double v = dot(direction, turned) / determinant, t = dot(ac, turned) / determinant;
    // A little wider than the triangle, so that no ray slips through between two of them.
    constexpr double kSlack = 1e-12;
    if (!(u >= -kSlack && v >= -kSlack && u + v <= 1 + kSlack && t >= 0 && t <= reach)) return;
    // The nearest so far bounds all further ones.
    if (hit && t >= hit->distance) return;
    hit = RayHit{t, triangle.normal};
    reach = t;
}

/// The part of the ray inside a box; empty where enter > leave.
struct Passage
{
    double enter = 0, leave = 0;
};
Passage cross_box(const Aabb& box, const Vec3& origin, const Vec3& direction, double reach)
{
    Passage passage{0, reach};
    for (int axis = 0; axis < 3; ++axis)
    {
        // Parallel to two sides: between them or not.
        if (direction[axis] == 0)
        {
            if (origin[axis] < box.lower[axis] || origin[axis] > box.upper[axis]) return {1, 0};
            continue;
        }
        const double a = (box.lower[axis] - origin[axis]) / direction[axis];
        const double b = (box.upper[axis] - origin[axis]) / direction[axis];
        passage.enter = std::max(passage.enter, std::min(a, b));
        passage.leave = std::min(passage.leave, std::max(a, b));
    }
    return passage;
}

/// Walks along the ray through what surrounds the surface, piece by piece, until something is met.
template <class Surface>
std::optional<RayHit> walk(const Surface& surface, const Vec3& origin, const Vec3& direction, double reach, double step)
{
    std::optional<RayHit> hit;
    const double size = norm(surface.bounds().upper - surface.bounds().lower);
    const double margin = 1e-9 * size;
    const Passage inside = cross_box(inflate(surface.bounds(), margin), origin, direction, reach);
    const double length = inside.leave - inside.enter;
    if (!(length >= 0) || !std::isfinite(length)) return hit;
    // Pieces of the ray have small boxes, where one box around a slanted ray would hold most triangles.
    const int pieces = static_cast<int>(std::clamp(std::ceil(length / step), 1.0, 1e5));
    for (int k = 0; k < pieces; ++k)
    {
        // Pieces meet exactly: the same formula gives the end of one and the begin of the next.
        const double begin = inside.enter + length * k / pieces, end = inside.enter + length * (k + 1) / pieces;
        // Triangles of later pieces are further away.
        if (hit && hit->distance < begin) break;
        const Vec3 a = origin + begin * direction, b = origin + end * direction;
        surface.query(inflate(merge({a, a}, {b, b}), margin),
                      [&](int t) { meet_triangle(surface.triangle(t), origin, direction, reach, hit); });
    }
    return hit;
}

}  // namespace

std::optional<RayHit> cast_ray(const MeshSurface& surface, const Vec3& origin, const Vec3& direction, double reach)
{
    if (surface.triangle_count() == 0) return std::nullopt;
    // Pieces about as long as a triangle: their boxes hold few.
    const double size = norm(surface.bounds().upper - surface.bounds().lower);
    // n triangles over an area of size^2 are about size / sqrt(n) wide.
    const double step = std::max(2 * size / std::sqrt(static_cast<double>(surface.triangle_count())), 1e-3 * size);
    return walk(surface, origin, direction, reach, step);
}

std::optional<RayHit> cast_ray(const GridSurface& surface, const Vec3& origin, const Vec3& direction, double reach)
{
    const HeightFieldOptions& field = surface.field();
    // One cell at a time, by its wider side.
    const double cell = 2 * std::max(field.half_x / (field.columns - 1), field.half_y / (field.rows - 1));
    return walk(surface, origin, direction, reach, cell);
}

}  // namespace rattleback
