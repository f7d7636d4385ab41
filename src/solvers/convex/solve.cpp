// Islands, starting points, methods, and what becomes of their answers.
#include "solvers/convex/solve.h"

#include <algorithm>
#include <cmath>

namespace rattleback::convex
{

void SolveReport::add(const SolveReport& other)
{
    // Stages of Runge-Kutta methods each have a solve.
    iterations += other.iterations;
    islands = std::max(islands, other.islands);
    residual = std::max(other.residual, residual);
    converged = converged && other.converged;
    if (bad_dof < 0) bad_dof = other.bad_dof;
}

SolveReport WorldSolver::minimise(const WorldProblem& world, const SolveOptions& options, std::span<const double> warm,
                                  const Solution& solution, Stick* stick)
{
    // Trees that rows connect are minimised together; no term of the cost reaches from one island to another.
    islands_.find(world, !options.islands);
    set_loose_dofs(world, solution);
    // Large islands are counted in the order in which they come, so that each meets its own workspace again.
    large_islands_ = 0;
    SolveReport report{.islands = islands_.count()};
    for (int island = 0; island < islands_.count(); ++island)
    {
        // M, a_s, J, a_ref and R of the island on compact arrays, and the cheaper of two starting points.
        const std::span<const int> dofs = islands_.dofs(island);
        IslandWorkspace& workspace = find_workspace(static_cast<int>(dofs.size()), options.dense_limit);
        Problem& problem = workspace.problem;
        islands_.gather(world, island, options.dense_limit, problem);
        find_start(problem, dofs, warm);
        if (stick != nullptr) islands_.find_cones(*world.rows, island, cones_);

        // The minimum: again, with the factor at hand, while contacts have lost their slip at once.
        Outcome outcome;
        int iterations = 0, solves = 0;
        do
        {
            if (solves > 0) move_references(*world.rows, island, problem);
            if (options.method == Method::cg)
                outcome = cg_.minimise(problem, options.limits, point_);
            else if (options.method == Method::pgs)
                outcome = pgs_.minimise(problem, options.limits, point_);
            else
                outcome = workspace.newton.minimise(problem, options.limits, point_, solves > 0);
            iterations += outcome.iterations;
            for (std::size_t k = 0; k < dofs.size(); ++k) solution.acceleration[dofs[k]] = point_.a[k];
        } while (stick != nullptr &&
                 stick->correct_lift(++solves, cones_, find_largest_residual(problem), solution.acceleration));

        // Friction again without its regulariser, if asked for; then acceleration, row and joint forces.
        if (options.noslip_iterations > 0)
            noslip_.solve(problem, options.noslip_iterations, options.noslip_tolerance, point_);
        store(problem, island, options.method != Method::pgs && options.noslip_iterations == 0, solution);
        // The world is as good as its worst island.
        report.iterations = std::max(report.iterations, iterations);
        report.residual =
            std::max(report.residual, options.method == Method::pgs ? outcome.improvement : outcome.gradient);
        report.converged = report.converged && outcome.converged;
        if (outcome.bad_dof >= 0 && report.bad_dof < 0) report.bad_dof = dofs[outcome.bad_dof];
    }
    return report;
}

WorldSolver::IslandWorkspace& WorldSolver::find_workspace(int dof_count, int dense_limit)
{
    // Large islands keep a place each, so that their symbolic analysis lasts from step to step.
    const std::size_t index = dof_count > dense_limit ? ++large_islands_ : 0;
    if (workspaces_.size() <= index) workspaces_.resize(index + 1);
    // Small islands share one workspace: their analysis costs nothing.
    workspaces_[index].newton.dense_limit = dense_limit;
    return workspaces_[index];
}

/// Trees without rows move with a_s, sleepers not at all.
void WorldSolver::set_loose_dofs(const WorldProblem& world, const Solution& solution) const
{
    for (const int d : islands_.loose_dofs())
    {
        // No row reaches these dofs: a = a_s solves their part of the problem.
        const bool asleep = !world.asleep.empty() && world.asleep[world.tree[d]] >= 0;
        solution.acceleration[d] = asleep ? 0 : world.smooth[d];
        solution.joint_force[d] = 0;
    }
    if (!world.asleep.empty()) std::fill(solution.row_force.begin(), solution.row_force.end(), 0.0);
}

/// Of the last acceleration and a_s, the one that costs less.
void WorldSolver::find_start(const Problem& problem, std::span<const int> dofs, std::span<const double> warm)
{
    point_.resize(problem);
    std::copy_n(problem.smooth.begin(), problem.dof_count, point_.a.begin());
    // Without a warm start a_s is the only candidate.
    if (warm.empty()) return evaluate(problem, point_);
    // At a_s the product M a is known, Gauss's term is zero, and only the rows cost.
    std::copy_n(problem.force.begin(), problem.dof_count, point_.product.begin());
    multiply_rows(problem, point_.a.data(), point_.residual.data());
    for (int r = 0; r < problem.row_count; ++r) point_.residual[r] -= problem.reference[r];
    evaluate_states(problem, point_);

    // The last acceleration costs Gauss's term as well.
    other_.resize(problem);
    for (std::size_t i = 0; i < dofs.size(); ++i) other_.a[i] = warm[dofs[i]];
    evaluate(problem, other_);
    if (other_.cost < point_.cost) std::swap(point_, other_);
}

/// Largest |r| of the rows of limits and contacts.
double WorldSolver::find_largest_residual(const Problem& problem) const
{
    double largest = 0;
    for (int r = problem.friction_end; r < problem.row_count; ++r)
        largest = std::max(largest, std::abs(point_.residual[r]));
    return largest;
}

/// Takes over references that were changed since the island was gathered: r = J a - a_ref shifts with them.
void WorldSolver::move_references(const ConstraintRows& rows, int island, Problem& problem)
{
    // Only where a lift was given back do rows differ; the others subtract zero.
    const std::span<const int> list = islands_.rows(island);
    for (std::size_t k = 0; k < list.size(); ++k)
    {
        const double reference = rows.reference[list[k]];
        point_.residual[k] -= reference - problem.reference[k];
        problem.reference[k] = reference;
    }
    evaluate_states(problem, point_);
}

/// Writes an island's answer into the world's. With the gradient of the cost at hand, Jᵀf = M a - M a_s - gradient.
void WorldSolver::store(const Problem& problem, int island, bool has_gradient, const Solution& solution)
{
    const std::span<const int> dofs = islands_.dofs(island), rows = islands_.rows(island);
    std::vector<double>& joint_force = point_.gradient;
    // Newton and CG end with the gradient g = M (a - a_s) - Jᵀ f; PGS and no-slip know forces alone, and multiply.
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
    // Row forces in the world's numbers, for sticking contacts, sensors and the report.
    for (std::size_t k = 0; k < rows.size(); ++k) solution.row_force[rows[k]] = point_.states.force[k];
}

}  // namespace rattleback::convex
