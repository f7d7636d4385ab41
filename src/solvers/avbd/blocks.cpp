// Newton steps of blocks: contacts and inertia per rigid group, links and loops between groups, elimination along
// trees.
#include "solvers/avbd/blocks.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/geometric_stiffness.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/medium.h"
#include "solvers/avbd/tendon_rows.h"
#include "solvers/avbd/tree_solve.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

Matrix6 to_matrix6(const BodySystem<double>& system)
{
    // from packed triangles to the full matrix, rows linear then angular
    // a symmetric 3x3 block is stored as xx, xy, yy, xz, yz, zz
    constexpr std::size_t kPlace[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    Matrix6 a;
    for (std::size_t i = 0; i < 3; ++i)
    {
        for (std::size_t j = 0; j < 3; ++j)
        {
            a(i, j) = system.linear.m[kPlace[i][j]];
            a(i + 3, j + 3) = system.angular.m[kPlace[i][j]];
            a(i + 3, j) = a(j, i + 3) = system.coupling.m[3 * i + j];
        }
    }
    return a;
}

/// Forces along the dofs of a link that is placed; of one that swings, those of the first half of the substep.
DofForces find_dof_forces(const Layout& layout, const Link& link, const LinkState& state, const LinkMemory& memory,
                          const BlockWork& work)
{
    if (state.swings) return evaluate_swing(*layout.model, link, state, work.drives, work.dt);
    return evaluate_dofs(*layout.model, link, state, memory, work.drives, work.error_fraction, work.dt);
}

/// lambda+ of the forbidden motions ([AVBD] Eq. 13), likewise. Multipliers are whole forces.
Vector6 find_link_wrench(const Link& link, const LinkState& state, const LinkMemory& memory, const BlockWork& work)
{
    Vector6 lambda = memory.lambda;
    if (state.swings)
    {
        for (double& value : lambda) value *= 0.5;
    }
    return constraint_wrench(state, link, lambda, work.error_fraction);
}

/// The action of a link on its child and parent, those in the block.
void add_link(const Layout& layout, int index, int block, BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    LinkState& state = work.links[at(index)];
    const LinkMemory& memory = work.link_memory[at(index)];
    if (memory.broken != 0) return;
    place_link(layout, link, work.bodies, state);
    // lambda+ of the forbidden motions ([AVBD] Eq. 13) and their Jᵀ k J ([AVBD] Eq. 17)
    const DofForces dofs = find_dof_forces(layout, link, state, memory, work);
    Vector6 wrench = find_link_wrench(link, state, memory, work);
    Matrix6 stiffness = constraint_stiffness(state, link);
    // forces on the dofs: along the present axes, those of armature and damping along the axes of the start
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        add(wrench, state.moment[i], -dofs.force[i]);
        if (dofs.stiffness[i] > 0) stiffness.add_outer(dofs.stiffness[i], state.moment[i], state.moment[i]);
        if (dofs.rate_stiffness[i] == 0) continue;
        add(wrench, state.start_moment[i], -dofs.rate_force[i]);
        stiffness.add_outer(dofs.rate_stiffness[i], state.start_moment[i], state.start_moment[i]);
    }
    // a ball at its limit: one row about the axis of its turn
    if (dofs.limit_stiffness > 0)
    {
        Vector6 moment{};
        for (int c = 0; c < 3; ++c) add(moment, state.moment[at(dofs.limit_begin + c)], dofs.limit_axis[c]);
        stiffness.add_outer(dofs.limit_stiffness, moment, moment);
    }
    add_action(layout, link, state, wrench, stiffness, block, work);
    // G, the positive part of lambda+ d2C/dx2 ([AVBD] Sec. 3.5, Eq. 17)
    // of a force at an arm that turns with its body: only rotations have a second derivative
    if (layout.groups[at(link.child)].block == block)
        add_geometric_stiffness(linear_of(wrench), state.child_arm, work.diagonal[at(link.child)]);
    if (layout.groups[at(link.parent)].block == block)
        add_geometric_stiffness(-linear_of(wrench), state.parent_arm, work.diagonal[at(link.parent)]);
}

