// Newton's method with joints and driven bodies: directions that follow joints, and multipliers that close them and
// bring kinematic bodies onto their tracks.
#include "base/index.h"
#include "solvers/ipc/drive.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

void Newton::follow_curves()
{
    // A body that turns about an anchor leaves it by r phi^2 / 2 along a straight step, and the penalty of that would
    // cut the line search to steps of a hundredth of a radian. The same factor finds what closes the joints at the end
    // of the step: H d = - g - k Jᵀ (c(x + d) - c - J d), by iteration (the second-order correction of sequential
    // quadratic programming). So it is with contacts that a turn brings nearer than their tangents tell.
    constexpr int kRounds = 4;
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
        const bool is_bent = deviations_.bends && potential_.add_bend(placements_, trial_, direction_, bend_);
        if (round == 0 && !is_bent && potential_.joints().empty()) return;
        hessian_.solve(bend_);
        for (std::size_t r = 0; r < direction_.size(); ++r)
        {
            for (std::size_t i = 0; i < 6; ++i) direction_[r][i] = straight_[r][i] - bend_[r][i];
        }
    }
    // Where that is no longer a direction of descent, or the iteration has led astray, the straight one.
    constexpr double kFarthest = 4;
    std::fill(values_.begin(), values_.end(), 0.0);
    std::fill(parts_.begin(), parts_.end(), 0.0);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0) continue;
        const auto island = at(island_of_[g]);
        for (std::size_t i = 0; i < 6; ++i) values_[island] += gradient_[at(row)][i] * direction_[at(row)][i];
        parts_[island] = std::max(parts_[island], find_reach(layout_.groups[g], straight_[at(row)]));
    }
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row >= 0 && find_reach(layout_.groups[g], direction_[at(row)]) > kFarthest * parts_[at(island_of_[g])])
            values_[at(island_of_[g])] = HUGE_VAL;
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

void NewtonReport::add(const NewtonReport& next)
{
    converged = next.converged;
    iterations += next.iterations;
    residual = next.residual;
    least_distance = std::min(least_distance, next.least_distance);
    joint_error = next.joint_error;
}

NewtonReport Newton::solve_driven(std::span<Body> bodies, int max_iterations)
{
    if (!lagrangian_drive_) return solve_with_joints(bodies, max_iterations);
    // [RigidIPC] section 4.4. Their criterion, η above 0.999, and a bound on rounds that bring nothing: a body that a
    // wall holds would be pressed against it for ever.
    constexpr double kEnough = 0.999, kGain = 1e-3;
    constexpr int kMaxIdle = 4;
    driven_done_ = is_done_;
    NewtonReport report = solve_with_joints(bodies, max_iterations);
    DriveProgress progress = find_progress(layout_, bodies, placements_);
    const auto solve_again = [&]
    {
        is_current_ = false;
        is_done_ = driven_done_;
        report.add(solve_with_joints(bodies, max_iterations - report.iterations));
    };
    for (int idle = 0; report.converged && progress.least() <= kEnough && idle < kMaxIdle;)
    {
        const double before = progress.least();
        raise_drives(layout_, progress, placements_, bodies);
        solve_again();
        progress = find_progress(layout_, bodies, placements_);
        idle = progress.least() > before + kGain ? 0 : idle + 1;
    }
    // There: fixed, and the augmented Lagrangian gone for the rest of the minimisation.
    if (!report.converged || progress.least() <= kEnough) return report;
    fix_drives(layout_, layout_.holding_mass, bodies);
    solve_again();
    return report;
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
        const double before = report.joint_error;
        report.add(solve(bodies, max_iterations - report.iterations));
        report.joint_error = potential_.joints().find_error(placements_);
        // Contacts that hold the same bodies may be stiffer than the penalty.
        if (report.joint_error > 0.1 * before && stiffer++ < kMaxStiffer) potential_.joints().stiffen(10);
    }
    report.converged = report.converged && report.joint_error <= joint_tolerance_;
    return report;
}

}  // namespace rattleback::ipc
