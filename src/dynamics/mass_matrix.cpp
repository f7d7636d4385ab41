// Composite rigid bodies (Featherstone 2008, ch. 6.2) and the factorisation in the tree's own pattern (ch. 6.5).
#include "dynamics/mass_matrix.h"

namespace rattleback
{

namespace
{

// Rows of the factor are padded to whole packs, so that four entries at a time may run over a row's end.

/// target[0..count) -= scale * row[0..count).
void subtract_scaled(double* target, const double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4)
    {
        store_pack(load_pack(target + m) - s * load_pack(row + m), target + m);
    }
}
void subtract_scaled(Pack4* target, const Pack4* row, const Pack4& scale, int count)
{
    for (int m = 0; m < count; ++m) target[m] -= scale * row[m];
}

/// row[0..count) *= scale.
void scale_row(double* row, double scale, int count)
{
    const Pack4 s(scale);
    for (int m = 0; m < count; m += 4) store_pack(load_pack(row + m) * s, row + m);
}
void scale_row(Pack4* row, const Pack4& scale, int count)
{
    for (int m = 0; m < count; ++m) row[m] = row[m] * scale;
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
    const Model& model = *w.tree->model;
    const int* row_begin = model.dofs.row_begin.data();
    const int* column = model.dofs.row_column.data();
    const int* factor_begin = w.tree->factor_begin.data();
    T* rows = w.factor.data();
    const int count = model.v_count();
    for (int i = 0; i < count; ++i)
    {
        const T* from = matrix.data() + row_begin[i];
        T* to = rows + factor_begin[i];
        for (int k = 0; k < row_begin[i + 1] - row_begin[i]; ++k) to[k] = from[k];
    }
    // From the last row up: eliminate dof i from the rows of its ancestors, which hold a prefix of row i's columns. The
    // row is scaled only afterwards: a vector load right after a scalar store to the same place would stall.
    for (int i = count - 1; i >= 0; --i)
    {
        T* row = rows + factor_begin[i];
        const int ancestors = row_begin[i + 1] - row_begin[i] - 1;
        const T inverse = T(1.0) / row[ancestors];
        w.inverse_pivot[i] = inverse;
        const int* ancestor = column + row_begin[i];
        for (int k = ancestors - 1; k >= 0; --k)
        {
            subtract_scaled(rows + factor_begin[ancestor[k]], row, row[k] * inverse, k + 1);
        }
        scale_row(row, inverse, ancestors);
    }
}

template <class T>
void solve_in_place(const Workspace<T>& w, std::span<T> x)
{
    const Model& model = *w.tree->model;
    const int* row_begin = model.dofs.row_begin.data();
    const int* column = model.dofs.row_column.data();
    const int* factor_begin = w.tree->factor_begin.data();
    const int count = model.v_count();

    for (int i = count - 1; i >= 0; --i)
    {
        const T value = x[i];
        const T* row = w.factor.data() + factor_begin[i];
        const int* ancestor = column + row_begin[i];
        const int ancestors = row_begin[i + 1] - row_begin[i] - 1;
        for (int k = 0; k < ancestors; ++k) x[ancestor[k]] -= row[k] * value;
    }
    for (int i = 0; i < count; ++i)
    {
        T value = x[i] * w.inverse_pivot[i];
        const T* row = w.factor.data() + factor_begin[i];
        const int* ancestor = column + row_begin[i];
        const int ancestors = row_begin[i + 1] - row_begin[i] - 1;
        for (int k = 0; k < ancestors; ++k) value -= row[k] * x[ancestor[k]];
        x[i] = value;
    }
}

template <class T>
void multiply_symmetric(const Model& model, std::span<const T> matrix, std::span<const T> x, std::span<T> y)
{
    const int* row_begin = model.dofs.row_begin.data();
    const int* column = model.dofs.row_column.data();
    for (int i = 0; i < model.v_count(); ++i)
    {
        const int diagonal = row_begin[i + 1] - 1;
        T sum = matrix[diagonal] * x[i];
        for (int k = row_begin[i]; k < diagonal; ++k)
        {
            sum += matrix[k] * x[column[k]];
            y[column[k]] += matrix[k] * x[i];
        }
        y[i] = sum;
    }
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
