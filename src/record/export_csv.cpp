// Recordings as comma-separated text: one line per frame.
#include "base/file.h"
#include "base/index.h"
#include "base/text.h"

#include <rattleback/record.h>

namespace rattleback
{

namespace
{

constexpr std::size_t kBlock = std::size_t{1} << 20;  // bytes of text gathered before they are written

/// A name for each number of q (or v), from its joint: "knee", "torso.x", "torso.qw", "torso.vx", "torso.wz".
std::vector<std::string> make_coordinate_names(const RecordedModel& model, bool of_q)
{
    using Endings = std::vector<const char*>;
    const Endings free = of_q ? Endings{".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"}
                              : Endings{".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
    const Endings ball = of_q ? Endings{".qw", ".qx", ".qy", ".qz"} : Endings{".wx", ".wy", ".wz"};
    std::vector<std::string> names(at(of_q ? model.q_count : model.v_count));
    for (const RecordedJoint& joint : model.joints)
    {
        std::size_t i = at(of_q ? joint.q_begin : joint.v_begin);
        Endings endings = joint.type == JointType::free ? free : joint.type == JointType::ball ? ball : Endings{""};
        if (joint.type == JointType::fixed) endings.clear();
        for (const char* ending : endings) names[i++] = joint.name + ending;
    }
    return names;
}

std::string make_title(const RecordedModel& model)
{
    std::string title = "time,step,kinetic_energy,potential_energy";
    for (std::size_t body = 1; body < model.bodies.size(); ++body)
    {
        for (const char* entry : {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"})
        {
            title += ',' + to_csv_field(model.bodies[body].name + entry);
        }
    }
    const auto add = [&](const std::string& name) { title += ',' + to_csv_field(name); };
    for (const std::string& name : make_coordinate_names(model, true)) add("q." + name);
    for (const std::string& name : make_coordinate_names(model, false)) add("v." + name);
    for (const std::string& name : model.actuators) add("input." + name);
    for (const RecordedSensor& sensor : model.sensors)
    {
        const int size = sensor.size;
        for (int i = 0; i < size; ++i)
            add("sensor." + sensor.name + (size > 1 ? "." + std::to_string(i) : std::string()));
    }
    return title + '\n';
}

void append_row(std::string& text, const RecordedModel& model, const RecordedFrame& frame)
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
    for (const auto& values : {frame.q, frame.v, frame.control.input, frame.sensors})
    {
        for (const double value : values) add(value);
    }
    if (frame.sensors.empty()) text.append(at(model.sensor_value_count()), ',');  // not recorded: empty cells
    text += '\n';
}

}  // namespace

Status export_csv(Recording& recording, const std::filesystem::path& path)
{
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    std::string text = make_title(recording.model());
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
        append_row(text, recording.model(), frame.value());
        if (text.size() < kBlock) continue;
        const Status written = file.write(text);
        if (!written.ok()) return written;
        text.clear();
    }
    const Status written = file.write(text);
    return written.ok() ? file.finish() : written;
}

Status export_recording(Recording& recording, const std::filesystem::path& path)
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
