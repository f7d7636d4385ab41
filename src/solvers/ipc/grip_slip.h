// How far a point of friction has slipped in a step, and how a direction moves the end of an arm.
#pragma once

#include "base/index.h"
#include "solvers/ipc/potential.h"

namespace rattleback::ipc
{

/// The slip of a grip since the start of the step, in its plane.
struct GripSlip
{
    double along[2];
    double length = 0;
    Vec3 first_arm, second_arm;  ///< from the centres to the points, world, now
};

/// How a direction moves the point at the end of an arm.
inline Vec3 find_shift(const Vector6& d, const Vec3& arm)
{
    return Vec3{d[0], d[1], d[2]} + cross(Vec3{d[3], d[4], d[5]}, arm);
}

inline GripSlip find_grip_slip(const Grip& grip, std::span<const Body> bodies, std::span<const Placement> placements)
{
    GripSlip slip;
    const Body &a = bodies[at(grip.first)], &b = bodies[at(grip.second)];
    // Both material points as they were lagged, carried along by their bodies.
    slip.first_arm = placements[at(grip.first)].matrix * grip.on_first;
    slip.second_arm = placements[at(grip.second)].matrix * grip.on_second;
    const Vec3 first = placements[at(grip.first)].center + slip.first_arm - a.start.place(grip.on_first);
    const Vec3 second = placements[at(grip.second)].center + slip.second_arm - b.start.place(grip.on_second);
    // u = Tᵀ (dx_a - dx_b) ([IPC] section 5).
    const Vec3 relative = first - second;
    slip.along[0] = dot(grip.tangent[0], relative);
    slip.along[1] = dot(grip.tangent[1], relative);
    slip.length = std::sqrt(slip.along[0] * slip.along[0] + slip.along[1] * slip.along[1]);
    return slip;
}

}  // namespace rattleback::ipc
