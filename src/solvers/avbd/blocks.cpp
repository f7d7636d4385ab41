// Newton steps of blocks: contacts and inertia per part, links and loops between parts, elimination along the tree.
#include "solvers/avbd/blocks.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/body_solve.h"
#include "solvers/avbd/geometric_stiffness.h"
#include "solvers/avbd/loops.h"
#include "solvers/avbd/tree_solve.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

Matrix6 to_matrix6(const BodySystem<double>& system)
{
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

/// The action of a link on its part and parent, those in the block.
void add_link(const Layout& layout, int index, int block, BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    LinkState& state = work.links[at(index)];
    const LinkMemory& memory = work.link_memory[at(index)];
    if (memory.broken != 0) return;
    place_link(layout, link, work.bodies, state);
    const DofForces dofs = evaluate_dofs(*layout.model, link, state, memory, work.drives, work.counted, work.dt);
    Vector6 wrench = hold_wrench(state, link, memory.hold, work.counted);
    Matrix6 stiffness = hold_stiffness(state, link);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        add(wrench, state.moment[i], -dofs.force[i]);
        if (dofs.stiffness[i] > 0) stiffness.add_outer(dofs.stiffness[i], state.moment[i], state.moment[i]);
        if (dofs.drag_stiffness[i] == 0) continue;
        add(wrench, state.start_moment[i], -dofs.drag[i]);
        stiffness.add_outer(dofs.drag_stiffness[i], state.start_moment[i], state.start_moment[i]);
    }
    if (dofs.limit_stiffness > 0)
    {
        Vector6 moment{};
        for (int c = 0; c < 3; ++c) add(moment, state.moment[at(dofs.limit_begin + c)], dofs.limit_axis[c]);
        stiffness.add_outer(dofs.limit_stiffness, moment, moment);
    }
    add_action(layout, link, state.anchor, wrench, stiffness, block, work);
    const Vec3 part_arm = state.anchor - work.bodies[at(link.part)].center_now();
    const Vec3 parent_arm = state.anchor - work.bodies[at(link.parent)].center_now();
    if (layout.parts[at(link.part)].block == block)
        add_geometric_stiffness(linear_of(wrench), part_arm, work.diagonal[at(link.part)]);
    if (layout.parts[at(link.parent)].block == block)
        add_geometric_stiffness(-linear_of(wrench), parent_arm, work.diagonal[at(link.parent)]);
}

/// Turning friction: about the normal and about the tangents, bounded by the normal force.
struct Turning
{
    double spin = 0;
    Vec3 roll;
    double spin_stiffness = 0, roll_stiffness = 0;
};
Turning evaluate_turning(const BlockContact& contact, double pressure, const Vec3& turned)
{
    Turning turning;
    const double about = dot(turned, contact.half.normal);
    const double trial = contact.spin - contact.turning * about;
    const double bound = contact.spin_friction * pressure;
    turning.spin = std::clamp(trial, -bound, bound);
    turning.spin_stiffness = turning.spin == trial ? contact.turning : contact.turning * std::abs(turning.spin / trial);
    const Vec3 rolled = contact.roll - contact.turning * (turned - about * contact.half.normal);
    const double size = norm(rolled), most = contact.roll_friction * pressure;
    const double scale = size > most ? most / size : 1;
    turning.roll = scale * rolled;
    turning.roll_stiffness = scale * contact.turning;
    return turning;
}

}  // namespace

void add_action(const Layout& layout, const Link& link, const Vec3& anchor, const Vector6& wrench,
                const Matrix6& stiffness, int block, BlockWork& work)
{
    const Vec3 part_arm = anchor - work.bodies[at(link.part)].center_now();
    const Vec3 parent_arm = anchor - work.bodies[at(link.parent)].center_now();
    const bool has_part = layout.parts[at(link.part)].block == block;
    const bool has_parent = layout.parts[at(link.parent)].block == block;
    if (has_part)
    {
        add(work.diagonal[at(link.part)], shift_stiffness(stiffness, part_arm, part_arm));
        add(work.right[at(link.part)], shift_wrench(wrench, part_arm), -1);
    }
    if (has_parent)
    {
        add(work.diagonal[at(link.parent)], shift_stiffness(stiffness, parent_arm, parent_arm));
        add(work.right[at(link.parent)], shift_wrench(wrench, parent_arm));
    }
    if (!has_part || !has_parent) return;
    if (layout.parts[at(link.part)].up == link.parent)
        add(work.to_parent[at(link.part)], shift_stiffness(stiffness, part_arm, parent_arm), -1);
    else
        add(work.to_parent[at(link.parent)], shift_stiffness(stiffness, parent_arm, part_arm), -1);
}

BodySystem<double> assemble_contacts(const Layout& layout, int part, const BlockWork& work)
{
    const Body& body = work.bodies[at(part)];
    const double inverse = 1 / (work.dt * work.dt);
    BodySystem<double> system;
    add_diagonal(system.linear, inverse * body.mass);
    const Symmetric3<double> inertia = to_symmetric(body.inertia);
    for (std::size_t i = 0; i < 6; ++i) system.angular.m[i] = inverse * inertia.m[i];
    system.force = inverse * body.mass * (body.target.linear - body.moved.linear);
    system.torque = inverse * (body.momentum - spin_momentum(inertia, body.moved.angular));
    for (int c = work.contact_begin[at(part)]; c < work.contact_begin[at(part) + 1]; ++c)
    {
        const BlockContact& contact = work.contacts[at(c)];
        const Increment<double>& other = work.bodies[at(contact.other)].moved;
        const ContactForce<double> force = evaluate(contact.half, body.moved, other);
        const bool same = layout.parts[at(contact.other)].block == layout.parts[at(part)].block &&
                          layout.parts[at(contact.other)].dynamic;
        ContactForce<double> stamped = force;
        // both ends in one block: twice the diagonal bounds the coupling that is left out
        if (same) stamped.stiffness *= 2, stamped.shear *= 2;
        add_contact(contact.half, stamped, system);
        if (contact.spin_friction == 0 && contact.roll_friction == 0) continue;
        const Turning turning = evaluate_turning(contact, force.normal, body.moved.angular - other.angular);
        system.torque += turning.spin * contact.half.normal + turning.roll;
        add_diagonal(system.angular, turning.roll_stiffness);
        add_outer(system.angular, turning.spin_stiffness - turning.roll_stiffness, contact.half.normal);
    }
    return system;
}

