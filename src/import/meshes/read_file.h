// Reads a whole file that somebody else named: a regular one, within a limit.
#pragma once

#include <rattleback/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace rattleback
{

/// All bytes of a regular file of at most `max_bytes`, known before memory is taken. Folders, pipes, sockets and
/// devices are refused without waiting for them.
Result<std::vector<std::byte>> read_regular_file(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace rattleback
