// Symmetric matrices in the pattern of kinematic trees, on spans: products, and the factor LᵀDL without fill-in
// (Featherstone 2008, ch. 6.4 and 6.5: branch-induced sparsity).
#pragma once

#include "base/index.h"
#include "math/pack.h"

#include <span>
#include <vector>

namespace rattleback
{

// A row of M has entries for the ancestors of its dof alone. Eliminating leaves first, M = LᵀDL, touches only rows of
// ancestors, whose columns are a prefix of the row's own: L has the pattern of M, and factor and solves cost the depth
// of the tree per dof and not its size.

/// Lower triangle by rows: row i holds the ancestors of dof i, increasing, and i itself last. So the row of an ancestor
/// has the columns with which row i begins.
struct TreePattern
{
    std::span<const int> row_begin;     ///< [dof + 1]
    std::span<const int> column;        ///< dofs
    std::span<const int> factor_begin;  ///< [dof + 1] rows of the factor, see pad_rows

    RB_HD int dof_count() const { return static_cast<int>(row_begin.size()) - 1; }
    RB_HD int ancestor_count(int dof) const { return row_begin[at(dof) + 1] - row_begin[at(dof)] - 1; }
    RB_HD const int* ancestors(int dof) const { return column.data() + row_begin[at(dof)]; }
};

/// Rows of the factor are whole packs of four, so that four entries at a time may run over a row's end.
void pad_rows(std::span<const int> row_begin, std::vector<int>& factor_begin);

/// target[0..count) -= scale * row[0..count).
template <class T>
RB_HD void subtract_scaled(T* target, const T* row, const T& scale, int count)
{
    for (int m = 0; m < count; ++m) target[m] -= scale * row[m];
}
/// The same for two rows, one after the other: the target is loaded and stored once.
template <class T>
RB_HD void subtract_two_scaled(T* target, const T* first, const T& first_scale, const T* second, const T& second_scale,
                               int count)
{
    const T a = first_scale, b = second_scale;
    for (int m = 0; m < count; ++m) target[m] = (target[m] - a * first[m]) - b * second[m];
}
/// row[0..count) *= scale.
template <class T>
RB_HD void scale_row(T* row, const T& scale, int count)
{
    for (int m = 0; m < count; ++m) row[m] = row[m] * scale;
}

#if !defined(__CUDACC__)  // one world on a CPU: four entries of a padded row at a time
inline void subtract_scaled(double* target, const double* row, double scale, int count)
{
    // A row's length is rounded up to a multiple of four numbers.
    // Whole packs may run over the row's end: into its own padding, never into the next row.
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(target + m) - s * load_pack(row + m), target + m);
}
inline void subtract_two_scaled(double* target, const double* first, double first_scale, const double* second,
                                double second_scale, int count)
{
    const Pack4 a(first_scale), b(second_scale);
    for (int m = 0; m < count; m += 4)
        store_pack((load_pack(target + m) - a * load_pack(first + m)) - b * load_pack(second + m), target + m);
}
inline void scale_row(double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(row + m) * s, row + m);
}
#endif

inline constexpr double kLeastPivot = 1e-15;  ///< MuJoCo's mjMINVAL

