// Islands, warm starts and methods.
#include "solvers/convex/solve.h"

#include <algorithm>

namespace rattleback::convex
{

/// Of the last acceleration and a_s, the one that costs less.
void WorldSolver::start(const Problem& problem, std::span<const int> dofs, std::span<const double> warm)
{
    point_.resize(problem);
    std::copy_n(problem.smooth.begin(), problem.dof_count, point_.a.begin());
    if (warm.empty()) return evaluate(problem, point_);
    // At a_s only the rows cost.
    std::vector<double>& residual = point_.residual;
    multiply_rows(problem, problem.smooth.data(), residual.data());
    for (int r = 0; r < problem.row_count; ++r) residual[r] -= problem.reference[r];
    point_.cost = evaluate_rows(problem, residual.data(), point_.states);
    std::copy_n(problem.force.begin(), problem.dof_count, point_.product.begin());

    other_.resize(problem);
    for (std::size_t i = 0; i < dofs.size(); ++i) other_.a[i] = warm[dofs[i]];
    evaluate(problem, other_);
    if (other_.cost < point_.cost) std::swap(point_, other_);
}

WorldSolver::Place& WorldSolver::find_place(int dof_count, int dense_limit)
{
    const std::size_t index = dof_count > dense_limit ? ++large_islands_ : 0;
    if (places_.size() <= index) places_.resize(index + 1);
    return places_[index];
}

Outcome WorldSolver::run(const SolveOptions& options, Place& place)
{
    switch (options.method)
    {
        case Method::cg:
            return cg_.solve(place.problem, options.limits, point_);
        case Method::pgs:
            return pgs_.solve(place.problem, options.limits, point_);
        default:
            place.newton.dense_limit = options.dense_limit;
            return place.newton.solve(place.problem, options.limits, point_);
    }
}

void WorldSolver::store(int island, const Problem& problem, bool has_gradient, const Solution& solution)
{
    const std::span<const int> dofs = islands_.dofs(island), rows = islands_.rows(island);
    std::vector<double>& joint_force = point_.gradient;  // which is M a - M a_s - Jᵀ f
    if (has_gradient)
    {
        for (std::size_t k = 0; k < dofs.size(); ++k)
            joint_force[k] = point_.product[k] - problem.force[k] - joint_force[k];
    }
    else
    {
        std::fill(joint_force.begin(), joint_force.end(), 0.0);
        add_transposed(problem, point_.states.force.data(), joint_force.data());
    }
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
    large_islands_ = 0;
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
        Place& place = find_place(static_cast<int>(islands_.dofs(i).size()), options.dense_limit);
        islands_.gather(system, i, options.dense_limit, place.problem);
        start(place.problem, islands_.dofs(i), warm);
        const Outcome outcome = run(options, place);
        if (options.noslip_iterations > 0)
            noslip_.solve(place.problem, options.noslip_iterations, options.noslip_tolerance, point_);
        const bool has_gradient = options.method != Method::pgs && options.noslip_iterations == 0;
        store(i, place.problem, has_gradient, solution);
        const double residual = options.method == Method::pgs ? outcome.improvement : outcome.gradient;
        report.iterations = std::max(report.iterations, outcome.iterations);
        report.residual = std::max(report.residual, residual);
        report.converged = report.converged && outcome.converged;
        if (outcome.bad_dof >= 0 && report.bad_dof < 0) report.bad_dof = islands_.dofs(i)[outcome.bad_dof];
    }
    return report;
}

}  // namespace rattleback::convex
