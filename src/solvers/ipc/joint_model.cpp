// The quadratic model of joints: gradient, Hessian, chords of friction, and what the rows bend along a step.
#include "base/index.h"
#include "math/elementary.h"
#include "solvers/ipc/joints.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// A gradient over the groups of two measures, each group once.
struct WideGradient
{
    std::array<int, 4> row{};
    std::array<Vector6, 4> part{};
    int count = 0;

    void add(const RowPair& rows, double scale, const PairVector& v)
    {
        const std::array<int, 2> both{rows.first, rows.second};
        for (std::size_t side = 0; side < 2; ++side)
        {
            if (both[side] < 0) continue;
            int k = 0;
            while (k < count && row[at(k)] != both[side]) ++k;
            if (k == count) part[at(count)] = {}, row[at(count++)] = both[side];
            for (std::size_t i = 0; i < 6; ++i) part[at(k)][i] += scale * v[side][i];
        }
    }
};

double find_rate(const RowPair& rows, const PairVector& v, std::span<const Vector6> direction)
{
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
    {
        if (rows.first >= 0) sum += v[0][i] * direction[at(rows.first)][i];
        if (rows.second >= 0) sum += v[1][i] * direction[at(rows.second)][i];
    }
    return sum;
}

}  // namespace

void Joints::assemble(std::span<const Placement> placements, bool is_exact, std::span<Vector6> gradient,
                      BlockCholesky& hessian) const
{
    if (!is_on_) return;
    // An energy W of a measure: gradient W' ∇c, Hessian W'' ∇c ∇cᵀ + W' ∇²c. The second term may be negative.
    const auto add = [&](const Measure& m, const PairVector& g, double slope, double curvature)
    {
        const RowPair rows = rows_of(m.first, m.second);
        add_scaled(rows, slope, g, gradient);
        add_rank_one(rows, curvature, g, hessian);
        if (is_exact && slope != 0)
            add_pair_hessian(rows, slope, find_measure_hessian(m, placements[at(m.first)], placements[at(m.second)]),
                             hessian);
    };
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        // Rows that hold: W' = λ + k c, W'' = k.
        if (rows_[i].weight == 0) continue;
        const Measure& m = joints_.holds[i].measure;
        const MeasurePoint point = find_measure_point(m, placements[at(m.first)], placements[at(m.second)]);
        add(m, point.gradient, rows_[i].multiplier + rows_[i].weight * (point.value - rows_[i].target),
            rows_[i].weight);
    }
    for (std::size_t i = 0; i < joints_.couplings.size(); ++i)
        assemble_coupling(i, placements, is_exact, gradient, hessian);
    for (std::size_t i = 0; i < joints_.dofs.size(); ++i)
    {
        const Measure& m = joints_.dofs[i].measure;
        const MeasurePoint point = find_measure_point(m, placements[at(m.first)], placements[at(m.second)]);
        // Coordinates: all that acts along one is a function of it.
        const Jet energy = find_energy(i, find_q(i, placements[at(m.first)], placements[at(m.second)]));
        if (energy.slope != 0 || energy.curvature != 0) add(m, point.gradient, energy.slope, energy.curvature);
    }
    for (const TurnTerm& term : turns_)
    {
        const BallLink& ball = joints_.balls[at(term.ball)];
        const Vec3 turn = find_turn_between(term.turn, placements[at(ball.first)], placements[at(ball.second)]);
        // Balls: functions of the angle of a turn, whose gradient is W' u /
        // u
        //  and whose Hessian bends with the turn.
        const double angle = norm(turn);
        const Slip slip = find_slip(angle, term.slow);
        const Jet limit = find_bound_energy(term.limit, term.largest - angle);
        const double ratio = term.weight + term.friction * slip.slope_ratio + (angle > 0 ? -limit.slope / angle : 0);
        const double curvature = term.weight + term.friction_curvature + limit.curvature;
        const RowPair rows = rows_of(ball.first, ball.second);
        add_scaled(rows, 1, find_turn_gradient(turn, ratio), gradient);
        add_pair_hessian(rows, 1, find_turn_hessian(turn, ratio, curvature, is_exact), hessian);
    }
}

