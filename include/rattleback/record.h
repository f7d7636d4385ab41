// Snapshots: a moment of a simulation, saved and restored bit for bit, in another process too.
#pragma once

#include <rattleback/control.h>
#include <rattleback/state.h>

#include <cstddef>
#include <filesystem>

namespace rattleback
{

/// Everything the next step depends on.
struct Snapshot
{
    std::uint64_t model = 0;  ///< fingerprint of the Model
    std::string solver;
    double dt = 0;  ///< [s]
    State state;
    Control control;
    std::vector<std::vector<std::byte>> memories;  ///< of the solver and collider, [world]
};

/// Little-endian bytes with a version and a checksum.
std::vector<std::byte> to_bytes(const Snapshot& snapshot);
/// The snapshot, or what is wrong: these bytes are untrusted.
Result<Snapshot> to_snapshot(std::span<const std::byte> bytes);

/// Writes to a temporary file, then renames: a crash leaves the old file or the new one.
Result<bool> save(const Snapshot& snapshot, const std::filesystem::path& path);
Result<Snapshot> load_snapshot(const std::filesystem::path& path);

}  // namespace rattleback
