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

void WorldSolver::store(int island, const Solution& solution)
{
    const std::span<const int> dofs = islands_.dofs(island), rows = islands_.rows(island);
    std::vector<double>& joint_force = point_.gradient;  // no longer needed
    std::fill(joint_force.begin(), joint_force.end(), 0.0);
    add_transposed(problem_, point_.states.force.data(), joint_force.data());
    for (std::size_t k = 0; k < dofs.size(); ++k)
    {
        solution.acceleration[dofs[k]] = point_.a[k];
        solution.joint_force[dofs[k]] = joint_force[k];
    }
    for (std::size_t k = 0; k < rows.size(); ++k) solution.row_force[rows[k]] = point_.states.force[k];
}

SolveReport WorldSolver::solve(const System& system, const SolveOptions& options, std::span<const double> warm,
                               const Solution& solution)
{
    islands_.find(system, !options.islands);
    SolveReport report{.islands = islands_.count()};
    for (const int d : islands_.loose_dofs())
    {
        const bool asleep = !system.asleep.empty() && system.asleep[system.tree[d]] >= 0;
        solution.acceleration[d] = asleep ? 0 : system.smooth[d];
        solution.joint_force[d] = 0;
    }
    if (!system.asleep.empty()) std::fill(solution.row_force.begin(), solution.row_force.end(), 0.0);
    for (int i = 0; i < islands_.count(); ++i)
    {
        islands_.gather(system, i, options.dense_limit, problem_);
        start(islands_.dofs(i), warm);
        const Outcome outcome = run(options);
        if (options.noslip_iterations > 0)
            noslip_.solve(problem_, options.noslip_iterations, options.noslip_tolerance, point_);
        store(i, solution);
        const double residual = options.method == Method::pgs ? outcome.improvement : outcome.gradient;
        report.iterations = std::max(report.iterations, outcome.iterations);
        report.residual = std::max(report.residual, residual);
        report.converged = report.converged && outcome.converged;
        if (outcome.bad_dof >= 0 && report.bad_dof < 0) report.bad_dof = islands_.dofs(i)[outcome.bad_dof];
    }
    return report;
}

}  // namespace rattleback::convex
