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

    Simplex() = default;
    // Copies are made in the innermost loops: only of what is there.
    Simplex(const Simplex& other) { *this = other; }
    Simplex& operator=(const Simplex& other)
    {
        if (this == &other) return *this;
        for (int i = 0; i < other.count; ++i)
        {
            points[i] = other.points[i];
            weights[i] = other.weights[i];
        }
        count = other.count;
        return *this;
    }
    ~Simplex() = default;
};

/// The weighted point.
inline Vec3 find_point(const Simplex& simplex)
{
    Vec3 point;
    for (int i = 0; i < simplex.count; ++i) point += simplex.weights[i] * simplex.points[i].w;
    return point;
}

/// Removes the points that do not carry the one nearest to the origin, sets the weights, and returns that point.
/// Four points remain only if they enclose the origin; then it returns zero. On a triangle the point returned is
/// straight along its normal, and so may differ by rounding from the weighted one. Signed volumes after Montanari,
/// Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries", ACM TOG 36, 2017.
Vec3 reduce(Simplex& simplex);

/// The same as seen along n: for the point nearest to the line along n through the origin; returns the way from that
/// line to it [m].
Vec3 reduce_across(const Vec3& n, Simplex& simplex);

}  // namespace rattleback::convex
