// Assembly, multifrontal factorisation, substitution and rank-one changes of H.
#include "solvers/convex/hessian.h"

#include "math/pack.h"
#include "solvers/convex/front.h"

#include <algorithm>
#include <cmath>

namespace rattleback::convex
{

// H and its factor have the same storage: for every front its own rows, one after the other, each as long as the front
// (`Front::panel`, `stride`). Dense problems are one front of all dofs; then H and factor are plain lower triangles. In
// the sparse case fronts are visited children first: a front gathers its own rows of H and what its children left over
// for it, eliminates its own rows, and leaves the Schur complement of its border on a stack for its parent.

namespace
{

/// target += sum over K rows of coefficient_r * row_r, `packs` packs long.
template <int K>
void add_combination(double* target, const double* const* rows, std::ptrdiff_t offset, const double* coefficients,
                     int packs)
{
    // Several rows of J at once: the target, which is the longer way to memory, is loaded and stored once for all of
    // them.
    Pack4 c[K];
    for (int r = 0; r < K; ++r) c[r] = Pack4(coefficients[r]);
    for (int m = 0; m < 4 * packs; m += 4)
    {
        Pack4 sum = c[0] * load_pack(rows[0] + offset + m);
        for (int r = 1; r < K; ++r) sum += c[r] * load_pack(rows[r] + offset + m);
        store_pack(load_pack(target + m) + sum, target + m);
    }
}

}  // namespace

void Hessian::start(const Problem& problem, bool dense)
{
    // Where a pattern is known, only what M and J may write needs clearing: the rest is zero already.
    const bool known = structure_.analyze(problem, dense);
    if (known)
        clear_parts();
    else
        hessian_.assign(static_cast<std::size_t>(structure_.storage_size + kPadding), 0.0);
    // H = M; rows come later, each with its weight.
    for (std::size_t k = 0; k < problem.mass.size(); ++k) hessian_[structure_.mass_place[k]] += problem.mass[k];
    // Room for pivots and for one vector; the sparse case also needs the front at work and the stack of Schur
    // complements.
    diagonal_.resize(static_cast<std::size_t>(problem.dof_count));
    inverse_.resize(static_cast<std::size_t>(problem.dof_count));
    local_.assign(static_cast<std::size_t>(structure_.largest_front + 2 * kPadding), 0.0);
    row_.assign(static_cast<std::size_t>(problem.dof_count + kPadding), 0.0);
    if (structure_.groups.size() == 1) return;
    const auto stride = static_cast<std::size_t>(front_stride(structure_.largest_front));
    front_.resize(static_cast<std::size_t>(structure_.largest_front) * stride + kPadding);
    updates_.resize(static_cast<std::size_t>(structure_.largest_stack + kPadding));
    update_begin_.resize(structure_.fronts.size());
}

/// Zeros where there may be anything else.
void Hessian::clear_parts()
{
    for (const Front& front : structure_.fronts)
    {
        // A front that M and J fill almost whole has no list of parts.
        if (front.part_begin == front.part_end)
            std::fill_n(hessian_.data() + front.panel, static_cast<std::ptrdiff_t>(front.own) * front.stride, 0.0);
        for (int k = front.part_begin; k < front.part_end; ++k)
        {
            const FrontPart& part = structure_.parts[k];
            double* to = hessian_.data() + part.begin;
            for (int r = 0; r < part.rows; ++r, to += front.stride) std::fill_n(to, part.columns, 0.0);
        }
    }
}

/// The own rows of a front from H to the factor.
void Hessian::copy_panel(const Front& front)
{
    const auto size = static_cast<std::ptrdiff_t>(front.own) * front.stride;
    const double* from = hessian_.data() + front.panel;
    double* panel = factor_.data() + front.panel;
    // As in clear_parts: whole, or part by part into zeros, which fill then overwrites.
    if (front.part_begin == front.part_end)
    {
        std::copy(from, from + size, panel);
        return;
    }
    std::fill_n(panel, size, 0.0);
    for (int k = front.part_begin; k < front.part_end; ++k)
    {
        const FrontPart& part = structure_.parts[k];
        for (int r = 0, place = part.begin; r < part.rows; ++r, place += front.stride)
        {
            for (int c = 0; c < part.columns; ++c) factor_[place + c] = hessian_[place + c];
        }
    }
}

template <int K>
void Hessian::accumulate_some(const Problem& problem, int block_index, const RowPair* rows, double* storage) const
{
    // All pairs of runs of a block, lower triangle: each pair is a dense rectangle of H.
    const Block& block = problem.rows.blocks[block_index];
    const Run* runs = problem.rows.runs.data() + block.run_begin;
    const int run_count = block.run_end - block.run_begin;
    const int* columns = structure_.pair_column.data() + structure_.pair_begin[block_index];
    const double* right[K];
    for (int r = 0; r < K; ++r) right[r] = rows[r].right;
    int left_offset = 0;
    for (int i = 0; i < run_count; ++i, columns += run_count)
    {
        // Rows of H for the dofs of run i, in the front that eliminates them.
        double* target = storage + structure_.run_row[block.run_begin + i];
        const int stride = structure_.run_stride[block.run_begin + i];
        for (int c = 0; c < runs[i].length; ++c, target += stride)
        {
            // H_(c, .) += sum over rows of weight_r J_rc J_r.
            double coefficients[K];
            for (int r = 0; r < K; ++r) coefficients[r] = rows[r].weight * rows[r].left[left_offset + c];
            int right_offset = 0;
            for (int j = 0; j < run_count; ++j)
            {
                // On the diagonal up to column c only; a negative column says that the transposed pair holds the
                // rectangle.
                const int packs = i == j ? c / 4 + 1 : runs[j].packs;
                if (columns[j] >= 0) add_combination<K>(target + columns[j], right, right_offset, coefficients, packs);
                right_offset += 4 * runs[j].packs;
            }
        }
        left_offset += 4 * runs[i].packs;
    }
}

void Hessian::accumulate(const Problem& problem, int block, std::span<const RowPair> rows, double* storage) const
{
    // A contact has three rows or four edges more often than anything else: four, three, two or one at a time.
    const RowPair* row = rows.data();
    std::size_t left = rows.size();
    for (; left >= 4; left -= 4, row += 4) accumulate_some<4>(problem, block, row, storage);
    if (left == 3) return accumulate_some<3>(problem, block, row, storage);
    if (left == 2) return accumulate_some<2>(problem, block, row, storage);
    if (left == 1) return accumulate_some<1>(problem, block, row, storage);
}

void Hessian::add_rows(const Problem& problem, int block_index, const double* weights)
{
    const Block& block = problem.rows.blocks[block_index];
    // Rows that do not pull have weight zero and are left out.
    const double* row = problem.rows.values.data() + block.value;
    pairs_.clear();
    for (int r = 0; r < block.row_count; ++r, row += block.stride)
    {
        if (weights[r] != 0) pairs_.push_back({row, row, weights[r]});
    }
    accumulate(problem, block_index, pairs_, hessian_.data());
}

void Hessian::add_conic(const Problem& problem, int block_index, const double* conic)
{
    const Block& block = problem.rows.blocks[block_index];
    const int n = block.row_count;
    scaled_.resize(std::max(scaled_.size(), static_cast<std::size_t>(block.stride) * static_cast<std::size_t>(n)));
    const double* rows = problem.rows.values.data() + block.value;
    pairs_.clear();
    for (int i = 0; i < n; ++i)
    {
        // Jᵀ C J = sum over rows i of j_iᵀ (C J)_i: rows of C J beside rows of J.
        double* to = scaled_.data() + static_cast<std::ptrdiff_t>(i) * block.stride;
        for (int k = 0; k < block.stride; ++k) to[k] = conic[i * kMaxConeRows] * rows[k];
        for (int j = 1; j < n; ++j)
        {
            const double c = conic[i * kMaxConeRows + j];
            for (int k = 0; k < block.stride; ++k) to[k] += c * rows[j * block.stride + k];
        }
        pairs_.push_back({rows + static_cast<std::ptrdiff_t>(i) * block.stride, to, 1});
    }
    accumulate(problem, block_index, pairs_, factor_.data());
}

void Hessian::raise_diagonal(const Problem& problem, double share)
{
    // Rows of M end with their diagonal, and so the storage of H has a place for each.
    for (int i = 0; i < problem.dof_count; ++i)
    {
        double& entry = factor_[structure_.mass_place[problem.mass_begin[i + 1] - 1]];
        entry += share * std::abs(entry);
    }
}

void Hessian::begin_factor(bool added)
{
    // Dense, or with more to come: the factor's storage begins as a copy of H. Otherwise each front copies
    // its own rows when its turn comes, while they are about to be used.
    if (added || structure_.groups.size() == 1) factor_ = hessian_;
    factor_holds_matrix_ = added || structure_.groups.size() == 1;
    factor_.resize(hessian_.size());
}

void Hessian::add_child(const Front& child, const double* update)
{
    // Extend-add: the child's Schur complement goes to those rows of the parent that hold its border; the parent's own
    // rows stand in the factor, its border in the front at work.
    const Front& parent = structure_.fronts[child.parent];
    const int parent_border = parent.size - parent.own, stride = front_stride(child.size - child.own);
    const std::span<const BorderRun> runs(structure_.border_runs.data() + child.run_begin,
                                          static_cast<std::size_t>(child.run_end - child.run_begin));
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        for (int r = 0; r < runs[i].length; ++r)
        {
            const double* from = update + static_cast<std::ptrdiff_t>(runs[i].offset + r) * stride;
            const int row = runs[i].parent_offset + r;
            double* to = row < parent_border ? front_.data() + static_cast<std::ptrdiff_t>(row) * parent.stride
                                             : factor_.data() + parent.panel +
                                                   static_cast<std::ptrdiff_t>(row - parent_border) * parent.stride;
            // Lower triangle: runs before this one whole, of this one up to the diagonal.
            for (std::size_t j = 0; j < i; ++j)
            {
                const double* source = from + runs[j].offset;
                double* target = to + runs[j].parent_offset;
                for (int c = 0; c < runs[j].length; ++c) target[c] += source[c];
            }
            for (int c = 0; c <= r; ++c) to[runs[i].parent_offset + c] += from[runs[i].offset + c];
        }
    }
}

