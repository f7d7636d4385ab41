// Strings and counts in bytes.
#include "base/bytes.h"

namespace rattleback
{

void append(std::vector<std::byte>& bytes, std::string_view text)
{
    append(bytes, static_cast<std::uint64_t>(text.size()));
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
}

bool read_count(std::span<const std::byte>& bytes, std::size_t element_size, std::size_t& count)
{
    std::span<const std::byte> rest = bytes;
    std::uint64_t stored = 0;
    if (!read(rest, stored) || stored > rest.size() / element_size) return false;
    count = static_cast<std::size_t>(stored);
    bytes = rest;
    return true;
}

bool read(std::span<const std::byte>& bytes, std::string& text)
{
    std::size_t count = 0;
    if (!read_count(bytes, 1, count)) return false;
    text.assign(reinterpret_cast<const char*>(bytes.data()), count);
    bytes = bytes.subspan(count);
    return true;
}

}  // namespace rattleback
