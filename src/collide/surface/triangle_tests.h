// Which directions a face, an edge or a corner of a surface can be touched from: its Voronoi region.
#pragma once

#include "geometry/triangle_surface.h"

namespace rattleback
{

/// How a place on a triangle's plane relates to the triangle.
enum class Over
{
    face,    ///< over the triangle
    groove,  ///< beyond a concave edge, below the neighbour too: both faces hold the point
    outside,
};

/// `inward` is the way from an edge into the triangle, times the edge's length. Edges belong to both triangles.
inline bool is_inward(double inward, const Vec3& side)
{
    constexpr double kSlack = 1e-9;  // of the edge
    return inward >= -kSlack * dot(side, side);
}

/// A point behind a face, `height` [m] below zero, whose foot lies beyond a concave edge of it: held by the face where
/// it is behind the neighbour too. In a groove the faces end before the point's foot does: it may lie as far out as the
/// point is deep.
inline bool is_held(const Vec3& beyond, const Vec3& side, const Vec3& corner, double inward, const Vec3& p,
                    double height)
{
    const double behind = dot(beyond, p - corner);
    return behind < 0 && -inward <= 2 * std::max(-height, -behind) * norm(side);
}

/// `foot` lies on the plane, under (or over) the point `p` of the other shape; `height` [m] is p's above the plane.
inline Over find_over(const SurfaceTriangle& triangle, const Vec3& foot, const Vec3& p, double height)
{
    Over over = Over::face;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Vec3 side = triangle.corner[(i + 1) % 3] - triangle.corner[i];
        const double inward = dot(find_inward(triangle.normal, side), foot - triangle.corner[i]);
        if (is_inward(inward, side)) continue;
        if (triangle.kind[i] != EdgeKind::concave || height >= 0) return Over::outside;
        if (!is_held(triangle.beyond[i], side, triangle.corner[i], inward, p, height)) return Over::outside;
        over = Over::groove;
    }
    return over;
}

/// The same for a triangle with flat edges: whether a place of its plane is in it, edges included.
inline bool is_over_flat(const std::array<Vec3, 3>& corner, const Vec3& normal, const Vec3& foot)
{
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Vec3 side = corner[(i + 1) % 3] - corner[i];
        if (!is_inward(dot(find_inward(normal, side), foot - corner[i]), side)) return false;
    }
    return true;
}

/// True when a thing that lies in direction `away` of edge i touches the edge and not a face beside it, up to `slack`
/// (a sine).
inline bool faces_edge(const SurfaceTriangle& triangle, std::size_t i, const Vec3& away, double slack)
{
    const Vec3 along = make_unit(triangle.corner[(i + 1) % 3] - triangle.corner[i]);
    if (dot(away, find_inward(triangle.normal, along)) > slack) return false;
    return triangle.neighbour[i] < 0 || dot(away, find_inward(triangle.beyond[i], -along)) <= slack;
}

/// Edges that can be touched.
inline bool sticks_out(EdgeKind kind) { return kind == EdgeKind::convex || kind == EdgeKind::border; }

/// The same once each: from the triangle with the lower number.
inline bool owns_edge(const SurfaceTriangle& triangle, int number, std::size_t i)
{
    if (!sticks_out(triangle.kind[i])) return false;
    return triangle.neighbour[i] < 0 || number < triangle.neighbour[i];
}

}  // namespace rattleback
