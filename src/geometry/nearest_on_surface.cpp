// The place of a triangle surface nearest to a point, and whether the point is inside.
#include "base/index.h"
#include "geometry/triangle_surface.h"

#include <limits>
#include <utility>

namespace rattleback
{
namespace
{

/// Looks at the triangles in a growing box around the point until the nearest of them is nearer than the box's side.
template <class Surface>
NearestOnSurface search(const Surface& surface, const Vec3& point, double reach)
{
    NearestOnSurface best;
    double least = std::numeric_limits<double>::infinity(), steepest = 0;
    const auto look = [&](int t)
    {
        const SurfaceTriangle here = surface.triangle(t);
        const Vec3 nearest = find_nearest_on_triangle(here.corner, point);
        const Vec3 way = point - nearest;
        const double distance = norm(way), height = dot(here.normal, way);
        // Triangles that share the nearest edge or corner: the one seen most from the front or behind says on which
        // side the point is.
        const double slack = 1e-12 * (1 + distance);
        const bool nearer = distance < least - slack;
        if (!nearer && (distance > least + slack || std::abs(height) <= steepest)) return;
        least = std::min(least, distance);
        steepest = std::abs(height);
        best = {t, nearest, height < 0 ? -distance : distance};
    };
    const Aabb all = surface.bounds();
    const Vec3 size = all.upper - all.lower;
    const double largest = std::max({size.x, size.y, size.z});
    if (!(largest > 0)) return {};
    double radius = 1e-3 * largest;
    // The box need not grow beyond what holds the whole surface.
    const Vec3 center = 0.5 * (all.lower + all.upper);
    const double enough = std::min(reach, norm(point - center) + 2 * largest);
    while (true)
    {
        radius = std::min(radius, enough);
        best = {};
        least = std::numeric_limits<double>::infinity();
        steepest = 0;
        surface.query(inflate({point, point}, radius), look);
        if (least <= radius || radius >= enough) break;
        radius *= 4;
    }
    if (best.triangle >= 0 && !surface.has_inside()) best.distance = std::abs(best.distance);
    return least <= reach ? best : NearestOnSurface{};
}

}  // namespace

SurfaceTriangle turn_over(const SurfaceTriangle& triangle)
{
    SurfaceTriangle back = triangle;
    back.normal = -triangle.normal;
    std::swap(back.corner[1], back.corner[2]);
    std::swap(back.vertex[1], back.vertex[2]);
    for (std::size_t i = 0; i < 3; ++i)
    {
        // Edge i of the turned triangle runs from its corner i to the next: 0-2, 2-1, 1-0 of the old one.
        const std::size_t old = 2 - i;
        back.edge[i] = triangle.edge[old];
        back.neighbour[i] = triangle.neighbour[old];
        back.beyond[i] = -triangle.beyond[old];
        const EdgeKind kind = triangle.kind[old];
        back.kind[i] = kind == EdgeKind::convex    ? EdgeKind::concave
                       : kind == EdgeKind::concave ? EdgeKind::convex
                                                   : kind;
    }
    return back;
}

Vec3 find_nearest_on_triangle(const std::array<Vec3, 3>& t, const Vec3& p)
{
    // Corners a and b.
    const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return t[0];
    const Vec3 bp = p - t[1];
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return t[1];
    // Edge ab; barycentric coordinates va, vb, vc tell on which side of an edge p lies.
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return t[0] + (d1 / (d1 - d3)) * ab;
    // Corner c, edge ac, edge bc.
    const Vec3 cp = p - t[2];
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return t[2];
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return t[0] + (d2 / (d2 - d6)) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return t[1] + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (t[2] - t[1]);
    // The face.
    const double s = 1 / (va + vb + vc);
    return t[0] + (s * vb) * ab + (s * vc) * ac;
}

NearestOnSurface find_nearest(const MeshSurface& surface, const Vec3& point, double reach)
{
    return search(surface, point, reach);
}

NearestOnSurface find_nearest(const GridSurface& surface, const Vec3& point, double reach)
{
    return search(surface, point, reach);
}

}  // namespace rattleback
