// The signed distance of two polyhedra by going through all their features: slow, simple and exact up to rounding.
#pragma once

#include "geometry/placed_shape.h"

namespace rattleback
{

struct ExactDistance
{
    double distance = 0;  ///< [m]; negative: the shortest translation that parts the two
    Vec3 normal;          ///< unit, from first to second
    bool unique = false;  ///< whether no other normal is about as good
};

/// Of two boxes or hulls, in extended precision. Apart: the least distance over all pairs of a vertex and a face, and
/// of two edges. Overlapping: the least depth over all normals of faces and all products of edges.
ExactDistance find_exact_distance(const PlacedShape& first, const PlacedShape& second);

}  // namespace rattleback
