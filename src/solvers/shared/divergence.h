// Whether the result of a step may be committed: finite numbers, no speed above kMaxSpeed, nothing beyond kMaxDistance.
#pragma once

#include <rattleback/solver.h>

#include <cmath>

namespace rattleback
{

/// False for NaN, infinite and absurd speeds [m/s, rad/s].
inline bool is_sound_speed(double speed) { return std::abs(speed) <= kMaxSpeed; }

/// The same of a coordinate or a distance [m, rad].
inline bool is_sound_distance(double distance) { return std::abs(distance) <= kMaxDistance; }

/// As StepReport takes it: 0 where it is not finite.
inline double to_report_number(double x) { return std::isfinite(x) ? std::abs(x) : 0; }

/// Marks a step as diverged by a body, which would have had this place and velocity.
inline void report_bad_body(int body, const Vec3& position, const Velocity& velocity, StepReport& report)
{
    report.status = StepStatus::diverged;
    report.culprit_body = BodyId{body};
    report.culprit_speed = to_report_number(norm(velocity.linear));
    report.culprit_spin = to_report_number(norm(velocity.angular));
    report.culprit_distance = to_report_number(norm(position));
}

}  // namespace rattleback
