// Any bytes as a recording, also with all checksums repaired: frames that can be read, or what is wrong.
#include <rattleback/record.h>

#include <cstring>

#include "base/checksum.h"
#include "fuzz/fuzz.h"
#include "record/recording_format.h"

namespace rattleback
{
namespace
{

void check(const std::vector<std::byte>& bytes)
{
    Result<Recording> opened = to_recording(bytes);
    require_explained(opened, true);
    if (!opened) return;
    Recording recording = std::move(opened).value();
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        require(frame.ok(), "every frame of a recording that opens can be read");
        require(to_state(frame.value()).world_count == 1, "a frame is the state of one world");
    }
    require(!recording.frame(recording.frame_count()).ok(), "there is no frame behind the last");
    Recording copy = to_recording(bytes).value();
    require(hash(recording).value() == hash(copy).value(), "the same bytes have the same hash");
    require(compare(recording, copy).value().same, "a recording equals itself");
}

/// Writes a header with the checksum it should have.
template <class Header>
void sign(std::span<std::byte> place, Header header)
{
    header.checksum = compute_checksum(header);
    std::memcpy(place.data(), &header, sizeof(header));
}

/// Makes the checksums of the file and of every whole chunk right, so that the search reaches what they guard.
std::vector<std::byte> repaired(std::span<const std::byte> bytes)
{
    std::vector<std::byte> result(bytes.begin(), bytes.end());
    std::span<std::byte> rest(result);
    if (rest.size() < sizeof(RecordingHeader)) return result;
    sign(rest, RecordingHeader{});
    rest = rest.subspan(sizeof(RecordingHeader));
    while (rest.size() >= sizeof(ChunkHeader))
    {
        ChunkHeader header;
        std::memcpy(&header, rest.data(), sizeof(header));
        const std::span<std::byte> payload = rest.subspan(sizeof(header));
        if (header.size <= payload.size())
        {
            header.payload_checksum = compute_crc32(payload.first(static_cast<std::size_t>(header.size)));
        }
        sign(rest, header);
        if (header.size > payload.size()) break;
        rest = payload.subspan(static_cast<std::size_t>(header.size));
    }
    return result;
}

}  // namespace
}  // namespace rattleback

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const std::span<const std::byte> bytes = as_bytes(data, size);
    check({bytes.begin(), bytes.end()});
    check(repaired(bytes));
    return 0;
}
