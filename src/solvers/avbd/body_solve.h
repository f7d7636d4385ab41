// The 6x6 system of one body, solved by the Schur complement with two packed 3x3 Cholesky factorisations ([VBD-R]).
#pragma once

#include "solvers/avbd/contact_row.h"

namespace rattleback::avbd
{

/// Cholesky factor of a symmetric positive matrix in its square-root-free form: unit L (3 numbers), 1 / D (3 numbers).
template <class T>
struct Cholesky3
{
    T l10, l20, l21;
    T i0, i1, i2;

    explicit Cholesky3(const Symmetric3<T>& a)
    {
        // row by row: L_ij = (A_ij - sum of L_ik D_k L_jk) / D_j
        i0 = T(1.0) / a.m[0];
        l10 = a.m[1] * i0;
        l20 = a.m[3] * i0;
        i1 = T(1.0) / (a.m[2] - l10 * a.m[1]);
        const T s = a.m[4] - l20 * a.m[1];
        l21 = s * i1;
        i2 = T(1.0) / (a.m[5] - l20 * a.m[3] - l21 * s);
    }
    Vector3<T> solve(const Vector3<T>& b) const
    {
        // L y = b, then Lᵀ x = D^-1 y
        const T y1 = b.y - l10 * b.x;
        const T y2 = b.z - l20 * b.x - l21 * y1;
        const T z = i2 * y2;
        const T y = i1 * y1 - l21 * z;
        return {i0 * b.x - l10 * y - l20 * z, y, z};
    }
};

inline constexpr double kMaxBodyTurn = 0.5;  ///< [rad] in one Newton step; far beyond, spin_momentum() leads astray

/// The Newton step H^-1 f ([AVBD] Eq. 4) in the four steps of [VBD-R], "Solving via Schur Complement"; it turns the
/// body by no more than kMaxBodyTurn.
template <class T>
Increment<T> solve(BodySystem<T> system)
{
    // H_aa + eps I, eps = 1e-9 (tr H_aa / 3 + 1)
    Symmetric3<T>& a = system.angular;
    add_diagonal(a, T(1e-9) * ((a.m[0] + a.m[2] + a.m[5]) * T(1.0 / 3.0) + T(1.0)));
    // H_ll = L D Lᵀ, and H_ll^-1 H_alᵀ column by column
    const Cholesky3<T> linear(system.linear);
    const Matrix3<T>& c = system.coupling;
    const Vector3<T> rows[3] = {{c.m[0], c.m[1], c.m[2]}, {c.m[3], c.m[4], c.m[5]}, {c.m[6], c.m[7], c.m[8]}};
    const Vector3<T> x0 = linear.solve(rows[0]), x1 = linear.solve(rows[1]), x2 = linear.solve(rows[2]);

    // S = H_aa - H_al H_ll^-1 H_alᵀ
    Symmetric3<T> schur = a;
    schur.m[0] -= dot(rows[0], x0);
    schur.m[1] -= dot(rows[1], x0);
    schur.m[2] -= dot(rows[1], x1);
    schur.m[3] -= dot(rows[2], x0);
    schur.m[4] -= dot(rows[2], x1);
    schur.m[5] -= dot(rows[2], x2);
    // S d_angular = f_ang - H_al H_ll^-1 f_lin
    const Vector3<T> y = linear.solve(system.force);
    const Vector3<T> right{system.torque.x - dot(rows[0], y), system.torque.y - dot(rows[1], y),
                           system.torque.z - dot(rows[2], y)};
    const Vector3<T> turn = Cholesky3<T>(schur).solve(right);
    // a longer turn is cut, its direction kept
    Increment<T> step;
    using std::sqrt;
    const T squared = dot(turn, turn);
    const auto wild = squared > T(kMaxBodyTurn * kMaxBodyTurn);
    step.angular = select(wild, T(kMaxBodyTurn) / sqrt(select(wild, squared, T(1.0))), T(1.0)) * turn;
    // d_linear = H_ll^-1 (f_lin - H_alᵀ d_angular)
    step.linear = y - step.angular.x * x0 - step.angular.y * x1 - step.angular.z * x2;
    return step;
}

}  // namespace rattleback::avbd
