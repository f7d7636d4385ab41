// One pass over the frames, and moments between them.
#include "lab/render/survey.h"

#include "base/index.h"
#include "base/nearest_match.h"
#include "geometry/bounds.h"
#include "math/finite.h"

#include <fmt/format.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr std::int64_t kFramesLookedAt = 400;  // evenly spread, for the camera and the forces
constexpr std::size_t kForcesKept = 1U << 20;
constexpr double kFarOff = 25;

Quat unit(const Quat& q)
{
    const double length = norm(q);
    return length > 0 && std::isfinite(length) ? normalized(q) : Quat{};
}

/// Points (radius 0) or balls whose hull holds a shape.
struct Hold
{
    std::vector<Vec3> points;
    double radius = 0;
};

/// In the body frame.
Hold find_hold(const RecordedModel& model, const RecordedShape& shape)
{
    const Pose pose{shape.pose.position, unit(shape.pose.rotation)};
    if (shape.type == ShapeType::sphere) return {{pose.position}, shape.size.x};
    if (shape.type == ShapeType::capsule)
    {
        const Vec3 half = rotate(pose.rotation, Vec3{0, 0, shape.size.y});
        return {{pose.position - half, pose.position + half}, shape.size.x};
    }
    const bool field = shape.type == ShapeType::height_field;
    const MeshOptions* mesh = shape.asset >= 0 && !field ? &model.meshes[at(shape.asset)] : nullptr;
    const Aabb box =
        compute_bounds(shape.type, shape.size, mesh, field ? &model.height_fields[at(shape.asset)] : nullptr, Pose{});
    Hold hold;
    for (unsigned i = 0; i < 8; ++i)
    {
        const Vec3 corner{(i & 1) != 0 ? box.upper.x : box.lower.x, (i & 2) != 0 ? box.upper.y : box.lower.y,
                          (i & 4) != 0 ? box.upper.z : box.lower.z};
        hold.points.push_back(pose.position + rotate(pose.rotation, corner));
    }
    return hold;
}

/// Adds what a frame shows to the framing.
class Looker
{
public:
    Looker(const RecordedModel& model, const SurveyOptions& options, int followed)
        : model_(model), drawn_(find_drawn(model, options.every_group)), root_(find_roots(model))
    {
        for (const RecordedShape& shape : model.shapes)
            holds_.push_back(shape.type == ShapeType::plane ? Hold{} : find_hold(model, shape));
        if (followed < 0) return;
        for (std::size_t i = 0; i < drawn_.size(); ++i)
            drawn_[i] = drawn_[i] && root_[at(model.shapes[i].body)] == root_[at(followed)];
    }

    void add(std::span<const Pose> poses, const Vec3& shift, Framing& framing)
    {
        const bool first = framing.empty();
        for (std::size_t i = 0; i < model_.shapes.size(); ++i)
        {
            const RecordedShape& shape = model_.shapes[i];
            if (!drawn_[i] || shape.type == ShapeType::plane) continue;
            const Pose pose{poses[at(shape.body)].position, unit(poses[at(shape.body)].rotation)};
            Hold placed = holds_[i];
            for (Vec3& point : placed.points) point = pose.position + rotate(pose.rotation, point);
            if (!std::ranges::all_of(placed.points, [](const Vec3& p) { return is_finite(p); })) continue;
            if (is_hidden(placed, poses)) continue;
            for (const Vec3& point : placed.points)
            {
                const Vec3 place = point - shift;
                if (first || norm(place - middle_) < kFarOff * radius_) framing.add(place, placed.radius);
            }
        }
        if (!first) return;
        middle_ = framing.middle();
        radius_ = framing.radius();
    }

private:
    static std::vector<int> find_roots(const RecordedModel& model)
    {
        std::vector<int> root;
        for (int i = 0; i < model.body_count(); ++i)
        {
            const int parent = model.bodies[at(i)].parent;
            root.push_back(parent > 0 && parent < i ? root[at(parent)] : i);
        }
        return root;
    }

