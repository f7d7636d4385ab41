// The inertia of an island factored as LᵀDL in its own pattern: the metric of CG and of the dual methods.
#pragma once

#include "dynamics/tree_factor.h"
#include "solvers/convex/problem.h"

namespace rattleback::convex
{

class MassFactor
{
public:
    /// -1, or the dof whose pivot is not positive.
    int factorize(const Problem& problem);
    /// x <- M^-1 x.
    void solve(const Problem& problem, double* x) const;
    /// The same where x is zero outside some whole trees, whose dofs are given in increasing order.
    void solve(const Problem& problem, std::span<const int> dofs, double* x) const;

private:
    TreePattern pattern_of(const Problem& problem) const
    {
        return {problem.mass_begin, problem.mass_column, factor_begin_};
    }

    std::vector<int> factor_begin_;
    std::vector<double> factor_;   ///< unit L before the diagonal of each row
    std::vector<double> inverse_;  ///< [dof] 1 / D
};

}  // namespace rattleback::convex
