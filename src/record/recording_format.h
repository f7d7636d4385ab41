// The bytes of a recording: file header, chunk headers, and what model and frame chunks hold. See docs/recordings.md.
#pragma once

#include <rattleback/record.h>

#include <optional>

namespace rattleback
{

inline constexpr std::uint32_t kRecordingVersion = 5;        ///< that is written, 4 where a model has no appearance
inline constexpr std::uint32_t kOldestRecordingVersion = 1;  ///< that is read; 2 added sensors and ways of tendons,
                                                             ///< 3 names of enumerators and typed culprits,
                                                             ///< 4 sizes of sensors,
                                                             ///< 5 cameras, lights, visual materials and textures
inline constexpr std::uint64_t kMaxChunkBytes = std::uint64_t{1} << 30;  ///< larger ones are refused

/// Stands at the front of the file.
struct RecordingHeader
{
    std::array<char, 8> magic{'R', 'B', 'R', 'E', 'C', 'D', '\r', '\n'};  ///< line ends show text-mode transfers
    std::uint32_t version = kRecordingVersion;
    std::uint32_t reserved = 0;
    std::array<char, 12> library{};  ///< version of the library, padded with zeros
    std::uint32_t checksum = 0;      ///< CRC-32 of all that precedes it
};
static_assert(sizeof(RecordingHeader) == 32);

enum class ChunkKind : std::uint32_t
{
    model = 0x4C444F4D,   ///< "MODL": the first chunk, once
    frames = 0x534D5246,  ///< "FRMS"
};

/// Stands in front of every chunk. Its own checksum tells a cut-off chunk (sound header, too few bytes) from damage.
struct ChunkHeader
{
    ChunkKind kind = ChunkKind::frames;
    std::uint32_t reserved = 0;
    std::uint64_t size = 0;         ///< of the payload that follows [bytes]
    std::uint64_t frame_count = 0;  ///< 0 for the model
    std::uint32_t payload_checksum = 0;
    std::uint32_t checksum = 0;  ///< CRC-32 of all of this header that precedes it
};
static_assert(sizeof(ChunkHeader) == 32);

/// The CRC-32 that belongs into `checksum`.
std::uint32_t compute_checksum(const RecordingHeader& header);
std::uint32_t compute_checksum(const ChunkHeader& header);

/// What a recording keeps of a model.
RecordedModel make_recorded_model(const Model& model, const RecorderOptions& options);
/// The oldest format version that says all of a model, so that other builds read what they can.
std::uint32_t find_version(const RecordedModel& model);
/// In that format version: older ones are written only to test that they are read.
void append_model(std::vector<std::byte>& bytes, const RecordedModel& model, std::uint32_t version = kRecordingVersion);
/// The model of a chunk's payload in that format version, every index and size checked; or what is wrong with it.
Result<RecordedModel> read_model(std::span<const std::byte> payload, std::uint32_t version = kRecordingVersion);

/// Bytes that the smallest frame takes.
std::uint64_t smallest_frame(const RecordedModel& model);
void append_frame(std::vector<std::byte>& bytes, const RecordedModel& model, const FrameInput& frame,
                  const Energy& energy, const Momentum& momentum,
                  std::span<const RecordedTendonPoint> tendon_points = {});
/// Takes a frame from the front of a frame chunk's payload, whose address is a multiple of 8; false when it does not
/// fit.
bool read_frame(std::span<const std::byte>& bytes, const RecordedModel& model, RecordedFrame& frame);

}  // namespace rattleback
