// Exact answers about points, segments and triangles given in doubles: the judge of intersections.
#pragma once

#include <rattleback/math.h>

#include <array>

namespace rattleback::lab
{

using ExactTriangle = std::array<Vec3, 3>;

/// Sign of dot(a - d, (b - d) x (c - d)): positive where d lies below the plane of a, b, c, which are counter-clockwise
/// seen from above. Exact for numbers whose products of three neither overflow nor lose bits below the smallest double.
int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Whether a closed segment and a closed triangle share a point; exact. A triangle without area shares none.
bool exact_intersect(const Vec3& p, const Vec3& q, const ExactTriangle& triangle);

/// Whether two closed triangles share a point; exact.
bool exact_intersect(const ExactTriangle& first, const ExactTriangle& second);

}  // namespace rattleback::lab
