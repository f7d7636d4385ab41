// Recording: opens a file, checks its chunks one after the other, and hands out frames.
#include "base/all_of.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/within_memory.h"
#include "record/recording_format.h"

#include <algorithm>
#include <cerrno>

namespace rattleback
{

namespace
{

/// Bytes of a recording: a file, or memory.
class Source
{
public:
    Source(File file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
    explicit Source(std::vector<std::byte> bytes) : memory_(std::move(bytes)), size_(memory_.size()) {}

    std::uint64_t size() const { return size_; }
    bool read_at(std::uint64_t offset, std::span<std::byte> bytes) const
    {
        if (file_.is_open()) return file_.read_all_at(bytes, offset);
        if (!bytes.empty()) std::memcpy(bytes.data(), memory_.data() + offset, bytes.size());
        return true;
    }

private:
    File file_;
    std::vector<std::byte> memory_;
    std::uint64_t size_;
};

struct FrameChunk
{
    std::uint64_t offset = 0;  ///< of the payload
    std::uint64_t size = 0;
    std::int64_t first_frame = 0;
    std::int64_t frame_count = 0;
    std::uint32_t checksum = 0;
};

}  // namespace

struct Recording::Impl
{
    std::string name;  ///< for errors
    Source source;
    RecordedModel model;
    std::vector<FrameChunk> chunks;
    std::int64_t frame_count = 0;
    std::vector<Error> warnings;

    // The chunk in memory. Payloads are kept as words, because frames are arrays of them.
    std::ptrdiff_t loaded = -1;
    std::vector<std::uint64_t> words;
    std::vector<std::size_t> frame_begin;  ///< bytes into the payload, [frame of the chunk]

    std::string place(std::uint64_t offset) const { return name + ", byte " + std::to_string(offset); }
    Error damaged(std::uint64_t offset, const std::string& message) const
    {
        return {.code = ErrorCode::syntax, .where = place(offset), .message = message};
    }
    Error unreadable() const { return io_error(name, "cannot be read", errno); }

    std::span<const std::byte> payload(const FrameChunk& chunk) const
    {
        return std::as_bytes(std::span(words)).first(static_cast<std::size_t>(chunk.size));
    }

    /// Reads a payload and checks it against its checksum.
    std::optional<Error> read_payload(std::uint64_t offset, std::uint64_t size, std::uint32_t checksum)
    {
        words.resize(static_cast<std::size_t>((size + 7) / 8));
        const std::span<std::byte> bytes =
            std::as_writable_bytes(std::span(words)).first(static_cast<std::size_t>(size));
        if (!source.read_at(offset, bytes)) return unreadable();
        if (compute_crc32(bytes) != checksum)
            return damaged(offset, "this chunk is damaged: its checksum does not fit");
        return std::nullopt;
    }

