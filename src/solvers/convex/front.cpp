// Elimination in blocks of four pivots, substitution, and rank-one changes, four numbers at a time.
#include "solvers/convex/front.h"

#include "math/pack.h"

#include <cstddef>

namespace rattleback::convex
{

namespace
{

/// The lanes below `count` of a pack, zeros elsewhere.
Pack4 keep_first(const Pack4& p, int count)
{
    const Mask4::Lanes index = {0, 1, 2, 3};
    const long long n = count;
    return select(Mask4{index < Mask4::Lanes{n, n, n, n}}, p, Pack4(0.0));
}

/// target[0 .. count) -= scale * row[0 .. count), in whole packs.
void subtract_scaled(double* target, const double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(target + m) - s * load_pack(row + m), target + m);
}

/// Turns row k into a row of L; the part from the diagonal on becomes zero.
bool finish_row(double* row, int k, double& diagonal, double& inverse)
{
    const double pivot = row[k];
    if (!(pivot > 0)) return false;
    diagonal = std::sqrt(pivot);
    inverse = 1 / diagonal;
    const Pack4 s(inverse);
    int m = 0;
    for (; m + 4 <= k; m += 4) store_pack(load_pack(row + m) * s, row + m);
    store_pack(keep_first(load_pack(row + m) * s, k - m), row + m);
    return true;
}

/// row_i -= sum over the four pivots, i < first pivot.
void subtract_four(double* target, const double* pivots, std::ptrdiff_t stride, int i)
{
    const double c0 = pivots[i], c1 = pivots[stride + i], c2 = pivots[2 * stride + i], c3 = pivots[3 * stride + i];
    if (c0 == 0 && c1 == 0 && c2 == 0 && c3 == 0) return;
    const Pack4 s0(c0), s1(c1), s2(c2), s3(c3);
    for (int m = 0; m <= i; m += 4)
    {
        const Pack4 a = s0 * load_pack(pivots + m) + s1 * load_pack(pivots + stride + m);
        const Pack4 b = s2 * load_pack(pivots + 2 * stride + m) + s3 * load_pack(pivots + 3 * stride + m);
        store_pack(load_pack(target + m) - (a + b), target + m);
    }
}

}  // namespace

int eliminate(double* front, int size, int own, double* diagonal, double* inverse)
{
    const std::ptrdiff_t stride = front_stride(size);
    const int end = size - own;
    int k = size;
    while (k > end)
    {
        const int block = k - end >= 4 ? 4 : 1, first = k - block;
        for (int m = k - 1; m >= first; --m)
        {
            double* row = front + m * stride;
            if (!finish_row(row, m, diagonal[m - end], inverse[m - end])) return m;
            for (int i = m - 1; i >= first; --i) subtract_scaled(front + i * stride, row, row[i], i + 1);
        }
        const double* pivots = front + first * stride;
        for (int i = first - 1; i >= 0; --i)
        {
            if (block == 4)
                subtract_four(front + i * stride, pivots, stride, i);
            else if (pivots[i] != 0)
                subtract_scaled(front + i * stride, pivots, pivots[i], i + 1);
        }
        k = first;
    }
    return -1;
}

void solve_forward(const double* rows, int stride, int first, int own, const double* inverse, double* x)
{
    for (int r = own - 1; r >= 0; --r)
    {
        const int k = first + r;
        const double y = x[k] * inverse[r];
        x[k] = y;
        if (y != 0) subtract_scaled(x, rows + static_cast<std::ptrdiff_t>(r) * stride, y, k);
    }
}

void solve_backward(const double* rows, int stride, int first, int own, const double* inverse, double* x)
{
    for (int r = 0; r < own; ++r)
    {
        const int k = first + r;
        const double* row = rows + static_cast<std::ptrdiff_t>(r) * stride;
        Pack4 sum;
        for (int m = 0; m < k; m += 4) sum += load_pack(row + m) * load_pack(x + m);
        x[k] = (x[k] - ((sum.lanes[0] + sum.lanes[1]) + (sum.lanes[2] + sum.lanes[3]))) * inverse[r];
    }
}

bool rotate_rows(double* rows, int stride, int first, int own, double sign, double* diagonal, double* inverse,
                 double* x)
{
    constexpr double kLost = 1e-10;  // of a pivot's square: below this the downdate has lost its digits
    for (int r = own - 1; r >= 0; --r)
    {
        const int k = first + r;
        const double xk = x[k], d = diagonal[r];
        if (xk == 0) continue;
        const double square = d * d + sign * xk * xk;
        if (!(square > kLost * d * d)) return false;
        const double root = std::sqrt(square);
        const double c = root * inverse[r], s = xk * inverse[r];
        diagonal[r] = root;
        inverse[r] = 1 / root;
        x[k] = 0;
        double* row = rows + static_cast<std::ptrdiff_t>(r) * stride;
        const Pack4 cosine(c), sine(s), signed_sine(sign * s), inverse_c(1 / c);
        for (int m = 0; m < k; m += 4)
        {
            const Pack4 changed = (load_pack(row + m) + signed_sine * load_pack(x + m)) * inverse_c;
            store_pack(cosine * load_pack(x + m) - sine * changed, x + m);
            store_pack(changed, row + m);
        }
    }
    return true;
}

}  // namespace rattleback::convex
