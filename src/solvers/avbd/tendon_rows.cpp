// One row along each tendon, J = dL/dx over all groups that it moves: H += k J Jᵀ, f += Jᵀ lambda+.
#include "solvers/avbd/tendon_rows.h"

#include "base/index.h"
#include "dynamics/tendons.h"
#include "solvers/avbd/geometric_stiffness.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/springs.h"
#include "solvers/avbd/tendon_place.h"

#include <algorithm>
#include <cmath>

namespace rattleback::avbd
{

namespace
{

/// Force along the length (positive: it lengthens), its stiffness, and multipliers as they become.
struct TendonForce
{
    double force = 0, stiffness = 0;  ///< not negative
    double limit = 0, friction = 0, lambda = 0;
    double violation = 0;  ///< of the limit that pushes [m]

    // forces and stiffnesses along one J add up to one row
    void add(const DofForce& part)
    {
        force += part.force;
        stiffness += part.stiffness;
    }
};

/// Distance of a length from the nearer bound, less the margin; `sign` 1: the lower one.
struct BoundGap
{
    double gap = 0, sign = 1;
};
BoundGap find_gap(const Layout& layout, int tendon, double length)
{
    // C of the lower bound is L - lower, of the upper one upper - L; one of them is nearer
    const Range& range = layout.model->tendons.range[at(tendon)];
    const double margin = layout.model->tendons.margin[at(tendon)];
    // both bounds cannot push at once
    const bool lower = length - range.lower < range.upper - length;
    return {(lower ? length - range.lower : range.upper - length) - margin, lower ? 1.0 : -1.0};
}

/// A one-sided row with residual C = distance to the bound >= 0.
void add_limit(const Layout& layout, int t, const TendonState& state, const BlockWork& work, TendonForce& sum)
{
    const Tendons& tendons = layout.model->tendons;
    if (!tendons.range[at(t)].limited) return;
    const TendonMemory& memory = work.tendon_memory[at(t)];
    const BoundGap now = find_gap(layout, t, state.length);
    const Range& range = tendons.range[at(t)];
    // the same bound at x_t: C(x_t) of [AVBD] Eq. 18
    const double start =
        now.sign * (state.start_length - (now.sign > 0 ? range.lower : range.upper)) - tendons.margin[at(t)];
    const Compliance softness =
        find_compliance(tendons.limit_softness[at(t)], layout.tendon_rows[at(t)].mass, now.gap, work.dt);
    // a multiplier of the other bound pushes the wrong way: none
    // as a limit of a joint: one-sided lambda+ ([AVBD] Eq. 13), compliant if the material says so
    const DofForce force = state.slow_slip > 0
                               ? press(-now.gap, start - now.gap, memory.penalty, softness, work.dt)
                               : push(now.gap, start, now.sign * state.start_rate, work.error_fraction,
                                      std::max(0.0, now.sign * memory.limit), memory.penalty, softness, work.dt);
    sum.add({now.sign * force.force, force.stiffness});
    sum.limit = now.sign * force.force;
    // beta |C| needs |C| of the row that pushes, not of one that is free
    sum.violation = force.force > 0 ? std::max(0.0, -now.gap) : 0;
}

/// lambda+ between -bound and bound ([AVBD] Eq. 13).
void add_friction(const Layout& layout, int t, const TendonState& state, const TendonMemory& memory, TendonForce& sum)
{
    // below zero there is none, as in MuJoCo
    const double bound = layout.model->tendons.dry_friction[at(t)];
    if (!(bound > 0)) return;
    // slip since the start of the substep, bounded by the friction force
    if (state.slow_slip > 0)
    {
        // mode penalty: the law of contacts, along the tendon
        const double slip = state.length - state.start_length;
        const double factor = friction_factor(bound, std::abs(slip), state.slow_slip);
        sum.friction = -factor * slip;
        sum.add({sum.friction, factor});
        return;
    }
    const double trial = memory.friction - memory.penalty * (state.length - state.start_length);
    sum.friction = std::clamp(trial, -bound, bound);
    sum.add({sum.friction, sum.friction == trial ? memory.penalty : 0});  // what slides does not feel how far
}

/// In its dead band a spring has neither force nor stiffness.
DofForce find_spring(const Layout& layout, int t, const TendonState& state, double length)
{
    const Tendons& tendons = layout.model->tendons;
    const SpringBand<double> band = find_band(layout, t, state);
    const double force = tendon_spring_force<double>(layout.tendon_laws, t, band, length);
    const SpringGain gain =
        find_spring_gain(tendons.stiffness[at(t)], tendons.stiffness_polynomial[at(t)], find_stretch(band, length));
    return {force, force != 0 ? gain.slope : 0};
}
/// The damper on the mean rate of the step.
DofForce find_damper(const Tendons& tendons, int t, double advance, double dt)
{
    const SpringGain gain = find_damper_gain(tendons.damping[at(t)], tendons.damping_polynomial[at(t)], advance / dt);
    return {-(gain.secant / dt) * advance, gain.slope / dt};
}

/// Half the force along a tendon that swings (swing.h): spring and drives at the mean length, damping on the mean rate.
TendonForce evaluate_swinging(const Layout& layout, int t, const BlockWork& work)
{
    const Tendons& tendons = layout.model->tendons;
    const TendonState& state = work.tendons[at(t)];
    const double h = work.dt, advance = state.length - state.start_length;
    const double middle = 0.5 * (state.length + state.start_length);
    const DofForce spring = find_spring(layout, t, state, middle);
    const DofForce damper = find_damper(tendons, t, advance, h);
    const double armature = tendons.armature[at(t)] / (h * h);
    TendonForce sum;
    sum.add({0.5 * spring.force, 0.25 * spring.stiffness});
    sum.add({0.5 * damper.force, 0.5 * damper.stiffness});
    sum.add({armature * (h * state.start_rate - advance), armature});
    // the rate is twice the way to the middle over h
    const DofForce drive =
        sum_drives(work.tendon_drives, t, middle, state.start_length, tendons.actuator_force_range[at(t)], 0.5 * h);
    sum.add({0.5 * drive.force, 0.25 * drive.stiffness});
    return sum;
}

/// All that acts along a tendon which is placed.
TendonForce evaluate_tendon(const Layout& layout, int t, const BlockWork& work)
{
    const Tendons& tendons = layout.model->tendons;
    const TendonState& state = work.tendons[at(t)];
    const double h = work.dt;
    if (state.swings) return evaluate_swinging(layout, t, work);
    TendonForce sum;
    // spring outside its dead band, damper on the mean rate of the step: f = -K x - D (L - L_0) / h
    sum.add(find_spring(layout, t, state, state.length));
    sum.add(find_damper(tendons, t, state.length - state.start_length, h));
    // armature: f = -A (J(x) (x - x_t) / h - J(x_t) v_t) / h, so that the change of J counts
    const double armature = tendons.armature[at(t)] / (h * h);
    if (armature > 0)
    {
        // J(x) (x - x_t): what the present path says about the way so far
        const double advance = rate_of(layout, layout.tendon_rows[at(t)], work,
                                       [](const Body& body) -> const Increment<double>& { return body.delta; });
        sum.add({armature * (h * state.start_rate - advance), armature});
    }
    add_limit(layout, t, state, work, sum);
    add_friction(layout, t, state, work.tendon_memory[at(t)], sum);
    // drives of actuators, implicit in L
    sum.add(
        sum_drives(work.tendon_drives, t, state.length, state.start_length, tendons.actuator_force_range[at(t)], h));
    return sum;
}

/// lambda+ of a coupling, force along J_1 - p' J_2 ([AVBD] Eq. 11).
TendonForce evaluate_coupling(int row, const BlockWork& work)
{
    // C - alpha C(x_t) of a rigid coupling ([AVBD] Eq. 18), spring and damper of a soft one
    const TendonState& state = work.tendons[at(row)];
    const double error = regularised_error(state.row, state.length, state.start_length, work.error_fraction);
    // no bounds: an equality pulls and pushes
    const double force = row_force(state.row, work.tendon_memory[at(row)].lambda, error);
    return {.force = force, .stiffness = state.row.share * state.row.penalty, .lambda = force};
}

/// The gradient of a spatial tendon half way from the start; fixed ones have theirs from joints at their means.
void take_mean_gradient(const Layout& layout, int t, BlockWork& work)
{
    if (layout.model->tendons.type[at(t)] == TendonType::fixed) return;
    const TendonRow& row = layout.tendon_rows[at(t)];
    for (int k = row.group_begin; k < row.group_end; ++k)
    {
        Vector6& gradient = work.tendon_gradient[at(k)];
        for (std::size_t c = 0; c < 6; ++c) gradient[c] = 0.5 * (gradient[c] + work.tendon_start_gradient[at(k)][c]);
    }
}

/// Places a row and finds what it does.
TendonForce evaluate_row(const Layout& layout, int row, BlockWork& work)
{
    place_tendon_row(layout, row, work);
    if (work.tendons[at(row)].swings) take_mean_gradient(layout, row, work);
    return layout.tendon_rows[at(row)].equality < 0 ? evaluate_tendon(layout, row, work) : evaluate_coupling(row, work);
}

/// G ([AVBD] Sec. 3.5, Eq. 17) of a spatial tendon under `force`, diagonal blocks alone: the arms turn, and under
/// tension T a straight part of length d holds its ends from moving across it, T / d (1 - u uᵀ).
void add_path_stiffness(const Layout& layout, int tendon, double force, int block, BlockWork& work)
{
    const TendonState& state = work.tendons[at(tendon)];
    const auto inside = [&](int group)
    // other blocks rest, and have no part in this block's H
    { return layout.groups[at(group)].dynamic && layout.groups[at(group)].block == block; };
    for (int e = state.end_begin; e < state.end_begin + state.end_count; ++e)
    {
        const TendonEnd& end = work.tendon_ends[at(e)];
        if (!inside(end.group)) continue;
        Matrix6& diagonal = work.diagonal[at(end.group)];
        // arms turn under the force (geometric_stiffness.h)
        add_geometric_stiffness(-force * end.direction, end.arm, diagonal);
        // the gradient by an end has the length of the pulley's scale
        const double scale = norm(end.direction), tension = -force * scale;
        if (tension <= 0 || end.free <= 1e-9) continue;
        // both ends in one block: twice the diagonal bounds the coupling that is left out
        const double across = (inside(end.other) ? 2 : 1) * tension / end.free;
        Matrix6 stiffness;
        for (std::size_t i = 0; i < 3; ++i)
        {
            for (std::size_t j = 0; j < 3; ++j)
            {
                // unit direction of the straight part
                const double along =
                    end.direction[static_cast<int>(i)] * end.direction[static_cast<int>(j)] / (scale * scale);
                stiffness(i, j) = across * ((i == j ? 1 : 0) - along);
            }
        }
        add(diagonal, shift_stiffness(stiffness, end.arm, end.arm));
    }
}

/// The first dynamic group of a row in a block, and how many there are.
std::pair<int, int> find_groups(const Layout& layout, const TendonRow& row, int block)
{
    int found = -1, count = 0;
    for (const int group : layout.groups_of(row))
    {
        if (!layout.groups[at(group)].dynamic || layout.groups[at(group)].block != block) continue;
        // the first group that is met speaks for the row
        if (count++ == 0) found = group;
    }
    return {found, count};
}

}  // namespace

void start_tendons(const Layout& layout, std::optional<double> gamma, double scale, BlockWork& work)
{
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        const TendonRow& row = layout.tendon_rows[r];
        TendonState& state = work.tendons[r];
        TendonMemory& memory = work.tendon_memory[r];
        // nobody moves it: no row
        if (row.owner < 0) continue;
        // C(x_t), and the rate J v_t
        place_tendon_row(layout, static_cast<int>(r), work);
        state.start_length = state.length;
        state.swings = false;
        for (int k = row.group_begin; k < row.group_end; ++k)
            work.tendon_start_gradient[at(k)] = work.tendon_gradient[at(k)];
        state.start_rate =
            rate_of(layout, row, work, [](const Body& body) -> const Velocity& { return body.velocity; });
        // k of a limit in units of effective mass / h^2, warm-started as gamma k ([AVBD] Eq. 19)
        const double unit = row.mass / (work.dt * work.dt);
        if (gamma) memory.penalty = std::clamp(*gamma * memory.penalty, unit, kMaxPenalty * unit);
        if (row.equality < 0) continue;
        // a coupling: rigid, or as soft as its material
        const Compliance soft =
            find_compliance(layout.model->equalities.softness[at(row.equality)], row.mass, state.length, work.dt);
        // a material without stiffness is rigid
        const Compliance material{soft.stiffness > 0 ? soft.stiffness : std::numeric_limits<double>::infinity(),
                                  soft.damping};
        start_row(material, unit * (row.in_block ? scale : std::min(scale, kBetweenBlocks)), row.in_block, work.dt,
                  state.row);
    }
}

