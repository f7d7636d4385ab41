// Finds the neighbours of a time and mixes them.
#include "record/frame_at_time.h"

#include "base/index.h"

#include <cmath>

namespace rattleback
{

namespace
{

/// Normalised linear interpolation on the shorter arc.
Quat mix(const Quat& a, const Quat& b, double t)
{
    const double s = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -t : t;
    const Quat sum{(1 - t) * a.w + s * b.w, (1 - t) * a.x + s * b.x, (1 - t) * a.y + s * b.y, (1 - t) * a.z + s * b.z};
    return norm(sum) > 0 ? normalized(sum) : a;
}

Vec3 mix(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }

/// Quaternions of free and ball joints, after their numbers were mixed one by one.
void mix_quaternions(const RecordedModel& model, std::span<const double> a, std::span<const double> b, double t,
                     std::span<double> q)
{
    for (const RecordedJoint& joint : model.joints)
    {
        if (joint.type != JointType::free && joint.type != JointType::ball) continue;
        const std::size_t i = at(joint.q_begin + q_count(joint.type) - 4);
        const Quat mixed = mix(Quat{a[i], a[i + 1], a[i + 2], a[i + 3]}, Quat{b[i], b[i + 1], b[i + 2], b[i + 3]}, t);
        q[i] = mixed.w;
        q[i + 1] = mixed.x;
        q[i + 2] = mixed.y;
        q[i + 3] = mixed.z;
    }
}

}  // namespace

Result<double> FrameAtTime::time_of(std::int64_t index)
{
    const Result<RecordedFrame> frame = recording_.frame(index);
    if (!frame.ok()) return frame.errors();
    return frame.value().time;
}

Result<RecordedFrame> FrameAtTime::find(double time, double same)
{
    double before = 0, after = 0;
    while (true)
    {
        const std::int64_t next = std::min(index_ + 1, recording_.frame_count() - 1);
        const Result<double> low = time_of(index_), high = time_of(next);
        if (!low.ok()) return low.errors();
        if (!high.ok()) return high.errors();
        before = low.value();
        after = high.value();
        if (next == index_ || after > time) break;
        index_ = next;
    }
    const bool takes_before = std::abs(time - before) <= same, takes_after = std::abs(after - time) <= same;
    if (takes_before || !(after > before)) return recording_.frame(index_);
    if (takes_after) return recording_.frame(index_ + 1);

    const double t = (time - before) / (after - before);
    const Result<RecordedFrame> first = recording_.frame(index_);
    if (!first.ok()) return first.errors();
    const std::vector<double> q(first.value().q.begin(), first.value().q.end());
    v_.assign(first.value().v.begin(), first.value().v.end());
    pose_.assign(first.value().body_pose.begin(), first.value().body_pose.end());
    velocity_.assign(first.value().body_velocity.begin(), first.value().body_velocity.end());
    const Result<RecordedFrame> second = recording_.frame(index_ + 1);
    if (!second.ok()) return second.errors();
    const RecordedFrame& b = second.value();
    q_ = q;
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += t * (b.q[i] - q_[i]);
    mix_quaternions(recording_.model(), q, b.q, t, q_);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += t * (b.v[i] - v_[i]);
    for (std::size_t i = 0; i < pose_.size(); ++i)
    {
        pose_[i] = {mix(pose_[i].position, b.body_pose[i].position, t),
                    mix(pose_[i].rotation, b.body_pose[i].rotation, t)};
        velocity_[i] = {mix(velocity_[i].linear, b.body_velocity[i].linear, t),
                        mix(velocity_[i].angular, b.body_velocity[i].angular, t)};
    }
    RecordedFrame frame;
    frame.time = time;
    frame.q = q_;
    frame.v = v_;
    frame.body_pose = pose_;
    frame.body_velocity = velocity_;
    return frame;
}

}  // namespace rattleback
