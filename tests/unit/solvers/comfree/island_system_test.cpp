// The sparse factor of M + JᵀWJ by islands, against a dense Cholesky factor of the same matrix.
#include "solvers/comfree/island_system.h"
#include "solvers/comfree/sweep_solver.h"

#include "solvers/shared/tree_of_dof.h"
#include "unit/solvers/row_scene.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rattleback::comfree
{
namespace
{

/// Free bodies, sliders, and arms of two links: trees of one to six dofs.
Model make_forest(std::mt19937_64& random, int trees)
{
    ModelBuilder builder("forest");
    for (int t = 0; t < trees; ++t)
    {
        const int kind = static_cast<int>(random() % 3);
        const BodyId body = builder.add_body({.position = {1.0 * t, 0, 0}});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.2, 0.3}});
        if (kind == 1) builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, 1}});
        if (kind != 2) continue;
        builder.add_joint(body, {.type = JointType::hinge, .axis = {0, 1, 0}});
        const BodyId link = builder.add_body({.parent = body, .position = {0, 0, 0.5}});
        builder.add_joint(link, {.type = JointType::hinge, .axis = {1, 0, 0}});
        builder.add_shape(link, Sphere{.radius = 0.2});
    }
    return builder.build().value();
}

/// Rows of random numbers over the dofs of one, two or (as of a tendon) three trees; some trees have none.
ConstraintRows make_random_rows(std::mt19937_64& random, const std::vector<int>& tree_of_dof, int count)
{
    std::uniform_real_distribution<double> unit(-1, 1);
    const int trees = tree_of_dof.back() + 1;
    ConstraintRows rows;
    for (int row = 0; row < count; ++row)
    {
        std::vector<int> moved;
        for (int k = 0; k < 1 + row % 3; ++k) moved.push_back(static_cast<int>(random() % std::uint64_t(trees - 1)));
        for (std::size_t d = 0; d < tree_of_dof.size(); ++d)
        {
            if (std::find(moved.begin(), moved.end(), tree_of_dof[d]) == moved.end()) continue;
            rows.column.push_back(static_cast<int>(d));
            rows.value.push_back(unit(random));
        }
        rows.begin.push_back(static_cast<int>(rows.column.size()));
        rows.kind.push_back(RowKind::limit);
    }
    return rows;
}

/// x <- H^-1 x by Cholesky's factor of a dense matrix.
void solve_dense(std::vector<double> h, std::vector<double>& x)
{
    const std::size_t n = x.size();
    for (std::size_t j = 0; j < n; ++j)
    {
        for (std::size_t k = 0; k < j; ++k)
            for (std::size_t i = j; i < n; ++i) h[i * n + j] -= h[i * n + k] * h[j * n + k];
        const double root = std::sqrt(h[j * n + j]);
        for (std::size_t i = j; i < n; ++i) h[i * n + j] /= root;
    }
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t k = 0; k < i; ++k) x[i] -= h[i * n + k] * x[k];
        x[i] /= h[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;)
    {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= h[k * n + i] * x[k];
        x[i] /= h[i * n + i];
    }
}

/// M + sum of weight jᵀj, dense.
std::vector<double> make_dense_system(const RowScene& scene, const ConstraintRows& rows,
                                      const std::vector<double>& weight)
{
    const Dofs& dofs = scene.model.dofs;
    const auto n = at(scene.model.v_count());
    std::vector<double> h(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = dofs.row_begin[i]; k < dofs.row_begin[i + 1]; ++k)
            h[i * n + at(dofs.row_column[at(k)])] = h[at(dofs.row_column[at(k)]) * n + i] = scene.w.mass_matrix[k];
    for (int row = 0; row < rows.count(); ++row)
        for (int a = rows.begin[at(row)]; a < rows.begin[at(row) + 1]; ++a)
            for (int b = rows.begin[at(row)]; b < rows.begin[at(row) + 1]; ++b)
                h[at(rows.column[at(a)]) * n + at(rows.column[at(b)])] +=
                    weight[at(row)] * rows.value[at(a)] * rows.value[at(b)];
    return h;
}

