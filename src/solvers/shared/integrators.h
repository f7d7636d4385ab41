// Integrators of joint-space solvers: Euler, implicit Euler, two Runge-Kutta methods and the time-symmetric midpoint.
#pragma once

#include <rattleback/report.h>

#include "base/stage_timer.h"
#include "dynamics/bias.h"
#include "dynamics/fluid.h"
#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "math/elementary.h"
#include "math/rotation.h"

#include <algorithm>

namespace rattleback
{

/// Scratch of the integrators beside the workspace.
template <class T>
struct IntegratorScratch
{
    explicit IntegratorScratch(const Tree& tree);

    std::vector<T> start_q, start_v, start_act;
    std::vector<T> rate_v, rate_a, rate_act;              ///< of the present stage
    std::vector<T> sum_v, sum_a, sum_act;                 ///< weighted over the stages
    std::vector<T> displacement;                          ///< of q, as a velocity
    std::vector<T> system;                                ///< M with implicit terms, in M's pattern
    std::vector<T> derivative;                            ///< midpoint: of forces with respect to v, in M's pattern
    std::vector<T> product;                               ///< midpoint: derivative times the change of v
    std::vector<double> damping_weight;                   ///< midpoint: theta of each dof, see smooth/README.md
    double damping_weight_dt = -1;                        ///< dt they belong to
    std::vector<KinematicMotion> motions[kLaneCount<T>];  ///< of kinematic bodies
};

/// What a solver without constraints passes: the integrators find the acceleration themselves.
struct NoConstraints
{
    static constexpr bool kPresent = false;
};

/// Moves w.q, w.v, w.act forward by dt [s]. `Constraints` with kPresent = true has
///   bool add_forces(Workspace<T>& w, double dt, StageTimer& timer):
///     after the position and velocity stages; finds the constrained acceleration w.qacc, leaves the factor of M in w,
///     and adds the constraints' joint forces to w.total; false: give up, w is not to be used;
///   bool add_impulse(Workspace<T>& w, double dt, std::span<T> smooth, std::span<T> force, StageTimer& timer):
///     the same for a given acceleration `smooth` without constraints, with the factor of M in w; writes `force`.
/// Euler without `implicit_damping` treats joint damping like any force. Returns false when the constraints gave up.
template <class T, class Constraints>
bool advance(Integrator integrator, double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints,
             StageTimer& timer, bool implicit_damping = true);

namespace integrators
{

/// Kinematic bodies of all lanes at a fraction of the step.
template <class T>
void place_bases(Workspace<T>& w, const IntegratorScratch<T>& s, double fraction, double dt)
{
    if (w.tree->kinematic_bodies.empty()) return;
    for (int lane = 0; lane < kLaneCount<T>; ++lane) place_kinematic_bodies<T>(w, lane, s.motions[lane], fraction, dt);
}

template <class T>
void evaluate(Workspace<T>& w, const IntegratorScratch<T>& s, double fraction, double dt, StageTimer& timer)
{
    place_bases(w, s, fraction, dt);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, dt, timer);
}

template <class T>
void solve_for_acceleration(Workspace<T>& w, StageTimer& timer)
{
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    solve_in_place<T>(w, w.qacc);
    timer.mark(static_cast<int>(Stage::solve));
}

template <class T>
void advance_semi_implicitly(Workspace<T>& w, double dt, StageTimer& timer)
{
    for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] += T(dt) * w.qacc[d];
    advance_activations(w, dt);
    advance_positions<T>(*w.tree, w.v, dt, w.q);
    timer.mark(static_cast<int>(Stage::integrate));
}

/// (M + dt B) a = f with B the joint damping (MuJoCo's Euler), or all velocity derivatives (implicitfast): symmetrised
/// and without Coriolis terms, yet with gyroscopic ones for free bodies that carry nothing.
template <class T, class Constraints>
bool step_euler(bool all_derivatives, bool implicit_damping, double dt, Workspace<T>& w, IntegratorScratch<T>& s,
                Constraints& constraints, StageTimer& timer)
{
    evaluate(w, s, 0, dt, timer);
    if constexpr (Constraints::kPresent)
    {
        if (!constraints.add_forces(w, dt, timer)) return false;
    }
    const Dofs& dofs = w.tree->model->dofs;
    const bool in_fluid = all_derivatives && !w.tree->fluid_parts.empty();
    const bool implicit = all_derivatives ? w.tree->velocity_forces || in_fluid : w.tree->damped && implicit_damping;
    if (implicit) s.system = w.mass_matrix;
    if (implicit && all_derivatives) add_force_derivative<T>(w, -dt, s.system);
    if (in_fluid) add_fluid_derivative<T>(w, -dt, s.system);
    if (implicit && !all_derivatives)
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) s.system[dofs.row_begin[d + 1] - 1] += T(dt * dofs.damping[d]);
    }
    const std::vector<T>& system = implicit ? s.system : w.mass_matrix;
    if (implicit || !Constraints::kPresent)
    {
        factor_matrix<T>(w, system);
        timer.mark(static_cast<int>(Stage::factor));
        solve_for_acceleration(w, timer);
    }
    if (all_derivatives) solve_lone_bodies<T>(w, dt, system, w.total, w.qacc);
    advance_semi_implicitly(w, dt, timer);
    return true;
}

