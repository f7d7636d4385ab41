// Derivatives of the medium's forces by velocity, exact by dual numbers.
#pragma once

#include "dynamics/fluid_force.h"
#include "math/dual.h"

namespace rattleback
{

/// d (force, torque) / d (velocity, spin) of a part, in its own axes.
template <class T>
using LocalDerivative = std::array<std::array<T, 6>, 6>;

/// By dual numbers: the six rates of one evaluation at a velocity and spin in the part's axes.
template <class T>
RB_HD LocalDerivative<T> find_part_derivative(const FluidPart& part, const Medium& medium, const Vector3<T>& velocity,
                                              const Vector3<T>& spin, bool drag_alone = false)
{
    // Six directions: three of the velocity, three of the spin. One evaluation of the force carries all.
    using Number = Dual<T, 6>;
    Vector3<Number> v, w;
    for (int k = 0; k < 3; ++k)
    {
        // Each input has a unit rate of its own.
        v[k] = Number(velocity[k], k);
        w[k] = Number(spin[k], k + 3);
    }
    const LocalForce<Number> f = part_force(part, medium, v, w, drag_alone);
    LocalDerivative<T> derivative;
    for (int j = 0; j < 6; ++j)
    {
        for (int k = 0; k < 3; ++k)
        {
            // Column j of the block: the response to a unit of velocity or spin j.
            derivative[k][j] = f.force[k].rate[j];
            derivative[k + 3][j] = f.torque[k].rate[j];
        }
    }
    return derivative;
}

/// The motion of a dof at the part, along the part's axes: velocity, then spin.
template <class T>
RB_HD std::array<T, 6> along_axes(const WorkspaceView<T>& w, const FluidPart& part, const FluidMotion<T>& motion,
                                  int dof)
{
    // Columns of J in the part's axes, one dof at a time.
    const Vector3<T> linear = transpose_times(motion.axes, point_velocity(w, w.dof[dof], part.body, motion.point));
    const Vector3<T> angular = transpose_times(motion.axes, w.dof[dof].angular);
    return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

/// Calls add(i, j, derivative of joint force i by joint velocity j) for all dofs that move the part.
template <class T, class Add>
RB_HD void visit_derivative(const WorkspaceView<T>& w, const FluidPart& part, bool symmetrised, bool drag_alone,
                            Add add)
{
    const ModelView& model = w.tree->arrays;
    // Jᵀ (df/dv) J with the 6 x 6 block in the part's own axes.
    const FluidMotion<T> motion = find_motion(w, part);
    LocalDerivative<T> derivative =
        find_part_derivative(part, w.tree->arrays.medium, motion.velocity, motion.spin, drag_alone);
    for (int i = 0; symmetrised && i < 6; ++i)
    {
        // Half the sum with the transpose: what a symmetric factor can take.
        for (int j = 0; j < i; ++j)
            derivative[i][j] = derivative[j][i] = T(0.5) * (derivative[i][j] + derivative[j][i]);
    }
    // (df/dv) u_j of one column, then its product with every row u_iᵀ.
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

/// A free body that carries no joints.
RB_HD inline bool is_lone(const TreeView& tree, int body)
{
    for (const int lone : tree.lone_bodies)
    {
        // Lone bodies are few, and sorted.
        if (lone == body) return true;
    }
    return false;
}

/// Adds scale times the symmetrised derivative of the medium's forces on one part by v to `matrix` (in M's pattern).
template <class T>
RB_HD void add_part_derivative(const WorkspaceView<T>& w, const FluidPart& part, bool drag_alone, double scale,
                               std::span<T> matrix)
{
    const DofsView& dofs = w.tree->arrays.dofs;
    visit_derivative(w, part, true, drag_alone,
                     [&](int i, int j, const T& value)
                     {
                         // Lower triangle: the symmetric half is implied.
                         if (j > i) return;
                         int entry = dofs.row_begin[i];
                         while (dofs.row_column[entry] < j) ++entry;
                         matrix[entry] += T(scale) * value;
                     });
}

/// The same of all parts; lone free bodies (Tree::lone_bodies) are left out.
template <class T>
RB_HD void add_fluid_derivative(const WorkspaceView<T>& w, double scale, std::span<T> matrix)
{
    const TreeView& tree = *w.tree;
    // Lone free bodies have blocks of their own, which need not be symmetric (free_body.h).
    for (const FluidPart& part : tree.fluid_parts)
    {
        if (!is_lone(tree, tree.arrays.bodies.root[part.body])) add_part_derivative(w, part, false, scale, matrix);
    }
}

/// The same of drag and viscous resistance alone, which take energy whatever the motion; lone free bodies included.
template <class T>
RB_HD void add_drag_derivative(const WorkspaceView<T>& w, double scale, std::span<T> matrix)
{
    for (const FluidPart& part : w.tree->fluid_parts) add_part_derivative(w, part, true, scale, matrix);
}

/// Adds scale times the derivative of the medium's forces on one lone free body to a 6 x 6 block, row-major.
template <class T>
RB_HD void add_fluid_block(const WorkspaceView<T>& w, int body, double scale, std::span<T, 36> block)
{
    const int first = w.tree->arrays.bodies.v_begin[body];
    for (const FluidPart& part : w.tree->fluid_parts)
    {
        if (w.tree->arrays.bodies.root[part.body] != body) continue;
        visit_derivative(w, part, false, false,
                         [&](int i, int j, const T& value) { block[6 * (i - first) + j - first] += T(scale) * value; });
    }
}

#if !defined(__CUDACC__)  // compiled once, in fluid_derivative.cpp
extern template void add_fluid_derivative(const WorkspaceView<double>&, double, std::span<double>);
extern template void add_fluid_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);
extern template void add_drag_derivative(const WorkspaceView<double>&, double, std::span<double>);
extern template void add_drag_derivative(const WorkspaceView<Pack4>&, double, std::span<Pack4>);
extern template void add_fluid_block(const WorkspaceView<double>&, int, double, std::span<double, 36>);
extern template void add_fluid_block(const WorkspaceView<Pack4>&, int, double, std::span<Pack4, 36>);
#endif

}  // namespace rattleback
