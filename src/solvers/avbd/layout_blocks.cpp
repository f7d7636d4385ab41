// From a Model's equalities to loops, and from links and loops to blocks.
#include "solvers/avbd/layout_blocks.h"

#include "base/disjoint_sets.h"
#include "base/index.h"
#include "solvers/avbd/elimination.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rattleback::avbd
{

namespace
{

/// Groups of each link and loop, as lists by group.
template <class Each>
void index_by_group(const Layout& layout, std::size_t count, Each each, std::vector<int>& begin, std::vector<int>& list)
{
    // lists by group first, then one after the other
    std::vector<std::vector<int>> lists(layout.groups.size());
    // every item tells its groups; one that names a group twice is listed once
    for (std::size_t i = 0; i < count; ++i)
    {
        each(static_cast<int>(i),
             [&](int group)
             {
                 auto& of_group = lists[at(group)];
                 if (layout.groups[at(group)].dynamic && (of_group.empty() || of_group.back() != static_cast<int>(i)))
                     of_group.push_back(static_cast<int>(i));
             });
    }
    begin.assign(1, 0);
    for (const auto& of_group : lists)
    {
        list.insert(list.end(), of_group.begin(), of_group.end());
        begin.push_back(static_cast<int>(list.size()));
    }
}

/// Calls `visit` with each group that a loop moves.
template <class Visit>
void for_each_dynamic_group(const Layout& layout, const Loop& loop, Visit visit)
{
    const auto look = [&](int group)
    {
        // what does not move has no block and takes no part in the order
        if (layout.groups[at(group)].dynamic) visit(group);
    };
    // a loop touches two groups; a coupling of two joints the two of each link
    look(loop.first);
    look(loop.second);
    if (loop.second_link < 0) return;
    look(layout.links[at(loop.second_link)].child);
    look(layout.links[at(loop.second_link)].parent);
}

/// Trees that a loop joins become one block. False: the loop closes a circle instead.
bool join_blocks(const Layout& layout, const Loop& loop, DisjointSets& blocks)
{
    // all groups of the loop into the set of the first of them
    int first = -1;
    bool joined = false;
    for_each_dynamic_group(layout, loop,
                           [&](int group)
                           {
                               // union-find: the answer is whether any two sets were still apart
                               if (first < 0) first = group;
                               if (blocks.join(first, group)) joined = true;
                           });
    return joined;
}

/// The same of a row of tendons, which closes a circle even where it joins: no edge of a tree holds one length alone.
void join_blocks(const Layout& layout, const TendonRow& row, DisjointSets& blocks)
{
    for (const int group : layout.groups_of(row))
    {
        if (layout.groups[at(group)].dynamic) blocks.join(row.owner, group);
    }
}

/// How many dynamic groups a row of tendons moves.
int count_dynamic(const Layout& layout, const TendonRow& row)
{
    const std::span<const int> groups = layout.groups_of(row);
    return static_cast<int>(
        std::count_if(groups.begin(), groups.end(), [&](int group) { return layout.groups[at(group)].dynamic; }));
}

/// [group] the first group of the block that it belongs to: trees joined by loops and tendons. Where too many circles
/// would close (a net, chain mail), trees stay blocks of their own.
std::vector<int> find_block_roots(const Layout& layout)
{
    // trees of joints, then what equalities and tendons join
    DisjointSets trees(layout.groups.size());
    for (const Link& link : layout.links)
    {
        // kinematic parents and the world tie nothing together: their children see them as given
        if (layout.groups[at(link.parent)].dynamic) trees.join(link.child, link.parent);
    }
    // loops that join two trees become edges; the others, and all tendons, rows of low rank
    DisjointSets blocks = trees;
    std::vector<const Loop*> circles;
    for (const Loop& loop : layout.loops)
    {
        // closing a circle means: all its groups were in one set before
        if (!join_blocks(layout, loop, blocks)) circles.push_back(&loop);
    }
    for (const TendonRow& row : layout.tendon_rows) join_blocks(layout, row, blocks);
    // rows of the circles in each block
    std::vector<int> rows(layout.groups.size());
    for (const Loop* loop : circles)
    {
        int count = 0, root = 0;
        for_each_dynamic_group(layout, *loop,
                               [&](int group)
                               {
                                   ++count;
                                   root = blocks.find(group);
                               });
        // a row on one moving group alone is a part of that group's own block
        if (count > 1) rows[at(root)] += loop->rows();
    }
    for (const TendonRow& row : layout.tendon_rows)
    {
        if (count_dynamic(layout, row) > 1) ++rows[at(blocks.find(row.owner))];
    }
    // a block with too many of these rows falls apart into its trees
    std::vector<int> roots;
    for (int g = 0; g < static_cast<int>(layout.groups.size()); ++g)
    {
        const int root = blocks.find(g);
        // Woodbury's identity costs a solve with the tree per row, and a dense system of that size
        roots.push_back(rows[at(root)] > Block::kMaxLoopRows ? trees.find(g) : root);
    }
    return roots;
}

bool has_armature(const Layout& layout, const Link& link)
{
    const auto first = layout.model->dofs.armature.begin() + link.v_begin;
    return std::any_of(first, first + link.dof_count, [](double armature) { return armature > 0; });
}

}  // namespace

void add_loops(const Model& model, Layout& layout)
{
    const Equalities& equalities = model.equalities;
    for (int e = 0; e < model.equality_count(); ++e)
    {
        Loop loop;
        loop.equality = e;
        loop.type = equalities.type[at(e)];
        if (loop.type == EqualityType::tendon) continue;
        const int first = equalities.first[at(e)], second = equalities.second[at(e)];
        // couplings act on dofs of links, all others between frames of two groups
        if (loop.type == EqualityType::joint)
        {
            const auto link_of = [&](int joint)
            { return layout.groups[at(layout.group_of_body[at(model.joints.body[at(joint)])])].link; };
            // the coupling names joints; its rows act along the dofs of the links that these joints belong to
            const auto dof_of = [&](int joint, int link)
            { return model.joints.v_begin[at(joint)] - layout.links[at(link)].v_begin; };
            loop.first_link = link_of(first);
            loop.first_dof = dof_of(first, loop.first_link);
            // child and parent of the first link are the pair that the coupling is listed with
            loop.first = layout.links[at(loop.first_link)].child;
            loop.second = layout.links[at(loop.first_link)].parent;
            if (second >= 0)
            {
                loop.second_link = link_of(second);
                loop.second_dof = dof_of(second, loop.second_link);
            }
        }
        else
        {
            loop.first = layout.group_of_body[at(first)];
            loop.second = layout.group_of_body[at(second)];
            if (loop.first == loop.second) continue;  // the same rigid group: nothing to hold
            // frames of the bodies become frames of the groups that carry them
            loop.first_frame = layout.in_group[at(first)] * equalities.first_frame[at(e)];
            loop.second_frame = layout.in_group[at(second)] * equalities.second_frame[at(e)];
        }
        layout.loops.push_back(loop);
    }
}

void add_supported_masses(Layout& layout)
{
    // mass of each subtree; of each whole tree, infinite where it hangs on something that is given
    std::vector<double> below(layout.groups.size(), 0), total(layout.groups.size(), 0);
    std::vector<int> root(layout.groups.size());
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
        // a joint carries what hangs below it
        below[g] = layout.groups[g].dynamic ? layout.groups[g].mass : 0;
    for (std::size_t g = layout.groups.size(); g-- > 0;)
    {
        // children have larger numbers than parents: backwards, subtrees are complete
        const int link = layout.groups[g].link;
        if (link >= 0) below[at(layout.links[at(link)].parent)] += below[g];
    }
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        const int link = layout.groups[g].link;
        root[g] = link >= 0 ? root[at(layout.links[at(link)].parent)] : static_cast<int>(g);
        // held by the world or by something kinematic: the other side of every joint is infinitely heavy
        const bool held = !layout.groups[at(root[g])].dynamic;
        total[g] = held ? std::numeric_limits<double>::infinity() : below[at(root[g])];
    }
    // of the trees themselves, held or not: what hangs on one joint of something given
    std::vector<double> tree(layout.groups.size(), 0);
    std::vector<int> top(layout.groups.size());
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        const int link = layout.groups[g].link;
        const int parent = link >= 0 ? layout.links[at(link)].parent : -1;
        top[g] = parent >= 0 && layout.groups[at(parent)].dynamic ? top[at(parent)] : static_cast<int>(g);
        if (layout.groups[g].dynamic) tree[at(top[g])] += layout.groups[g].mass;
    }
    // a link supports the reduced mass of its two sides
    for (Link& link : layout.links)
    {
        const auto g = at(link.child);
        // k of a joint is measured in this mass over h^2 (start_link())
        const double rest = total[g] - below[g];
        link.supported_mass = rest > 0 ? reduced_mass(below[g], rest) : below[g];
        link.heavier_mass = std::max(below[g], tree[at(top[g])] - below[g]);
        // a turn at the child is felt at the length of its shapes
        link.arm = std::max(layout.groups[g].reach, layout.groups[g].extent);
    }
    for (Loop& loop : layout.loops)
    {
        double mass = std::numeric_limits<double>::infinity(), arm = 0;
        for (const int group : {loop.first, loop.second})
        {
            // a loop pulls on the subtrees of both its ends
            if (layout.groups[at(group)].dynamic) mass = reduced_mass(mass, below[at(group)]);
            arm = std::max(arm, layout.groups[at(group)].extent);
        }
        loop.supported_mass = std::isfinite(mass) ? mass : 1;
        loop.arm = arm;
    }
}