/// Turning friction: about the normal and about the tangents, bounded by the normal force.
struct Turning
{
    double spin = 0;
    Vec3 roll;
    double spin_stiffness = 0, roll_stiffness = 0;
};
Turning evaluate_turning(const BlockContact& contact, double normal_force, const Vec3& turn)
{
    // about the normal: lambda+ between -bound and bound ([AVBD] Eq. 13), beyond as stiff as its secant (Eq. 14)
    Turning turning;
    const double about = dot(turn, contact.half.normal);
    const double trial = contact.spin - contact.turning_penalty * about;
    const double bound = contact.spin_friction * normal_force;
    turning.spin = std::clamp(trial, -bound, bound);
    turning.spin_stiffness =
        turning.spin == trial ? contact.turning_penalty : contact.turning_penalty * std::abs(turning.spin / trial);
    // about the tangents: lambda+ inside a disc
    const Vec3 rolled = contact.roll - contact.turning_penalty * (turn - about * contact.half.normal);
    const double size = norm(rolled), most = contact.roll_friction * normal_force;
    const double scale = size > most ? most / size : 1;
    turning.roll = scale * rolled;
    turning.roll_stiffness = scale * contact.turning_penalty;
    return turning;
}

}  // namespace

void add_action(const Layout& layout, const Link& link, const LinkState& state, const Vector6& wrench,
                const Matrix6& stiffness, int block, BlockWork& work)
{
    // from the centres of mass to the anchor
    const Vec3 &child_arm = state.child_arm, &parent_arm = state.parent_arm;
    // own blocks: shifted from the anchor to the centres of mass
    const bool has_child = layout.groups[at(link.child)].block == block;
    const bool has_parent = layout.groups[at(link.parent)].block == block;
    if (has_child)
    {
        // J of the child is the shift from its centre to the anchor, that of the parent the same with the other sign
        add(work.diagonal[at(link.child)], shift_stiffness(stiffness, child_arm, child_arm));
        add(work.right[at(link.child)], shift_wrench(wrench, child_arm), -1);
    }
    if (has_parent)
    {
        add(work.diagonal[at(link.parent)], shift_stiffness(stiffness, parent_arm, parent_arm));
        add(work.right[at(link.parent)], shift_wrench(wrench, parent_arm));
    }
    // the block between the two, kept with the one that is eliminated first
    if (!has_child || !has_parent) return;
    if (layout.groups[at(link.child)].up == link.parent)
        add(work.to_parent[at(link.child)], shift_stiffness(stiffness, child_arm, parent_arm), -1);
    else
        add(work.to_parent[at(link.parent)], shift_stiffness(stiffness, parent_arm, child_arm), -1);
}

BodySystem<double> assemble_contacts(const Layout& layout, int group, const BlockWork& work)
{
    // H = M / h^2, f = M / h^2 (y - x) ([AVBD] Eqs. 5, 6)
    const Body& body = work.bodies[at(group)];
    const double inverse = 1 / (work.dt * work.dt);
    const Symmetric3<double> inertia = to_symmetric(body.inertia);
    Symmetric3<double> scaled;
    for (std::size_t i = 0; i < 6; ++i) scaled.m[i] = inverse * inertia.m[i];
    BodySystem<double> system =
        make_inertial_system(inverse * body.mass, scaled, body.target.linear - body.delta.linear,
                             inverse * (body.momentum - spin_momentum(inertia, body.delta.angular, body.pivot)));
    add_medium(layout, group, work, system);
    // f += Jᵀ lambda+, H += Jᵀ k J over the contacts ([AVBD] Eqs. 13, 17)
    for (int c = work.contact_begin[at(group)]; c < work.contact_begin[at(group) + 1]; ++c)
    {
        const BlockContact& contact = work.contacts[at(c)];
        // lambda+ at the present x of both bodies
        const Increment<double>& other = work.bodies[at(contact.other)].delta;
        const ContactForce<double> force = evaluate(contact.half, body.delta, other);
        const bool same = layout.groups[at(contact.other)].block == layout.groups[at(group)].block &&
                          layout.groups[at(contact.other)].dynamic;
        ContactForce<double> stamped = force;
        // both ends in one block: twice the diagonal bounds the coupling that is left out
        if (same) stamped.normal_stiffness *= 2, stamped.tangent_stiffness *= 2;
        add_contact(contact.half, stamped, system);
        // turning friction: K = k_r I + (k_s - k_r) n nᵀ on rotations
        // a torque bounded by the normal force, as dry friction of a turn ([AVBD] Eq. 13 with bounds that move)
        if (contact.spin_friction == 0 && contact.roll_friction == 0) continue;
        const Turning turning =
            evaluate_turning(contact, force.normal, body.delta.angular - other.angular + contact.turn);
        system.torque += turning.spin * contact.half.normal + turning.roll;
        add_diagonal(system.angular, turning.roll_stiffness);
        add_outer(system.angular, turning.spin_stiffness - turning.roll_stiffness, contact.half.normal);
    }
    return system;
}

