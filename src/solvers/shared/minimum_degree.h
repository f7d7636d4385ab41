// A fill-reducing order of elimination: minimum degree on a graph of groups of dofs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rattleback
{

/// Orders groups so that eliminating them one after the other fills little. A function of the graph alone.
class MinimumDegree
{
public:
    /// Forgets all edges. `weights`: dofs of each group.
    void start(std::span<const int> weights);
    void connect(int a, int b);
    /// Makes every two of these groups neighbours.
    void connect_all(std::span<const int> groups);
    /// Neighbours of a group that stand before it; to be asked before `run`.
    void find_earlier(int group, std::vector<int>& found) const;
    /// Fills sequence and border. Among equals the last group goes first: leaves before roots.
    void run();

    std::vector<int> sequence;      ///< groups, first eliminated first
    std::vector<int> border_begin;  ///< [groups + 1] by place in the sequence
    std::vector<int> border;        ///< groups that remain and are neighbours when a group is eliminated

private:
    int find_degree(int group) const;
    void set_key(int group);
    int extract_best();

    std::span<const int> weights_;
    bool equal_weights_ = false;
    // The elimination graph as a bit matrix: words_ words per group.
    std::size_t words_ = 0;
    std::vector<std::uint64_t> neighbours_;  ///< [group][words], a bit per group
    // groups that remain, in any order: degree above, distance from the last group below, so that the least goes first
    std::vector<std::int64_t> keys_;
    std::vector<int> place_;  ///< [group] in keys_
};

}  // namespace rattleback
