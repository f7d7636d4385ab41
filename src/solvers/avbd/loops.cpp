// Connects, welds, cables and joint couplings as rows with multipliers.
#include "solvers/avbd/loops.h"

#include "base/index.h"
#include "solvers/avbd/geometric_stiffness.h"
#include "solvers/avbd/loop_place.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback::avbd
{

namespace
{

// Soft rows up to this many penalties act as they are, stiffer ones by a multiplier as well: in one block none, since
// a multiplier that lags behind a swinging spring feeds it. What is stiffer than kRigid penalties counts as rigid.
constexpr double kDirectRow = 10, kRigid = 1e5;

bool is_in_block(const Layout& layout, int group, int block)
{
    return layout.groups[at(group)].dynamic && layout.groups[at(group)].block == block;
}

/// The first group of a loop in a block, and how many there are.
std::pair<int, int> find_groups(const Layout& layout, const Loop& loop, int block)
{
    // the first visitor adds what belongs to all
    int found = -1, count = 0;
    for_each_group(layout, loop,
                   [&](int group)
                   {
                       // groups of other blocks rest while this one moves
                       if (!is_in_block(layout, group, block)) return;
                       if (count++ == 0) found = group;
                   });
    return {found, count};
}

/// A joint coupling whose residual is an angle.
bool couples_turns(const Layout& layout, const Loop& loop, const BlockWork& work)
{
    if (loop.type != EqualityType::joint) return false;
    const LinkDof& dof = work.links[at(loop.first_link)].dofs[at(loop.first_dof)];
    return layout.model->joints.type[at(dof.joint)] == JointType::hinge;
}

/// Forces of all rows.
Vector6 find_forces(const LoopState& state, const LoopMemory& memory, const LoopPlace& place, double error_fraction)
{
    // each row by itself: C, then lambda+
    Vector6 force{};
    for (std::size_t r = 0; r < 6; ++r)
        // C less what is regularised of it ([AVBD] Eq. 18), then lambda+ ([AVBD] Eq. 13 without bounds)
        force[r] = row_force(state.row[r], memory.lambda[r],
                             regularised_error(state.row[r], place.error[r], state.start_error[r], error_fraction));
    return force;
}

/// What the material says about each row; infinite: rigid.
Compliance find_row_compliance(const Layout& layout, const Loop& loop, const Vector6& error, double mass, int row,
                               double dt)
{
    // a cable: shear across, stretch along, bend and twist of its third axis, each with its own spring
    const auto e = at(loop.equality);
    if (loop.type == EqualityType::cable)
    {
        // the axes of a cable are those of its first frame, the third along it
        const Cable& cable = layout.model->equalities.cable[e];
        const Spring& spring = row < 2 ? cable.shear : row == 2 ? cable.stretch : row < 5 ? cable.bend : cable.twist;
        return {spring.stiffness, spring.damping};
    }
    // connects and welds: one softness for all rows, at the length of the position error
    const Compliance soft = find_compliance(layout.model->equalities.softness[e], mass, norm(linear_of(error)), dt);
    return {soft.stiffness > 0 ? soft.stiffness : kRigidStiffness, soft.damping};
}

/// Stiffness of a row between a group and the one it is eliminated into.
void add_edge(const Layout& layout, const Loop& loop, double stiffness, const std::array<Vector6, 2>& direction,
              BlockWork& work)
{
    // both diagonals, and the block between the two, kept with the one that is eliminated first
    const bool first_below = layout.groups[at(loop.first)].up == loop.second;
    work.diagonal[at(loop.first)].add_outer(stiffness, direction[0], direction[0]);
    work.diagonal[at(loop.second)].add_outer(stiffness, direction[1], direction[1]);
    if (first_below)
        // J_firstᵀ k J_second, the fill that elimination along the tree expects
        work.to_parent[at(loop.first)].add_outer(stiffness, direction[0], direction[1]);
    else
        work.to_parent[at(loop.second)].add_outer(stiffness, direction[1], direction[0]);
}

void add_row(const Layout& layout, const Loop& loop, const LoopPlace& place, int row, double stiffness, int block,
             const BlockWork& work, LoopScratch& scratch)
{
    // a row of low rank for Woodbury's identity: direction of each group in the block
    LoopRow exact{.begin = scratch.entries.size(), .stiffness = stiffness};
    for_each_group(layout, loop,
                   [&](int group)
                   {
                       if (!is_in_block(layout, group, block)) return;
                       scratch.entries.push_back({group, row_direction(layout, loop, place, row, group, work)});
                   });
    exact.end = scratch.entries.size();
    scratch.rows.push_back(exact);
}

}  // namespace

double regularised_error(const LoopRowState& row, double error, double start, double error_fraction)
{
    // soft: K C + D (C - C_t) / h = total (C - (1 - K / total) C_t), spring and damper; rigid: 1 - alpha of C_t counts
    return error - (1 - (row.is_soft() ? row.softness : row.softness * error_fraction)) * start;
}

double row_force(const LoopRowState& row, double lambda, double error)
{
    // s (lambda + k C) with s = K / (K + k): at rest lambda = K C, whatever k is
    return row.share * ((row.direct ? 0 : lambda) + row.penalty * error);
}

void start_row(const Compliance& material, double penalty, bool in_block, double dt, LoopRowState& row)
{
    const double direct = in_block ? kRigid : kDirectRow;
    // rigid, or so stiff that it makes no difference
    row = {.penalty = penalty};
    if (!std::isfinite(material.stiffness)) return;
    const double total = material.stiffness + material.damping / dt;
    row.softness = total > 0 ? material.stiffness / total : 0;
    if (total > kRigid * penalty) return;
    // a spring as it is, or a compliant row with a multiplier
    row.total = total;
    // stiffer than that: k stops there, and the multiplier makes up for the rest
    row.direct = row.total <= direct * penalty;
    row.penalty = row.direct ? row.total : direct * penalty;
    if (!row.direct) row.share = 1 / (1 + row.penalty / row.total);
}

int owner_of(const Layout& layout, int index)
{
    // one group updates the multipliers, so that blocks may do it side by side
    const Loop& loop = layout.loops[at(index)];
    if (layout.groups[at(loop.first)].dynamic) return loop.first;
    if (layout.groups[at(loop.second)].dynamic) return loop.second;
    return loop.second_link >= 0 ? layout.links[at(loop.second_link)].child : -1;
}

double loop_violation(const Layout& layout, int index, BlockWork& work)
{
    const LoopState& state = work.loops[at(index)];
    const LoopMemory& memory = work.loop_memory[at(index)];
    if (!memory.holds()) return 0;
    // sum of k (C - lambda / K)^2 over the rows with a multiplier
    const LoopPlace place = place_loop(layout, index, work);
    double sum = 0;
    for (std::size_t r = 0; r < 6; ++r)
    {
        // rows that act as springs have no multiplier and nothing to close
        const LoopRowState& row = state.row[r];
        if (row.direct) continue;
        double error = regularised_error(row, place.error[r], state.start_error[r], work.error_fraction);
        // lambda = K C at rest: what is left is the error
        if (row.is_soft()) error -= memory.lambda[r] / row.total;  // a soft row is closed where spring and force agree
        sum += row.penalty * error * error;
    }
    return sum;
}

void add_loop(const Layout& layout, int index, int group, LoopScratch& scratch, BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    const LoopState& state = work.loops[at(index)];
    const LoopMemory& memory = work.loop_memory[at(index)];
    if (!memory.holds()) return;
    // the first group of the block adds what belongs to all of them
    const int block = layout.groups[at(group)].block;
    // three cases: exact by elimination (an edge), exact by Woodbury's identity (inside), or each group by itself
    const auto [first_group, touched] = find_groups(layout, loop, block);
    const bool inside = touched > 1 && (loop.edge || layout.blocks[at(block)].closes_loops());
    const bool first_visit = group == first_group;
    const LoopPlace place = place_loop(layout, index, work);
    const Vector6 force = find_forces(state, memory, place, work.error_fraction);
    // f += Jᵀ lambda+, H += Jᵀ k J, row by row ([AVBD] Eqs. 13, 17)
    Vec3 linear_force;  // on the first group
    for (int r = 0; r < loop.rows(); ++r)
    {
        const LoopRowState& row = state.row[at(r)];
        const double stiffness = row.share * row.penalty;
        if (stiffness == 0) continue;
        const Vector6 own = row_direction(layout, loop, place, r, group, work);
        for (std::size_t c = 0; c < 6; ++c) work.right[at(group)][c] += force[at(r)] * own[c];
        if (r < 3) linear_force += force[at(r)] * place.axis[at(r)];
        // couplings that are left out are bounded by the diagonal times the number of groups
        // (a + b)^2 <= 2 (a^2 + b^2), likewise for more groups: no step overshoots for want of the coupling
        if (!inside) work.diagonal[at(group)].add_outer(touched * stiffness, own, own);
        if (!inside || !first_visit) continue;
        if (loop.edge)
            add_edge(layout, loop, stiffness,
                     {row_direction(layout, loop, place, r, loop.first, work),
                      row_direction(layout, loop, place, r, loop.second, work)},
                     work);
        else
            add_row(layout, loop, place, r, stiffness, block, work, scratch);
    }
    // G ([AVBD] Sec. 3.5, Eq. 17)
    if (loop.type == EqualityType::joint) return;
    // couplings act along the dofs of links, without a G of their own
    add_geometric_stiffness(group == loop.first ? -linear_force : linear_force,
                            place.point - work.bodies[at(group)].center_now(), work.diagonal[at(group)]);
}

void update_loop_dual(const Layout& layout, int index, BlockWork& work)
{
    // lambda <- lambda+ ([AVBD] Eq. 11)
    LoopMemory& memory = work.loop_memory[at(index)];
    if (!memory.holds()) return;
    // find_forces() is lambda+ of the primal step, at the x that the sweep has reached
    memory.lambda = find_forces(work.loops[at(index)], memory, place_loop(layout, index, work), work.error_fraction);
}

Opening find_loop_opening(const Layout& layout, int index, BlockWork& work)
{
    const Vector6 error = place_loop(layout, index, work).error;
    const Opening opening{norm(linear_of(error)), norm(angular_of(error))};
    // a coupling has one row, the first
    return couples_turns(layout, layout.loops[at(index)], work) ? Opening{0, opening.linear} : opening;
}

void set_row_penalty(double stiffness, LoopRowState& row)
{
    row.direct = true;
    row.share = 1;
    // K and D of the material: total = K + D / h, K = softness total
    const double own = row.softness * row.total;
    // without a spring the damper acts as it is; with one k <= K, and kd k / h = k D / (K h) beside it
    row.penalty = own > 0 ? std::min(stiffness, own) / row.softness : row.total;
}

Opening find_loop_stiffness(const Layout& layout, int index, double rigid, const BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    Opening most;
    for (int r = 0; r < loop.rows(); ++r)
    {
        const LoopRowState& row = work.loops[at(index)].row[at(r)];
        double& own = r >= 3 || couples_turns(layout, loop, work) ? most.angular : most.linear;
        own = std::max(own, row.is_soft() ? row.softness * row.total : rigid);
    }
    return most;
}

void set_loop_penalty(const Layout& layout, int index, BlockWork& work)
{
    const Loop& loop = layout.loops[at(index)];
    for (int r = 0; r < loop.rows(); ++r)
    {
        const bool turns = r >= 3 || couples_turns(layout, loop, work);
        set_row_penalty(turns ? work.loop_ramps[at(index)] : work.loop_memory[at(index)].penalty,
                        work.loops[at(index)].row[at(r)]);
    }
}

void break_joints(const Layout& layout, BlockWork& work)
{
    // by the multipliers, which are the forces that the joints bear
    // what bears more breaks for good
    const auto beyond = [](const Vector6& force, double most, double most_torque)
    { return norm(linear_of(force)) > most || norm(angular_of(force)) > most_torque; };
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        const Link& link = layout.links[l];
        LinkMemory& memory = work.link_memory[l];
        if (link.breakable && beyond(memory.lambda, link.break_force, link.break_torque)) memory.broken = 1;
    }
    for (std::size_t l = 0; l < layout.loops.size(); ++l)
    {
        const auto e = at(layout.loops[l].equality);
        const Equalities& equalities = layout.model->equalities;
        LoopMemory& memory = work.loop_memory[l];
        if (beyond(memory.lambda, equalities.break_force[e], equalities.break_torque[e])) memory.broken = 1;
    }
    for (std::size_t r = 0; r < layout.tendon_rows.size(); ++r)
    {
        const int e = layout.tendon_rows[r].equality;
        if (e < 0) continue;
        TendonMemory& memory = work.tendon_memory[r];
        if (std::abs(memory.lambda) > layout.model->equalities.break_force[at(e)]) memory.broken = 1;
    }
}

