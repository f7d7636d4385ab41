// Goes through a recording frame by frame: who comes near whom, and whether they meet.
#include "lab/certify/audit.h"

#include <rattleback/query.h>

#include "base/index.h"
#include "base/shared_tasks.h"
#include "lab/certify/path_check.h"
#include "math/finite.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <map>

namespace rattleback::lab
{

namespace
{

constexpr double kSlight = 1e-4, kVisible = 1e-2;  // of the size

OverlapClass classify(double depth, double size)
{
    if (depth < kSlight * size) return OverlapClass::slight;
    return depth < kVisible * size ? OverlapClass::visible : OverlapClass::tunnelled;
}

/// MuJoCo's rules about bodies, which a recording's tree is enough for: nothing between two that no joint moves against
/// each other, nothing between a parent and its child, but for children of the world.
class BodyRules
{
public:
    explicit BodyRules(const RecordedModel& model)
        : model_(model), root_(model.bodies.size()), moves_(model.bodies.size())
    {
        std::vector<char> jointed(model.bodies.size(), 0);
        for (const RecordedJoint& joint : model.joints) jointed[at(joint.body)] = 1;
        for (std::size_t i = 0; i < root_.size(); ++i)
        {
            const int parent = model.bodies[i].parent;
            const bool own = parent < 0 || jointed[i] != 0 || model.bodies[i].kind == BodyKind::kinematic;
            root_[i] = own ? static_cast<int>(i) : root_[at(parent)];
            moves_[i] = jointed[i] != 0 || (parent >= 0 && moves_[at(parent)]);
        }
    }

    bool may_collide(int first, int second) const
    {
        const int a = root_[at(first)], b = root_[at(second)];
        if (a == b || (!moves_[at(first)] && !moves_[at(second)])) return false;
        return !(is_child(a, b) || is_child(b, a));
    }

private:
    bool is_child(int child, int parent) const
    {
        const int above = model_.bodies[at(child)].parent;
        return parent != 0 && above >= 0 && root_[at(above)] == parent;
    }

    const RecordedModel& model_;
    std::vector<int> root_;
    std::vector<bool> moves_;
};

class Auditor
{
public:
    Auditor(Recording& recording, const AuditOptions& options)
        : recording_(recording),
          model_(recording.model()),
          options_(options),
          rules_(model_),
          pool_(options.threads),
          tasks_(pool_.worker_count())
    {
        for (std::size_t i = 0; i < model_.shapes.size(); ++i)
        {
            complexes_.push_back(make_complex(model_, static_cast<int>(i)));
            report_.tessellation_error = std::max(report_.tessellation_error, complexes_.back().error);
        }
    }

    Result<AuditReport> run()
    {
        std::int64_t step = 0;
        for (std::int64_t i = 0; i < recording_.frame_count(); ++i)
        {
            const Result<RecordedFrame> frame = recording_.frame(i);
            if (!frame.ok()) return frame.errors();
            if (i > 0 && !options_.states_only && frame->step > step + 1)
                return Error{ErrorCode::invalid_value, "frame " + std::to_string(i),
                             "comes " + std::to_string(frame->step - step) +
                                 " steps after the one before: the way between them is not known",
                             "record every step (--stride 1), or look at states only"};
            step = frame->step;
            // What is nowhere would be far from everything.
            const auto odd = std::find_if_not(frame->body_pose.begin(), frame->body_pose.end(),
                                              [](const Pose& p) { return is_finite(p); });
            if (odd != frame->body_pose.end() || !std::isfinite(frame->time))
            {
                const auto body = static_cast<std::size_t>(odd - frame->body_pose.begin());
                return Error{ErrorCode::invalid_value, "frame " + std::to_string(i),
                             odd == frame->body_pose.end()
                                 ? "its time is no number"
                                 : "the pose of body '" + model_.bodies[body].name + "' is no number",
                             ""};
            }
            before_.swap(now_);
            now_.assign(frame->body_pose.begin(), frame->body_pose.end());
            time_before_ = time_;
            time_ = frame->time;
            // The first frame has no way to it; it is a state whatever was asked for.
            if (i == 0 || options_.states_only) before_ = now_;
            look_at_step(i == 0 || options_.states_only);
            ++report_.frames;
        }
        std::stable_sort(report_.findings.begin(), report_.findings.end(),
                         [](const AuditFinding& a, const AuditFinding& b) { return a.first_time < b.first_time; });
        return std::move(report_);
    }

private:
    struct Near
    {
        Aabb box;
        int shape = -1;
    };