    /// Behind a plane, as the things of a run without contact are after a while.
    bool is_hidden(const Hold& hold, std::span<const Pose> poses) const
    {
        for (const RecordedShape& shape : model_.shapes)
        {
            if (shape.type != ShapeType::plane) continue;
            const Pose plane = poses[at(shape.body)] * shape.pose;
            const Vec3 normal = rotate(plane.rotation, Vec3{0, 0, 1});
            const auto below = [&](const Vec3& p) { return dot(normal, p - plane.position) + hold.radius < 0; };
            if (std::ranges::all_of(hold.points, below)) return true;
        }
        return false;
    }

    const RecordedModel& model_;
    std::vector<bool> drawn_;
    std::vector<int> root_;    ///< [body]
    std::vector<Hold> holds_;  ///< [shape]
    Vec3 middle_;
    double radius_ = 0;
};

Result<int> find_body(const RecordedModel& model, const std::string& name)
{
    std::vector<std::string_view> names;
    for (int i = 0; i < model.body_count(); ++i)
    {
        if (model.bodies[at(i)].name == name) return i;
        names.emplace_back(model.bodies[at(i)].name);
    }
    const std::string hint = make_name_hint(name, names);
    return Error{.code = ErrorCode::unknown_name,
                 .where = "--follow",
                 .message = "the recording has no body '" + name + "'",
                 .hint = hint.empty() ? "`rattleback info` lists the bodies of a scene or model" : hint};
}

void collect_forces(const RecordedFrame& frame, std::vector<double>& forces)
{
    for (const RecordedContact& contact : frame.contacts)
    {
        const double force = norm(contact.force.force);
        if (force > 0 && std::isfinite(force) && forces.size() < kForcesKept) forces.push_back(force);
    }
}

std::string frame_name(std::int64_t index, double time) { return fmt::format("frame {} (t = {:g} s)", index, time); }

/// Copies poses; an error where one is not finite.
Result<std::vector<Pose>> copy_poses(const RecordedModel& model, const RecordedFrame& frame, std::int64_t index)
{
    std::vector<Pose> poses(frame.body_pose.begin(), frame.body_pose.end());
    for (std::size_t i = 0; i < poses.size(); ++i)
    {
        if (!is_finite(poses[i]))
        {
            return Error{.code = ErrorCode::invalid_value,
                         .where = frame_name(index, frame.time),
                         .message = "the pose of body '" + model.bodies[i].name + "' is not finite",
                         .hint = "the run diverged; choose an earlier --time"};
        }
        poses[i].rotation = unit(poses[i].rotation);
    }
    return poses;
}

Pose interpolate(const Pose& a, const Pose& b, double t)
{
    const Quat &p = a.rotation, &q = b.rotation;
    const double s = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -t : t;
    return {a.position + t * (b.position - a.position),
            unit({(1 - t) * p.w + s * q.w, (1 - t) * p.x + s * q.x, (1 - t) * p.y + s * q.y, (1 - t) * p.z + s * q.z})};
}

/// Points of tendons between two frames: along the line where both have the same points, otherwise those of the nearer.
void mix_tendons(std::span<const RecordedTendonPoint> points, double t, std::vector<RecordedTendonPoint>& mixed)
{
    if (!std::ranges::all_of(points, [](const RecordedTendonPoint& p) { return is_finite(p.point); })) points = {};
    const auto same = [](const RecordedTendonPoint& a, const RecordedTendonPoint& b)
    { return a.tendon == b.tendon && a.begins == b.begins; };
    const bool alike = std::ranges::equal(mixed, points, same);
    if (t == 0 || (!alike && t >= 0.5)) mixed.assign(points.begin(), points.end());
    if (t == 0 || !alike) return;
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i].point += t * (points[i].point - mixed[i].point);
}

}  // namespace