void start_loops(const Layout& layout, double scale, BlockWork& work)
{
    // C(x_t) of every loop
    const double h2 = work.dt * work.dt;
    for (std::size_t i = 0; i < layout.loops.size(); ++i)
    {
        const Loop& loop = layout.loops[i];
        LoopState& state = work.loops[i];
        // what of it is regularised later does not change within the substep
        state.start_error = place_loop(layout, static_cast<int>(i), work).error;
        // effective mass: what the loop supports, of a coupling the inertia of its first dof
        double mass = loop.supported_mass;
        if (loop.type == EqualityType::joint)
        {
            const LinkDof& dof = work.links[at(loop.first_link)].dofs[at(loop.first_dof)];
            mass = layout.dof_inertia[at(dof.dof)];
        }
        // k in units of mass / h^2, and what the material says
        state.row = {};
        for (int r = 0; r < loop.rows(); ++r)
        {
            // between blocks each side sees the other at rest: with too hard a penalty neither would move
            const double firmness = loop.in_block ? scale : std::min(scale, kBetweenBlocks);
            const double penalty = firmness * mass / h2 * (r < 3 ? 1 : loop.arm * loop.arm);
            const Compliance material = find_row_compliance(layout, loop, state.start_error, mass, r, work.dt);
            start_row(material, penalty, loop.in_block, work.dt, state.row[at(r)]);
        }
    }
}

}  // namespace rattleback::avbd
