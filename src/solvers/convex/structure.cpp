// Groups, their order, fronts, and the places of entries.
#include "solvers/convex/structure.h"

#include "solvers/convex/front.h"

#include <algorithm>

namespace rattleback::convex
{

void Structure::find_groups(const Problem& problem, bool dense)
{
    dof_count = problem.dof_count;
    group_of_.assign(static_cast<std::size_t>(dof_count), 0);
    group_begin.assign(1, 0);
    for (int d = 0; d < dof_count; ++d)
    {
        const bool new_group = d > 0 && !dense && problem.group[d] != problem.group[d - 1];
        if (new_group) group_begin.push_back(d);
        group_of_[d] = static_cast<int>(group_begin.size()) - 1;
    }
    group_begin.push_back(dof_count);
    weights_.clear();
    for (std::size_t g = 0; g + 1 < group_begin.size(); ++g) weights_.push_back(group_begin[g + 1] - group_begin[g]);
}

/// Writes the pattern as a list of cliques; true when it is the one analysed last.
bool Structure::pattern_is_known(const Problem& problem)
{
    std::swap(key_, last_key_);
    key_.clear();
    key_.insert(key_.end(), weights_.begin(), weights_.end());
    key_.push_back(-1);
    for (std::size_t g = 0; g < weights_.size(); ++g)
    {
        const int row = group_begin[g];  // the ancestors of a group's first dof are those of the group
        for (int k = problem.mass_begin[row]; k < problem.mass_begin[row + 1]; ++k)
        {
            const int other = group_of_[problem.mass_column[k]];
            if (key_.back() != other) key_.push_back(other);
        }
        key_.push_back(-1);
    }
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

/// Eliminations that share (almost) all their border become one front.
void Structure::merge_groups()
{
    constexpr int kFreeZeros = 48;      // extra numbers that cost less than another front
    constexpr double kZeroShare = 0.1;  // of a front's panel
    const int count = static_cast<int>(weights_.size());
    rank_.resize(weights_.size());
    for (int s = 0; s < count; ++s) rank_[ordering_.sequence[s]] = s;
    merged_.assign(weights_.size(), {});
    merged_of_.assign(weights_.size(), -1);
    next_.assign(weights_.size(), -1);
    for (int s = 0; s < count; ++s)
    {
        const int group = ordering_.sequence[s];
        int border = 0, parent = -1;
        for (int k = ordering_.border_begin[s]; k < ordering_.border_begin[s + 1]; ++k)
        {
            const int other = ordering_.border[k];
            border += weights_[other];
            if (parent < 0 || rank_[other] < rank_[parent]) parent = other;
        }
        int best = -1, best_zeros = 0;
        for (int m = 0; m < s; ++m)
        {
            if (merged_[m].gone || merged_[m].parent != group) continue;
            const int zeros = merged_[m].own * (weights_[group] + border - merged_[m].border);
            if (best < 0 || zeros < best_zeros) best = m, best_zeros = zeros;
        }
        Merged front{
            .first = group, .last = group, .top = s, .own = weights_[group], .border = border, .parent = parent};
        const double panel = best < 0 ? 0 : (merged_[best].own + front.own) * (merged_[best].own + front.own + border);
        if (best >= 0 && (best_zeros <= kFreeZeros || best_zeros <= kZeroShare * panel))
        {
            merged_[best].gone = true;
            next_[merged_[best].last] = group;
            front.first = merged_[best].first;
            front.own += merged_[best].own;
        }
        merged_[s] = front;
    }
    for (int s = 0; s < count; ++s)
    {
        if (merged_[s].gone) continue;
        for (int g = merged_[s].first; g >= 0; g = next_[g]) merged_of_[g] = s;
    }
}

/// Fronts in an order in which each subtree is finished before the next begins.
void Structure::place_fronts()
{
    const int count = static_cast<int>(weights_.size());
    order_.clear();
    stack_.clear();
    const auto parent_of = [&](int s) { return merged_[s].parent < 0 ? -1 : merged_of_[merged_[s].parent]; };
    // Parents before children, then reversed: children are eliminated earlier, so they have smaller numbers.
    std::vector<int>& first_child = seed_;
    first_child.assign(2 * weights_.size(), -1);  // first child, next sibling
    for (int s = 0; s < count; ++s)
    {
        if (merged_[s].gone) continue;
        const int parent = parent_of(s);
        if (parent < 0)
        {
            stack_.push_back(s);
            continue;
        }
        first_child[count + s] = first_child[parent];
        first_child[parent] = s;
    }
    while (!stack_.empty())
    {
        const int s = stack_.back();
        stack_.pop_back();
        order_.push_back(s);
        for (int c = first_child[s]; c >= 0; c = first_child[count + c]) stack_.push_back(c);
    }
    std::reverse(order_.begin(), order_.end());

    fronts.clear();
    groups.clear();
    children.clear();
    front_of.assign(weights_.size(), -1);
    for (std::size_t f = 0; f < order_.size(); ++f)
    {
        for (int g = merged_[order_[f]].first; g >= 0; g = next_[g]) front_of[g] = static_cast<int>(f);
    }
    storage_size = largest_front = largest_stack = 0;
    factor_work = 0;
    int pivots = 0, stack = 0;
    for (std::size_t f = 0; f < order_.size(); ++f)
    {
        const int s = order_[f];
        const Merged& merged = merged_[s];
        Front front{.size = merged.own + merged.border, .own = merged.own};
        front.parent = merged.parent < 0 ? -1 : front_of[merged.parent];
        front.stride = front_stride(front.size);
        front.panel = storage_size;
        front.pivot = pivots;
        front.group_begin = static_cast<int>(groups.size());
        int offset = 0;
        for (int k = ordering_.border_begin[merged.top]; k < ordering_.border_begin[merged.top + 1]; ++k)
        {
            groups.push_back({.group = ordering_.border[k], .offset = offset});
            offset += weights_[ordering_.border[k]];
        }
        front.border_end = static_cast<int>(groups.size());
        for (int g = merged.first; g >= 0; g = next_[g]) groups.push_back({.group = g});
        std::reverse(groups.begin() + front.border_end, groups.end());
        for (std::size_t k = static_cast<std::size_t>(front.border_end); k < groups.size(); ++k)
        {
            groups[k].offset = offset;
            offset += weights_[groups[k].group];
        }
        front.group_end = static_cast<int>(groups.size());
        front.child_begin = static_cast<int>(children.size());
        for (int c = first_child[s]; c >= 0; c = first_child[count + c])
        {
            const int child = front_of[merged_[c].first];
            children.push_back(child);
            const int border = fronts[child].size - fronts[child].own;
            stack -= border * front_stride(border);
        }
        // the last pushed is taken off first
        std::sort(children.begin() + front.child_begin, children.end(), std::greater<>());
        front.child_end = static_cast<int>(children.size());
        stack += merged.border * front_stride(merged.border);
        largest_stack = std::max(largest_stack, stack);
        largest_front = std::max(largest_front, front.size);
        storage_size += front.own * front.stride;
        pivots += front.own;
        for (int k = front.size - front.own; k < front.size; ++k) factor_work += 0.5 * k * k;
        fronts.push_back(front);
    }
}

int Structure::find_offset(int front, int group) const
{
    for (int k = fronts[front].group_begin; k < fronts[front].group_end; ++k)
    {
        if (groups[k].group == group) return groups[k].offset;
    }
    return -1;
}

void Structure::place_entries(const Problem& problem)
{
    const auto row_place = [&](int dof)
    {
        const int g = group_of_[dof];
        const Front& front = fronts[front_of[g]];
        const int local = find_offset(front_of[g], g) + dof - group_begin[g];
        return front.panel + (local - (front.size - front.own)) * front.stride;
    };
    mass_place.resize(problem.mass.size());
    for (int i = 0; i < dof_count; ++i)
    {
        for (int k = problem.mass_begin[i]; k < problem.mass_begin[i + 1]; ++k)
        {
            const int j = problem.mass_column[k];
            const bool row_is_i = rank_[group_of_[i]] <= rank_[group_of_[j]];
            const int row = row_is_i ? i : j, column = row_is_i ? j : i, g = group_of_[column];
            const int offset = find_offset(front_of[group_of_[row]], g) + column - group_begin[g];
            mass_place[k] = row_place(row) + offset;
        }
    }
    run_row.resize(problem.rows.runs.size());
    run_stride.resize(problem.rows.runs.size());
    pair_begin.clear();
    pair_column.clear();
    for (const Block& block : problem.rows.blocks)
    {
        pair_begin.push_back(static_cast<int>(pair_column.size()));
        for (int i = block.run_begin; i < block.run_end; ++i)
        {
            const int row_dof = problem.rows.runs[i].dof, row_group = group_of_[row_dof];
            run_row[i] = row_place(row_dof);
            run_stride[i] = fronts[front_of[row_group]].stride;
            for (int j = block.run_begin; j < block.run_end; ++j)
            {
                const int dof = problem.rows.runs[j].dof, g = group_of_[dof];
                const bool here = g == row_group ? j <= i : rank_[row_group] < rank_[g];
                pair_column.push_back(here ? find_offset(front_of[row_group], g) + dof - group_begin[g] : -1);
            }
        }
    }
}

void Structure::analyze(const Problem& problem, bool dense)
{
    find_groups(problem, dense);
    if (!pattern_is_known(problem))
    {
        ordering_.start(weights_);
        std::size_t k = weights_.size() + 1;  // behind the weights in the key
        while (k < key_.size())
        {
            const std::size_t begin = k;
            while (key_[k] >= 0) ++k;
            ordering_.connect_all(std::span<const int>(key_).subspan(begin, k - begin));
            ++k;
        }
        ordering_.run();
        merge_groups();
        place_fronts();
        for (Front& front : fronts)
        {
            for (int g = front.group_begin; front.parent >= 0 && g < front.border_end; ++g)
            {
                groups[g].parent_offset = find_offset(front.parent, groups[g].group);
            }
        }
        path_work.assign(fronts.size(), 0);
        for (std::size_t f = fronts.size(); f-- > 0;)
        {
            path_work[f] = fronts[f].own * (fronts[f].size + 20.0);  // a row costs two divisions and a root as well
            if (fronts[f].parent >= 0) path_work[f] += path_work[fronts[f].parent];
        }
    }
    place_entries(problem);
}

}  // namespace rattleback::convex
