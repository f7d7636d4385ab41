// Groups, their order, fronts, and the places of entries.
#include "solvers/convex/structure.h"

#include "solvers/convex/front.h"

#include <algorithm>

namespace rattleback::convex
{

namespace
{

constexpr double kPivotWork = 20;  // a rotated row costs two divisions and a root as well, in products

}  // namespace

void Structure::find_groups(const Problem& problem)
{
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
    weights_.clear();
    for (std::size_t g = 0; g + 1 < group_begin.size(); ++g) weights_.push_back(group_begin[g + 1] - group_begin[g]);
}

/// Whether the problem has the very columns of the one analysed last; keeps them.
bool Structure::is_last(const Problem& problem)
{
    const std::vector<Block>& blocks = problem.rows.blocks;
    const auto ends_there = [](const Block& block, int end) { return block.run_end == end; };
    const bool same =
        problem.mass_begin == last_mass_begin_ && problem.mass_column == last_mass_column_ &&
        problem.group == last_group_ && problem.rows.runs == last_runs_ &&
        std::equal(blocks.begin(), blocks.end(), last_run_ends_.begin(), last_run_ends_.end(), ends_there);
    if (same) return true;
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
    first_child_.assign(weights_.size(), -1);
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
        for (int m = first_child_[group]; m >= 0; m = merged_[m].sibling)  // the last first
        {
            const int zeros = merged_[m].own * (weights_[group] + border - merged_[m].border);
            if (best >= 0 && zeros > best_zeros) continue;
            best = m;
            best_zeros = zeros;
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
        if (parent >= 0)
        {
            front.sibling = first_child_[parent];
            first_child_[parent] = s;
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
        for (int k = ordering_.border_begin[merged.top]; k < ordering_.border_begin[merged.top + 1]; ++k)
        {
            groups.push_back({.group = ordering_.border[k]});
        }
        front.border_end = static_cast<int>(groups.size());
        for (int g = merged.first; g >= 0; g = next_[g]) groups.push_back({.group = g});
        std::sort(groups.begin() + front.group_begin, groups.end(),
                  [&](const FrontGroup& a, const FrontGroup& b) { return rank_[a.group] > rank_[b.group]; });
        int offset = 0;
        for (std::size_t k = static_cast<std::size_t>(front.group_begin); k < groups.size(); ++k)
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

/// Where the rows of each group begin.
void Structure::place_rows()
{
    row_begin_.resize(weights_.size());
    for (const Front& front : fronts)
    {
        for (int k = front.border_end; k < front.group_end; ++k)
        {
            row_begin_[groups[k].group] = front.panel + (groups[k].offset - (front.size - front.own)) * front.stride;
        }
    }
}

/// How the border of every front lies in its parent: both list groups in the same order.
void Structure::find_border_runs()
{
    border_runs.clear();
    for (Front& front : fronts)
    {
        front.run_begin = static_cast<int>(border_runs.size());
        int k = front.parent < 0 ? 0 : fronts[front.parent].group_begin;
        for (int g = front.group_begin; front.parent >= 0 && g < front.border_end; ++g)
        {
            while (groups[k].group != groups[g].group) ++k;
            const int size = weights_[groups[g].group], place = groups[k].offset;
            const bool goes_on = static_cast<int>(border_runs.size()) > front.run_begin &&
                                 border_runs.back().parent_offset + border_runs.back().length == place;
            if (goes_on)
                border_runs.back().length += size;
            else
                border_runs.push_back({.offset = groups[g].offset, .parent_offset = place, .length = size});
        }
        front.run_end = static_cast<int>(border_runs.size());
    }
}

/// The occupied parts of every front that has much room for fill.
void Structure::find_parts()
{
    constexpr double kWhole = 0.4;  // of a panel: above this it is cheaper to take all of it
    std::vector<int>& cursor = seed_;
    cursor.assign(fronts.size() + 1, 0);
    stack_.assign(fronts.size(), 0);  // numbers in the parts
    const auto visit = [&](auto add)
    {
        for (std::size_t g = 0; g < weights_.size(); ++g) add(static_cast<int>(g), static_cast<int>(g));
        for (const auto& [a, b] : edges_) rank_[a] < rank_[b] ? add(a, b) : add(b, a);
    };
    visit(
        [&](int row, int column)
        {
            const int front = front_of[row];
            ++cursor[front + 1];
            stack_[front] += weights_[row] * weights_[column];
        });
    for (std::size_t f = 0; f < fronts.size(); ++f)
    {
        const bool whole = stack_[f] > kWhole * fronts[f].own * fronts[f].stride;
        fronts[f].part_begin = cursor[f];
        cursor[f + 1] = whole ? cursor[f] : cursor[f] + cursor[f + 1];
        fronts[f].part_end = cursor[f + 1];
    }
    parts.resize(static_cast<std::size_t>(cursor.back()));
    visit(
        [&](int row, int column)
        {
            const Front& front = fronts[front_of[row]];
            if (front.part_begin == front.part_end) return;
            const int begin = row_begin_[row] + find_offset(front_of[row], column);
            parts[cursor[front_of[row]]++] = {.begin = begin, .rows = weights_[row], .columns = weights_[column]};
        });
}

void Structure::place_entries(const Problem& problem)
{
    mass_place.resize(problem.mass.size());
    for (std::size_t g = 0; g < weights_.size(); ++g) place_mass(problem, static_cast<int>(g));

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
            run_stride[i] = fronts[front_of[row_group]].stride;
            run_row[i] = row_begin_[row_group] + (row_dof - group_begin[row_group]) * run_stride[i];
            for (int j = block.run_begin; j < block.run_end; ++j)
            {
                const int dof = problem.rows.runs[j].dof, g = group_of_[dof];
                const bool here = g == row_group ? j <= i : rank_[row_group] < rank_[g];
                pair_column.push_back(here ? find_offset(front_of[row_group], g) + dof - group_begin[g] : -1);
            }
        }
    }
}

/// Places of M's entries between a group and its ancestors.
void Structure::place_mass(const Problem& problem, int group)
{
    const int first = group_begin[group], row_length = problem.mass_begin[first + 1] - problem.mass_begin[first];
    const int* columns = problem.mass_column.data() + problem.mass_begin[first];
    int other = -1, place = 0, row_step = 0, column_step = 0;  // of the ancestor's group
    for (int k = 0; k < row_length + weights_[group] - 1; ++k)
    {
        // ancestors first, then the group's own dofs
        const int column = k < row_length ? columns[k] : first + k - row_length + 1;
        const int column_group = group_of_[column];
        if (column_group != other)
        {
            other = column_group;
            const bool in_own_row = rank_[group] <= rank_[other];
            const int row = in_own_row ? group : other, across = in_own_row ? other : group;
            const int stride = fronts[front_of[row]].stride;
            place = row_begin_[row] + find_offset(front_of[row], across);
            row_step = in_own_row ? stride : 1;
            column_step = in_own_row ? 1 : stride;
        }
        const int own_begin = other == group ? column - first : 0;  // lower triangle of the group's own block
        for (int r = own_begin; r < weights_[group]; ++r)
        {
            mass_place[problem.mass_begin[first + r] + k] =
                place + r * row_step + (column - group_begin[other]) * column_step;
        }
    }
}

/// One front of all dofs in their own order: nothing to order, every place is known.
void Structure::place_dense(const Problem& problem)
{
    dof_count = problem.dof_count;
    key_.clear();
    const int n = dof_count, stride = front_stride(n);
    fronts.assign(1, {.size = n, .own = n, .stride = stride, .group_end = 1});
    groups.assign(1, {});
    children.clear();
    group_begin.assign({0, n});
    front_of.assign(1, 0);
    storage_size = n * stride;
    largest_front = n;
    largest_stack = 0;
    factor_work = n / 6.0 * n * n;
    path_work.assign(1, n * (0.5 * n + kPivotWork));
    mass_place.resize(problem.mass.size());
    for (int i = 0; i < n; ++i)
    {
        for (int k = problem.mass_begin[i]; k < problem.mass_begin[i + 1]; ++k)
        {
            mass_place[k] = i * stride + problem.mass_column[k];
        }
    }
    run_row.clear();
    for (const Run& run : problem.rows.runs) run_row.push_back(run.dof * stride);
    run_stride.assign(problem.rows.runs.size(), stride);
    pair_begin.clear();
    pair_column.clear();
    for (const Block& block : problem.rows.blocks)
    {
        pair_begin.push_back(static_cast<int>(pair_column.size()));
        for (int i = block.run_begin; i < block.run_end; ++i)
        {
            for (int j = block.run_begin; j < block.run_end; ++j)
            {
                pair_column.push_back(j <= i ? problem.rows.runs[j].dof : -1);
            }
        }
    }
}

bool Structure::analyze(const Problem& problem, bool dense)
{
    if (dense)
    {
        last_group_.clear();
        place_dense(problem);
        return false;
    }
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
    ordering_.start(weights_);
    std::size_t k = weights_.size() + 1;  // behind the weights in the key
    while (k < key_.size())
    {
        const std::size_t begin = k;
        while (key_[k] >= 0) ++k;
        ordering_.connect_all(std::span<const int>(key_).subspan(begin, k - begin));
        ++k;
    }
    edges_.clear();
    for (int g = 0; g < static_cast<int>(weights_.size()); ++g)
    {
        ordering_.find_earlier(g, seed_);
        for (const int other : seed_) edges_.emplace_back(g, other);
    }
    ordering_.run();
    merge_groups();
    place_fronts();
    place_rows();
    find_parts();
    find_border_runs();
    path_work.assign(fronts.size(), 0);
    for (std::size_t f = fronts.size(); f-- > 0;)
    {
        path_work[f] = fronts[f].own * (fronts[f].size - 0.5 * fronts[f].own + kPivotWork);
        if (fronts[f].parent >= 0) path_work[f] += path_work[fronts[f].parent];
    }
}

}  // namespace rattleback::convex
