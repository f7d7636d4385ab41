// Recorder: gathers frames and appends them chunk by chunk, each with a length and checksums.
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/timer.h"
#include "base/version.h"
#include "record/recording_format.h"
#include "record/tendon_paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace rattleback
{

namespace
{

constexpr std::size_t kFullChunk = std::size_t{4} << 20;  // bytes; more in memory gains nothing

RecordingHeader make_header(std::uint32_t format_version)
{
    RecordingHeader header;
    header.version = format_version;
    const std::string_view version = library_version();
    std::copy_n(version.begin(), std::min(version.size(), header.library.size()), header.library.begin());
    header.checksum = compute_checksum(header);
    return header;
}

/// Fills in the header that stands, still empty, in front of a payload.
void seal(std::vector<std::byte>& chunk, ChunkKind kind, std::uint64_t frame_count)
{
    const std::span<const std::byte> payload = std::span(chunk).subspan(sizeof(ChunkHeader));
    ChunkHeader header{
        .kind = kind, .size = payload.size(), .frame_count = frame_count, .payload_checksum = compute_crc32(payload)};
    header.checksum = compute_checksum(header);
    std::memcpy(chunk.data(), &header, sizeof(header));
}

Error too_large(const std::filesystem::path& path, const std::string& what)
{
    return {.code = ErrorCode::limit, .where = path.string(), .message = what + " of more than 1 GiB"};
}

}  // namespace

std::uint32_t compute_checksum(const RecordingHeader& header)
{
    return compute_crc32(std::as_bytes(std::span(&header, 1)).first(offsetof(RecordingHeader, checksum)));
}

std::uint32_t compute_checksum(const ChunkHeader& header)
{
    return compute_crc32(std::as_bytes(std::span(&header, 1)).first(offsetof(ChunkHeader, checksum)));
}

struct Recorder::Impl
{
    std::filesystem::path path;
    std::shared_ptr<const Model> model;
    RecorderOptions options;
    RecordedModel recorded;  ///< sizes only: names and meshes are in the file
    File file;
    std::uint64_t file_size = 0;   ///< of whole chunks
    std::vector<std::byte> chunk;  ///< header and frames that wait
    std::vector<RecordedTendonPoint> tendon_points;
    std::int64_t waiting = 0, appended = 0;
    Timer since_write;
    std::optional<Error> failure;  ///< the first; nothing is written after it

    void begin_chunk()
    {
        chunk.resize(sizeof(ChunkHeader));
        waiting = 0;
        since_write.restart();
    }

    Status fail(Error error)
    {
        failure = std::move(error);
        return *failure;
    }

    Status write_chunk()
    {
        if (failure) return *failure;
        if (waiting == 0) return {};
        if (chunk.size() - sizeof(ChunkHeader) > kMaxChunkBytes) return fail(too_large(path, "a frame"));
        seal(chunk, ChunkKind::frames, static_cast<std::uint64_t>(waiting));
        if (!file.write_all(chunk))
        {
            const int code = errno;
            // Take back what arrived of this chunk, so that no cut-off tail stays; devices cannot, and need not.
            [[maybe_unused]] const int ignored = ::ftruncate(file.descriptor(), static_cast<off_t>(file_size));
            Error error = io_error(path, "cannot be written", code);
            error.hint = "it keeps the " + std::to_string(appended - waiting) + " frames before that";
            return fail(std::move(error));
        }
        file_size += chunk.size();
        begin_chunk();
        return {};
    }
};

Recorder::Recorder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Recorder::Recorder(Recorder&&) noexcept = default;

Recorder& Recorder::operator=(Recorder&& other) noexcept
{
    if (this != &other && impl_) static_cast<void>(flush());
    impl_ = std::move(other.impl_);
    return *this;
}

Recorder::~Recorder()
{
    if (impl_) static_cast<void>(flush());
}

Result<Recorder> Recorder::open(const std::filesystem::path& path, std::shared_ptr<const Model> model,
                                const RecorderOptions& options)
{
    RB_CHECK(model != nullptr, "Recorder::open: no model");
    RB_CHECK(options.frames_per_chunk > 0, "Recorder::open: frames_per_chunk must be positive");
    RecordedModel recorded = make_recorded_model(*model, options);
    std::vector<std::byte> model_chunk(sizeof(ChunkHeader));
    append_model(model_chunk, recorded, find_version(recorded));
    if (model_chunk.size() - sizeof(ChunkHeader) > kMaxChunkBytes) return too_large(path, "a model");
    seal(model_chunk, ChunkKind::model, 0);
    std::vector<std::byte> bytes;
    rattleback::append(bytes, make_header(find_version(recorded)));
    bytes.insert(bytes.end(), model_chunk.begin(), model_chunk.end());

    // The old file, if any, is replaced only by one that is already a recording.
    Result<NewFile> opened = NewFile::open_alone(path);
    if (!opened.ok()) return opened.errors();
    NewFile output = std::move(opened).value();
    const Status written = output.write(bytes);
    if (!written.ok()) return written.errors();
    Result<File> file = output.release();
    if (!file.ok()) return file.errors();

    recorded.meshes.clear();
    recorded.height_fields.clear();
    recorded.appearance = {};
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    impl->model = std::move(model);
    impl->options = options;
    impl->options.world = {};  // the caller's arrays may be gone by the next frame
    impl->recorded = std::move(recorded);
    impl->file = std::move(file).value();
    impl->file_size = bytes.size();
    impl->begin_chunk();
    return Recorder(std::move(impl));
}

Status Recorder::append(const FrameInput& frame)
{
    RB_CHECK(impl_ != nullptr, "append: the recorder was moved from");
    Impl& impl = *impl_;
    if (impl.failure) return *impl.failure;
    RB_CHECK(impl.file.is_open(), "append: the recorder is closed");
    const RecordedModel& model = impl.recorded;
    const auto has = [](const auto& values, int count) { return std::ssize(values) == count; };
    RB_CHECK(has(frame.world.q, model.q_count) && has(frame.world.v, model.v_count) &&
                 has(frame.world.act, model.act_count) && has(frame.world.body_pose, model.body_count()) &&
                 has(frame.world.body_velocity, model.body_count()),
             "append: a world of another size than the model");
    RB_CHECK(has(frame.control.input, model.actuator_count()) && has(frame.control.joint_force, model.v_count) &&
                 has(frame.control.body_wrench, model.body_count()) && has(frame.control.target, model.kinematic_count),
             "append: a control of another size than the model");
    RB_CHECK(frame.sensors.empty() || has(frame.sensors, model.sensor_value_count()),
             "append: values of other sensors than the model's");

    impl.tendon_points.clear();
    append_tendon_points(*impl.model, frame.world, impl.tendon_points);
    append_frame(impl.chunk, model, frame, compute_energy(*impl.model, frame.world, frame.parameters),
                 compute_momentum(*impl.model, frame.world, frame.parameters), impl.tendon_points);
    ++impl.waiting;
    ++impl.appended;
    const bool full = impl.waiting >= impl.options.frames_per_chunk || impl.chunk.size() >= kFullChunk ||
                      impl.since_write.seconds() >= impl.options.seconds_per_chunk;
    return full ? impl.write_chunk() : Status();
}

Status Recorder::flush()
{
    RB_CHECK(impl_ != nullptr, "flush: the recorder was moved from");
    return impl_->write_chunk();
}

Status Recorder::close()
{
    Status flushed = flush();
    if (!flushed.ok() || !impl_->file.is_open()) return flushed;
    // Pipes and devices cannot be synced: EINVAL.
    if (::fsync(impl_->file.descriptor()) != 0 && errno != EINVAL)
        return impl_->fail(io_error(impl_->path, "cannot be written", errno));
    impl_->file.close();
    return {};
}

std::int64_t Recorder::frame_count() const { return impl_->appended; }

}  // namespace rattleback
