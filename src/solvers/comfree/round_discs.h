// Explicit pairs with two coefficients of friction: rows scaled so that the bounds of their impulses are round.
#pragma once

#include "solvers/shared/rows.h"

namespace rattleback::comfree
{

// (f_1 / mu_1)^2 + (f_2 / mu_2)^2 <= f_n^2 is a disc in g_2 = f_2 mu_1 / mu_2. With the row mu_2 / mu_1 J_2 in the
// place of J_2 the impulse along it is g_2: Jᵀf and the power fᵀu are the same, and the impulse that takes most energy
// from a slip is the one straight against it, as for round friction.

/// mu_2 / mu_1 of row k of a contact: 1 but for the second tangent and the second roll.
inline double second_ratio(const RowCone& cone, int k)
{
    if (k == 2) return cone.friction[1] / cone.friction[0];
    return k == 5 ? cone.friction[4] / cone.friction[3] : 1;
}

/// Scales second tangents and rolls of elliptic rows with their rates.
inline void make_discs_round(ConstraintRows& rows)
{
    for (const RowCone& cone : rows.cones)
    {
        for (int k = 2; k < cone.dimension; k += 3)
        {
            const double ratio = second_ratio(cone, k);
            if (ratio == 1) continue;
            const int row = cone.row + k;
            for (int e = rows.begin[row]; e < rows.begin[row + 1]; ++e) rows.value[e] *= ratio;
            rows.velocity[row] *= ratio;
            rows.product[row] *= ratio;
        }
    }
}

/// Forces of scaled rows become forces along the contact's axes.
inline void restore_row_forces(const ConstraintRows& rows, std::span<double> forces)
{
    for (const RowCone& cone : rows.cones)
        for (int k = 2; k < cone.dimension; k += 3) forces[cone.row + k] *= second_ratio(cone, k);
}

}  // namespace rattleback::comfree
