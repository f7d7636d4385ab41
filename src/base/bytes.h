// Plain values to and from little-endian bytes; reading checks every bound before it allocates or copies.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rattleback
{

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

/// A value that is its bytes: a number, an enumerator, or a struct of those without padding.
template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
                     !std::is_same_v<T, std::string_view>;

template <PlainValue T>
void append(std::vector<std::byte>& bytes, const T& value)
{
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + sizeof(T));
    std::memcpy(bytes.data() + old_size, &value, sizeof(T));
}

/// The count in 64 bits, then the values.
template <PlainValue T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& values)
{
    append(bytes, static_cast<std::uint64_t>(values.size()));
    const std::size_t old_size = bytes.size();
    bytes.resize(old_size + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data() + old_size, values.data(), values.size() * sizeof(T));
}

/// The length in 64 bits, then the characters.
void append(std::vector<std::byte>& bytes, std::string_view text);

/// Takes a value from the front of `bytes`; false, and nothing is changed, when there are too few.
template <PlainValue T>
[[nodiscard]] bool read(std::span<const std::byte>& bytes, T& value)
{
    if (bytes.size() < sizeof(T)) return false;
    std::memcpy(&value, bytes.data(), sizeof(T));
    bytes = bytes.subspan(sizeof(T));
    return true;
}

/// Takes a count of elements that need at least `element_size` bytes each; false when there cannot be so many.
[[nodiscard]] bool read_count(std::span<const std::byte>& bytes, std::size_t element_size, std::size_t& count);

template <PlainValue T>
[[nodiscard]] bool read(std::span<const std::byte>& bytes, std::vector<T>& values)
{
    std::size_t count = 0;
    if (!read_count(bytes, sizeof(T), count)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
    bytes = bytes.subspan(count * sizeof(T));
    return true;
}

[[nodiscard]] bool read(std::span<const std::byte>& bytes, std::string& text);

}  // namespace rattleback