TEST(IslandSystem, solves_as_a_dense_cholesky_factor_does)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int forest = 0; forest < 30; ++forest)
    {
        RowScene scene(make_forest(random, 2 + forest % 12));
        const std::vector<int> tree_of_dof = find_tree_of_dof(scene.model);
        IslandSystem system(scene.model, tree_of_dof);
        const ConstraintRows few = make_random_rows(random, tree_of_dof, forest % 7 + 1);
        const ConstraintRows many = make_random_rows(random, tree_of_dof, 3 * forest + 2);
        // The pattern is kept while the same trees touch: the second system has a new one, the third that of the
        // second.
        for (const ConstraintRows& rows : {few, many, many})
        {
            const int count = rows.count();
            std::vector<double> weight, x;
            for (int row = 0; row < count; ++row) weight.push_back(std::pow(10, 2 * unit(random)));
            for (int d = 0; d < scene.model.v_count(); ++d) x.push_back(unit(random));
            std::vector<double> expected = x;
            solve_dense(make_dense_system(scene, rows, weight), expected);
            system.start(rows);
            system.assemble_mass(scene.w.mass_matrix);
            for (int row = 0; row < count; ++row)
                system.add_outer(rows, row, rows.value.data() + rows.begin[at(row)], weight[at(row)]);
            ASSERT_EQ(system.factor(), -1);
            system.solve(x);
            for (std::size_t d = 0; d < x.size(); ++d)
            {
                // Condition numbers up to some 1e6 times the rounding of a double.
                const bool touched = system.island_of_dof(static_cast<int>(d)) >= 0;
                EXPECT_NEAR(x[d], touched ? expected[d] : 0, 1e-9 * (1 + std::abs(expected[d]))) << "dof " << d;
            }
        }
    }
}

TEST(IslandSystem, names_the_dof_whose_pivot_is_not_positive)
{
    std::mt19937_64 random(2);
    RowScene scene(make_forest(random, 5));
    const std::vector<int> tree_of_dof = find_tree_of_dof(scene.model);
    IslandSystem system(scene.model, tree_of_dof);
    ConstraintRows rows;
    rows.column = {2};
    rows.value = {1};
    rows.begin = {0, 1};
    rows.kind = {RowKind::limit};
    system.start(rows);
    system.assemble_mass(scene.w.mass_matrix);
    system.add_outer(rows, 0, rows.value.data(), -1e6);
    EXPECT_EQ(system.factor(), 2);
}

/// An arm of two links, and so many single bodies of a kind.
bool takes_sweeps(int count, JointType type)
{
    ModelBuilder builder("robot and things");
    BodyId parent = kWorld;
    for (int i = 0; i < 2; ++i)
    {
        parent = builder.add_body({.parent = parent, .position = {0, 0, 0.5}});
        builder.add_joint(parent, {.type = JointType::hinge, .axis = {0, 1, 0}});
        builder.add_shape(parent, Capsule{.radius = 0.05, .half_length = 0.2});
    }
    for (int i = 0; i < count; ++i)
    {
        const BodyId thing = builder.add_body({.position = {1, 0, 0.5 * i}});
        if (type != JointType::free) builder.add_joint(thing, {.type = type, .axis = {0, 0, 1}});
        builder.add_shape(thing, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    Options options;
    options.method = Method::automatic;
    return uses_sweeps(builder.build().value(), options);
}

TEST(SweepChoice, counts_what_may_be_piled_up)
{
    EXPECT_TRUE(takes_sweeps(4, JointType::free));
    EXPECT_FALSE(takes_sweeps(5, JointType::free));
    // Bodies on slides stack as free ones do; what turns about a fixed axis does not.
    EXPECT_TRUE(takes_sweeps(4, JointType::slide));
    EXPECT_FALSE(takes_sweeps(5, JointType::slide));
    EXPECT_TRUE(takes_sweeps(40, JointType::hinge));
}

}  // namespace
}  // namespace rattleback::comfree
