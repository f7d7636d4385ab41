// Newton's directions: the quadratic model assembled and solved, and how fast what is left moves.
#include "base/index.h"
#include "solvers/ipc/newton.h"

#include <algorithm>

namespace rattleback::ipc
{

bool Newton::find_direction(std::span<const Body> bodies, bool turns)
{
    // H d = - grad E, with H of inertia, barrier and friction in blocks of 6 x 6. Barriers and friction are bent within
    // one step far more than their tangents tell: a second and third solution use chords between the forces here and
    // those that the one before leads to.
    const int max_passes = deviations_.chords ? 4 : 1;
    mark_active();
    potential_.visit_touching(
        [&](int first, int second)
        {
            if (layout_.groups[at(first)].dynamic && layout_.groups[at(second)].dynamic) met_.join(first, second);
        });
    if (exact_hessian_) return find_exact_direction(bodies);
    potential_.set_tangents(bodies, placements_);
    for (int pass = 1;; ++pass)
    {
        potential_.assemble(bodies, placements_, gradient_, hessian_);
        mark(Stage::rows);
        // Inertia is positive and all other terms are at least not negative, but for those of joints under load.
        if (!(turns && solve_turned(bodies)) && !solve_system() && !solve_shifted(bodies)) return false;
        // Tangents that lead nowhere end it. A chord does only once it is that of the force it leads to: the first one
        // of what slides is far too stiff, and its short direction says nothing about balance.
        const bool goes_on = find_speeds();
        if ((goes_on || pass > 1) && pass < max_passes && potential_.set_chords(placements_, direction_)) continue;
        follow_curves();
        return true;
    }
}

void Newton::mark_active()
{
    // An island is at rest when all its groups are done, and wakes when one joins that is not.
    std::fill(is_pending_.begin(), is_pending_.end(), char{0});
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        if (layout_.groups[g].row >= 0 && is_done_[g] == 0) is_pending_[at(island_of_[g])] = 1;
    }
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        if (layout_.groups[g].row >= 0) is_done_[g] = is_pending_[at(island_of_[g])] == 0 ? 1 : 0;
        is_active_[g] = is_done_[g] == 0 ? 1 : 0;
    }
    potential_.set_active(is_active_);
}

bool Newton::solve_turned(std::span<const Body> bodies)
{
    // Conjugate gradients would not notice that a system is not positive.
    if (!hessian_.is_direct()) return false;
    potential_.add_turns(placements_, hessian_);
    mark(Stage::rows);
    if (solve_system()) return true;
    potential_.assemble(bodies, placements_, gradient_, hessian_);
    mark(Stage::rows);
    return false;
}

bool Newton::solve_system()
{
    // The right side is minus the gradient; the same array takes the solution.
    for (std::size_t r = 0; r < direction_.size(); ++r)
    {
        for (std::size_t i = 0; i < 6; ++i) direction_[r][i] = -gradient_[r][i];
    }
    const bool is_positive = hessian_.factor();
    if (is_positive) hessian_.solve(direction_);
    mark(Stage::factor);
    return is_positive;
}

bool Newton::solve_shifted(std::span<const Body> bodies)
{
    // Where barriers are so much stiffer than inertia that rounding eats it, a part of each diagonal entry is added,
    // which is what rounding is a part of: the direction still leads down, and what is soft moves as before.
    constexpr double kFirst = 1e-15, kLast = 1e-6, kGrowth = 10;
    for (double part = 0; part <= kLast; part = std::max(kFirst, kGrowth * part))
    {
        potential_.assemble(bodies, placements_, gradient_, hessian_, false);
        if (part > 0) hessian_.grow_diagonal(part);
        if (solve_system()) return true;
    }
    return false;
}

bool Newton::find_exact_direction(std::span<const Body> bodies)
{
    // [RigidIPC] section 4.2, "Stabilization": unprojected, then with ξ doubled up to 1e12 until the factorisation
    // works, which for a symmetric matrix means a descent direction; ξ is halved after each success, as their program
    // does.
    constexpr double kFirst = 1e-8, kLast = 1e12;
    double mass = 0;
    for (const Group& group : layout_.groups) mass += group.dynamic ? group.mass : 0;
    mass /= std::max(1, layout_.row_count);
    potential_.set_tangents(bodies, placements_);
    potential_.assemble_exact(bodies, placements_, gradient_, hessian_);
    kept_hessian_ = hessian_;
    for (double shift = shift_; shift <= kLast; shift = std::max(kFirst, 2 * shift))
    {
        hessian_ = kept_hessian_;
        hessian_.add_identity(shift * mass);
        if (!solve_system()) continue;
        shift_ = shift > kFirst ? 0.5 * shift : 0;
        find_speeds();
        return true;
    }
    return false;
}

bool Newton::find_speeds()
{
    // The largest way of any point of an island along the direction, over the step: the residual in m/s.
    std::fill(island_speeds_.begin(), island_speeds_.end(), 0.0);
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.row < 0) continue;
        double& speed = island_speeds_[at(island_of_[g])];
        speed = std::max(speed, find_surface_reach(group, direction_[at(group.row)]) / dt_);
    }
    bool goes_on = false;
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const int row = layout_.groups[g].row;
        if (row < 0) continue;
        if (is_done_[g] != 0)
        {
            direction_[at(row)] = {};
            continue;
        }
        is_converged_[g] = island_speeds_[at(island_of_[g])] <= aim_ ? 1 : 0;
        speeds_[g] = find_surface_reach(layout_.groups[g], direction_[at(row)]) / dt_;
        goes_on = goes_on || is_converged_[g] == 0;
    }
    return goes_on;
}

void Newton::set_gradient_speeds()
{
    // What forces that are not balanced do to each body alone in a step.
    for (std::size_t g = 0; g < placements_.size(); ++g)
    {
        const Group& group = layout_.groups[g];
        if (group.row < 0 || is_done_[g] != 0) continue;
        const Vector6& d = gradient_[at(group.row)];
        is_converged_[g] = 0;
        speeds_[g] = std::min(1e300, norm(Vec3{d[0], d[1], d[2]}) / (group.mass * dt_));
    }
}

}  // namespace rattleback::ipc
