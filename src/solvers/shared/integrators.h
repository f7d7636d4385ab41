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
};

/// The outer structure of a step: Euler, two implicit Euler methods, two Runge-Kutta methods, or the time-symmetric
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

    /// Moves q, v, act and kinematic bodies to where this stage evaluates forces.
    void move_to_stage(int stage, double dt, Workspace<T>& w, StageTimer& timer);

    /// Passive, actuator, applied and bias forces at the stage. With constraints: w.qacc = a_s, w.total = M a_s, and
    /// the factor of M in w.
    void compute_smooth_acceleration(double dt, Workspace<T>& w, StageTimer& timer);

    /// Uses the stage up. With constraints, w.qacc is the acceleration with them and `constraint_force` their joint
    /// forces Jᵀf; otherwise empty.
    void integrate_stage(int stage, double dt, std::span<const T> constraint_force, Workspace<T>& w, StageTimer& timer);

    /// Of kinematic bodies in one lane, over the whole step, in the order of Tree::kinematic_bodies.
    std::vector<KinematicMotion>& motions(int lane) { return motions_[static_cast<std::size_t>(lane)]; }
    const std::vector<KinematicMotion>& motions(int lane) const { return motions_[static_cast<std::size_t>(lane)]; }

private:
    bool is_runge_kutta() const
    {
        return options_.integrator == Integrator::rk4 || options_.integrator == Integrator::lie_rk4;
    }
    bool is_midpoint() const { return options_.integrator == Integrator::midpoint; }
    void place_kinematic(double fraction, double dt, Workspace<T>& w) const;

    bool is_implicit(const TreeView& tree) const;
    void integrate_euler(double dt, std::span<const T> constraint_force, Workspace<T>& w, StageTimer& timer);
    void add_bias_derivative(double dt, Workspace<T>& w);
    void solve_dense(Workspace<T>& w);

    void move_from_start(std::span<const T> v, std::span<const T> a, std::span<const T> act, double scale,
                         Workspace<T>& w);
    void compute_rates(const Workspace<T>& w);
    void integrate_runge_kutta(int stage, double dt, Workspace<T>& w);

    void prepare_damping_weights(const Workspace<T>& w, double dt);
    void factor_midpoint(double dt, Workspace<T>& w);
    void sweep_midpoint(double dt, Workspace<T>& w);
    void find_midpoint_change(double dt, Workspace<T>& w, StageTimer& timer);
    void integrate_midpoint(double dt, std::span<const T> constraint_force, Workspace<T>& w);

    // What an integrator keeps between the stages of one step; nothing of it lasts to the next step but
    // damping_weight_.
    StepperOptions options_;
    std::array<std::vector<KinematicMotion>, kLaneCount<T>> motions_;
    std::vector<T> system_;                         ///< M with implicit terms, in M's pattern
    std::vector<T> dense_, column_;                 ///< implicit: the same with Coriolis terms, row-major; scratch
    std::vector<T> start_q_, start_v_, start_act_;  ///< at the begin of the step

    // Runge-Kutta
    std::vector<T> rate_v_, rate_a_, rate_act_;  ///< of the present stage
    std::vector<T> sum_v_, sum_a_, sum_act_;     ///< weighted over the stages
    std::vector<T> displacement_;                ///< of q, as a velocity

    // midpoint
    std::vector<T> change_;          ///< of v over the step
    std::vector<T> derivative_;      ///< of forces with respect to v, in M's pattern
    std::vector<T> product_;         ///< derivative times the change of v; then the constraints' part of it
    std::vector<T> damping_weight_;  ///< theta of each dof, see smooth/README.md
    double damping_weight_dt_ = -1;  ///< dt they belong to
};

extern template class Stepper<double>;
extern template class Stepper<Pack4>;

}  // namespace rattleback
