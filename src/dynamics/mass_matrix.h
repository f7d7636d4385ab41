// The joint-space mass matrix M, its factor LᵀDL without fill-in, and products with both.
#pragma once

#include "dynamics/workspace.h"

namespace rattleback
{

/// dof, inertia -> composite, mass_matrix (armature of joints and tendons included; tendon Jacobians must be ready).
template <class T>
void compute_mass_matrix(Workspace<T>& w);

/// w.factor = LᵀDL of a symmetric positive definite matrix whose lower triangle is stored in M's pattern;
/// w.inverse_pivot = 1 / D.
template <class T>
void factor_matrix(Workspace<T>& w, std::span<const T> matrix);

/// Factors M itself.
template <class T>
void factor_mass_matrix(Workspace<T>& w)
{
    factor_matrix<T>(w, w.mass_matrix);
}

/// x <- (LᵀDL)^-1 x.
template <class T>
void solve_in_place(const Workspace<T>& w, std::span<T> x);

/// y = A x for a symmetric A whose lower triangle is stored in M's pattern.
template <class T>
void multiply_symmetric(const Model& model, std::span<const T> matrix, std::span<const T> x, std::span<T> y);

/// Adds scale * rowᵀ row to `matrix` (in M's pattern); entries outside the pattern are left out.
template <class T>
void add_outer_product(const Model& model, std::span<const int> dofs, std::span<const T> row, const T& scale,
                       std::span<T> matrix);

}  // namespace rattleback
