// The model chunk of a recording: written field by field, read with every index, size and number checked.
#include "base/all_of.h"
#include "base/bytes.h"
#include "math/finite.h"
#include "model/sensor_rules.h"
#include "record/appearance_fields.h"
#include "record/parameter_bytes.h"
#include "record/recording_format.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

constexpr std::uint32_t kNamesSince = 3;  // format version that writes enumerators by name
constexpr std::uint32_t kSizesSince = 4;  // and how many numbers each sensor has
constexpr std::uint32_t kAppearanceSince = 5;

constexpr int count_of(BodyKind) { return 3; }
constexpr int count_of(JointType) { return 5; }
constexpr int count_of(Integrator) { return static_cast<int>(Integrator::discrete) + 1; }
constexpr int count_of(TendonType) { return 2; }
constexpr int count_of(SensorType) { return kSensorTypeCount; }
constexpr int count_of(ShapeType) { return kShapeTypeCount; }
constexpr int count_of(FollowMode) { return 5; }
constexpr int count_of(LightType) { return 3; }
constexpr int count_of(TextureType) { return 3; }
constexpr int count_of(TexturePattern) { return 4; }
constexpr int count_of(TextureMark) { return 4; }

// One visitor serves writing and reading, so that the two cannot part: `archive(field)` appends or takes the field.

class Writer
{
public:
    Writer(std::vector<std::byte>& bytes, std::uint32_t version) : bytes_(bytes), version_(version) {}

    template <class... T>
    bool operator()(const T&... fields)
    {
        (write(fields), ...);
        return true;
    }

private:
    template <PlainValue T>
        requires(!std::is_enum_v<T>)
    void write(const T& value)
    {
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, bool>)
            append(bytes_, static_cast<std::int32_t>(value));
        else
            append(bytes_, value);
    }
    template <class T>
        requires std::is_enum_v<T>
    void write(const T& value)
    {
        if (version_ < kNamesSince)
            append(bytes_, static_cast<std::int32_t>(value));
        else
            append(bytes_, std::string_view(to_string(value)));
    }
    void write(const std::string& text) { append(bytes_, std::string_view(text)); }
    void write(const std::vector<std::byte>& file)
    {
        append(bytes_, static_cast<std::uint64_t>(file.size()));
        bytes_.insert(bytes_.end(), file.begin(), file.end());
    }
    void write(const Parameters& parameters) { append_parameters(bytes_, parameters); }
    template <class T>
    void write(const std::vector<T>& items)
    {
        append(bytes_, static_cast<std::uint64_t>(items.size()));
        for (const T& item : items) write(item);
    }
    template <class T>
        requires(!PlainValue<T>)
    void write(const T& item)
    {
        visit_fields(*this, item);
    }

    std::vector<std::byte>& bytes_;
    std::uint32_t version_;
};

class Reader
{
public:
    Reader(std::span<const std::byte> bytes, std::uint32_t version) : bytes_(bytes), version_(version) {}

    template <class... T>
    bool operator()(T&... fields)
    {
        return (take(fields) && ...);
    }
    bool at_end() const { return bytes_.empty(); }

private:
    template <PlainValue T>
        requires(!std::is_enum_v<T>)
    bool take(T& value)
    {
        if constexpr (std::is_same_v<T, int> || std::is_same_v<T, bool>)
        {
            std::int32_t stored = 0;
            if (!read(bytes_, stored)) return false;
            if (std::is_same_v<T, bool> && stored != 0 && stored != 1) return false;
            value = static_cast<T>(stored);
            return true;
        }
        else
        {
            return read(bytes_, value);
        }
    }
    /// Numbers of old formats are the order that the enumerators still have; those out of range fail as unknown names.
    template <class T>
        requires std::is_enum_v<T>
    bool take(T& value)
    {
        std::int32_t stored = 0;
        std::string name;
        if (version_ < kNamesSince ? !read(bytes_, stored) : !read(bytes_, name)) return false;
        for (std::int32_t i = 0; i < count_of(T{}); ++i)
        {
            value = static_cast<T>(i);
            if (version_ < kNamesSince ? stored == i : name == to_string(value)) return true;
        }
        return false;
    }
    bool take(std::string& text) { return read(bytes_, text); }
    bool take(std::vector<std::byte>& file) { return read(bytes_, file); }
    bool take(Parameters& parameters) { return read_parameters(bytes_, parameters); }
    template <class T>
    bool take(std::vector<T>& items)
    {
        // Elements grow one by one: a count that lies ends with the bytes, before memory does.
        std::size_t count = 0;
        if (!read_count(bytes_, PlainValue<T> ? sizeof(T) : 8, count)) return false;
        if constexpr (PlainValue<T>) items.reserve(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            if (!take(items.emplace_back())) return false;
        }
        return true;
    }
    template <class T>
        requires(!PlainValue<T>)
    bool take(T& item)
    {
        return visit_fields(*this, item);
    }