/// Rates of (q, v, act) at the present state; `lie`: corrected so that rotation vectors may be added up.
template <class T, class Constraints>
bool compute_rates(bool lie, double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints,
                   StageTimer& timer)
{
    if constexpr (Constraints::kPresent)
    {
        if (!constraints.add_forces(w, dt, timer)) return false;
    }
    else
    {
        factor_mass_matrix(w);
        timer.mark(static_cast<int>(Stage::factor));
        solve_for_acceleration(w, timer);
    }
    s.rate_v = w.v;
    s.rate_a = w.qacc;
    s.rate_act = w.act_rate;
    if (!lie) return true;
    for (const TreeJoint& joint : w.tree->joints)
    {
        if (joint.type != JointType::ball && joint.type != JointType::free) continue;
        const int d = joint.v + (joint.type == JointType::free ? 3 : 0);
        const Vector3<T> u{s.displacement[d], s.displacement[d + 1], s.displacement[d + 2]};
        const Vector3<T> rate = exponential_rate(u, Vector3<T>{w.v[d], w.v[d + 1], w.v[d + 2]});
        for (int k = 0; k < 3; ++k) s.rate_v[d + k] = rate[k];
    }
    return true;
}

template <class T>
void add_scaled(std::span<const T> rates, double scale, std::span<T> sum)
{
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += T(scale) * rates[i];
}

/// y = start + scale * rate for v and act; q displaced along the rate of q.
template <class T>
void move_from_start(std::span<const T> v, std::span<const T> a, std::span<const T> act, double scale, Workspace<T>& w,
                     IntegratorScratch<T>& s)
{
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        s.displacement[d] = T(scale) * v[d];
        w.v[d] = s.start_v[d] + T(scale) * a[d];
    }
    for (std::size_t i = 0; i < w.act.size(); ++i) w.act[i] = s.start_act[i] + T(scale) * act[i];
    displace_positions<T>(*w.tree, s.start_q, s.displacement, w.q);
}

/// The classical tableau. With `lie` the stages live in the Lie algebra (Munthe-Kaas 1998): fourth order for rotations
/// too.
template <class T, class Constraints>
bool step_rk4(bool lie, double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints,
              StageTimer& timer)
{
    constexpr double kNode[4] = {0, 0.5, 0.5, 1};
    constexpr double kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    s.start_q = w.q;
    s.start_v = w.v;
    s.start_act = w.act;
    for (auto* list : {&s.sum_v, &s.sum_a, &s.sum_act, &s.displacement}) std::fill(list->begin(), list->end(), T(0.0));
    for (int stage = 0; stage < 4; ++stage)
    {
        if (stage > 0) move_from_start<T>(s.rate_v, s.rate_a, s.rate_act, kNode[stage] * dt, w, s);
        evaluate(w, s, kNode[stage], dt, timer);
        if (!compute_rates(lie, dt, w, s, constraints, timer)) return false;
        add_scaled<T>(s.rate_v, kWeight[stage], s.sum_v);
        add_scaled<T>(s.rate_a, kWeight[stage], s.sum_a);
        add_scaled<T>(s.rate_act, kWeight[stage], s.sum_act);
    }
    move_from_start<T>(s.sum_v, s.sum_a, s.sum_act, dt, w, s);
    w.act = s.start_act;
    w.act_rate = s.sum_act;
    advance_activations(w, dt);
    timer.mark(static_cast<int>(Stage::integrate));
    return true;
}

/// Weights of the implicit damping: theta solves v' = -z v / dt exactly over a step, 1/2 for weak and 1 for stiff
/// damping.
template <class T>
void prepare_damping_weights(const Model& model, double dt, IntegratorScratch<T>& s)
{
    if (s.damping_weight_dt == dt) return;
    s.damping_weight_dt = dt;
    for (int d = 0; d < model.v_count(); ++d)
    {
        const double z = dt * model.dofs.damping[d] / model.dofs.inertia[d];
        const double theta = z < 1e-4 ? 0.5 + z / 12 : 1 / (1 - exponential(-std::min(z, 500.0))) - 1 / z;
        s.damping_weight[d] = theta;
    }
}

/// Factors M - dt theta D with D the force derivative at the mid-pose.
template <class T>
void factor_midpoint(double dt, Workspace<T>& w, IntegratorScratch<T>& s)
{
    if (!w.tree->velocity_forces) return factor_mass_matrix(w);
    const Model& model = *w.tree->model;
    std::fill(s.derivative.begin(), s.derivative.end(), T(0.0));
    add_force_derivative<T>(w, 1.0, s.derivative);
    for (std::size_t k = 0; k < s.system.size(); ++k) s.system[k] = w.mass_matrix[k] - T(0.5 * dt) * s.derivative[k];
    for (int d = 0; d < model.v_count(); ++d)
    {
        const double extra = (s.damping_weight[d] - 0.5) * dt * model.dofs.damping[d];
        s.system[model.dofs.row_begin[d + 1] - 1] += T(extra);
    }
    factor_matrix<T>(w, s.system);
}

