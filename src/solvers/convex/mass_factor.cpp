// Pivots of an island's inertia, and its substitution over whole trees.
#include "solvers/convex/mass_factor.h"

#include <cmath>

namespace rattleback::convex
{

int MassFactor::factorize(const Problem& problem)
{
    // M = LᵀDL in M's own pattern (Featherstone 2008, section 6.5): eliminating from the leaves to the root fills
    // nothing in.
    pad_rows(problem.mass_begin, factor_begin_);
    factor_.assign(at(factor_begin_.back()), 0.0);
    inverse_.resize(at(problem.dof_count));
    factor_tree<double>(pattern_of(problem), problem.mass, factor_, inverse_);
    // A pivot that is not positive spoils those of its ancestors, which come before it.
    for (int i = problem.dof_count - 1; i >= 0; --i)
    {
        if (!(inverse_[at(i)] > 0 && inverse_[at(i)] < HUGE_VAL)) return i;
    }
    return -1;
}

void MassFactor::solve(const Problem& problem, double* x) const
{
    solve_tree<double>(pattern_of(problem), factor_, inverse_, x);
}

void MassFactor::solve(const Problem& problem, std::span<const int> dofs, double* x) const
{
    // A right-hand side on whole trees needs their dofs alone: Lᵀ from the leaves up, then D and L from the root down.
    const TreePattern pattern = pattern_of(problem);
    for (std::size_t i = dofs.size(); i-- > 0;) scatter_to_ancestors<double>(pattern, factor_, dofs[i], x);
    for (const int dof : dofs) collect_from_ancestors<double>(pattern, factor_, inverse_, dof, x);
}

}  // namespace rattleback::convex
