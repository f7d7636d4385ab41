// CRC-32 of bytes: finds every single flipped bit and every burst up to 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rattleback
{

/// The CRC-32 of Ethernet and zip (reflected polynomial 0xEDB88320). Against accidents, not against attackers.
/// `before`: the CRC-32 of the bytes that came before these, for data in pieces.
std::uint32_t compute_crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace rattleback
