// Spanning trees of the blocks.
#include "solvers/avbd/elimination.h"

#include "base/disjoint_sets.h"
#include "base/index.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace rattleback::avbd
{

namespace
{

bool is_dynamic(const Layout& layout, int group) { return layout.groups[at(group)].dynamic; }

struct Graph
{
    DisjointSets trees;                        ///< of groups that edges have joined
    std::vector<std::vector<int>> neighbours;  ///< [group]
};

/// Links first, then the loops that join two trees: those that hold all six motions before those that hold three.
Graph join_groups(Layout& layout)
{
    // Kruskal's spanning forest: an edge is taken if it joins two trees that are still apart
    Graph graph{DisjointSets(layout.groups.size()), std::vector<std::vector<int>>(layout.groups.size())};
    const auto join = [&](int a, int b)
    {
        // an edge joins two groups that move, in one block, that no edge joins yet
        if (!is_dynamic(layout, a) || !is_dynamic(layout, b)) return false;
        if (layout.groups[at(a)].block != layout.groups[at(b)].block || !graph.trees.join(a, b)) return false;
        graph.neighbours[at(a)].push_back(b);
        graph.neighbours[at(b)].push_back(a);
        return true;
    };
    // joints are always edges
    for (const Link& link : layout.links) join(link.child, link.parent);
    // an edge is solved exactly, what is left over only as a row of low rank: the one that holds more comes first
    for (const bool six : {true, false})
    {
        for (Loop& loop : layout.loops)
        {
            if (loop.type == EqualityType::joint || six != (loop.rows() == 6)) continue;
            loop.edge = join(loop.first, loop.second);
        }
    }
    return graph;
}

/// Parents before children, of all groups that may come next always the smallest: trees of links stay as they are.
void order_groups(Graph& graph, Layout& layout)
{
    // the smallest group of every tree is its root
    std::vector<char> placed(layout.groups.size(), 0);
    std::priority_queue<int, std::vector<int>, std::greater<>> next;
    // from the roots on: the next group always hangs on one that is placed, so backwards it runs from leaves to roots
    for (const Block& block : layout.blocks)
    {
        for (int i = block.begin; i < block.end; ++i)
        {
            const int group = layout.order[at(i)];
            if (graph.trees.find(group) == group) next.push(group);
        }
        for (int i = block.begin; !next.empty(); ++i)
        {
            const int group = next.top();
            next.pop();
            placed[at(group)] = 1;
            layout.order[at(i)] = group;
            // neighbours that are not placed yet hang below it
            for (const int other : graph.neighbours[at(group)])
            {
                if (placed[at(other)] != 0) continue;
                layout.groups[at(other)].up = group;
                next.push(other);
            }
        }
    }
}

/// A link or loop that is an edge supports the lighter side of its tree, or, where the tree hangs on something that
/// does not give way, the heavier: which side hangs is not known. The arm of a loop is as long as that side.
void add_supported_masses(Graph& graph, Layout& layout)
{
    // mass and length of each subtree and of each tree
    std::vector<double> below(layout.groups.size(), 0), total(layout.groups.size(), 0);
    std::vector<double> span_below(layout.groups.size(), 0), span(layout.groups.size(), 0);
    std::vector<char> held(layout.groups.size(), 0), mixed(layout.groups.size(), 0);
    // parents come before children: backwards, every subtree is complete when it is added to its parent
    for (std::size_t i = layout.order.size(); i-- > 0;)
    {
        // a chain's length bounds the arm at which its weight can turn a joint
        const int group = layout.order[i], up = layout.groups[at(group)].up;
        below[at(group)] += layout.groups[at(group)].mass;
        span_below[at(group)] += 2 * layout.groups[at(group)].extent;
        if (up >= 0)
        {
            below[at(up)] += below[at(group)];
            span_below[at(up)] += span_below[at(group)];
        }
        total[at(graph.trees.find(group))] += layout.groups[at(group)].mass;
        span[at(graph.trees.find(group))] += 2 * layout.groups[at(group)].extent;
    }
    // trees that hang on something given; trees in which loops are edges
    // what hangs on the world or on a kinematic body has an end of infinite mass
    const auto mark_held = [&](int a, int b)
    {
        if (is_dynamic(layout, a) && !is_dynamic(layout, b)) held[at(graph.trees.find(a))] = 1;
        if (is_dynamic(layout, b) && !is_dynamic(layout, a)) held[at(graph.trees.find(b))] = 1;
    };
    for (const Link& link : layout.links) mark_held(link.child, link.parent);
    for (const Loop& loop : layout.loops)
    {
        if (loop.type != EqualityType::joint) mark_held(loop.first, loop.second);
        if (loop.edge) mixed[at(graph.trees.find(loop.first))] = 1;
    }
    // mass and length of the side that an edge between a and b supports
    const auto supported = [&](int a, int b)
    {
        const auto tree = at(graph.trees.find(a));
        // an edge cuts its tree in two: what is below it, and the rest
        const double one = below[at(layout.groups[at(a)].up == b ? a : b)], rest = total[tree] - one;
        // which end of a tree that is held carries the other is not known here, so the stiffer guess is taken
        return held[tree] != 0 ? std::max(one, rest) : one * rest / (one + rest);
    };
    const auto reach = [&](int a, int b)
    {
        const auto tree = at(graph.trees.find(a));
        const double one = span_below[at(layout.groups[at(a)].up == b ? a : b)], rest = span[tree] - one;
        return held[tree] != 0 ? std::max(one, rest) : std::min(one, rest);
    };
    // links keep the mass of their subtree unless loops are edges of the same tree
    for (Link& link : layout.links)
    {
        // trees of joints alone have their masses from add_supported_masses() of layout_blocks.cpp
        const bool inside = is_dynamic(layout, link.child) && is_dynamic(layout, link.parent);
        if (mixed[at(graph.trees.find(link.child))] == 0) continue;
        link.supported_mass = inside ? supported(link.child, link.parent) : total[at(graph.trees.find(link.child))];
    }
    for (Loop& loop : layout.loops)
    {
        const bool one_end =
            loop.type != EqualityType::joint && is_dynamic(layout, loop.first) != is_dynamic(layout, loop.second);
        // an edge supports one side of its tree, a loop to something given the whole of it
        if (loop.edge)
        {
            loop.supported_mass = supported(loop.first, loop.second);
            loop.arm = std::max(loop.arm, reach(loop.first, loop.second));
        }
        if (one_end)
        {
            const auto tree = at(graph.trees.find(is_dynamic(layout, loop.first) ? loop.first : loop.second));
            loop.supported_mass = total[tree];
            loop.arm = std::max(loop.arm, span[tree]);
        }
    }
}

}  // namespace

void build_spanning_trees(Layout& layout)
{
    // edges, then an order along them, then the masses that penalties are measured by
    Graph graph = join_groups(layout);
    order_groups(graph, layout);
    add_supported_masses(graph, layout);
}

}  // namespace rattleback::avbd
