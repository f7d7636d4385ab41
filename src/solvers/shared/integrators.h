// Integrators of joint-space solvers: where a step evaluates forces, and what becomes of the accelerations found there.
#pragma once

#include "base/stage_timer.h"
#include "dynamics/integrate.h"

#include <array>

namespace rattleback
{

struct StepperOptions
{
    Integrator integrator = Integrator::euler;
    bool constrained = false;      ///< constraints act between compute_smooth_acceleration and integrate_stage
    bool implicit_damping = true;  ///< euler: of joints
    /// Euler's methods: implicit terms belong to the smooth acceleration alone, and constraints add M^-1 Jᵀf to it.
    bool split = false;
    /// discrete, split: constraints add M-hat^-1 Jᵀf with its own matrix in the place of M, less terms that join
    /// branches.
    bool metric = false;
    /// euler, split: the same with M - h D, whose factor is there already.
    bool one_factor = false;
};

/// A term of the integrator `discrete` that joins dofs of several branches, 1/2 scale (j a)^2, which M's pattern cannot
/// hold.
template <class T>
struct MetricCoupling
{
    std::span<const int> dof;
    std::span<const T> jacobian;
    T scale{};
};

/// A force along a row j of a Jacobian: what it adds to the metric of the integrator `discrete`.
template <class T>
struct MetricRow
{
    std::span<const int> dof;
    std::span<const T> jacobian;
    T damping{}, stiffness{};
    bool fits = true;  ///< into M's pattern
};

/// The outer structure of a step: Euler, three implicit Euler methods, two Runge-Kutta methods, or the time-symmetric
/// midpoint. For each of `stage_count` stages a solver calls
///   move_to_stage, compute_position_stage (dynamics/forces.h), compute_smooth_acceleration,
///   what finds the constraints' forces, if it has constraints,
///   integrate_stage;
/// after the last, w.q, w.v and w.act are those at the end of the step. `w` and `dt` [s] are the same in all these
/// calls.
template <class T>
class Stepper
{
public:
    Stepper(const Tree& tree, const StepperOptions& options);

    int stage_count() const { return is_runge_kutta() ? 4 : 1; }
    /// Moves coordinates before the first look at forces.
    bool is_midpoint() const { return options_.integrator == Integrator::midpoint; }

    /// Moves q, v, act and kinematic bodies to where this stage evaluates forces.
    void move_to_stage(int stage, double dt, Workspace<T>& w, StageTimer& timer);

    /// The integrator `midpoint`: forces and constraints at the begin of the next step and all of the drift behind
    /// them, as Euler's methods have it: for steps in which half a drift would lead through something.
    void hold_drift(bool held) { early_ = held ? 0 : 0.5; }

    /// Passive, actuator, applied and bias forces at the stage. With constraints: w.qacc = a_s, w.total the forces
    /// (M a_s, if nothing is implicit), and in w the factor of M, or of what stands in its place.
    void compute_smooth_acceleration(double dt, Workspace<T>& w, StageTimer& timer);

    /// The integrator `midpoint` with constraints: w.qacc and w.total once more, with mid-velocities in which the
    /// change of v that constraints make, as far as it is known, is counted too. The largest change that this makes in
    /// v.
    double repeat_midpoint(double dt, std::span<const T> constraint_change, Workspace<T>& w, StageTimer& timer);

    /// Uses the stage up. With constraints, w.qacc is the acceleration with them and `constraint_force` their joint
    /// forces Jᵀf; otherwise empty.
    void integrate_stage(int stage, double dt, std::span<const T> constraint_force, Workspace<T>& w, StageTimer& timer);

    /// The integrator `discrete`: constraints are solved in a metric of its own, and the acceleration found in it is
    /// that of the step. After compute_smooth_acceleration: the metric in M's pattern, its whole diagonal, and its
    /// terms that the pattern cannot hold; w.total and the factor in w belong to it.
    bool is_discrete() const { return options_.integrator == Integrator::discrete; }
    std::span<const T> metric() const { return system_; }
    std::span<const T> metric_diagonal() const { return metric_diagonal_; }
    std::span<const MetricCoupling<T>> couplings() const { return couplings_; }
    /// That after the velocity stage alone, where no step is taken.
    void compute_discrete_acceleration(double dt, Workspace<T>& w);
    /// The matrix through which constraints act, in M's pattern: M itself, or with `metric` that of `discrete`.
    std::span<const T> inertia(const Workspace<T>& w) const
    {
        return is_discrete() && options_.metric ? std::span<const T>(system_) : std::span<const T>(w.mass_matrix);
    }
    /// w.qacc of the forces in w.total where no step is taken, with the factor of inertia(): nothing is implicit, but
    /// the metric of `discrete` counts.
    void find_forward_acceleration(double dt, Workspace<T>& w);
    /// Completes w.qacc once the constraints' joint forces are known; w.total then holds all forces.
    void finish_discrete_acceleration(double dt, std::span<const T> constraint_force, Workspace<T>& w) const;

