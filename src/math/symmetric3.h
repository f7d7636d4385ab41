// Symmetric 3x3 matrices, as inertias and blocks of Newton systems are, and two ways to solve with them.
#pragma once

#include <rattleback/math.h>

#include "math/pack.h"

namespace rattleback
{

/// The lower triangle by rows: xx, yx, yy, zx, zy, zz.
template <class T>
struct Symmetric3
{
    T m[6]{};
};
template <class T>
RB_HD Symmetric3<T>& operator+=(Symmetric3<T>& a, const Symmetric3<T>& b)
{
    for (int i = 0; i < 6; ++i) a.m[i] += b.m[i];
    return a;
}
template <class T>
RB_HD Vector3<T> operator*(const Symmetric3<T>& a, const Vector3<T>& v)
{
    // Each off-diagonal number stands for two entries.
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[3] * v.z, a.m[1] * v.x + a.m[2] * v.y + a.m[4] * v.z,
            a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z};
}
/// a + scale * v vᵀ.
template <class T>
RB_HD void add_outer(Symmetric3<T>& a, const T& scale, const Vector3<T>& v)
{
    // Scaled once, six products.
    const Vector3<T> s = scale * v;
    a.m[0] += s.x * v.x;
    a.m[1] += s.y * v.x;
    a.m[2] += s.y * v.y;
    a.m[3] += s.z * v.x;
    a.m[4] += s.z * v.y;
    a.m[5] += s.z * v.z;
}
template <class T>
RB_HD void add_diagonal(Symmetric3<T>& a, const T& value)
{
    a.m[0] += value;
    a.m[2] += value;
    a.m[5] += value;
}

/// Cholesky factor of a positive matrix in its square-root-free form: unit L (3 numbers), 1 / D (3 numbers).
template <class T>
struct Cholesky3
{
    T l10, l20, l21;
    T i0, i1, i2;

    RB_HD explicit Cholesky3(const Symmetric3<T>& a)
    {
        // row by row: L_ij = (A_ij - sum of L_ik D_k L_jk) / D_j
        // Square-root-free: three divisions, and no root.
        i0 = T(1.0) / a.m[0];
        l10 = a.m[1] * i0;
        l20 = a.m[3] * i0;
        // Schur complements of the leading entries, one after the other.
        i1 = T(1.0) / (a.m[2] - l10 * a.m[1]);
        const T s = a.m[4] - l20 * a.m[1];
        l21 = s * i1;
        i2 = T(1.0) / (a.m[5] - l20 * a.m[3] - l21 * s);
    }
    RB_HD Vector3<T> solve(const Vector3<T>& b) const
    {
        // L y = b, then D Lᵀ x = y, written out.
        const T y1 = b.y - l10 * b.x;
        const T y2 = b.z - l20 * b.x - l21 * y1;
        const T z = i2 * y2;
        const T y = i1 * y1 - l21 * z;
        return {i0 * b.x - l10 * y - l20 * z, y, z};
    }
};

/// The inverse times its determinant (a symmetric matrix's adjugate), and the determinant: exact for singular matrices
/// too.
template <class T>
struct Adjugate3
{
    // A cof(A) = det(A) 1.
    Symmetric3<T> cofactor;
    T determinant;

    RB_HD explicit Adjugate3(const Symmetric3<T>& a)
    {
        // No division: exact also where the matrix is singular.
        // Six distinct cofactors; the determinant by expansion along the first row.
        const T &xx = a.m[0], &xy = a.m[1], &yy = a.m[2], &xz = a.m[3], &yz = a.m[4], &zz = a.m[5];
        cofactor.m[0] = yy * zz - yz * yz;
        cofactor.m[1] = xz * yz - xy * zz;
        cofactor.m[3] = xy * yz - xz * yy;
        determinant = xx * cofactor.m[0] + xy * cofactor.m[1] + xz * cofactor.m[3];
        cofactor.m[2] = xx * zz - xz * xz;
        cofactor.m[4] = xy * xz - xx * yz;
        cofactor.m[5] = xx * yy - xy * xy;
    }
    /// The solution of a x = b, for a determinant that is not zero.
    RB_HD Vector3<T> solve(const Vector3<T>& b) const { return (T(1.0) / determinant) * (cofactor * b); }
};

/// The solution of a x = b; zero where a is singular.
template <class T>
RB_HD Vector3<T> solve_or_zero(const Symmetric3<T>& a, const Vector3<T>& b)
{
    const Adjugate3<T> adjugate(a);
    // Exactly singular only: a nearly singular matrix gives a large answer, which the caller can see.
    const auto singular = absolute(adjugate.determinant) <= T(0.0);
    // Both computed, one kept: lanes may differ.
    const Vector3<T> scaled = adjugate.cofactor * b;
    const T inverse = T(1.0) / select(singular, T(1.0), adjugate.determinant);
    const auto keep = [&](const T& x) { return select(singular, T(0.0), inverse * x); };
    return {keep(scaled.x), keep(scaled.y), keep(scaled.z)};
}

/// The inverse; zero where a is singular.
template <class T>
RB_HD Symmetric3<T> invert_or_zero(const Symmetric3<T>& a)
{
    const Adjugate3<T> adjugate(a);
    if (adjugate.determinant == T(0.0)) return {};
    Symmetric3<T> inverse;
    // Cofactors over the determinant.
    for (int i = 0; i < 6; ++i) inverse.m[i] = (T(1.0) / adjugate.determinant) * adjugate.cofactor.m[i];
    return inverse;
}

}  // namespace rattleback