void add_tendon(const Layout& layout, int index, int group, LoopScratch& scratch, BlockWork& work)
{
    const TendonRow& row = layout.tendon_rows[at(index)];
    const int block = layout.groups[at(group)].block;
    const auto [first, touched] = find_groups(layout, row, block);
    if (group != first || !work.tendon_memory[at(index)].holds()) return;
    // at the present x of all groups, those of other blocks included (Gauss and Seidel)
    const TendonForce sum = evaluate_row(layout, index, work);
    if (sum.force == 0 && sum.stiffness == 0) return;
    // f += Jᵀ lambda+, H += Jᵀ k J ([AVBD] Eqs. 13, 17): exact for one group, as a row of low rank for several;
    // couplings that are left out are bounded by the diagonal times the number of groups
    const bool exact = touched > 1 && layout.blocks[at(block)].closes_loops();
    LoopRow low_rank{.begin = scratch.entries.size(), .stiffness = sum.stiffness};
    for (int k = row.group_begin; k < row.group_end; ++k)
    {
        const int own = layout.tendon_groups[at(k)];
        if (!layout.groups[at(own)].dynamic || layout.groups[at(own)].block != block) continue;
        // J of the row by one group
        const Vector6& gradient = work.tendon_gradient[at(k)];
        add(work.right[at(own)], gradient, sum.force);
        if (sum.stiffness == 0) continue;
        if (exact)
            scratch.entries.push_back({own, gradient});
        else
            work.diagonal[at(own)].add_outer(touched * sum.stiffness, gradient, gradient);
    }
    low_rank.end = scratch.entries.size();
    if (low_rank.end > low_rank.begin) scratch.rows.push_back(low_rank);
    add_path_stiffness(layout, row.first, sum.force, block, work);
    if (row.second >= 0)
        add_path_stiffness(layout, row.second, -work.tendons[at(index)].slope * sum.force, block, work);
}

