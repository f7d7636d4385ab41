// Islands, warm starts and methods.
#include "solvers/convex/solve.h"

#include <algorithm>

namespace rattleback::convex
{

/// Of the last acceleration and a_s, the one that costs less.
void WorldSolver::start(std::span<const int> dofs, std::span<const double> warm)
{
    point_.resize(problem_);
    std::copy_n(problem_.smooth.begin(), problem_.dof_count, point_.a.begin());
    if (warm.empty()) return evaluate(problem_, point_);
    // At a_s only the rows cost.
    std::vector<double>& residual = point_.residual;
    multiply_rows(problem_, problem_.smooth.data(), residual.data());
    for (int r = 0; r < problem_.row_count; ++r) residual[r] -= problem_.reference[r];
    point_.cost = evaluate_rows(problem_, residual.data(), point_.states);
    std::copy_n(problem_.force.begin(), problem_.dof_count, point_.product.begin());

    other_.resize(problem_);
    for (std::size_t i = 0; i < dofs.size(); ++i) other_.a[i] = warm[dofs[i]];
    evaluate(problem_, other_);
    if (other_.cost < point_.cost) std::swap(point_, other_);
}

Outcome WorldSolver::run(const SolveOptions& options)
{
    switch (options.method)
    {
        case Method::cg:
            return cg_.solve(problem_, options.limits, point_);
        case Method::pgs:
            return pgs_.solve(problem_, options.limits, point_);
        default:
            newton_.dense_limit = options.dense_limit;
            return newton_.solve(problem_, options.limits, point_);
    }
}

SolveReport WorldSolver::solve(const System& system, const SolveOptions& options, std::span<const double> warm,
                               std::span<double> acceleration, std::span<double> forces)
{
    islands_.find(system, !options.islands);
    SolveReport report{.islands = islands_.count()};
    for (const int d : islands_.loose_dofs()) acceleration[d] = system.smooth[d];
    for (int i = 0; i < islands_.count(); ++i)
    {
        islands_.gather(system, i, options.dense_limit, problem_);
        const std::span<const int> dofs = islands_.dofs(i), rows = islands_.rows(i);
        start(dofs, warm);
        const Outcome outcome = run(options);
        if (options.noslip_iterations > 0)
            noslip_.solve(problem_, options.noslip_iterations, options.noslip_tolerance, point_);
        for (std::size_t k = 0; k < dofs.size(); ++k) acceleration[dofs[k]] = point_.a[k];
        for (std::size_t k = 0; k < rows.size(); ++k) forces[rows[k]] = point_.states.force[k];
        const double residual = options.method == Method::pgs ? outcome.improvement : outcome.gradient;
        report.iterations = std::max(report.iterations, outcome.iterations);
        report.residual = std::max(report.residual, residual);
        report.converged = report.converged && outcome.converged;
        if (outcome.bad_dof >= 0 && report.bad_dof < 0) report.bad_dof = dofs[outcome.bad_dof];
    }
    return report;
}

}  // namespace rattleback::convex