    /// Brings a chunk into memory and finds its frames.
    std::optional<Error> load(std::size_t index)
    {
        if (loaded == static_cast<std::ptrdiff_t>(index)) return std::nullopt;
        loaded = -1;
        const FrameChunk& chunk = chunks[index];
        if (std::optional<Error> error = read_payload(chunk.offset, chunk.size, chunk.checksum)) return error;
        frame_begin.clear();
        std::span<const std::byte> rest = payload(chunk);
        for (std::int64_t i = 0; i < chunk.frame_count; ++i)
        {
            frame_begin.push_back(static_cast<std::size_t>(chunk.size) - rest.size());
            RecordedFrame frame;
            if (!read_frame(rest, model, frame))
                return damaged(chunk.offset + frame_begin.back(), "this frame does not fit the model");
        }
        if (!rest.empty()) return damaged(chunk.offset + chunk.size - rest.size(), "more bytes than frames");
        loaded = static_cast<std::ptrdiff_t>(index);
        return std::nullopt;
    }
};

Recording::Recording(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;
Recording::~Recording() = default;

const RecordedModel& Recording::model() const { return impl_->model; }
std::int64_t Recording::frame_count() const { return impl_->frame_count; }
const std::vector<Error>& Recording::warnings() const { return impl_->warnings; }

Result<RecordedFrame> Recording::frame(std::int64_t index)
{
    if (index < 0 || index >= impl_->frame_count)
    {
        return Error{.code = ErrorCode::invalid_value,
                     .where = impl_->name,
                     .message = "there is no frame " + std::to_string(index),
                     .hint = "it holds " + std::to_string(impl_->frame_count) + " frames, the first is 0"};
    }
    const auto after = std::upper_bound(impl_->chunks.begin(), impl_->chunks.end(), index,
                                        [](std::int64_t i, const FrameChunk& c) { return i < c.first_frame; });
    const auto chunk_index = static_cast<std::size_t>(after - impl_->chunks.begin() - 1);
    if (std::optional<Error> error = impl_->load(chunk_index)) return *error;
    const FrameChunk& chunk = impl_->chunks[chunk_index];
    std::span<const std::byte> bytes =
        impl_->payload(chunk).subspan(impl_->frame_begin[static_cast<std::size_t>(index - chunk.first_frame)]);
    RecordedFrame frame;
    if (!read_frame(bytes, impl_->model, frame)) return impl_->damaged(chunk.offset, "this frame does not fit");
    return frame;
}

/// Goes through the chunks of a recording.
class RecordingReader
{
public:
    RecordingReader(std::string name, Source source)
        : impl_(new Recording::Impl{.name = std::move(name), .source = std::move(source)})
    {
    }

    Result<Recording> open()
    {
        std::optional<Error> error = read_header();
        if (!error) error = read_model_chunk();
        while (!error && !at_end_) error = read_chunk();
        if (error) return *error;
        return Recording(std::move(impl_));
    }

private:
    std::uint64_t left() const { return impl_->source.size() - offset_; }

    template <class T>
    std::optional<Error> take(T& value)
    {
        if (!impl_->source.read_at(offset_, std::as_writable_bytes(std::span(&value, 1)))) return impl_->unreadable();
        offset_ += sizeof(T);
        return std::nullopt;
    }

    std::optional<Error> read_header()
    {
        RecordingHeader header;
        if (left() < sizeof(header)) return impl_->damaged(0, "too short for a recording");
        if (std::optional<Error> error = take(header)) return error;
        if (header.magic != RecordingHeader{}.magic) return impl_->damaged(0, "this is not a Rattleback recording");
        if (header.checksum != compute_checksum(header)) return impl_->damaged(0, "the header is damaged");
        if (header.version < kOldestRecordingVersion || header.version > kRecordingVersion)
        {
            return Error{.code = ErrorCode::unsupported,
                         .where = impl_->place(8),
                         .message = "written in format version " + std::to_string(header.version),
                         .hint = "this build reads versions " + std::to_string(kOldestRecordingVersion) + " to " +
                                 std::to_string(kRecordingVersion)};
        }
        version_ = header.version;
        return std::nullopt;
    }

    std::optional<Error> check(const ChunkHeader& header, std::uint64_t begin) const
    {
        if (header.checksum != compute_checksum(header)) return impl_->damaged(begin, "this chunk's header is damaged");
        if (header.size > kMaxChunkBytes)
        {
            return Error{
                .code = ErrorCode::limit, .where = impl_->place(begin), .message = "a chunk of more than 1 GiB"};
        }
        return std::nullopt;
    }

    std::optional<Error> read_model_chunk()
    {
        const std::uint64_t begin = offset_;
        ChunkHeader header;
        if (left() < sizeof(header)) return impl_->damaged(begin, "the file ends before the model");
        if (std::optional<Error> error = take(header)) return error;
        if (std::optional<Error> error = check(header, begin)) return error;
        if (header.kind != ChunkKind::model) return impl_->damaged(begin, "the first chunk is not the model");
        if (left() < header.size) return impl_->damaged(begin, "the file ends inside the model");
        if (std::optional<Error> error = impl_->read_payload(offset_, header.size, header.payload_checksum))
            return error;
        const auto payload = std::as_bytes(std::span(impl_->words)).first(static_cast<std::size_t>(header.size));
        Result<RecordedModel> model = read_model(payload, version_);
        if (!model.ok()) return impl_->damaged(offset_, model.errors().front().message);
        impl_->model = std::move(model).value();
        offset_ += header.size;
        return std::nullopt;
    }

    /// The file ends in the middle of a chunk: its writer was killed. All before it is whole.
    void end_with_warning(std::uint64_t begin)
    {
        impl_->warnings.push_back(
            {.code = ErrorCode::syntax,
             .where = impl_->place(begin),
             .message = "the last chunk was cut off and is left out",
             .hint = "the " + std::to_string(impl_->frame_count) + " frames before it are whole"});
        at_end_ = true;
    }

    std::optional<Error> read_chunk()
    {
        const std::uint64_t begin = offset_;
        if (left() == 0)
        {
            at_end_ = true;
            return std::nullopt;
        }
        ChunkHeader header;
        if (left() < sizeof(header) || rest_is_zero(begin))
        {
            end_with_warning(begin);
            return std::nullopt;
        }
        if (std::optional<Error> error = take(header)) return error;
        if (std::optional<Error> error = check(header, begin)) return error;
        if (header.kind != ChunkKind::frames) return impl_->damaged(begin, "an unknown kind of chunk");
        if (header.frame_count > header.size / smallest_frame(impl_->model))
            return impl_->damaged(begin, "more frames than its bytes can hold");
        if (left() < header.size)
        {
            end_with_warning(begin);
            return std::nullopt;
        }
        const auto frames = static_cast<std::int64_t>(header.frame_count);
        if (frames == 0) return impl_->damaged(begin, "a chunk without frames");
        impl_->chunks.push_back({offset_, header.size, impl_->frame_count, frames, header.payload_checksum});
        if (std::optional<Error> error = impl_->load(impl_->chunks.size() - 1)) return error;
        impl_->frame_count += frames;
        offset_ += header.size;
        return std::nullopt;
    }

    /// A machine that lost power may leave a tail of zeros where a chunk was to come.
    bool rest_is_zero(std::uint64_t begin) const
    {
        std::array<std::byte, 4096> block;
        for (std::uint64_t at = begin; at < impl_->source.size(); at += block.size())
        {
            const std::uint64_t count = std::min<std::uint64_t>(block.size(), impl_->source.size() - at);
            const std::span<std::byte> bytes = std::span(block).first(static_cast<std::size_t>(count));
            if (!impl_->source.read_at(at, bytes)) return false;
            if (!all_of(bytes, [](std::byte b) { return b == std::byte{0}; })) return false;
        }
        return true;
    }

    std::unique_ptr<Recording::Impl> impl_;
    std::uint64_t offset_ = 0;
    std::uint32_t version_ = kRecordingVersion;  ///< of the file
    bool at_end_ = false;
};

Result<Recording> load_recording(const std::filesystem::path& path)
{
    const auto read = [&]() -> Result<Recording>
    {
        std::uint64_t size = 0;
        Result<File> file = open_regular(path, size);
        if (!file.ok()) return file.errors();
        return RecordingReader(path.string(), Source(std::move(file).value(), size)).open();
    };
    return within_memory(path, read);
}

Result<Recording> to_recording(std::vector<std::byte> bytes)
{
    return within_memory("recording", [&] { return RecordingReader("recording", Source(std::move(bytes))).open(); });
}

}  // namespace rattleback
