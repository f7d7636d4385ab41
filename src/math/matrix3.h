// 3x3 matrices of mechanics: cross products, tensors in turned axes, and the plane turns of Jacobi's eigenvalue method.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

/// [v], the matrix of a cross product: [v] a = v x a.
RB_HD inline Mat3 skew(const Vec3& v) { return {{0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0}}; }

/// R A Rᵀ: an inertia in body axes, in those of the world.
RB_HD inline Mat3 turn_tensor(const Quat& rotation, const Mat3& a)
{
    const Mat3 r = to_matrix(rotation);
    return r * a * transpose(r);
}

/// Tangent, cosine and sine of a turn in a plane.
struct PlaneTurn
{
    double t, c, s;
};
/// The turn that makes the off-diagonal entry pq (not zero) of a symmetric matrix vanish: of the two roots of t² + 2
/// theta t - 1 = 0 the smaller, so that the angle is at most 45 degrees (Jacobi 1846).
RB_HD inline PlaneTurn find_jacobi_turn(double pp, double pq, double qq)
{
    // cot of twice the angle; the form with |theta| does not cancel.
    const double theta = (qq - pp) / (2 * pq);
    const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
    // c and s from the tangent: no trigonometry
    const double c = 1 / std::sqrt(t * t + 1);
    return {t, c, t * c};
}

}  // namespace rattleback
