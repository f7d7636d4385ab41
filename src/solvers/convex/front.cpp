// Elimination in blocks of four pivots, substitution, and rank-one changes, four numbers at a time.
#include "solvers/convex/front.h"

#include "math/pack.h"

#include <array>
#include <cstddef>

namespace rattleback::convex
{

// Rows are eliminated from the last to the first, A = LᵀDL: leaves of the kinematic trees have the larger numbers, and
// taking them first leaves zeros between branches zero. A row k of D L is what row k was when its turn came.

namespace
{

/// The lanes below `count` of a pack, zeros elsewhere.
Pack4 keep_first(const Pack4& p, int count)
{
    // A comparison in lanes instead of a branch per lane.
    const Mask4::Lanes index = {0, 1, 2, 3};
    const long long n = count;
    return select(Mask4{index < Mask4::Lanes{n, n, n, n}}, p, Pack4(0.0));
}

/// target[0 .. count) -= scale * row[0 .. count), in whole packs.
void subtract_scaled(double* target, const double* row, double scale, int count)
{
    // Whole packs may run past `count`: a row is zero there, or above its diagonal, where nobody looks.
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(target + m) - s * load_pack(row + m), target + m);
}

/// Takes the pivot off row k; the part from the diagonal on becomes zero.
bool finish_row(double* row, int k, double& diagonal, double& inverse)
{
    // The pivot D_k goes to a list of its own, zeros take the place of the diagonal and what is above it: later loops
    // then run over whole packs without looking.
    diagonal = row[k];
    if (!(diagonal > 0)) return false;
    inverse = 1 / diagonal;
    const int m = k / 4 * 4;
    store_pack(keep_first(load_pack(row + m), k - m), row + m);
    return true;
}

/// Four pivot rows, and what they are scaled with in the row that they are taken off.
struct Pivots
{
    const double* rows;
    std::ptrdiff_t stride;
    const double* inverse;