void index_joints(Layout& layout)
{
    // links by group: both ends, so that single-body blocks find their joints
    index_by_group(
        layout, layout.links.size(),
        [&](int i, const auto& touch)
        {
            touch(layout.links[at(i)].child);
            touch(layout.links[at(i)].parent);
        },
        layout.links_begin, layout.links_of_group);
    // loops by group: a coupling of joints is found from all four of its groups
    index_by_group(
        layout, layout.loops.size(),
        [&](int i, const auto& touch)
        {
            const Loop& loop = layout.loops[at(i)];
            touch(loop.first);
            touch(loop.second);
            if (loop.second_link >= 0)
            {
                touch(layout.links[at(loop.second_link)].child);
                touch(layout.links[at(loop.second_link)].parent);
            }
        },
        layout.loops_begin, layout.loops_of_group);
    // tendons by group, likewise
    index_by_group(
        layout, layout.tendon_rows.size(),
        [&](int i, const auto& touch)
        {
            for (const int group : layout.groups_of(layout.tendon_rows[at(i)])) touch(group);
        },
        layout.tendons_begin, layout.tendons_of_group);
}

namespace
{

/// Which rows of tendons lie inside a block; those that couple groups of it count among its rows.
void place_tendons(Layout& layout)
{
    // nothing moves a row without an owner
    for (TendonRow& row : layout.tendon_rows)
    {
        if (row.owner < 0) continue;
        // a row inside one block is solved with it, one between blocks by each of them in turn
        const int block = layout.groups[at(row.owner)].block;
        for (const int group : layout.groups_of(row))
        {
            const RigidGroup& own = layout.groups[at(group)];
            row.in_block = row.in_block && (!own.dynamic || own.block == block);
        }
        if (row.in_block && count_dynamic(layout, row) > 1) ++layout.blocks[at(block)].loop_rows;
    }
}

}  // namespace

