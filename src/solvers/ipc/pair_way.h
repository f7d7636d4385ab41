// How far two rigid groups move against each other: what bounds every change of a distance between them.
//
// Distances do not change when both move as one body, so the way counts in the frame of the second group. There a point
// x of the first moves by no more than a pivot p of it does, and the chord of the relative turn times |x - p| beside: a
// lever about a pin moves little near the pin, however long it is.
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

/// The same, kept.
struct PairPose
{
    Placement first, second;

    PairPlaces places() const { return {first, second}; }
};

/// Bounds the way of a point of the first group, at `arm` from the pivot, against any of the second: shift + turn arm,
/// and for all of them `most`.
struct PairMove
{
    double shift = 0, turn = 0, most = 0;

    double find(double arm) const { return shift + turn * arm; }
    double bound(double arm) const { return std::min(find(arm), most); }
};

/// |R - 1| of a turn: 2 sin(angle / 2), as twice the vector part of its quaternion.
inline double find_chord(const Quat& turn)
{
    return 2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
}

/// The way between two places of both. `pivot`: from the centre of the first, in its axes.
inline PairMove find_pair_way(const Group& a, const Group& b, const Vec3& pivot, const PairPlaces& from,
                              const PairPlaces& to)
{
    // In the world both turn by themselves, and each moves its own vertices.
    const auto find_own = [](const Group& group, const Placement& one, const Placement& other)
    { return group.row < 0 ? 0 : find_chord(other.rotation * conjugate(one.rotation)) * group.radius; };
    PairMove way;
    way.most = norm((to.first.center - from.first.center) - (to.second.center - from.second.center)) +
               find_own(a, from.first, to.first) + find_own(b, from.second, to.second);
    way.turn = find_chord((conjugate(to.second.rotation) * to.first.rotation) *
                          conjugate(conjugate(from.second.rotation) * from.first.rotation));
    const auto find_pivot = [&](const PairPlaces& at_places)
    { return transpose_times(at_places.second.matrix, at_places.first.place(pivot) - at_places.second.center); };
    way.shift = norm(find_pivot(to) - find_pivot(from));
    return way;
}

/// The same along directions, q + t dq and exp(t dphi) R, t from 0 to 1: a bound of the length of the way, so that a
/// part of the directions takes no more than that part of it. With D = q_a - q_b, P the pivot from q_a, dq = dq_a -
/// dq_b and w = dphi_a - dphi_b it has in the frame of b the speed |W(t)|, W(t) = dq - dphi_b x (D + t dq) + w x P(t),
/// which changes from W(0) by no more than t (|dphi_b| |dq| + |w| |dphi_a| |P|).
inline PairMove find_pair_motion(const Group& a, const Group& b, const Vec3& pivot, const PairPlaces& from,
                                 const Vector6& first, const Vector6& second)
{
    const Vec3 shift = Vec3{first[0], first[1], first[2]} - Vec3{second[0], second[1], second[2]};
    const Vec3 turn_a{first[3], first[4], first[5]}, turn_b{second[3], second[4], second[5]}, spin = turn_a - turn_b;
    const Vec3 arm = from.first.matrix * pivot;
    const double most = norm(shift) + norm(turn_a) * a.radius + norm(turn_b) * b.radius, rate = norm(spin);
    const Vec3 start = shift - cross(turn_b, from.first.center - from.second.center) + cross(spin, arm);
    const double bend = 0.5 * (norm(turn_b) * norm(shift) + rate * norm(turn_a) * norm(arm));
    return {norm(start) + bend, rate, most};
}

/// A pivot about which the two move little where they meet, near `middle` (world): there, a centre, or the point of the
/// axis of their relative motion that is nearest to it. None far away: there shift and turn times arm cancel, and
/// rounding leaves nothing of a bound.
inline Vec3 find_pivot(const Group& a, const Group& b, const PairPlaces& from, const Vector6& first,
                       const Vector6& second, const Vec3& middle)
{
    const Vec3 shift = Vec3{first[0], first[1], first[2]} - Vec3{second[0], second[1], second[2]};
    const Vec3 turn_b{second[3], second[4], second[5]}, spin = Vec3{first[3], first[4], first[5]} - turn_b;
    // The field of relative velocities in the middle: V + w x (y - q_a).
    const Vec3 there =
        shift - cross(turn_b, from.first.center - from.second.center) + cross(spin, middle - from.first.center);
    const double square = dot(spin, spin);
    const Vec3 axis = square > 0 ? middle + (1 / square) * cross(spin, there) : middle;
    const double farthest = 10 * (a.radius + b.radius + a.round + b.round);
    Vec3 best;
    double least = HUGE_VAL;
    for (const Vec3& place : {from.first.center, from.second.center, middle, axis})
    {
        if (!(norm(place - middle) <= farthest)) continue;
        const Vec3 pivot = transpose_times(from.first.matrix, place - from.first.center);
        const double way = find_pair_motion(a, b, pivot, from, first, second).find(norm(place - middle));
        if (!(way < least)) continue;
        least = way;
        best = pivot;
    }
    return best;
}

}  // namespace rattleback::ipc
