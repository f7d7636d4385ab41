// Fronts: eliminations that share their border are merged, put in order, and given room (Duff and Reid 1983).
#include "solvers/convex/structure.h"

#include "solvers/convex/front.h"

#include <algorithm>

namespace rattleback::convex
{

// Elimination of a group couples all its neighbours that remain (its border). The neighbour that goes first among them
// is its parent: so groups form a tree. Groups whose border is (almost) their parent's border and the parent itself are
// eliminated together with it, as one dense front, at the price of a few zeros.

/// Eliminations that share (almost) all their border become one front.
void Structure::merge_groups()
{
    constexpr int kFreeZeros = 48;      // extra numbers that cost less than another front
    constexpr double kZeroShare = 0.1;  // of a front's panel
    // In the order of elimination, so that all children of a group are known when its turn comes.
    const int count = static_cast<int>(weights_.size());
    rank_.resize(weights_.size());
    for (int s = 0; s < count; ++s) rank_[ordering_.sequence[s]] = s;
    merged_.assign(weights_.size(), {});
    merged_of_.assign(weights_.size(), -1);
    first_child_.assign(weights_.size(), -1);
    next_.assign(weights_.size(), -1);
    for (int s = 0; s < count; ++s)
    {
        // What remains beside the group when it is eliminated, and which of that goes first: its parent.
        const int group = ordering_.sequence[s];
        int border = 0, parent = -1;
        for (int k = ordering_.border_begin[s]; k < ordering_.border_begin[s + 1]; ++k)
        {
            const int other = ordering_.border[k];
            border += weights_[other];
            if (parent < 0 || rank_[other] < rank_[parent]) parent = other;
        }
        // The child whose own rows would get the fewest zeros by taking this border.
        int best = -1, best_zeros = 0;
        for (int m = first_child_[group]; m >= 0; m = merged_[m].sibling)  // the last first
        {
            const int zeros = merged_[m].own * (weights_[group] + border - merged_[m].border);
            if (best >= 0 && zeros > best_zeros) continue;
            best = m;
            best_zeros = zeros;
        }
        // Take it in where the zeros cost less than another front would.
        Merged front{
            .first = group, .last = group, .top = s, .own = weights_[group], .border = border, .parent = parent};
        // Numbers in the panel of the merged front, against which the zeros are held.
        const double panel = best < 0 ? 0 : (merged_[best].own + front.own) * (merged_[best].own + front.own + border);
        if (best >= 0 && (best_zeros <= kFreeZeros || best_zeros <= kZeroShare * panel))
        {
            merged_[best].gone = true;
            next_[merged_[best].last] = group;
            front.first = merged_[best].first;
            front.own += merged_[best].own;
        }
        // Into the parent's list of children, the last first.
        if (parent >= 0)
        {
            front.sibling = first_child_[parent];
            first_child_[parent] = s;
        }
        merged_[s] = front;
    }
    for (int s = 0; s < count; ++s)
    {
        // Which front each group went to in the end.
        if (merged_[s].gone) continue;
        for (int g = merged_[s].first; g >= 0; g = next_[g]) merged_of_[g] = s;
    }
}

/// Fronts in an order in which each subtree is finished before the next begins.
void Structure::order_fronts()
{
    const int count = static_cast<int>(weights_.size());
    order_.clear();
    stack_.clear();
    // Children by first child and next sibling.
    child_.assign(2 * weights_.size(), -1);
    for (int s = 0; s < count; ++s)
    {
        if (merged_[s].gone) continue;
        const int parent = merged_[s].parent < 0 ? -1 : merged_of_[merged_[s].parent];
        if (parent < 0)
        {
            stack_.push_back(s);
            continue;
        }
        // Pushed to the front of the parent's list.
        child_[count + s] = child_[parent];
        child_[parent] = s;
    }
    // Parents before children, then reversed: children are eliminated earlier, so they have smaller numbers.
    while (!stack_.empty())
    {
        const int s = stack_.back();
        stack_.pop_back();
        order_.push_back(s);
        for (int c = child_[s]; c >= 0; c = child_[count + c]) stack_.push_back(c);
    }
    std::reverse(order_.begin(), order_.end());
    front_of.assign(weights_.size(), -1);
    for (std::size_t f = 0; f < order_.size(); ++f)
    {
        for (int g = merged_[order_[f]].first; g >= 0; g = next_[g]) front_of[g] = static_cast<int>(f);
    }
}

/// Groups of a front, the border's and its own: what is eliminated last comes first.
void Structure::place_groups(const Merged& merged, Front& front)
{
    front.group_begin = static_cast<int>(groups.size());
    for (int k = ordering_.border_begin[merged.top]; k < ordering_.border_begin[merged.top + 1]; ++k)
    {
        groups.push_back({.group = ordering_.border[k]});
    }
    // Own groups behind the border's; both sorted by rank, so that a front and its parent list common groups in one
    // order.
    front.border_end = static_cast<int>(groups.size());
    for (int g = merged.first; g >= 0; g = next_[g]) groups.push_back({.group = g});
    front.group_end = static_cast<int>(groups.size());
    std::sort(groups.begin() + front.group_begin, groups.end(),
              [&](const FrontGroup& a, const FrontGroup& b) { return rank_[a.group] > rank_[b.group]; });
    // Offsets of the groups in the front, in dofs.
    int offset = 0;
    for (int k = front.group_begin; k < front.group_end; ++k)
    {
        groups[k].offset = offset;
        offset += weights_[groups[k].group];
    }
}

/// Sizes, panels and pivots of the fronts, and the largest stack of Schur complements that wait for their parents.
void Structure::place_fronts()
{
    const int count = static_cast<int>(weights_.size());
    fronts.clear();
    groups.clear();
    children.clear();
    storage_size = largest_front = largest_stack = 0;
    factor_work = 0;
    int pivots = 0, stack = 0;
    for (const int s : order_)
    {
        const Merged& merged = merged_[s];
        // Panels lie one behind the other in the storage, pivots likewise in a list of their own.
        Front front{.size = merged.own + merged.border, .own = merged.own};
        front.parent = merged.parent < 0 ? -1 : front_of[merged.parent];
        front.stride = front_stride(front.size);
        front.panel = storage_size;
        front.pivot = pivots;
        place_groups(merged, front);
        // Its children's complements leave the stack, the last pushed first, and its own goes on it.
        front.child_begin = static_cast<int>(children.size());
        for (int c = child_[s]; c >= 0; c = child_[count + c])
        {
            const int child = front_of[merged_[c].first];
            children.push_back(child);
            const int border = fronts[child].size - fronts[child].own;
            stack -= border * front_stride(border);
        }
        // The stack is last in, first out: children are taken off from the last to the first.
        std::sort(children.begin() + front.child_begin, children.end(), std::greater<>());
        front.child_end = static_cast<int>(children.size());
        // The stack is as high as all complements that wait at once; room for it is reserved before the first step
        // needs it.
        stack += merged.border * front_stride(merged.border);
        largest_stack = std::max(largest_stack, stack);
        largest_front = std::max(largest_front, front.size);
        storage_size += front.own * front.stride;
        pivots += front.own;
        // The Schur update of one pivot touches the lower triangle of what remains.
        // A pivot with k rows before it costs k^2 / 2 products.
        for (int k = front.size - front.own; k < front.size; ++k) factor_work += 0.5 * k * k;
        fronts.push_back(front);
    }
}

/// Where the rows of each group begin.
void Structure::place_rows()
{
    row_begin_.resize(weights_.size());
    for (const Front& front : fronts)
    {
        for (int k = front.border_end; k < front.group_end; ++k)
        {
            // Own rows of a front follow each other; a group's begin behind those of the own groups before it.
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
            // Every group of the border is in the parent (border or own), in the same order: one walk over both lists.
            while (groups[k].group != groups[g].group) ++k;
            // Neighbours that stay neighbours in the parent are added as one run.
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
    // Diagonal blocks and edges of the graph before fill; the one eliminated first owns the rows.
    const auto visit = [&](auto add)
    {
        for (std::size_t g = 0; g < weights_.size(); ++g) add(static_cast<int>(g), static_cast<int>(g));
        for (const auto& [a, b] : edges_) rank_[a] < rank_[b] ? add(a, b) : add(b, a);
    };
    // Count the parts of each front, and how much of its panel they fill.
    visit(
        [&](int row, int column)
        {
            const int front = front_of[row];
            ++cursor[front + 1];
            stack_[front] += weights_[row] * weights_[column];
        });
    for (std::size_t f = 0; f < fronts.size(); ++f)
    {
        // A front that is mostly occupied is cleared and copied whole.
        const bool whole = stack_[f] > kWhole * fronts[f].own * fronts[f].stride;
        fronts[f].part_begin = cursor[f];
        cursor[f + 1] = whole ? cursor[f] : cursor[f] + cursor[f + 1];
        fronts[f].part_end = cursor[f + 1];
    }
    parts.resize(static_cast<std::size_t>(cursor.back()));
    // Then write them down, front by front.
    visit(
        [&](int row, int column)
        {
            const Front& front = fronts[front_of[row]];
            // A front that is taken whole needs no list.
            if (front.part_begin == front.part_end) return;
            const int begin = row_begin_[row] + find_offset(front_of[row], column);
            parts[cursor[front_of[row]]++] = {.begin = begin, .rows = weights_[row], .columns = weights_[column]};
        });
}

}  // namespace rattleback::convex
