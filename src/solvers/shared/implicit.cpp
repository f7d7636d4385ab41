// The integrator `implicit`: derivatives of Coriolis forces, and a system that is not symmetric.
#include "dynamics/bias.h"
#include "solvers/shared/integrators.h"

#include <algorithm>

namespace rattleback
{

/// dense = system + h dc/dv. c is of second degree in v, so that (c(v + e) - c(v - e)) / 2 is its derivative along e,
/// exactly but for rounding.
template <class T>
void Stepper<T>::add_bias_derivative(double dt, Workspace<T>& w)
{
    const DofsView& dofs = w.tree->arrays.dofs;
    const std::size_t count = w.v.size();
    // Rows of M have the ancestors alone; the other half is their mirror image.
    std::fill(dense_.begin(), dense_.end(), T(0.0));
    for (std::size_t i = 0; i < count; ++i)
    {
        for (int k = dofs.row_begin[i]; k < dofs.row_begin[i + 1]; ++k)
        {
            const auto j = static_cast<std::size_t>(dofs.row_column[k]);
            dense_[i * count + j] = dense_[j * count + i] = system_[static_cast<std::size_t>(k)];
        }
    }
    // Gravity does not depend on v, and would only cost digits.
    const Vector3<T> gravity = w.gravity[0];
    w.gravity[0] = {};
    const auto find_bias = [&](std::size_t d, const T& v)
    {
        w.v[d] = v;
        compute_velocities(w);
        compute_bias(w);
    };
    for (std::size_t j = 0; j < count; ++j)
    {
        const T v = w.v[j];
        find_bias(j, v + T(1.0));
        std::copy(w.bias.begin(), w.bias.end(), column_.begin());
        find_bias(j, v - T(1.0));
        for (std::size_t i = 0; i < count; ++i) dense_[i * count + j] += T(0.5 * dt) * (column_[i] - w.bias[i]);
        w.v[j] = v;
    }
    // Velocities and bias of the step itself, for those who look at them afterwards.
    w.gravity[0] = gravity;
    compute_velocities(w);
    compute_bias(w);
}

/// qacc = dense^-1 total by elimination without pivots: M dominates.
template <class T>
void Stepper<T>::solve_dense(Workspace<T>& w)
{
    const std::size_t count = w.v.size();
    std::copy(w.total.begin(), w.total.end(), w.qacc.begin());
    for (std::size_t k = 0; k < count; ++k)
    {
        const T inverse = T(1.0) / dense_[k * count + k];
        for (std::size_t i = k + 1; i < count; ++i)
        {
            const T factor = dense_[i * count + k] * inverse;
            for (std::size_t j = k + 1; j < count; ++j) dense_[i * count + j] -= factor * dense_[k * count + j];
            w.qacc[i] -= factor * w.qacc[k];
        }
    }
    for (std::size_t k = count; k-- > 0;)
    {
        T sum = w.qacc[k];
        for (std::size_t j = k + 1; j < count; ++j) sum -= dense_[k * count + j] * w.qacc[j];
        w.qacc[k] = sum / dense_[k * count + k];
    }
}

template void Stepper<double>::add_bias_derivative(double, Workspace<double>&);
template void Stepper<double>::solve_dense(Workspace<double>&);
template void Stepper<Pack4>::add_bias_derivative(double, Workspace<Pack4>&);
template void Stepper<Pack4>::solve_dense(Workspace<Pack4>&);

}  // namespace rattleback