    Pack4 load(int r, int m) const { return load_pack(rows + r * stride + m); }
    Pack4 scale(int r, int i) const { return Pack4(rows[r * stride + i] * inverse[r]); }
    bool skip(int i) const
    {
        return rows[i] == 0 && rows[stride + i] == 0 && rows[2 * stride + i] == 0 && rows[3 * stride + i] == 0;
    }
};

/// row_i -= sum over the four pivots, i < first pivot.
void subtract_four(double* target, const Pivots& pivots, int i)
{
    if (pivots.skip(i)) return;
    // Four pivots in one pass over the target: a quarter of the loads and stores.
    const Pack4 s0 = pivots.scale(0, i), s1 = pivots.scale(1, i), s2 = pivots.scale(2, i), s3 = pivots.scale(3, i);
    for (int m = 0; m <= i; m += 4)
    {
        const Pack4 a = s0 * pivots.load(0, m) + s1 * pivots.load(1, m);
        const Pack4 b = s2 * pivots.load(2, m) + s3 * pivots.load(3, m);
        store_pack(load_pack(target + m) - (a + b), target + m);
    }
}

/// The same for rows i and i + 1, i even: their diagonals are in one pack.
void subtract_four_twice(double* target, std::ptrdiff_t stride, const Pivots& pivots, int i)
{
    // Zeros between branches of a tree: most pairs of dofs of a robot are skipped here.
    if (pivots.skip(i)) return subtract_four(target + stride, pivots, i + 1);
    if (pivots.skip(i + 1)) return subtract_four(target, pivots, i);
    const Pack4 s0 = pivots.scale(0, i), s1 = pivots.scale(1, i), s2 = pivots.scale(2, i), s3 = pivots.scale(3, i);
    const Pack4 t0 = pivots.scale(0, i + 1), t1 = pivots.scale(1, i + 1), t2 = pivots.scale(2, i + 1),
                t3 = pivots.scale(3, i + 1);
    double* next = target + stride;
    for (int m = 0; m <= i; m += 4)
    {
        // Two rows share the loads of the pivots.
        const Pack4 p0 = pivots.load(0, m), p1 = pivots.load(1, m), p2 = pivots.load(2, m), p3 = pivots.load(3, m);
        store_pack(load_pack(target + m) - ((s0 * p0 + s1 * p1) + (s2 * p2 + s3 * p3)), target + m);
        store_pack(load_pack(next + m) - ((t0 * p0 + t1 * p1) + (t2 * p2 + t3 * p3)), next + m);
    }
}

/// Takes four pivots, or one, off rows begin .. end of a front; `rows` is where row `begin` lies.
void reduce_rows(double* rows, std::ptrdiff_t stride, int begin, int end, int block, const Pivots& pivots)
{
    // One pivot at a time where fewer than four are left.
    int i = begin;
    if (block == 1)
    {
        for (; i < end; ++i, rows += stride)
        {
            const double c = pivots.rows[i];
            if (c != 0) subtract_scaled(rows, pivots.rows, c * pivots.inverse[0], i + 1);
        }
        return;
    }
    // An odd first row alone, so that pairs begin at even rows and share the pack of their diagonals.
    if (i % 2 == 1 && i < end)
    {
        subtract_four(rows, pivots, i++);
        rows += stride;
    }
    for (; i + 2 <= end; i += 2, rows += 2 * stride) subtract_four_twice(rows, stride, pivots, i);
    if (i < end) subtract_four(rows, pivots, i);
}

/// x[0 .. count) -= sum of y_r row_r over four rows. What stands at `count` and beyond is kept.
void subtract_four_scaled(double* x, const double* rows, std::ptrdiff_t stride, const std::array<double, 4>& y,
                          int count)
{
    // Unlike rows, x holds later unknowns behind `count`: the last pack is cut.
    const Pack4 s0(y[0]), s1(y[1]), s2(y[2]), s3(y[3]);
    int m = 0;
    const auto part = [&]
    {
        return (s0 * load_pack(rows + m) + s1 * load_pack(rows + stride + m)) +
               (s2 * load_pack(rows + 2 * stride + m) + s3 * load_pack(rows + 3 * stride + m));
    };
    for (; m + 4 <= count; m += 4) store_pack(load_pack(x + m) - part(), x + m);
    if (m < count) store_pack(load_pack(x + m) - keep_first(part(), count - m), x + m);
}

/// Products of K rows with x[0 .. count).
template <int K>
std::array<double, K> dot_rows(const double* rows, std::ptrdiff_t stride, const double* x, int count)
{
    // Four partial sums per row, one in each lane, added in a fixed order at the end: the same bits on every machine.
    Pack4 sum[K];
    int m = 0;
    for (; m + 4 <= count; m += 4)
    {
        for (int r = 0; r < K; ++r) sum[r] += load_pack(rows + r * stride + m) * load_pack(x + m);
    }
    if (m < count)
    {
        const Pack4 rest = keep_first(load_pack(x + m), count - m);
        for (int r = 0; r < K; ++r) sum[r] += load_pack(rows + r * stride + m) * rest;
    }
    std::array<double, K> sums;
    for (int r = 0; r < K; ++r) sums[r] = (sum[r].lanes[0] + sum[r].lanes[1]) + (sum[r].lanes[2] + sum[r].lanes[3]);
    return sums;
}

}  // namespace

int eliminate(double* border_rows, double* own_rows, int size, int own, double* diagonal, double* inverse)
{
    // Right-looking elimination of A = LᵀDL from the last own row to the first. A row k becomes D_k L_k when its turn
    // comes; what it leaves in the rows before it, A_ij - L_ki D_k L_kj, is done in blocks of four pivots.
    const std::ptrdiff_t stride = front_stride(size);
    const int end = size - own;
    int k = size;
    while (k > end)
    {
        // The next four pivots, each taken off the others among them.
        const int block = k - end >= 4 ? 4 : 1, first = k - block;
        for (int m = k - 1; m >= first; --m)
        {
            double* row = own_rows + (m - end) * stride;
            if (!finish_row(row, m, diagonal[m - end], inverse[m - end])) return m;
            // Inside the block at once: the next pivot of the four needs it.
            for (int i = m - 1; i >= first; --i)
            {
                if (row[i] != 0) subtract_scaled(own_rows + (i - end) * stride, row, row[i] * inverse[m - end], i + 1);
            }
        }
        // Then all four off every row that remains, own and border: row_i -= sum L_ki D_k L_k.
        const Pivots pivots{own_rows + (first - end) * stride, stride, inverse + (first - end)};
        reduce_rows(own_rows, stride, end, first, block, pivots);
        reduce_rows(border_rows, stride, 0, end, block, pivots);
        k = first;
    }
    return -1;
}

