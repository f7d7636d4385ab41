// Snapshots as bytes: magic, version, size, the arrays, and a checksum over all of it.
#include "base/bytes.h"
#include "base/checksum.h"
#include "record/parameter_bytes.h"
#include "record/snapshot_format.h"

#include <rattleback/record.h>

namespace rattleback
{

namespace
{

Error damaged(const std::string& message)
{
    return {.code = ErrorCode::syntax, .where = "snapshot", .message = message};
}

void append_state(std::vector<std::byte>& bytes, const State& state)
{
    for (const int count : {state.world_count, state.q_count, state.v_count, state.act_count, state.body_count})
    {
        append(bytes, static_cast<std::int32_t>(count));
    }
    append(bytes, state.time);
    append(bytes, state.step);
    append(bytes, state.q);
    append(bytes, state.v);
    append(bytes, state.act);
    append(bytes, state.body_pose);
    append(bytes, state.body_velocity);
}

void append_control(std::vector<std::byte>& bytes, const Control& control)
{
    for (const int count :
         {control.world_count, control.actuator_count, control.v_count, control.body_count, control.kinematic_count})
    {
        append(bytes, static_cast<std::int32_t>(count));
    }
    append(bytes, control.input);
    append(bytes, control.joint_force);
    append(bytes, control.body_wrench);
    append(bytes, control.target);
}

/// What version 5 added to the control.
void append_switches(std::vector<std::byte>& bytes, const Control& control)
{
    append(bytes, static_cast<std::int32_t>(control.equality_count));
    append(bytes, static_cast<std::int32_t>(control.shape_count));
    append(bytes, control.actuator_active);
    append(bytes, control.equality_active);
    append(bytes, control.surface_velocity);
}

/// A count in 32 bits that is not negative.
bool read_size(std::span<const std::byte>& bytes, int& count)
{
    std::int32_t stored = 0;
    if (!read(bytes, stored) || stored < 0) return false;
    count = stored;
    return true;
}

/// An array of exactly rows * columns values.
template <class T>
bool read_array(std::span<const std::byte>& bytes, int rows, int columns, std::vector<T>& values)
{
    return read(bytes, values) &&
           values.size() == static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
}

bool read_state(std::span<const std::byte>& bytes, State& state)
{
    int& worlds = state.world_count;
    return read_size(bytes, worlds) && read_size(bytes, state.q_count) && read_size(bytes, state.v_count) &&
           read_size(bytes, state.act_count) && read_size(bytes, state.body_count) &&
           read_array(bytes, worlds, 1, state.time) && read_array(bytes, worlds, 1, state.step) &&
           read_array(bytes, worlds, state.q_count, state.q) && read_array(bytes, worlds, state.v_count, state.v) &&
           read_array(bytes, worlds, state.act_count, state.act) &&
           read_array(bytes, worlds, state.body_count, state.body_pose) &&
           read_array(bytes, worlds, state.body_count, state.body_velocity);
}

bool read_control(std::span<const std::byte>& bytes, Control& control)
{
    int& worlds = control.world_count;
    return read_size(bytes, worlds) && read_size(bytes, control.actuator_count) && read_size(bytes, control.v_count) &&
           read_size(bytes, control.body_count) && read_size(bytes, control.kinematic_count) &&
           read_array(bytes, worlds, control.actuator_count, control.input) &&
           read_array(bytes, worlds, control.v_count, control.joint_force) &&
           read_array(bytes, worlds, control.body_count, control.body_wrench) &&
           read_array(bytes, worlds, control.kinematic_count, control.target);
}

bool read_switches(std::span<const std::byte>& bytes, Control& control)
{
    const int worlds = control.world_count;
    return read_size(bytes, control.equality_count) && read_size(bytes, control.shape_count) &&
           read_array(bytes, worlds, control.actuator_count, control.actuator_active) &&
           read_array(bytes, worlds, control.equality_count, control.equality_active) &&
           read_array(bytes, worlds, control.shape_count, control.surface_velocity);
}

bool read_memories(std::span<const std::byte>& bytes, std::vector<std::vector<std::byte>>& memories)
{
    std::size_t count = 0;
    if (!read_count(bytes, sizeof(std::uint64_t), count)) return false;
    memories.resize(count);
    for (std::vector<std::byte>& memory : memories)
    {
        if (!read(bytes, memory)) return false;
    }
    return true;
}

}  // namespace

std::vector<std::byte> to_bytes(const Snapshot& snapshot)
{
    std::vector<std::byte> bytes;
    append(bytes, SnapshotHeader{});
    append(bytes, snapshot.model);
    append(bytes, std::string_view(snapshot.solver));
    append_parameters(bytes, snapshot.parameters);
    append(bytes, snapshot.dt);
    append_state(bytes, snapshot.state);
    append_control(bytes, snapshot.control);
    append_switches(bytes, snapshot.control);
    append(bytes, static_cast<std::uint64_t>(snapshot.memories.size()));
    for (const std::vector<std::byte>& memory : snapshot.memories) append(bytes, memory);

    const SnapshotHeader header{.size = bytes.size() + sizeof(std::uint32_t)};
    std::memcpy(bytes.data(), &header, sizeof(header));
    append(bytes, compute_crc32(bytes));
    return bytes;
}

std::optional<Error> check_header(const SnapshotHeader& header, std::uint64_t byte_count)
{
    if (header.magic != SnapshotHeader{}.magic) return damaged("these bytes are not a Rattleback snapshot");
    if (header.version < kOldestSnapshotVersion || header.version > kSnapshotVersion)
    {
        return Error{.code = ErrorCode::unsupported,
                     .where = "snapshot",
                     .message = "written in format version " + std::to_string(header.version),
                     .hint = "this build reads versions " + std::to_string(kOldestSnapshotVersion) + " to " +
                             std::to_string(kSnapshotVersion)};
    }
    if (header.size != byte_count)
    {
        return damaged("holds " + std::to_string(byte_count) + " bytes where its header says " +
                       std::to_string(header.size));
    }
    return std::nullopt;
}

Result<Snapshot> to_snapshot(std::span<const std::byte> bytes)
{
    std::span<const std::byte> rest = bytes;
    SnapshotHeader header;
    if (!read(rest, header)) return damaged("too short for a snapshot");
    if (const std::optional<Error> error = check_header(header, bytes.size())) return *error;
    if (rest.size() < sizeof(std::uint32_t)) return damaged("too short for a snapshot");

    std::span<const std::byte> checksum_bytes = bytes.last(sizeof(std::uint32_t));
    std::uint32_t checksum = 0;
    const bool checked =
        read(checksum_bytes, checksum) && checksum == compute_crc32(bytes.first(bytes.size() - sizeof(std::uint32_t)));
    if (!checked) return damaged("the checksum does not fit: the bytes were damaged");

    rest = rest.first(rest.size() - sizeof(std::uint32_t));
    Snapshot snapshot;
    const bool complete = read(rest, snapshot.model) && read(rest, snapshot.solver) &&
                          (header.version < 4 || read_parameters(rest, snapshot.parameters)) &&
                          read(rest, snapshot.dt) && read_state(rest, snapshot.state) &&
                          read_control(rest, snapshot.control) &&
                          (header.version < 5 || read_switches(rest, snapshot.control)) &&
                          read_memories(rest, snapshot.memories) && rest.empty();
    if (!complete) return damaged("the arrays do not fit their sizes");
    return snapshot;
}

}  // namespace rattleback