void add_blocks(Layout& layout, bool tree_blocks)
{
    // root of each group's block: its own, its tree's, or that of the trees that loops join
    // with `blocks = bodies` every group is its own root: the blocks of [AVBD]
    std::vector<int> block_root(layout.groups.size());
    std::iota(block_root.begin(), block_root.end(), 0);
    if (tree_blocks) block_root = find_block_roots(layout);
    for (std::size_t g = 0; g < layout.groups.size(); ++g)
    {
        if (layout.groups[g].dynamic) layout.order.push_back(static_cast<int>(g));
    }
    // blocks are ranges of the groups sorted by root, parents first
    std::stable_sort(layout.order.begin(), layout.order.end(),
                     // stable: parents stay before their children
                     [&](int a, int b) { return block_root[at(a)] < block_root[at(b)]; });
    for (std::size_t i = 0; i < layout.order.size(); ++i)
    {
        const int group = layout.order[i];
        if (i == 0 || block_root[at(group)] != block_root[at(layout.order[i - 1])])
            layout.blocks.push_back({static_cast<int>(i), static_cast<int>(i), false});
        Block& block = layout.blocks.back();
        block.end = static_cast<int>(i) + 1;
        // anything but contacts makes a block one for the elimination, even a single body on a hinge
        const bool linked = layout.links_begin[at(group) + 1] > layout.links_begin[at(group)];
        const bool looped = layout.loops_begin[at(group) + 1] > layout.loops_begin[at(group)];
        const bool drawn = layout.tendons_begin[at(group) + 1] > layout.tendons_begin[at(group)];
        block.tree = block.tree || linked || looped || drawn;
        // a tree with armature has a second solve for its velocities (armature.h)
        const int link = layout.groups[at(group)].link;
        block.armature = block.armature || (link >= 0 && has_armature(layout, layout.links[at(link)]));
        layout.groups[at(group)].block = static_cast<int>(layout.blocks.size()) - 1;
    }
    // which loops lie inside a block, and how many rows they have there
    if (tree_blocks) build_spanning_trees(layout);
    for (Loop& loop : layout.loops)
    {
        int block = -1;
        bool inside = false;
        for_each_dynamic_group(layout, loop,
                               [&](int group)
                               {
                                   // two groups of the loop in one block: that block sees it as a whole
                                   inside = inside || block == layout.groups[at(group)].block;
                                   loop.in_block =
                                       loop.in_block && (block < 0 || block == layout.groups[at(group)].block);
                                   block = layout.groups[at(group)].block;
                               });
        if (inside && !loop.edge) layout.blocks[at(block)].loop_rows += loop.rows();
    }
    place_tendons(layout);
    for (const Block& block : layout.blocks)
    {
        // k of a contact is measured by what is moved together with the body that it touches
        double mass = 0;
        for (int i = block.begin; i < block.end; ++i) mass += layout.groups[at(layout.order[at(i)])].mass;
        for (int i = block.begin; i < block.end; ++i) layout.groups[at(layout.order[at(i)])].block_mass = mass;
    }
}

}  // namespace rattleback::avbd
