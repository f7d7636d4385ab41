// Distance of two cores that are apart: the algorithm of Gilbert, Johnson and Keerthi with bounds from both sides.
#pragma once

#include "geometry/convex/core_distance.h"
#include "geometry/convex/difference.h"

namespace rattleback::cores
{

// GJK: the simplex holds up to four points of the difference b - a; its point nearest to the origin gives a direction,
// the support in that direction a new point and a lower bound of the distance. The two bounds meet. On curved surfaces
// the supports only creep towards the answer, so that Newton's method on the normal takes over once it is near.

inline constexpr int kMaxSeparationSteps = 96;
// Relative to the size of the two cores. Below `kTouch` the search for depth takes over, whose normals come from faces.
inline constexpr double kTouch = 1e-11;
inline constexpr double kSeparationGap = 1e-13;
inline constexpr int kMaxStalls = 6;

/// Tries to get nearer by Newton's method on curved surfaces; see Difference::slide.
template <class A, class B>
void slide_nearer(const Difference<A, B>& difference, Simplex& simplex, Vec3& v, double& distance)
{
    // n is the present direction; slide() looks for the normal at which curved surfaces are nearest.
    Vec3 n = (1 / distance) * v;
    Simplex slid = simplex;
    if (!(difference.slide(slid, n) < 0.1 * distance)) return;
    const Vec3 nearest = find_point(slid);
    const double reached = norm(nearest);
    if (!(reached < distance)) return;
    simplex = slid;
    v = nearest;
    distance = reached;
}

/// `size` [m] is what tolerances are relative to; `reach` [m]: cores further apart need no exact distance.
template <class A, class B>
void find_separation(const Difference<A, B>& difference, double size, double reach, CoreDistance& result)
{
    Simplex& simplex = result.simplex;
    // A start near the answer saves supports: nearest points of simple bodies, else centres, else any direction.
    Vec3 v = difference.find_start();
    if (!(norm(v) > kTouch * size)) v = difference.center();
    if (!(norm(v) > kTouch * size)) v = {0, 0, 1};
    simplex.points[0] = difference.support(v);
    simplex.count = 1;
    v = simplex.points[0].w;
    result.distance = norm(v);
    result.lower = -std::numeric_limits<double>::infinity();
    result.verdict = Verdict::overlap;
    int stalls = 0;

    for (int step = 0; step < kMaxSeparationSteps; ++step)
    {
        // Upper bound: the distance of a point of the difference.
        const double distance = result.distance;
        if (!(distance > kTouch * size)) return;
        const Vec3 n = (1 / distance) * v;
        SupportPoint& w = simplex.points[simplex.count];  // not one of its points yet
        w = difference.support(n);
        // Lower bound: the plane across n through the support point holds the origin apart from the difference.
        const double gap = dot(n, w.w);
        if (gap > result.lower)
        {
            result.lower = gap;
            result.normal = n;
        }
        if (result.lower > reach)
        {
            result.verdict = Verdict::beyond;
            return;
        }
        // Bounds as near as rounding lets them be: done.
        if (distance - result.lower <= kSeparationGap * size + 4e-16 * distance) break;

        // The nearest point of the simplex with the new point; what does not carry it is dropped.
        const NearestPart next = find_nearest_part(simplex.points, simplex.count + 1);
        v = next.point;
        if (next.count == 4)
        {
            // Four points around the origin: the cores overlap, and the simplex is handed to the search for depth.
            keep(next, simplex);
            return;
        }
        const double reached = norm(v);
        // Nearly parallel faces: their distance hardly changes any more when the normal still does.
        if (!(reached < distance) && (++stalls > kMaxStalls || reached > distance + 1e-15 * (distance + size))) break;
        result.distance = reached;
        keep(next, simplex);
        if constexpr (Difference<A, B>::kCurved)
        {
            // Supports of curved surfaces creep: Newton's method takes the last digits.
            if (gap > 0 && reached > kTouch * size) slide_nearer(difference, simplex, v, result.distance);
        }
    }
    result.verdict = Verdict::apart;
    result.distance = norm(find_point(simplex));
}

}  // namespace rattleback::cores