int Hessian::factorize_front(const Front& front, double* updates, int& top)
{
    // Assemble the front: its own rows from H, a zero border, and what its children left over.
    const int border = front.size - front.own;
    const auto stride = static_cast<std::ptrdiff_t>(front.stride);
    double* panel = factor_.data() + front.panel;
    if (!factor_holds_matrix_) copy_panel(front);
    for (int r = 0; r < border; ++r) std::fill_n(front_.data() + stride * r, front_stride(r + 1), 0.0);
    for (int c = front.child_begin; c < front.child_end; ++c)
    {
        const int child = structure_.children[c];
        const int child_border = structure_.fronts[child].size - structure_.fronts[child].own;
        // Children were pushed in order, so the last lies on top.
        top -= child_border * front_stride(child_border);
        add_child(structure_.fronts[child], updates + top);
    }
    // Eliminate its own rows. What is left of the border waits on the stack for the parent.
    const int bad = eliminate(front_.data(), panel, front.size, front.own, diagonal_.data() + front.pivot,
                              inverse_.data() + front.pivot);
    // A pivot that is not positive: its place in the front, which factorize() translates.
    if (bad >= 0) return bad;
    const int update_stride = front_stride(border);
    for (int r = 0; r < border; ++r)
    {
        const double* from = front_.data() + stride * r;
        // Lower triangle of the Schur complement, row by row.
        std::copy(from, from + r + 1, updates + top + static_cast<std::ptrdiff_t>(r) * update_stride);
    }
    top += border * update_stride;
    return -1;
}

