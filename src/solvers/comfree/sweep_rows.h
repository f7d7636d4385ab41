// Rows of blocks: the half solve y = D^-1/2 L^-T jᵀ with the tree factor of M, products with y, and block matrices.
#pragma once

#include "solvers/comfree/answers.h"
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

/// solve_half for the single row of a tendon, whose paths branch anywhere.
template <class T>
void solve_half_branched(const WorkspaceView<T>& w, const DofPaths& paths, T* y)
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
    }
}

/// Dofs of a branch from its root on, and the rows of a block at them. The row of L of any dof behind them has its
/// entry for dof[k] at place `offset` + k.
template <class T>
struct Branch
{
    const int* dof = nullptr;
    int count = 0, offset = 0;
    T* rows = nullptr;
};

/// sums[c] -= what the entries [begin, end) of a branch pass on to place + c in their rows of L, c < W; the last first.
template <int R, int W, class T>
void collect_entries(const WorkspaceView<T>& w, const Branch<T>& from, int begin, int end, int place,
                     Column<R, T>* sums)
{
    for (int m = end - 1; m >= begin; --m)
    {
        const T* factor = w.factor.data() + w.tree->factor_begin[at(from.dof[m])] + place;
        const Column<R, T> entry = Column<R, T>::load(from.rows + m * Column<R, T>::kStride);
        for (int c = 0; c < W; ++c) sums[c].subtract(entry, factor[c]);
    }
}

/// Entries [k, k + W) of L^-T jᵀ along a branch, those behind them known; `side` branches off it behind them.
template <int R, int W, class T>
void solve_entries(const WorkspaceView<T>& w, const Branch<T>& branch, const Branch<T>& side, int k)
{
    using Entry = Column<R, T>;
    Entry sums[W];
    for (int c = 0; c < W; ++c) sums[c] = Entry::load(branch.rows + (k + c) * Entry::kStride);
    const int place = branch.offset + k;
    collect_entries<R, W>(w, side, 0, side.count, place, sums);
    collect_entries<R, W>(w, branch, k + W, branch.count, place, sums);
    // The W among themselves.
    for (int c = W - 1; c > 0; --c)
    {
        const T* factor = w.factor.data() + w.tree->factor_begin[at(branch.dof[k + c])] + place;
        for (int b = 0; b < c; ++b) sums[b].subtract(sums[c], factor[b]);
    }
    for (int c = 0; c < W; ++c) sums[c].store(branch.rows + (k + c) * Entry::kStride);
}

/// Entries [begin, end) of a branch, from the leaf: two at a time, so that what they collect is loaded once for both,
/// and stays in registers until it is complete.
template <int R, class T>
void solve_branch(const WorkspaceView<T>& w, const Branch<T>& branch, const Branch<T>& side, int begin, int end)
{
    int k = end;
    for (; k - 2 >= begin; k -= 2) solve_entries<R, 2>(w, branch, side, k - 2);
    if (k > begin) solve_entries<R, 1>(w, branch, side, begin);
}

/// Turns the rows j of a block, one Column per dof, into D^1/2 y = L^-T jᵀ.
template <int R, class T>
void solve_half(const WorkspaceView<T>& w, const DofPaths& paths, T* y)
{
    if constexpr (R == 1)
        if (paths.places != nullptr) return solve_half_branched<T>(w, paths, y);
    // From the leaves: the branch of the second body, the first body's as far as it is its own, then what both share.
    const Branch<T> first{paths.first, paths.first_count, 0, y};
    const Branch<T> second{paths.second, paths.second_count, paths.common,
                           y + paths.first_count * Column<R, T>::kStride};
    solve_branch<R>(w, second, {}, 0, paths.second_count);
    solve_branch<R>(w, first, {}, paths.common, paths.first_count);
    solve_branch<R>(w, first, second, 0, paths.common);
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

/// The last step of the half solve, y = D^-1/2 (D^1/2 y) with `root` [dof] = D^-1/2, and the columns of the block
/// y yᵀ of A.
template <int R, class T>
std::array<Column<R, T>, R> finish_half(std::span<const T> root, const DofPaths& paths, T* y)
{
    std::array<Column<R, T>, R> block;
    const auto take = [&](const int* dof, int count)
    {
        for (int k = 0; k < count; ++k, y += Column<R, T>::kStride)
        {
            Column<R, T> entry = Column<R, T>::load(y);
            entry.multiply(root[at(dof[k])]);
            entry.store(y);
            // A = Y Yᵀ: the outer product of each column, added up over the dofs of the block.
            for (int r = 0; r < R; ++r) block[at(r)].add(entry, entry[r]);
        }
    };
    take(paths.first, paths.first_count);
    take(paths.second, paths.second_count);
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

/// The first row of a block that pushes, with base = u_s and A = a: as a spring, and as what ends an overlap's
/// approach.
template <class T>
void set_push(const Answer<T>& answer, const T& rest, const T& a, const MaskOf<T>& acts, BlockNumbers<T>& n)
{
    // What no joint moves is pressed by its spring alone: there is no approach to end.
    const auto stops = both(answer.stop > T(0.0), a > T(0.0));
    const T u_s = n.base[0];
    // The spring: f minimises 1/2 (A + 1/Z) f² + (u_s + c + rest of A f) f. Lanes that do not act divide by nothing.
    n.compliance[0] = T(1.0) / answer.impedance;
    n.mobility = a + n.compliance[0];
    n.inverse = select(acts, T(1.0) / n.mobility, T(0.0));
    n.base[0] = u_s + answer.target;
    // The stop: the same without a target, and as hard as a rigid row.
    n.stop_base = select(stops, u_s, n.base[0]);
    n.stop_compliance = select(stops, T(1.0) / answer.stop, n.compliance[0]);
    n.stop_inverse = select(acts, T(1.0) / (a + n.stop_compliance), T(0.0));
    n.overlap = select(stops, answer.target, T(0.0));
    n.rest = rest;
}

}  // namespace rattleback::comfree