void solve_forward(const double* rows, int stride, int first, int own, const double* inverse, double* x)
{
    // Lᵀ y = b from the last unknown to the first; the rows hold D L, so y_k / D_k times row k is taken off all before
    // it.
    const std::ptrdiff_t step = stride;
    int r = own;
    for (; r >= 4; r -= 4)
    {
        // four unknowns, then their part in all that remain
        const double* block = rows + (r - 4) * step;
        const int k = first + r - 4;
        // y of the four by their small triangle; t = y / D is what scales their rows.
        const double t3 = x[k + 3] * inverse[r - 1];
        const double y2 = x[k + 2] - t3 * block[3 * step + k + 2];
        const double t2 = y2 * inverse[r - 2];
        const double y1 = x[k + 1] - t3 * block[3 * step + k + 1] - t2 * block[2 * step + k + 1];
        const double t1 = y1 * inverse[r - 3];
        const double y0 = x[k] - t3 * block[3 * step + k] - t2 * block[2 * step + k] - t1 * block[step + k];
        subtract_four_scaled(x, block, step, {y0 * inverse[r - 4], t1, t2, t3}, k);
        x[k] = y0;
        x[k + 1] = y1;
        x[k + 2] = y2;
    }
    // The rest, one unknown at a time.
    for (; r > 0; --r)
    {
        const int k = first + r - 1;
        subtract_scaled(x, rows + (r - 1) * step, x[k] * inverse[r - 1], k);
    }
}

void solve_backward(const double* rows, int stride, int first, int own, const double* inverse, double* x)
{
    // D L x = y from the first unknown to the last: x_k = (y_k - (D L)_k x) / D_k. Rows that do not fill a block come
    // first.
    const std::ptrdiff_t step = stride;
    int r = 0;
    for (; r < own % 4; ++r)
    {
        const int k = first + r;
        x[k] = (x[k] - dot_rows<1>(rows + r * step, step, x, k)[0]) * inverse[r];
    }
    for (; r < own; r += 4)
    {
        const double* block = rows + r * step;
        const int k = first + r;
        // What the unknowns before the block take off its four rows, then the small triangle among the four.
        const std::array<double, 4> sums = dot_rows<4>(block, step, x, k);
        const double x0 = (x[k] - sums[0]) * inverse[r];
        const double x1 = (x[k + 1] - sums[1] - block[step + k] * x0) * inverse[r + 1];
        const double x2 =
            (x[k + 2] - sums[2] - block[2 * step + k] * x0 - block[2 * step + k + 1] * x1) * inverse[r + 2];
        const double x3 = (x[k + 3] - sums[3] - block[3 * step + k] * x0 - block[3 * step + k + 1] * x1 -
                           block[3 * step + k + 2] * x2) *
                          inverse[r + 3];
        x[k] = x0;
        x[k + 1] = x1;
        x[k + 2] = x2;
        x[k + 3] = x3;
    }
}

bool change_rows(double* rows, int stride, int first, int own, double& weight, double* diagonal, double* inverse,
                 double* x)
{
    // Method C1 row by row, from the last: d' = d + w p^2, and what is left of x goes on with weight w d / d'.
    constexpr double kLost = 1e-10;  // of a pivot: below this the downdate has lost its digits
    for (int r = own - 1; r >= 0; --r)
    {
        const int k = first + r;
        const double p = x[k], d = diagonal[r];
        // A row of H that the changed row of J does not reach stays as it is, and so does its part of the factor.
        if (p == 0) continue;
        const double changed = d + weight * p * p;
        // A downdate that nearly cancels the pivot: the caller factors anew.
        if (!(changed > kLost * d)) return false;
        // L' = L + (weight p / d') x' with x' = x - p L; the rows hold d L
        const Pack4 share(p * inverse[r]), grow(changed * inverse[r]), lift(weight * p);
        diagonal[r] = changed;
        inverse[r] = 1 / changed;
        weight *= d * inverse[r];
        x[k] = 0;
        double* row = rows + static_cast<std::ptrdiff_t>(r) * stride;
        for (int m = 0; m < k; m += 4)
        {
            const Pack4 old = load_pack(row + m), rest = load_pack(x + m) - share * old;
            store_pack(rest, x + m);
            store_pack(grow * old + lift * rest, row + m);
        }
    }
    return true;
}

}  // namespace rattleback::convex
