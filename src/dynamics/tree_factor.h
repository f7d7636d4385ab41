// Symmetric matrices in the pattern of kinematic trees, on spans: products, and the factor LᵀDL without fill-in.
#pragma once

#include "base/index.h"
#include "math/pack.h"

#include <span>
#include <vector>

namespace rattleback
{

/// Lower triangle by rows: row i holds the ancestors of dof i, increasing, and i itself last. So the row of an ancestor
/// has the columns with which row i begins.
struct TreePattern
{
    std::span<const int> row_begin;     ///< [dof + 1]
    std::span<const int> column;        ///< dofs
    std::span<const int> factor_begin;  ///< [dof + 1] rows of the factor, see pad_rows

    int dof_count() const { return static_cast<int>(row_begin.size()) - 1; }
    int ancestor_count(int dof) const { return row_begin[at(dof) + 1] - row_begin[at(dof)] - 1; }
    const int* ancestors(int dof) const { return column.data() + row_begin[at(dof)]; }
};

/// Rows of the factor are whole packs of four, so that four entries at a time may run over a row's end.
void pad_rows(std::span<const int> row_begin, std::vector<int>& factor_begin);

/// matrix = LᵀDL, positive definite. `factor`: unit L before the diagonal of each padded row; `inverse_pivot`: 1 / D,
/// [dof].
template <class T>
void factor_tree(const TreePattern& pattern, std::span<const T> matrix, std::span<T> factor,
                 std::span<T> inverse_pivot);

/// The step of Lᵀ y = x that dof i takes; its descendants have taken theirs.
template <class T>
void scatter_to_ancestors(const TreePattern& pattern, std::span<const T> factor, int dof, T* x)
{
    const T value = x[dof];
    const T* row = factor.data() + pattern.factor_begin[at(dof)];
    const int* ancestor = pattern.ancestors(dof);
    const int count = pattern.ancestor_count(dof);
    for (int k = 0; k < count; ++k) x[ancestor[k]] -= row[k] * value;
}

/// The step of D L x = y that dof i takes; its ancestors have taken theirs.
template <class T>
void collect_from_ancestors(const TreePattern& pattern, std::span<const T> factor, std::span<const T> inverse_pivot,
                            int dof, T* x)
{
    T value = x[dof] * inverse_pivot[at(dof)];
    const T* row = factor.data() + pattern.factor_begin[at(dof)];
    const int* ancestor = pattern.ancestors(dof);
    const int count = pattern.ancestor_count(dof);
    for (int k = 0; k < count; ++k) value -= row[k] * x[ancestor[k]];
    x[dof] = value;
}

/// x <- (LᵀDL)^-1 x.
template <class T>
void solve_tree(const TreePattern& pattern, std::span<const T> factor, std::span<const T> inverse_pivot, T* x)
{
    for (int i = pattern.dof_count() - 1; i >= 0; --i) scatter_to_ancestors(pattern, factor, i, x);
    for (int i = 0; i < pattern.dof_count(); ++i) collect_from_ancestors(pattern, factor, inverse_pivot, i, x);
}

/// y = A x for a symmetric A. (The pattern's factor_begin is not read.)
template <class T>
void multiply_tree(const TreePattern& pattern, std::span<const T> matrix, const T* x, T* y)
{
    for (int i = 0; i < pattern.dof_count(); ++i)
    {
        const T* row = matrix.data() + pattern.row_begin[at(i)];
        const int* ancestor = pattern.ancestors(i);
        const int count = pattern.ancestor_count(i);
        const T xi = x[i];
        T sum = row[count] * xi;
        for (int k = 0; k < count; ++k)
        {
            sum += row[k] * x[ancestor[k]];
            y[ancestor[k]] += row[k] * xi;
        }
        y[i] = sum;
    }
}

}  // namespace rattleback
