// Rows of blocks: the half solve y = D^-1/2 L^-T jᵀ with the tree factor of M, products with y, and block matrices.
#pragma once

#include "solvers/comfree/sweep_blocks.h"

#include "dynamics/mass_matrix.h"

namespace rattleback::comfree
{

// M = LᵀDL, so A = J M^-1 Jᵀ = Y Yᵀ with the rows y = D^-1/2 L^-T jᵀ. L^-T leads from a dof to its ancestors alone: y
// has entries where j has, and at the ancestors of these. Impulses are kept as z = Yᵀ f: u = u_s + Y z, and the energy
// that they bring, fᵀA f, is |z|^2.

/// The entries of R rows at one dof. They stand kStride apart in memory.
template <int R, class T>
struct Column
{
    static constexpr int kStride = R;
    T x[R]{};

    static Column load(const T* from)
    {
        Column column;
        for (int r = 0; r < R; ++r) column.x[r] = from[r];
        return column;
    }
    void store(T* to) const
    {
        for (int r = 0; r < R; ++r) to[r] = x[r];
    }
    T operator[](int r) const { return x[r]; }
    /// this += scale other.
    void add(const Column& other, const T& scale)
    {
        for (int r = 0; r < R; ++r) x[r] += other.x[r] * scale;
    }
    void subtract(const Column& other, const T& scale)
    {
        for (int r = 0; r < R; ++r) x[r] -= other.x[r] * scale;
    }
    void multiply(const T& scale)
    {
        for (int r = 0; r < R; ++r) x[r] *= scale;
    }
};

/// Three rows of one world are the lanes of a pack, with a zero behind them: the same numbers, a third of the work.
template <>
struct Column<3, double>
{
    static constexpr int kStride = 4;
    Pack4 x;