int Hessian::factorize()
{
    if (structure_.groups.size() == 1)
    {
        // One dense front: everything is eliminated at once.
        const int size = structure_.dof_count;
        return eliminate(nullptr, factor_.data(), size, size, diagonal_.data(), inverse_.data());
    }
    // Fronts in postorder: the complements that a front needs are on top of the stack when its turn comes.
    int top = 0;
    for (const Front& front : structure_.fronts)
    {
        const int bad = factorize_front(front, updates_.data(), top);
        if (bad < 0) continue;
        // From the front's numbering back to the problem's dof.
        for (int k = front.border_end; k < front.group_end; ++k)
        {
            const FrontGroup& g = structure_.groups[k];
            const int begin = structure_.group_begin[g.group], size = structure_.group_begin[g.group + 1] - begin;
            if (bad >= g.offset && bad < g.offset + size) return begin + bad - g.offset;
        }
    }
    return -1;
}

void Hessian::gather(const Front& front, const double* x)
{
    // Dofs of a group are neighbours in the problem and in the front: whole pieces are copied, in the front's order.
    for (int k = front.group_begin; k < front.group_end; ++k)
    {
        const FrontGroup& g = structure_.groups[k];
        // Border and own groups alike: a front reads what its ancestors have not eliminated yet.
        const int begin = structure_.group_begin[g.group], size = structure_.group_begin[g.group + 1] - begin;
        std::copy(x + begin, x + begin + size, local_.data() + g.offset);
    }
    std::fill(local_.data() + front.size, local_.data() + front.size + kPadding, 0.0);
}

