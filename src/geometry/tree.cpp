// Building a tree of boxes top down by the surface area heuristic, and mending it when boxes change.
#include "geometry/tree.h"

#include "base/index.h"

#include <algorithm>
#include <bit>

namespace rattleback
{

namespace
{

constexpr int kBins = 16;

// Four children to a node, whose boxes are compared in the lanes of a pack. Cuts are chosen by the surface area
// heuristic in bins over the longest axis (Wald 2007); the tree keeps its shape afterwards and only its boxes are
// mended.

/// Half the surface [m^2]; zero for an empty box.
double half_area(const Aabb& box)
{
    // Half the surface is enough: only comparisons count.
    const Vec3 d = box.upper - box.lower;
    return d.x >= 0 ? d.x * d.y + d.y * d.z + d.z * d.x : 0;
}

double doubled_center(const Aabb& box, int axis) { return box.lower[axis] + box.upper[axis]; }

/// Which of kBins slices of [start, start + kBins / scale) a number is in; anything odd is in the first.
int find_bin(double value, double start, double scale)
{
    // By comparison and not by a cast: a NaN or an infinity ends in a bin as well.
    // A box beyond all numbers must not index beyond the bins.
    const double bin = (value - start) * scale;
    if (!(bin > 0)) return 0;
    return bin < kBins - 1 ? static_cast<int>(bin) : kBins - 1;
}

struct Bin
{
    Aabb box = kEmptyBox;
    int count = 0;
};

/// The last bin of the left half of the cheapest cut, by (area x count) left + right; -1: all are in one bin.
int find_cut(const std::array<Bin, kBins>& bins)
{
    // Costs of all right halves in one sweep from the end, then left halves from the front.
    std::array<double, kBins> right_cost{};
    Bin right;
    for (int i = kBins - 1; i > 0; --i)
    {
        right.box = merge(right.box, bins[at(i)].box);
        right.count += bins[at(i)].count;
        // -1 marks an empty half, which would be no cut.
        right_cost[at(i)] = right.count > 0 ? half_area(right.box) * right.count : -1;
    }
    Bin left;
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i + 1 < kBins; ++i)
    {
        left.box = merge(left.box, bins[at(i)].box);
        left.count += bins[at(i)].count;
        if (left.count == 0 || right_cost[at(i + 1)] < 0) continue;
        // Surface area heuristic: a random query meets a box in proportion to its surface.
        const double cost = half_area(left.box) * left.count + right_cost[at(i + 1)];
        if (!(cost < least)) continue;
        least = cost;
        best = i;
    }
    return best;
}

}  // namespace

void BoxTree::Node::set_box(int lane, const Aabb& box)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        lower[at(axis)][at(lane)] = box.lower[axis];
        upper[at(axis)][at(lane)] = box.upper[axis];
    }
}

Aabb BoxTree::Node::bounds() const
{
    Aabb all = box(0);
    for (int lane = 1; lane < kWidth; ++lane) all = merge(all, box(lane));
    return all;
}

/// Moves the entries of the first half to the front and returns their number. Where no cut of the longest axis
/// separates anything, or the tree got too deep, the halves are equal in number.
std::size_t BoxTree::find_split(std::span<Entry> entries, int depth) const
{
    // Equal halves where the heuristic would make a chain.
    const std::size_t middle = entries.size() / 2;
    if (depth >= depth_limit_) return middle;
    // Bins over the centres and not over the boxes: large boxes would blur the cut.
    Aabb centers = kEmptyBox;
    for (const Entry& entry : entries)
    {
        // Twice the centres: halving them changes no comparison.
        const Vec3 center = entry.box.lower + entry.box.upper;
        centers = merge(centers, {center, center});
    }
    const Vec3 spread = centers.upper - centers.lower;
    // The axis along which the centres are spread most.
    const int axis = spread.x >= spread.y ? (spread.x >= spread.z ? 0 : 2) : (spread.y >= spread.z ? 1 : 2);
    const double start = centers.lower[axis], scale = kBins / spread[axis];
    const auto bin_of = [&](const Entry& entry) { return find_bin(doubled_center(entry.box, axis), start, scale); };

    // Boxes and counts by slices of the centres.
    std::array<Bin, kBins> bins;
    for (const Entry& entry : entries)
    {
        Bin& bin = bins[at(bin_of(entry))];
        bin.box = merge(bin.box, entry.box);
        ++bin.count;
    }
    const int cut = find_cut(bins);
    if (cut < 0) return middle;
    // Not stable, but a function of the order of entries: the same tree for the same boxes.
    const auto second =
        std::partition(entries.begin(), entries.end(), [&](const Entry& entry) { return bin_of(entry) <= cut; });
    return static_cast<std::size_t>(second - entries.begin());
}

