// Two triangles of two surfaces: heights above each other's planes, balls around them, edges that pierce.
#pragma once

#include "collide/surface/edge_pair.h"
#include "collide/surface/triangle_tests.h"

#include <algorithm>

namespace rattleback
{

using Heights = std::array<double, 3>;

/// Of the corners `of` above the plane of a triangle [m].
inline Heights find_heights(const std::array<Vec3, 3>& of, const Vec3& normal, const Vec3& origin)
{
    const double offset = dot(normal, origin);
    return {dot(normal, of[0]) - offset, dot(normal, of[1]) - offset, dot(normal, of[2]) - offset};
}

using EdgeBalls = std::array<EdgeBall, 3>;
inline EdgeBalls find_edge_balls(const std::array<Vec3, 3>& corner)
{
    return {EdgeBall(corner[0], corner[1]), EdgeBall(corner[1], corner[2]), EdgeBall(corner[2], corner[0])};
}

/// Three times the centroid, and the square of the radius of the ball around it.
struct TripleBall
{
    Vec3 center;
    double square;
};
inline TripleBall find_ball(const std::array<Vec3, 3>& corner)
{
    // Sums of corners and not centroids: no division in the loop.
    const Vec3 sum = corner[0] + corner[1] + corner[2], middle = (1.0 / 3) * sum;
    const Vec3 a = corner[0] - middle, b = corner[1] - middle, c = corner[2] - middle;
    return {sum, std::max({dot(a, a), dot(b, b), dot(c, c)})};
}

/// True for triangles that are surely further apart than `reach`, by (a + b + c)^2 <= 3 (a^2 + b^2 + c^2).
inline bool are_far(const TripleBall& first, const TripleBall& second, double reach)
{
    // 9 d^2 against 27 (a^2 + b^2 + c^2): no root for pairs that are far.
    const Vec3 way = first.center - second.center;
    return dot(way, way) > 27 * (first.square + second.square + reach * reach);
}

/// True when the edge between two corners goes through the other triangle.
inline bool pierces(const SurfaceTriangle& of, std::size_t from, std::size_t to, const Heights& height,
                    const SurfaceTriangle& other)
{
    // Both corners on one side of the plane.
    if ((height[from] < 0) == (height[to] < 0)) return false;
    const double share = height[from] / (height[from] - height[to]);
    // Where the edge goes through the plane.
    const Vec3 place = of.corner[from] + share * (of.corner[to] - of.corner[from]);
    return find_over(other, place, place, 0) == Over::face;
}

}  // namespace rattleback
