// Euler's methods and the midpoint rule in dual numbers.
#include "solvers/shared/dual_stepper.h"

#include "base/index.h"
#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/integrate.h"
#include "dynamics/mass_matrix.h"
#include "solvers/shared/midpoint_weights.h"

#include <algorithm>

namespace rattleback
{

std::string_view find_dual_obstacle(const Tree& tree, Integrator integrator)
{
    // Springs that yield change at the end of a step; the medium's own derivative has none of its own here.
    if (!tree.yielding_joints.empty() || !tree.yielding_tendons.empty()) return "springs that yield";
    switch (integrator)
    {
        case Integrator::euler:
        case Integrator::midpoint:
            return "";
        case Integrator::implicitfast:
            return tree.fluid_parts.empty() ? ""
                                            : "the integrator implicitfast in a medium (euler and midpoint have them)";
        case Integrator::rk4:
        case Integrator::lie_rk4:
            return "the four stages of Runge-Kutta (euler, implicitfast and midpoint have them)";
        case Integrator::implicit:
            return "the integrator implicit (euler, implicitfast and midpoint have them)";
        case Integrator::discrete:
            return "the integrator discrete (euler, implicitfast and midpoint have them)";
    }
    return "this integrator";
}

void DualStepper::move(Workspace<DualPack>& d, double dt)
{
    // q_m = q (+) h/2 v, as Stepper::move_to_stage.
    if (is_midpoint()) advance_positions<DualPack>(*d.tree, d.v, 0.5 * dt, d.q);
}

void DualStepper::find_acceleration(Workspace<DualPack>& d, double dt)
{
    compute_dual_stages(d, dt);
    is_midpoint() ? find_midpoint_acceleration(d, dt) : find_euler_acceleration(d, dt);
}

/// d.qacc = (M - h D)^-1 total, with D as the integrator has it.
void DualStepper::find_euler_acceleration(Workspace<DualPack>& d, double dt)
{
    const TreeView& tree = *d.tree;
    const DofsView& dofs = tree.arrays.dofs;
    const bool fast = options_.integrator == Integrator::implicitfast;
    system_.assign(d.mass_matrix.begin(), d.mass_matrix.end());
    if (fast && tree.velocity_forces) add_force_derivative<DualPack>(d, -dt, system_);
    if (!fast && tree.damped && options_.implicit_damping)
    {
        for (std::size_t i = 0; i < d.v.size(); ++i)
            system_[dofs.row_begin[i + 1] - 1] += DualPack(dt * dofs.damping[i]);
        if (tree.curved) add_curved_derivative<DualPack>(d, dt, system_);
    }
    // (M - h D) a = tau - c; lone bodies with implicit gyroscopic forces; then the factor of M for the constraints.
    factor_matrix<DualPack>(d, system_);
    std::copy(d.total.begin(), d.total.end(), d.qacc.begin());
    solve_in_place<DualPack>(d, d.qacc);
    if (fast) solve_lone_bodies<DualPack>(d, dt, system_, d.total, d.qacc, false);
    factor_mass_matrix(d);
}

/// The factor of M - h theta D at the mid-pose (Stepper::factor_midpoint); D of the first sweep stays.
void DualStepper::factor_midpoint(Workspace<DualPack>& d, double dt)
{
    if (!d.tree->velocity_forces) return factor_mass_matrix(d);
    const Model& model = *d.tree->model;
    derivative_.assign(d.mass_matrix.size(), DualPack(0.0));
    add_force_derivative<DualPack>(d, 1.0, derivative_);
    system_.resize(derivative_.size());
    for (std::size_t k = 0; k < system_.size(); ++k)
        system_[k] = d.mass_matrix[k] - DualPack(0.5 * dt) * derivative_[k];
    for (int i = 0; i < model.v_count(); ++i)
    {
        const double weight = find_midpoint_weight(model.dofs.damping[at(i)], value_of(d.dof_inertia[i]), dt);
        system_[at(model.dofs.row_begin[at(i) + 1] - 1)] += DualPack((weight - 0.5) * dt * model.dofs.damping[at(i)]);
    }
    factor_matrix<DualPack>(d, system_);
}

/// The three sweeps of Stepper::find_midpoint_change, then what rows stand on: a_s, M a_s, velocities before the kick.
void DualStepper::find_midpoint_acceleration(Workspace<DualPack>& d, double dt)
{
    constexpr int kSweeps = 3;
    const bool damped = d.tree->velocity_forces;
    const std::size_t count = d.v.size();
    start_v_.assign(d.v.begin(), d.v.end());
    change_.assign(count, DualPack(0.0));
    product_.resize(count);
    NoTimer timer;
    for (int sweep = 0; sweep < kSweeps; ++sweep)
    {
        // The mid-velocity by the last sweep's change.
        for (std::size_t i = 0; i < count; ++i) d.v[i] = start_v_[i] + DualPack(0.5) * change_[i];
        compute_velocity_stage(d, dt, timer);
        if (sweep == 0) factor_midpoint(d, dt);
        if (damped)
            multiply_symmetric<DualPack>(d.tree->arrays, derivative_, change_, product_);
        else
            std::fill(product_.begin(), product_.end(), DualPack(0.0));
        for (std::size_t i = 0; i < count; ++i)
            change_[i] = DualPack(dt) * d.total[i] - DualPack(0.5 * dt) * product_[i];
        solve_in_place<DualPack>(d, change_);
    }
    for (std::size_t i = 0; i < count; ++i)
    {
        d.v[i] = start_v_[i];
        d.qacc[i] = DualPack(1 / dt) * change_[i];
    }
    compute_velocities(d);
    if (damped) factor_mass_matrix(d);
    multiply_symmetric<DualPack>(d.tree->arrays, d.mass_matrix, d.qacc, d.total);
}

void DualStepper::integrate(Workspace<DualPack>& d, double dt, std::span<const DualPack> force)
{
    if (is_midpoint() && d.tree->velocity_forces)
    {
        // A constraint's force acts through the damped inertia: (M - h theta D) change_c = h Jᵀf.
        std::copy(force.begin(), force.end(), product_.begin());
        factor_midpoint(d, dt);
        solve_in_place<DualPack>(d, product_);
        for (std::size_t i = 0; i < d.v.size(); ++i) d.v[i] += change_[i] + DualPack(dt) * product_[i];
    }
    else
    {
        for (std::size_t i = 0; i < d.v.size(); ++i) d.v[i] += DualPack(dt) * d.qacc[i];
    }
    advance_activations(d, dt);
    advance_positions<DualPack>(*d.tree, d.v, is_midpoint() ? 0.5 * dt : dt, d.q);
}

}  // namespace rattleback
