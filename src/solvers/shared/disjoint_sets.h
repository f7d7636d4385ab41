// Sets of numbers that grow together: union-find, with the smallest member as the name of each set.
#pragma once

#include "base/index.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rattleback
{

class DisjointSets
{
public:
    DisjointSets() = default;
    explicit DisjointSets(std::size_t count) { reset(count); }

    /// Every number below `count` in a set of its own.
    void reset(std::size_t count)
    {
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    std::size_t count() const { return parent_.size(); }

    /// The smallest member of the set that `i` is in.
    int find(int i)
    {
        // Path halving: every second link of the way to the root is shortened.
        while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
        return i;
    }

    /// False when they are in one set already.
    bool join(int a, int b)
    {
        const int first = find(a), second = find(b);
        parent_[at(std::max(first, second))] = std::min(first, second);
        return first != second;
    }

private:
    std::vector<int> parent_;
};

}  // namespace rattleback
