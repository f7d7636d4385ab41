// A slow and certain judge of signed distances between two convex shapes, from support points alone.
#pragma once

#include "geometry/placed_shape.h"

namespace rattleback
{

struct BruteDistance
{
    double distance = 0;  ///< [m]; negative: the shortest translation that parts the two
    double error = 0;     ///< apart: difference of the upper and the lower bound found [m]; overlapping: 0
    Vec3 normal;          ///< unit, from first to second
    bool unique = true;   ///< whether no other normal is about as good, so that directions can be compared
};

/// Gap between the shapes along a unit direction from first to second [m]: never above the signed distance, and equal
/// to it along the right normal. Planes among themselves excepted.
double find_gap_along(const PlacedShape& first, const PlacedShape& second, const Vec3& normal);

/// Apart: the point of least norm of second - first, with bounds from both sides, in extended precision. Overlapping:
/// the best of all directions where the gap can have a peak: products of edges, face normals, circles across edges,
/// and a dense cover of the sphere; each refined. Planes (first or second) are half-spaces.
BruteDistance find_brute_distance(const PlacedShape& first, const PlacedShape& second);

}  // namespace rattleback
