// FrameSeries: momentum errors, impacts, and reports merged over the steps since the last kept frame.
#include "frame_series.h"
#include "lab/base.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rattleback::cli
{

namespace
{

constexpr std::int64_t kForget = 10;  // frames apart after which two bodies that touch have met anew

/// Does a force move the body: is it, or something that carries it, dynamic?
bool is_movable(const RecordedModel& model, int body)
{
    for (int b = body; b > 0; b = model.bodies[at(b)].parent)
    {
        if (model.bodies[at(b)].kind == BodyKind::dynamic) return true;
    }
    return false;
}

double total_seconds(const StepReport& report)
{
    return std::accumulate(report.seconds.begin(), report.seconds.end(), 0.0);
}

}  // namespace

FrameSeries::FrameSeries(const RecordedModel& model) : model_(&model), is_movable_(at(model.body_count()))
{
    for (int b = 1; b < model.body_count(); ++b)
    {
        if (!is_movable(model, b)) continue;
        is_movable_[at(b)] = true;
        movable_.push_back(b);
        mass_ += model.bodies[at(b)].mass;
    }
    // A joint with something that forces do not move is an anchor, unless it leaves all directions free.
    for (const RecordedJoint& joint : model.joints)
    {
        const int parent = model.bodies[at(joint.body)].parent;
        if (is_movable_[at(joint.body)] && joint.type != JointType::free && (parent < 0 || !is_movable_[at(parent)]))
            open_world_ = false;
    }
}

bool FrameSeries::is_pushed(const RecordedFrame& frame) const
{
    const auto acts = [](const auto& list, const auto& zero)
    { return std::any_of(list.begin(), list.end(), [&](const auto& value) { return !(value == zero); }); };
    if (acts(frame.control.body_wrench, Wrench{})) return true;
    for (const RecordedJoint& joint : model_->joints)  // forces on other joints act between bodies
    {
        if (joint.type != JointType::free || frame.control.joint_force.empty()) continue;
        if (acts(frame.control.joint_force.subspan(at(joint.v_begin), 6), 0.0)) return true;
    }
    if (!model_->contacts) return frame.report.contact_count > 0;  // perhaps with the floor
    return std::any_of(frame.contacts.begin(), frame.contacts.end(),
                       [&](const RecordedContact& contact)
                       {
                           const auto moves = [&](int body) { return body > 0 && is_movable_[at(body)]; };
                           const bool both = moves(contact.first_body) && moves(contact.second_body);
                           return !both && (contact.distance <= 0 || norm(contact.force.force) > 0);
                       });
}

Result<FrameSeries> FrameSeries::start(Recording& recording, std::int64_t begin)
{
    FrameSeries series(recording.model());
    if (recording.frame_count() == 0) return series;
    const Result<RecordedFrame> first = recording.frame(0);
    if (!first.ok()) return first.errors();
    series.first_time_ = first.value().time;
    series.first_linear_ = first.value().momentum.linear;
    series.first_spin_ = series.spin(first.value());
    series.last_step_ = first.value().step;
    if (begin > 0)
    {
        const Result<RecordedFrame> before = recording.frame(begin - 1);
        if (!before.ok()) return before.errors();
        series.last_step_ = before.value().step;
        series.find_impact(before.value());  // whoever touched then has not met anew
    }
    return series;
}

Vec3 FrameSeries::center_of_mass(const RecordedFrame& frame) const
{
    Vec3 sum;
    for (const int b : movable_)
    {
        const RecordedBody& body = model_->bodies[at(b)];
        const Pose& pose = frame.body_pose[at(b)];
        sum = sum + body.mass * (pose.position + rotate(pose.rotation, body.center));
    }
    return mass_ > 0 ? 1 / mass_ * sum : sum;
}

Vec3 FrameSeries::spin(const RecordedFrame& frame) const
{
    return frame.momentum.angular - cross(center_of_mass(frame), frame.momentum.linear);
}

bool FrameSeries::find_impact(const RecordedFrame& frame)
{
    ++frame_;
    bool met = false;
    if (model_->contacts)
    {
        for (const RecordedContact& contact : frame.contacts)
        {
            if (contact.distance > 0 && norm(contact.force.force) == 0) continue;
            const auto [place, added] = touched_.try_emplace({contact.first_body, contact.second_body}, frame_);
            met = met || added || frame_ - place->second > kForget;
            place->second = frame_;
        }
        return met;
    }
    // Without the contacts themselves: more of them than lately.
    const auto count = static_cast<double>(frame.report.contact_count);
    if (frame_ - crowd_frame_ > kForget) crowd_ = 0;
    met = count > crowd_;
    if (count < crowd_) return met;
    crowd_ = count;
    crowd_frame_ = frame_;
    return met;
}

void FrameSeries::add(const RecordedFrame& frame)
{
    report_ = merge(report_, frame.report);
    steps_ += static_cast<double>(std::max<std::int64_t>(0, frame.step - last_step_));
    last_step_ = frame.step;
    impact_ = find_impact(frame) || impact_;
    open_world_ = open_world_ && !is_pushed(frame);
}

void FrameSeries::keep(const RecordedFrame& frame)
{
    const double steps = std::max(1.0, steps_);
    time_.push_back(frame.time);
    kinetic_.push_back(frame.energy.kinetic);
    potential_.push_back(frame.energy.potential);
    // Gravity gives M g t, and no angular momentum about the centre of mass.
    const Vec3 given = mass_ * (frame.time - first_time_) * model_->gravity;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    linear_.push_back(open_world_ ? norm(frame.momentum.linear - first_linear_ - given) : kNone);
    angular_.push_back(open_world_ ? norm(spin(frame) - first_spin_) : kNone);
    penetration_.push_back(report_.deepest_penetration);
    contacts_.push_back(report_.contact_count / steps);
    iterations_.push_back(report_.iterations / steps);
    seconds_.push_back(total_seconds(report_) / steps);
    status_.push_back(static_cast<std::uint8_t>(report_.status));
    impacts_.push_back(impact_ ? 1 : 0);
    report_ = {};
    steps_ = 0;
    impact_ = false;
}

void FrameSeries::write(Pack& pack) const
{
    pack.add("time", time_);
    pack.add("kinetic", kinetic_);
    pack.add("potential", potential_);
    pack.add("linear", linear_);
    pack.add("angular", angular_);
    pack.add("penetration", penetration_);
    pack.add("contacts", contacts_);
    pack.add("iterations", iterations_);
    pack.add("seconds", seconds_);
    pack.add("status", status_);
    pack.add("impact", impacts_);
}

}  // namespace rattleback::cli