/// matrix = LᵀDL, positive definite. `factor`: unit L before the diagonal of each padded row; `inverse_pivot`: 1 / D,
/// [dof].
template <class T>
RB_HD void factor_tree(const TreePattern& pattern, std::span<const T> matrix, std::span<T> factor,
                       std::span<T> inverse_pivot)
{
    const int* row_begin = pattern.row_begin.data();
    const int* factor_begin = pattern.factor_begin.data();
    T* rows = factor.data();
    const int count = pattern.dof_count();
    // H = M at first; its rows become those of L.
    for (int i = 0; i < count; ++i)
    {
        const T* from = matrix.data() + row_begin[i];
        T* to = rows + factor_begin[i];
        // Copied with their diagonals.
        for (int k = 0; k < row_begin[i + 1] - row_begin[i]; ++k) to[k] = from[k];
    }
    // One division per dof. Joints that can do the same motion make M singular: a pivot of nothing but rounding counts
    // as the least one, as in MuJoCo. NaN stays NaN, and a negative pivot what it is: implicit steps with springs that
    // push have such.
    const auto invert_pivot = [&](int dof, const T& pivot)
    {
        const T inverse = T(1.0) / select(absolute(pivot) < T(kLeastPivot), T(kLeastPivot), pivot);
        inverse_pivot[at(dof)] = inverse;
        return inverse;
    };
    // From the last row up: eliminate dof i from the rows of its ancestors, which hold a prefix of row i's columns:
    // H_jk -= H_ij H_ik / H_ii for ancestors k <= j of i, then L_ij = H_ij / H_ii. The row is scaled only afterwards: a
    // vector load right after a scalar store to the same place would stall.
    for (int i = count - 1; i >= 0; --i)
    {
        T* row = rows + factor_begin[i];
        const int ancestors = row_begin[i + 1] - row_begin[i] - 1;
        const int* ancestor = pattern.ancestors(i);
        const T inverse = invert_pivot(i, row[ancestors]);
        // Ancestors of i from the nearest up; row k of the update has k + 1 entries, all of them in the ancestor's row.
        if (ancestors == 0 || ancestor[ancestors - 1] != i - 1)
        {
            for (int k = ancestors - 1; k >= 0; --k)
                subtract_scaled(rows + factor_begin[ancestor[k]], row, row[k] * inverse, k + 1);
            scale_row(row, inverse, ancestors);
            continue;
        }
        // Dofs of one chain, two at a time: the ancestor next to i is complete once i is eliminated from it, and both
        // go into the others in one pass, in the order and with the bits of two.
        T* next = rows + factor_begin[i - 1];
        subtract_scaled(next, row, row[ancestors - 1] * inverse, ancestors);
        const T next_inverse = invert_pivot(i - 1, next[ancestors - 1]);
        for (int k = ancestors - 2; k >= 0; --k)
            subtract_two_scaled(rows + factor_begin[ancestor[k]], row, row[k] * inverse, next, next[k] * next_inverse,
                                k + 1);
        scale_row(row, inverse, ancestors);
        scale_row(next, next_inverse, ancestors - 1);
        --i;
    }
}

/// The step of Lᵀ y = x that dof i takes; its descendants have taken theirs.
template <class T>
RB_HD void scatter_to_ancestors(const TreePattern& pattern, std::span<const T> factor, int dof, T* x)
{
    // Row i of L is column i of Lᵀ: what dof i passes on to its ancestors.
    const T value = x[dof];
    const T* row = factor.data() + pattern.factor_begin[at(dof)];
    const int* ancestor = pattern.ancestors(dof);
    const int count = pattern.ancestor_count(dof);
    for (int k = 0; k < count; ++k) x[ancestor[k]] -= row[k] * value;
}

/// The step of D L x = y that dof i takes; its ancestors have taken theirs.
template <class T>
RB_HD void collect_from_ancestors(const TreePattern& pattern, std::span<const T> factor,
                                  std::span<const T> inverse_pivot, int dof, T* x)
{
    // x_i = y_i / D_i - sum of L_ik x_k over the ancestors.
    T value = x[dof] * inverse_pivot[at(dof)];
    const T* row = factor.data() + pattern.factor_begin[at(dof)];
    const int* ancestor = pattern.ancestors(dof);
    const int count = pattern.ancestor_count(dof);
    for (int k = 0; k < count; ++k) value -= row[k] * x[ancestor[k]];
    x[dof] = value;
}

/// x <- (LᵀDL)^-1 x.
template <class T>
RB_HD void solve_tree(const TreePattern& pattern, std::span<const T> factor, std::span<const T> inverse_pivot, T* x)
{
    // Leaves to root, then root to leaves: each touches the entries of L once.
    for (int i = pattern.dof_count() - 1; i >= 0; --i) scatter_to_ancestors(pattern, factor, i, x);
    for (int i = 0; i < pattern.dof_count(); ++i) collect_from_ancestors(pattern, factor, inverse_pivot, i, x);
}

/// y = A x for a symmetric A. (The pattern's factor_begin is not read.)
template <class T>
RB_HD void multiply_tree(const TreePattern& pattern, std::span<const T> matrix, const T* x, T* y)
{
    for (int i = 0; i < pattern.dof_count(); ++i)
    {
        const T* row = matrix.data() + pattern.row_begin[at(i)];
        const int* ancestor = pattern.ancestors(i);
        const int count = pattern.ancestor_count(i);
        // Both triangles from the one that is stored: row i of A times x, and column i into the ancestors.
        const T xi = x[i];
        // The diagonal once, every other entry twice.
        T sum = row[count] * xi;
        for (int k = 0; k < count; ++k)
        {
            sum += row[k] * x[ancestor[k]];
            y[ancestor[k]] += row[k] * xi;
        }
        y[i] = sum;
    }
}

#if !defined(__CUDACC__)  // compiled once, in tree_factor.cpp
extern template void factor_tree(const TreePattern&, std::span<const double>, std::span<double>, std::span<double>);
extern template void factor_tree(const TreePattern&, std::span<const Pack4>, std::span<Pack4>, std::span<Pack4>);
#endif

}  // namespace rattleback
