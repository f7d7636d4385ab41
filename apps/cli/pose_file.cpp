// Reads poses and checks that they fit the model.
#include "pose_file.h"

#include "lab/base.h"
#include "number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace rattleback::cli
{

namespace
{

constexpr double kUnit = 1e-6;    // how far from 1 the length of a quaternion may be
constexpr double kExact = 1e-12;  // this near it stays as it is: exports come back to the bit
constexpr std::array<const char*, 7> kEntries{".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};

/// Whether a body is ever elsewhere than the model says; those before it are known.
bool is_moving(const Model& model, int body)
{
    for (int b = body; b > 0; b = model.bodies.parent[at(b)])
    {
        if (model.bodies.kind[at(b)] == BodyKind::kinematic || model.bodies.last_dof[at(b)] >= 0) return true;
    }
    return false;
}

/// Exports hold more than poses.
bool is_passed_over(std::string_view title)
{
    if (title == "kinetic_energy" || title == "potential_energy") return true;
    return std::ranges::any_of(std::array{"q.", "v.", "input.", "sensor."},
                               [&](const char* begin) { return title.starts_with(begin); });
}

constexpr int kTime = -1, kStep = -2, kOther = -3;

/// What each column holds: 7 body + entry, or one of those above.
class Columns
{
public:
    Columns(const std::string& path, const Model& model) : where_(path + ":1"), model_(model)
    {
        for (int body = 1; body < model.body_count(); ++body)
        {
            for (std::size_t k = 0; k < kEntries.size(); ++k)
                known_.emplace(model.bodies.name[at(body)] + kEntries[k], 7 * body + static_cast<int>(k));
        }
        known_.emplace("time", kTime);
        known_.emplace("step", kStep);
    }

    std::vector<bool> choose(const std::vector<std::string>& titles, Problems& problems)
    {
        std::vector<bool> wanted;
        for (const std::string& title : titles)
        {
            if (problems.full()) break;
            const auto found = known_.find(title);
            const bool is_new = found != known_.end() && seen_.insert({found->second, true}).second;
            if (!is_new && !is_passed_over(title)) refuse(title, found != known_.end(), problems);
            holds_.push_back(is_new ? found->second : kOther);
            wanted.push_back(is_new);
        }
        if (!seen_.contains(kTime)) problems.add(where_, "no column 'time'", "times of the rows [s]");
        for (int body = 1; body < model_.body_count(); ++body) check_body(body, problems);
        return wanted;
    }
    const std::vector<int>& holds() const { return holds_; }
    bool has_steps() const { return seen_.contains(kStep); }

private:
    void refuse(const std::string& title, bool twice, Problems& problems) const
    {
        if (twice) return problems.add(where_, fmt::format("column '{}' is there twice", title));
        const std::string body = title.substr(0, title.rfind('.'));
        std::vector<std::string_view> names(model_.bodies.name.begin() + 1, model_.bodies.name.end());
        if (std::ranges::find(names, body) != names.end())
            return problems.add(where_,
                                fmt::format("'{}' of body '{}' is no part of a pose",
                                            title.substr(std::min(body.size(), title.size())), body),
                                fmt::format("one of: {}", fmt::join(kEntries, ", ")));
        problems.add(where_, fmt::format("column '{}': there is no body '{}'", title, body),
                     make_name_hint(body, names), ErrorCode::unknown_name);
    }
    void check_body(int body, Problems& problems) const
    {
        std::string missing;
        int count = 0;
        for (int k = 0; k < 7; ++k)
        {
            if (seen_.contains(7 * body + k)) continue;
            missing += fmt::format("{}'{}{}'", count++ > 0 ? ", " : "", model_.bodies.name[at(body)], kEntries[at(k)]);
        }
        if (count == 7 && is_moving(model_, body))
            problems.add(where_, fmt::format("no columns for body '{}', which can move", model_.bodies.name[at(body)]),
                         "seven for each: BODY.x, .y, .z, .qw, .qx, .qy, .qz");
        if (count > 0 && count < 7) problems.add(where_, "no column " + missing);
    }

    std::string where_;
    const Model& model_;
    std::unordered_map<std::string, int> known_;
    std::unordered_map<int, bool> seen_;
    std::vector<int> holds_;
};

/// Makes a quaternion unit, or says that it is none.
void check_rotation(const std::string& where, const Model& model, std::size_t body, Quat& q, Problems& problems)
{
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(std::abs(length - 1) <= kUnit))
        return problems.add(
            where, fmt::format("the quaternion of body '{}' has length {:.9g}", model.bodies.name[body], length),
            "qw, qx, qy, qz of unit length, the real part first");
    if (std::abs(length - 1) > kExact) q = {q.w / length, q.x / length, q.y / length, q.z / length};
}

void set_step(const std::string& where, double value, lab::Trajectory& trajectory, Problems& problems)
{
    constexpr double kMost = 9007199254740992;  // 2^53: doubles count no further
    const bool whole = value >= 0 && value <= kMost && value == std::floor(value);
    const std::int64_t step = whole ? static_cast<std::int64_t>(value) : -1;
    if (!whole)
        problems.add(where, fmt::format("{:g} steps: must be a whole number", value));
    else if (!trajectory.step.empty() && step <= trajectory.step.back())
        problems.add(where, fmt::format("step {} does not come after step {}", step, trajectory.step.back()));
    trajectory.step.push_back(step);
}

Result<lab::Trajectory> parse_pose_csv(const std::string& path, std::string_view text, const Model& model)
{
    Columns columns(path, model);
    const Result<NumberTable> table =
        parse_number_table(path, text, [&](const std::vector<std::string>& titles, Problems& problems)
                           { return columns.choose(titles, problems); });
    if (!table.ok()) return table.errors();
    const State start(model);  // where the bodies are that do not move
    Problems problems;
    lab::Trajectory trajectory;
    for (std::size_t row = 0; row < table->row_count() && !problems.full(); ++row)
    {
        const std::string where = fmt::format("{}:{}", path, table->lines[row]);
        const std::size_t first = trajectory.pose.size();
        trajectory.pose.insert(trajectory.pose.end(), start.body_pose.begin(), start.body_pose.end());
        if (!columns.has_steps()) trajectory.step.push_back(static_cast<std::int64_t>(row));
        for (std::size_t i = 0; i < columns.holds().size(); ++i)
        {
            const int what = columns.holds()[i];
            const double value = table->value(row, i);
            if (what == kTime) trajectory.time.push_back(value);
            if (what == kStep) set_step(where, value, trajectory, problems);
            if (what < 0) continue;
            auto& [p, r] = trajectory.pose[first + at(what / 7)];
            *std::array{&p.x, &p.y, &p.z, &r.w, &r.x, &r.y, &r.z}[at(what % 7)] = value;
        }
        for (std::size_t b = 1; b < start.body_pose.size(); ++b)
            check_rotation(where, model, b, trajectory.pose[first + b].rotation, problems);
    }
    check_times(path, trajectory.time, problems);
    if (!problems.empty()) return problems.take();
    return trajectory;
}

Result<lab::Trajectory> parse_pose_npz(const std::string& path, std::string_view bytes, const Model& model)
{
    Result<std::map<std::string, NumpyArray>> read = read_numpy_archive(bytes, path, {"time", "step", "body_pose"});
    if (!read.ok()) return read.errors();
    std::map<std::string, NumpyArray> arrays = std::move(read).value();
    Problems problems;
    for (const char* name : {"time", "body_pose"})
    {
        if (!arrays.contains(name))
            problems.add(path, fmt::format("there is no array '{}'", name),
                         "numpy.savez(file, time=..., body_pose=...)", ErrorCode::unknown_name);
    }
    if (!problems.empty()) return problems.take();
    const NumpyArray &time = arrays["time"], &pose = arrays["body_pose"];
    const std::size_t bodies = at(model.body_count());
    if (time.shape.size() != 1)
        problems.add(path, fmt::format("array 'time' is [{}], wanted is [n]", shape_text(time)));
    else if (pose.shape != std::vector<std::uint64_t>{time.shape[0], bodies, 7})
        problems.add(
            path,
            fmt::format("array 'body_pose' is [{}], wanted is [{}, {}, 7]: a row per time and body, the world first",
                        shape_text(pose), time.shape[0], bodies));
    else if (time.shape[0] == 0)
        problems.add(path, "array 'time' has no rows");
    if (const auto step = arrays.find("step"); step != arrays.end() && step->second.shape != time.shape)
        problems.add(path, fmt::format("array 'step' is [{}], wanted is [n] as of 'time'", shape_text(step->second)));
    for (const auto& [name, array] : arrays) check_finite(path, name.c_str(), array, problems);
    if (!problems.empty()) return problems.take();
    lab::Trajectory trajectory{.time = time.values, .step = {}, .pose = {}};
    for (std::size_t row = 0; row < time.values.size() && !problems.full(); ++row)
    {
        const std::string where = fmt::format("{}: row {}", path, row);
        if (arrays.contains("step"))
            set_step(where, arrays["step"].values[row], trajectory, problems);
        else
            trajectory.step.push_back(static_cast<std::int64_t>(row));
        for (std::size_t b = 0; b < bodies; ++b)
        {
            const double* const v = pose.values.data() + 7 * (row * bodies + b);
            trajectory.pose.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}});
            check_rotation(where, model, b, trajectory.pose.back().rotation, problems);
            if (b == 0 && trajectory.pose.back() != Pose{})
                problems.add(where, "body 0 is the world, which stays at 0 0 0, 1 0 0 0");
        }
    }
    check_times(path, trajectory.time, problems);
    if (!problems.empty()) return problems.take();
    return trajectory;
}

}  // namespace

Result<lab::Trajectory> load_poses(const std::string& path, const Model& model)
{
    const Result<std::string> text = read_table_file(path, "poses");
    if (!text.ok()) return text.errors();
    return is_csv(path) ? parse_pose_csv(path, text.value(), model) : parse_pose_npz(path, text.value(), model);
}

}  // namespace rattleback::cli
