// How far two rigid groups move against each other: what bounds every change of a distance between them.
//
// Distances do not change when both move as one body. So the way counts in the frame of either: there the other's
// centre moves by c' - c, c = R_bᵀ (q_a - q_b), and its vertices beside by at most the chord of the relative turn times
// their radius. In the frame of b the radius of a counts, in that of a the radius of b, in the world's both: the least
// of the three holds.
#pragma once

#include "solvers/ipc/bodies.h"

#include <algorithm>

namespace rattleback::ipc
{

/// Two groups where they are.
struct PairPlaces
{
    const Placement& first;
    const Placement& second;
};

/// |R - 1| of a turn: 2 sin(angle / 2), as twice the vector part of its quaternion.
inline double find_chord(const Quat& turn)
{
    return 2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
}

/// Bounds the way of any vertex of one group against any of the other between two places of both [m].
inline double find_pair_way(const Group& a, const Group& b, const PairPlaces& from, const PairPlaces& to)
{
    const auto find_own = [](const Group& group, const Placement& one, const Placement& other)
    { return group.row < 0 ? 0 : find_chord(other.rotation * conjugate(one.rotation)) * group.radius; };
    const double in_world = norm((to.first.center - from.first.center) - (to.second.center - from.second.center)) +
                            find_own(a, from.first, to.first) + find_own(b, from.second, to.second);
    if (a.row < 0 || b.row < 0) return in_world;
    // The angle of the relative turn is the same in both frames.
    const double chord = find_chord((conjugate(to.second.rotation) * to.first.rotation) *
                                    conjugate(conjugate(from.second.rotation) * from.first.rotation));
    const Vec3 before = from.first.center - from.second.center, after = to.first.center - to.second.center;
    const auto find_shift = [&](const Placement& one, const Placement& other)
    { return norm(transpose_times(other.matrix, after) - transpose_times(one.matrix, before)); };
    return std::min({in_world, find_shift(from.second, to.second) + chord * a.radius,
                     find_shift(from.first, to.first) + chord * b.radius});
}

/// The same along directions, q + t dq and exp(t dphi) R, t from 0 to 1: a bound of the length of the way, so that a
/// part of the directions takes no more than that part of it. With w = dphi_b the centre of a moves in the frame of b
/// at |dq - w x (D + t dq)|, dq = dq_a - dq_b, D = q_a - q_b; and the relative turn has the rate |dphi_a - dphi_b|.
inline double find_pair_motion(const Group& a, const Group& b, const PairPlaces& from, const Vector6& first,
                               const Vector6& second)
{
    const Vec3 shift = Vec3{first[0], first[1], first[2]} - Vec3{second[0], second[1], second[2]};
    const Vec3 turn_a{first[3], first[4], first[5]}, turn_b{second[3], second[4], second[5]};
    const double in_world = norm(shift) + norm(turn_a) * a.radius + norm(turn_b) * b.radius;
    if (a.row < 0 || b.row < 0) return in_world;
    const Vec3 apart = from.first.center - from.second.center;
    const double rate = norm(turn_a - turn_b);
    const auto find_shift = [&](const Vec3& turn)
    { return norm(shift - cross(turn, apart)) + 0.5 * norm(turn) * norm(shift); };
    return std::min({in_world, find_shift(turn_b) + rate * a.radius, find_shift(turn_a) + rate * b.radius});
}

}  // namespace rattleback::ipc
