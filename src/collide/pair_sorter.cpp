// Sorting pairs by counting.
#include "collide/pair_sorter.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback
{

namespace
{

// Pairs come from trees in no useful order, but contacts must have one that depends on nothing else. Numbers are small
// and dense: buckets by the first shape, then a few insertions each.

constexpr std::ptrdiff_t kShort = 16;  // insertion beats everything else below

/// Pairs of equal `first`, by `second`.
template <class Iterator>
void sort_bucket(Iterator begin, Iterator end)
{
    using Pair = typename Iterator::value_type;
    if (end - begin > kShort)
    {
        std::sort(begin, end, [](const Pair& a, const Pair& b) { return a.second < b.second; });
        return;
    }
    for (Iterator i = begin; i != end; ++i)
    {
        const Pair pair = *i;
        Iterator gap = i;
        // Insertion from the right.
        for (; gap != begin && (gap - 1)->second > pair.second; --gap) *gap = *(gap - 1);
        *gap = pair;
    }
}

}  // namespace

template <class Pair>
void PairSorter<Pair>::sort(std::vector<Pair>& pairs, int range)
{
    // Coherence: pairs found in order need no sorting.
    if (std::is_sorted(pairs.begin(), pairs.end())) return;
    if (pairs.size() < at(range) / 16)  // a few pairs of many shapes: counting would cost more
    {
        std::sort(pairs.begin(), pairs.end());
        return;
    }
    // Counting sort by the first shape, linear in pairs and shapes.
    begin_.assign(at(range) + 1, 0);
    for (const Pair& pair : pairs) ++begin_[at(pair.first) + 1];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    buffer_.resize(pairs.size());
    for (const Pair& pair : pairs) buffer_[at(begin_[at(pair.first)]++)] = pair;
    // Each `begin_` is now where its bucket ends.
    int begin = 0;
    for (int first = 0; first < range; ++first)
    {
        // Pairs are unique, and so is their order within a bucket.
        const int end = begin_[at(first)];
        if (end - begin > 1) sort_bucket(buffer_.begin() + begin, buffer_.begin() + end);
        begin = end;
    }
    pairs.swap(buffer_);
}

template class PairSorter<ProxyPair>;
template class PairSorter<PairCandidate>;

}  // namespace rattleback
