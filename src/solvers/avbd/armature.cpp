// Velocities of trees with armature on the axes at the end of a substep.
#include "solvers/avbd/armature.h"

#include "base/index.h"
#include "math/rotation.h"
#include "solvers/avbd/tree_solve.h"

namespace rattleback::avbd
{

namespace
{

constexpr double kHold = 100;  // the forbidden motions' mass, in units of hold_stiffness() h^2

void start_part(const Layout& layout, int part, BlockWork& work)
{
    const Body& body = work.bodies[at(part)];
    const Mat3 axes = to_matrix(body.rotation);
    const Mat3 inertia = axes * layout.parts[at(part)].inertia * transpose(axes);
    Matrix6& own = work.diagonal[at(part)] = {};
    for (std::size_t i = 0; i < 3; ++i)
    {
        own(i, i) = body.mass;
        for (std::size_t j = 0; j < 3; ++j) own(i + 3, j + 3) = inertia.m[3 * i + j];
    }
    work.to_parent[at(part)] = {};
    work.right[at(part)] = {};
}

void add_rates(const Layout& layout, int index, int block, double dt, BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    if (work.link_memory[at(index)].broken != 0) return;
    LinkState& state = work.links[at(index)];
    std::array<double, kMaxDofs> rate{};
    for (std::size_t i = 0; i < at(link.dof_count); ++i) rate[i] = state.dofs[i].reached / dt;
    place_link(layout, link, work.bodies, state);
    const Body &part = work.bodies[at(link.part)], &parent = work.bodies[at(link.parent)];
    const Vector6 motion =
        motion_between(part.velocity, state.anchor - part.center, parent.velocity, state.anchor - parent.center);
    Vector6 wrench{};
    Matrix6 inertia;
    add(inertia, hold_stiffness(state, link), kHold * dt * dt);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        const double armature = layout.model->dofs.armature[at(link.v_begin) + i];
        if (armature == 0) continue;
        add(wrench, state.moment[i], armature * (dot6(state.moment[i], motion) - rate[i]));
        inertia.add_outer(armature, state.moment[i], state.moment[i]);
    }
    add_action(layout, link, state.anchor, wrench, inertia, block, work);
}

}  // namespace

void note_advance(const Layout& layout, BlockWork& work)
{
    for (std::size_t l = 0; l < layout.links.size(); ++l)
    {
        for (std::size_t i = 0; i < at(layout.links[l].dof_count); ++i)
            work.links[l].dofs[i].reached = work.links[l].dofs[i].advance;
    }
}

void carry_armature(const Layout& layout, int index, double dt, LoopScratch& scratch, BlockWork& work)
{
    const Block& block = layout.blocks[at(index)];
    for (int i = block.begin; i < block.end; ++i) start_part(layout, layout.order[at(i)], work);
    for (int i = block.begin; i < block.end; ++i)
    {
        const int link = layout.parts[at(layout.order[at(i)])].link;
        if (link >= 0) add_rates(layout, link, index, dt, work);
    }
    scratch.rows.clear();
    solve_tree(layout, block, scratch, work);
    for (int i = block.begin; i < block.end; ++i)
    {
        const int part = layout.order[at(i)];
        Velocity& velocity = work.bodies[at(part)].velocity;
        velocity.linear += linear_of(work.right[at(part)]);
        velocity.angular += angular_of(work.right[at(part)]);
    }
}

}  // namespace rattleback::avbd