void add_joints(const Layout& layout, int group, LoopScratch& scratch, BlockWork& work)
{
    // links of the group as child or as parent
    // J of a link has two groups; where both are in the block it couples them, else the other one rests
    const int block = layout.groups[at(group)].block;
    for (int k = layout.links_begin[at(group)]; k < layout.links_begin[at(group) + 1]; ++k)
    {
        const int l = layout.links_of_group[at(k)];
        const Link& link = layout.links[at(l)];
        // a link inside the block is added once, with its group
        const bool twice = link.parent == group && layout.groups[at(link.child)].block == block;
        if (!twice) add_link(layout, l, block, work);
    }
    // equalities that the tree does not know
    for (int k = layout.loops_begin[at(group)]; k < layout.loops_begin[at(group) + 1]; ++k)
    {
        add_loop(layout, layout.loops_of_group[at(k)], group, scratch, work);
    }
    // tendons, with the first of their groups in the block
    // a tendon may move more than two groups: one of them speaks for all
    for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
    {
        add_tendon(layout, layout.tendons_of_group[at(k)], group, scratch, work);
    }
}

namespace
{

constexpr double kSmallCorrection =
    0.05;                         // [rad], or of a link's arm: what is less opens no joint by more than its square
constexpr double kOpening = 0.1;  // of its arm, by which a correction may open a link
constexpr int kMostCuts = 6;

/// Whether a Newton step is large, or some link of the block is opened by it.
bool is_large_step(const Layout& layout, const Block& block, const BlockWork& work)
{
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)], link = layout.groups[at(group)].link;
        const Vector6& step = work.right[at(group)];
        const double arm = link >= 0 ? layout.links[at(link)].arm : layout.groups[at(group)].extent;
        if (!(norm(angular_of(step)) <= kSmallCorrection && norm(linear_of(step)) <= kSmallCorrection * arm))
            return true;
    }
    return false;
}
bool opens_links(const Layout& layout, const Block& block, BlockWork& work)
{
    for (int i = block.begin; i < block.end; ++i)
    {
        const int index = layout.groups[at(layout.order[at(i)])].link;
        if (index < 0 || work.link_memory[at(index)].broken != 0) continue;
        const Link& link = layout.links[at(index)];
        LinkState& state = work.links[at(index)];
        place_link(layout, link, work.bodies, state);
        const auto size = [&](const Vector6& error)
        { return norm(linear_of(error)) + link.arm * norm(angular_of(error)); };
        if (!(size(state.error) <= size(state.start_error) + kOpening * link.arm)) return true;
    }
    return false;
}

/// Positions alone, without multipliers that would hold the joints: of a long way only so much that none opens. What is
/// left of an overlap is left to the next step.
void correct_tree(const Layout& layout, const Block& block, BlockWork& work)
{
    if (!is_large_step(layout, block, work)) return move_tree(layout, block, 1, work);
    for (int i = block.begin; i < block.end; ++i)
    {
        const Body& body = work.bodies[at(layout.order[at(i)])];
        work.kept[at(layout.order[at(i)])] = {body.delta, body.rotation_now};
    }
    double scale = 1;
    for (int cut = 0; cut <= kMostCuts; ++cut, scale *= 0.5)
    {
        move_tree(layout, block, cut < kMostCuts ? scale : 0, work);
        if (cut == kMostCuts || !opens_links(layout, block, work)) return;
        for (int i = block.begin; i < block.end; ++i)
        {
            Body& body = work.bodies[at(layout.order[at(i)])];
            body.delta = work.kept[at(layout.order[at(i)])].delta;
            body.rotation_now = work.kept[at(layout.order[at(i)])].rotation_now;
        }
    }
}

}  // namespace

void solve_block(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work)
{
    if (!block.tree)
    {
        // x <- x + H^-1 f ([AVBD] Eq. 4)
        const int group = layout.order[at(block.begin)];
        Body& body = work.bodies[at(group)];
        const Increment<double> step = solve(assemble_contacts(layout, group, work));
        body.delta.linear += step.linear;
        body.delta.angular += step.angular;
        return;
    }
    // a tree: inertia and contacts of each group, joints between them, then H^-1 f of the whole
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        const BodySystem<double> system = assemble_contacts(layout, group, work);
        work.diagonal[at(group)] = to_matrix6(system);
        work.to_parent[at(group)] = {};
        work.right[at(group)] = make_vector6(system.force, system.torque);
    }
    // loops and tendons come as rows of low rank, collected here while the tree's own blocks are filled
    scratch.clear();
    for (int i = block.begin; i < block.end; ++i) add_joints(layout, layout.order[at(i)], scratch, work);
    solve_tree(layout, block, scratch, work);
    if (work.correcting)
        correct_tree(layout, block, work);
    else
        move_tree(layout, block, 1, work);
}