void add_joints(const Layout& layout, int part, LoopScratch& scratch, BlockWork& work)
{
    const int block = layout.parts[at(part)].block;
    for (int k = layout.links_begin[at(part)]; k < layout.links_begin[at(part) + 1]; ++k)
    {
        const int l = layout.links_of_part[at(k)];
        const Link& link = layout.links[at(l)];
        // a link inside the block is added once, with its part
        const bool twice = link.parent == part && layout.parts[at(link.part)].block == block;
        if (!twice) add_link(layout, l, block, work);
    }
    for (int k = layout.loops_begin[at(part)]; k < layout.loops_begin[at(part) + 1]; ++k)
    {
        add_loop(layout, layout.loops_of_part[at(k)], part, scratch, work);
    }
}

void move_block(const Layout& layout, const Block& block, LoopScratch& scratch, BlockWork& work)
{
    if (!block.tree)
    {
        const int part = layout.order[at(block.begin)];
        Body& body = work.bodies[at(part)];
        const Increment<double> step = solve(assemble_contacts(layout, part, work));
        body.moved.linear += step.linear;
        body.moved.angular += step.angular;
        return;
    }
    for (int i = block.begin; i < block.end; ++i)
    {
        const int part = layout.order[at(i)];
        const BodySystem<double> system = assemble_contacts(layout, part, work);
        work.diagonal[at(part)] = to_matrix6(system);
        work.to_parent[at(part)] = {};
        work.right[at(part)] = make_vector6(system.force, system.torque);
    }
    scratch.rows.clear();
    for (int i = block.begin; i < block.end; ++i) add_joints(layout, layout.order[at(i)], scratch, work);
    solve_tree(layout, block, scratch, work);
    move_tree(layout, block, work);
}

/// Violation of the links of a block, as twice the energy of their penalties. Places the links.
double find_violation(const Layout& layout, const Block& block, BlockWork& work)
{
    double sum = 0;
    for (int i = block.begin; i < block.end; ++i)
    {
        const int l = layout.parts[at(layout.order[at(i)])].link;
        if (l < 0 || work.link_memory[at(l)].broken != 0) continue;
        LinkState& state = work.links[at(l)];
        place_link(layout, layout.links[at(l)], work.bodies, state);
        for (std::size_t c = 0; c < 6; ++c)
        {
            const double error = state.error[c] - (1 - work.counted) * state.kept[c];
            sum += (c < 3 ? state.hold_linear : state.hold_angular) * error * error;
        }
    }
    for (int i = block.begin; i < block.end; ++i)
    {
        const int part = layout.order[at(i)];
        for (int k = layout.loops_begin[at(part)]; k < layout.loops_begin[at(part) + 1]; ++k)
        {
            const int loop = layout.loops_of_part[at(k)];
            if (owner_of(layout, loop) == part) sum += loop_violation(layout, loop, work);
        }
    }
    return sum;
}

void raise_block(const Layout& layout, const Block& block, BlockWork& work)
{
    double& last = work.violation[at(layout.parts[at(layout.order[at(block.begin)])].block)];
    const double violation = block.tree ? find_violation(layout, block, work) : 0;
    // multipliers follow a sweep that closed the links further, not one that overshot
    const bool closer = violation <= last;
    last = violation;
    for (int i = block.begin; i < block.end; ++i)
    {
        const int part = layout.order[at(i)];
        const Body& body = work.bodies[at(part)];
        for (int c = work.contact_begin[at(part)]; c < work.contact_begin[at(part) + 1]; ++c)
        {
            BlockContact& contact = work.contacts[at(c)];
            const Increment<double>& other = work.bodies[at(contact.other)].moved;
            const ContactForce<double> force = evaluate(contact.half, body.moved, other);
            if (contact.spin_friction != 0 || contact.roll_friction != 0)
            {
                const Turning turning = evaluate_turning(contact, force.normal, body.moved.angular - other.angular);
                contact.spin = turning.spin;
                contact.roll = turning.roll;
            }
            raise(force, contact.ramp, contact.most, contact.half);
        }
        const int l = layout.parts[at(part)].link;
        if (l >= 0 && work.link_memory[at(l)].broken == 0)
        {
            const Link& link = layout.links[at(l)];
            LinkState& state = work.links[at(l)];
            LinkMemory& memory = work.link_memory[at(l)];
            const DofForces dofs =
                evaluate_dofs(*layout.model, link, state, memory, work.drives, work.counted, work.dt);
            if (closer) memory.hold = hold_wrench(state, link, memory.hold, work.counted);
            memory.limit = dofs.limit;
            memory.friction = dofs.friction;
            memory.spring = dofs.spring;
        }
        for (int k = layout.loops_begin[at(part)]; k < layout.loops_begin[at(part) + 1]; ++k)
        {
            const int loop = layout.loops_of_part[at(k)];
            if (closer && owner_of(layout, loop) == part) raise_loop(layout, loop, work);
        }
    }
}

}  // namespace rattleback::avbd
