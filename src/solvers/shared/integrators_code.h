// The integrators, for any scalar: semi-implicit and implicit Euler, Runge-Kutta on coordinates and on the Lie group,
// midpoint.
#pragma once

#include "solvers/shared/integrators.h"

#include <rattleback/report.h>

#include "dynamics/bias.h"
#include "dynamics/fluid_derivative.h"
#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/mass_matrix.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "solvers/shared/midpoint_weights.h"

#include <algorithm>

namespace rattleback
{

// Every integrator is move_to_stage, compute_smooth_acceleration, integrate_stage, once or four times:
//   euler, implicitfast,  at q, v: M a_s = tau - c; then (M - h D) a = tau - c + Jᵀf, v' = v + h a, q' = q (+) h v'.
//   implicit
//   rk4, lie_rk4          four times: at y_k = y + h c_k y'_(k-1); then y' = y + h sum b_k y'_k.
//   discrete              at q, v: (M + h D + h^2 K) a = tau - c - h K v + Jᵀf at once, then as Euler.
//   midpoint              at q (+) h/2 v: M change = h (tau - c)(v + change / 2) by three sweeps; then
//                         v' = v + change and constraints' part, q' moved on by h/2 v'.
// (+) moves coordinates along a velocity: quaternions turn by the exponential of the body's rate.

namespace
{

// The classical tableau: where the stages lie in the step, and what they weigh in it.
constexpr double kNode[4] = {0, 0.5, 0.5, 1};
constexpr double kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/// qacc = (the factored matrix)^-1 total.
template <class T>
void solve_for_acceleration(Workspace<T>& w, StageTimer& timer)
{
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    solve_in_place<T>(w, w.qacc);
    timer.mark(static_cast<int>(Stage::solve));
}

/// sum += scale * rates.
template <class T>
void add_scaled(std::span<const T> rates, double scale, std::span<T> sum)
{
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += T(scale) * rates[i];
}

}  // namespace

template <class T>
Stepper<T>::Stepper(const Tree& tree, const StepperOptions& options) : options_(options)
{
    // Scratch of all integrators: which one runs is known, but lists of a few dofs are not worth telling apart.
    const Model& model = *tree.model;
    const auto dofs = static_cast<std::size_t>(model.v_count());
    start_q_.resize(static_cast<std::size_t>(model.q_count()));
    for (auto* list :
         {&start_v_, &rate_v_, &rate_a_, &sum_v_, &sum_a_, &displacement_, &change_, &last_change_, &product_})
        list->resize(dofs);
    for (auto* list : {&start_act_, &rate_act_, &sum_act_}) list->resize(static_cast<std::size_t>(model.act_count));
    for (auto* list : {&system_, &derivative_}) list->resize(model.dofs.row_column.size());
    damping_weight_.resize(dofs);
    if (options.integrator == Integrator::implicit) lay_out_trees(model.dofs);
    if (options.integrator == Integrator::discrete) lay_out_metric(tree);
    for (auto& motion : motions_) motion.resize(tree.kinematic_bodies.size());
}

template <class T>
void Stepper<T>::move_to_stage(int stage, double dt, Workspace<T>& w, StageTimer& timer)
{
    if (is_runge_kutta())
    {
        if (stage == 0)
        {
            // y_0, from which every stage departs, and empty sums of the stages' rates.
            std::copy(w.q.begin(), w.q.end(), start_q_.begin());
            std::copy(w.v.begin(), w.v.end(), start_v_.begin());
            std::copy(w.act.begin(), w.act.end(), start_act_.begin());
            for (auto* list : {&sum_v_, &sum_a_, &sum_act_, &displacement_})
                std::fill(list->begin(), list->end(), T(0.0));
        }
        else
        {
            // y_k = y_0 + h c_k y'_{k-1}
            move_from_start(rate_v_, rate_a_, rate_act_, kNode[stage] * dt, w);
        }
        w.stage_offset = kNode[stage] * dt;
        return place_kinematic(kNode[stage], dt, w);
    }
    // Euler's methods look at the begin of the step.
    if (!is_midpoint()) return place_kinematic(0, dt, w);
    // Half a drift: q_m = q (+) h/2 v.
    std::copy(w.v.begin(), w.v.end(), start_v_.begin());
    if (early_ > 0) advance_positions<T>(*w.tree, w.v, early_ * dt, w.q);
    place_kinematic(early_, dt, w);
    timer.mark(static_cast<int>(Stage::integrate));
}

/// Kinematic bodies of all lanes at a fraction of the step.
template <class T>
void Stepper<T>::place_kinematic(double fraction, double dt, Workspace<T>& w) const
{
    if (w.tree->kinematic_bodies.empty()) return;
    // Each world of a pack has tracks and targets of its own.
    for (int lane = 0; lane < kLaneCount<T>; ++lane) place_kinematic_bodies<T>(w, lane, motions(lane), fraction, dt);
}

template <class T>
void Stepper<T>::compute_smooth_acceleration(double dt, Workspace<T>& w, StageTimer& timer)
{
    if (is_midpoint()) return find_midpoint_change(dt, {}, w, timer);
    // tau - c = passive + actuator + applied forces - bias
    compute_velocity_stage(w, dt, timer);
    if (is_discrete())
    {
        compute_discrete_acceleration(dt, w);
        if (options_.split)
        {
            finish_discrete_acceleration(dt, {}, w);
            if (!options_.metric) factor_mass_matrix(w);
        }
        timer.mark(static_cast<int>(Stage::factor));
        return;
    }
    // Without constraints a matrix with implicit terms takes the place of M, in integrate_euler.
    if (!options_.constrained && !is_runge_kutta() && is_implicit(*w.tree)) return;
    // M a_s = tau - c: [MuJoCo] eq:motion without its last term.
    const bool split = options_.split && is_euler();
    if (!split || !is_implicit(*w.tree))
    {
        factor_mass_matrix(w);
        timer.mark(static_cast<int>(Stage::factor));
        solve_for_acceleration(w, timer);
    }
    if (!split) return;
    // Split: (M - h D) a_s = tau - c, and the constraints want the factor of M, or take this one.
    solve_implicit(dt, w, timer);
    const bool factored = options_.one_factor && options_.integrator == Integrator::euler;
    if (is_implicit(*w.tree) && !factored) factor_mass_matrix(w);
}

/// Lengths and Jacobians of tendons whose springs may yield, where the first stage is.
template <class T>
void Stepper<T>::remember_tendons(const Workspace<T>& w)
{
    if (w.tree->yielding_tendons.empty()) return;
    tendon_length_.assign(w.tendon_length.begin(), w.tendon_length.end());
    tendon_jacobian_.assign(w.tendon_jacobian.begin(), w.tendon_jacobian.end());
}

/// Springs that are beyond their yield at the end of the step rest elsewhere from then on. Joints by their coordinates;
/// tendons, as MuJoCo's, by their length of the first stage and `rate` over the `span` [s] from there.
template <class T>
void Stepper<T>::yield_springs(std::span<const T> rate, double span, Workspace<T>& w) const
{
    const TreeView& tree = *w.tree;
    if (!tree.yielding_joints.empty()) yield_joint_springs<T>(w);
    for (const int t : tree.yielding_tendons)
    {
        T change = T(0.0);
        for (int k = tree.tendon.begin[t]; k < tree.tendon.begin[t + 1]; ++k)
            change += tendon_jacobian_[static_cast<std::size_t>(k)] * rate[tree.tendon.dof[k]];
        yield_tendon_spring<T>(w, t, tendon_length_[static_cast<std::size_t>(t)] + T(span) * change);
    }
}

template <class T>
void Stepper<T>::integrate_stage(int stage, double dt, std::span<const T> constraint_force, Workspace<T>& w,
                                 StageTimer& timer)
{
    if (stage == 0) remember_tendons(w);
    if (is_runge_kutta())
        integrate_runge_kutta(stage, dt, w);
    else if (is_midpoint())
        integrate_midpoint(dt, constraint_force, w);
    else
        integrate_euler(dt, constraint_force, w, timer);
    timer.mark(static_cast<int>(Stage::integrate));
}

/// Whether a matrix other than M is factored: with joint damping (euler) or all velocity derivatives (implicitfast).
template <class T>
bool Stepper<T>::is_implicit(const TreeView& tree) const
{
    if (options_.integrator == Integrator::implicit) return true;
    if (options_.integrator == Integrator::implicitfast) return tree.velocity_forces || !tree.fluid_parts.empty();
    return tree.damped && options_.implicit_damping;
}

/// (M - h D) a = total. D is minus the joint damping (MuJoCo's Euler), or all velocity derivatives (implicitfast):
/// symmetrised and without Coriolis terms, yet with gyroscopic ones for free bodies that carry nothing; implicit has
/// the Coriolis terms too, and with them a matrix that is not symmetric.
template <class T>
void Stepper<T>::solve_implicit(double dt, Workspace<T>& w, StageTimer& timer)
{
    const TreeView& tree = *w.tree;
    const DofsView& dofs = tree.arrays.dofs;
    const bool all_derivatives =
        options_.integrator == Integrator::implicitfast || options_.integrator == Integrator::implicit;
    if (is_implicit(tree))
    {
        // M-hat of [MuJoCo] eq_implicit_update (there D has the other sign); the factor of M gives way to its own.
        std::copy(w.mass_matrix.begin(), w.mass_matrix.end(), system_.begin());
        if (all_derivatives)
        {
            add_force_derivative<T>(w, -dt, system_);
            if (!tree.fluid_parts.empty()) add_fluid_derivative<T>(w, -dt, system_);
        }
        else
        {
            for (std::size_t d = 0; d < w.v.size(); ++d) system_[dofs.row_begin[d + 1] - 1] += T(dt * dofs.damping[d]);
            if (tree.curved) add_curved_derivative<T>(w, dt, system_);
        }
        if (options_.integrator == Integrator::implicit)
        {
            add_bias_derivative(dt, w);
            solve_dense(w);
            timer.mark(static_cast<int>(Stage::solve));
        }
        else
        {
            factor_matrix<T>(w, system_);
            timer.mark(static_cast<int>(Stage::factor));
            solve_for_acceleration(w, timer);
        }
    }
    // Free bodies that carry nothing: gyroscopic forces are implicit as well, because explicit ones drive fast tops
    // apart.
    const std::span<const T> system = is_implicit(tree) ? std::span<T>(system_) : w.mass_matrix;
    if (options_.integrator == Integrator::implicitfast) solve_lone_bodies<T>(w, dt, system, w.total, w.qacc);
}

/// v' = v + h a with (M - h D) a = tau - c + Jᵀf, q' = q (+) h v'.
template <class T>
void Stepper<T>::integrate_euler(double dt, std::span<const T> constraint_force, Workspace<T>& w, StageTimer& timer)
{
    if (is_discrete())
    {
        // The acceleration is that of the step already.
        if (!options_.split) finish_discrete_acceleration(dt, constraint_force, w);
    }
    else if (!options_.split)
    {
        for (std::size_t d = 0; d < constraint_force.size(); ++d) w.total[d] += constraint_force[d];
        solve_implicit(dt, w, timer);
    }
    advance_along(dt, w);
}

/// v' = v + h a, q' = q (+) h v'.
template <class T>
void Stepper<T>::advance_along(double dt, Workspace<T>& w)
{
    for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] += T(dt) * w.qacc[d];
    advance_activations(w, dt);
    advance_positions<T>(*w.tree, w.v, dt, w.q);
    yield_springs(w.v, dt, w);
}

