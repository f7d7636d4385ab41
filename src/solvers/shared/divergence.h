// Whether the result of a step may be committed: finite numbers, and no speed above kMaxSpeed.
#pragma once

#include "base/index.h"

#include <rattleback/solver.h>

#include <cmath>

namespace rattleback
{

/// False for NaN, infinite and absurd speeds [m/s, rad/s].
inline bool is_sound_speed(double speed) { return std::abs(speed) <= kMaxSpeed; }

/// As StepReport takes it: 0 where it is no number.
inline double to_report_speed(double speed) { return std::isfinite(speed) ? std::abs(speed) : 0; }

/// Marks a step as diverged by a dof, which would have had this velocity.
inline void report_bad_dof(const Model& model, int dof, double velocity, StepReport& report)
{
    report.status = StepStatus::diverged;
    report.culprit = dof;
    if (dof >= model.v_count()) return;  // an activation, in a model that nothing moves
    const int joint = model.dofs.joint[at(dof)];
    const JointType type = model.joints.type[at(joint)];
    const bool slides =
        type == JointType::slide || (type == JointType::free && dof < model.joints.v_begin[at(joint)] + 3);
    (slides ? report.culprit_speed : report.culprit_spin) = to_report_speed(velocity);
}

/// The same by a body.
inline void report_bad_body(int body, const Velocity& velocity, StepReport& report)
{
    report.status = StepStatus::diverged;
    report.culprit = body;
    report.culprit_speed = to_report_speed(norm(velocity.linear));
    report.culprit_spin = to_report_speed(norm(velocity.angular));
}

}  // namespace rattleback
