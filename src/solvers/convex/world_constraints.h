// The constraints of one world in one step: contacts, rows, solve. What the integrators call after each forward pass.
#pragma once

#include "solvers/convex/sleep.h"
#include "solvers/convex/solve.h"
#include "solvers/convex/stick.h"

#include "base/stage_timer.h"

#include <rattleback/query.h>

namespace rattleback::convex
{

/// Settings of the solver.
struct Options
{
    RowOptions rows;
    SolveOptions solve;
    Integrator integrator = Integrator::euler;
    bool warm_start = true;
    bool stick = true;
    bool sleep = false;
    double sleep_tolerance = 1e-3;  ///< [m/s, rad/s]
    bool implicit_damping = true;   ///< of joints, with Euler's method
};

/// What one world keeps from step to step.
struct Carried
{
    std::vector<double> warm;     ///< the last acceleration; empty: none
    std::vector<Anchor> anchors;  ///< of sticking contacts
    Rest rest;
};

class WorldConstraints
{
public:
    static constexpr bool kPresent = true;

    WorldConstraints(const Model& model, const Options& options);

    /// Before a step: what the world carries. Both must live through the step.
    void start(const Workspace<double>& w, const Carried& carried, ColliderMemory& collider);
    bool add_forces(Workspace<double>& w, double dt, StageTimer& timer);
    bool add_impulse(Workspace<double>& w, double dt, std::span<double> smooth, std::span<double> force,
                     StageTimer& timer);
    /// Sleeping trees stay where they are.
    void hold(Workspace<double>& w) const;
    /// After a step that went well: what the world carries on.
    void finish(Workspace<double>& w, double dt, Carried& carried);

    // of the first pass of the step
    const Contacts& contacts() const { return pass_ > 1 ? first_contacts_ : *contacts_; }
    const std::vector<Wrench>& contact_forces() const { return wrenches_; }
    const SolveReport& report() const { return report_; }

private:
    void find_contacts(const Workspace<double>& w);
    void solve_without_lift(int island);
    void solve(Workspace<double>& w, std::span<const double> smooth, std::span<const double> force, double dt,
               StageTimer& timer);

    const Model& model_;
    Options options_;
    Collider collider_;
    WorldSolver solver_;
    Stick stick_;
    std::optional<Sleep> sleep_;
    Rest rest_;
    const Carried* carried_ = nullptr;
    ColliderMemory* collider_memory_ = nullptr;
    ConstraintRows rows_;
    const Contacts* contacts_ = nullptr;  ///< the collider's, of the present pass
    Contacts first_contacts_, no_contacts_, awake_contacts_;
    std::vector<Pose> poses_;
    std::vector<int> tree_;   ///< [dof] kinematic tree
    std::vector<int> cones_;  ///< of one island
    std::vector<double> smooth_, force_, constraint_force_, row_forces_, acceleration_;
    std::vector<double> pass_v_, change_;  ///< v that the rows were built with, and its change to the end of the step
    std::vector<Wrench> wrenches_;
    SolveReport report_;
    int pass_ = 0;
};

}  // namespace rattleback::convex
