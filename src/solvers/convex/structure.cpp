// Symbolic analysis: groups of dofs, whether their pattern is known, and from it the fronts.
#include "solvers/convex/structure.h"

#include <algorithm>

namespace rattleback::convex
{

void Structure::find_groups(const Problem& problem)
{
    // A group is a run of neighbouring dofs of one body: their rows of H have the same pattern, so the analysis counts
    // groups where it would count dofs, and is as many times smaller.
    dof_count = problem.dof_count;
    group_of_.assign(static_cast<std::size_t>(dof_count), 0);
    group_begin.assign(1, 0);
    for (int d = 0; d < dof_count; ++d)
    {
        const bool new_group = d > 0 && problem.group[d] != problem.group[d - 1];
        if (new_group) group_begin.push_back(d);
        group_of_[d] = static_cast<int>(group_begin.size()) - 1;
    }
    group_begin.push_back(dof_count);
    // A group weighs as many dofs as it has: degrees and fill are counted in dofs.
    weights_.clear();
    for (std::size_t g = 0; g + 1 < group_begin.size(); ++g) weights_.push_back(group_begin[g + 1] - group_begin[g]);
}

/// Whether the problem has the very columns of the one analysed last; keeps them.
bool Structure::is_last(const Problem& problem)
{
    // Contacts often keep their columns from step to step while only numbers change: comparing lists is far cheaper
    // than the analysis.
    const std::vector<Block>& blocks = problem.rows.blocks;
    const auto ends_there = [](const Block& block, int end) { return block.run_end == end; };
    const bool same =
        problem.mass_begin == last_mass_begin_ && problem.mass_column == last_mass_column_ &&
        problem.group == last_group_ && problem.rows.runs == last_runs_ &&
        std::equal(blocks.begin(), blocks.end(), last_run_ends_.begin(), last_run_ends_.end(), ends_there);
    if (same) return true;
    // What is remembered is what the places of entries depend on, and nothing else.
    last_mass_begin_ = problem.mass_begin;
    last_mass_column_ = problem.mass_column;
    last_group_ = problem.group;
    last_runs_ = problem.rows.runs;
    last_run_ends_.clear();
    for (const Block& block : blocks) last_run_ends_.push_back(block.run_end);
    return false;
}

/// Writes the pattern as a list of cliques; true when it is the one analysed last.
bool Structure::pattern_is_known(const Problem& problem)
{
    // Sizes of groups, then cliques of groups, each closed by -1.
    // The key of the pattern: two problems with the same key have the same fronts.
    std::swap(key_, last_key_);
    key_.clear();
    key_.insert(key_.end(), weights_.begin(), weights_.end());
    key_.push_back(-1);
    // M connects a group with its ancestors: those of its first dof are those of all its dofs.
    for (std::size_t g = 0; g < weights_.size(); ++g)
    {
        const int row = group_begin[g];
        for (int k = problem.mass_begin[row]; k < problem.mass_begin[row + 1]; ++k)
        {
            const int other = group_of_[problem.mass_column[k]];
            if (key_.back() != other) key_.push_back(other);
        }
        key_.push_back(-1);
    }
    // JᵀDJ connects all groups with columns in the same rows.
    for (const Block& block : problem.rows.blocks)
    {
        for (int r = block.run_begin; r < block.run_end; ++r)
        {
            const int group = group_of_[problem.rows.runs[r].dof];
            if (key_.back() != group) key_.push_back(group);
        }
        key_.push_back(-1);
    }
    return key_ == last_key_;
}

bool Structure::analyze(const Problem& problem, bool dense)
{
    if (dense)
    {
        // A dense problem leaves nothing that a sparse one could go on with.
        last_group_.clear();
        place_dense(problem);
        return false;
    }
    // The same columns: nothing to do. The same connections between groups: fronts stay, entries find new places.
    if (is_last(problem)) return true;
    find_groups(problem);
    const bool known = pattern_is_known(problem);
    if (!known) find_fronts();
    place_entries(problem);
    return known;
}

/// From the pattern in the key: order, fronts, and how they hang together.
void Structure::find_fronts()
{
    // The graph of groups: every clique of the key makes all its groups neighbours.
    ordering_.start(weights_);
    std::size_t k = weights_.size() + 1;  // behind the weights in the key
    while (k < key_.size())
    {
        const std::size_t begin = k;
        while (key_[k] >= 0) ++k;
        ordering_.connect_all(std::span<const int>(key_).subspan(begin, k - begin));
        ++k;
    }
    // Its edges before elimination adds fill: only there M or J ever write.
    edges_.clear();
    for (int g = 0; g < static_cast<int>(weights_.size()); ++g)
    {
        ordering_.find_earlier(g, seed_);
        for (const int other : seed_) edges_.emplace_back(g, other);
    }
    // Order of elimination, fronts of groups that are eliminated together, and where they stand in the storage.
    ordering_.run();
    merge_groups();
    order_fronts();
    place_fronts();
    place_rows();
    find_parts();
    find_border_runs();
    // A rank-one change begins in one front and runs through all its ancestors: parents stand behind their children.
    path_work.assign(fronts.size(), 0);
    for (std::size_t f = fronts.size(); f-- > 0;)
    {
        path_work[f] = fronts[f].own * (fronts[f].size - 0.5 * fronts[f].own + kPivotWork);
        if (fronts[f].parent >= 0) path_work[f] += path_work[fronts[f].parent];
    }
}

}  // namespace rattleback::convex