    static Column load(const double* from) { return {load_pack(from)}; }
    void store(double* to) const { store_pack(x, to); }
    double operator[](int r) const { return x.lanes[r]; }
    void add(const Column& other, double scale) { x += other.x * Pack4(scale); }
    void subtract(const Column& other, double scale) { x -= other.x * Pack4(scale); }
    void multiply(double scale) { x *= Pack4(scale); }
};

/// rows[0 .. count) -= factor[0 .. count) entry: what an entry scatters to its ancestors.
template <int R, class T>
void scatter_entry(const T* factor, int count, const Column<R, T>& entry, T* rows)
{
    for (int m = 0; m < count; ++m, rows += Column<R, T>::kStride)
    {
        Column<R, T> ancestor = Column<R, T>::load(rows);
        ancestor.subtract(entry, factor[m]);
        ancestor.store(rows);
    }
}

/// solve_half for the single row of a tendon, whose paths branch anywhere.
template <class T>
void solve_half_branched(const WorkspaceView<T>& w, std::span<const T> root, const DofPaths& paths, T* y)
{
    const TreePattern pattern = pattern_of(*w.tree);
    // `places` holds the ancestors of all dofs, one list behind the other: read from its end.
    const int* places = paths.places;
    for (int k = 0; k < paths.first_count; ++k) places += pattern.ancestor_count(paths.first[k]);
    for (int k = paths.first_count - 1; k >= 0; --k)
    {
        const int dof = paths.first[k], count = pattern.ancestor_count(dof);
        const T* row = w.factor.data() + pattern.factor_begin[at(dof)];
        places -= count;
        for (int m = 0; m < count; ++m) y[places[m]] -= row[m] * y[k];
        y[k] *= root[at(dof)];
    }
}

/// Turns the rows j of a block, one Column per dof, into y. `root`: [dof] D^-1/2.
template <int R, class T>
void solve_half(const WorkspaceView<T>& w, std::span<const T> root, const DofPaths& paths, T* y)
{
    using Entry = Column<R, T>;
    if constexpr (R == 1)
        if (paths.places != nullptr) return solve_half_branched<T>(w, root, paths, y);
    const auto factor_row = [&](int dof) { return w.factor.data() + w.tree->factor_begin[at(dof)]; };
    // From the leaves: first the branch of the second body, which ends in the common ancestors, then the first path.
    // A dof that has scattered to its ancestors is done but for D^-1/2.
    T* const second = y + paths.first_count * Entry::kStride;
    for (int k = paths.second_count - 1; k >= 0; --k)
    {
        const T* row = factor_row(paths.second[k]);
        Entry entry = Entry::load(second + k * Entry::kStride);
        scatter_entry<R>(row, paths.common, entry, y);
        scatter_entry<R>(row + paths.common, k, entry, second);
        entry.multiply(root[at(paths.second[k])]);
        entry.store(second + k * Entry::kStride);
    }
    for (int k = paths.first_count - 1; k >= 0; --k)
    {
        Entry entry = Entry::load(y + k * Entry::kStride);
        scatter_entry<R>(factor_row(paths.first[k]), k, entry, y);
        entry.multiply(root[at(paths.first[k])]);
        entry.store(y + k * Entry::kStride);
    }
}

/// u[R] = rows x, with x over all dofs. Neighbours alternate between two sums, which is half the latency.
template <int R, class T>
void multiply_block(const DofPaths& paths, const T* rows, const T* x, T* u)
{
    using Entry = Column<R, T>;
    Entry even, odd;
    const auto add_path = [&](const int* dof, int count, const T* row)
    {
        int k = 0;
        for (; k + 1 < count; k += 2, row += 2 * Entry::kStride)
        {
            even.add(Entry::load(row), x[dof[k]]);
            odd.add(Entry::load(row + Entry::kStride), x[dof[k + 1]]);
        }
        if (k < count) even.add(Entry::load(row), x[dof[k]]);
    };
    add_path(paths.first, paths.first_count, rows);
    add_path(paths.second, paths.second_count, rows + paths.first_count * Entry::kStride);
    for (int r = 0; r < R; ++r) u[r] = even[r] + odd[r];
}

/// The first of the R products of multiply_block alone, with its bits.
template <int R, class T>
T multiply_first(const DofPaths& paths, const T* rows, const T* x)
{
    constexpr int kStride = Column<R, T>::kStride;
    T even(0.0), odd(0.0);
    const auto add_path = [&](const int* dof, int count, const T* row)
    {
        int k = 0;
        for (; k + 1 < count; k += 2, row += 2 * kStride)
        {
            even += row[0] * x[dof[k]];
            odd += row[kStride] * x[dof[k + 1]];
        }
        if (k < count) even += row[0] * x[dof[k]];
    };
    add_path(paths.first, paths.first_count, rows);
    add_path(paths.second, paths.second_count, rows + paths.first_count * kStride);
    return even + odd;
}

/// z += the first row of y times `change`.
template <int R, class T>
void add_first(const DofPaths& paths, const T* y, const T& given, T* z)
{
    constexpr int kStride = Column<R, T>::kStride;
    const T change = given;
    const auto add_path = [&](const int* dof, int count, const T* row)
    {
        for (int k = 0; k < count; ++k, row += kStride) z[dof[k]] += row[0] * change;
    };
    add_path(paths.first, paths.first_count, y);
    add_path(paths.second, paths.second_count, y + paths.first_count * kStride);
}

/// z += yᵀ given, [R].
template <int R, class T>
void add_block(const DofPaths& paths, const T* y, const T* given, T* z)
{
    constexpr int kStride = Column<R, T>::kStride;
    T change[R];
    for (int r = 0; r < R; ++r) change[r] = given[r];
    const auto add_path = [&](const int* dof, int count, const T* row)
    {
        for (int k = 0; k < count; ++k, row += kStride)
        {
            T sum = z[dof[k]];
            for (int r = 0; r < R; ++r) sum += row[r] * change[r];
            z[dof[k]] = sum;
        }
    };
    add_path(paths.first, paths.first_count, y);
    add_path(paths.second, paths.second_count, y + paths.first_count * kStride);
}

/// Columns of the block y yᵀ of A.
template <int R, class T>
std::array<Column<R, T>, R> multiply_rows(const DofPaths& paths, const T* y)
{
    std::array<Column<R, T>, R> block;
    for (int k = 0; k < paths.count(); ++k, y += Column<R, T>::kStride)
    {
        // A = Y Yᵀ: the outer product of each column, added up over the dofs of the block.
        const Column<R, T> entry = Column<R, T>::load(y);
        for (int r = 0; r < R; ++r) block[at(r)].add(entry, y[r]);
    }
    return block;
}

/// Inverse of a disc's matrix [a b; b c], a and c positive, and the step 1 / (largest eigenvalue) with which a
/// projected gradient descends.
template <class T>
void set_disc(const T& a, const T& b, const T& c, BlockNumbers<T>& numbers)
{
    // Eigenvalues of the block: mean +- sqrt(half² + b²).
    const T half = T(0.5) * (a - c), mean = T(0.5) * (a + c);
    const T inverse = T(1.0) / (a * c - b * b);
    numbers.disc[0] = c * inverse;
    numbers.disc[1] = -(b * inverse);
    numbers.disc[2] = a * inverse;
    numbers.disc_step = T(1.0) / (mean + sqrt(half * half + b * b));
}

}  // namespace rattleback::comfree
