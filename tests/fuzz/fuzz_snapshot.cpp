// Any bytes as a snapshot, also with the frame repaired as an attacker would: the snapshot or what is wrong.
#include <rattleback/record.h>

#include <cstring>

#include "base/checksum.h"
#include "fuzz/fuzz.h"
#include "record/snapshot_format.h"

namespace rattleback
{
namespace
{

void check(std::span<const std::byte> bytes)
{
    const Result<Snapshot> snapshot = to_snapshot(bytes);
    require_explained(snapshot, false);
    if (!snapshot) return;
    const std::vector<std::byte> written = to_bytes(snapshot.value());
    require(written.size() == bytes.size() && std::memcmp(written.data(), bytes.data(), bytes.size()) == 0,
            "a snapshot that was read is written as it was");
}

/// Makes header and checksum right, so that the search reaches what lies between.
std::vector<std::byte> repaired(std::span<const std::byte> bytes)
{
    std::vector<std::byte> result(bytes.begin(), bytes.end());
    const SnapshotHeader header{.size = result.size()};
    std::memcpy(result.data(), &header, sizeof(header));
    const std::uint32_t checksum = compute_crc32(std::span(result).first(result.size() - sizeof(checksum)));
    std::memcpy(result.data() + result.size() - sizeof(checksum), &checksum, sizeof(checksum));
    return result;
}

}  // namespace
}  // namespace rattleback

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    check(as_bytes(data, size));
    if (size >= sizeof(SnapshotHeader) + sizeof(std::uint32_t)) check(repaired(as_bytes(data, size)));
    return 0;
}
