// The bits of a value as another type, for standard libraries without std::bit_cast too.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace rattleback
{

/// The same bytes as a To of the same size.
template <class To, class From>
constexpr To bits_as(const From& value)
{
    static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
    return __builtin_bit_cast(To, value);
}

/// Equal to the bit: zeros of either sign are two values. For what is made of doubles and other words of 8 bytes.
template <class T>
bool same_bits(const T& a, const T& b)
{
    using Words = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;
    return bits_as<Words>(a) == bits_as<Words>(b);
}

}  // namespace rattleback
