// Recordings as glTF animations: a node per body under a root that turns z up into glTF's y up.
#include "base/file.h"
#include "base/index.h"
#include "record/gltf_document.h"

#include <cmath>
#include <map>
#include <tuple>

namespace rattleback
{

namespace
{

constexpr std::uint64_t kMaxBuffer = std::uint64_t{1} << 30;

using Index = GltfDocument::Index;

/// The motion of all bodies, in the precision of glTF.
struct Tracks
{
    std::vector<float> times;                   ///< [s] from the first frame, strictly increasing
    std::vector<std::vector<float>> positions;  ///< [body], 3 per time
    std::vector<std::vector<float>> rotations;  ///< [body], 4 per time: x, y, z, w
    std::vector<Pose> first;                    ///< [body]
};

Quat unit(const Quat& q)
{
    const double length = norm(q);
    return length > 0 ? normalized(q) : Quat{};
}

void add_pose(const Pose& pose, std::vector<float>& positions, std::vector<float>& rotations)
{
    for (const double entry : {pose.position.x, pose.position.y, pose.position.z})
        positions.push_back(static_cast<float>(entry));
    const Quat q = unit(pose.rotation);
    // Of the two quaternions of a rotation the one nearer to the last: viewers interpolate between the numbers.
    double sign = 1;
    if (!rotations.empty())
    {
        const float* last = rotations.data() + rotations.size() - 4;
        const double cosine = q.x * static_cast<double>(last[0]) + q.y * static_cast<double>(last[1]) +
                              q.z * static_cast<double>(last[2]) + q.w * static_cast<double>(last[3]);
        if (cosine < 0) sign = -1;
    }
    for (const double entry : {q.x, q.y, q.z, q.w}) rotations.push_back(static_cast<float>(sign * entry));
}

Result<Tracks> read_tracks(Recording& recording)
{
    Tracks tracks;
    const auto bodies = static_cast<std::size_t>(recording.model().body_count());
    tracks.positions.resize(bodies);
    tracks.rotations.resize(bodies);
    double start = 0;
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> read = recording.frame(i);
        if (!read.ok()) return read.errors();
        const RecordedFrame& frame = read.value();
        if (i == 0)
        {
            start = frame.time;
            tracks.first.assign(frame.body_pose.begin(), frame.body_pose.end());
        }
        const auto time = static_cast<float>(frame.time - start);
        if (!tracks.times.empty() && !(time > tracks.times.back())) continue;  // a step that failed, or float's limit
        tracks.times.push_back(time);
        for (std::size_t body = 0; body < bodies; ++body)
            add_pose(frame.body_pose[body], tracks.positions[body], tracks.rotations[body]);
    }
    return tracks;
}

/// True when some row of `width` numbers is not the first.
bool moves(const std::vector<float>& values, std::size_t width)
{
    for (std::size_t i = width; i < values.size(); ++i)
    {
        if (values[i] != values[i - width]) return true;
    }
    return false;
}

/// Adds the shapes of bodies; shapes that look alike share a mesh, and equal colours a material.
class ShapeNodes
{
public:
    ShapeNodes(const RecordedModel& model, double plane_size, GltfDocument& document)
        : model_(model), plane_size_(plane_size), document_(document)
    {
    }

    /// Nothing where there is nothing to see.
    std::optional<Index> add(const RecordedShape& shape)
    {
        const std::optional<Index> mesh = find_mesh(shape);
        if (!mesh) return std::nullopt;
        Pose pose = shape.pose;
        pose.rotation = unit(pose.rotation);
        return document_.add_node(shape.name, pose, {}, ",\"mesh\":" + std::to_string(*mesh));
    }

private:
    std::optional<Index> find_mesh(const RecordedShape& shape)
    {
        const auto& [x, y, z] = shape.size;
        const auto [entry, is_new] = meshes_.try_emplace({shape.type, x, y, z, shape.asset, shape.colour});
        if (is_new)
        {
            const Drawing drawing = draw(shape);
            const auto [material, new_material] = materials_.try_emplace({shape.colour, drawing.two_sided});
            if (new_material) material->second = document_.add_material(shape.colour, drawing.two_sided);
            entry->second = document_.add_mesh(drawing, material->second);
        }
        return entry->second;
    }

