// The motion of a recording at times of our choosing, between its frames too.
#pragma once

#include <rattleback/record.h>

namespace rattleback
{

/// Walks forward through a recording.
class FrameAtTime
{
public:
    explicit FrameAtTime(Recording& recording) : recording_(recording) {}

    /// The frame at `time` [s]: the nearest one within `same` of it, with its own bits, otherwise q, v, body poses and
    /// velocities between its two neighbours: numbers and positions along the line, rotations along the arc between
    /// their quaternions. Times must not fall from call to call, and lie inside the recording. Valid until the next
    /// call.
    Result<RecordedFrame> find(double time, double same);

private:
    Result<double> time_of(std::int64_t index);

    Recording& recording_;
    std::int64_t index_ = 0;  ///< last frame at or before the time
    std::vector<double> q_, v_;
    std::vector<Pose> pose_;
    std::vector<Velocity> velocity_;
};

}  // namespace rattleback
