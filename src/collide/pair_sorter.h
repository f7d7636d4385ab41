// PairSorter: puts many pairs in order in linear time.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

/// Two proxies of the broad phase; first < second.
struct ProxyPair
{
    int first = -1, second = -1;

    friend auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

/// Keeps its buffers between calls. `Pair`: ProxyPair or PairCandidate.
template <class Pair>
class PairSorter
{
public:
    /// Sorts pairs whose `first` are in [0, range): by `first` into buckets, then each bucket, which is short.
    void sort(std::vector<Pair>& pairs, int range);

private:
    std::vector<int> begin_;  ///< of each bucket, [range + 1]
    std::vector<Pair> buffer_;
};

}  // namespace rattleback