/// y = start + scale * rate for v and act; q displaced along the rate of q.
template <class T>
void Stepper<T>::move_from_start(std::span<const T> v, std::span<const T> a, std::span<const T> act, double scale,
                                 Workspace<T>& w)
{
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        // Kept, for on the Lie group it is the rotation vector at which the next rate is taken.
        displacement_[d] = T(scale) * v[d];
        w.v[d] = start_v_[d] + T(scale) * a[d];
    }
    for (std::size_t i = 0; i < w.act.size(); ++i) w.act[i] = start_act_[i] + T(scale) * act[i];
    displace_positions<T>(*w.tree, start_q_, displacement_, w.q);
}

/// Rates of (q, v, act) at the present stage. On the Lie group the stages live in its algebra (Munthe-Kaas 1998): the
/// rate of a rotation vector u is not omega but u' = omega + 1/2 u x omega + 1/12 u x (u x omega).
template <class T>
void Stepper<T>::compute_rates(const Workspace<T>& w)
{
    std::copy(w.v.begin(), w.v.end(), rate_v_.begin());
    std::copy(w.qacc.begin(), w.qacc.end(), rate_a_.begin());
    std::copy(w.act_rate.begin(), w.act_rate.end(), rate_act_.begin());
    if (options_.integrator != Integrator::lie_rk4) return;
    for (const TreeJoint& joint : w.tree->joints)
    {
        if (joint.type != JointType::ball && joint.type != JointType::free) continue;
        const int d = joint.v + (joint.type == JointType::free ? 3 : 0);
        // The displacement of this stage is the rotation vector u at which the rate is wanted.
        const Vector3<T> u{displacement_[d], displacement_[d + 1], displacement_[d + 2]};
        const Vector3<T> rate = exponential_rate(u, Vector3<T>{w.v[d], w.v[d + 1], w.v[d + 2]});
        for (int k = 0; k < 3; ++k) rate_v_[d + k] = rate[k];
    }
}

