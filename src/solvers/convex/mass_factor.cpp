// LᵀDL without fill-in (Featherstone 2008, ch. 6.5): row i holds the ancestors of dof i.
#include "solvers/convex/mass_factor.h"

namespace rattleback::convex
{

int MassFactor::factorize(const Problem& problem)
{
    factor_ = problem.mass;
    inverse_.resize(static_cast<std::size_t>(problem.dof_count));
    for (int i = problem.dof_count - 1; i >= 0; --i)
    {
        double* row = factor_.data() + problem.mass_begin[i];
        const int* column = problem.mass_column.data() + problem.mass_begin[i];
        const int ancestors = problem.mass_begin[i + 1] - problem.mass_begin[i] - 1;
        if (!(row[ancestors] > 0)) return i;
        inverse_[i] = 1 / row[ancestors];
        for (int k = ancestors - 1; k >= 0; --k)
        {
            double* target = factor_.data() + problem.mass_begin[column[k]];  // a prefix of row i's columns
            const double scale = row[k] * inverse_[i];
            for (int m = 0; m <= k; ++m) target[m] -= scale * row[m];
        }
        for (int k = 0; k < ancestors; ++k) row[k] *= inverse_[i];
    }
    return -1;
}

void MassFactor::scatter(const Problem& problem, int dof, double* x) const
{
    for (int k = problem.mass_begin[dof]; k < problem.mass_begin[dof + 1] - 1; ++k)
    {
        x[problem.mass_column[k]] -= factor_[k] * x[dof];
    }
}

void MassFactor::collect(const Problem& problem, int dof, double* x) const
{
    double value = x[dof] * inverse_[dof];
    for (int k = problem.mass_begin[dof]; k < problem.mass_begin[dof + 1] - 1; ++k)
    {
        value -= factor_[k] * x[problem.mass_column[k]];
    }
    x[dof] = value;
}

void MassFactor::solve(const Problem& problem, double* x) const
{
    for (int i = problem.dof_count - 1; i >= 0; --i) scatter(problem, i, x);
    for (int i = 0; i < problem.dof_count; ++i) collect(problem, i, x);
}

void MassFactor::solve(const Problem& problem, std::span<const int> dofs, double* x) const
{
    for (std::size_t i = dofs.size(); i-- > 0;) scatter(problem, dofs[i], x);
    for (const int dof : dofs) collect(problem, dof, x);
}

}  // namespace rattleback::convex
