// Whether the result of a step may be committed: finite numbers, no speed above kMaxSpeed, nothing beyond kMaxDistance.
#pragma once

#include <rattleback/solver.h>

#include <cmath>
#include <span>

namespace rattleback
{

/// False for NaN, infinite and absurd speeds [m/s, rad/s].
inline bool is_sound_speed(double speed) { return std::abs(speed) <= kMaxSpeed; }

/// The same of a coordinate or a distance [m, rad].
inline bool is_sound_distance(double distance) { return std::abs(distance) <= kMaxDistance; }

/// Whether a body may be where it is: a unit rotation, sound speeds, a sound distance from the origin.
inline bool is_sound_body(const Pose& pose, const Velocity& velocity)
{
    // A norm is not finite when any of its numbers is not, and then every comparison with it fails.
    return std::abs(norm(pose.rotation) - 1) < 1e-6 && is_sound_speed(norm(velocity.linear)) &&
           is_sound_speed(norm(velocity.angular)) && is_sound_distance(norm(pose.position));
}

/// Of activations, which have no unit of their own and no bound.
inline bool are_finite(std::span<const double> numbers)
{
    // Zero times a number is zero unless it is infinite or NaN.
    double sum = 0;
    for (const double x : numbers) sum += 0 * x;
    return sum == 0;
}

/// As StepReport takes it: 0 where it is not finite.
inline double to_report_number(double x) { return std::isfinite(x) ? std::abs(x) : 0; }

/// Marks a step as diverged by a body, which would have had this place and velocity.
inline void report_bad_body(int body, const Vec3& position, const Velocity& velocity, StepReport& report)
{
    // The first culprit is enough: the step is refused as a whole, and the report tells a person where to look.
    report.status = StepStatus::diverged;
    report.culprit_body = BodyId{body};
    report.culprit_speed = to_report_number(norm(velocity.linear));
    report.culprit_spin = to_report_number(norm(velocity.angular));
    report.culprit_distance = to_report_number(norm(position));
}

}  // namespace rattleback
