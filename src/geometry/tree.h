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
    Aabb without_margin(const Aabb& box) const
    {
        const Vec3 center = position + rotation * (0.5 * (box.lower + box.upper));
        const Vec3 half = reach * (0.5 * (box.upper - box.lower));
        return {center - half, center + half};
    }
    Aabb operator()(const Aabb& box) const { return inflate(without_margin(box), margin); }
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

    /// The nodes, a parent before its children, for what is kept beside them: each has up to four children.
    int node_count() const { return static_cast<int>(nodes_.size()); }
    int child_count(int node) const { return nodes_[static_cast<std::size_t>(node)].count; }
    /// A node, or ~item.
    int child(int node, int lane) const
    {
        return nodes_[static_cast<std::size_t>(node)].child[static_cast<std::size_t>(lane)];
    }
    /// Middles and half widths of the boxes of a node's children; of no meaning in lanes without one.
    struct BoxFour
    {
        Vector3<Pack4> middle, half;
    };
    BoxFour boxes(int node) const;

    /// Calls visit(item) for every item whose box overlaps `box`. Returns the number of nodes looked at.
    template <class Visit>
    int query(const Aabb& box, Visit&& visit) const;

    /// The same for items whose box comes within sqrt(square) [m] of a point, in the order of query(), and which
    /// keep(node), a bit for each child, does not leave out.
    template <class Keep, class Visit>
    void query_ball(const Vec3& center, double square, Keep&& keep, Visit&& visit) const;

    /// Calls visit(item) for every item whose box comes within sqrt(square) [m] of the point, nearer nodes first;
    /// `visit` may lower `square` [m^2], and boxes further away are then left out.
    template <class Visit>
    void find_near(const Vec3& point, double& square, Visit&& visit) const;

    /// Squared distances of the boxes of a node's children from a box [m^2]; infinite in lanes without one.
    Pack4 find_gaps(int node, const Aabb& box) const;
    /// The children of a node whose boxes overlap a box, a bit for each.
    unsigned find_hits(int node, const Aabb& box) const
    {
        return find_hits(nodes_[static_cast<std::size_t>(node)], box);
    }
    Aabb child_box(int node, int lane) const { return nodes_[static_cast<std::size_t>(node)].box(lane); }

    /// One descent through two trees at once: calls visit(item, others) for every item of this tree, and those items
    /// of `other` (a span, never empty) that it meets. make_probe(node, lane) is asked once for each child of this
    /// tree that is looked at; what it makes says for a node of `other` which children it meets, a bit for each.
    /// `front` is scratch.
    template <class MakeProbe, class Visit>
    void query_pairs(const BoxTree& other, std::vector<int>& front, MakeProbe&& make_probe, Visit&& visit) const;
    /// The same for items whose boxes overlap: `turn` takes boxes into the frame of `other`, find_box(item) gives the
    /// item's own there, which may be tighter than its turned one.
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
        unsigned leaves = 0;                                     ///< bit i: child i is an item
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
    template <class MakeProbe, class Visit>
    void descend(const BoxTree& other, int node, std::size_t begin, std::vector<int>& front, MakeProbe&& make_probe,
                 Visit&& visit) const;
    /// Appends to the front what the probe meets of a node, or of those leaves of a node that are on the front: nodes,
    /// and the leaves of one node together, as ~(16 node + a bit for each).
    template <class Probe>
    void meet(int place, const Probe& probe, std::vector<int>& front) const;
    unsigned find_hits(const Node& node, const Aabb& box) const;
    /// Squared distances of a node's four boxes from a point.
    static Pack4 find_squares(const Node& node, const Vec3& point);
    /// Calls visit(item) for all items below nodes and in boxes that find_hits(number of the node, node) has a bit for;
    /// returns the number of nodes looked at.
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
        const int number = stack[--waiting];
        const Node& node = nodes_[static_cast<std::size_t>(number)];
        ++looked_at;
        // One child per set bit: leaves are visited, nodes wait on the stack.
        for (unsigned hits = find_hits(number, node); hits != 0; hits &= hits - 1)
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
    return walk([&](int, const Node& node) { return find_hits(node, box); }, visit);
}

inline BoxTree::BoxFour BoxTree::boxes(int number) const
{
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    BoxFour four;
    for (int axis = 0; axis < 3; ++axis)
    {
        const Pack4 lower = load_pack(node.lower[static_cast<std::size_t>(axis)].data());
        const Pack4 upper = load_pack(node.upper[static_cast<std::size_t>(axis)].data());
        four.middle[axis] = Pack4(0.5) * (lower + upper);
        four.half[axis] = Pack4(0.5) * (upper - lower);
    }
    return four;
}

