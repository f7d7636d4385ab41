// Composite rigid bodies (Featherstone 2008, ch. 6.2); the factorisation is that of tree_factor.h.
#include "dynamics/mass_matrix.h"

#include "dynamics/tree_factor.h"

namespace rattleback
{

namespace
{

TreePattern pattern_of(const Tree& tree)
{
    return {tree.model->dofs.row_begin, tree.model->dofs.row_column, tree.factor_begin};
}

}  // namespace

template <class T>
void compute_mass_matrix(Workspace<T>& w)
{
    const Tree& tree = *w.tree;
    const Model& model = *tree.model;
    const int* row_begin = model.dofs.row_begin.data();
    const int* column = model.dofs.row_column.data();
    const Motion<T>* dof = w.dof.data();
    T* out = w.mass_matrix.data();

    for (const TreeBody& body : tree.bodies) w.composite[body.body] = w.inertia[body.body];
    for (auto body = tree.bodies.rbegin(); body != tree.bodies.rend(); ++body)
    {
        const SpatialInertia<T>& composite = w.composite[body->body];
        if (!body->on_base) w.composite[body->parent] += composite;
        for (int i = body->v_begin; i < body->v_end; ++i)
        {
            const Force<T> force = composite * dof[i];
            for (int k = row_begin[i]; k < row_begin[i + 1]; ++k) out[k] = dot(dof[column[k]], force);
            out[row_begin[i + 1] - 1] += T(model.dofs.armature[i]);
        }
    }
    for (int t = 0; t < model.tendon_count(); ++t)
    {
        if (model.tendons.armature[t] == 0) continue;
        const auto begin = static_cast<std::size_t>(tree.tendon.begin[t]);
        const auto count = static_cast<std::size_t>(tree.tendon.begin[t + 1]) - begin;
        add_outer_product<T>(model, std::span(tree.tendon.dof).subspan(begin, count),
                             std::span<const T>(w.tendon_jacobian).subspan(begin, count), T(model.tendons.armature[t]),
                             w.mass_matrix);
    }
}

template <class T>
void factor_matrix(Workspace<T>& w, std::span<const T> matrix)
{
    factor_tree<T>(pattern_of(*w.tree), matrix, w.factor, w.inverse_pivot);
}

template <class T>
void solve_in_place(const Workspace<T>& w, std::span<T> x)
{
    solve_tree<T>(pattern_of(*w.tree), w.factor, w.inverse_pivot, x.data());
}

template <class T>
void multiply_symmetric(const Model& model, std::span<const T> matrix, std::span<const T> x, std::span<T> y)
{
    multiply_tree<T>({model.dofs.row_begin, model.dofs.row_column, {}}, matrix, x.data(), y.data());
}

template <class T>
void add_outer_product(const Model& model, std::span<const int> dofs, std::span<const T> row, const T& scale,
                       std::span<T> matrix)
{
    for (std::size_t a = 0; a < dofs.size(); ++a)
    {
        const int i = dofs[a];
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

template void compute_mass_matrix(Workspace<double>&);
template void factor_matrix(Workspace<double>&, std::span<const double>);
template void solve_in_place(const Workspace<double>&, std::span<double>);
template void multiply_symmetric(const Model&, std::span<const double>, std::span<const double>, std::span<double>);
template void add_outer_product(const Model&, std::span<const int>, std::span<const double>, const double&,
                                std::span<double>);
template void compute_mass_matrix(Workspace<Pack4>&);
template void compute_mass_matrix(Workspace<DualPack>&);
template void multiply_symmetric(const Model&, std::span<const DualPack>, std::span<const DualPack>,
                                 std::span<DualPack>);
template void factor_matrix(Workspace<Pack4>&, std::span<const Pack4>);
template void solve_in_place(const Workspace<Pack4>&, std::span<Pack4>);
template void multiply_symmetric(const Model&, std::span<const Pack4>, std::span<const Pack4>, std::span<Pack4>);
template void add_outer_product(const Model&, std::span<const int>, std::span<const Pack4>, const Pack4&,
                                std::span<Pack4>);

}  // namespace rattleback