void update_tendon_dual(const Layout& layout, int index, bool closer, double beta, BlockWork& work)
{
    TendonMemory& memory = work.tendon_memory[at(index)];
    if (!memory.holds()) return;
    const TendonRow& row = layout.tendon_rows[at(index)];
    const TendonForce sum = evaluate_row(layout, index, work);
    // lambda <- lambda+ ([AVBD] Eq. 11)
    // a coupling is an equality: it follows only sweeps that close the block, as links do
    if (row.equality < 0 || closer) memory.lambda = sum.lambda;
    memory.limit = sum.limit;
    memory.friction = sum.friction;
    // k <- k + beta |C| while the limit pushes ([AVBD] Eq. 16)
    // units of effective mass and of the tendon's size, as beta of contacts
    const double unit = row.mass / (work.dt * work.dt);
    memory.penalty = std::min(memory.penalty + beta * unit / row.size * sum.violation, kMaxPenalty * unit);
}

double coupling_violation(const Layout& layout, int index, BlockWork& work)
{
    const LoopRowState& row = work.tendons[at(index)].row;
    const TendonMemory& memory = work.tendon_memory[at(index)];
    if (layout.tendon_rows[at(index)].equality < 0 || row.direct || !memory.holds()) return 0;
    // k (C - lambda / K)^2
    place_tendon_row(layout, index, work);
    const TendonState& state = work.tendons[at(index)];
    // at rest lambda = K C: what is left of C counts
    double error = regularised_error(row, state.length, state.start_length, work.error_fraction);
    if (row.is_soft()) error -= memory.lambda / row.total;
    return row.penalty * error * error;
}

void set_tendon_penalty(int index, double stiffness, double slow_slip, BlockWork& work)
{
    // no multipliers (a direct row looks at none); a soft coupling is at most as stiff as its material
    TendonMemory& memory = work.tendon_memory[at(index)];
    memory.penalty = stiffness;
    memory.limit = memory.friction = 0;
    work.tendons[at(index)].slow_slip = slow_slip;
    set_row_penalty(stiffness, work.tendons[at(index)].row);
}

double find_tendon_violation(const Layout& layout, int index, BlockWork& work)
{
    const TendonRow& row = layout.tendon_rows[at(index)];
    // how far |C| is beyond what it may be
    place_tendon_row(layout, index, work);
    // the length of a coupling is its C
    const double length = work.tendons[at(index)].length;
    if (row.equality >= 0) return std::abs(length);
    if (!layout.model->tendons.range[at(index)].limited) return 0;
    return std::max(0.0, -find_gap(layout, index, length).gap);
}

}  // namespace rattleback::avbd