void Joints::assemble_coupling(std::size_t index, std::span<const Placement> placements, bool is_exact,
                               std::span<Vector6> gradient, BlockCholesky& hessian) const
{
    const Coupling& coupling = joints_.couplings[index];
    const Row& row = rows_[joints_.holds.size() + index];
    if (row.weight == 0) return;
    // c = y - p(x): over the groups of both coordinates, of which some may be the same.
    struct Coordinate
    {
        const Measure* measure = nullptr;
        MeasurePoint point;
        double q = 0;
        RowPair rows;
    };
    const auto find = [&](int dof)
    {
        Coordinate c;
        c.measure = &joints_.dofs[at(dof)].measure;
        const Placement &a = placements[at(c.measure->first)], &b = placements[at(c.measure->second)];
        c.point = find_measure_point(*c.measure, a, b);
        c.q = find_q(at(dof), a, b);
        c.rows = rows_of(c.measure->first, c.measure->second);
        return c;
    };
    const Coordinate y = find(coupling.first), x = coupling.second < 0 ? Coordinate{} : find(coupling.second);
    const CouplingPoint c = find_coupling(coupling, y.q, x.q);
    // Gradient of c by the groups of both coordinates, then λ ∇c and k ∇c ∇cᵀ.
    const double force = row.multiplier + row.weight * c.value;
    WideGradient wide;
    wide.add(y.rows, 1, y.point.gradient);
    if (coupling.second >= 0) wide.add(x.rows, -c.slope, x.point.gradient);
    for (int a = 0; a < wide.count; ++a)
    {
        for (std::size_t i = 0; i < 6; ++i) gradient[at(wide.row[at(a)])][i] += force * wide.part[at(a)][i];
        add_outer(row.weight, wide.part[at(a)], wide.part[at(a)], hessian.diagonal(wide.row[at(a)]));
        for (int b = a + 1; b < wide.count; ++b)
        {
            Block6 block{};
            add_outer(row.weight, wide.part[at(a)], wide.part[at(b)], block);
            hessian.add(wide.row[at(a)], wide.row[at(b)], block);
        }
    }
    if (!is_exact) return;
    // The rest of the Hessian: force times ∇²y - p' ∇²x - p'' ∇x ∇xᵀ.
    const auto bend = [&](const Coordinate& at_q, double scale)
    {
        const Placement &a = placements[at(at_q.measure->first)], &b = placements[at(at_q.measure->second)];
        add_pair_hessian(at_q.rows, scale, find_measure_hessian(*at_q.measure, a, b), hessian);
    };
    bend(y, force);
    if (coupling.second < 0) return;
    bend(x, -force * c.slope);
    add_rank_one(x.rows, -force * c.curvature, x.point.gradient, hessian);
}

void Joints::set_tangents(std::span<const Placement> placements)
{
    if (!is_on_) return;
    for (std::size_t d = 0; d < laws_.size(); ++d)
    {
        DofLaw& law = laws_[d];
        const Measure& m = joints_.dofs[d].measure;
        const double q = find_q(d, placements[at(m.first)], placements[at(m.second)]);
        // Friction's own slope; beyond the smooth part it is zero, which is why chords are needed.
        law.friction_curvature = law.friction * find_slip(std::abs(q - law.start), law.slow).slope;
        law.is_bent = false;
    }
    for (TurnTerm& term : turns_)
    {
        // The quadratic that lies above: turns have no chords.
        const BallLink& ball = joints_.balls[at(term.ball)];
        const double angle =
            norm(find_turn_between(term.turn, placements[at(ball.first)], placements[at(ball.second)]));
        term.friction_curvature = term.friction * find_slip(angle, term.slow).slope_ratio;
    }
}

bool Joints::set_chords(std::span<const Placement> placements, std::span<const Vector6> direction)
{
    if (!is_on_) return false;
    bool is_new = false;
    for (std::size_t d = 0; d < laws_.size(); ++d)
    {
        DofLaw& law = laws_[d];
        if (!(law.friction > 0)) continue;
        const Measure& m = joints_.dofs[d].measure;
        // How far the coordinate has slipped, and how the direction would change that.
        const double way = find_q(d, placements[at(m.first)], placements[at(m.second)]) - law.start;
        const double slip = std::abs(way);
        if (!(slip > 0)) continue;
        const MeasurePoint point = find_measure_point(m, placements[at(m.first)], placements[at(m.second)]);
        const double rate = find_rate(rows_of(m.first, m.second), point.gradient, direction);
        const double along = way < 0 ? -rate : rate;
        // Only where the slip would lose half of itself or turn round, as in contacts.
        if (!law.is_bent && along >= -0.5 * slip) continue;
        const double chord = find_slip_chord(law.friction, law.slow, slip, along, law.friction_curvature, law.is_bent);
        is_new = is_new || std::abs(chord - law.friction_curvature) > 0.1 * law.friction_curvature;
        law.friction_curvature = chord;
        law.is_bent = true;
    }
    return is_new;
}

void Joints::find_bend(std::span<const Placement> placements, std::span<const Placement> trial,
                       std::span<const Vector6> direction, std::span<Vector6> force) const
{
    // k Jᵀ (c(trial) - c - J d), row by row (newton_joints.cpp).
    std::fill(force.begin(), force.end(), Vector6{});
    for (std::size_t i = 0; i < joints_.holds.size(); ++i)
    {
        if (rows_[i].weight == 0) continue;
        const Measure& m = joints_.holds[i].measure;
        const RowPair rows = rows_of(m.first, m.second);
        const MeasurePoint point = find_measure_point(m, placements[at(m.first)], placements[at(m.second)]);
        const double there = find_measure(m, trial[at(m.first)], trial[at(m.second)]);
        const double bend = there - point.value - find_rate(rows, point.gradient, direction);
        add_scaled(rows, rows_[i].weight * bend, point.gradient, force);
    }
}

}  // namespace rattleback::ipc
