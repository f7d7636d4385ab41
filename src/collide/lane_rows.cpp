// Rows of pairs of one world.
#include "collide/lane_rows.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Entries per pair above which rows are mostly empty: they cost a third of a pair each.
constexpr std::size_t kMostEntries = 6;

}  // namespace

LaneRows::LaneRows(std::span<const int> shapes, std::span<const std::array<int, 2>> pairs)
    : shapes_(shapes.begin(), shapes.end())
{
    const int highest = shapes.empty() ? -1 : *std::max_element(shapes.begin(), shapes.end());
    std::vector<std::size_t> place(at(highest + 1));
    for (std::size_t i = 0; i < shapes_.size(); ++i) place[at(shapes_[i])] = i;
    // [place] pairs of a shape with those behind it.
    std::vector<std::vector<std::array<std::size_t, 2>>> lists(shapes_.size());
    std::size_t count = 0, longest = shapes_.size();
    for (std::size_t p = 0; p < pairs.size(); ++p)
    {
        if (pairs[p][0] < 0) continue;
        const std::size_t a = place[at(pairs[p][0])], b = place[at(pairs[p][1])];
        lists[std::min(a, b)].push_back({std::max(a, b), p});
        ++count;
    }
    for (std::size_t first = 0; first < lists.size(); ++first)
    {
        if (lists[first].empty()) continue;
        std::sort(lists[first].begin(), lists[first].end());
        Row row{.first = first, .begin = lists[first].front()[0], .end = 0, .entries = pair_.size()};
        row.end = row.begin + (lists[first].back()[0] - row.begin + 4) / 4 * 4;
        longest = std::max(longest, row.end);
        pair_.resize(row.entries + (row.end - row.begin), -1);
        for (const auto& [other, p] : lists[first]) pair_[row.entries + (other - row.begin)] = static_cast<int>(p);
        rows_.push_back(row);
    }
    if (pair_.size() > kMostEntries * count) rows_.clear();
    // Places behind the last shape are read and never used.
    for (int k = 0; k < 3; ++k)
    {
        lower_[k].resize(longest);
        upper_[k].resize(longest);
    }
}

}  // namespace rattleback