template <class T>
void Stepper<T>::integrate_runge_kutta(int stage, double dt, Workspace<T>& w)
{
    // sum += b_k k_stage, the weighted mean of the stages' rates.
    compute_rates(w);
    add_scaled<T>(rate_v_, kWeight[stage], sum_v_);
    add_scaled<T>(rate_a_, kWeight[stage], sum_a_);
    add_scaled<T>(rate_act_, kWeight[stage], sum_act_);
    if (stage + 1 < stage_count()) return;
    // y' = y + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6
    move_from_start(sum_v_, sum_a_, sum_act_, dt, w);
    w.stage_offset = 0;
    // Activations go through their own law (filters, bounds), with the mean rate.
    std::copy(start_act_.begin(), start_act_.end(), w.act.begin());
    std::copy(sum_act_.begin(), sum_act_.end(), w.act_rate.begin());
    advance_activations(w, dt);
    yield_springs(sum_v_, dt, w);
}

/// Weights of the implicit damping (midpoint_weights.h).
template <class T>
void Stepper<T>::prepare_damping_weights(const Workspace<T>& w, double dt)
{
    // Weights depend on masses, damping and timestep alone.
    if (damping_weight_dt_ == dt && !w.own_mass) return;
    damping_weight_dt_ = dt;
    const Model& model = *w.tree->model;
    for (int d = 0; d < model.v_count(); ++d)
    {
        for (int k = 0; k < kLaneCount<T>; ++k)
        {
            // theta(z), z = h B / M(q0)
            const double inertia = lane(w.dof_inertia[d], k);
            set_lane(damping_weight_[d], k, find_midpoint_weight(model.dofs.damping[d], inertia, dt));
        }
    }
}

