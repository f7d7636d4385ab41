// Sleep: trees that have come to rest are left alone until something touches, moves, pushes or drives them.
#pragma once

#include "solvers/convex/islands.h"

namespace rattleback::convex
{

/// What a world remembers of trees at rest.
struct Rest
{
    std::vector<int> island;  ///< [tree] trees that fell asleep together have one number; -1: awake
    std::vector<int> quiet;   ///< [tree] steps for which it has been slow
    std::vector<double> q;    ///< [q_count] where sleeping trees lie

    bool any() const;
};

class Sleep
{
public:
    Sleep(const Model& model, std::span<const int> tree_of_dof, double tolerance);

    /// Wakes trees whose coordinates were written or which a force from outside pushes, with their islands. Also gives
    /// an empty `rest` its size.
    void wake_moved(const Workspace<double>& w, Rest& rest) const;
    /// Wakes islands that something awake touches.
    void wake_touched(const Workspace<double>& w, const Contacts& contacts, Rest& rest) const;
    /// The contacts with at least one side that is awake.
    void drop_idle(const Rest& rest, const Contacts& contacts, Contacts& kept) const;
    /// Sleeping trees exactly where they lie, at velocity zero.
    void hold(const Rest& rest, Workspace<double>& w) const;
    /// After a step: trees that were slow for long enough fall asleep, islands only as a whole.
    void settle(const Workspace<double>& w, const Islands& islands, Rest& rest) const;

private:
    int tree_of_body(int body) const { return tree_of_body_[static_cast<std::size_t>(body)]; }
    bool is_awake(const Workspace<double>& w, const Rest& rest, int body) const;
    static void wake(int tree, Rest& rest);

    double tolerance_;               ///< [m/s, rad/s]
    std::vector<int> tree_of_dof_;   ///< [v_count]
    std::vector<int> tree_of_body_;  ///< [body_count] -1: nothing moves it by joints
    std::vector<char> restless_;     ///< [tree] driven, or carried by a kinematic body: never sleeps
};

}  // namespace rattleback::convex
