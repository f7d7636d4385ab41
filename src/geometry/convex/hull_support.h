// The furthest vertex of a polyhedron: a scan in SIMD lanes for small ones, a climb along edges for big ones.
#pragma once

#include "math/pack.h"

#include <rattleback/polyhedron.h>

namespace rattleback::convex
{

/// The furthest vertex in each of four lanes.
struct FurthestLanes
{
    Pack4 reach;
    Mask4::Lanes index;

    void take(const Pack4& other_reach, const Mask4::Lanes& other_index)
    {
        const Mask4 further = other_reach > reach;
        index = further.lanes ? other_index : index;
        reach = select(further, other_reach, reach);
    }
};

/// The furthest of all vertices.
inline int scan_furthest(const Polyhedron& hull, const Vec3& d)
{
    const Pack4 dx(d.x), dy(d.y), dz(d.z);
    const std::size_t count = hull.x.size();
    const double *x = hull.x.data(), *y = hull.y.data(), *z = hull.z.data();
    const auto project = [&](std::size_t i)
    { return dx * load_pack(x + i) + dy * load_pack(y + i) + dz * load_pack(z + i); };
    FurthestLanes best{project(0), {0, 1, 2, 3}};
    Mask4::Lanes index = best.index + 4;
    std::size_t i = 4;
    if (count >= 32)
    {
        // Four at a time, so that no comparison waits for the one before.
        FurthestLanes more[4];
        for (std::size_t k = 0; k < 4; ++k) more[k] = {project(4 * k), best.index + static_cast<long long>(4 * k)};
        index = more[0].index + 16;
        for (i = 16; i + 16 <= count; i += 16, index += 16)
        {
            for (std::size_t k = 0; k < 4; ++k) more[k].take(project(i + 4 * k), index + static_cast<long long>(4 * k));
        }
        best = more[0];
        for (std::size_t k = 1; k < 4; ++k) best.take(more[k].reach, more[k].index);
    }
    for (; i < count; i += 4, index += 4) best.take(project(i), index);

    long long found = best.index[0];
    double furthest = best.reach.lanes[0];
    for (int k = 1; k < 4; ++k)
    {
        if (!(best.reach.lanes[k] > furthest)) continue;
        furthest = best.reach.lanes[k];
        found = best.index[k];
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
    return hull.climb.empty() || hull.vertices.size() < 400 ? scan_furthest(hull, d) : climb_furthest(hull, d, start);
}

}  // namespace rattleback::convex
