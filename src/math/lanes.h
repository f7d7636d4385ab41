// Lanes of packs: the widest pack of a scalar, loads and stores for any width, and numbers found across lanes.
#pragma once

#include "math/pack.h"

namespace rattleback
{

/// As many numbers as fill a register of 256 bits.
template <class S>
using FullPack = Pack<S, static_cast<int>(32 / sizeof(S))>;

/// The lanes of V, a pack or a plain number, from and to memory that need not be aligned.
template <class V, class S>
V load_lanes(const S* from)
{
    // One text for scalars and packs.
    if constexpr (std::is_same_v<V, S>)
        return *from;
    else
        return load_pack(from);
}
template <class S>
void store_lanes(const S& value, S* to)
{
    *to = value;
}
template <class S, int N>
void store_lanes(const Pack<S, N>& value, S* to)
{
    store_pack(value, to);
}

/// The largest of the lanes.
inline double find_largest(const Pack4& a)
{
    // Halves against each other, then the two that are left: the order of maxima does not matter to the bits.
    const Pack4 pairs = maximum(a, Pack4(Pack4::Lanes{a.lanes[2], a.lanes[3], a.lanes[0], a.lanes[1]}));
    return maximum(pairs.lanes[0], pairs.lanes[1]);
}

/// Their sum, neighbours first.
inline double sum_lanes(const Pack4& a) { return (a.lanes[0] + a.lanes[1]) + (a.lanes[2] + a.lanes[3]); }

/// Their sum, halves of the pack first; a plain number is its own.
inline float sum_halves(float a) { return a; }
inline double sum_halves(double a) { return a; }
inline double sum_halves(const Pack4& a) { return (a.lanes[0] + a.lanes[2]) + (a.lanes[1] + a.lanes[3]); }
inline float sum_halves(const Pack8& a)
{
    // A tree of sums, in a fixed order: the same bits whatever the compiler does.
    return ((a.lanes[0] + a.lanes[4]) + (a.lanes[2] + a.lanes[6])) +
           ((a.lanes[1] + a.lanes[5]) + (a.lanes[3] + a.lanes[7]));
}

}  // namespace rattleback
