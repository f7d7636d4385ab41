// One forward pass of the constraints.
#include "solvers/convex/world_constraints.h"

#include "dynamics/mass_matrix.h"
#include "solvers/convex/contact_forces.h"

#include <rattleback/report.h>

#include <algorithm>
#include <cmath>

namespace rattleback::convex
{

namespace
{

constexpr double kSuddenStop = 0.02;  // times gravity: less than this is not worth another solve
constexpr double kUnsettled = 0.5;    // in the last solve: more than this, and the contact does without
constexpr int kMaxSolves = 3;

}  // namespace

WorldConstraints::WorldConstraints(const Model& model, const Options& options)
    : model_(model), options_(options), collider_(model)
{
    const auto dofs = static_cast<std::size_t>(model.v_count());
    for (auto* list : {&smooth_, &force_, &constraint_force_, &acceleration_, &pass_v_, &change_}) list->resize(dofs);
    poses_.resize(static_cast<std::size_t>(model.body_count()));
    std::vector<int> tree_of_root(static_cast<std::size_t>(model.body_count()), -1);
    int trees = 0;
    for (int d = 0; d < model.v_count(); ++d)
    {
        int& tree = tree_of_root[model.bodies.root[model.dofs.body[d]]];
        if (tree < 0) tree = trees++;
        tree_.push_back(tree);
    }
    if (options.sleep) sleep_.emplace(model, tree_, options.sleep_tolerance);
}

void WorldConstraints::start(const Workspace<double>& w, const Carried& carried, ColliderMemory& collider)
{
    if (sleep_)
    {
        rest_ = carried.rest;
        sleep_->wake_moved(w, rest_);
    }
    carried_ = &carried;
    collider_memory_ = &collider;
    pass_ = 0;
}

void WorldConstraints::find_contacts(const Workspace<double>& w)
{
    if (pass_ == 1) first_contacts_.items.assign(contacts_->items.begin(), contacts_->items.end());
    contacts_ = &no_contacts_;
    if (!options_.rows.contacts) return;
    for (std::size_t b = 0; b < poses_.size(); ++b) poses_[b] = {w.position[b], w.rotation[b]};
    WorldView view;
    view.body_pose = poses_;
    contacts_ = &collider_.find_contacts(view, 0, *collider_memory_);
    if (!sleep_) return;
    sleep_->wake_touched(w, *contacts_, rest_);
    sleep_->drop_idle(rest_, *contacts_, awake_contacts_);
    contacts_ = &awake_contacts_;
}

/// Solves an island again while contacts of it have lost slip at once.
void WorldConstraints::solve_without_lift(int island)
{
    const double gravity = norm(model_.settings.gravity);
    solver_.islands().find_cones(rows_, island, cones_);
    for (int i = 1; i < kMaxSolves; ++i)
    {
        const double most = i == kMaxSolves - 1 ? kUnsettled * gravity : HUGE_VAL;
        if (!stick_.give_back(cones_, acceleration_, kSuddenStop * gravity, most, rows_)) return;
        solver_.solve_again(island);
    }
}

void WorldConstraints::solve(Workspace<double>& w, std::span<const double> smooth, std::span<const double> force,
                             double dt, StageTimer& timer)
{
    RowOptions row_options = options_.rows;
    row_options.dt = dt;
    build_rows(w, *contacts_, row_options, rows_);
    if (options_.stick)
        stick_.pull(*contacts_, carried_->anchors, carried_->warm.empty() ? smooth : carried_->warm, rows_);
    timer.mark(static_cast<int>(Stage::rows));

    row_forces_.resize(static_cast<std::size_t>(rows_.count()));
    const System system{.mass_begin = model_.dofs.row_begin,
                        .mass_column = model_.dofs.row_column,
                        .mass = w.mass_matrix,
                        .smooth = smooth,
                        .force = force,
                        .tree = tree_,
                        .group = model_.dofs.body,
                        .rows = &rows_,
                        .asleep = rest_.island};
    const std::span<const double> warm = options_.warm_start ? carried_->warm : std::span<const double>();
    const Solution solution{acceleration_, constraint_force_, row_forces_};
    const int islands = solver_.begin(system, options_.solve, solution);
    for (int island = 0; island < islands; ++island)
    {
        solver_.solve_island(island, warm);
        if (options_.stick && stick_.has_taken()) solve_without_lift(island);
        solver_.finish_island(island);
    }
    const SolveReport& report = solver_.report();
    std::copy(w.v.begin(), w.v.end(), pass_v_.begin());
    if (pass_++ == 0)
    {
        report_ = report;
        find_contact_forces(*contacts_, rows_, row_forces_, wrenches_);
    }
    else
    {
        report_.iterations += report.iterations;
        report_.residual = std::max(report_.residual, report.residual);
        report_.converged = report_.converged && report.converged;
    }
    std::copy(acceleration_.begin(), acceleration_.end(), w.qacc.begin());
    timer.mark(static_cast<int>(Stage::solve));
}

bool WorldConstraints::add_forces(Workspace<double>& w, double dt, StageTimer& timer)
{
    factor_mass_matrix(w);
    std::copy(w.total.begin(), w.total.end(), smooth_.begin());
    solve_in_place<double>(w, smooth_);
    timer.mark(static_cast<int>(Stage::factor));
    find_contacts(w);
    timer.mark(static_cast<int>(Stage::collide));
    solve(w, smooth_, w.total, dt, timer);
    for (std::size_t d = 0; d < w.total.size(); ++d) w.total[d] += constraint_force_[d];
    return report_.bad_dof < 0;
}

bool WorldConstraints::add_impulse(Workspace<double>& w, double dt, std::span<double> smooth, std::span<double> force,
                                   StageTimer& timer)
{
    std::copy(smooth.begin(), smooth.end(), smooth_.begin());
    std::fill(force_.begin(), force_.end(), 0.0);
    multiply_symmetric<double>(model_, w.mass_matrix, smooth_, force_);
    find_contacts(w);
    timer.mark(static_cast<int>(Stage::collide));
    solve(w, smooth_, force_, dt, timer);
    std::copy(constraint_force_.begin(), constraint_force_.end(), force.begin());
    return report_.bad_dof < 0;
}

void WorldConstraints::hold(Workspace<double>& w) const
{
    if (sleep_) sleep_->hold(rest_, w);
}

void WorldConstraints::finish(Workspace<double>& w, double dt, Carried& carried)
{
    for (std::size_t d = 0; d < change_.size(); ++d) change_[d] = w.v[d] - pass_v_[d];
    if (options_.stick) stick_.follow(w, *contacts_, rows_, row_forces_, change_, dt, carried.anchors);
    carried.warm = acceleration_;
    if (sleep_)
    {
        sleep_->settle(w, solver_.islands(), rest_);
        sleep_->hold(rest_, w);  // who falls asleep now stands still from now on
        std::swap(carried.rest, rest_);
    }
}

}  // namespace rattleback::convex
