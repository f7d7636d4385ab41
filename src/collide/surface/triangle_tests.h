// Which directions a face, an edge or a corner of a surface can be touched from: its Voronoi region.
#pragma once

#include "geometry/triangle_surface.h"

namespace rattleback
{

/// A flat part may lean on an edge or corner from so far beside its Voronoi region (a sine): less than this is tilt.
inline constexpr double kLeaningSine = 0.02;

/// How a place on a triangle's plane relates to the triangle.
enum class Over
{
    face,    ///< over the triangle
    groove,  ///< beyond a concave edge, below the neighbour too: both faces hold the point
    outside,
};

/// `foot` lies on the plane, under (or over) the point `p` of the other shape; `height` [m] is p's above the plane.
/// Edges belong to both triangles.
inline Over find_over(const SurfaceTriangle& triangle, const Vec3& foot, const Vec3& p, double height)
{
    constexpr double kSlack = 1e-9;  // of the edge
    Over over = Over::face;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Vec3 side = triangle.corner[(i + 1) % 3] - triangle.corner[i];
        // Times the edge's length.
        const double inward = dot(find_inward(triangle.normal, side), foot - triangle.corner[i]);
        if (inward >= -kSlack * dot(side, side)) continue;
        if (triangle.kind[i] != EdgeKind::concave || height >= 0) return Over::outside;
        // In a groove the faces end before the point's foot does: it may lie as far out as the point is deep.
        const double beyond = dot(triangle.beyond[i], p - triangle.corner[i]);
        if (beyond >= 0 || -inward > 2 * std::max(-height, -beyond) * norm(side)) return Over::outside;
        over = Over::groove;
    }
    return over;
}

/// The same for a triangle with flat edges: whether a place of its plane is in it, edges included.
inline bool is_over_flat(const std::array<Vec3, 3>& corner, const Vec3& normal, const Vec3& foot)
{
    constexpr double kSlack = 1e-9;  // of the edge
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Vec3 side = corner[(i + 1) % 3] - corner[i];
        if (dot(find_inward(normal, side), foot - corner[i]) < -kSlack * dot(side, side)) return false;
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
