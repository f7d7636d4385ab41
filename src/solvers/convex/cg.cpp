// Conjugate gradients with the direction of Hager and Zhang (SIAM J. Optim. 16, 2005), preconditioned by M^-1.
#include "solvers/convex/cg.h"

#include <algorithm>

namespace rattleback::convex
{

// Directions are d = - M^-1 g + beta d_last. M^-1 costs a substitution without fill-in, so an iteration is as cheap as
// a few products with J; no Hessian is formed. The line search is Newton's, shared with the Newton method.

namespace
{

double dot(const std::vector<double>& a, const std::vector<double>& b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

Outcome ConjugateGradients::minimise(const Problem& problem, const Limits& limits, Point& p)
{
    constexpr double kTruncation = 0.01;  // eta in the paper
    // In exact arithmetic a quadratic cost of n dofs would take n iterations; rows that switch begin the count anew.
    const int n = problem.dof_count;
    Outcome outcome;
    line_.resize(problem);
    // The gradient's length decides whether there is anything to do.
    outcome.gradient = problem.scale * find_gradient(problem, p);
    outcome.converged = outcome.gradient < limits.tolerance;
    if (outcome.converged) return outcome;
    // M^-1 is the preconditioner: in its metric Gauss's term is round, and rows are all that is left to flatten.
    outcome.bad_dof = metric_.factorize(problem);
    if (outcome.bad_dof >= 0) return outcome;
    descent_.assign(p.gradient.begin(), p.gradient.end());
    metric_.solve(problem, descent_.data());
    for (int i = 0; i < n; ++i) line_.search[i] = -descent_[i];
    while (outcome.iterations < limits.iterations)
    {
        last_gradient_ = p.gradient;
        // What Hager and Zhang call g_k and P g_k; the next iterate overwrites both.
        last_descent_ = descent_;
        // The exact minimum along the direction; states of the rows, forces and cost there.
        const double alpha = search_line(problem, limits, p, line_), before = p.cost;
        if (alpha != 0)
        {
            move_along(problem, line_, alpha, p);
            evaluate_states(problem, p);
        }
        if (judge_step(problem, limits, line_, alpha, before, p, outcome)) break;
        // M^-1 g at the new point.
        std::copy(p.gradient.begin(), p.gradient.end(), descent_.begin());
        metric_.solve(problem, descent_.data());

        // y = g - g_last; the metric of every product is M^-1
        const double g_search = dot(p.gradient, line_.search, n);
        const double y_search = g_search - dot(last_gradient_, line_.search, n);
        const double gg = dot(p.gradient, descent_, n), g_last = dot(p.gradient, last_descent_, n);
        const double last = dot(last_gradient_, last_descent_, n);
        const double yy = gg - 2 * g_last + last, y_g = gg - g_last;
        // Hager and Zhang 2005, their beta^N = (y - 2 d |y|^2 / dᵀy)ᵀ g / dᵀy, here with d = search.
        double beta = (y_g - 2 * yy * g_search / y_search) / y_search;
        multiply_mass(problem, line_.search.data(), line_.product.data());
        const double length = std::sqrt(std::max(0.0, dot(line_.search, line_.product, n)));
        // Truncated from below by their eta_k = -1 / (|d| min(eta, |g|)), so that directions cannot go bad for ever.
        beta = std::max(beta, -1 / (length * std::min(kTruncation, std::sqrt(std::max(0.0, last)))));
        // Without positive curvature along the last direction beta has no meaning: steepest descent in the metric of M.
        if (!(y_search > 0)) beta = 0;
        double slope = 0;
        for (int i = 0; i < n; ++i)
        {
            line_.search[i] = beta * line_.search[i] - descent_[i];
            slope += line_.search[i] * p.gradient[i];
        }
        // Not a descent: begin again along - M^-1 g.
        if (slope < 0) continue;
        for (int i = 0; i < n; ++i) line_.search[i] = -descent_[i];
    }
    return outcome;
}

}  // namespace rattleback::convex