    std::span<const std::byte> bytes_;
    std::uint32_t version_;
};

/// T or const T.
template <class T, class Plain>
concept Same = std::is_same_v<std::remove_const_t<T>, Plain>;

template <class Archive, Same<RecordedBody> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.parent, x.kind, x.mass, x.center);
}
template <class Archive, Same<RecordedJoint> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.type, x.body, x.q_begin, x.v_begin);
}
template <class Archive, Same<RecordedShape> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.type, x.body, x.pose, x.size, x.asset, x.colour, x.group);
}
template <class Archive, Same<MeshOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.vertices, x.triangles, x.edges);
}
template <class Archive, Same<HeightFieldOptions> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.rows, x.columns, x.half_x, x.half_y, x.base, x.heights);
}
template <class Archive, Same<RecordedSensor> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.type);  // where its numbers begin follows
}
template <class Archive, Same<RecordedTendon> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.type);
}
/// What format version 1 holds; version 2 goes on with sensors and tendons, version 4 with sizes of sensors, version 5
/// with the appearance.
template <class Archive, Same<RecordedModel> T>
bool visit_fields(Archive& archive, T& x)
{
    return archive(x.name, x.fingerprint, x.library_version, x.solver, x.parameters, x.dt, x.gravity, x.integrator,
                   x.contacts, x.q_count, x.v_count, x.act_count, x.kinematic_count, x.bodies, x.joints, x.actuators,
                   x.shapes, x.meshes, x.height_fields);
}

bool is_below(int index, std::size_t count) { return index >= 0 && static_cast<std::size_t>(index) < count; }

/// What is wrong with a mesh; "" if nothing.
std::string find_fault(const MeshOptions& mesh)
{
    const auto inside = [&](const auto& corners)
    { return all_of(corners, [&](int corner) { return is_below(corner, mesh.vertices.size()); }); };
    if (!all_of(mesh.vertices, [](const Vec3& v) { return is_finite(v); })) return "a vertex that is not finite";
    if (!all_of(mesh.triangles, inside)) return "a triangle with a corner that is not there";
    if (!all_of(mesh.edges, inside)) return "an edge with an end that is not there";
    if (!mesh.texcoords.empty() && mesh.texcoords.size() != 3 * mesh.triangles.size())
        return "texture coordinates that are not three for each triangle";
    if (!all_of(mesh.texcoords, [](const auto& uv) { return std::isfinite(uv[0]) && std::isfinite(uv[1]); }))
        return "a texture coordinate that is not finite";
    return {};
}

std::string find_fault(const HeightFieldOptions& field)
{
    const bool fits =
        field.rows >= 2 && field.columns >= 2 &&
        static_cast<std::uint64_t>(field.rows) * static_cast<std::uint64_t>(field.columns) == field.heights.size();
    if (!fits) return "rows and columns that are not those of the heights";
    const bool finite = std::isfinite(field.half_x) && std::isfinite(field.half_y) && std::isfinite(field.base) &&
                        all_of(field.heights, [](double h) { return std::isfinite(h); });
    return finite ? "" : "a number that is not finite";
}

std::string find_fault(const RecordedModel& model, const RecordedShape& shape)
{
    if (!is_below(shape.body, model.bodies.size())) return "a body that is not there";
    if (!is_finite(shape.pose.position) || !is_finite(shape.pose.rotation) || !is_finite(shape.size))
        return "a number that is not finite";
    if (!all_of(shape.colour, [](float c) { return std::isfinite(c); })) return "a colour out of range";
    if (shape.type == ShapeType::height_field)
        return is_below(shape.asset, model.height_fields.size()) ? "" : "a height field that is not there";
    const bool needs_mesh = shape.type >= ShapeType::hull;
    if (needs_mesh && !is_below(shape.asset, model.meshes.size())) return "a mesh that is not there";
    return {};
}

std::string find_fault(const RecordedModel& model, const RecordedJoint& joint)
{
    if (!is_below(joint.body, model.bodies.size())) return "a body that is not there";
    const bool fits = joint.q_begin >= 0 && joint.q_begin <= model.q_count - q_count(joint.type) &&
                      joint.v_begin >= 0 && joint.v_begin <= model.v_count - v_count(joint.type);
    return fits ? "" : "coordinates outside the state";
}

