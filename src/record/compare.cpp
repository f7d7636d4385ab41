// Recordings compared: one hash for a whole run, and the first place where two runs part.
#include "base/bits.h"
#include "base/hash.h"
#include "base/text.h"
#include "record/frame_at_time.h"

#include <rattleback/record.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace rattleback
{

namespace
{

/// Poses, velocities and the like as the numbers that they are.
template <class T>
std::span<const double> numbers(std::span<const T> values)
{
    static_assert(sizeof(T) % sizeof(double) == 0 && alignof(T) == alignof(double));
    return {reinterpret_cast<const double*>(values.data()), values.size_bytes() / sizeof(double)};
}

void add(Hasher& hasher, std::span<const double> values)
{
    hasher.add(values.size());
    hasher.add(values);
}

void add(Hasher& hasher, const RecordedContact& contact)
{
    for (const int index : {contact.first_body, contact.second_body, contact.first_shape, contact.second_shape})
        hasher.add(index);
    hasher.add(numbers(std::span<const Vec3>(&contact.point, 1)));
    hasher.add(numbers(std::span<const Mat3>(&contact.frame, 1)));
    hasher.add(contact.distance);
    hasher.add(numbers(std::span<const Vec3>(&contact.friction, 1)));
    hasher.add(contact.restitution);
    hasher.add(contact.feature);
    hasher.add(numbers(std::span<const Wrench>(&contact.force, 1)));
}

void add(Hasher& hasher, const RecordedFrame& frame)
{
    hasher.add(frame.time);
    hasher.add(frame.step);
    add(hasher, frame.q);
    add(hasher, frame.v);
    add(hasher, frame.act);
    add(hasher, numbers(frame.body_pose));
    add(hasher, numbers(frame.body_velocity));
    add(hasher, frame.control.input);
    add(hasher, frame.control.joint_force);
    add(hasher, numbers(frame.control.body_wrench));
    add(hasher, numbers(frame.control.target));
    hasher.add(frame.energy.kinetic);
    hasher.add(frame.energy.potential);
    hasher.add(numbers(std::span<const Momentum>(&frame.momentum, 1)));
    hasher.add(frame.report.status);
    hasher.add(frame.report.iterations);
    hasher.add(frame.report.residual);
    hasher.add(frame.report.contact_count);
    hasher.add(frame.report.deepest_penetration);
    // As one number, which is what recordings before format version 3 have.
    hasher.add(frame.report.culprit_dof >= 0 ? frame.report.culprit_dof : frame.report.culprit_body.index);
    hasher.add(frame.report.needed_capacity);
    hasher.add(frame.contacts.size());
    for (const RecordedContact& contact : frame.contacts) add(hasher, contact);
    // Older recordings have none of these, and keep their hash.
    if (frame.report.culprit_shapes.first.valid())
    {
        hasher.add(frame.report.culprit_shapes.first.index);
        hasher.add(frame.report.culprit_shapes.second.index);
    }
    if (!frame.sensors.empty()) add(hasher, frame.sensors);
    if (!frame.tendon_points.empty()) hasher.add(frame.tendon_points.size());
    for (const RecordedTendonPoint& point : frame.tendon_points)
    {
        hasher.add(point.tendon);
        hasher.add(point.begins);
        hasher.add(numbers(std::span<const Vec3>(&point.point, 1)));
    }
}

/// Finds the first and the largest difference of frames given one pair after the other.
class Comparer
{
public:
    Comparer(const RecordedModel& model, double tolerance, RecordingDifference& result)
        : model_(model), tolerance_(tolerance), result_(result)
    {
    }

    void compare(std::int64_t index, const RecordedFrame& a, const RecordedFrame& b)
    {
        frame_ = index;
        time_ = a.time;
        const double steps[2] = {static_cast<double>(a.step), static_cast<double>(b.step)};
        compare("time", 0, {&a.time, 1}, {&b.time, 1});
        compare("step", 0, {steps, 1}, {steps + 1, 1});
        compare("body_pose", 7, numbers(a.body_pose), numbers(b.body_pose));
        compare("body_velocity", 6, numbers(a.body_velocity), numbers(b.body_velocity));
        compare("q", 0, a.q, b.q);
        compare("v", 0, a.v, b.v);
        compare("act", 0, a.act, b.act);
        compare("input", 0, a.control.input, b.control.input);
        compare("target", 0, numbers(a.control.target), numbers(b.control.target));
        compare("joint_force", 0, a.control.joint_force, b.control.joint_force);
        compare("body_wrench", 6, numbers(a.control.body_wrench), numbers(b.control.body_wrench));
        compare("kinetic_energy", 0, {&a.energy.kinetic, 1}, {&b.energy.kinetic, 1});
        compare("potential_energy", 0, {&a.energy.potential, 1}, {&b.energy.potential, 1});
        compare("linear_momentum", 0, vector(a.momentum.linear), vector(b.momentum.linear));
        compare("angular_momentum", 0, vector(a.momentum.angular), vector(b.momentum.angular));
        compare_reports(a.report, b.report);
        compare_contacts(a.contacts, b.contacts);
        compare("sensors", 0, a.sensors, b.sensors);
        compare_tendons(a.tendon_points, b.tendon_points);
    }

    /// What can be interpolated, and nothing else.
    void compare_motion(std::int64_t index, const RecordedFrame& a, const RecordedFrame& b)
    {
        frame_ = index;
        time_ = a.time;
        compare("body_pose", 7, numbers(a.body_pose), numbers(b.body_pose));
        compare("body_velocity", 6, numbers(a.body_velocity), numbers(b.body_velocity));
        compare("q", 0, a.q, b.q);
        compare("v", 0, a.v, b.v);
    }

private:
    static std::span<const double> vector(const Vec3& v) { return numbers(std::span<const Vec3>(&v, 1)); }

    /// `row` > 0: that many numbers per body. An empty list counts as zeros (forces are left out while they are zero).
    void compare(const char* quantity, std::size_t row, std::span<const double> a, std::span<const double> b)
    {
        const std::size_t count = std::max(a.size(), b.size());
        for (std::size_t i = 0; i < count; ++i)
        {
            compare_number(quantity, row > 0 ? i / row : i, row > 0, i < a.size() ? a[i] : 0, i < b.size() ? b[i] : 0);
        }
    }

    void compare_number(const char* quantity, std::size_t index, bool of_body, double a, double b)
    {
        if (same_bits(a, b)) return;
        const double difference = std::abs(a - b);
        if (tolerance_ > 0 && difference <= tolerance_) return;
        note(quantity, index, of_body, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
    }

    void compare_reports(const StepReport& a, const StepReport& b)
    {
        const auto compare_counts = [this](const char* quantity, auto first, auto second)
        { compare_number(quantity, 0, false, static_cast<double>(first), static_cast<double>(second)); };
        compare_counts("status", a.status, b.status);
        compare_counts("iterations", a.iterations, b.iterations);
        compare_counts("residual", a.residual, b.residual);
        compare_counts("contact_count", a.contact_count, b.contact_count);
        compare_counts("deepest_penetration", a.deepest_penetration, b.deepest_penetration);
        compare_counts("culprit_dof", a.culprit_dof, b.culprit_dof);
        compare_counts("culprit_body", a.culprit_body.index, b.culprit_body.index);
        compare_counts("culprit_shapes", a.culprit_shapes.first.index, b.culprit_shapes.first.index);
        compare_counts("culprit_shapes", a.culprit_shapes.second.index, b.culprit_shapes.second.index);
        compare_counts("needed_capacity", a.needed_capacity, b.needed_capacity);
    }

    void compare_contacts(std::span<const RecordedContact> a, std::span<const RecordedContact> b)
    {
        if (a.size() != b.size())
        {
            compare_number("recorded_contacts", 0, false, static_cast<double>(a.size()), static_cast<double>(b.size()));
            return;
        }
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            const auto pair = [](const RecordedContact& c)
            { return std::tuple(c.first_body, c.second_body, c.first_shape, c.second_shape, c.feature); };
            if (pair(a[i]) != pair(b[i])) note("contact_pair", i, false, std::numeric_limits<double>::infinity());
            const auto compare_parts = [&](const char* quantity, const auto& first, const auto& second)
            {
                const auto x = numbers(std::span(&first, 1)), y = numbers(std::span(&second, 1));
                for (std::size_t k = 0; k < x.size(); ++k) compare_number(quantity, i, false, x[k], y[k]);
            };
            compare_parts("contact_point", a[i].point, b[i].point);
            compare_parts("contact_frame", a[i].frame, b[i].frame);
            compare_parts("contact_distance", a[i].distance, b[i].distance);
            compare_parts("contact_friction", a[i].friction, b[i].friction);
            compare_parts("contact_restitution", a[i].restitution, b[i].restitution);
            compare_parts("contact_force", a[i].force, b[i].force);
        }
    }

    void compare_tendons(std::span<const RecordedTendonPoint> a, std::span<const RecordedTendonPoint> b)
    {
        if (a.size() != b.size())
            compare_number("tendon_point_count", 0, false, static_cast<double>(a.size()),
                           static_cast<double>(b.size()));
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        {
            const auto x = vector(a[i].point), y = vector(b[i].point);
            for (std::size_t k = 0; k < x.size(); ++k) compare_number("tendon_point", i, false, x[k], y[k]);
        }
    }

    void note(std::string_view quantity, std::size_t index, bool of_body, double difference)
    {
        result_.same = false;
        const bool is_first = result_.first.frame < 0;
        // Numbers of different units cannot be ranked: the largest is that of poses.
        const bool is_largest = quantity == "body_pose" && difference > result_.largest.difference;
        if (!is_first && !is_largest) return;
        const RecordingDifference::Place place{.frame = frame_,
                                               .time = time_,
                                               .quantity = std::string(quantity),
                                               .index = static_cast<int>(index),
                                               .body = of_body ? model_.bodies[index].name : "",
                                               .difference = difference};
        if (is_first) result_.first = place;
        if (is_largest) result_.largest = place;
    }

    const RecordedModel& model_;
    double tolerance_;
    RecordingDifference& result_;
    std::int64_t frame_ = 0;
    double time_ = 0;
};

std::string to_text(double value)
{
    std::string text;
    append_number(text, value);
    return text;
}

/// Compares what does not change in a run; frames are compared only where sizes and names agree.
void compare_models(const RecordedModel& a, const RecordedModel& b, RecordingDifference& result)
{
    const auto remark = [&](const std::string& text) { result.remarks.push_back(text); };
    const bool sizes = a.q_count == b.q_count && a.v_count == b.v_count && a.act_count == b.act_count &&
                       a.kinematic_count == b.kinematic_count && a.actuators == b.actuators &&
                       a.body_count() == b.body_count();
    bool names = sizes;
    for (std::size_t i = 0; names && i < a.bodies.size(); ++i) names = a.bodies[i].name == b.bodies[i].name;
    if (!names)
    {
        result.comparable = result.same = false;
        remark("the models have other bodies or coordinates: '" + a.name + "' and '" + b.name + "'");
        return;
    }
    if (a.fingerprint != b.fingerprint) remark("the models differ in some number or name");
    if (a.solver != b.solver) remark("solvers '" + a.solver + "' and '" + b.solver + "'");
    if (a.solver == b.solver && a.parameters != b.parameters) remark("other parameters of the solver");
    if (a.dt != b.dt) remark("dt " + std::to_string(a.dt) + " s and " + std::to_string(b.dt) + " s");
    if (a.contacts != b.contacts) remark("only one of them holds contacts");
    if (a.library_version != b.library_version)
        remark("versions " + a.library_version + " and " + b.library_version + " of the library");
}

}  // namespace

Result<std::uint64_t> hash(Recording& recording)
{
    Hasher hasher;
    hasher.add(recording.model().fingerprint);
    hasher.add(recording.frame_count());
    for (std::int64_t i = 0; i < recording.frame_count(); ++i)
    {
        const Result<RecordedFrame> frame = recording.frame(i);
        if (!frame.ok()) return frame.errors();
        add(hasher, frame.value());
    }
    return hasher.value();
}

State to_state(const RecordedFrame& frame)
{
    State state;
    state.world_count = 1;
    state.q_count = static_cast<int>(frame.q.size());
    state.v_count = static_cast<int>(frame.v.size());
    state.act_count = static_cast<int>(frame.act.size());
    state.body_count = static_cast<int>(frame.body_pose.size());
    state.time = {frame.time};
    state.step = {frame.step};
    state.q.assign(frame.q.begin(), frame.q.end());
    state.v.assign(frame.v.begin(), frame.v.end());
    state.act.assign(frame.act.begin(), frame.act.end());
    state.body_pose.assign(frame.body_pose.begin(), frame.body_pose.end());
    state.body_velocity.assign(frame.body_velocity.begin(), frame.body_velocity.end());
    return state;
}

Result<RecordingDifference> compare(Recording& first, Recording& second, double tolerance)
{
    RecordingDifference result;
    compare_models(first.model(), second.model(), result);
    if (!result.comparable) return result;
    if (first.frame_count() != second.frame_count())
    {
        result.same = false;
        result.remarks.push_back(std::to_string(first.frame_count()) + " and " + std::to_string(second.frame_count()) +
                                 " frames");
    }
    Comparer comparer(first.model(), tolerance, result);
    result.frames_compared = std::min(first.frame_count(), second.frame_count());
    for (std::int64_t i = 0; i < result.frames_compared; ++i)
    {
        const Result<RecordedFrame> a = first.frame(i);
        if (!a.ok()) return a.errors();
        const Result<RecordedFrame> b = second.frame(i);
        if (!b.ok()) return b.errors();
        comparer.compare(i, a.value(), b.value());
    }
    return result;
}

Result<RecordingDifference> compare_by_time(Recording& first, Recording& second, double tolerance)
{
    RecordingDifference result;
    compare_models(first.model(), second.model(), result);
    if (!result.comparable) return result;
    double ends[2][2] = {};  // [recording][first, last] time
    for (int which = 0; which < 2; ++which)
    {
        Recording& recording = which == 0 ? first : second;
        for (int end = 0; end < 2 && recording.frame_count() > 0; ++end)
        {
            const Result<RecordedFrame> frame = recording.frame(end == 0 ? 0 : recording.frame_count() - 1);
            if (!frame.ok()) return frame.errors();
            ends[which][end] = frame.value().time;
        }
    }
    const double begin = std::max(ends[0][0], ends[1][0]), end = std::min(ends[0][1], ends[1][1]);
    const double same = 1e-9 * std::max(1.0, std::abs(end));  // times are sums of steps, rounded differently
    if (ends[0][0] != ends[1][0] || std::abs(ends[0][1] - ends[1][1]) > same)
        result.remarks.push_back("from " + to_text(ends[0][0]) + " to " + to_text(ends[0][1]) + " s, and from " +
                                 to_text(ends[1][0]) + " to " + to_text(ends[1][1]) + " s: common times are compared");
    Comparer comparer(first.model(), tolerance, result);
    FrameAtTime other(second);
    for (std::int64_t i = 0; second.frame_count() > 0 && i < first.frame_count(); ++i)
    {
        const Result<RecordedFrame> a = first.frame(i);
        if (!a.ok()) return a.errors();
        const double time = a.value().time;
        if (!(time >= begin - same && time <= end + same)) continue;
        const Result<RecordedFrame> b = other.find(time, same);
        if (!b.ok()) return b.errors();
        comparer.compare_motion(i, a.value(), b.value());
        ++result.frames_compared;
    }
    if (result.frames_compared == 0)
    {
        result.same = false;
        result.remarks.emplace_back("no time in common");
    }
    return result;
}

}  // namespace rattleback
