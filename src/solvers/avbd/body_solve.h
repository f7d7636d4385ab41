// The 6x6 system of one body, solved by the Schur complement with two packed 3x3 Cholesky factorisations ([VBD-R]).
#pragma once

#include "solvers/avbd/contact_row.h"

namespace rattleback::avbd
{

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
