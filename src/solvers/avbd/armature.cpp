// Velocities of trees with armature on the axes at the end of a substep.
#include "solvers/avbd/armature.h"

#include "base/index.h"
#include "base/thread_pool.h"
#include "math/rotation.h"
#include "solvers/avbd/tree_solve.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr double kForbidden = 100;  // the forbidden motions' mass, in units of constraint_stiffness() h^2

/// Mass and inertia of one group at the end of the substep.
void start_group(const Layout& layout, int group, BlockWork& work)
{
    const Body& body = work.bodies[at(group)];
    // M of the group with the inertia turned to its pose at the end of the substep.
    const Mat3 inertia = turn_tensor(body.rotation, layout.groups[at(group)].inertia);
    Matrix6& own = work.diagonal[at(group)] = {};
    for (std::size_t i = 0; i < 3; ++i)
    {
        own(i, i) = body.mass;
        for (std::size_t j = 0; j < 3; ++j) own(i + 3, j + 3) = inertia.m[3 * i + j];
    }
    work.to_parent[at(group)] = {};
    work.right[at(group)] = {};
}

/// What a motion has of the forbidden kind. Twice, since moments are regularised by 1e-12 (find_moments()): what would
/// be left along the dofs, times the mass of the forbidden motions, brakes a tree at small steps.
Vector6 remove_dofs(const Link& link, const LinkState& state, Vector6 motion)
{
    for (int pass = 0; pass < 2; ++pass)
    {
        Vector6 rate{};
        for (std::size_t i = 0; i < at(link.dof_count); ++i) rate[i] = dot6(state.moment[i], motion);
        for (std::size_t i = 0; i < at(link.dof_count); ++i) add(motion, state.axis[i], -rate[i]);
    }
    return motion;
}

/// Armature of one link, that wants the rates which its coordinates had.
void add_rates(const Layout& layout, int index, int block, double dt, BlockWork& work)
{
    const Link& link = layout.links[at(index)];
    if (work.link_memory[at(index)].broken != 0) return;
    LinkState& state = work.links[at(index)];
    // rates along the axes of the start, and the motion of the bodies along those of the end
    std::array<double, kMaxDofs> rate{};
    for (std::size_t i = 0; i < at(link.dof_count); ++i) rate[i] = state.dofs[i].reached / dt;
    // the state of the link at the end of the substep, with its new axes S
    place_link(layout, link, work.bodies, state);
    const Body &child = work.bodies[at(link.child)], &parent = work.bodies[at(link.parent)];
    const Vector6 motion =
        motion_between(child.velocity, state.anchor - child.center, parent.velocity, state.anchor - parent.center);
    // SᵀAS, and SᵀA (S v - rates) with the sign of a wrench on the parent; forbidden motions stay so
    Vector6 wrench{};
    Matrix6 inertia;
    // K h^2 is a mass: velocities that would open the joint are as heavy as a hundred of it
    add(inertia, constraint_stiffness(state, link), kForbidden * dt * dt);
    // the midpoint rule leaves velocities that open the joint, of third order in h: they are taken out
    if (work.swings[at(block)] != 0) wrench = inertia * remove_dofs(link, state, motion);
    for (std::size_t i = 0; i < at(link.dof_count); ++i)
    {
        // dofs without armature are free to take the rate that follows from the others
        const double armature = layout.model->dofs.armature[at(link.v_begin) + i];
        if (armature == 0) continue;
        add(wrench, state.moment[i], armature * (dot6(state.moment[i], motion) - rate[i]));
        inertia.add_outer(armature, state.moment[i], state.moment[i]);
    }
    add_action(layout, link, state, wrench, inertia, block, work);
}

/// The tree's velocities: (M + SᵀAS) dv = SᵀA (rates - S v), M of the bodies, A the armature, S the axes at the end.
void carry_tree(const Layout& layout, int index, double dt, LoopScratch& scratch, BlockWork& work)
{
    // the same elimination as for the positions, with velocities as unknowns
    const Block& block = layout.blocks[at(index)];
    // inertia of the bodies, armature of the links
    for (int i = block.begin; i < block.end; ++i) start_group(layout, layout.order[at(i)], work);
    for (int i = block.begin; i < block.end; ++i)
    {
        const int link = layout.groups[at(layout.order[at(i)])].link;
        if (link >= 0) add_rates(layout, link, index, dt, work);
    }
    // by elimination along the tree, without loops
    scratch.clear();
    solve_tree(layout, block, scratch, work);
    for (int i = block.begin; i < block.end; ++i)
    {
        const int group = layout.order[at(i)];
        // v <- v + dv, which is zero where no armature pulls
        Velocity& velocity = work.bodies[at(group)].velocity;
        velocity.linear += linear_of(work.right[at(group)]);
        velocity.angular += angular_of(work.right[at(group)]);
    }
}

constexpr int kTreesPerTask = 4;

}  // namespace

ArmatureTrees::ArmatureTrees(const Layout& layout, bool tree_blocks) : layout_(layout)
{
    // Where bodies are blocks of their own, a second layout knows the trees.
    // only trees whose dofs have armature, or that may swing, need the second solve
    const auto has_armature = [](const Block& block) { return block.armature; };
    const bool any = std::any_of(layout.blocks.begin(), layout.blocks.end(), has_armature);
    if (any && !tree_blocks) trees_.emplace(*layout.model, true);
    for (std::size_t b = 0; b < trees().blocks.size(); ++b)
    {
        const Block& block = trees().blocks[b];
        if (block.armature || (tree_blocks && block.tree)) blocks_.push_back(static_cast<int>(b));
    }
}

void ArmatureTrees::follow_masses()
{
    // groups have the same numbers in both layouts
    for (std::size_t g = 0; trees_ && g < layout_.groups.size(); ++g)
    {
        trees_->groups[g].mass = layout_.groups[g].mass;
        trees_->groups[g].center = layout_.groups[g].center;
        trees_->groups[g].inertia = layout_.groups[g].inertia;
    }
}

void ArmatureTrees::record_advance(BlockWork& work) const
{
    // `advance` is the exact conjugate of the force along the axes of the start (link_rows.h), hence the rate
    // Taken after the last sweep: post-stabilisation moves positions, and must not count as a rate.
    if (blocks_.empty()) return;
    for (std::size_t l = 0; l < layout_.links.size(); ++l)
    {
        for (std::size_t i = 0; i < at(layout_.links[l].dof_count); ++i)
        {
            // of what swings the rate at the end, as mirror_velocity()
            LinkDof& dof = work.links[l].dofs[i];
            dof.reached = work.links[l].swings ? 2 * (dof.q - dof.start) - work.dt * dof.rate : dof.advance;
        }
    }
}

void ArmatureTrees::carry_rates(double dt, const Sleep* sleep, ThreadPool& pool, BlockWork& work) const
{
    const auto carry = [&](std::size_t begin, std::size_t end, int /*task*/, int worker)
    {
        // trees share no group: side by side with any number of threads
        for (std::size_t k = begin; k < end; ++k)
        {
            const Block& block = trees().blocks[at(blocks_[k])];
            if (!block.armature && work.swings[at(blocks_[k])] == 0) continue;
            // Sleepers have no velocity to carry.
            const bool asleep = sleep != nullptr && sleep->is_asleep(trees().order[at(block.begin)]);
            if (!asleep) carry_tree(trees(), blocks_[k], dt, work.scratch[at(worker)], work);
        }
    };
    run_pieces(&pool, blocks_.size(), kTreesPerTask, carry);
}

}  // namespace rattleback::avbd
