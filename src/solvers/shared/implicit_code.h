// The integrator `implicit`, for any scalar: derivatives of Coriolis forces, and a system that is not symmetric.
#pragma once

#include "dynamics/bias.h"
#include "solvers/shared/integrators.h"

#include <algorithm>
#include <numeric>

namespace rattleback
{

/// Trees of dofs, one after the other: neither M nor c of one depends on velocities of another.
template <class T>
void Stepper<T>::lay_out_trees(const Dofs& dofs)
{
    const std::size_t count = dofs.parent.size();
    // The first dof of each tree; parents come before their children.
    std::vector<int> first(count);
    // Parents have smaller numbers: their tree is known.
    for (std::size_t d = 0; d < count; ++d)
        first[d] = dofs.parent[d] < 0 ? static_cast<int>(d) : first[static_cast<std::size_t>(dofs.parent[d])];
    tree_dof_.resize(count);
    place_in_tree_.resize(count);
    std::iota(tree_dof_.begin(), tree_dof_.end(), 0);
    const auto first_of = [&](int d) { return first[static_cast<std::size_t>(d)]; };
    // Dofs of one tree side by side, in their order.
    std::stable_sort(tree_dof_.begin(), tree_dof_.end(), [&](int a, int b) { return first_of(a) < first_of(b); });
    std::size_t size = 0;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end)
    {
        for (; end < count && first_of(tree_dof_[end]) == first_of(tree_dof_[begin]); ++end)
            // A dof's place within the dense matrix of its tree.
            place_in_tree_[static_cast<std::size_t>(tree_dof_[end])] = end - begin;
        dense_trees_.push_back({begin, end - begin, size});
        largest_tree_ = std::max(largest_tree_, end - begin);
        size += (end - begin) * (end - begin);
    }
    // One array for all matrices: allocated once, for all steps.
    dense_.resize(size);
    column_.resize(count);
}

/// dense = system + h dc/dv. c is of second degree in v, so that (c(v + e) - c(v - e)) / 2 is its derivative along e,
/// exactly but for rounding.
template <class T>
void Stepper<T>::add_bias_derivative(double dt, Workspace<T>& w)
{
    const DofsView& dofs = w.tree->arrays.dofs;
    // Rows of M have the ancestors alone; the other half is their mirror image.
    std::fill(dense_.begin(), dense_.end(), T(0.0));
    for (const DenseTree& tree : dense_trees_)
    {
        T* dense = &dense_[tree.matrix];
        for (std::size_t i = 0; i < tree.count; ++i)
        {
            const auto d = static_cast<std::size_t>(tree_dof_[tree.begin + i]);
            for (int k = dofs.row_begin[d]; k < dofs.row_begin[d + 1]; ++k)
            {
                const std::size_t j = place_in_tree_[static_cast<std::size_t>(dofs.row_column[k])];
                // The pattern of M is filled up: Coriolis terms couple dofs that M does not.
                dense[i * tree.count + j] = dense[j * tree.count + i] = system_[static_cast<std::size_t>(k)];
            }
        }
    }
    // Gravity does not depend on v, and would only cost digits.
    const Vector3<T> gravity = w.gravity[0];
    w.gravity[0] = {};
    const auto find_bias = [&](std::size_t j, double change)
    {
        // One evaluation per dof of the largest tree, not per dof of the model.
        // the j-th dof of every tree at once, for trees do not feel each other
        for (const DenseTree& tree : dense_trees_)
        {
            if (j >= tree.count) continue;
            const auto d = static_cast<std::size_t>(tree_dof_[tree.begin + j]);
            w.v[d] = start_v_[d] + T(change);
        }
        compute_velocities(w);
        compute_bias(w);
    };
    std::copy(w.v.begin(), w.v.end(), start_v_.begin());
    for (std::size_t j = 0; j < largest_tree_; ++j)
    {
        find_bias(j, 1);
        std::copy(w.bias.begin(), w.bias.end(), column_.begin());
        find_bias(j, -1);
        for (const DenseTree& tree : dense_trees_)
        {
            if (j >= tree.count) continue;
            T* dense = &dense_[tree.matrix];
            for (std::size_t i = 0; i < tree.count; ++i)
            {
                const auto d = static_cast<std::size_t>(tree_dof_[tree.begin + i]);
                // Central difference over 2 e, with e = 1: exact for polynomials of second degree.
                dense[i * tree.count + j] += T(0.5 * dt) * (column_[d] - w.bias[d]);
            }
        }
        std::copy(start_v_.begin(), start_v_.end(), w.v.begin());
    }
    // Velocities and bias of the step itself, for those who look at them afterwards.
    w.gravity[0] = gravity;
    compute_velocities(w);
    compute_bias(w);
}

/// qacc = dense^-1 total, tree by tree, by elimination without pivots: M dominates.
template <class T>
void Stepper<T>::solve_dense(Workspace<T>& w)
{
    for (const DenseTree& tree : dense_trees_)
    {
        T* dense = &dense_[tree.matrix];
        const std::size_t count = tree.count;
        const std::span<T> x = std::span<T>(column_).subspan(tree.begin, count);
        // Right-hand side in the order of the tree.
        for (std::size_t i = 0; i < count; ++i) x[i] = w.total[static_cast<std::size_t>(tree_dof_[tree.begin + i])];
        for (std::size_t k = 0; k < count; ++k)
        {
            // LU in place; no row exchanges, so that all lanes of a pack do the same.
            const T inverse = T(1.0) / dense[k * count + k];
            for (std::size_t i = k + 1; i < count; ++i)
            {
                const T factor = dense[i * count + k] * inverse;
                for (std::size_t j = k + 1; j < count; ++j) dense[i * count + j] -= factor * dense[k * count + j];
                x[i] -= factor * x[k];
            }
        }
        // Back substitution.
        for (std::size_t k = count; k-- > 0;)
        {
            T sum = x[k];
            for (std::size_t j = k + 1; j < count; ++j) sum -= dense[k * count + j] * x[j];
            x[k] = sum / dense[k * count + k];
        }
        for (std::size_t i = 0; i < count; ++i) w.qacc[static_cast<std::size_t>(tree_dof_[tree.begin + i])] = x[i];
    }
}

}  // namespace rattleback
