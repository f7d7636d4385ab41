// Elimination from the leaves to the root (Featherstone 2008, ch. 6.5).
#include "dynamics/tree_factor.h"

namespace rattleback
{

namespace
{

/// target[0..count) -= scale * row[0..count).
void subtract_scaled(double* target, const double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4)
    {
        store_pack(load_pack(target + m) - s * load_pack(row + m), target + m);
    }
}
void subtract_scaled(Pack4* target, const Pack4* row, const Pack4& scale, int count)
{
    for (int m = 0; m < count; ++m) target[m] -= scale * row[m];
}

/// row[0..count) *= scale.
void scale_row(double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(row + m) * s, row + m);
}
void scale_row(Pack4* row, const Pack4& scale, int count)
{
    for (int m = 0; m < count; ++m) row[m] = row[m] * scale;
}

}  // namespace

void pad_rows(std::span<const int> row_begin, std::vector<int>& factor_begin)
{
    factor_begin.assign(1, 0);
    for (std::size_t d = 0; d + 1 < row_begin.size(); ++d)
    {
        const int length = row_begin[d + 1] - row_begin[d];
        factor_begin.push_back(factor_begin.back() + (length + 3) / 4 * 4);
    }
}

template <class T>
void factor_tree(const TreePattern& pattern, std::span<const T> matrix, std::span<T> factor, std::span<T> inverse_pivot)
{
    const int* row_begin = pattern.row_begin.data();
    const int* factor_begin = pattern.factor_begin.data();
    T* rows = factor.data();
    const int count = pattern.dof_count();
    for (int i = 0; i < count; ++i)
    {
        const T* from = matrix.data() + row_begin[i];
        T* to = rows + factor_begin[i];
        for (int k = 0; k < row_begin[i + 1] - row_begin[i]; ++k) to[k] = from[k];
    }
    // From the last row up: eliminate dof i from the rows of its ancestors, which hold a prefix of row i's columns. The
    // row is scaled only afterwards: a vector load right after a scalar store to the same place would stall.
    for (int i = count - 1; i >= 0; --i)
    {
        T* row = rows + factor_begin[i];
        const int ancestors = row_begin[i + 1] - row_begin[i] - 1;
        const T inverse = T(1.0) / row[ancestors];
        inverse_pivot[at(i)] = inverse;
        const int* ancestor = pattern.ancestors(i);
        for (int k = ancestors - 1; k >= 0; --k)
        {
            subtract_scaled(rows + factor_begin[ancestor[k]], row, row[k] * inverse, k + 1);
        }
        scale_row(row, inverse, ancestors);
    }
}

template void factor_tree(const TreePattern&, std::span<const double>, std::span<double>, std::span<double>);
template void factor_tree(const TreePattern&, std::span<const Pack4>, std::span<Pack4>, std::span<Pack4>);

}  // namespace rattleback