int BoxTree::build_node(std::span<Entry> entries, int parent, int depth)
{
    const int index = static_cast<int>(nodes_.size());
    nodes_.emplace_back().parent = parent;

    std::array<std::span<Entry>, kWidth> parts;
    std::size_t count = 0;
    // Two cuts in a row make four parts: one node of four lanes.
    const auto add_halves = [&](std::span<Entry> part, int level, auto&& add_part)
    {
        // A part of one entry is not cut any further.
        const std::size_t split = part.size() > 1 ? find_split(part, level) : part.size();
        add_part(part.first(split));
        if (split < part.size()) add_part(part.subspan(split));
    };
    add_halves(entries, depth, [&](std::span<Entry> half)
               { add_halves(half, depth + 1, [&](std::span<Entry> part) { parts[count++] = part; }); });

    // Unused lanes hold empty boxes, which nothing overlaps.
    nodes_[at(index)].count = static_cast<int>(count);
    for (int lane = 0; lane < kWidth; ++lane) nodes_[at(index)].set_box(lane, kEmptyBox);
    for (int lane = 0; lane < static_cast<int>(count); ++lane)
    {
        const std::span<Entry> part = parts[at(lane)];
        const int place = kWidth * index + lane;
        // A leaf: the complement of the item's number, so that signs tell leaves from nodes.
        if (part.size() == 1)
        {
            const Entry& entry = part.front();
            nodes_[at(index)].child[at(lane)] = ~entry.item;
            nodes_[at(index)].leaves |= 1U << static_cast<unsigned>(lane);
            nodes_[at(index)].set_box(lane, entry.box);
            place_[at(entry.item)] = place;
            // Leaves in the order of the tree: neighbours in space are neighbours in memory.
            order_.push_back(entry.item);
            continue;
        }
        // Two levels of halves per node.
        const int child = build_node(part, place, depth + 2);
        nodes_[at(index)].child[at(lane)] = child;
        // nodes_ may have moved while the child was built: by index, not by reference.
        nodes_[at(index)].set_box(lane, nodes_[at(child)].bounds());
    }
    return index;
}

void BoxTree::build(std::span<const Aabb> boxes)
{
    nodes_.clear();
    order_.clear();
    place_.resize(boxes.size());
    entries_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) entries_[i] = {boxes[i], static_cast<int>(i)};
    if (boxes.empty()) return;
    // Up to 2 log2 n levels of halves where the heuristic likes, then log2 n that halve the number: for n < 2^31 at
    // most 101, which is 51 nodes on a path and 3 * 51 + 1 < kMaxStack waiting in a query.
    depth_limit_ = 2 * static_cast<int>(std::bit_width(boxes.size())) + 6;
    build_node(entries_, -1, 0);
}

void BoxTree::set_box(int item, const Aabb& box)
{
    const int place = place_[at(item)];
    nodes_[at(place / kWidth)].set_box(place % kWidth, box);
}

void BoxTree::move(int item, const Aabb& box)
{
    set_box(item, box);
    // Up the tree until a box does not change any more.
    // A box that stays the same keeps all above it: most moves end after one node.
    for (int node = place_[at(item)] / kWidth; node > 0;)
    {
        const int above = nodes_[at(node)].parent;
        const Aabb bounds = nodes_[at(node)].bounds();
        if (nodes_[at(above / kWidth)].box(above % kWidth) == bounds) return;
        nodes_[at(above / kWidth)].set_box(above % kWidth, bounds);
        node = above / kWidth;
    }
}

void BoxTree::refit()
{
    // Children stand behind their parents: backwards every node is final when its parent reads it.
    for (int node = static_cast<int>(nodes_.size()) - 1; node > 0; --node)
    {
        const int above = nodes_[at(node)].parent;
        nodes_[at(above / kWidth)].set_box(above % kWidth, nodes_[at(node)].bounds());
    }
}

}  // namespace rattleback
