// BoxTree: a tree of axis-aligned boxes, four to a node, that finds what overlaps a box, what lies near a point, and
// what of two trees overlaps.
#pragma once

#include "geometry/bounds.h"
#include "math/pack.h"

#include <array>
#include <span>
#include <vector>

namespace rattleback
{

/// Turns boxes into another frame: the box around the turned box.
struct BoxTurn
{
    Mat3 rotation, reach;  ///< reach: its entries' absolute values
    Vec3 position;
    double margin = 0;  ///< added on all sides [m]

    BoxTurn(const Mat3& its_rotation, const Vec3& its_position, double its_margin)
        : rotation(its_rotation), reach(its_rotation), position(its_position), margin(its_margin)
    {
        for (double& entry : reach.m) entry = entry < 0 ? -entry : entry;
    }
    Aabb operator()(const Aabb& box) const
    {
        const Vec3 center = position + rotation * (0.5 * (box.lower + box.upper));
        const Vec3 half = reach * (0.5 * (box.upper - box.lower)) + Vec3{margin, margin, margin};
        return {center - half, center + half};
    }
};

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

    /// The same for items whose box comes within sqrt(square) [m] of a point, in the order of query().
    template <class Visit>
    void query_ball(const Vec3& center, double square, Visit&& visit) const;

    /// Calls visit(item) for every item whose box comes within sqrt(square) [m] of the point, nearer nodes first;
    /// `visit` may lower `square` [m^2], and boxes further away are then left out.
    template <class Visit>
    void find_near(const Vec3& point, double& square, Visit&& visit) const;

    /// One descent through two trees at once: calls visit(item, others) for every item of this tree, and those items
    /// of `other` (a span, never empty) whose boxes overlap its box in the frame of `other`. `turn` takes boxes there,
    /// find_box(item) gives the item's own, which may be tighter than its turned one. `front` is scratch.
    template <class FindBox, class Visit>
    void query_pairs(const BoxTree& other, const BoxTurn& turn, std::vector<int>& front, FindBox&& find_box,
                     Visit&& visit) const;

private:
    static constexpr int kWidth = 4;
    static constexpr int kMaxStack = 256;  // more than kWidth - 1 for each level of the deepest tree, see build()

    struct Node
    {
        std::array<std::array<double, kWidth>, 3> lower, upper;  ///< [axis][lane]; empty boxes in unused lanes
        std::array<int, kWidth> child;                           ///< a node, or ~item; from `count` on: unused
        int count = 0;
        int parent = -1;  ///< kWidth * node + lane; -1: the root

        Aabb box(int lane) const
        {
            const auto i = static_cast<std::size_t>(lane);
            return {{lower[0][i], lower[1][i], lower[2][i]}, {upper[0][i], upper[1][i], upper[2][i]}};
        }
        void set_box(int lane, const Aabb& box);
        Aabb bounds() const;
    };
    struct Entry
    {
        Aabb box;
        int item = -1;
    };

    /// The nodes of `other` on the front, from `begin` on, against the four boxes of one node of this tree.
    template <class FindBox, class Visit>
    void descend(const BoxTree& other, const BoxTurn& turn, int node, std::size_t begin, std::vector<int>& front,
                 FindBox&& find_box, Visit&& visit) const;
    /// Appends to the front what of a node or leaf of this tree overlaps the box: nodes, and leaves as ~place.
    void meet(int place, const Aabb& box, std::vector<int>& front) const;
    unsigned find_hits(const Node& node, const Aabb& box) const;
    /// Squared distances of a node's four boxes from a point.
    static Pack4 find_squares(const Node& node, const Vec3& point);
    /// Calls visit(item) for all items below nodes and in boxes that find_hits(node) has a bit for; returns the number
    /// of nodes looked at.
    template <class FindHits, class Visit>
    int walk(FindHits&& find_hits, Visit&& visit) const;

    int build_node(std::span<Entry> entries, int parent, int depth);
    std::size_t find_split(std::span<Entry> entries, int depth) const;

    std::vector<Node> nodes_;  ///< a parent before its children
    std::vector<int> place_;   ///< of an item: kWidth * node + lane
    std::vector<int> order_;
    std::vector<Entry> entries_;  ///< scratch of build()
    int depth_limit_ = 0;
};

inline unsigned BoxTree::find_hits(const Node& node, const Aabb& box) const
{
    const Pack4 lower_x(box.lower.x), lower_y(box.lower.y), lower_z(box.lower.z);
    const Pack4 upper_x(box.upper.x), upper_y(box.upper.y), upper_z(box.upper.z);
    const Mask4 x = both(load_pack(node.lower[0].data()) <= upper_x, load_pack(node.upper[0].data()) >= lower_x);
    const Mask4 y = both(load_pack(node.lower[1].data()) <= upper_y, load_pack(node.upper[1].data()) >= lower_y);
    const Mask4 z = both(load_pack(node.lower[2].data()) <= upper_z, load_pack(node.upper[2].data()) >= lower_z);
    return static_cast<unsigned>(to_bits(both(both(x, y), z))) & ((1U << static_cast<unsigned>(node.count)) - 1U);
}