/// Factors M - h theta D with D the derivative of forces by velocity at the mid-pose: theta = 1/2 but for joint
/// damping.
template <class T>
void Stepper<T>::factor_midpoint(double dt, Workspace<T>& w)
{
    if (!w.tree->velocity_forces) return factor_mass_matrix(w);
    const Model& model = *w.tree->model;
    // D by dampers and actuators, symmetric and in the pattern of M.
    std::fill(derivative_.begin(), derivative_.end(), T(0.0));
    add_force_derivative<T>(w, 1.0, derivative_);
    for (std::size_t k = 0; k < system_.size(); ++k) system_[k] = w.mass_matrix[k] - T(0.5 * dt) * derivative_[k];
    for (int d = 0; d < model.v_count(); ++d)
    {
        // theta - 1/2 more of the joint damping, which stiff dampers need not to ring.
        const T extra = (damping_weight_[d] - T(0.5)) * T(dt) * T(model.dofs.damping[d]);
        system_[model.dofs.row_begin[d + 1] - 1] += extra;
    }
    factor_matrix<T>(w, system_);
}

/// One sweep for the change of v: (M - h theta D) change = h force(v + change / 2) - h/2 D change.
template <class T>
void Stepper<T>::sweep_midpoint(double dt, Workspace<T>& w)
{
    // The force at the mid-velocity holds h/2 D change already; what the matrix has on the left comes off on the right.
    if (w.tree->velocity_forces)
    {
        multiply_symmetric<T>(w.tree->arrays, derivative_, change_, product_);
        for (std::size_t d = 0; d < w.v.size(); ++d) change_[d] = T(dt) * w.total[d] - T(0.5 * dt) * product_[d];
    }
    else
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) change_[d] = T(dt) * w.total[d];
    }
    solve_in_place<T>(w, change_);
}

