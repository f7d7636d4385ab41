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

WorldSolver::Place& WorldSolver::find_place(int dof_count)
{
    const std::size_t index = dof_count > options_.dense_limit ? ++large_islands_ : 0;
    if (places_.size() <= index) places_.resize(index + 1);
    return places_[index];
}

Outcome WorldSolver::run(bool again)
{
    const Problem& problem = place_->problem;
    switch (options_.method)
    {
        case Method::cg:
            return cg_.solve(problem, options_.limits, point_);
        case Method::pgs:
            return pgs_.solve(problem, options_.limits, point_);
        default:
            place_->newton.dense_limit = options_.dense_limit;
            return again ? place_->newton.resume(problem, options_.limits, point_)
                         : place_->newton.solve(problem, options_.limits, point_);
    }
}

void WorldSolver::keep_acceleration(int island)
{
    const std::span<const int> dofs = islands_.dofs(island);
    for (std::size_t k = 0; k < dofs.size(); ++k) solution_.acceleration[dofs[k]] = point_.a[k];
}

void WorldSolver::store(int island)
{
    const Problem& problem = place_->problem;
    const std::span<const int> dofs = islands_.dofs(island), rows = islands_.rows(island);
    const bool has_gradient = options_.method != Method::pgs && options_.noslip_iterations == 0;
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
    for (std::size_t k = 0; k < dofs.size(); ++k) solution_.joint_force[dofs[k]] = joint_force[k];
    for (std::size_t k = 0; k < rows.size(); ++k) solution_.row_force[rows[k]] = point_.states.force[k];
    keep_acceleration(island);
}

int WorldSolver::begin(const System& system, const SolveOptions& options, const Solution& solution)
{
    system_ = system;
    options_ = options;
    solution_ = solution;
    islands_.find(system, !options.islands);
    large_islands_ = 0;
    report_ = {.islands = islands_.count()};
    for (const int d : islands_.loose_dofs())
    {
        const bool asleep = !system.asleep.empty() && system.asleep[system.tree[d]] >= 0;
        solution.acceleration[d] = asleep ? 0 : system.smooth[d];
        solution.joint_force[d] = 0;
    }
    if (!system.asleep.empty()) std::fill(solution.row_force.begin(), solution.row_force.end(), 0.0);
    return islands_.count();
}

void WorldSolver::solve_island(int island, std::span<const double> warm)
{
    place_ = &find_place(static_cast<int>(islands_.dofs(island).size()));
    islands_.gather(system_, island, options_.dense_limit, place_->problem);
    start(place_->problem, islands_.dofs(island), warm);
    outcome_ = run(false);
    keep_acceleration(island);
}

void WorldSolver::solve_again(int island)
{
    Problem& problem = place_->problem;
    const std::span<const int> rows = islands_.rows(island);
    for (std::size_t k = 0; k < rows.size(); ++k)
    {
        const double reference = system_.rows->reference[rows[k]];
        point_.residual[k] -= reference - problem.reference[k];
        problem.reference[k] = reference;
    }
    evaluate_moved(problem, point_);
    const int iterations = outcome_.iterations;
    outcome_ = run(true);
    outcome_.iterations += iterations;
    keep_acceleration(island);
}

void WorldSolver::finish_island(int island)
{
    if (options_.noslip_iterations > 0)
        noslip_.solve(place_->problem, options_.noslip_iterations, options_.noslip_tolerance, point_);
    store(island);
    const double residual = options_.method == Method::pgs ? outcome_.improvement : outcome_.gradient;
    report_.iterations = std::max(report_.iterations, outcome_.iterations);
    report_.residual = std::max(report_.residual, residual);
    report_.converged = report_.converged && outcome_.converged;
    if (outcome_.bad_dof >= 0 && report_.bad_dof < 0) report_.bad_dof = islands_.dofs(island)[outcome_.bad_dof];
}

SolveReport WorldSolver::solve(const System& system, const SolveOptions& options, std::span<const double> warm,
                               const Solution& solution)
{
    const int count = begin(system, options, solution);
    for (int island = 0; island < count; ++island)
    {
        solve_island(island, warm);
        finish_island(island);
    }
    return report_;
}

}  // namespace rattleback::convex
