// Packs: shapes, and frames with their poses on an integer grid.
#include "view_pack.h"

#include "frame_series.h"
#include "lab/render/colour.h"
#include "plot_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::cli
{

namespace
{

constexpr double kFarthest = 1e15;  // [m]; nothing beyond can be drawn
constexpr double kGrid = std::numeric_limits<std::uint32_t>::max();

void append(std::vector<double>& list, const Vec3& vector) { list.insert(list.end(), {vector.x, vector.y, vector.z}); }
void append(std::vector<double>& list, const Pose& pose)
{
    append(list, pose.position);
    list.insert(list.end(), {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w});
}
void append(std::vector<float>& list, const Vec3& vector)
{
    for (int i = 0; i < 3; ++i) list.push_back(static_cast<float>(vector[i]));
}

bool is_drawable(const Pose& pose)
{
    for (int i = 0; i < 3; ++i)
    {
        if (!(std::abs(pose.position[i]) <= kFarthest)) return false;
    }
    const Quat& q = pose.rotation;
    return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

/// Half of how thick a shape is where it is thinnest [m]; infinite for what has no end.
double find_thickness(const RecordedModel& model, const RecordedShape& shape)
{
    const auto& [a, b, c] = shape.size;
    switch (shape.type)
    {
        case ShapeType::plane:
        case ShapeType::height_field:
            return std::numeric_limits<double>::infinity();
        case ShapeType::sphere:
        case ShapeType::capsule:
            return a;
        case ShapeType::cylinder:
            return std::min(a, b);
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return std::min({a, b, c});
        default:
            break;
    }
    Vec3 low, high;
    const std::vector<Vec3>& vertices = model.meshes[static_cast<std::size_t>(shape.asset)].vertices;
    if (!vertices.empty()) low = high = vertices.front();
    for (const Vec3& vertex : vertices)
    {
        for (int k = 0; k < 3; ++k)
        {
            low[k] = std::min(low[k], vertex[k]);
            high[k] = std::max(high[k], vertex[k]);
        }
    }
    const Vec3 half = 0.5 * (high - low);
    const double least = std::min({half.x, half.y, half.z});
    return least > 0 ? least : 0.5 * norm(half);  // a flat one: its size
}

/// Which bodies move, and how far.
struct Survey
{
    std::int64_t end = 0;  ///< frames before it can be drawn
    std::string fault;     ///< of frame `end`; empty: there is none
    std::vector<Pose> rest;
    std::vector<std::uint32_t> moving;
    Vec3 low, high;
    std::uint64_t contact_count = 0, tendon_point_count = 0;
};

std::string find_fault(const RecordedFrame& frame, double time_before)
{
    if (!std::isfinite(frame.time)) return "the time is not a finite number";
    if (frame.time < time_before) return "time runs backwards";
    for (const Pose& pose : frame.body_pose)
    {
        if (!is_drawable(pose)) return "a pose is not finite or beyond 1e15 m";
    }
    return {};
}

Result<Survey> survey_frames(Recording& recording, const FrameSelection& selection)
{
    const std::int64_t begin = selection.begin;
    const RecordedModel& model = recording.model();
    const std::uint64_t per_frame = 100 + 28 * model.bodies.size() +
                                    4 * static_cast<std::uint64_t>(model.q_count + model.v_count +
                                                                   model.actuator_count() + model.sensor_value_count());
    std::uint64_t bytes = 0;
    Survey survey{.end = begin};
    double time = -std::numeric_limits<double>::infinity();
    std::vector<bool> moves(recording.model().bodies.size());
    for (std::int64_t i = begin; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> read = recording.frame(i);
        if (!read.ok()) return read.errors();
        const RecordedFrame& frame = read.value();
        survey.fault = find_fault(frame, time);
        if (!survey.fault.empty()) break;
        time = frame.time;
        survey.end = i + 1;
        survey.contact_count += frame.contacts.size();
        survey.tendon_point_count += frame.tendon_points.size();
        if ((i - begin) % std::max<std::int64_t>(1, selection.stride) == 0)
            bytes += per_frame + 44 * frame.contacts.size() + 16 * frame.tendon_points.size();
        if (i == begin) survey.rest.assign(frame.body_pose.begin(), frame.body_pose.end());
        for (std::size_t b = 0; b < moves.size(); ++b)
        {
            if (frame.body_pose[b] != survey.rest[b]) moves[b] = true;
        }
        if (selection.in_pieces && bytes > selection.budget) break;
    }
    for (std::size_t b = 0; b < moves.size(); ++b)
    {
        if (moves[b]) survey.moving.push_back(static_cast<std::uint32_t>(b));
    }
    return survey;
}

/// The range of the positions of what moves.
Status find_range(Recording& recording, std::int64_t begin, Survey& survey)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    survey.low = {kInfinity, kInfinity, kInfinity};
    survey.high = {-kInfinity, -kInfinity, -kInfinity};
    for (std::int64_t i = begin; i < survey.end; ++i)
    {
        const Result<RecordedFrame> read = recording.frame(i);
        if (!read.ok()) return read.errors();
        for (const std::uint32_t body : survey.moving)
        {
            const Vec3& position = read.value().body_pose[body].position;
            for (int k = 0; k < 3; ++k)
            {
                survey.low[k] = std::min(survey.low[k], position[k]);
                survey.high[k] = std::max(survey.high[k], position[k]);
            }
        }
    }
    if (survey.moving.empty() || survey.end == begin) survey.low = survey.high = Vec3{};
    return {};
}

/// The poses and contacts of the frames that are kept.
class PoseColumns
{
public:
    PoseColumns(const RecordedModel& model, const Survey& survey) : survey_(survey), extent_(survey.high - survey.low)
    {
        for (const RecordedShape& shape : model.shapes)
            thickness_.push_back(static_cast<float>(find_thickness(model, shape)));
    }

    void add(const RecordedFrame& frame)
    {
        for (const std::uint32_t body : survey_.moving)
        {
            const Pose& pose = frame.body_pose[body];
            for (int k = 0; k < 3; ++k)
            {
                const double part = extent_[k] > 0 ? (pose.position[k] - survey_.low[k]) / extent_[k] : 0;
                position_.push_back(static_cast<std::uint32_t>(std::clamp(std::round(part * kGrid), 0.0, kGrid)));
            }
            const Quat& q = pose.rotation;
            for (const double entry : {q.x, q.y, q.z, q.w}) rotation_.push_back(static_cast<float>(entry));
        }
        for (const RecordedContact& contact : frame.contacts)
        {
            append(contact_, contact.point);
            append(contact_, contact.frame.column(0));
            append(contact_, contact.force.force);
            contact_.push_back(static_cast<float>(contact.distance));
            contact_size_.push_back(std::min(thickness_of(contact.first_shape), thickness_of(contact.second_shape)));
        }
        contact_begin_.push_back(static_cast<std::uint32_t>(contact_.size() / 10));
        for (const RecordedTendonPoint& point : frame.tendon_points)
        {
            append(tendon_, point.point);
            tendon_.push_back(point.begins != 0 ? 1 : 0);
        }
        tendon_begin_.push_back(static_cast<std::uint32_t>(tendon_.size() / 4));
    }

    void write(Pack& pack) const
    {
        std::vector<double> rest;
        for (const Pose& pose : survey_.rest) append(rest, pose);
        pack.about["low"] = {survey_.low.x, survey_.low.y, survey_.low.z};
        pack.about["extent"] = {extent_.x, extent_.y, extent_.z};
        pack.add("rest", rest);
        pack.add("moving", survey_.moving);
        pack.add("position", position_);
        pack.add("rotation", rotation_);
        pack.add("contact", contact_);
        pack.add("contact_size", contact_size_);
        pack.add("contact_begin", contact_begin_);
        pack.add("tendon", tendon_);
        pack.add("tendon_begin", tendon_begin_);
    }

private:
    float thickness_of(int shape) const
    {
        return shape >= 0 ? thickness_[static_cast<std::size_t>(shape)] : std::numeric_limits<float>::infinity();
    }
    const Survey& survey_;
    Vec3 extent_;
    std::vector<std::uint32_t> position_;
    std::vector<float> rotation_, contact_, contact_size_, tendon_;
    std::vector<std::uint32_t> contact_begin_{0}, tendon_begin_{0};
    std::vector<float> thickness_;  // [shape]
};

std::int64_t choose_stride(const Survey& survey, const FrameSelection& selection, std::size_t columns)
{
    if (selection.stride > 0) return selection.stride;
    const auto frames = static_cast<std::uint64_t>(survey.end - selection.begin);
    const std::uint64_t bytes = frames * (28 * survey.moving.size() + 4 * columns + 100) + 44 * survey.contact_count +
                                16 * survey.tendon_point_count;
    return static_cast<std::int64_t>(1 + bytes / std::max<std::uint64_t>(1, selection.budget));
}

}  // namespace

Pack pack_shapes(const RecordedModel& model)
{
    Pack pack;
    std::vector<std::uint8_t> type;
    std::vector<std::uint32_t> body;
    std::vector<double> pose, size;
    std::vector<std::int32_t> asset, group;
    std::vector<float> colour;
    for (const RecordedShape& shape : model.shapes)
    {
        type.push_back(static_cast<std::uint8_t>(shape.type));
        body.push_back(static_cast<std::uint32_t>(shape.body));
        append(pose, shape.pose);
        append(size, shape.size);
        asset.push_back(shape.asset);
        group.push_back(shape.group);
        const std::size_t index = group.size() - 1;
        const std::vector<ShapeLook>& looks = model.appearance.shapes;
        const bool own = !looks.empty() && looks[index].material.valid();
        const std::array<float, 4> drawn = own ? shape.colour : lab::find_drawn_colour(shape);
        colour.insert(colour.end(), drawn.begin(), drawn.end());
    }
    pack.add("shape_type", type);
    pack.add("shape_body", body);
    pack.add("shape_pose", pose);
    pack.add("shape_size", size);
    pack.add("shape_asset", asset);
    pack.add("shape_group", group);
    pack.add("shape_colour", colour);
    for (std::size_t i = 0; i < model.meshes.size(); ++i)
    {
        std::vector<float> vertices;
        std::vector<std::uint32_t> triangles, edges;
        for (const Vec3& vertex : model.meshes[i].vertices) append(vertices, vertex);
        for (const auto& corners : model.meshes[i].triangles)
            triangles.insert(triangles.end(), corners.begin(), corners.end());
        for (const auto& ends : model.meshes[i].edges) edges.insert(edges.end(), ends.begin(), ends.end());
        pack.add(fmt::format("mesh{}_vertices", i), vertices);
        pack.add(fmt::format("mesh{}_triangles", i), triangles);
        pack.add(fmt::format("mesh{}_edges", i), edges);
    }
    for (std::size_t i = 0; i < model.height_fields.size(); ++i)
    {
        const std::vector<double>& heights = model.height_fields[i].heights;
        pack.add(fmt::format("field{}_heights", i), std::vector<float>(heights.begin(), heights.end()));
    }
    return pack;
}

Result<FramePack> pack_frames(Recording& recording, const FrameSelection& selection)
{
    Result<Survey> surveyed = survey_frames(recording, selection);
    if (!surveyed.ok()) return surveyed.errors();
    Survey survey = std::move(surveyed).value();
    const Status ranged = find_range(recording, selection.begin, survey);
    if (!ranged.ok()) return ranged.errors();

    const PlotColumns plots(recording.model());
    std::vector<float> values;
    FramePack result{.next_frame = survey.end, .stride = choose_stride(survey, selection, plots.size())};
    result.usable = survey.fault.empty();
    if (!result.usable)
    {
        result.notices.push_back(
            fmt::format("frame {} cannot be drawn ({}); what comes before it is shown", survey.end, survey.fault));
    }
    PoseColumns poses(recording.model(), survey);
    Result<FrameSeries> series = FrameSeries::start(recording, selection.begin);
    if (!series.ok()) return series.errors();
    FrameSeries columns = std::move(series).value();
    for (std::int64_t i = selection.begin; i < survey.end; ++i)
    {
        const Result<RecordedFrame> read = recording.frame(i);
        if (!read.ok()) return read.errors();
        columns.add(read.value());
        if ((i - selection.begin) % result.stride != 0 && i + 1 != survey.end) continue;
        poses.add(read.value());
        columns.keep(read.value());
        plots.append(read.value(), values);
    }
    result.pack.about["frames"] = columns.size();
    result.pack.about["next_frame"] = survey.end;
    poses.write(result.pack);
    columns.write(result.pack);
    result.pack.add("values", values);
    return result;
}

}  // namespace rattleback::cli
