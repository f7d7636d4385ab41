// Spanning trees of the blocks.
#include "solvers/avbd/elimination.h"

#include "base/index.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace rattleback::avbd
{

namespace
{

/// Sets of parts that edges have joined, each known by its smallest part.
struct Sets
{
    std::vector<int> parent;

    explicit Sets(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
    int find(int part)
    {
        while (parent[at(part)] != part) part = parent[at(part)] = parent[at(parent[at(part)])];
        return part;
    }
    bool join(int a, int b)
    {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        parent[at(std::max(a, b))] = std::min(a, b);
        return true;
    }
};

bool is_dynamic(const Layout& layout, int part) { return layout.parts[at(part)].dynamic; }

struct Graph
{
    Sets trees;
    std::vector<std::vector<int>> neighbours;  ///< [part]
};

/// Links first, then the loops that join two trees: those that hold all six motions before those that hold three.
Graph join_parts(Layout& layout)
{
    Graph graph{Sets(layout.parts.size()), std::vector<std::vector<int>>(layout.parts.size())};
    const auto join = [&](int a, int b)
    {
        if (!is_dynamic(layout, a) || !is_dynamic(layout, b)) return false;
        if (layout.parts[at(a)].block != layout.parts[at(b)].block || !graph.trees.join(a, b)) return false;
        graph.neighbours[at(a)].push_back(b);
        graph.neighbours[at(b)].push_back(a);
        return true;
    };
    for (const Link& link : layout.links) join(link.part, link.parent);
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

/// Parents before children, of all parts that may come next always the smallest: trees of links stay as they are.
void order_parts(const Graph& graph, Layout& layout)
{
    std::vector<char> placed(layout.parts.size(), 0);
    std::priority_queue<int, std::vector<int>, std::greater<>> next;
    for (const Block& block : layout.blocks)
    {
        for (int i = block.begin; i < block.end; ++i)
        {
            const int part = layout.order[at(i)];
            if (graph.trees.parent[at(part)] == part) next.push(part);
        }
        for (int i = block.begin; !next.empty(); ++i)
        {
            const int part = next.top();
            next.pop();
            placed[at(part)] = 1;
            layout.order[at(i)] = part;
            for (const int other : graph.neighbours[at(part)])
            {
                if (placed[at(other)] != 0) continue;
                layout.parts[at(other)].up = part;
                next.push(other);
            }
        }
    }
}

/// A link or loop that is an edge carries the lighter side of its tree, or, where the tree hangs on something that
/// does not give way, the heavier: which side hangs is not known. The arm of a loop is as long as that side.
void add_carried_masses(Graph& graph, Layout& layout)
{
    std::vector<double> below(layout.parts.size(), 0), total(layout.parts.size(), 0);
    std::vector<double> span_below(layout.parts.size(), 0), span(layout.parts.size(), 0);
    std::vector<char> held(layout.parts.size(), 0), mixed(layout.parts.size(), 0);
    for (std::size_t i = layout.order.size(); i-- > 0;)
    {
        const int part = layout.order[i], up = layout.parts[at(part)].up;
        below[at(part)] += layout.parts[at(part)].mass;
        span_below[at(part)] += 2 * layout.parts[at(part)].extent;
        if (up >= 0)
        {
            below[at(up)] += below[at(part)];
            span_below[at(up)] += span_below[at(part)];
        }
        total[at(graph.trees.find(part))] += layout.parts[at(part)].mass;
        span[at(graph.trees.find(part))] += 2 * layout.parts[at(part)].extent;
    }
    const auto hold = [&](int a, int b)
    {
        if (is_dynamic(layout, a) && !is_dynamic(layout, b)) held[at(graph.trees.find(a))] = 1;
        if (is_dynamic(layout, b) && !is_dynamic(layout, a)) held[at(graph.trees.find(b))] = 1;
    };
    for (const Link& link : layout.links) hold(link.part, link.parent);
    for (const Loop& loop : layout.loops)
    {
        if (loop.type != EqualityType::joint) hold(loop.first, loop.second);
        if (loop.edge) mixed[at(graph.trees.find(loop.first))] = 1;
    }
    const auto carried = [&](int a, int b)
    {
        const auto tree = at(graph.trees.find(a));
        const double one = below[at(layout.parts[at(a)].up == b ? a : b)], rest = total[tree] - one;
        return held[tree] != 0 ? std::max(one, rest) : one * rest / (one + rest);
    };
    const auto reach = [&](int a, int b)
    {
        const auto tree = at(graph.trees.find(a));
        const double one = span_below[at(layout.parts[at(a)].up == b ? a : b)], rest = span[tree] - one;
        return held[tree] != 0 ? std::max(one, rest) : std::min(one, rest);
    };
    for (Link& link : layout.links)
    {
        const bool inside = is_dynamic(layout, link.part) && is_dynamic(layout, link.parent);
        if (mixed[at(graph.trees.find(link.part))] == 0) continue;
        link.carried = inside ? carried(link.part, link.parent) : total[at(graph.trees.find(link.part))];
    }
    for (Loop& loop : layout.loops)
    {
        const bool one_end =
            loop.type != EqualityType::joint && is_dynamic(layout, loop.first) != is_dynamic(layout, loop.second);
        if (loop.edge)
        {
            loop.carried = carried(loop.first, loop.second);
            loop.arm = std::max(loop.arm, reach(loop.first, loop.second));
        }
        if (one_end)
        {
            const auto tree = at(graph.trees.find(is_dynamic(layout, loop.first) ? loop.first : loop.second));
            loop.carried = total[tree];
            loop.arm = std::max(loop.arm, span[tree]);
        }
    }
}

}  // namespace

void plant_trees(Layout& layout)
{
    Graph graph = join_parts(layout);
    order_parts(graph, layout);
    add_carried_masses(graph, layout);
}

}  // namespace rattleback::avbd
