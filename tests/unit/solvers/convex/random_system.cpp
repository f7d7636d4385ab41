// Random forests and rows.
#include "unit/solvers/convex/random_system.h"

#include <algorithm>
#include <set>

namespace rattleback::convex
{

RandomSystem::RandomSystem(const RandomOptions& options) : random_(options.seed)
{
    for (int t = 0; t < options.trees; ++t) add_tree(t, options.bodies);
    fill_inertia();
    rows.clear();
    if (options.other_rows)
    {
        for (int i = 0; i < 2; ++i) add_rows(RowKind::equality, i, 3, random_columns(), options.softness);
        for (int i = 0; i < 4; ++i) add_rows(RowKind::dry_friction, i, 1, {pick(dof_count())}, options.softness);
        for (int i = 0; i < 4; ++i) add_rows(RowKind::limit, i, 1, {pick(dof_count())}, options.softness);
    }
    for (int i = 0; i < options.contacts; ++i) add_contact(options.elliptic, options.softness);
}

WorldProblem RandomSystem::view() const { return {mass_begin, mass_column, mass, smooth, force, tree, group, &rows}; }

void RandomSystem::add_tree(int index, int bodies)
{
    std::vector<int> last_dof;
    for (int b = 0; b < bodies; ++b)
    {
        const int own = b == 0 ? 6 : 1 + pick(3);
        int above = b == 0 ? -1 : last_dof[static_cast<std::size_t>(pick(b))];
        for (int k = 0; k < own; ++k)
        {
            parent_.push_back(above);
            above = dof_count();
            tree.push_back(index);
            group.push_back(index * bodies + b);
        }
        last_dof.push_back(above);
    }
}

std::vector<int> RandomSystem::chain(int dof) const
{
    std::vector<int> dofs;
    for (int d = dof; d >= 0; d = parent_[static_cast<std::size_t>(d)]) dofs.push_back(d);
    std::reverse(dofs.begin(), dofs.end());
    return dofs;
}

/// M = LᵀDL with a random L in the tree's pattern, which M then has too.
void RandomSystem::fill_inertia()
{
    const int n = dof_count();
    std::vector<double> dense(static_cast<std::size_t>(n * n), 0);
    for (int k = 0; k < n; ++k)
    {
        const std::vector<int> row = chain(k);
        std::vector<double> l;
        for (const int c : row) l.push_back(c == k ? 1 : uniform(-0.7, 0.7));
        const double d = uniform(0.2, 3);
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            for (std::size_t j = 0; j < row.size(); ++j)
                dense[static_cast<std::size_t>(row[i] * n + row[j])] += l[i] * d * l[j];
        }
    }
    for (int i = 0; i < n; ++i)
    {
        for (const int c : chain(i))
        {
            mass_column.push_back(c);
            mass.push_back(dense[static_cast<std::size_t>(i * n + c)]);
        }
        mass_begin.push_back(static_cast<int>(mass.size()));
        smooth.push_back(uniform(-10, 10));
    }
    for (int i = 0; i < n; ++i)
    {
        double sum = 0;
        for (int j = 0; j < n; ++j)
            sum += dense[static_cast<std::size_t>(i * n + j)] * smooth[static_cast<std::size_t>(j)];
        force.push_back(sum);
    }
}

/// Dofs that move a random body, or either of two.
std::vector<int> RandomSystem::random_columns()
{
    std::vector<int> columns = chain(pick(dof_count()));
    if (pick(2) == 0) return columns;
    const std::vector<int> others = chain(pick(dof_count()));
    std::set<int> all(columns.begin(), columns.end());
    all.insert(others.begin(), others.end());
    return {all.begin(), all.end()};
}

void RandomSystem::add_rows(RowKind kind, int element, int count, const std::vector<int>& columns, double softness)
{
    for (int r = 0; r < count; ++r)
    {
        rows.kind.push_back(kind);
        rows.element.push_back(element);
        for (const int c : columns)
        {
            rows.column.push_back(c);
            rows.value.push_back(uniform(-1, 1));
        }
        rows.begin.push_back(static_cast<int>(rows.column.size()));
        for (auto* list : {&rows.position, &rows.margin, &rows.velocity, &rows.diagonal}) list->push_back(0);
        rows.reference.push_back(uniform(-10, 10));
        rows.regulariser.push_back(softness * uniform(0.2, 2));
        rows.stiffness.push_back(1 / rows.regulariser.back());
        rows.loss.push_back(kind == RowKind::dry_friction ? uniform(0.5, 5) : 0);
    }
}

void RandomSystem::add_contact(bool elliptic, double softness)
{
    constexpr int kDimensions[] = {1, 3, 4, 6};
    RowCone cone{.contact = static_cast<int>(rows.cones.size()), .row = rows.count()};
    cone.dimension = kDimensions[pick(4)];
    for (double& f : cone.friction) f = uniform(0.1, 1.2);
    cone.friction[1] = cone.friction[0];
    const std::vector<int> columns = random_columns();
    const bool is_cone = elliptic && cone.dimension > 1;
    cone.row_count = is_cone || cone.dimension == 1 ? cone.dimension : 2 * (cone.dimension - 1);
    add_rows(is_cone ? RowKind::cone : RowKind::contact, cone.contact, cone.row_count, columns, softness);
    if (is_cone)  // regularisers that make the cone's three zones meet
    {
        const double impratio = uniform(0.5, 20), normal = rows.regulariser[static_cast<std::size_t>(cone.row)];
        cone.mu = cone.friction[0] / std::sqrt(impratio);
        for (int j = 1; j < cone.dimension; ++j)
        {
            const double ratio = cone.friction[0] / cone.friction[static_cast<std::size_t>(j - 1)];
            const auto row = static_cast<std::size_t>(cone.row + j);
            rows.regulariser[row] = normal / impratio * ratio * ratio;
            rows.stiffness[row] = 1 / rows.regulariser[row];
        }
    }
    rows.cones.push_back(cone);
}

}  // namespace rattleback::convex
