// Newton's method with joints: directions that follow them, and multipliers that close them.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::follow_joints()
{
    // A body that turns about an anchor leaves it by r phi^2 / 2 along a straight step, and the penalty of that would
    // cut the line search to steps of a hundredth of a radian. The same factor finds what closes the joints at the end
    // of the step: H d = - g - k Jᵀ (c(x + d) - c - J d), by iteration (the second-order correction of sequential
    // quadratic programming).
    constexpr int kRounds = 4;
    if (potential_.joints().empty()) return;
    straight_ = direction_;
    std::fill(products_.begin(), products_.end(), 0.0);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        for (std::size_t i = 0; row >= 0 && i < 6; ++i)
            products_[at(island_of_[g])] += gradient_[at(row)][i] * straight_[at(row)][i];
    }
    for (int round = 0; round < kRounds; ++round)
    {
        for (std::size_t g = 0; g < placements_.size(); ++g)
        {
            const int row = layout_.groups[g].row;
            trial_[g] = row < 0 ? placements_[g] : move(placements_[g], direction_[at(row)], 1);
        }
        potential_.joints().find_bend(placements_, trial_, direction_, bend_);
        hessian_.solve(bend_);
        for (std::size_t r = 0; r < direction_.size(); ++r)
        {
            for (std::size_t i = 0; i < 6; ++i) direction_[r][i] = straight_[r][i] - bend_[r][i];
        }
    }
    // Where that is no longer a direction of descent, the straight one.
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        for (std::size_t i = 0; row >= 0 && i < 6; ++i)
            values_[at(island_of_[g])] += gradient_[at(row)][i] * direction_[at(row)][i];
    }
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        const auto island = at(island_of_[g]);
        if (row < 0) continue;
        if (is_done_[g] != 0)
            direction_[at(row)] = {};
        else if (!(values_[island] <= 0.1 * products_[island]))
            direction_[at(row)] = straight_[at(row)];
    }
}

NewtonReport Newton::solve_with_joints(std::span<const Body> bodies, int max_iterations)
{
    // Augmented Lagrangian: with the penalty at kStiffness times the mass a round leaves about 1 / kStiffness of the
    // change of the forces since the last, so that one round is the rule.
    constexpr int kRounds = 20, kMaxStiffer = 3;
    int stiffer = 0;
    // Every round moves what the first may move.
    first_done_ = is_done_;
    NewtonReport report = solve(bodies, max_iterations);
    report.joint_error = potential_.joints().find_error(placements_);
    for (int round = 1; round < kRounds && report.converged && report.joint_error > joint_tolerance_; ++round)
    {
        potential_.joints().raise_multipliers(placements_);
        is_current_ = false;
        is_done_ = first_done_;
        const NewtonReport again = solve(bodies, max_iterations - report.iterations);
        report.iterations += again.iterations;
        report.residual = again.residual;
        report.converged = again.converged;
        report.least_distance = std::min(report.least_distance, again.least_distance);
        const double before = report.joint_error;
        report.joint_error = potential_.joints().find_error(placements_);
        // Contacts that hold the same bodies may be stiffer than the penalty.
        if (report.joint_error > 0.1 * before && stiffer++ < kMaxStiffer) potential_.joints().stiffen(10);
    }
    report.converged = report.converged && report.joint_error <= joint_tolerance_;
    return report;
}

}  // namespace rattleback::ipc