void Hessian::scatter(int begin, int end, double* x) const
{
    // The way back, for the border and own groups or for own groups alone.
    for (int k = begin; k < end; ++k)
    {
        const FrontGroup& g = structure_.groups[k];
        const int first = structure_.group_begin[g.group], size = structure_.group_begin[g.group + 1] - first;
        std::copy(local_.data() + g.offset, local_.data() + g.offset + size, x + first);
    }
}

void Hessian::solve(double* x)
{
    if (structure_.groups.size() == 1)
    {
        // One front: forward and backward without moving numbers to and fro.
        const Front& front = structure_.fronts[0];
        solve_forward(factor_.data(), front.stride, 0, front.own, inverse_.data(), x);
        solve_backward(factor_.data(), front.stride, 0, front.own, inverse_.data(), x);
        return;
    }
    // Lᵀ y = b from the leaves to the root.
    for (const Front& front : structure_.fronts)
    {
        gather(front, x);
        solve_forward(factor_.data() + front.panel, front.stride, front.size - front.own, front.own,
                      inverse_.data() + front.pivot, local_.data());
        scatter(front.group_begin, front.group_end, x);
    }
    // D L x = y from the root to the leaves.
    for (std::size_t f = structure_.fronts.size(); f-- > 0;)
    {
        const Front& front = structure_.fronts[f];
        gather(front, x);
        solve_backward(factor_.data() + front.panel, front.stride, front.size - front.own, front.own,
                       inverse_.data() + front.pivot, local_.data());
        scatter(front.border_end, front.group_end, x);
    }
}

int Hessian::first_front(const Problem& problem, int block_index) const
{
    // Every front that holds a run's columns lies on one path to the root: the one with the smallest number begins it.
    const Block& block = problem.rows.blocks[block_index];
    int first = static_cast<int>(structure_.fronts.size()) - 1;
    for (int r = block.run_begin; r < block.run_end; ++r)
    {
        // The group of a dof by search in the sorted list of first dofs.
        const int dof = problem.rows.runs[r].dof;
        const auto group = std::upper_bound(structure_.group_begin.begin(), structure_.group_begin.end(), dof) -
                           structure_.group_begin.begin() - 1;
        first = std::min(first, structure_.front_of[group]);
    }
    return first;
}

double Hessian::change_work(const Problem& problem, int block) const
{
    return structure_.path_work[structure_.groups.size() == 1 ? 0 : first_front(problem, block)];
}

bool Hessian::change_row(const Problem& problem, int block_index, int row, double weight)
{
    const Block& block = problem.rows.blocks[block_index];
    // H' = H + weight jᵀj, so its factor changes by one rotation per pivot that j reaches.
    const double* values = problem.rows.values.data() + block.value + static_cast<std::ptrdiff_t>(row) * block.stride;
    // The row of J, spread out over all dofs.
    std::fill(row_.begin(), row_.end(), 0.0);
    for (int r = block.run_begin; r < block.run_end; ++r)
    {
        const Run& run = problem.rows.runs[r];
        for (int c = 0; c < run.length; ++c) row_[run.dof + c] = values[c];
        values += 4 * run.packs;
    }
    if (structure_.groups.size() == 1)
    {
        const Front& front = structure_.fronts[0];
        return change_rows(factor_.data(), front.stride, 0, front.own, weight, diagonal_.data(), inverse_.data(),
                           row_.data());
    }
    // Only fronts on the way to the root see the change.
    // What a front leaves of the row is the row that its parent sees; weight and row change on the way.
    for (int f = first_front(problem, block_index); f >= 0; f = structure_.fronts[f].parent)
    {
        const Front& front = structure_.fronts[f];
        // The front's part of the row, in the front's own order.
        gather(front, row_.data());
        if (!change_rows(factor_.data() + front.panel, front.stride, front.size - front.own, front.own, weight,
                         diagonal_.data() + front.pivot, inverse_.data() + front.pivot, local_.data()))
        {
            return false;
        }
        scatter(front.group_begin, front.group_end, row_.data());
    }
    return true;
}

}  // namespace rattleback::convex
