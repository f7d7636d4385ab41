// Simplices of support points, and the point of one that is nearest to the origin.
#pragma once

#include <rattleback/math.h>

namespace rattleback::convex
{

/// A point of the difference of two shapes: w = b - a, in the frame of the first.
struct SupportPoint
{
    Vec3 w, a;
    int first = 0, second = 0;  ///< corners of the two cores, see cores.h

    Vec3 b() const { return a + w; }
};

/// One to four points, with the weights of the point nearest to the origin.
struct Simplex
{
    SupportPoint points[4];
    double weights[4] = {1, 0, 0, 0};
    int count = 0;
};

/// Removes the points that do not carry the one nearest to the origin, sets the weights, and returns that point.
/// Four points remain only if they enclose the origin; then it returns zero. Signed volumes after Montanari,
/// Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries", ACM TOG 36, 2017.
Vec3 reduce(Simplex& simplex);

}  // namespace rattleback::convex