inline Pack4 BoxTree::find_gaps(int number, const Aabb& box) const
{
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const Pack4 zero(0);
    const auto find_gap = [&](std::size_t axis, double lower, double upper)
    {
        const Pack4 above = load_pack(node.lower[axis].data()) - Pack4(upper);
        const Pack4 below = Pack4(lower) - load_pack(node.upper[axis].data());
        const Pack4 gap = select(above > below, above, below);
        return select(gap > zero, gap, zero);
    };
    const Pack4 x = find_gap(0, box.lower.x, box.upper.x), y = find_gap(1, box.lower.y, box.upper.y);
    const Pack4 z = find_gap(2, box.lower.z, box.upper.z);
    return x * x + y * y + z * z;
}

template <class Keep, class Visit>
void BoxTree::query_ball(const Vec3& center, double square, Keep&& keep, Visit&& visit) const
{
    const Pack4 limit(square);
    walk(
        [&](int number, const Node& node)
        {
            auto hits = static_cast<unsigned>(to_bits(find_squares(node, center) <= limit));
            hits &= (1U << static_cast<unsigned>(node.count)) - 1U;
            return hits == 0 ? hits : hits & keep(number);
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

template <class Probe>
void BoxTree::meet(int place, const Probe& probe, std::vector<int>& front) const
{
    const bool are_leaves = place < 0;
    const int number = are_leaves ? ~place / 16 : place;
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const unsigned hits = probe(number);
    const unsigned leaves = hits & (are_leaves ? static_cast<unsigned>(~place % 16) : node.leaves);
    if (leaves != 0) front.push_back(~(16 * number + static_cast<int>(leaves)));
    if (are_leaves) return;
    for (unsigned nodes = hits & ~node.leaves; nodes != 0; nodes &= nodes - 1)
        front.push_back(node.child[static_cast<std::size_t>(__builtin_ctz(nodes))]);
}

template <class MakeProbe, class Visit>
void BoxTree::query_pairs(const BoxTree& other, std::vector<int>& front, MakeProbe&& make_probe, Visit&& visit) const
{
    if (nodes_.empty() || other.nodes_.empty()) return;
    front.assign(1, 0);
    descend(other, 0, 0, front, make_probe, visit);
}

template <class FindBox, class Visit>
void BoxTree::query_pairs(const BoxTree& other, const BoxTurn& turn, std::vector<int>& front, FindBox&& find_box,
                          Visit&& visit) const
{
    const auto make_probe = [&](int node, int lane)
    {
        const int item = child(node, lane);
        const Aabb box = item < 0 ? find_box(~item) : turn(child_box(node, lane));
        return [&other, box](int theirs) { return other.find_hits(theirs, box); };
    };
    query_pairs(other, front, make_probe, visit);
}

template <class MakeProbe, class Visit>
void BoxTree::descend(const BoxTree& other, int node, std::size_t begin, std::vector<int>& front,
                      MakeProbe&& make_probe, Visit&& visit) const
{
    const Node& here = nodes_[static_cast<std::size_t>(node)];
    const std::size_t end = front.size();
    for (int lane = 0; lane < here.count; ++lane)
    {
        const int child = here.child[static_cast<std::size_t>(lane)];
        const auto probe = make_probe(node, lane);
        for (std::size_t i = begin; i < end; ++i) other.meet(front[i], probe, front);
        if (child >= 0 && front.size() > end) descend(other, child, end, front, make_probe, visit);
        if (child < 0)
        {
            // A leaf of this tree: nodes on the front give way to what they hold until only leaves are left, which are
            // then named one by one behind them.
            for (std::size_t i = end; i < front.size(); ++i)
            {
                if (front[i] >= 0) other.meet(front[i], probe, front);
            }
            const std::size_t all = front.size();
            for (std::size_t i = end; i < all; ++i)
            {
                if (front[i] >= 0) continue;
                const Node& theirs = other.nodes_[static_cast<std::size_t>(~front[i] / 16)];
                for (auto leaves = static_cast<unsigned>(~front[i] % 16); leaves != 0; leaves &= leaves - 1)
                    front.push_back(~theirs.child[static_cast<std::size_t>(__builtin_ctz(leaves))]);
            }
            if (front.size() > all) visit(~child, std::span<const int>(front).subspan(all));
        }
        front.resize(end);
    }
}

}  // namespace rattleback
