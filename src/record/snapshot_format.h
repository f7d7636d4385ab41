// The first bytes of a snapshot, shared by its reader and the file loader.
#pragma once

#include <rattleback/error.h>

#include <array>
#include <cstdint>
#include <optional>

namespace rattleback
{

inline constexpr std::uint32_t kSnapshotVersion = 5;  ///< that is written
/// That is read; 4 added the parameters of the solver, 5 the switches and surfaces of the control.
inline constexpr std::uint32_t kOldestSnapshotVersion = 3;
inline constexpr std::uint64_t kMaxSnapshotBytes = std::uint64_t{1} << 32;  ///< larger files are refused

/// Stands at the front; the body follows, then a CRC-32 of all that precedes it.
struct SnapshotHeader
{
    std::array<char, 8> magic{'R', 'B', 'S', 'N', 'A', 'P', '\r', '\n'};  ///< line ends show text-mode transfers
    std::uint32_t version = kSnapshotVersion;
    std::uint32_t reserved = 0;
    std::uint64_t size = 0;  ///< of the whole, header and checksum included [bytes]
};
static_assert(sizeof(SnapshotHeader) == 24);

/// What is wrong with a header in front of `byte_count` bytes, if anything.
std::optional<Error> check_header(const SnapshotHeader& header, std::uint64_t byte_count);

}  // namespace rattleback