/// Says where the numbers of each sensor begin; false where there are too many.
bool place_sensors(std::vector<RecordedSensor>& sensors)
{
    constexpr std::size_t kMostSensors = std::size_t{1} << 24;
    if (sensors.size() > kMostSensors) return false;
    constexpr int kMostValues = 1 << 27;
    int begin = 0;
    std::uint64_t titles = 0;  // letters of one title per value, as tables have them
    for (RecordedSensor& sensor : sensors)
    {
        if (sensor.size < 0 || sensor.size > kMostSensorValues || sensor.size > kMostValues - begin) return false;
        titles += static_cast<std::uint64_t>(sensor.size) * (sensor.name.size() + 1);
        if (titles > kMaxChunkBytes) return false;
        sensor.begin = begin;
        begin += sensor.size;
    }
    return true;
}

std::string find_fault(const RecordedModel& model)
{
    if (!(model.dt > 0) || !std::isfinite(model.dt) || !is_finite(model.gravity)) return "dt or gravity out of range";
    // So many that no sum of sizes overflows, and far more than a chunk can hold.
    for (const int count : {model.q_count, model.v_count, model.act_count, model.kinematic_count})
    {
        if (count < 0 || count > (1 << 27)) return "a count out of range";
    }
    if (model.bodies.empty()) return "no bodies";
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
    {
        const RecordedBody& body = model.bodies[i];
        const bool rooted = i == 0 ? body.parent == -1 : is_below(body.parent, i);
        if (!rooted) return "body " + std::to_string(i) + ": bad parent";
    }
    const auto first_fault = [](const char* what, const auto& items, const auto& find) -> std::string
    {
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            const std::string fault = find(items[i]);
            if (!fault.empty()) return std::string(what) + " " + std::to_string(i) + ": " + fault;
        }
        return {};
    };
    std::string fault = first_fault("joint", model.joints, [&](const auto& x) { return find_fault(model, x); });
    if (fault.empty()) fault = first_fault("shape", model.shapes, [&](const auto& x) { return find_fault(model, x); });
    if (fault.empty()) fault = first_fault("mesh", model.meshes, [](const auto& x) { return find_fault(x); });
    if (fault.empty())
        fault = first_fault("height field", model.height_fields, [](const auto& x) { return find_fault(x); });
    if (fault.empty()) fault = find_appearance_fault(model);
    return fault;
}

}  // namespace

std::uint32_t find_version(const RecordedModel& model)
{
    const bool plain = model.appearance.empty() &&
                       all_of(model.meshes, [](const MeshOptions& mesh) { return mesh.texcoords.empty(); });
    return plain ? kAppearanceSince - 1 : kRecordingVersion;
}

void append_model(std::vector<std::byte>& bytes, const RecordedModel& model, std::uint32_t version)
{
    Writer writer(bytes, version);
    visit_fields(writer, model);
    if (version >= 2) writer(model.sensors, model.tendons);
    if (version < kSizesSince) return;
    for (const RecordedSensor& sensor : model.sensors) writer(sensor.size);
    if (version < kAppearanceSince) return;
    writer(model.appearance);
    for (const MeshOptions& mesh : model.meshes) writer(mesh.texcoords);
}

Result<RecordedModel> read_model(std::span<const std::byte> payload, std::uint32_t version)
{
    RecordedModel model;
    Reader reader(payload, version);
    bool read = visit_fields(reader, model) && (version < 2 || reader(model.sensors, model.tendons));
    for (RecordedSensor& sensor : model.sensors)
    {
        sensor.size = sensor_size(sensor.type);
        read = read && (version < kSizesSince || reader(sensor.size));
    }
    read = read && (version < kAppearanceSince || reader(model.appearance));
    for (std::size_t i = 0; version >= kAppearanceSince && read && i < model.meshes.size(); ++i)
        read = reader(model.meshes[i].texcoords);
    std::string fault = read && reader.at_end() ? "" : "the fields do not fit their sizes, or are of an unknown kind";
    if (fault.empty() && !place_sensors(model.sensors)) fault = "too many sensors";
    if (fault.empty()) fault = find_fault(model);
    if (!fault.empty()) return Error{.code = ErrorCode::syntax, .message = "the recorded model is damaged: " + fault};
    return model;
}

}  // namespace rattleback