namespace
{

/// Violation of the links of a block, as twice the energy of their penalties. Places the links.
double find_violation(const Layout& layout, const Block& block, BlockWork& work)
{
    // links, each with its child
    double sum = 0;
    for (int i = block.begin; i < block.end; ++i)
    {
        // broken links hold nothing, so nothing of them can be violated
        const int l = layout.groups[at(layout.order[at(i)])].link;
        if (l < 0 || work.link_memory[at(l)].broken != 0) continue;
        LinkState& state = work.links[at(l)];
        place_link(layout, layout.links[at(l)], work.bodies, state);
        // k (C(x) - alpha C(x_t))^2 ([AVBD] Eq. 18)
        for (std::size_t c = 0; c < 6; ++c)
        {
            const double error = state.error[c] - (1 - work.error_fraction) * state.start_error_now[c];
            sum += (c < 3 ? state.linear_penalty : state.angular_penalty) * error * error;
        }
    }
    // loops and couplings of tendons, each with its owner
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        for (int k = layout.loops_begin[at(group)]; k < layout.loops_begin[at(group) + 1]; ++k)
        {
            const int loop = layout.loops_of_group[at(k)];
            // rows of soft springs are not violated where the spring balances lambda
            if (owner_of(layout, loop) == group) sum += loop_violation(layout, loop, work);
        }
        for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
        {
            const int row = layout.tendons_of_group[at(k)];
            if (layout.tendon_rows[at(row)].owner == group) sum += coupling_violation(layout, row, work);
        }
    }
    return sum;
}

/// Of the contacts of one group.
void update_contact_duals(int group, BlockWork& work)
{
    const Body& body = work.bodies[at(group)];
    for (int c = work.contact_begin[at(group)]; c < work.contact_begin[at(group) + 1]; ++c)
    {
        // lambda+ at the new x, then lambda <- lambda+ and k <- k + beta |C| ([AVBD] Eqs. 11, 16)
        BlockContact& contact = work.contacts[at(c)];
        const Increment<double>& other = work.bodies[at(contact.other)].delta;
        // all blocks see the x of this sweep's end, in any order: duals need no colours
        const ContactForce<double> force = evaluate(contact.half, body.delta, other);
        if (contact.spin_friction != 0 || contact.roll_friction != 0)
        {
            const Turning turning =
                evaluate_turning(contact, force.normal, body.delta.angular - other.angular + contact.turn);
            contact.spin = turning.spin;
            contact.roll = turning.roll;
        }
        update_dual(force, contact.beta, contact.max_penalty, contact.half);
    }
}

/// Of one link; those of its forbidden motions only if the sweep brought the block `closer`.
void update_link_duals(const Layout& layout, int index, bool closer, BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    LinkState& state = work.links[at(index)];
    LinkMemory& memory = work.link_memory[at(index)];
    if (memory.broken != 0) return;
    const DofForces dofs = find_dof_forces(layout, link, state, memory, work);
    // limits and dry friction are bounded and springs compliant: they cannot run away, and follow every sweep
    if (closer)
    {
        memory.lambda = find_link_wrench(link, state, memory, work);
        for (double& value : memory.lambda) value *= state.swings ? 2 : 1;
    }
    memory.limit = dofs.limit;
    memory.friction = dofs.friction;
    memory.spring = dofs.spring;
}

}  // namespace

void update_block_duals(const Layout& layout, const Block& block, double tendon_beta, BlockWork& work)
{
    // multipliers follow a sweep that closed the links further, not one that overshot
    double& last = work.violation[at(layout.groups[at(layout.order[at(block.begin)])].block)];
    // a single body has no links: all its multipliers follow
    const double violation = block.tree ? find_violation(layout, block, work) : 0;
    const bool closer = violation <= last;
    last = violation;
    // lambda <- lambda+ ([AVBD] Eq. 11); penalties of joints do not grow: a tree is solved exactly
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        update_contact_duals(group, work);
        if (layout.groups[at(group)].link >= 0) update_link_duals(layout, layout.groups[at(group)].link, closer, work);
        for (int k = layout.loops_begin[at(group)]; k < layout.loops_begin[at(group) + 1]; ++k)
        {
            const int loop = layout.loops_of_group[at(k)];
            if (closer && owner_of(layout, loop) == group) update_loop_dual(layout, loop, work);
        }
        for (int k = layout.tendons_begin[at(group)]; k < layout.tendons_begin[at(group) + 1]; ++k)
        {
            const int row = layout.tendons_of_group[at(k)];
            if (layout.tendon_rows[at(row)].owner == group) update_tendon_dual(layout, row, closer, tendon_beta, work);
        }
    }
}

}  // namespace rattleback::avbd
