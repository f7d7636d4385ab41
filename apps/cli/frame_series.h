// FrameSeries: the numbers of a recording that are plotted over time.
#pragma once

#include "view_pack.h"

#include <map>

namespace rattleback::cli
{

/// Collects every frame, and writes a line for those that are kept: what happened since the one before.
class FrameSeries
{
public:
    /// For frames from `begin` on; momentum errors count from the first frame of the recording.
    static Result<FrameSeries> start(Recording& recording, std::int64_t begin);

    void add(const RecordedFrame& frame);
    void keep(const RecordedFrame& frame);
    std::size_t size() const { return time_.size(); }
    /// Arrays [frame]: time [s]; kinetic, potential [J]; linear [kg m/s], angular [kg m^2/s]: momentum errors, NaN from
    /// the first frame on in which something but gravity gave momentum from outside;
    /// penetration [m], the deepest; contacts, iterations, seconds: per step; status: the worst; impact: 1 where bodies
    /// met.
    void write(Pack& pack) const;

private:
    explicit FrameSeries(const RecordedModel& model);
    bool find_impact(const RecordedFrame& frame);
    Vec3 center_of_mass(const RecordedFrame& frame) const;
    /// Angular momentum about the centre of mass.
    Vec3 spin(const RecordedFrame& frame) const;
    /// Does anything but gravity give momentum from outside: contacts with what forces do not move, applied forces?
    bool is_pushed(const RecordedFrame& frame) const;

    const RecordedModel* model_;
    std::vector<int> movable_;      // bodies that forces move
    std::vector<bool> is_movable_;  // [body]
    bool open_world_ = true;        // nothing but gravity gave momentum up to now
    double mass_ = 0;               // of what is movable
    double first_time_ = 0;
    Vec3 first_linear_, first_spin_;
    std::int64_t last_step_ = 0;  // of the frame before

    // since the last kept frame
    StepReport report_;
    double steps_ = 0;
    bool impact_ = false;

    std::int64_t frame_ = 0;
    std::map<std::pair<int, int>, std::int64_t> touched_;  // bodies that touched, and in which frame last
    std::int64_t crowd_frame_ = 0;
    double crowd_ = 0;  // most contacts lately

    std::vector<double> time_, kinetic_, potential_, linear_, angular_, penetration_, contacts_, iterations_, seconds_;
    std::vector<std::uint8_t> status_, impacts_;
};

}  // namespace rattleback::cli
