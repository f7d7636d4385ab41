// Damaged recordings: cut off, flipped, forged. Every answer is an error, a warning, or the data as it was.
#include "base/checksum.h"
#include "made_frames.h"
#include "support/counting_allocator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace rattleback
{

namespace
{

using Bytes = std::vector<std::byte>;

// The layout, stated once more as docs/recordings.md does.
constexpr std::size_t kFileHeader = 32, kChunkHeader = 32;
constexpr std::size_t kSizeAt = 8, kFrameCountAt = 16, kPayloadChecksumAt = 24, kChecksumAt = 28;

Bytes make_bytes(const std::shared_ptr<const Model>& model, int frames, bool contacts)
{
    const std::filesystem::path path = temporary_path("damage.rec");
    write_recording(path, model, frames, {.contacts = contacts, .frames_per_chunk = 2});
    Bytes bytes = read_bytes(path);
    std::filesystem::remove(path);
    return bytes;
}

template <class T>
T get(const Bytes& bytes, std::size_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}
template <class T>
void put(Bytes& bytes, std::size_t offset, T value)
{
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

/// Where chunks begin, and the end of the file.
std::vector<std::size_t> find_chunks(const Bytes& bytes)
{
    std::vector<std::size_t> begins{kFileHeader};
    while (begins.back() < bytes.size())
        begins.push_back(begins.back() + kChunkHeader + get<std::uint64_t>(bytes, begins.back() + kSizeAt));
    return begins;
}

/// Puts right checksums under a chunk that was changed, as an attacker would.
void sign(Bytes& bytes, std::size_t chunk, std::size_t end)
{
    const std::span<const std::byte> all(bytes);
    put(bytes, chunk + kPayloadChecksumAt,
        compute_crc32(all.subspan(chunk + kChunkHeader, end - chunk - kChunkHeader)));
    put(bytes, chunk + kChecksumAt, compute_crc32(all.subspan(chunk, kChecksumAt)));
}

/// Every frame is read; the error of the first that cannot be.
std::vector<Error> read_all(Recording& recording)
{
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
    }
    return {};
}

}  // namespace

TEST(DamagedRecording, cut_off_at_any_byte_keeps_every_whole_chunk)
{
    const auto model = make_single_box();
    const Bytes whole = make_bytes(model, 6, false);
    const std::vector<std::size_t> chunks = find_chunks(whole);
    ASSERT_EQ(chunks.size(), 5) << "the model, three chunks of two frames, the end";
    for (std::size_t length = 0; length < whole.size(); ++length)
    {
        Result<Recording> result = to_recording({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
        if (length < chunks[1])
        {
            ASSERT_FALSE(result.ok()) << length;
            ASSERT_NE(result.errors().front().where.find("byte"), std::string::npos);
            continue;
        }
        ASSERT_TRUE(result.ok()) << length << ": " << to_text(result.errors());
        Recording recording = std::move(result).value();
        const auto after = std::upper_bound(chunks.begin(), chunks.end(), length);
        const std::int64_t frames = 2 * (after - chunks.begin() - 2);
        ASSERT_EQ(recording.frame_count(), frames) << length;
        const bool at_chunk = *(after - 1) == length;
        ASSERT_EQ(recording.warnings().size(), at_chunk ? 0 : 1) << length;
        for (std::int64_t i = 0; i < frames; ++i)
            ASSERT_EQ(find_difference(*model, recording.frame(i).value(), MadeFrame(*model, i), false), "");
    }
}

TEST(DamagedRecording, a_tail_of_zeros_as_power_cuts_leave_is_a_warning)
{
    const auto model = make_single_box();
    Bytes bytes = make_bytes(model, 6, false);
    for (const std::size_t zeros : {1, 31, 32, 33, 10'000})
    {
        Bytes longer = bytes;
        longer.resize(bytes.size() + zeros);
        Result<Recording> result = to_recording(longer);
        ASSERT_TRUE(result.ok()) << zeros;
        EXPECT_EQ(result.value().frame_count(), 6);
        EXPECT_EQ(result.value().warnings().size(), 1);
    }
    Bytes garbage = bytes;
    garbage.resize(bytes.size() + 100, std::byte{7});
    const Result<Recording> result = to_recording(garbage);
    ASSERT_FALSE(result.ok()) << "garbage is not a cut";
    EXPECT_NE(result.errors().front().where.find("byte " + std::to_string(bytes.size())), std::string::npos);
}

TEST(DamagedRecording, any_flipped_bit_is_an_error_with_its_place)
{
    const Bytes whole = make_bytes(make_gallery(), 8, true);
    std::mt19937_64 random(3);
    AllocationWatch watch;
    for (int i = 0; i < 5000; ++i)
    {
        // The first ones go through the headers bit by bit.
        const std::size_t bit = i < 512 ? static_cast<std::size_t>(i) : random() % (8 * whole.size());
        Bytes bytes = whole;
        bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        const Result<Recording> result = to_recording(std::move(bytes));
        ASSERT_FALSE(result.ok()) << "bit " << bit;
        ASSERT_NE(result.errors().front().where.find("byte"), std::string::npos) << result.errors().front().text();
    }
    EXPECT_LE(watch.largest(), 4 * whole.size());
}

TEST(DamagedRecording, forged_payloads_with_right_checksums_are_refused_or_harmless)
{
    const Bytes whole = make_bytes(make_gallery(), 8, true);
    const std::vector<std::size_t> chunks = find_chunks(whole);
    std::mt19937_64 random(4);
    AllocationWatch watch;
    int refused = 0, accepted = 0;
    for (int i = 0; i < 5000; ++i)
    {
        Bytes bytes = whole;
        const std::size_t chunk = i % 2 == 0 ? 0 : 1 + random() % (chunks.size() - 2);
        const std::size_t begin = chunks[chunk] + kChunkHeader, end = chunks[chunk + 1];
        const std::size_t at = begin + random() % (end - begin - 7);
        switch (random() % 4)
        {
            case 0:
                bytes[at] ^= static_cast<std::byte>(1U << random() % 8);
                break;
            case 1:
                put(bytes, at, random());
                break;
            case 2:
                put(bytes, at, std::uint64_t{1} << random() % 64);
                break;
            default:
                put(bytes, at, std::numeric_limits<double>::quiet_NaN());
        }
        sign(bytes, chunks[chunk], end);
        Result<Recording> result = to_recording(std::move(bytes));
        if (!result.ok())
        {
            ++refused;
            continue;
        }
        ++accepted;
        Recording recording = std::move(result).value();
        ASSERT_TRUE(read_all(recording).empty()) << "what was checked on opening can be read";
        if (i % 10 > 1) continue;
        ASSERT_TRUE(export_npz(recording, "/dev/null").ok());
        ASSERT_TRUE(export_csv(recording, "/dev/null").ok());
        static_cast<void>(export_gltf(recording, "/dev/null"));  // may find numbers that are not finite
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(accepted, 500);
    EXPECT_LE(watch.largest(), 64 * whole.size());
}

TEST(DamagedRecording, sizes_that_lie_take_no_memory)
{
    const Bytes whole = make_bytes(make_single_box(), 6, false);
    const std::vector<std::size_t> chunks = find_chunks(whole);
    AllocationWatch watch;
    for (const std::uint64_t lie :
         {std::uint64_t{1} << 30, std::uint64_t{1} << 40, ~std::uint64_t{0}, std::uint64_t{0}})
    {
        for (const std::size_t field : {kSizeAt, kFrameCountAt})
        {
            for (const std::size_t chunk : {chunks[0], chunks[1], chunks[3]})
            {
                Bytes bytes = whole;
                put(bytes, chunk + field, lie);
                put(bytes, chunk + kChecksumAt, compute_crc32(std::span(bytes).subspan(chunk, kChecksumAt)));
                const Result<Recording> result = to_recording(std::move(bytes));
                const bool cut_off = result.ok() && result.value().warnings().size() == 1;
                const bool same = chunk == chunks[0] && field == kFrameCountAt;  // the model has no frames
                EXPECT_TRUE(!result.ok() || cut_off || same) << lie << " at " << chunk + field;
            }
        }
    }
    EXPECT_LE(watch.largest(), 1 << 20);
}

TEST(DamagedRecording, a_chunk_that_changes_after_opening_is_an_error_not_a_crash)
{
    const auto model = make_single_box();
    const std::filesystem::path path = temporary_path("changed.rec");
    write_recording(path, model, 6, {.frames_per_chunk = 2});
    Recording recording = load_recording(path).value();
    ASSERT_TRUE(recording.frame(5).ok());
    std::filesystem::resize_file(path, 300);
    const Result<RecordedFrame> frame = recording.frame(0);
    ASSERT_FALSE(frame.ok());
    EXPECT_EQ(frame.errors().front().code, ErrorCode::io);
    std::filesystem::remove(path);
}

}  // namespace rattleback
