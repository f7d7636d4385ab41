// The sparse factor, products, force derivatives and constants of a model against dense or differenced ones.
#include "dynamics/constants.h"
#include "dynamics/jacobian.h"
#include "support/reference_dynamics.h"
#include "unit/dynamics/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

double relative(double difference, double scale) { return std::abs(difference) / (1 + std::abs(scale)); }

TEST(Matrices, the_sparse_factor_solves_what_the_dense_one_solves)
{
    for (std::uint64_t seed = 0; seed < 100; ++seed)
    {
        RandomCase c(seed);
        const Tree tree(c.model);
        Workspace<double> w(tree);
        evaluate(w, c.state, c.control, 0.002);
        const std::vector<double> dense = solve_dense(to_dense(c.model, w.mass_matrix), w.total);
        ASSERT_EQ(dense.size(), w.qacc.size());
        double scale = 0;
        for (const double x : dense) scale = std::max(scale, std::abs(x));
        for (std::size_t d = 0; d < dense.size(); ++d) EXPECT_NEAR(w.qacc[d], dense[d], 1e-9 * scale) << seed;
    }
}

TEST(Matrices, the_symmetric_product_is_the_dense_one)
{
    RandomCase c(5);
    const Tree tree(c.model);
    Workspace<double> w(tree);
    evaluate(w, c.state, c.control, 0.002);
    const std::vector<double> dense = to_dense(c.model, w.mass_matrix);
    const auto n = static_cast<std::size_t>(c.model.v_count());
    std::vector<double> product(n);
    multiply_symmetric<double>(c.model, w.mass_matrix, c.state.v, product);
    for (std::size_t i = 0; i < n; ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += dense[i * n + j] * c.state.v[j];
        EXPECT_NEAR(product[i], sum, 1e-12 * (1 + std::abs(sum)));
    }
}

TEST(Matrices, the_force_derivative_is_the_difference_quotient_of_passive_and_actuator_forces)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed)
    {
        RandomModelOptions options;
        options.clamps = false;           // a saturated force has a kink
        options.tendon_armature = false;  // its velocity products are not part of the derivative
        RandomCase c(seed, options);
        const Tree tree(c.model);
        Workspace<double> w(tree);
        evaluate(w, c.state, c.control, 0.002);
        std::vector<double> derivative(c.model.dofs.row_column.size());
        add_force_derivative<double>(w, 1.0, derivative);
        for (int d = 0; d < c.model.v_count(); ++d)
        {
            const double step = 1e-4, keep = c.state.v[d];
            std::vector<double> ahead, behind;
            for (const double sign : {1.0, -1.0})
            {
                c.state.v[d] = keep + sign * step;
                evaluate(w, c.state, c.control, 0.002);
                std::vector<double>& out = sign > 0 ? ahead : behind;
                for (std::size_t i = 0; i < w.passive.size(); ++i) out.push_back(w.passive[i] + w.actuation[i]);
            }
            c.state.v[d] = keep;
            for (int k = c.model.dofs.row_begin[d]; k < c.model.dofs.row_begin[d + 1]; ++k)
            {
                const int column = c.model.dofs.row_column[k];
                const double difference = (ahead[column] - behind[column]) / (2 * step);
                EXPECT_LT(relative(derivative[k] - difference, difference), 1e-6) << "model " << seed << ", dof " << d;
            }
        }
    }
}

TEST(Matrices, inverse_weights_are_those_of_the_dense_inverse)
{
    for (std::uint64_t seed = 0; seed < 40; ++seed)
    {
        RandomModelOptions options;
        options.tendon_armature = false;
        RandomCase c(seed, options);
        const auto n = static_cast<std::size_t>(c.model.v_count());
        const ReferenceResult reference =
            compute_reference(c.model, c.model.q0, std::vector<double>(n), std::vector<double>(c.state.act.size()));
        const auto weight = [&](std::span<const double> row)
        {
            const std::vector<double> x = solve_dense(reference.mass_matrix, row);
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += row[i] * x[i];
            return sum;
        };
        for (int b = 1; b < c.model.body_count(); ++b)
        {
            if (c.model.bodies.last_dof[b] < 0) continue;
            for (int part = 0; part < 2; ++part)
            {
                double mean = 0;
                for (int k = 0; k < 3; ++k)
                {
                    const std::size_t row =
                        (static_cast<std::size_t>(b) * 6 + static_cast<std::size_t>(3 * part + k)) * n;
                    mean += weight(std::span(reference.jacobian).subspan(row, n)) / 3;
                }
                EXPECT_NEAR(c.model.bodies.inverse_weight[b][part], mean, 1e-9 * (1 + mean)) << seed << " body " << b;
            }
        }
        for (int t = 0; t < c.model.tendon_count(); ++t)
        {
            const double expected =
                weight(std::span(reference.tendon_jacobian).subspan(static_cast<std::size_t>(t) * n, n));
            EXPECT_NEAR(c.model.tendons.inverse_weight[t], expected, 1e-9 * (1 + expected));
            EXPECT_NEAR(c.model.tendons.length[t], reference.tendon_length[t], 1e-12);
        }
        const std::vector<double> inertias = compute_actuator_inertias(c.model);
        for (int a = 0; a < c.model.actuator_count(); ++a)
        {
            const double inverse =
                weight(std::span(reference.actuator_moment).subspan(static_cast<std::size_t>(a) * n, n));
            EXPECT_NEAR(inertias[a] * inverse, inverse > 0 ? 1 : 0, 1e-9) << seed << " actuator " << a;
        }
        for (int d = 0; d < c.model.v_count(); ++d)
        {
            EXPECT_NEAR(c.model.dofs.inertia[d], reference.mass_matrix[static_cast<std::size_t>(d) * (n + 1)], 1e-9);
        }
    }
}

}  // namespace
}  // namespace rattleback