    /// Of kinematic bodies in one lane, over the whole step, in the order of Tree::kinematic_bodies.
    std::vector<KinematicMotion>& motions(int lane) { return motions_[static_cast<std::size_t>(lane)]; }
    const std::vector<KinematicMotion>& motions(int lane) const { return motions_[static_cast<std::size_t>(lane)]; }

private:
    bool is_runge_kutta() const
    {
        return options_.integrator == Integrator::rk4 || options_.integrator == Integrator::lie_rk4;
    }
    void place_kinematic(double fraction, double dt, Workspace<T>& w) const;

    bool is_euler() const { return !is_runge_kutta() && !is_midpoint(); }
    void remember_tendons(const Workspace<T>& w);
    void yield_springs(std::span<const T> rate, double span, Workspace<T>& w) const;
    bool is_implicit(const TreeView& tree) const;
    void solve_implicit(double dt, Workspace<T>& w, StageTimer& timer);
    void integrate_euler(double dt, std::span<const T> constraint_force, Workspace<T>& w, StageTimer& timer);
    void advance_along(double dt, Workspace<T>& w);
    void lay_out_trees(const Dofs& dofs);
    void add_bias_derivative(double dt, Workspace<T>& w);
    void solve_dense(Workspace<T>& w);

    void lay_out_metric(const Tree& tree);
    void add_joint_metric(double dt, Workspace<T>& w);
    void add_row_metric(double dt, const MetricRow<T>& row, const T& rate, Workspace<T>& w);
    void add_tendon_metric(double dt, Workspace<T>& w);
    void add_actuator_metric(double dt, Workspace<T>& w);
    void add_couplings(Workspace<T>& w);

    void move_from_start(std::span<const T> v, std::span<const T> a, std::span<const T> act, double scale,
                         Workspace<T>& w);
    void compute_rates(const Workspace<T>& w);
    void integrate_runge_kutta(int stage, double dt, Workspace<T>& w);

    void prepare_damping_weights(const Workspace<T>& w, double dt);
    void factor_midpoint(double dt, Workspace<T>& w);
    void sweep_midpoint(double dt, Workspace<T>& w);
    void find_midpoint_change(double dt, std::span<const T> constraint_change, Workspace<T>& w, StageTimer& timer);
    void integrate_midpoint(double dt, std::span<const T> constraint_force, Workspace<T>& w);

    // What an integrator keeps between the stages of one step; nothing of it lasts to the next step but
    // damping_weight_.
    StepperOptions options_;
    std::array<std::vector<KinematicMotion>, kLaneCount<T>> motions_;
    std::vector<T> system_;  ///< M with implicit terms, in M's pattern
    struct DenseTree
    {
        std::size_t begin, count;  ///< its dofs in tree_dof_
        std::size_t matrix;        ///< where its matrix begins in dense_, row-major
    };
    // implicit: the same with Coriolis terms, one matrix for each tree of dofs
    std::vector<DenseTree> dense_trees_;
    std::vector<int> tree_dof_;               ///< dofs tree by tree, ascending in each
    std::vector<std::size_t> place_in_tree_;  ///< [dof]
    std::size_t largest_tree_ = 0;            ///< [dofs]
    std::vector<T> dense_, column_;
    // discrete
    std::vector<char> tendon_fits_, moment_fits_;  ///< their products have entries in M's pattern
    std::vector<T> metric_diagonal_;
    std::vector<MetricCoupling<T>> couplings_;
    std::vector<T> coupling_solution_;              ///< [coupling][dof], without constraints
    std::vector<T> start_q_, start_v_, start_act_;  ///< at the begin of the step

    std::vector<T> tendon_length_, tendon_jacobian_;  ///< of the first stage, where some tendon may yield

    // Runge-Kutta
    std::vector<T> rate_v_, rate_a_, rate_act_;  ///< of the present stage
    std::vector<T> sum_v_, sum_a_, sum_act_;     ///< weighted over the stages
    std::vector<T> displacement_;                ///< of q, as a velocity

    // midpoint
    std::vector<T> change_;          ///< of v over the step
    double early_ = 0.5;             ///< part of the drift before the kick
    std::vector<T> last_change_;     ///< the same before repeat_midpoint
    std::vector<T> derivative_;      ///< of forces with respect to v, in M's pattern
    std::vector<T> product_;         ///< derivative times the change of v; then the constraints' part of it
    std::vector<T> damping_weight_;  ///< theta of each dof, see smooth/README.md
    double damping_weight_dt_ = -1;  ///< dt they belong to
};

extern template class Stepper<double>;
extern template class Stepper<Pack4>;
extern template class Stepper<Pack8>;

}  // namespace rattleback