Vec3 Survey::find_shift(const Moment& moment) const
{
    return followed < 0 ? Vec3{} : moment.pose[at(followed)].position - follow_start;
}

Camera Survey::make_camera(const Moment& moment) const { return framing.make_camera(find_shift(moment)); }

Result<Survey> survey(Recording& recording, const SurveyOptions& options)
{
    const RecordedModel& model = recording.model();
    const std::int64_t count = recording.frame_count();
    if (count == 0)
    {
        return Error{.code = ErrorCode::invalid_value, .where = "", .message = "the recording has no frames"};
    }
    const Vec3 up = find_up(model.gravity);
    Survey result{.framing = Framing(options.camera, up), .up = up};
    if (!options.follow.empty())
    {
        const Result<int> body = find_body(model, options.follow);
        if (!body.ok()) return body.errors();
        result.followed = body.value();
    }
    Looker looker(model, options, result.followed);
    std::vector<double> forces;
    const std::int64_t stride = std::max<std::int64_t>(1, count / kFramesLookedAt);
    for (std::int64_t i = 0; i < count; ++i)
    {
        const Result<RecordedFrame> read = recording.frame(i);
        if (!read.ok()) return read.errors();
        const RecordedFrame& frame = read.value();
        if (!std::isfinite(frame.time) || (i > 0 && frame.time < result.time.back()))
        {
            return Error{.code = ErrorCode::invalid_value,
                         .where = frame_name(i, frame.time),
                         .message = "its time is before that of the frame before it, or not a number"};
        }
        result.time.push_back(frame.time);
        if (i % stride != 0 && i + 1 != count) continue;
        Vec3 shift;
        if (result.followed >= 0)
        {
            const Vec3& position = frame.body_pose[at(result.followed)].position;
            if (!is_finite(position)) continue;
            if (result.framing.empty()) result.follow_start = position;
            shift = position - result.follow_start;
        }
        looker.add(frame.body_pose, shift, result.framing);
        if (options.contacts) collect_forces(frame, forces);
    }
    if (!forces.empty())
    {
        const auto place = forces.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(forces.size() - 1));
        std::nth_element(forces.begin(), place, forces.end());
        result.largest_force = *place;
    }
    return result;
}

Result<Moment> read_moment(Recording& recording, const Survey& survey, double time, bool contacts)
{
    const auto after = std::upper_bound(survey.time.begin(), survey.time.end(), time);
    const auto last = static_cast<std::int64_t>(survey.time.size()) - 1;
    const std::int64_t low = std::max<std::int64_t>(after - survey.time.begin() - 1, 0), high = std::min(low + 1, last);
    const double from = survey.time[static_cast<std::size_t>(low)], to = survey.time[static_cast<std::size_t>(high)];
    const double t = to > from ? std::clamp((time - from) / (to - from), 0.0, 1.0) : 0;

    Moment moment{.time = time};
    for (const std::int64_t index : {low, high})
    {
        const bool second = !moment.pose.empty();
        if (second && t == 0) break;
        const Result<RecordedFrame> read = recording.frame(index);
        if (!read.ok()) return read.errors();
        Result<std::vector<Pose>> poses = copy_poses(recording.model(), read.value(), index);
        if (!poses.ok()) return poses.errors();
        if (!second)
            moment.pose = std::move(poses).value();
        else
            std::ranges::transform(moment.pose, poses.value(), moment.pose.begin(),
                                   [&](const Pose& a, const Pose& b) { return interpolate(a, b, t); });
        mix_tendons(read.value().tendon_points, second ? t : 0, moment.tendon_points);
        if (contacts && second == (t >= 0.5))
        {
            for (const RecordedContact& contact : read.value().contacts)
            {
                if (is_finite(contact.point)) moment.contacts.push_back(contact);
            }
        }
    }
    return moment;
}

}  // namespace rattleback::lab
