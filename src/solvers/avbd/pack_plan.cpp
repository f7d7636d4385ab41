// Sorting groups into batches and their contacts into slots.
#include "solvers/avbd/pack_plan.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr int kMaxKey = 255;  // groups with more points are not told apart

}  // namespace

void PackPlan::make(const Layout& layout, const Colouring& colouring, const std::vector<char>& packed,
                    const std::vector<Manifold>& manifolds, int width)
{
    // groups of one colour do not touch: side by side, those with many points together
    index_manifolds(layout, packed, manifolds);
    batches.clear();
    slots.clear();
    batch_begin.assign(1, 0);
    point_count = 0;
    serial = colouring.serial;
    for (std::size_t colour = 0; colour + 1 < colouring.begin.size(); ++colour)
    {
        // one colour after the other: a batch never mixes colours, which would put two bodies that touch side by side
        members_.clear();
        for (int k = colouring.begin[colour]; k < colouring.begin[colour + 1]; ++k)
        {
            // Blocks of single bodies alone; trees are solved elsewhere.
            const int group = layout.order[at(layout.blocks[at(colouring.blocks[at(k)])].begin)];
            if (packed[at(group)] != 0) members_.push_back(group);
        }
        sort_members();
        // The last colour holds those that found none: they may touch, and go one after the other.
        const int side_by_side = static_cast<int>(colour) == colouring.serial ? 1 : width;
        for (std::size_t i = 0; i < members_.size(); i += at(side_by_side)) add_batch(i, manifolds, side_by_side);
        batch_begin.push_back(static_cast<int>(batches.size()));
    }
}

/// Sides of each packed group, in the order of the manifolds.
void PackPlan::index_manifolds(const Layout& layout, const std::vector<char>& packed,
                               const std::vector<Manifold>& manifolds)
{
    // how many sides each group has; who is seen by groups outside of packs
    side_begin_.assign(packed.size() + 1, 0);
    points_.assign(packed.size(), 0);
    watched_.assign(packed.size(), 0);
    for (const Manifold& manifold : manifolds)
    {
        const bool first = packed[at(manifold.first)] != 0, second = packed[at(manifold.second)] != 0;
        side_begin_[at(manifold.first) + 1] += first ? 1 : 0;
        side_begin_[at(manifold.second) + 1] += second ? 1 : 0;
        points_[at(manifold.first)] += manifold.end - manifold.begin;
        points_[at(manifold.second)] += manifold.end - manifold.begin;
        // a single body outside of packs reads the deltas of those that it touches
        if (first && !second && layout.groups[at(manifold.second)].dynamic) watched_[at(manifold.first)] = 1;
        if (second && !first && layout.groups[at(manifold.first)].dynamic) watched_[at(manifold.second)] = 1;
    }
    // their codes, group by group
    for (std::size_t p = 1; p < side_begin_.size(); ++p) side_begin_[p] += side_begin_[p - 1];
    fill_.assign(side_begin_.begin(), side_begin_.end());
    sides_.resize(at(side_begin_.back()));
    for (std::size_t g = 0; g < manifolds.size(); ++g)
    {
        // a side is its manifold with two bits: whether it is the second body's, and whether it writes the row back
        const int code = static_cast<int>(g) << 2;
        const bool first = packed[at(manifolds[g].first)] != 0, second = packed[at(manifolds[g].second)] != 0;
        if (first) sides_[at(fill_[at(manifolds[g].first)]++)] = code | (second ? 0 : 2);
        // of two packed sides the second one writes the row back: both hold the same numbers
        if (second) sides_[at(fill_[at(manifolds[g].second)]++)] = code | 3;
    }
}

/// Those with most points first, of equals the earlier group; by counting.
void PackPlan::sort_members()
{
    // Lanes of a batch wait for the one with most points: neighbours in this order waste least.
    const auto key = [&](int group) { return kMaxKey - std::min(points_[at(group)], kMaxKey); };
    std::array<int, kMaxKey + 2> begin{};
    for (const int group : members_) ++begin[at(key(group)) + 1];
    for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
    sorted_.resize(members_.size());
    for (const int group : members_) sorted_[at(begin[at(key(group))]++)] = group;
    members_.swap(sorted_);
}

/// The groups of members_ from `begin` on.
void PackPlan::add_batch(std::size_t begin, const std::vector<Manifold>& manifolds, int width)
{
    // one group per lane; the lane with most manifolds says how many slots the batch has
    PackBatch batch;
    batch.group.fill(-1);
    batch.begin = static_cast<int>(slots.size());
    int most = 0;
    // fewer groups than lanes: the last batch of a colour has empty lanes
    for (std::size_t lane = 0; lane < at(width) && begin + lane < members_.size(); ++lane)
    {
        const int group = members_[begin + lane];
        batch.group[lane] = group;
        batch.watched = batch.watched || watched_[at(group)] != 0;
        most = std::max(most, side_begin_[at(group) + 1] - side_begin_[at(group)]);
    }
    // the k-th manifold of every lane in one slot, with room for the most points of any
    for (int k = 0; k < most; ++k)
    {
        ManifoldSlot slot;
        slot.side.fill(-1);
        slot.begin = point_count;
        int points = 0;
        // lanes with fewer manifolds stay empty
        for (std::size_t lane = 0; lane < at(width); ++lane)
        {
            const int group = batch.group[lane];
            if (group < 0 || k >= side_begin_[at(group) + 1] - side_begin_[at(group)]) continue;
            const int side = sides_[at(side_begin_[at(group)] + k)];
            const Manifold& manifold = manifolds[at(manifold_of(side))];
            slot.side[lane] = side;
            // a slot is as deep as its deepest lane; the others are padded with records that push nothing
            points = std::max(points, manifold.end - manifold.begin);
        }
        point_count += points;
        slot.end = point_count;
        slots.push_back(slot);
    }
    batch.end = static_cast<int>(slots.size());
    batches.push_back(batch);
}

}  // namespace rattleback::avbd
