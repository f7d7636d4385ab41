// Minimum degree with explicit elimination graphs as bit sets: islands have hundreds of groups, not millions.
#include "solvers/shared/minimum_degree.h"

#include "base/index.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace rattleback
{

void MinimumDegree::start(std::span<const int> weights)
{
    // Dofs per group; free bodies have six each, and then degrees are counts.
    weights_ = weights;
    equal_weights_ = std::all_of(weights.begin(), weights.end(), [&](int weight) { return weight == weights.front(); });
    // A bit per pair of groups: uniting neighbourhoods is an or over words.
    words_ = (weights.size() + 63) / 64;
    neighbours_.assign(weights.size() * words_, 0);
}

void MinimumDegree::connect(int a, int b)
{
    // Symmetric, without loops.
    if (a == b) return;
    neighbours_[at(a) * words_ + at(b) / 64] |= std::uint64_t{1} << (at(b) % 64);
    neighbours_[at(b) * words_ + at(a) / 64] |= std::uint64_t{1} << (at(a) % 64);
}

void MinimumDegree::connect_all(std::span<const int> groups)
{
    // Groups that share a row of J are a clique of the graph of H.
    for (std::size_t i = 0; i < groups.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j) connect(groups[i], groups[j]);
    }
}

void MinimumDegree::find_earlier(int group, std::vector<int>& found) const
{
    // Bits below `group` alone; rest & (rest - 1) drops the lowest bit that is set.
    found.clear();
    const std::uint64_t* bits = neighbours_.data() + at(group) * words_;
    for (std::size_t w = 0; 64 * w < at(group); ++w)
    {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
        {
            const int other = static_cast<int>(64 * w + at(std::countr_zero(rest)));
            if (other < group) found.push_back(other);
        }
    }
}

int MinimumDegree::find_degree(int group) const
{
    // Dofs that are left in the group's border if it went next.
    int degree = 0;
    const std::uint64_t* bits = neighbours_.data() + at(group) * words_;
    if (equal_weights_)
    {
        for (std::size_t w = 0; w < words_; ++w) degree += std::popcount(bits[w]);
        return degree * weights_[0];
    }
    for (std::size_t w = 0; w < words_; ++w)
    {
        for (std::uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
        {
            degree += weights_[64 * w + at(std::countr_zero(rest))];
        }
    }
    return degree;
}

void MinimumDegree::set_key(int group)
{
    // Ties go to the last group: in the model's order leaves stand behind their ancestors.
    const auto below = static_cast<std::int64_t>(weights_.size()) - group;
    keys_[at(place_[at(group)])] = (static_cast<std::int64_t>(find_degree(group)) << 32) | below;
}

/// The group with the least degree, the last among equals; it leaves those that remain.
int MinimumDegree::extract_best()
{
    // Degree above, distance from the last group below: one comparison finds the least degree, the last among equals.
    // A scan over what remains: with hundreds of groups a heap would not pay.
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t key : keys_) least = std::min(least, key);
    constexpr std::int64_t kBelow = 0xffffffff;
    const auto group_of = [&](std::int64_t key)
    { return static_cast<int>(static_cast<std::int64_t>(weights_.size()) - (key & kBelow)); };
    const int best = group_of(least);
    // The last key takes the place of the one that goes: the list of those that remain has no gaps.
    const int hole = place_[at(best)];
    keys_[at(hole)] = keys_.back();
    place_[at(group_of(keys_.back()))] = hole;
    keys_.pop_back();
    return best;
}

void MinimumDegree::run()
{
    const int count = static_cast<int>(weights_.size());
    // All groups remain at first, with the degrees of the graph of H.
    sequence.clear();
    border.clear();
    border_begin.assign(1, 0);
    keys_.resize(weights_.size());
    place_.resize(weights_.size());
    for (int g = 0; g < count; ++g)
    {
        place_[at(g)] = g;
        set_key(g);
    }
    // Eliminate the group of least degree: its neighbours become neighbours of each other.
    for (int step = 0; step < count; ++step)
    {
        const int best = extract_best();
        sequence.push_back(best);
        // Its border: all neighbours that are left.
        const std::uint64_t* gone = neighbours_.data() + at(best) * words_;
        for (std::size_t w = 0; w < words_; ++w)
        {
            for (std::uint64_t rest = gone[w]; rest != 0; rest &= rest - 1)
            {
                border.push_back(static_cast<int>(64 * w + at(std::countr_zero(rest))));
            }
        }
        for (std::size_t k = at(border_begin.back()); k < border.size(); ++k)
        {
            // Fill: every neighbour takes over the others, and its degree changes.
            const int g = border[k];
            std::uint64_t* bits = neighbours_.data() + at(g) * words_;
            for (std::size_t w = 0; w < words_; ++w) bits[w] |= gone[w];
            // Its own bit and that of the eliminated group do not belong into a neighbourhood.
            bits[at(g) / 64] &= ~(std::uint64_t{1} << (at(g) % 64));
            bits[at(best) / 64] &= ~(std::uint64_t{1} << (at(best) % 64));
            set_key(g);
        }
        border_begin.push_back(static_cast<int>(border.size()));
    }
}

}  // namespace rattleback
