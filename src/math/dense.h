// Small dense systems of a size known when compiled: LDLᵀ of symmetric positive matrices, elimination with row
// exchanges for general ones. Row-major arrays, no heap.
#pragma once

#include "math/pack.h"

#include <array>
#include <cstddef>

namespace rattleback
{

// Loops with constant bounds: the compiler unrolls them, and a 6x6 system takes no call and no heap.

/// LDLᵀ of a symmetric positive N x N matrix in place: unit L below the diagonal, 1 / D on it. False when a pivot is
/// not positive.
template <std::size_t N>
RB_HD bool factor_symmetric(double* a)
{
    // Column by column: D_j = A_jj - sum of L_jk^2 D_k, then L_ij = (A_ij - sum of L_ik D_k L_jk) / D_j.
    double pivot[N];
    for (std::size_t j = 0; j < N; ++j)
    {
        double scaled[N];  // L_jk D_k
        double d = a[N * j + j];
        for (std::size_t k = 0; k < j; ++k)
        {
            scaled[k] = a[N * j + k] * pivot[k];
            d -= a[N * j + k] * scaled[k];
        }
        // Not positive, or not a number.
        if (!(d > 0)) return false;
        pivot[j] = d;
        a[N * j + j] = 1 / d;
        for (std::size_t i = j + 1; i < N; ++i)
        {
            double sum = a[N * i + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[N * i + k] * scaled[k];
            a[N * i + j] = sum * a[N * j + j];
        }
    }
    return true;
}
/// b <- A⁻¹ b with the factors of factor_symmetric().
template <std::size_t N>
RB_HD void solve_factored(const double* a, double* b)
{
    // L y = b, then D Lᵀ x = y.
    for (std::size_t i = 0; i < N; ++i)
    {
        // Substitution in place: no second array.
        for (std::size_t k = 0; k < i; ++k) b[i] -= a[N * i + k] * b[k];
    }
    for (std::size_t i = N; i-- > 0;)
    {
        b[i] *= a[N * i + i];
        for (std::size_t k = i + 1; k < N; ++k) b[i] -= a[N * k + i] * b[k];
    }
}

/// x <- A⁻¹ x by elimination with row exchanges, lane by lane without branches: in each column the largest remaining
/// entry becomes the pivot. `a` is overwritten.
template <std::size_t N, class T>
RB_HD void solve_general(T* a, T* x)
{
    const auto exchange = [](const auto& condition, T& p, T& q)
    {
        // Both are computed and one is kept: lanes of a pack may choose differently.
        const T first = select(condition, q, p), second = select(condition, p, q);
        p = first;
        q = second;
    };
    for (std::size_t k = 0; k < N; ++k)
    {
        // Partial pivoting by comparisons with every row below: N is small, and no index depends on a value.
        for (std::size_t r = k + 1; r < N; ++r)
        {
            // A row is exchanged whenever a larger entry shows up: at the end the largest is the pivot.
            const auto larger = absolute(a[N * r + k]) > absolute(a[(N + 1) * k]);
            for (std::size_t c = k; c < N; ++c) exchange(larger, a[N * k + c], a[N * r + c]);
            exchange(larger, x[k], x[r]);
        }
        // Eliminate column k from all rows below.
        // One division per column.
        const T inverse = T(1.0) / a[(N + 1) * k];
        for (std::size_t r = k + 1; r < N; ++r)
        {
            const T factor = a[N * r + k] * inverse;
            for (std::size_t c = k + 1; c < N; ++c) a[N * r + c] -= factor * a[N * k + c];
            x[r] -= factor * x[k];
        }
    }
    // Back substitution with the upper triangle that is left.
    for (std::size_t k = N; k-- > 0;)
    {
        for (std::size_t c = k + 1; c < N; ++c) x[k] -= a[N * k + c] * x[c];
        x[k] = x[k] / a[(N + 1) * k];
    }
}

}  // namespace rattleback