/// One sweep for the change of v: (M - dt theta D) change = dt force(v + change / 2) - dt/2 D change.
template <class T>
void sweep_midpoint(double dt, Workspace<T>& w, IntegratorScratch<T>& s)
{
    if (w.tree->velocity_forces)
    {
        multiply_symmetric<T>(*w.tree->model, s.derivative, s.sum_v, s.product);
        for (std::size_t d = 0; d < w.v.size(); ++d) s.sum_v[d] = T(dt) * w.total[d] - T(0.5 * dt) * s.product[d];
    }
    else
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) s.sum_v[d] = T(dt) * w.total[d];
    }
    solve_in_place<T>(w, s.sum_v);
}

/// The constraints' part of the kick, at the mid-pose and with the velocity before it: the smooth change of v becomes
/// the acceleration without constraints, and their forces act through the same damped inertia.
template <class T, class Constraints>
bool kick_constraints(double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints, StageTimer& timer)
{
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        w.v[d] = s.start_v[d];
        w.qacc[d] = T(1 / dt) * s.sum_v[d];
    }
    compute_velocities(w);
    const bool damped = w.tree->velocity_forces;
    if (damped) factor_mass_matrix(w);
    timer.mark(static_cast<int>(Stage::factor));
    if (!constraints.add_impulse(w, dt, w.qacc, s.product, timer)) return false;
    if (damped)
    {
        factor_midpoint(dt, w, s);
        solve_in_place<T>(w, s.product);
        for (std::size_t d = 0; d < w.v.size(); ++d) s.sum_v[d] += T(dt) * s.product[d];
    }
    else
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) s.sum_v[d] = T(dt) * w.qacc[d];
    }
    return true;
}

/// Drift half a step, kick with forces at the mid-pose and mid-velocity, drift half a step: symmetric in time.
template <class T, class Constraints>
bool step_midpoint(double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints, StageTimer& timer)
{
    constexpr int kSweeps = 3;  // each sweep gains one order in the mid-velocity
    prepare_damping_weights(*w.tree->model, dt, s);
    s.start_v = w.v;
    advance_positions<T>(*w.tree, w.v, 0.5 * dt, w.q);
    place_bases(w, s, 0.5, dt);
    timer.mark(static_cast<int>(Stage::integrate));
    compute_position_stage(w, timer);

    std::fill(s.sum_v.begin(), s.sum_v.end(), T(0.0));  // the change of v over the step
    for (int sweep = 0; sweep < kSweeps; ++sweep)
    {
        for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] = s.start_v[d] + T(0.5) * s.sum_v[d];
        compute_velocity_stage(w, dt, timer);
        if (sweep == 0) factor_midpoint(dt, w, s);
        timer.mark(static_cast<int>(Stage::factor));
        sweep_midpoint(dt, w, s);
        timer.mark(static_cast<int>(Stage::solve));
    }
    if constexpr (Constraints::kPresent)
    {
        if (!kick_constraints(dt, w, s, constraints, timer)) return false;
    }
    for (std::size_t d = 0; d < w.v.size(); ++d) w.v[d] = s.start_v[d] + s.sum_v[d];
    advance_activations(w, dt);
    advance_positions<T>(*w.tree, w.v, 0.5 * dt, w.q);
    timer.mark(static_cast<int>(Stage::integrate));
    return true;
}

}  // namespace integrators

template <class T>
IntegratorScratch<T>::IntegratorScratch(const Tree& tree)
{
    const Model& model = *tree.model;
    const auto dofs = static_cast<std::size_t>(model.v_count());
    start_q.resize(static_cast<std::size_t>(model.q_count()));
    for (auto* list : {&start_v, &rate_v, &rate_a, &sum_v, &sum_a, &displacement, &product}) list->resize(dofs);
    for (auto* list : {&start_act, &rate_act, &sum_act}) list->resize(static_cast<std::size_t>(model.act_count));
    for (auto* list : {&system, &derivative}) list->resize(model.dofs.row_column.size());
    damping_weight.resize(dofs);
    for (auto& motion : motions) motion.resize(tree.kinematic_bodies.size());
}

template <class T, class Constraints>
bool advance(Integrator integrator, double dt, Workspace<T>& w, IntegratorScratch<T>& s, Constraints& constraints,
             StageTimer& timer, bool implicit_damping)
{
    using namespace integrators;
    switch (integrator)
    {
        case Integrator::euler:
            return step_euler(false, implicit_damping, dt, w, s, constraints, timer);
        case Integrator::implicitfast:
            return step_euler(true, implicit_damping, dt, w, s, constraints, timer);
        case Integrator::rk4:
            return step_rk4(false, dt, w, s, constraints, timer);
        case Integrator::lie_rk4:
            return step_rk4(true, dt, w, s, constraints, timer);
        case Integrator::midpoint:
            return step_midpoint(dt, w, s, constraints, timer);
    }
    return false;
}

}  // namespace rattleback
