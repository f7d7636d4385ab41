// How far a point of friction has slipped in a step, and how a direction moves the end of an arm.
#pragma once

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/ipc/potential.h"

namespace rattleback::ipc
{

inline bool rolls(const Vec3& roll) { return dot(roll, roll) > 0; }

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
    Vec3 relative = first - second;
    // A round surface touches by ever other points while it rolls, always on the same side of what it is round about:
    // it slips by the arc, turn x roll. (The chord of a material point is shorter by a sixth of the turn's square.)
    const auto find_turn = [&](int g, const Vec3& roll)
    { return rolls(roll) ? find_turn_beyond(bodies[at(g)], placements[at(g)]) : Vec3{}; };
    slip.first_turn = find_turn(grip.first, grip.first_roll);
    slip.second_turn = find_turn(grip.second, grip.second_roll);
    if (rolls(grip.first_roll)) relative += cross(a.turned + slip.first_turn, grip.first_roll);
    if (rolls(grip.second_roll)) relative -= cross(b.turned + slip.second_turn, grip.second_roll);
    slip.along[0] = grip.before[0] + dot(grip.tangent[0], relative);
    slip.along[1] = grip.before[1] + dot(grip.tangent[1], relative);
    slip.length = std::sqrt(slip.along[0] * slip.along[0] + slip.along[1] * slip.along[1]);
    return slip;
}

/// How the slip along a tangent changes with the bodies. A turn e of a body changes its turn since the start by
/// J(turn)^-1 e, the left Jacobian of SO(3), which is transposed by the opposite turn.
inline PairVector find_slide(const Grip& grip, const GripSlip& slip, const Vec3& tangent)
{
    PairVector slide = make_pair_vector(tangent, slip.first_arm, slip.second_arm);
    const auto add = [&](Vector6& v, const Vec3& turn, const Vec3& roll, double sign)
    {
        if (!rolls(roll)) return;
        const Vec3 moment = sign * logarithm_rate(-turn, cross(roll, tangent));
        for (int i = 0; i < 3; ++i) v[at(3 + i)] += moment[i];
    };
    add(slide[0], slip.first_turn, grip.first_roll, 1);
    add(slide[1], slip.second_turn, grip.second_roll, -1);
    return slide;
}

/// By how much a direction rolls the surfaces of a grip against each other.
inline Vec3 find_rolled(const Grip& grip, const GripSlip& slip, const RowPair& rows, std::span<const Vector6> direction)
{
    const auto find = [&](int row, const Vec3& turn, const Vec3& roll)
    {
        if (row < 0 || !rolls(roll)) return Vec3{};
        const Vector6& d = direction[at(row)];
        return cross(logarithm_rate(turn, Vec3{d[3], d[4], d[5]}), roll);
    };
    return find(rows.first, slip.first_turn, grip.first_roll) - find(rows.second, slip.second_turn, grip.second_roll);
}

}  // namespace rattleback::ipc
