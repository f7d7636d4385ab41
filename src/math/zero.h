// Whether lists of numbers that are nearly always zero (wrenches, velocities of surfaces) are so: one pass, no branch.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace rattleback
{

/// True where every number of the list, of doubles or what is made of them, is 0 or -0: the bits of all, without their
/// signs.
template <class T>
bool are_zero(std::span<const T> list)
{
    static_assert(sizeof(T) % sizeof(double) == 0 && std::is_trivially_copyable_v<T>);
    typedef std::uint64_t Words __attribute__((vector_size(32)));
    const auto* bytes = reinterpret_cast<const unsigned char*>(list.data());
    const std::size_t size = list.size_bytes(), whole = size / sizeof(Words) * sizeof(Words);
    Words all{};
    for (std::size_t i = 0; i < whole; i += sizeof(Words))
    {
        Words words;
        std::memcpy(&words, bytes + i, sizeof words);
        all |= words;
    }
    std::uint64_t bits = (all[0] | all[1]) | (all[2] | all[3]);
    for (std::size_t i = whole; i < size; i += sizeof bits)
    {
        std::uint64_t word;
        std::memcpy(&word, bytes + i, sizeof word);
        bits |= word;
    }
    return bits << 1 == 0;
}

}  // namespace rattleback
