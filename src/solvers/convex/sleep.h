// Sleep of kinematic trees: at rest they are left alone until something touches, moves, pushes or drives them.
#pragma once

#include "solvers/convex/islands.h"
#include "solvers/shared/running_surfaces.h"
#include "solvers/shared/sleep.h"

namespace rattleback::convex
{

/// What a world remembers of its trees.
struct TreeSleepState : SleepState
{
    std::vector<double> q;        ///< [q_count] where sleeping trees lie
    std::vector<int> equalities;  ///< [equality_count] which were switched on in the last step
};

class TreeSleep
{
public:
    TreeSleep(const Model& model, std::span<const int> tree_of_dof, double tolerance);

    /// Wakes trees whose coordinates were written, which a force from outside pushes or an equality of which was
    /// switched, with their islands. Also gives an empty state its size.
    void wake_moved(const Workspace<double>& w, std::span<const int> equality_active, TreeSleepState& state) const;
    /// Wakes islands that something awake or a running surface touches, and keeps the contacts with at least one side
    /// that is awake.
    void wake_touched(const Workspace<double>& w, const Contacts& contacts, const RunningSurfaces& surfaces,
                      TreeSleepState& state, Contacts& awake_contacts) const;
    /// Puts sleeping trees exactly where they lie, at velocity zero.
    void freeze_sleepers(const TreeSleepState& state, Workspace<double>& w) const;
    /// After a step: trees that were slow for long enough fall asleep, islands only as a whole, at velocity zero.
    void fall_asleep(const Islands& islands, Workspace<double>& w, TreeSleepState& state);

private:
    void keep_tied_awake(const Model& model);
    void put_to_sleep(const Workspace<double>& w, TreeSleepState& state) const;
    void wake_switched(const TreeView& tree, std::span<const int> equality_active, TreeSleepState& state) const;
    int tree_of_body(int body) const { return tree_of_body_[static_cast<std::size_t>(body)]; }

    // Trees are numbered as in WorldProblem::tree.
    double tolerance_;               ///< [m/s, rad/s]
    std::vector<int> tree_of_dof_;   ///< [v_count]
    std::vector<int> tree_of_body_;  ///< [body_count] -1: nothing moves it by joints
    std::vector<char> restless_;     ///< [tree] driven, or carried by a kinematic body: never sleeps
    std::vector<int> names_;         ///< scratch
};

}  // namespace rattleback::convex
