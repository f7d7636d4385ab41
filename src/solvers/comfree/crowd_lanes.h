// Vectors of four bodies in the lanes of packs: what four contacts without a body in common need at once.
#pragma once

#include "math/pack.h"

#include <rattleback/math.h>

namespace rattleback::comfree
{

/// Four numbers of each of four bodies become four packs, one number of all bodies each; and back.
inline void transpose_lanes(Pack4 (&rows)[4])
{
    using Lanes = Pack4::Lanes;
    // Pairs of neighbours, then halves: eight shuffles.
    const Lanes a = __builtin_shufflevector(rows[0].lanes, rows[1].lanes, 0, 4, 2, 6);
    const Lanes b = __builtin_shufflevector(rows[0].lanes, rows[1].lanes, 1, 5, 3, 7);
    const Lanes c = __builtin_shufflevector(rows[2].lanes, rows[3].lanes, 0, 4, 2, 6);
    const Lanes d = __builtin_shufflevector(rows[2].lanes, rows[3].lanes, 1, 5, 3, 7);
    rows[0].lanes = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    rows[1].lanes = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    rows[2].lanes = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    rows[3].lanes = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// A vector of four bodies, and the number that stands behind it.
struct LaneVector
{
    Vector3<Pack4> vector;
    Pack4 last;
};

/// `from(lane)`: where the four numbers of a lane are.
template <class From>
LaneVector load_lanes(const From& from)
{
    Pack4 rows[4] = {load_pack(from(0)), load_pack(from(1)), load_pack(from(2)), load_pack(from(3))};
    transpose_lanes(rows);
    return {{rows[0], rows[1], rows[2]}, rows[3]};
}
template <class To>
void store_lanes(const LaneVector& from, const To& to)
{
    Pack4 rows[4] = {from.vector.x, from.vector.y, from.vector.z, from.last};
    transpose_lanes(rows);
    for (int k = 0; k < 4; ++k) store_pack(rows[k], to(k));
}

/// One number of each lane.
template <class Get>
Pack4 gather_lanes(const Get& get)
{
    return Pack4(Pack4::Lanes{get(0), get(1), get(2), get(3)});
}

}  // namespace rattleback::comfree
