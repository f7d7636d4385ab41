// Whether lists of numbers that are nearly always zero (wrenches, velocities of surfaces) are so: one pass, no branch.
#pragma once

#include "base/bits.h"

#include <rattleback/math.h>

#include <cstdint>
#include <span>

namespace rattleback
{

namespace detail
{

inline std::uint64_t join_bits(const Vec3& a)
{
    return bits_as<std::uint64_t>(a.x) | bits_as<std::uint64_t>(a.y) | bits_as<std::uint64_t>(a.z);
}
inline std::uint64_t join_bits(double a) { return bits_as<std::uint64_t>(a); }
inline std::uint64_t join_bits(const Velocity& v) { return join_bits(v.linear) | join_bits(v.angular); }
inline std::uint64_t join_bits(const Wrench& w) { return join_bits(w.force) | join_bits(w.torque); }

}  // namespace detail

/// True where every number of the list is 0 or -0: the bits of all, without their signs.
template <class T>
bool are_zero(std::span<const T> list)
{
    std::uint64_t bits = 0;
    for (const T& item : list) bits |= detail::join_bits(item);
    return bits << 1 == 0;
}

}  // namespace rattleback
