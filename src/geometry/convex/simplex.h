// Simplices of support points, and the point of one that is nearest to the origin.
#pragma once

#include <rattleback/math.h>

namespace rattleback::cores
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
    // Made and copied in the innermost loops: only what is there.
    union
    {
        SupportPoint points[4];
    };
    double weights[4] = {1, 0, 0, 0};
    int count = 0;

    Simplex() {}
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

/// The part of a simplex that is nearest to the origin.
struct NearestPart
{
    NearestPart() = default;  // filled in where it is found

    int kept[4];  ///< its points by number, increasing
    double weights[4];
    int count;  ///< four only if the points enclose the origin; then `point` is zero
    /// On a triangle straight along its normal, and so it may differ by rounding from the weighted point.
    Vec3 point;
    double square;  ///< of the distance [m²]
};

/// Signed volumes after Montanari, Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable
/// distance queries", ACM TOG 36, 2017.
NearestPart find_nearest_part(const SupportPoint* points, int count);

/// Removes the other points and sets the weights.
inline void keep(const NearestPart& part, Simplex& simplex)
{
    // The points kept are in increasing order, so that none is overwritten before it moves.
    for (int i = 0; i < part.count; ++i)
    {
        if (part.kept[i] != i) simplex.points[i] = simplex.points[part.kept[i]];
        simplex.weights[i] = part.weights[i];
    }
    simplex.count = part.count;
}

/// Removes the points that do not carry the one nearest to the line along n through the origin, and sets the weights;
/// returns the way from that line to it [m].
Vec3 reduce_across(const Vec3& n, Simplex& simplex);

}  // namespace rattleback::cores