    Drawing draw(const RecordedShape& shape) const
    {
        const bool terrain = shape.type == ShapeType::height_field;
        const MeshOptions* mesh = shape.asset >= 0 && !terrain ? &model_.meshes[at(shape.asset)] : nullptr;
        const HeightFieldOptions* field = terrain ? &model_.height_fields[at(shape.asset)] : nullptr;
        return draw_shape(shape.type, shape.size, mesh, field, plane_size_);
    }

    const RecordedModel& model_;
    double plane_size_;
    GltfDocument& document_;
    std::map<std::tuple<ShapeType, double, double, double, int, std::array<float, 4>>, std::optional<Index>> meshes_;
    std::map<std::pair<std::array<float, 4>, bool>, Index> materials_;
};

/// Wide enough to lie under everything that is there at first.
double find_plane_size(const Tracks& tracks)
{
    double reach = 5;
    for (const Pose& pose : tracks.first) reach = std::max(reach, 2 * norm(pose.position));
    return std::min(reach, 1000.0);
}

/// Nodes of all bodies, with their shapes and motion; the node of the scene.
Index add_scene(const RecordedModel& model, const Tracks& tracks, GltfDocument& document)
{
    ShapeNodes shapes(model, find_plane_size(tracks), document);
    std::vector<std::vector<Index>> shapes_of_body(model.bodies.size());
    for (const RecordedShape& shape : model.shapes)
    {
        if (document.buffer_size() > kMaxBuffer) break;  // refused anyway
        if (const std::optional<Index> node = shapes.add(shape))
            shapes_of_body[static_cast<std::size_t>(shape.body)].push_back(*node);
    }
    std::optional<Index> times;  // added with the first body that moves: glTF has no place for unused data
    std::vector<Index> bodies;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
    {
        Pose pose = tracks.first[i];
        pose.rotation = unit(pose.rotation);
        bodies.push_back(document.add_node(model.bodies[i].name, pose, shapes_of_body[i]));
        const auto animate = [&](const char* path, const std::vector<float>& values, std::size_t width)
        {
            if (!moves(values, width)) return;
            if (!times) times = document.add_track(tracks.times, 1);
            document.add_channel(bodies.back(), path, *times, document.add_track(values, width));
        };
        animate("translation", tracks.positions[i], 3);
        animate("rotation", tracks.rotations[i], 4);
    }
    const double half = std::sqrt(0.5);
    return document.add_node(model.name, {{}, {half, -half, 0, 0}}, bodies);
}

}  // namespace

Status export_gltf(Recording& recording, const std::filesystem::path& path)
{
    const RecordedModel& model = recording.model();
    if (recording.frame_count() == 0)
    {
        return Error{.code = ErrorCode::invalid_value, .where = path.string(), .message = "a recording without frames"};
    }
    const Error too_large{.code = ErrorCode::limit,
                          .where = path.string(),
                          .message = "the animation would be larger than 1 GiB",
                          .hint = "record with a larger stride"};
    constexpr std::uint64_t kBytesPerPose = 7 * sizeof(float);
    const auto poses =
        static_cast<std::uint64_t>(recording.frame_count()) * static_cast<std::uint64_t>(model.body_count());
    if (poses > kMaxBuffer / kBytesPerPose) return too_large;

    const Result<Tracks> tracks = read_tracks(recording);
    if (!tracks.ok()) return tracks.errors();
    GltfDocument document;
    const Index root = add_scene(model, tracks.value(), document);
    if (document.buffer_size() > kMaxBuffer) return too_large;
    if (!document.finite())
    {
        return Error{.code = ErrorCode::invalid_value,
                     .where = path.string(),
                     .message = "some pose or shape is not finite, or too large for glTF's 32-bit numbers"};
    }

    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    const Status written = path.extension() == ".glb" ? file.write(document.binary(model.name, root))
                                                      : file.write(document.text(model.name, root));
    return written.ok() ? file.finish() : written;
}

}  // namespace rattleback
