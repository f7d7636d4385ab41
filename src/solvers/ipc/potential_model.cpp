// The quadratic model of the incremental potential: gradient, and a Hessian of tangents or chords.
#include "base/index.h"
#include "solvers/ipc/grip_slip.h"
#include "solvers/ipc/potential.h"
#include "solvers/ipc/rank_one.h"
#include "solvers/ipc/slip_chord.h"

#include <algorithm>

namespace rattleback::ipc
{

void Potential::add_touch(const Touch& touch, const PairVector& normal, const PairVector& turn,
                          std::span<Vector6> gradient, PairSum& hessian) const
{
    const Jet& barrier = touch.barrier;
    const double stiffness = find_stiffness(touch);
    const RowPair rows{layout_.groups[at(touch.first)].row, layout_.groups[at(touch.second)].row};
    // Gradient k w b' ∇d by the six coordinates of both bodies; Hessian k w b'' ∇d ∇dᵀ, which is positive.
    add_scaled(rows, stiffness * touch.mollifier * barrier.slope, normal, gradient);
    if (touch.mollifier < 1) add_scaled(rows, stiffness * barrier.value, turn, gradient);
    hessian.add(rows, touch.curvature, normal);
}

void Potential::add_grip(const Grip& grip, const GripSlip& slip, std::span<Vector6> gradient, PairSum& hessian) const
{
    const Slip smooth = find_slip(slip.length, grip.limit);
    const RowPair rows{layout_.groups[at(grip.first)].row, layout_.groups[at(grip.second)].row};
    // Along the slip and across it; any two directions where there is none.
    const bool slips = slip.length > 0;
    const double c = slips ? slip.along[0] / slip.length : 1, s = slips ? slip.along[1] / slip.length : 0;
    const Vec3 along = c * grip.tangent[0] + s * grip.tangent[1], across = c * grip.tangent[1] - s * grip.tangent[0];
    const PairVector slide = find_slide(grip, slip, along), aside = find_slide(grip, slip, across);
    // Gradient μ λ f1(|u|) u/|u|; Hessian f1' along the slip and f1/|u| across it, both positive.
    add_scaled(rows, grip.bound * smooth.slope_ratio * slip.length, slide, gradient);
    hessian.add(rows, grip.curvature, slide);
    hessian.add(rows, grip.bound * smooth.slope_ratio, aside);
}

void Potential::set_tangents(std::span<const Body> bodies, std::span<const Placement> placements)
{
    // Curvatures as they are at these placements: b'' of the barrier where positive, f1' of friction ([IPC] Eq. 31).
    joints_.set_tangents(placements);
    const auto set_tangent = [&](Touch& touch)
    {
        const double stiffness = find_stiffness(touch) * touch.mollifier;
        touch.curvature = stiffness * std::max(0.0, touch.barrier.curvature);
        touch.force = -stiffness * touch.barrier.slope;
    };
    for (Touch& touch : touches_)
        if (is_active(touch.first, touch.second)) set_tangent(touch);
    for (WayTouch& way : way_touches_) set_tangent(way.touch);
    slips_.resize(grips_.size());
    for (std::size_t i = 0; i < grips_.size(); ++i)
    {
        Grip& grip = grips_[i];
        if (!is_active(grip.first, grip.second)) continue;
        const GripSlip slip = slips_[i] = find_grip_slip(grip, bodies, placements);
        grip.curvature = grip.bound * find_slip(slip.length, grip.limit).slope;
        grip.is_bent = false;
    }
}

bool Potential::set_chords(std::span<const Placement> placements, std::span<const Vector6> direction)
{
    // A chord replaces a tangent where the direction would change the force by more than its model tells.
    bool is_new = joints_.set_chords(placements, direction);
    const auto set = [&](double chord, double& curvature)
    {
        is_new = is_new || std::abs(chord - curvature) > 0.1 * curvature;
        curvature = chord;
    };
    const auto find_relative = [&](int a, int b, const Vec3& first_arm, const Vec3& second_arm)
    {
        const int first = layout_.groups[at(a)].row, second = layout_.groups[at(b)].row;
        return (first < 0 ? Vec3{} : find_shift(direction[at(first)], first_arm)) -
               (second < 0 ? Vec3{} : find_shift(direction[at(second)], second_arm));
    };
    for (Touch& touch : touches_)
    {
        if (!is_active(touch.first, touch.second)) continue;
        // Barriers: by how much the direction opens or closes the gap.
        const Vec3 relative =
            find_relative(touch.first, touch.second, touch.on_first - placements[at(touch.first)].center,
                          touch.on_second - placements[at(touch.second)].center);
        set(find_chord(touch, touch.slope * dot(touch.normal, relative)), touch.curvature);
    }
    for (WayTouch& way : way_touches_)
    {
        // Contacts on the way move with the end by their own Jacobians.
        const RowPair rows{layout_.groups[at(way.touch.first)].row, layout_.groups[at(way.touch.second)].row};
        set(find_chord(way.touch, find_product(rows, way.normal, direction)), way.touch.curvature);
    }
    for (std::size_t i = 0; i < grips_.size(); ++i)
    {
        Grip& grip = grips_[i];
        if (!is_active(grip.first, grip.second)) continue;
        const GripSlip& slip = slips_[i];
        if (!(slip.length > 0) || !(grip.bound > 0)) continue;
        const RowPair rows{layout_.groups[at(grip.first)].row, layout_.groups[at(grip.second)].row};
        const Vec3 relative = find_relative(grip.first, grip.second, slip.first_arm, slip.second_arm) +
                              find_rolled(grip, slip, rows, direction);
        const double along =
            (slip.along[0] * dot(grip.tangent[0], relative) + slip.along[1] * dot(grip.tangent[1], relative)) /
            slip.length;
        // Only where the slip would lose half of itself or turn round: elsewhere the tangent is right.
        if (!grip.is_bent && along >= -0.5 * slip.length) continue;
        set(find_chord(grip, slip.length, along), grip.curvature);
        grip.is_bent = true;
    }
    return is_new;
}

double Potential::find_chord(Touch& touch, double opening) const
{
    // The model's force where the direction leads, and the distance at which the barrier has it.
    const double stiffness = find_stiffness(touch) * touch.mollifier;
    const double force = -stiffness * touch.barrier.slope;
    const double next = force - touch.curvature * opening;
    touch.force = std::max(0.0, next);
    // Less than half of a thousandth of the gap by the tangent: less than a thousandth by the barrier.
    if (std::abs(next - force) < 5e-4 * stiffness * touch.barrier.curvature * (touch.distance - separation_))
        return touch.curvature;
    const double distance = find_barrier_distance(next / stiffness, reach_, separation_, touch.distance, touch.barrier);
    if (std::abs(distance - touch.distance) < 1e-3 * (touch.distance - separation_)) return touch.curvature;
    const double chord = (std::max(0.0, next) - force) / (touch.distance - distance);
    // The distance is known to a thousandth of the force: where that hardly changes, the two may differ in sign.
    return chord > 0 ? chord : touch.curvature;
}

double Potential::find_chord(const Grip& grip, double slip, double along) const
{
    return find_slip_chord(grip.bound, grip.limit, slip, along, grip.curvature, grip.is_bent);
}

double Potential::find_signed_distance(const Touch& touch, std::span<const Placement> placements,
                                       std::span<const Placement> trial) const
{
    const Placement &a = placements[at(touch.first)], &b = placements[at(touch.second)];
    const Placement &to_a = trial[at(touch.first)], &to_b = trial[at(touch.second)];
    const auto carry = [](const Placement& from, const Placement& to, const Vec3& v)
    { return to.matrix * transpose_times(from.matrix, v); };
    const Vec3 between = to_a.place(transpose_times(a.matrix, touch.first_place() - a.center)) -
                         to_b.place(transpose_times(b.matrix, touch.second_place() - b.center));
    // Round surfaces are that much nearer, whichever way they roll.
    const double round = touch.first_round + touch.second_round;
    const CandidateSet& set = candidates_.sets()[at(touch.set)];
    const Candidate& candidate = candidates_.candidates(set)[at(touch.candidate)];
    // The normal goes with whoever has the face. Balls and wires have none that would turn when they roll: distances
    // of points, and of a point and a line.
    if (candidate.kind == PairKind::face_vertex) return dot(carry(a, to_a, touch.normal), between) - round;
    if (candidate.kind == PairKind::vertex_vertex) return norm(between) - round;
    if (candidate.kind == PairKind::edge_vertex || candidate.kind == PairKind::vertex_edge)
    {
        const bool is_first = candidate.kind == PairKind::edge_vertex;
        const Simplex edge =
            is_first ? candidates_.first_simplex(set, candidate) : candidates_.second_simplex(set, candidate);
        const Vec3 line = (is_first ? to_a : to_b).matrix * (edge.corner[1] - edge.corner[0]);
        return norm(cross(line, between)) / norm(line) - round;
    }
    if (candidate.kind == PairKind::edge_edge)
    {
        // Of two lines: across both, where that is how they touch.
        const Simplex first = candidates_.first_simplex(set, candidate),
                      second = candidates_.second_simplex(set, candidate);
        const Vec3 u = first.corner[1] - first.corner[0], v = second.corner[1] - second.corner[0];
        const Vec3 here = cross(a.matrix * u, b.matrix * v), there = cross(to_a.matrix * u, to_b.matrix * v);
        const double along = dot(here, touch.normal), size = norm(there);
        if (std::abs(along) > 0.99 * norm(here) && size > 0.1 * norm(u) * norm(v))
            return (along > 0 ? 1 : -1) / size * dot(there, between) - round;
    }
    return dot(carry(b, to_b, touch.normal), between) - round;
}

bool Potential::add_bend(std::span<const Placement> placements, std::span<const Placement> trial,
                         std::span<const Vector6> direction, std::span<Vector6> force) const
{
    // Less than this part of its gap is what tangents and the line search are good for.
    constexpr double kPart = 0.25;
    bool is_bent = false;
    for (const Touch& touch : touches_)
    {
        if (!is_active(touch.first, touch.second)) continue;
        const RowPair rows{layout_.groups[at(touch.first)].row, layout_.groups[at(touch.second)].row};
        const PairVector normal = find_normal(touch, placements);
        const double bend =
            find_signed_distance(touch, placements, trial) - touch.distance - find_product(rows, normal, direction);
        if (!(bend < -kPart * (touch.distance - separation_))) continue;
        add_scaled(rows, touch.curvature * bend, normal, force);
        is_bent = true;
    }
    return is_bent;
}

void Potential::add_pairs(std::span<const Placement> placements, std::span<Vector6> gradient,
                          BlockCholesky& hessian) const
{
    PairSum sum(hessian);
    for (const Touch& touch : touches_)
    {
        if (is_active(touch.first, touch.second))
            add_touch(touch, find_normal(touch, placements), find_turn(touch), gradient, sum);
    }
    for (const WayTouch& way : way_touches_) add_touch(way.touch, way.normal, way.turn, gradient, sum);
    for (std::size_t i = 0; i < grips_.size(); ++i)
    {
        if (is_active(grips_[i].first, grips_[i].second)) add_grip(grips_[i], slips_[i], gradient, sum);
    }
}

void Potential::assemble(std::span<const Body> bodies, std::span<const Placement> placements,
                         std::span<Vector6> gradient, BlockCholesky& hessian, bool is_exact)
{
    // Which blocks the Hessian has; the order of elimination is found anew only where they changed.
    pairs_.clear();
    const auto note = [&](int first, int second)
    {
        const std::pair<int, int> rows{layout_.groups[at(first)].row, layout_.groups[at(second)].row};
        if (rows.first >= 0 && rows.second >= 0 && (pairs_.empty() || pairs_.back() != rows)) pairs_.push_back(rows);
    };
    for (const Touch& touch : touches_) note(touch.first, touch.second);
    for (const WayTouch& way : way_touches_) note(way.touch.first, way.touch.second);
    for (const Grip& grip : grips_) note(grip.first, grip.second);
    joints_.note_pairs(note);
    if (hessian.holds(layout_.row_count, pairs_))
        hessian.set_zero();
    else
        hessian.analyse(layout_.row_count, pairs_);
    // Inertia (Eqs. 9 and 11), then barriers, friction and joints.
    std::fill(gradient.begin(), gradient.end(), Vector6{});
    for (std::size_t g = 0; g < bodies.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row >= 0)
            add_inertia(layout_.groups[g], bodies[g], placements[g], gradient[at(row)], hessian.diagonal(row));
    }
    add_pairs(placements, gradient, hessian);
    joints_.assemble(placements, is_exact, gradient, hessian);
    for (std::size_t g = 0; g < bodies.size(); ++g)
        if (layout_.groups[g].row >= 0 && is_active_[g] == 0) gradient[at(layout_.groups[g].row)] = {};
}

}  // namespace rattleback::ipc
