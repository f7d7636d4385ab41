// Greedy colouring of blocks in their order.
#include "solvers/avbd/colours.h"

#include "base/index.h"

#include <algorithm>
#include <bit>

namespace rattleback::avbd
{

namespace
{

constexpr int kMaxColours = 63;  // one more takes all that is left, moved one after the other

/// Calls `edge` with each pair of different blocks that touch.
template <class Edge>
void for_each_edge(const Layout& layout, const std::vector<std::pair<int, int>>& touching, Edge edge)
{
    const auto join = [&](int first, int second)
    {
        // What does not move constrains nobody's order.
        const RigidGroup& a = layout.groups[at(first)];
        const RigidGroup& b = layout.groups[at(second)];
        if (a.dynamic && b.dynamic && a.block != b.block) edge(a.block, b.block);
    };
    // contacts, links, and loops with both their joints
    for (const auto& [first, second] : touching) join(first, second);
    for (const Link& link : layout.links) join(link.child, link.parent);
    for (const Loop& loop : layout.loops)
    {
        // a coupling of two joints moves four groups, each with each
        join(loop.first, loop.second);
        if (loop.second_link < 0) continue;
        const Link& other = layout.links[at(loop.second_link)];
        for (const int a : {loop.first, loop.second})
        {
            join(a, other.child);
            join(a, other.parent);
        }
        join(other.child, other.parent);
    }
    // tendons, each of whose groups sees where all the others are
    for (const TendonRow& row : layout.tendon_rows)
    {
        const std::span<const int> groups = layout.groups_of(row);
        // a row inside one block is solved with it and ties it to nobody
        for (std::size_t i = 0; !row.in_block && i < groups.size(); ++i)
        {
            for (std::size_t k = 0; k < i; ++k) join(groups[i], groups[k]);
        }
    }
}

/// True when other groups touch than when the colours were made; notes them.
bool has_changed(const std::vector<Manifold>& manifolds, Colouring& colouring)
{
    // pairs of groups, in the order of the manifolds
    colouring.touching_now.clear();
    for (const Manifold& manifold : manifolds)
    {
        // manifolds of one pair follow each other: one entry per pair
        const std::pair pair(manifold.first, manifold.second);
        if (colouring.touching_now.empty() || colouring.touching_now.back() != pair)
            colouring.touching_now.push_back(pair);
    }
    // comparing pairs costs less than colouring, and equal pairs give equal colours
    if (!colouring.begin.empty() && colouring.touching_now == colouring.touching) return false;
    std::swap(colouring.touching, colouring.touching_now);
    return true;
}

}  // namespace

void colour_blocks(const Layout& layout, const std::vector<Manifold>& manifolds, Colouring& colouring)
{
    // Colours hold as long as the same pairs touch, which in a pile at rest is always.
    if (!has_changed(manifolds, colouring)) return;
    // neighbours of each block, as lists one after the other
    // lists in one array: count, add up, fill (a counting sort of edges by block)
    const std::size_t count = layout.blocks.size();
    colouring.edge_begin.assign(count + 1, 0);
    for_each_edge(layout, colouring.touching,
                  [&](int a, int b)
                  {
                      ++colouring.edge_begin[at(a) + 1];
                      ++colouring.edge_begin[at(b) + 1];
                  });
    for (std::size_t b = 0; b < count; ++b) colouring.edge_begin[b + 1] += colouring.edge_begin[b];
    colouring.edges.resize(at(colouring.edge_begin[count]));
    colouring.fill.assign(colouring.edge_begin.begin(), colouring.edge_begin.end());
    for_each_edge(layout, colouring.touching,
                  [&](int a, int b)
                  {
                      colouring.edges[at(colouring.fill[at(a)]++)] = b;
                      colouring.edges[at(colouring.fill[at(b)]++)] = a;
                  });

    // each block takes the smallest colour that no earlier neighbour has
    colouring.colour.assign(count, -1);
    int colours = 0;
    for (std::size_t b = 0; b < count; ++b)
    {
        // colours of its neighbours as bits
        std::uint64_t taken = 0;
        for (int e = colouring.edge_begin[b]; e < colouring.edge_begin[b + 1]; ++e)
        {
            // later neighbours have no colour yet
            const int other = colouring.colour[at(colouring.edges[at(e)])];
            if (other >= 0 && other < kMaxColours) taken |= std::uint64_t{1} << other;
        }
        const int own = std::min(kMaxColours, std::countr_one(taken));
        colouring.colour[b] = own;
        colours = std::max(colours, own + 1);
    }
    // blocks sorted by colour
    // blocks of the last colour may touch each other: they move one after the other
    colouring.serial = std::min(colours, kMaxColours);
    colouring.begin.assign(at(colours) + 1, 0);
    for (const int c : colouring.colour) ++colouring.begin[at(c) + 1];
    for (std::size_t c = 1; c < colouring.begin.size(); ++c) colouring.begin[c] += colouring.begin[c - 1];
    colouring.blocks.resize(count);
    colouring.fill.assign(colouring.begin.begin(), colouring.begin.end());
    for (std::size_t b = 0; b < count; ++b)
        colouring.blocks[at(colouring.fill[at(colouring.colour[b])]++)] = static_cast<int>(b);
}

}  // namespace rattleback::avbd
