// Dense kernels on one front: a symmetric matrix stored by rows, factored from the last row up as LᵀDL.
#pragma once

namespace rattleback::convex
{

/// Rows of a front are this far apart: whole packs, with room for one that runs over.
inline int front_stride(int size) { return (size + 3) / 4 * 4; }

/// Eliminates the last `own` of `size` rows, which may lie apart from the leading ones: they become rows of D L
/// (strictly lower part, zeros from the diagonal to the end of its pack), their pivots go to diagonal (D) and inverse
/// (1 / D), both [own], and the leading rows become the Schur complement. Entries above the diagonal are not kept.
/// Returns -1, or the first row whose pivot is not positive.
int eliminate(double* border_rows, double* own_rows, int size, int own, double* diagonal, double* inverse);

/// Forward substitution Lᵀ y = b with rows first .. first + own: x[first ..] becomes y, x[0 .. first) is reduced. x has
/// room for a pack beyond `first + own`.
void solve_forward(const double* rows, int stride, int first, int own, const double* inverse, double* x);
/// Back substitution D L x = y for the same rows.
void solve_backward(const double* rows, int stride, int first, int own, const double* inverse, double* x);

/// Rows of the factor of LᵀDL + weight * x xᵀ (Gill, Golub, Murray and Saunders 1974, method C1). x is
/// [first + own + a pack] and is used up: entries before `first` hold what remains for the ancestors, with the weight
/// that remains for it; the others become zero. False when a downdate leaves no positive pivot.
bool change_rows(double* rows, int stride, int first, int own, double& weight, double* diagonal, double* inverse,
                 double* x);

}  // namespace rattleback::convex
