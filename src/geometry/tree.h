// BoxTree: a tree of axis-aligned boxes, four to a node, that finds what overlaps a box.
#pragma once

#include "geometry/bounds.h"
#include "math/pack.h"

#include <array>
#include <span>
#include <vector>

namespace rattleback
{

/// Boxes of items 0 .. item_count - 1. Its shape is decided once, by build(); afterwards items may change their boxes
/// and the tree stays right, only slower to search the further they went. Empty boxes are never found.
class BoxTree
{
public:
    /// O(n log n). Does not allocate if the tree has held as many items before.
    void build(std::span<const Aabb> boxes);

    int item_count() const { return static_cast<int>(place_.size()); }
    /// Around all items; empty without any.
    Aabb bounds() const { return nodes_.empty() ? kEmptyBox : nodes_.front().bounds(); }
    /// Items so that near ones follow each other.
    std::span<const int> order() const { return order_; }

    /// Gives an item a new box and mends the boxes above it: O(depth).
    void move(int item, const Aabb& box);
    /// The same in two parts, for many items at once: boxes first, then all nodes in O(n).
    void set_box(int item, const Aabb& box);
    void refit();

    /// Calls visit(item) for every item whose box overlaps `box`. Returns the number of nodes looked at.
    template <class Visit>
    int query(const Aabb& box, Visit&& visit) const;

private:
    static constexpr int kWidth = 4;
    static constexpr int kMaxStack = 256;  // more than kWidth - 1 for each level of the deepest tree, see build()

    struct Node
    {
        std::array<std::array<double, kWidth>, 3> lower, upper;  ///< [axis][lane]; empty boxes in unused lanes
        std::array<int, kWidth> child;                           ///< a node, or ~item; from `count` on: unused
        int count = 0;
        int parent = -1;  ///< kWidth * node + lane; -1: the root

        Aabb box(int lane) const;
        void set_box(int lane, const Aabb& box);
        Aabb bounds() const;
    };
    struct Entry
    {
        Aabb box;
        int item = -1;
    };

    int build_node(std::span<Entry> entries, int parent, int depth);
    std::size_t find_split(std::span<Entry> entries, int depth) const;

    std::vector<Node> nodes_;  ///< a parent before its children
    std::vector<int> place_;   ///< of an item: kWidth * node + lane
    std::vector<int> order_;
    std::vector<Entry> entries_;  ///< scratch of build()
    int depth_limit_ = 0;
};

template <class Visit>
int BoxTree::query(const Aabb& box, Visit&& visit) const
{
    if (nodes_.empty()) return 0;
    const Pack4 lower_x(box.lower.x), lower_y(box.lower.y), lower_z(box.lower.z);
    const Pack4 upper_x(box.upper.x), upper_y(box.upper.y), upper_z(box.upper.z);
    // No recursion: nodes that are to be visited wait here.
    std::array<int, kMaxStack> stack;
    std::size_t waiting = 0;
    stack[waiting++] = 0;
    int looked_at = 0;
    while (waiting > 0)
    {
        const Node& node = nodes_[static_cast<std::size_t>(stack[--waiting])];
        ++looked_at;
        // Four boxes against one at a time, axis by axis.
        const Mask4 x = both(load_pack(node.lower[0].data()) <= upper_x, load_pack(node.upper[0].data()) >= lower_x);
        const Mask4 y = both(load_pack(node.lower[1].data()) <= upper_y, load_pack(node.upper[1].data()) >= lower_y);
        const Mask4 z = both(load_pack(node.lower[2].data()) <= upper_z, load_pack(node.upper[2].data()) >= lower_z);
        auto hits =
            static_cast<unsigned>(to_bits(both(both(x, y), z))) & ((1U << static_cast<unsigned>(node.count)) - 1U);
        // One child per set bit: leaves are visited, nodes wait on the stack.
        for (; hits != 0; hits &= hits - 1)
        {
            const int child = node.child[static_cast<std::size_t>(__builtin_ctz(hits))];
            if (child < 0)
            {
                visit(~child);
            }
            else
            {
                stack[waiting++] = child;
            }
        }
    }
    return looked_at;
}

}  // namespace rattleback
