// Compression as PNG needs it (RFC 1950 and 1951): our own, because equal pixels must give equal bytes everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rattleback::lab
{

/// A zlib stream that inflates to `bytes`. Output depends on `bytes` alone.
std::vector<std::byte> compress(std::span<const std::byte> bytes);

/// The checksum at the end of a zlib stream.
std::uint32_t compute_adler32(std::span<const std::byte> bytes);

}  // namespace rattleback::lab
