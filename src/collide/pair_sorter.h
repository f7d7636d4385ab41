// PairSorter: puts many pairs in order in linear time.
#pragma once

#include <rattleback/query.h>

namespace rattleback
{

/// Keeps its buffers between calls.
class PairSorter
{
public:
    /// Sorts pairs whose `first` are in [0, range): by `first` into buckets, then each bucket, which is short.
    void sort(std::vector<PairCandidate>& pairs, int range);

private:
    std::vector<int> begin_;  ///< of each bucket, [range + 1]
    std::vector<PairCandidate> buffer_;
};

}  // namespace rattleback
