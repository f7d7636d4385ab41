// The furthest vertex of a polyhedron: a scan in SIMD lanes for small ones, a climb along edges for big ones.
#pragma once

#include "geometry/polyhedron.h"
#include "math/lanes.h"

#include <bit>
#include <cmath>

namespace rattleback::cores
{

// The support point is asked for many times per query. A scan of four vertices at a time beats everything up to
// kClimbFrom vertices; beyond, a climb along edges starts near the answer, by the cell of the direction.

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
    /// Of the furthest of the four; of equals that in the first lane.
    long long find_index() const
    {
        // All lanes at once: which of them reaches the largest, the first of equals.
        const auto found = static_cast<unsigned>(to_bits(reach >= Pack4(find_largest(reach))));
        long long indices[4];
        __builtin_memcpy(indices, &index, sizeof indices);
        return indices[std::countr_zero(found | 8U)];
    }
};

/// The furthest of all vertices.
inline int scan_furthest(const Polyhedron& hull, const Vec3& d)
{
    const Pack4 dx(d.x), dy(d.y), dz(d.z);
    const std::size_t count = hull.x.size();
    const double *x = hull.x.data(), *y = hull.y.data(), *z = hull.z.data();
    // Coordinates are kept apart and padded, so that four vertices are projected by three products.
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

    const long long found = best.find_index();
    // Padding repeats the first vertex.
    return found < static_cast<long long>(hull.vertices.size()) ? static_cast<int>(found) : 0;
}

// Directions fall into cells: a grid on each side of the cube [-1, 1]^3.
inline constexpr int kCellsPerSide = 8;
inline constexpr int kCellCount = 6 * kCellsPerSide * kCellsPerSide;

/// The cell of a direction of any length.
inline int find_cell(const Vec3& d)
{
    // The face of the cube that the direction leaves through, then a square of its grid.
    const double x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const double along = axis == 0 ? x : axis == 1 ? y : z;
    const double u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z,
                 forward = axis == 0   ? d.x
                           : axis == 1 ? d.y
                                       : d.z;
    if (!(along > 0)) return 0;
    const double scale = 0.5 * kCellsPerSide / along;
    const auto place = [scale](double t)
    {
        const int cell = static_cast<int>(scale * t + 0.5 * kCellsPerSide);
        return cell < 0 ? 0 : cell >= kCellsPerSide ? kCellsPerSide - 1 : cell;
    };
    return (2 * axis + (forward > 0 ? 1 : 0)) * kCellsPerSide * kCellsPerSide + place(u) * kCellsPerSide + place(v);
}

/// The middle of a cell.
inline Vec3 find_cell_direction(int cell)
{
    const int side = cell / (kCellsPerSide * kCellsPerSide), axis = side / 2;
    const auto middle = [](int i) { return (2 * i + 1.0) / kCellsPerSide - 1; };
    const double u = middle(cell / kCellsPerSide % kCellsPerSide), v = middle(cell % kCellsPerSide);
    const double forward = side % 2 == 0 ? -1 : 1;
    return axis == 0 ? Vec3{forward, u, v} : axis == 1 ? Vec3{u, forward, v} : Vec3{u, v, forward};
}

/// From vertex to vertex, each time to the furthest neighbour.
inline int climb_furthest(const Polyhedron& hull, const Vec3& d, int start)
{
    const Vec3* vertices = hull.vertices.data();
    const int *begin = hull.climb_begin.data(), *climb = hull.climb.data();
    int best = start;
    double reach = dot(d, vertices[best]);
    // On a convex solid a vertex that no neighbour surpasses is the furthest: there are no false summits.
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

// From this number of vertices on, climbing beats a scan.
inline constexpr std::size_t kClimbFrom = 160;

inline int find_furthest(const Polyhedron& hull, const Vec3& d)
{
    if (hull.climb_start.empty() || hull.vertices.size() < kClimbFrom) return scan_furthest(hull, d);
    return climb_furthest(hull, d, hull.climb_start[static_cast<std::size_t>(find_cell(d))]);
}

}  // namespace rattleback::cores
