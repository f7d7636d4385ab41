// Derivatives of the medium's forces by velocity, exact by dual numbers.
#include "dynamics/fluid.h"
#include "dynamics/fluid_force.h"
#include "math/dual.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// d (force, torque) / d (velocity, spin) of a part, in its own axes.
template <class T>
using LocalDerivative = std::array<std::array<T, 6>, 6>;

template <class T>
LocalDerivative<T> find_derivative(const Workspace<T>& w, const FluidPart& part, const FluidMotion<T>& motion)
{
    using Number = Dual<T, 6>;
    Vector3<Number> v, spin;
    for (int k = 0; k < 3; ++k)
    {
        v[k] = Number(motion.velocity[k], k);
        spin[k] = Number(motion.spin[k], k + 3);
    }
    const LocalForce<Number> f = part_force(part, w.tree->model->settings.medium, v, spin);
    LocalDerivative<T> derivative;
    for (int j = 0; j < 6; ++j)
    {
        for (int k = 0; k < 3; ++k)
        {
            derivative[k][j] = f.force[k].rate[j];
            derivative[k + 3][j] = f.torque[k].rate[j];
        }
    }
    return derivative;
}

template <class T>
std::array<T, 6> along_axes(const Workspace<T>& w, const FluidPart& part, const FluidMotion<T>& motion, int dof)
{
    const Vector3<T> linear = transpose_times(motion.axes, point_velocity(w, w.dof[dof], part.body, motion.point));
    const Vector3<T> angular = transpose_times(motion.axes, w.dof[dof].angular);
    return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

/// Calls add(i, j, derivative of joint force i by joint velocity j) for all dofs that move the part.
template <class T, class Add>
void visit_derivative(const Workspace<T>& w, const FluidPart& part, bool symmetrised, Add add)
{
    const Model& model = *w.tree->model;
    const FluidMotion<T> motion = find_motion(w, part);
    LocalDerivative<T> derivative = find_derivative(w, part, motion);
    for (int i = 0; symmetrised && i < 6; ++i)
    {
        for (int j = 0; j < i; ++j)
            derivative[i][j] = derivative[j][i] = T(0.5) * (derivative[i][j] + derivative[j][i]);
    }
    for (int j = model.bodies.last_dof[part.body]; j >= 0; j = model.dofs.parent[j])
    {
        const std::array<T, 6> u = along_axes(w, part, motion, j);
        std::array<T, 6> force{};
        for (int k = 0; k < 6; ++k)
        {
            for (int l = 0; l < 6; ++l) force[k] += derivative[k][l] * u[l];
        }
        for (int i = model.bodies.last_dof[part.body]; i >= 0; i = model.dofs.parent[i])
        {
            const std::array<T, 6> row = along_axes(w, part, motion, i);
            T sum = T(0.0);
            for (int k = 0; k < 6; ++k) sum += row[k] * force[k];
            add(i, j, sum);
        }
    }
}

}  // namespace

template <class T>
void add_fluid_derivative(const Workspace<T>& w, double scale, std::span<T> matrix)
{
    const Tree& tree = *w.tree;
    const Dofs& dofs = tree.model->dofs;
    for (const FluidPart& part : tree.fluid_parts)
    {
        if (std::binary_search(tree.lone_bodies.begin(), tree.lone_bodies.end(), tree.model->bodies.root[part.body]))
            continue;
        visit_derivative(w, part, true,
                         [&](int i, int j, const T& value)
                         {
                             if (j > i) return;
                             const int* row = &dofs.row_column[dofs.row_begin[i]];
                             const int* end = &dofs.row_column[0] + dofs.row_begin[i + 1];
                             matrix[dofs.row_begin[i] + (std::lower_bound(row, end, j) - row)] += T(scale) * value;
                         });
    }
}

template <class T>
void add_fluid_block(const Workspace<T>& w, int body, double scale, std::span<T, 36> block)
{
    const int first = w.tree->model->bodies.v_begin[body];
    for (const FluidPart& part : w.tree->fluid_parts)
    {
        if (w.tree->model->bodies.root[part.body] != body) continue;
        visit_derivative(w, part, false,
                         [&](int i, int j, const T& value) { block[6 * (i - first) + j - first] += T(scale) * value; });
    }
}

template void add_fluid_derivative(const Workspace<double>&, double, std::span<double>);
template void add_fluid_derivative(const Workspace<Pack4>&, double, std::span<Pack4>);
template void add_fluid_block(const Workspace<double>&, int, double, std::span<double, 36>);
template void add_fluid_block(const Workspace<Pack4>&, int, double, std::span<Pack4, 36>);

}  // namespace rattleback
