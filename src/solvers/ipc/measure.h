// Measures between two groups: distances, angles and turns that joints hold or drive, with their derivatives.
#pragma once

#include "math/rotation.h"
#include "solvers/ipc/bodies.h"
#include "solvers/ipc/rank_one.h"

namespace rattleback::ipc
{

/// Value and gradient of a measure at two placements.
struct MeasurePoint
{
    double value = 0;
    PairVector gradient{};
};

/// The second derivative: of the first group, of the second, and of first (rows) by second (columns).
struct PairHessian
{
    Block6 first{}, second{}, cross{};
};

/// Value alone.
double find_measure(const Measure& measure, const Placement& first, const Placement& second);
MeasurePoint find_measure_point(const Measure& measure, const Placement& first, const Placement& second);
PairHessian find_measure_hessian(const Measure& measure, const Placement& first, const Placement& second);

/// The rotation vector of R_first C R_secondᵀ, world axes, at most half a turn.
inline Vec3 find_turn_between(const Quat& turn, const Placement& first, const Placement& second)
{
    return logarithm(first.rotation * turn * conjugate(second.rotation));
}
/// Gradient and Hessian of an energy W of the angle |turn|, given W' / angle (finite at zero) and W''.
PairVector find_turn_gradient(const Vec3& turn, double slope_ratio);
PairHessian find_turn_hessian(const Vec3& turn, double slope_ratio, double curvature, bool is_exact);

/// Adds scale times the blocks to Newton's system.
void add_pair_hessian(const RowPair& rows, double scale, const PairHessian& blocks, BlockCholesky& hessian);

}  // namespace rattleback::ipc
