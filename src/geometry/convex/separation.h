// Distance of two cores that are apart: the algorithm of Gilbert, Johnson and Keerthi with bounds from both sides.
#pragma once

#include "geometry/convex/core_distance.h"
#include "geometry/convex/difference.h"

namespace rattleback::convex
{

inline constexpr int kMaxSeparationSteps = 96;
// Relative to the size of the two cores. Below `kTouch` the search for depth takes over, whose normals come from faces.
inline constexpr double kTouch = 1e-11;
inline constexpr double kSeparationGap = 1e-13;

/// `size` [m] is what tolerances are relative to; `reach` [m]: cores further apart need no exact distance.
template <class A, class B>
void find_separation(const Difference<A, B>& difference, double size, double reach, CoreDistance& result)
{
    using D = Difference<A, B>;
    Simplex& simplex = result.simplex;
    Vec3 v = difference.center();
    if (!(dot(v, v) > kTouch * size * (kTouch * size))) v = {0, 0, 1};
    simplex.points[0] = difference.support(v, {});
    simplex.weights[0] = 1;
    simplex.count = 1;
    v = simplex.points[0].w;
    double distance = norm(v);
    result.lower = -std::numeric_limits<double>::infinity();
    result.verdict = Verdict::overlap;

    for (int step = 0; step < kMaxSeparationSteps; ++step)
    {
        if (!(distance > kTouch * size)) return;
        const Vec3 n = (1 / distance) * v;
        const SupportPoint w = difference.support(n, simplex.points[simplex.count - 1]);
        const double gap = dot(n, w.w);
        if (gap > result.lower)
        {
            result.lower = gap;
            result.normal = n;
        }
        if (result.lower > reach)
        {
            result.verdict = Verdict::beyond;
            result.distance = distance;
            return;
        }
        result.verdict = Verdict::apart;
        if (distance - gap <= kSeparationGap * size + 4e-16 * distance) break;

        Simplex next = simplex;
        next.points[next.count++] = w;
        const Vec3 nearest = reduce(next);
        if (next.count == 4)
        {
            simplex = next;
            result.verdict = Verdict::overlap;
            return;
        }
        double reached = norm(nearest);
        if (!(reached < distance)) break;  // rounding is all that is left
        v = nearest;
        simplex = next;
        if constexpr (D::kCurved)
        {
            if (gap > 0 && reached > kTouch * size)
            {
                Vec3 turned = (1 / reached) * nearest;
                if (difference.slide(next, turned) < 0.1 * reached)
                {
                    Vec3 slid;
                    for (int i = 0; i < next.count; ++i) slid += next.weights[i] * next.points[i].w;
                    if (norm(slid) < reached)
                    {
                        reached = norm(slid);
                        v = slid;
                        simplex = next;
                    }
                }
            }
        }
        distance = reached;
        result.verdict = Verdict::overlap;
    }
    if (result.verdict == Verdict::overlap) result.verdict = Verdict::apart;  // out of steps
    result.distance = distance;
    result.normal = (1 / distance) * v;
}

}  // namespace rattleback::convex
