// Masks: which lanes of a scalar satisfy a condition, for formulas that choose between vectors without a branch.
#pragma once

#include "math/pack.h"

#include <rattleback/math.h>

namespace rattleback
{

/// What a comparison of two T gives: bool for plain numbers, one answer per lane for packs.
template <class T>
using MaskOf = decltype(T() < T());

/// Lanes where a holds and b does not.
RB_HD inline bool without(bool a, bool b) { return a && !b; }
RB_HD inline void set_true(bool& mask, int /*lane*/) { mask = true; }
/// Whether it holds in one lane.
RB_HD inline bool has_lane(bool mask, int /*lane*/) { return mask; }
/// Lane i as bit i.
RB_HD inline int to_bits(bool a) { return a ? 1 : 0; }

#if !defined(__CUDACC__)
template <class S, int N>
Mask<S, N> without(const Mask<S, N>& a, const Mask<S, N>& b)
{
    return {a.lanes & ~b.lanes};
}
template <class S, int N>
bool has_lane(const Mask<S, N>& mask, int lane)
{
    return mask.lanes[lane] != 0;
}
template <class S, int N>
void set_true(Mask<S, N>& mask, int lane)
{
    mask.lanes[lane] = -1;
}
#endif

/// Every lane, or none.
template <class T>
RB_HD MaskOf<T> make_mask(bool value)
{
    return value ? T(0.0) < T(1.0) : T(1.0) < T(0.0);
}

/// Component by component: a where the condition holds, b elsewhere.
template <class M, class T>
RB_HD Vector3<T> select(const M& condition, const Vector3<T>& a, const Vector3<T>& b)
{
    return {select(condition, a.x, b.x), select(condition, a.y, b.y), select(condition, a.z, b.z)};
}

}  // namespace rattleback