    bool may_collide(int a, int b) const
    {
        if (options_.model != nullptr) return rattleback::may_collide(*options_.model, ShapeId{a}, ShapeId{b});
        return rules_.may_collide(model_.shapes[at(a)].body, model_.shapes[at(b)].body);
    }

    /// Two shapes that come near each other in a step, the smaller number first, and what became of them.
    struct Meeting
    {
        int first = -1, second = -1;
        bool intersecting = false;  ///< at the end
        PathCheck way;              ///< of a state: `meeting` and `deepest` alone
        double distance = 0;        ///< proven along the way [m]
    };

    void look_at_step(bool state)
    {
        tracks_.clear();
        for (std::size_t body = 0; body < model_.bodies.size(); ++body)
            tracks_.emplace_back(make_path(before_[body], now_[body], model_.bodies[body].center));
        find_meetings();
        tasks_.run(pool_, static_cast<int>(meetings_.size()),
                   [&](int task, int) { look_at(meetings_[at(task)], state); });
        for (const Meeting& meeting : meetings_)
        {
            add(meeting);
            if (options_.distances && !state && meeting.way.apart)
                report_.distances.push_back({report_.frames - 1, meeting.first, meeting.second, meeting.distance});
        }
    }

    /// Balls about the centres of mass, swept: sorted along x, only neighbours are compared.
    void find_meetings()
    {
        meetings_.clear();
        boxes_.clear();
        planes_.clear();
        for (int i = 0; i < static_cast<int>(complexes_.size()); ++i)
        {
            const Complex& complex = complexes_[at(i)];
            const RigidPath& path = tracks_[at(model_.shapes[at(i)].body)].path();
            const Vec3 end = path.center + path.motion;
            if (complex.plane)
                planes_.push_back(i);
            else if (!complex.elements.empty())
                boxes_.push_back({inflate(merge({path.center, path.center}, {end, end}), complex.reach), i});
        }
        std::stable_sort(boxes_.begin(), boxes_.end(),
                         [](const Near& a, const Near& b) { return a.box.lower.x < b.box.lower.x; });
        for (std::size_t i = 0; i < boxes_.size(); ++i)
        {
            for (const int plane : planes_) add_meeting(plane, boxes_[i].shape);
            for (std::size_t j = i + 1; j < boxes_.size() && boxes_[j].box.lower.x <= boxes_[i].box.upper.x; ++j)
            {
                if (overlaps(boxes_[i].box, boxes_[j].box)) add_meeting(boxes_[i].shape, boxes_[j].shape);
            }
        }
    }

    void add_meeting(int first, int second)
    {
        const auto [a, b] = std::minmax(first, second);
        if (may_collide(a, b)) meetings_.push_back({.first = a, .second = b});
    }

    /// Touches nothing but the meeting: several are looked at side by side.
    void look_at(Meeting& meeting, bool state) const
    {
        const Traveller one = make_traveller(meeting.first), two = make_traveller(meeting.second);
        if (state)
        {
            const Overlap overlap = find_overlap(*one.complex, one.at(0), *two.complex, two.at(0), true);
            meeting.intersecting = overlap.intersects;
            meeting.way.apart = !overlap.intersects;
            meeting.way.deepest = overlap.depth;
            if (overlap.intersects) meeting.way.meeting = meeting.way.deepest_at = 1;
            return;
        }
        const auto before = intersecting_.find({meeting.first, meeting.second});
        meeting.way = check_path(one, two, before != intersecting_.end() && before->second);
        if (options_.distances && meeting.way.apart) meeting.distance = prove_distance(one, two);
        meeting.intersecting = meeting.way.meeting >= 0 &&
                               find_overlap(*one.complex, one.at(1), *two.complex, two.at(1), false).intersects;
    }

