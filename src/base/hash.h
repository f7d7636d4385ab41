// Hasher: 64 bits from any sequence of plain values; the same on every machine.
#pragma once

#include "base/bits.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace rattleback
{

/// Order matters; every bit of every value matters. Not for secrets.
class Hasher
{
public:
    void add(std::uint64_t word)
    {
        state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ULL;
        state_ ^= std::rotl(state_, 29) >> 3;
        state_ *= 0xD6E8FEB86659FD93ULL;
        state_ ^= state_ >> 32;
    }
    void add(double value) { add(bits_as<std::uint64_t>(value)); }
    template <class T>
        requires std::is_integral_v<T> || std::is_enum_v<T>
    void add(T value)
    {
        add(static_cast<std::uint64_t>(value));
    }
    void add(std::string_view text)
    {
        add(text.size());
        for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    void add(std::span<const double> values)
    {
        for (const double value : values) add(value);
    }

    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

}  // namespace rattleback
