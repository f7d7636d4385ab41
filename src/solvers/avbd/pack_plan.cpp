// Sorting parts into batches and their contacts into slots.
#include "solvers/avbd/pack_plan.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

constexpr int kMostKey = 255;  // parts with more points are not told apart

}  // namespace

void PackPlan::make(const Layout& layout, const Colouring& colouring, const std::vector<char>& packed,
                    const std::vector<RowGroup>& groups, int width)
{
    index_groups(layout, packed, groups);
    batches.clear();
    manifolds.clear();
    batch_begin.assign(1, 0);
    point_count = 0;
    serial = colouring.serial;
    for (std::size_t colour = 0; colour + 1 < colouring.begin.size(); ++colour)
    {
        members_.clear();
        for (int k = colouring.begin[colour]; k < colouring.begin[colour + 1]; ++k)
        {
            const int part = layout.order[at(layout.blocks[at(colouring.blocks[at(k)])].begin)];
            if (packed[at(part)] != 0) members_.push_back(part);
        }
        sort_members();
        const int side_by_side = static_cast<int>(colour) == colouring.serial ? 1 : width;
        for (std::size_t i = 0; i < members_.size(); i += at(side_by_side)) add_batch(i, groups, side_by_side);
        batch_begin.push_back(static_cast<int>(batches.size()));
    }
}

/// Sides of each packed part, in the order of the groups.
void PackPlan::index_groups(const Layout& layout, const std::vector<char>& packed, const std::vector<RowGroup>& groups)
{
    side_begin_.assign(packed.size() + 1, 0);
    points_.assign(packed.size(), 0);
    watched_.assign(packed.size(), 0);
    for (const RowGroup& group : groups)
    {
        const bool first = packed[at(group.first)] != 0, second = packed[at(group.second)] != 0;
        side_begin_[at(group.first) + 1] += first ? 1 : 0;
        side_begin_[at(group.second) + 1] += second ? 1 : 0;
        points_[at(group.first)] += group.end - group.begin;
        points_[at(group.second)] += group.end - group.begin;
        if (first && !second && layout.parts[at(group.second)].dynamic) watched_[at(group.first)] = 1;
        if (second && !first && layout.parts[at(group.first)].dynamic) watched_[at(group.second)] = 1;
    }
    for (std::size_t p = 1; p < side_begin_.size(); ++p) side_begin_[p] += side_begin_[p - 1];
    fill_.assign(side_begin_.begin(), side_begin_.end());
    sides_.resize(at(side_begin_.back()));
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        const int code = static_cast<int>(g) << 2;
        const bool first = packed[at(groups[g].first)] != 0, second = packed[at(groups[g].second)] != 0;
        if (first) sides_[at(fill_[at(groups[g].first)]++)] = code | (second ? 0 : 2);
        if (second) sides_[at(fill_[at(groups[g].second)]++)] = code | 3;
    }
}

/// Those with most points first, of equals the earlier part; by counting.
void PackPlan::sort_members()
{
    const auto key = [&](int part) { return kMostKey - std::min(points_[at(part)], kMostKey); };
    std::array<int, kMostKey + 2> begin{};
    for (const int part : members_) ++begin[at(key(part)) + 1];
    for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
    sorted_.resize(members_.size());
    for (const int part : members_) sorted_[at(begin[at(key(part))]++)] = part;
    members_.swap(sorted_);
}

/// The parts of members_ from `begin` on.
void PackPlan::add_batch(std::size_t begin, const std::vector<RowGroup>& groups, int width)
{
    PackBatch batch;
    batch.part.fill(-1);
    batch.begin = static_cast<int>(manifolds.size());
    int most = 0;
    for (std::size_t lane = 0; lane < at(width) && begin + lane < members_.size(); ++lane)
    {
        const int part = members_[begin + lane];
        batch.part[lane] = part;
        batch.watched = batch.watched || watched_[at(part)] != 0;
        most = std::max(most, side_begin_[at(part) + 1] - side_begin_[at(part)]);
    }
    for (int k = 0; k < most; ++k)
    {
        PackManifold manifold;
        manifold.side.fill(-1);
        manifold.begin = point_count;
        int points = 0;
        for (std::size_t lane = 0; lane < at(width); ++lane)
        {
            const int part = batch.part[lane];
            if (part < 0 || k >= side_begin_[at(part) + 1] - side_begin_[at(part)]) continue;
            const int side = sides_[at(side_begin_[at(part)] + k)];
            const RowGroup& group = groups[at(group_of(side))];
            manifold.side[lane] = side;
            points = std::max(points, group.end - group.begin);
        }
        point_count += points;
        manifold.end = point_count;
        manifolds.push_back(manifold);
    }
    batch.end = static_cast<int>(manifolds.size());
    batches.push_back(batch);
}

}  // namespace rattleback::avbd