inline Pack4 BoxTree::find_squares(const Node& node, const Vec3& point)
{
    // How far the point lies outside each pair of faces.
    const Pack4 zero(0);
    const auto outside = [&](std::size_t axis, double place)
    {
        const Pack4 p(place);
        const Pack4 below = load_pack(node.lower[axis].data()) - p, above = p - load_pack(node.upper[axis].data());
        const Pack4 most = select(below > above, below, above);
        return select(most > zero, most, zero);
    };
    const Pack4 x = outside(0, point.x), y = outside(1, point.y), z = outside(2, point.z);
    return x * x + y * y + z * z;
}

template <class FindHits, class Visit>
int BoxTree::walk(FindHits&& find_hits, Visit&& visit) const
{
    if (nodes_.empty()) return 0;
    // No recursion: nodes that are to be visited wait here.
    std::array<int, kMaxStack> stack;
    std::size_t waiting = 0;
    stack[waiting++] = 0;
    int looked_at = 0;
    while (waiting > 0)
    {
        const Node& node = nodes_[static_cast<std::size_t>(stack[--waiting])];
        ++looked_at;
        // One child per set bit: leaves are visited, nodes wait on the stack.
        for (unsigned hits = find_hits(node); hits != 0; hits &= hits - 1)
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

template <class Visit>
int BoxTree::query(const Aabb& box, Visit&& visit) const
{
    return walk([&](const Node& node) { return find_hits(node, box); }, visit);
}

template <class Visit>
void BoxTree::query_ball(const Vec3& center, double square, Visit&& visit) const
{
    const Pack4 limit(square);
    walk(
        [&](const Node& node)
        {
            const auto hits = static_cast<unsigned>(to_bits(find_squares(node, center) <= limit));
            return hits & ((1U << static_cast<unsigned>(node.count)) - 1U);
        },
        visit);
}

template <class Visit>
void BoxTree::find_near(const Vec3& point, double& square, Visit&& visit) const
{
    if (nodes_.empty()) return;
    struct Waiting
    {
        double square;
        int child;
    };
    std::array<Waiting, kMaxStack> stack;
    std::size_t waiting = 0;
    stack[waiting++] = {0, 0};
    while (waiting > 0)
    {
        const Waiting next = stack[--waiting];
        if (next.square > square) continue;
        if (next.child < 0)
        {
            visit(~next.child);
            continue;
        }
        const Node& node = nodes_[static_cast<std::size_t>(next.child)];
        const Pack4 away = find_squares(node, point);
        // The nearest on top of the stack.
        const std::size_t first = waiting;
        for (int lane = 0; lane < node.count; ++lane)
        {
            const double here = away.lanes[lane];
            if (!(here <= square)) continue;
            std::size_t place = waiting++;
            for (; place > first && stack[place - 1].square < here; --place) stack[place] = stack[place - 1];
            stack[place] = {here, node.child[static_cast<std::size_t>(lane)]};
        }
    }
}

inline void BoxTree::meet(int place, const Aabb& box, std::vector<int>& front) const
{
    if (place < 0)
    {
        const Node& node = nodes_[static_cast<std::size_t>(~place / kWidth)];
        if ((find_hits(node, box) >> static_cast<unsigned>(~place % kWidth) & 1U) != 0) front.push_back(place);
        return;
    }
    const Node& node = nodes_[static_cast<std::size_t>(place)];
    for (unsigned hits = find_hits(node, box); hits != 0; hits &= hits - 1)
    {
        const int lane = __builtin_ctz(hits);
        const int child = node.child[static_cast<std::size_t>(lane)];
        front.push_back(child < 0 ? ~(kWidth * place + lane) : child);
    }
}

template <class FindBox, class Visit>
void BoxTree::query_pairs(const BoxTree& other, const BoxTurn& turn, std::vector<int>& front, FindBox&& find_box,
                          Visit&& visit) const
{
    if (nodes_.empty() || other.nodes_.empty()) return;
    front.assign(1, 0);
    descend(other, turn, 0, 0, front, find_box, visit);
}

template <class FindBox, class Visit>
void BoxTree::descend(const BoxTree& other, const BoxTurn& turn, int node, std::size_t begin, std::vector<int>& front,
                      FindBox&& find_box, Visit&& visit) const
{
    const Node& here = nodes_[static_cast<std::size_t>(node)];
    const std::size_t end = front.size();
    for (int lane = 0; lane < here.count; ++lane)
    {
        const int child = here.child[static_cast<std::size_t>(lane)];
        const Aabb box = child < 0 ? find_box(~child) : turn(here.box(lane));
        for (std::size_t i = begin; i < end; ++i) other.meet(front[i], box, front);
        if (child >= 0 && front.size() > end) descend(other, turn, child, end, front, find_box, visit);
        if (child < 0)
        {
            // A leaf of this tree: nodes on the front give way to what they hold until only leaves are left.
            std::size_t kept = end;
            for (std::size_t i = end; i < front.size(); ++i)
            {
                const int place = front[i];
                if (place >= 0)
                    other.meet(place, box, front);
                else
                    front[kept++] = ~other.nodes_[static_cast<std::size_t>(~place / kWidth)]
                                         .child[static_cast<std::size_t>(~place % kWidth)];
            }
            if (kept > end) visit(~child, std::span<const int>(front).subspan(end, kept - end));
        }
        front.resize(end);
    }
}

}  // namespace rattleback