/// The smooth kick M change = h (tau - c)(q_m, v + change / 2). With constraints it becomes an acceleration, at the
/// mid-pose and with the velocity before the kick. `constraint_change`: what is known of the constraints' part of the
/// change of v, which mid-velocities have too; may be empty.
template <class T>
void Stepper<T>::find_midpoint_change(double dt, std::span<const T> constraint_change, Workspace<T>& w,
                                      StageTimer& timer)
{
    constexpr int kSweeps = 3;  // each sweep gains one order in the mid-velocity
    // From change = 0: the first sweep is explicit in the velocity, the second and third correct it.
    prepare_damping_weights(w, dt);
    std::fill(change_.begin(), change_.end(), T(0.0));
    for (int sweep = 0; sweep < kSweeps; ++sweep)
    {
        // The mid-velocity by the last sweep's change.
        for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] = start_v_[d] + T(0.5) * change_[d];
        for (std::size_t d = 0; d < constraint_change.size(); ++d) w.v[d] += T(0.5) * constraint_change[d];
        compute_velocity_stage(w, dt, timer);
        if (sweep == 0) factor_midpoint(dt, w);
        timer.mark(static_cast<int>(Stage::factor));
        sweep_midpoint(dt, w);
        timer.mark(static_cast<int>(Stage::solve));
    }
    if (!options_.constrained) return;
    // a_s = change / h; M a_s and the factor of M itself, which rows and the minimisation stand on
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        w.v[d] = start_v_[d];
        w.qacc[d] = T(1 / dt) * change_[d];
    }
    // Body velocities were those of the mid-velocity; rows want those before the kick.
    compute_velocities(w);
    if (w.tree->velocity_forces) factor_mass_matrix(w);
    multiply_symmetric<T>(w.tree->arrays, w.mass_matrix, w.qacc, w.total);
    timer.mark(static_cast<int>(Stage::factor));
}

template <class T>
double Stepper<T>::repeat_midpoint(double dt, std::span<const T> constraint_change, Workspace<T>& w, StageTimer& timer)
{
    std::copy(change_.begin(), change_.end(), last_change_.begin());
    find_midpoint_change(dt, constraint_change, w, timer);
    double largest = 0;
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        for (int k = 0; k < kLaneCount<T>; ++k)
            largest = std::max(largest, std::abs(lane(change_[d], k) - lane(last_change_[d], k)));
    }
    return largest;
}

/// The kick with the constraints' part, through the same damped inertia, and the second half of the drift.
template <class T>
void Stepper<T>::integrate_midpoint(double dt, std::span<const T> constraint_force, Workspace<T>& w)
{
    // A constraint's force acts through the damped inertia as smooth forces do; without damping M a = M a_s + Jᵀf has
    // been solved already, and the kick is h a.
    const bool damped = w.tree->velocity_forces;
    if (options_.constrained && damped)
    {
        // (M - h theta D) change_c = h Jᵀf
        std::copy(constraint_force.begin(), constraint_force.end(), product_.begin());
        factor_midpoint(dt, w);
        solve_in_place<T>(w, product_);
        for (std::size_t d = 0; d < w.v.size(); ++d) change_[d] += T(dt) * product_[d];
    }
    else if (options_.constrained)
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) change_[d] = T(dt) * w.qacc[d];
    }
    // v' = v + change, q' = q_m (+) h/2 v'
    for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] = start_v_[d] + change_[d];
    advance_activations(w, dt);
    advance_positions<T>(*w.tree, w.v, (1 - early_) * dt, w.q);
    yield_springs(w.v, (1 - early_) * dt, w);
}

}  // namespace rattleback
