// Snapshots in files: written beside the old file and renamed over it, read with every size checked first.
#include "base/file.h"
#include "base/within_memory.h"
#include "record/snapshot_format.h"

#include <rattleback/record.h>

#include <cerrno>
#include <cstring>

namespace rattleback
{

Status save(const Snapshot& snapshot, const std::filesystem::path& path)
{
    const std::vector<std::byte> bytes = to_bytes(snapshot);
    if (bytes.size() > kMaxSnapshotBytes)
    {
        return Error{.code = ErrorCode::limit, .where = path.string(), .message = "a snapshot of more than 4 GiB"};
    }
    Result<NewFile> file = NewFile::open(path);
    if (!file.ok()) return file.errors();
    NewFile output = std::move(file).value();
    const Status written = output.write(bytes);
    return written.ok() ? output.finish() : written;
}

namespace
{

Result<Snapshot> load(const std::filesystem::path& path)
{
    std::uint64_t size = 0;
    const Result<File> opened = open_regular(path, size);
    if (!opened.ok()) return opened.errors();
    const File& file = opened.value();
    std::vector<std::byte> bytes(sizeof(SnapshotHeader));
    if (size < bytes.size())
    {
        return Error{.code = ErrorCode::syntax, .where = path.string(), .message = "too short for a snapshot"};
    }
    if (size > kMaxSnapshotBytes)
    {
        return Error{.code = ErrorCode::limit, .where = path.string(), .message = "larger than 4 GiB"};
    }
    if (!file.read_all(bytes)) return io_error(path, "cannot be read", errno);

    // The header is checked before memory is taken for the rest.
    SnapshotHeader header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    std::optional<Error> error = check_header(header, size);
    if (!error)
    {
        bytes.resize(static_cast<std::size_t>(size));
        if (!file.read_all(std::span(bytes).subspan(sizeof(SnapshotHeader))))
            return io_error(path, "cannot be read", errno);
        Result<Snapshot> snapshot = to_snapshot(bytes);
        if (snapshot.ok()) return snapshot;
        error = snapshot.errors().front();
    }
    error->where = path.string();
    return *error;
}

}  // namespace

Result<Snapshot> load_snapshot(const std::filesystem::path& path)
{
    return within_memory(path, [&] { return load(path); });
}

}  // namespace rattleback
