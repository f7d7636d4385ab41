// The integrator `discrete`, for any scalar: springs, dampers, servos and the medium join M in one metric, in which
// constraints are solved ([MuJoCo], "Integrators", eq_discrete_update).
#pragma once

#include "dynamics/fluid_derivative.h"
#include "dynamics/forces.h"
#include "dynamics/free_body.h"
#include "dynamics/mass_matrix.h"
#include "solvers/shared/integrators.h"

#include <algorithm>

namespace rattleback
{

// To first order a force at the end of the step is f - h K v - (h D + h^2 K) a, with D and K minus its derivatives by
// velocity and position. So M-hat a = f - h K v + Jᵀf_c with M-hat = M + h D + h^2 K. Each term of D and K is kept
// where it is not negative, and M-hat stays positive definite.

namespace
{

/// Does M have an entry for every two of these dofs? Increasing: then all but the last are ancestors of the last.
bool fits_pattern(const Dofs& dofs, std::span<const int> columns)
{
    if (columns.size() < 2) return true;
    const auto row = dofs.row_column.begin();
    const int last = columns.back();
    const auto begin = row + dofs.row_begin[static_cast<std::size_t>(last)];
    const auto end = row + dofs.row_begin[static_cast<std::size_t>(last) + 1];
    return std::includes(begin, end, columns.begin(), columns.end());
}

std::span<const int> columns_of(const SparsePattern& pattern, int row)
{
    const auto begin = static_cast<std::size_t>(pattern.begin[row]);
    return std::span(pattern.dof).subspan(begin, static_cast<std::size_t>(pattern.begin[row + 1]) - begin);
}

}  // namespace

template <class T>
void Stepper<T>::lay_out_metric(const Tree& tree)
{
    const Model& model = *tree.model;
    for (int t = 0; t < model.tendon_count(); ++t)
        tendon_fits_.push_back(fits_pattern(model.dofs, columns_of(tree.tendon, t)));
    for (int a = 0; a < model.actuator_count(); ++a)
        moment_fits_.push_back(fits_pattern(model.dofs, columns_of(tree.moment, a)));
    couplings_.reserve(tendon_fits_.size() + moment_fits_.size());
    metric_diagonal_.resize(static_cast<std::size_t>(model.v_count()));
}

/// h D + h^2 K of joints on the diagonal, and - h K v.
template <class T>
void Stepper<T>::add_joint_metric(double dt, Workspace<T>& w)
{
    const ModelView& model = w.tree->arrays;
    const DofsView& dofs = model.dofs;
    for (std::size_t d = 0; d < w.v.size(); ++d)
    {
        const T rate = find_tangent(dofs.damping[d], dofs.damping_polynomial[d], absolute(w.v[d]));
        system_[static_cast<std::size_t>(dofs.row_begin[d + 1] - 1)] += T(dt) * maximum(rate, T(0.0));
    }
    for (const int j : w.tree->sprung_joints)
    {
        const TreeJoint& joint = w.tree->joints[j];
        const auto stiffen = [&](int first, int count, const Vector3<T>&, const T& size)
        {
            const T slope =
                find_tangent(model.joints.stiffness[joint.joint], model.joints.stiffness_polynomial[joint.joint], size);
            const T k = maximum(slope, T(0.0));
            for (int d = first; d < first + count; ++d)
            {
                system_[static_cast<std::size_t>(dofs.row_begin[d + 1] - 1)] += T(dt * dt) * k;
                w.total[d] -= T(dt) * k * w.v[d];
            }
        };
        visit_springs(w, joint, stiffen);
    }
}

/// A force along one row of a Jacobian (a tendon, a transmission) with damping and stiffness along that row: rank one.
template <class T>
void Stepper<T>::add_row_metric(double dt, const MetricRow<T>& row, const T& rate, Workspace<T>& w)
{
    const T scale = T(dt) * (row.damping + T(dt) * row.stiffness);
    for (std::size_t i = 0; i < row.dof.size(); ++i)
        w.total[row.dof[i]] -= T(dt) * row.stiffness * rate * row.jacobian[i];
    if (row.fits)
    {
        add_outer_product<T>(w.tree->arrays, row.dof, row.jacobian, scale, system_);
        return;
    }
    // Dofs of several branches: M has no room for their products, which are rows of their own then.
    couplings_.push_back({row.dof, row.jacobian, scale});
}

template <class T>
void Stepper<T>::add_tendon_metric(double dt, Workspace<T>& w)
{
    const TreeView& tree = *w.tree;
    const TendonsView& tendons = tree.arrays.tendons;
    for (int t = 0; t < tree.arrays.tendon_count(); ++t)
    {
        constexpr std::array<double, 2> kNone{};
        if (tendons.stiffness[t] == 0 && tendons.damping[t] == 0 && tendons.stiffness_polynomial[t] == kNone &&
            tendons.damping_polynomial[t] == kNone)
            continue;
        const T x = find_stretch(find_spring_band<T>(w, t), w.tendon_length[t]);
        const T slope = find_tangent(tendons.stiffness[t], tendons.stiffness_polynomial[t], x);
        const T rate = find_tangent(tendons.damping[t], tendons.damping_polynomial[t], absolute(w.tendon_velocity[t]));
        const auto begin = static_cast<std::size_t>(tree.tendon.begin[t]);
        const std::span<const int> dofs = columns_of(tree.tendon, t);
        // Within its band a spring neither pulls nor stiffens.
        const auto outside = either(x > T(0.0), x < T(0.0));
        add_row_metric(dt,
                       {.dof = dofs,
                        .jacobian = std::span<const T>(w.tendon_jacobian).subspan(begin, dofs.size()),
                        .damping = maximum(rate, T(0.0)),
                        .stiffness = select(outside, maximum(slope, T(0.0)), T(0.0)),
                        .fits = tendon_fits_[static_cast<std::size_t>(t)] != 0},
                       w.tendon_velocity[t], w);
    }
}

template <class T>
void Stepper<T>::add_actuator_metric(double dt, Workspace<T>& w)
{
    const TreeView& tree = *w.tree;
    for (int a = 0; a < tree.arrays.actuator_count(); ++a)
    {
        const T damping = maximum(-w.force_rate[a], T(0.0)), stiffness = maximum(-w.force_slope[a], T(0.0));
        bool idle = true;
        for (int k = 0; k < kLaneCount<T>; ++k) idle = idle && lane(damping, k) == 0 && lane(stiffness, k) == 0;
        if (idle) continue;
        const auto begin = static_cast<std::size_t>(tree.moment.begin[a]);
        const std::span<const int> dofs = columns_of(tree.moment, a);
        add_row_metric(dt,
                       {.dof = dofs,
                        .jacobian = std::span<const T>(w.moment).subspan(begin, dofs.size()),
                        .damping = damping,
                        .stiffness = stiffness,
                        .fits = moment_fits_[static_cast<std::size_t>(a)] != 0},
                       w.actuator_velocity[a], w);
    }
}

/// M-hat in system_, factored in w; w.total = f - h K v; w.qacc = M-hat^-1 of it.
template <class T>
void Stepper<T>::compute_discrete_acceleration(double dt, Workspace<T>& w)
{
    const TreeView& tree = *w.tree;
    const DofsView& dofs = tree.arrays.dofs;
    std::copy(w.mass_matrix.begin(), w.mass_matrix.end(), system_.begin());
    couplings_.clear();
    add_joint_metric(dt, w);
    add_tendon_metric(dt, w);
    add_actuator_metric(dt, w);
    // Of the medium what takes energy: lift and added mass would make M-hat indefinite.
    if (!tree.fluid_parts.empty()) add_drag_derivative<T>(w, -dt, system_);
    for (std::size_t d = 0; d < w.v.size(); ++d)
        metric_diagonal_[d] = system_[static_cast<std::size_t>(dofs.row_begin[d + 1] - 1)];
    for (const MetricCoupling<T>& coupling : couplings_)
    {
        for (std::size_t i = 0; i < coupling.dof.size(); ++i)
            metric_diagonal_[static_cast<std::size_t>(coupling.dof[i])] +=
                coupling.scale * coupling.jacobian[i] * coupling.jacobian[i];
    }
    factor_matrix<T>(w, system_);
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    solve_in_place<T>(w, w.qacc);
    if (!options_.constrained || options_.split) add_couplings(w);
}

/// Without constraints: the terms that M's pattern cannot hold, one rank after the other. With A the matrix so far and
/// u = A^-1 j, (A + s j jᵀ)^-1 b = A^-1 b - u s (jᵀ A^-1 b) / (1 + s jᵀu) (Sherman and Morrison).
template <class T>
void Stepper<T>::add_couplings(Workspace<T>& w)
{
    const std::size_t count = w.v.size();
    const auto along = [](const MetricCoupling<T>& c, std::span<const T> x)
    {
        T sum = T(0.0);
        for (std::size_t i = 0; i < c.dof.size(); ++i) sum += c.jacobian[i] * x[static_cast<std::size_t>(c.dof[i])];
        return sum;
    };
    // x <- x - u_k s_k (j_kᵀx) / (1 + s_k j_kᵀu_k)
    const auto correct = [&](std::size_t k, std::span<T> x)
    {
        const MetricCoupling<T>& c = couplings_[k];
        const std::span<const T> u = std::span<const T>(coupling_solution_).subspan(k * count, count);
        const T share = c.scale * along(c, x) / (T(1.0) + c.scale * along(c, u));
        for (std::size_t d = 0; d < count; ++d) x[d] -= share * u[d];
    };
    coupling_solution_.resize(couplings_.size() * count);
    for (std::size_t k = 0; k < couplings_.size(); ++k)
    {
        const std::span<T> u = std::span<T>(coupling_solution_).subspan(k * count, count);
        std::fill(u.begin(), u.end(), T(0.0));
        const MetricCoupling<T>& c = couplings_[k];
        for (std::size_t i = 0; i < c.dof.size(); ++i) u[static_cast<std::size_t>(c.dof[i])] = c.jacobian[i];
        solve_in_place<T>(w, u);
        for (std::size_t before = 0; before < k; ++before) correct(before, u);
        correct(k, w.qacc);
    }
    // What they do to the joints, as a force.
    for (const MetricCoupling<T>& c : couplings_)
    {
        const T force = c.scale * along(c, w.qacc);
        for (std::size_t i = 0; i < c.dof.size(); ++i) w.total[c.dof[i]] -= force * c.jacobian[i];
    }
}

template <class T>
void Stepper<T>::find_forward_acceleration(double dt, Workspace<T>& w)
{
    if (is_discrete() && options_.metric)
    {
        compute_discrete_acceleration(dt, w);
        finish_discrete_acceleration(dt, {}, w);
        return;
    }
    factor_mass_matrix(w);
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    solve_in_place<T>(w, w.qacc);
}

/// What the metric leaves out for free bodies that carry nothing: their gyroscopic forces are implicit too.
template <class T>
void Stepper<T>::finish_discrete_acceleration(double dt, std::span<const T> constraint_force, Workspace<T>& w) const
{
    if (options_.integrator != Integrator::discrete || w.tree->lone_bodies.empty()) return;
    for (std::size_t d = 0; d < constraint_force.size(); ++d) w.total[d] += constraint_force[d];
    solve_lone_bodies<T>(w, dt, system_, w.total, w.qacc, false);
}

}  // namespace rattleback
