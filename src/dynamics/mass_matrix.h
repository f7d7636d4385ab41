// The joint-space mass matrix M by composite rigid bodies (Featherstone 2008, ch. 6.2), its factor LᵀDL without fill-in
// (tree_factor.h), and products with both.
#pragma once

#include "base/flatten.h"
#include "dynamics/tree_factor.h"
#include "dynamics/workspace.h"

namespace rattleback
{

RB_HD inline TreePattern pattern_of(const TreeView& tree)
{
    // The pattern is the Model's: it never changes.
    return {tree.arrays.dofs.row_begin, tree.arrays.dofs.row_column, tree.factor_begin};
}

/// Adds scale * rowᵀ row to `matrix` (in M's pattern); entries outside the pattern are left out.
template <class T>
RB_HD void add_outer_product(const ModelView& model, std::span<const int> dofs, std::span<const T> row, const T& scale,
                             std::span<T> matrix)
{
    // Rows of the product by rows of the matrix: lower triangle only.
    for (std::size_t a = 0; a < dofs.size(); ++a)
    {
        const int i = dofs[a];
        // One row of the outer product at a time.
        const T scaled = scale * row[a];
        // both lists of columns increase: walk them together
        std::size_t b = 0;
        for (int k = model.dofs.row_begin[i]; k < model.dofs.row_begin[i + 1]; ++k)
        {
            while (b <= a && dofs[b] < model.dofs.row_column[k]) ++b;
            if (b > a) break;
            if (dofs[b] == model.dofs.row_column[k]) matrix[k] += scaled * row[b];
        }
    }
}

/// Adds the armature of tendons, J_tᵀ armature J_t.
template <class T>
RB_HD void add_tendon_armature(WorkspaceView<T>& w)
{
    const TreeView& tree = *w.tree;
    const ModelView& model = tree.arrays;
    // A tendon may couple joints of several branches; what falls outside the pattern of M is left out there.
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.armature[t] == 0) continue;
        // The tendon's columns, sorted, as the pattern was made.
        const auto begin = static_cast<std::size_t>(tree.tendon.begin[t]);
        const auto count = static_cast<std::size_t>(tree.tendon.begin[t + 1]) - begin;
        add_outer_product<T>(model, tree.tendon.dof.subspan(begin, count), w.tendon_jacobian.subspan(begin, count),
                             T(model.tendons.armature[t]), w.mass_matrix);
    }
}

/// dof, inertia -> composite, mass_matrix (armature of joints and tendons included; tendon Jacobians must be ready).
template <class T>
RB_FLATTEN RB_HD void compute_mass_matrix(WorkspaceView<T>& w)
{
    const TreeView& tree = *w.tree;
    const DofsView& dofs = tree.arrays.dofs;
    const int* row_begin = dofs.row_begin.data();
    const int* column = dofs.row_column.data();
    const Motion<T>* dof = w.dof.data();
    T* out = w.mass_matrix.data();

    // Composite inertias start as those of the bodies alone.
    for (const TreeBody& body : tree.bodies) w.composite[body.body] = w.inertia[body.body];
    // Leaves to root: I_i^c = I_i + the children's I^c, all about one point, so that they simply add.
    for (std::size_t k = tree.bodies.size(); k-- > 0;)
    {
        const TreeBody& body = tree.bodies[k];
        const SpatialInertia<T>& composite = w.composite[body.body];
        if (!body.on_base) w.composite[body.parent] += composite;
        // M_ij = S_jᵀ I_i^c S_i for i itself and its ancestors j; no other column of the row is nonzero.
        for (int i = body.v_begin; i < body.v_end; ++i)
        {
            // The force that a unit acceleration of dof i needs on everything it carries.
            const Force<T> force = composite * dof[i];
            for (int e = row_begin[i]; e < row_begin[i + 1]; ++e) out[e] = dot(dof[column[e]], force);
            // Armature: a rotor behind a gear adds to the diagonal alone.
            out[row_begin[i + 1] - 1] += T(dofs.armature[i]);
        }
    }
    add_tendon_armature(w);
}

/// w.factor = LᵀDL of a symmetric positive definite matrix whose lower triangle is stored in M's pattern;
/// w.inverse_pivot = 1 / D.
template <class T>
RB_HD void factor_matrix(WorkspaceView<T>& w, std::span<const T> matrix)
{
    // Elimination from the leaves: no entry outside of the pattern.
    factor_tree<T>(pattern_of(*w.tree), matrix, w.factor, w.inverse_pivot);
}

/// Factors M itself.
template <class T>
RB_HD void factor_mass_matrix(WorkspaceView<T>& w)
{
    factor_matrix<T>(w, w.mass_matrix);
}

/// x <- (LᵀDL)^-1 x.
template <class T>
RB_HD void solve_in_place(const WorkspaceView<T>& w, std::span<T> x)
{
    solve_tree<T>(pattern_of(*w.tree), w.factor, w.inverse_pivot, x.data());
}

/// y = A x for a symmetric A whose lower triangle is stored in M's pattern.
template <class T>
RB_HD void multiply_symmetric(const ModelView& model, std::span<const T> matrix, std::span<const T> x, std::span<T> y)
{
    multiply_tree<T>({model.dofs.row_begin, model.dofs.row_column, {}}, matrix, x.data(), y.data());
}

#if !defined(__CUDACC__)  // compiled once, in mass_matrix.cpp
extern template void compute_mass_matrix(WorkspaceView<double>&);
extern template void compute_mass_matrix(WorkspaceView<Pack4>&);
extern template void compute_mass_matrix(WorkspaceView<DualPack>&);
extern template void factor_matrix(WorkspaceView<double>&, std::span<const double>);
extern template void factor_matrix(WorkspaceView<Pack4>&, std::span<const Pack4>);
extern template void solve_in_place(const WorkspaceView<double>&, std::span<double>);
extern template void solve_in_place(const WorkspaceView<Pack4>&, std::span<Pack4>);
extern template void multiply_symmetric(const ModelView&, std::span<const double>, std::span<const double>,
                                        std::span<double>);
extern template void multiply_symmetric(const ModelView&, std::span<const Pack4>, std::span<const Pack4>,
                                        std::span<Pack4>);
extern template void multiply_symmetric(const ModelView&, std::span<const DualPack>, std::span<const DualPack>,
                                        std::span<DualPack>);
extern template void add_outer_product(const ModelView&, std::span<const int>, std::span<const double>, const double&,
                                       std::span<double>);
extern template void add_outer_product(const ModelView&, std::span<const int>, std::span<const Pack4>, const Pack4&,
                                       std::span<Pack4>);
#endif

}  // namespace rattleback
