// The place of a triangle surface nearest to a point, and whether the point is inside.
#include "base/index.h"
#include "geometry/triangle_surface.h"
#include "math/elementary.h"

#include <limits>
#include <utility>

namespace rattleback
{
namespace
{

/// The nearest of the triangles looked at so far.
class NearestSoFar
{
public:
    explicit NearestSoFar(const Vec3& point) : point_(point) {}

    void look(const std::array<Vec3, 3>& corner, const Vec3& normal, int number)
    {
        const Vec3 nearest = find_nearest_on_triangle(corner, point_);
        // |height| = distance where the face itself is nearest, less where an edge or corner is.
        const Vec3 way = point_ - nearest;
        const double distance = norm(way), height = dot(normal, way);
        // Triangles that share the nearest edge or corner: the one seen most from the front or behind says on which
        // side the point is.
        const double slack = 1e-12 * (1 + distance);
        const bool nearer = distance < least_ - slack;
        if (!nearer && (distance > least_ + slack || std::abs(height) <= steepest_)) return;
        least_ = std::min(least_, distance);
        steepest_ = std::abs(height);
        best_ = {number, nearest, height < 0 ? -distance : distance};
    }
    double least() const { return least_; }
    template <class Surface>
    NearestOnSurface answer(const Surface& surface, double reach) const
    {
        if (!(least_ <= reach)) return {};
        NearestOnSurface best = best_;
        // An open surface has no inside: the sign would mean nothing.
        if (!surface.has_inside())
        {
            best.distance = std::abs(best.distance);
            return best;
        }
        // Where a corner is nearest, all its triangles together tell the side.
        const std::array<Vec3, 3> corner = surface.corners(best.triangle);
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (!(best.point == corner[i])) continue;
            const Vec3 normal = surface.corner_normal(surface.numbers(best.triangle)[i]);
            best.distance = dot(normal, point_ - best.point) < 0 ? -std::abs(best.distance) : std::abs(best.distance);
        }
        return best;
    }

private:
    Vec3 point_;
    NearestOnSurface best_;
    double least_ = std::numeric_limits<double>::infinity(), steepest_ = 0;
};

}  // namespace

SurfaceTriangle turn_over(const SurfaceTriangle& triangle)
{
    SurfaceTriangle back = triangle;
    // The back of a triangle is a triangle too: normal, order of corners and bends change sign.
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

double find_corner_angle(const std::array<Vec3, 3>& corners, std::size_t i)
{
    const Vec3 u = corners[(i + 1) % 3] - corners[i], v = corners[(i + 2) % 3] - corners[i];
    return angle_of(norm(cross(u, v)), dot(u, v));
}

Vec3 find_nearest_on_triangle(const std::array<Vec3, 3>& t, const Vec3& p)
{
    // Corners a and b.
    // Regions of corners, edges and face by signs of dot products (Ericson 2005, section 5.1.5): no root, one division.
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
    // Down the tree, nearer boxes first; a little further than the nearest, for those that share its edge or corner.
    NearestSoFar nearest(point);
    const double widest = reach * (1 + 1e-9) + 1e-12;
    double square = widest * widest;
    surface.find_near(point, square,
                      [&](int t)
                      {
                          nearest.look(surface.corners(t), surface.normal(t), t);
                          const double near = nearest.least() * (1 + 1e-9) + 4e-12;
                          square = std::min(square, near * near);
                      });
    return nearest.answer(surface, reach);
}

NearestOnSurface find_nearest(const GridSurface& surface, const Vec3& point, double reach)
{
    // The triangles in a growing box around the point, until the nearest of them is nearer than the box's side; it need
    // not grow beyond what holds the whole surface.
    const Aabb all = surface.bounds();
    // The furthest that the nearest point can be: through the centre to the far side.
    const Vec3 size = all.upper - all.lower, center = 0.5 * (all.lower + all.upper);
    const double largest = std::max({size.x, size.y, size.z});
    const double enough = std::min(reach, norm(point - center) + 2 * largest);
    if (!(largest > 0)) return {};
    for (double radius = 1e-3 * largest;; radius *= 4)
    {
        radius = std::min(radius, enough);
        // Anew for each box: triangles that it adds may be nearer.
        NearestSoFar nearest(point);
        surface.query(inflate({point, point}, radius),
                      [&](int t)
                      {
                          const std::array<Vec3, 3> corner = surface.corners(t);
                          nearest.look(corner, GridSurface::find_normal(corner), t);
                      });
        if (nearest.least() <= radius || radius >= enough) return nearest.answer(surface, reach);
    }
}

}  // namespace rattleback
