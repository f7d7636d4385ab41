// Where two simplices (points, segments, triangles) are nearest: point and triangle, segment and segment.
#pragma once

#include <rattleback/math.h>

#include <array>

namespace rattleback
{

/// One to three corners: a point, a segment or a triangle.
struct Simplex
{
    std::array<Vec3, 3> corner;  ///< [m]
    int count = 0;
};

/// The nearest points of two simplices as means of their corners. A weight is exactly zero where the corner does not
/// belong to the part (vertex, edge, face) on which the nearest point lies.
struct NearestSimplices
{
    std::array<double, 3> first{}, second{};  ///< weights, sums 1
    Vec3 between;                             ///< from the point on the second to the one on the first [m]
};

/// Of a point and a point, segment or triangle, or of two segments; corners may coincide. Numbers of corners: 1 and 1
/// to 3, or 2 and 2.
NearestSimplices find_nearest(const Simplex& first, const Simplex& second);

}  // namespace rattleback
