// The furthest vertex of a polyhedron: a scan in SIMD lanes for small ones, a climb along edges for big ones.
#pragma once

#include "math/pack.h"

#include <rattleback/polyhedron.h>

namespace rattleback::convex
{

/// The furthest of all vertices; of equals the first.
inline int scan_furthest(const Polyhedron& hull, const Vec3& d)
{
    const Pack4 dx(d.x), dy(d.y), dz(d.z);
    const std::size_t count = hull.x.size();
    const double *x = hull.x.data(), *y = hull.y.data(), *z = hull.z.data();
    const auto project = [&](std::size_t i)
    { return dx * load_pack(x + i) + dy * load_pack(y + i) + dz * load_pack(z + i); };
    Pack4 reach = project(0);
    Mask4::Lanes best{0, 1, 2, 3}, index = best;
    for (std::size_t i = 4; i < count; i += 4)
    {
        index += 4;
        const Pack4 next = project(i);
        const Mask4 further = next > reach;
        best = further.lanes ? index : best;
        reach = select(further, next, reach);
    }
    long long found = best[0];
    double furthest = reach.lanes[0];
    for (int k = 1; k < 4; ++k)
    {
        if (reach.lanes[k] < furthest || (!(reach.lanes[k] > furthest) && best[k] > found)) continue;
        furthest = reach.lanes[k];
        found = best[k];
    }
    return found < static_cast<long long>(hull.vertices.size()) ? static_cast<int>(found) : 0;
}

/// From vertex to vertex, each time to the furthest neighbour.
inline int climb_furthest(const Polyhedron& hull, const Vec3& d, int start)
{
    const Vec3* vertices = hull.vertices.data();
    const int *begin = hull.climb_begin.data(), *climb = hull.climb.data();
    int best = start;
    double reach = dot(d, vertices[best]);
    for (int from = -1; from != best;)
    {
        from = best;
        for (int k = begin[from]; k < begin[from + 1]; ++k)
        {
            const double next = dot(d, vertices[climb[k]]);
            if (!(next > reach)) continue;
            reach = next;
            best = climb[k];
        }
    }
    return best;
}

/// `start` matters for speed, and for which of several equally far vertices it is.
inline int find_furthest(const Polyhedron& hull, const Vec3& d, int start)
{
    return hull.climb.empty() ? scan_furthest(hull, d) : climb_furthest(hull, d, start);
}

}  // namespace rattleback::convex
