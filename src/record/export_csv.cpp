// Recordings as comma-separated text: one line per frame.
#include "record/file.h"
#include "record/text.h"

#include <rattleback/record.h>

namespace rattleback
{

namespace
{

constexpr std::size_t kBlock = std::size_t{1} << 20;  // bytes of text gathered before they are written

/// In quotes where the name would break the line.
std::string quote(const std::string& name)
{
    if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
    std::string quoted = "\"";
    for (const char c : name)
    {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string make_title(const RecordedModel& model)
{
    std::string title = "time,step,kinetic_energy,potential_energy";
    for (std::size_t body = 1; body < model.bodies.size(); ++body)
    {
        for (const char* entry : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"})
        {
            title += ',' + quote(model.bodies[body].name + entry);
        }
    }
    return title + '\n';
}

void append_row(std::string& text, const RecordedFrame& frame)
{
    append_number(text, frame.time);
    text += ',' + std::to_string(frame.step);
    const auto add = [&](double value)
    {
        text += ',';
        append_number(text, value);
    };
    add(frame.energy.kinetic);
    add(frame.energy.potential);
    for (const Pose& pose : frame.body_pose.subspan(1))
    {
        const auto& [p, r] = pose;
        for (const double value : {p.x, p.y, p.z, r.w, r.x, r.y, r.z}) add(value);
    }
    text += '\n';
}

}  // namespace

Result<bool> export_csv(Recording& recording, const std::filesystem::path& path)
{
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    std::string text = make_title(recording.model());
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
        append_row(text, frame.value());
        if (text.size() < kBlock) continue;
        const Result<bool> written = file.write(text);
        if (!written.ok()) return written;
        text.clear();
    }
    const Result<bool> written = file.write(text);
    return written.ok() ? file.finish() : written;
}

Result<bool> export_recording(Recording& recording, const std::filesystem::path& path)
{
    const std::string ending = path.extension().string();
    if (ending == ".npz") return export_npz(recording, path);
    if (ending == ".csv") return export_csv(recording, path);
    if (ending == ".gltf" || ending == ".glb") return export_gltf(recording, path);
    return Error{.code = ErrorCode::unsupported,
                 .where = path.string(),
                 .message = "no export to '" + ending + "'",
                 .hint = "the ending chooses: .npz, .csv, .gltf or .glb"};
}

}  // namespace rattleback