    Traveller make_traveller(int shape) const
    {
        return {&complexes_[at(shape)], tracks_[at(model_.shapes[at(shape)].body)]};
    }

    void add(const Meeting& meeting)
    {
        const PathCheck& way = meeting.way;
        ++report_.pairs;
        report_.queries += way.queries;
        intersecting_[{meeting.first, meeting.second}] = meeting.intersecting;
        const auto time_at = [&](double t) { return (1 - t) * time_before_ + t * time_; };
        if (way.meeting >= 0)
            note(meeting.first, meeting.second, time_at(way.meeting), way.deepest, time_at(way.deepest_at));
        else if (!way.apart && report_.undecided++ == 0)
            report_.doubt = {meeting.first, meeting.second, time_at(way.proven)};
    }

    void note(int a, int b, double time, double depth, double depth_time)
    {
        const auto [entry, is_new] = index_.try_emplace({a, b}, report_.findings.size());
        if (is_new)
        {
            const Complex &one = complexes_[at(a)], &two = complexes_[at(b)];
            const double size = one.plane ? two.size : two.plane ? one.size : std::min(one.size, two.size);
            report_.findings.push_back({.first_shape = a, .second_shape = b, .first_time = time, .size = size});
        }
        AuditFinding& finding = report_.findings[entry->second];
        if (is_new || depth > finding.deepest) finding.deepest_time = depth_time;
        finding.deepest = std::max(finding.deepest, depth);
        finding.kind = classify(finding.deepest, finding.size);
    }

    Recording& recording_;
    const RecordedModel& model_;
    const AuditOptions& options_;
    BodyRules rules_;
    AuditReport report_;
    std::vector<Complex> complexes_;  ///< by shape
    std::vector<RigidTrack> tracks_;  ///< by body, through this step
    std::vector<Pose> before_, now_;
    double time_before_ = 0, time_ = 0;
    std::vector<Near> boxes_;
    std::vector<int> planes_;
    std::vector<Meeting> meetings_;  ///< of this step
    ThreadPool pool_;
    SharedTasks tasks_;
    std::map<std::pair<int, int>, std::size_t> index_;  ///< of findings
    std::map<std::pair<int, int>, bool> intersecting_;  ///< at the end of the step before
};

}  // namespace

const char* to_string(OverlapClass kind)
{
    constexpr std::array<const char*, 4> kWords{"none", "below 1e-4", "below 1e-2", "tunnelled"};
    return kWords[static_cast<std::size_t>(kind)];
}

OverlapClass AuditReport::worst() const
{
    OverlapClass kind = OverlapClass::none;
    for (const AuditFinding& finding : findings) kind = std::max(kind, finding.kind);
    return kind;
}

const ProvenDistance* AuditReport::least_distance() const
{
    const auto least = std::min_element(distances.begin(), distances.end(),
                                        [](const auto& a, const auto& b) { return a.distance < b.distance; });
    return least == distances.end() ? nullptr : &*least;
}

std::vector<std::pair<int, int>> list_pairs(const RecordedModel& model, const AuditOptions& options)
{
    const BodyRules rules(model);
    std::vector<std::pair<int, int>> pairs;
    const int count = static_cast<int>(model.shapes.size());
    for (int a = 0; a < count; ++a)
    {
        for (int b = a + 1; b < count; ++b)
        {
            const bool collide = options.model != nullptr
                                     ? rattleback::may_collide(*options.model, ShapeId{a}, ShapeId{b})
                                     : rules.may_collide(model.shapes[at(a)].body, model.shapes[at(b)].body);
            if (collide) pairs.emplace_back(a, b);
        }
    }
    return pairs;
}

Result<AuditReport> audit(Recording& recording, const AuditOptions& options)
{
    if (options.model != nullptr && options.model->shape_count() != static_cast<int>(recording.model().shapes.size()))
        return Error{ErrorCode::invalid_value, "model", "has other shapes than the recording", ""};
    return Auditor(recording, options).run();
}

}  // namespace rattleback::lab
