// Newton dense, Newton sparse, CG and PGS find one minimum, and it satisfies the conditions of optimality.
#include "solvers/convex/solve.h"
#include "unit/solvers/convex/random_system.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::convex
{
namespace
{

struct Answer
{
    std::vector<double> a, f;
    SolveReport report;
};

Answer solve(const RandomSystem& random, SolveOptions options, std::span<const double> warm = {})
{
    Answer answer;
    answer.a.resize(static_cast<std::size_t>(random.dof_count()));
    answer.f.resize(static_cast<std::size_t>(random.rows.count()));
    WorldSolver solver;
    std::vector<double> joint_force(answer.a.size());
    answer.report = solver.minimise(random.view(), options, warm, {answer.a, joint_force, answer.f});
    return answer;
}

SolveOptions tight(Method method, int iterations)
{
    SolveOptions options{.method = method};
    options.limits = {.iterations = iterations, .tolerance = 1e-15, .line_iterations = 100, .line_tolerance = 1e-3};
    return options;
}

double largest(const std::vector<double>& list)
{
    double most = 1e-300;
    for (const double x : list) most = std::max(most, std::abs(x));
    return most;
}

double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most / largest(b);
}

/// M (a - a_s) - Jᵀ f, over the largest smooth force.
double imbalance(const RandomSystem& random, const Answer& answer)
{
    const auto n = static_cast<std::size_t>(random.dof_count());
    std::vector<double> balance(n);
    for (std::size_t i = 0; i < n; ++i) balance[i] = -random.force[i];
    for (std::size_t i = 0; i < n; ++i)
    {
        for (int k = random.mass_begin[i]; k < random.mass_begin[i + 1]; ++k)
        {
            const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(random.mass_column[e]);
            balance[i] += random.mass[e] * answer.a[j];
            if (j != i) balance[j] += random.mass[e] * answer.a[i];
        }
    }
    const ConstraintRows& rows = random.rows;
    for (std::size_t r = 0; r < answer.f.size(); ++r)
    {
        for (int k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
        {
            const auto e = static_cast<std::size_t>(k);
            balance[static_cast<std::size_t>(rows.column[e])] -= rows.value[e] * answer.f[r];
        }
    }
    return largest(balance) / largest(random.force);
}

/// Largest violation of the dual conditions: forces admissible, and slip g = J a - aref + R f in the normal cone.
double violation(const RandomSystem& random, const Answer& answer)
{
    const ConstraintRows& rows = random.rows;
    std::vector<double> g(answer.f.size());
    for (std::size_t r = 0; r < g.size(); ++r)
    {
        g[r] = rows.regulariser[r] * answer.f[r] - rows.reference[r];
        for (int k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
        {
            const auto e = static_cast<std::size_t>(k);
            g[r] += rows.value[e] * answer.a[static_cast<std::size_t>(rows.column[e])];
        }
    }
    // a force is optimal when projecting f - t g back onto the admissible set gives f again, for any t > 0
    double most = 0;
    const double scale = largest(answer.f);
    for (std::size_t r = 0; r < g.size(); ++r)
    {
        const double f = answer.f[r], step = f - g[r] / (1 + rows.regulariser[r]);
        double back = f;
        if (rows.kind[r] == RowKind::equality) back = step;
        if (rows.kind[r] == RowKind::dry_friction) back = std::clamp(step, -rows.loss[r], rows.loss[r]);
        if (rows.kind[r] == RowKind::limit || rows.kind[r] == RowKind::contact) back = std::max(0.0, step);
        most = std::max(most, std::abs(back - f) / scale);
    }
    for (const RowCone& cone : rows.cones)
    {
        const auto first = static_cast<std::size_t>(cone.row);
        if (rows.kind[first] != RowKind::cone) continue;
        // scaled so that the cone is circular: y_0 = f_0, y_j = f_j / mu_j
        double normal = answer.f[first] - g[first], squares = 0, change = 0;
        std::vector<double> y;
        for (int j = 1; j < cone.dimension; ++j)
        {
            const auto row = first + static_cast<std::size_t>(j);
            const double mu = cone.friction[static_cast<std::size_t>(j - 1)];
            y.push_back(answer.f[row] / mu - g[row] * mu);
            squares += y.back() * y.back();
        }
        const double tangent = std::sqrt(squares);
        double keep = 1;
        if (tangent <= -normal)
            normal = keep = 0;
        else if (tangent > normal)
        {
            const double half = 0.5 * (normal + tangent);
            keep = half / tangent;
            normal = half;
        }
        change = std::abs(normal - answer.f[first]);
        for (int j = 1; j < cone.dimension; ++j)
        {
            const double mu = cone.friction[static_cast<std::size_t>(j - 1)];
            change = std::max(change, std::abs(keep * y[static_cast<std::size_t>(j - 1)] -
                                               answer.f[first + static_cast<std::size_t>(j)] / mu));
        }
        most = std::max(most, change / scale);
    }
    return most;
}

RandomOptions variant(unsigned seed)
{
    return {.seed = seed,
            .trees = 1 + static_cast<int>(seed % 5),
            .bodies = 1 + static_cast<int>(seed % 4),
            .contacts = 2 + static_cast<int>(seed % 13),
            .elliptic = seed % 2 == 0};
}

TEST(ConvexNewton, satisfies_the_conditions_of_optimality_for_rows_of_every_kind)
{
    for (unsigned seed = 1; seed <= 200; ++seed)
    {
        const RandomSystem random(variant(seed));
        const Answer answer = solve(random, tight(Method::newton, 200));
        EXPECT_TRUE(answer.report.converged) << "seed " << seed;
        EXPECT_LT(imbalance(random, answer), 1e-10) << "seed " << seed;
        EXPECT_LT(violation(random, answer), 1e-10) << "seed " << seed;
    }
}

TEST(ConvexNewton, gives_the_same_minimum_dense_and_sparse)
{
    for (unsigned seed = 1; seed <= 200; ++seed)
    {
        const RandomSystem random(variant(seed));
        const Answer dense = solve(random, tight(Method::newton, 200));
        SolveOptions options = tight(Method::newton, 200);
        options.dense_limit = 0;
        const Answer sparse = solve(random, options);
        EXPECT_LT(apart(sparse.a, dense.a), 1e-10) << "seed " << seed;
        EXPECT_LT(apart(sparse.f, dense.f), 1e-10) << "seed " << seed;
    }
}

TEST(ConvexNewton, takes_few_iterations_at_the_standard_tolerance)
{
    int most = 0, sum = 0;
    for (unsigned seed = 1; seed <= 200; ++seed)
    {
        const RandomSystem random(variant(seed));
        SolveOptions options;
        const Answer answer = solve(random, options);
        most = std::max(most, answer.report.iterations);
        sum += answer.report.iterations;
    }
    EXPECT_LE(most, 20);
    EXPECT_LE(sum, 200 * 8);
}

TEST(ConvexNewton, from_its_own_answer_needs_no_more_than_one_iteration)
{
    for (unsigned seed = 1; seed <= 50; ++seed)
    {
        const RandomSystem random(variant(seed));
        const Answer first = solve(random, tight(Method::newton, 200));
        const Answer again = solve(random, {}, first.a);
        EXPECT_LE(again.report.iterations, 1) << "seed " << seed;
        EXPECT_LT(apart(again.a, first.a), 1e-8);
    }
}

TEST(ConvexCg, finds_newtons_minimum)
{
    for (unsigned seed = 1; seed <= 100; ++seed)
    {
        const RandomSystem random(variant(seed));
        const Answer newton = solve(random, tight(Method::newton, 200));
        SolveOptions options = tight(Method::cg, 5000);
        options.limits.tolerance = 1e-22;
        const Answer cg = solve(random, options);
        EXPECT_LT(apart(cg.a, newton.a), 1e-9) << "seed " << seed << " iterations " << cg.report.iterations;
        EXPECT_LT(apart(cg.f, newton.f), 1e-9) << "seed " << seed;
    }
}

TEST(ConvexPgs, finds_newtons_minimum)
{
    for (unsigned seed = 1; seed <= 100; ++seed)
    {
        RandomOptions options = variant(seed);
        options.softness = 1;
        const RandomSystem random(options);
        const Answer newton = solve(random, tight(Method::newton, 200));
        SolveOptions solve_options = tight(Method::pgs, 50000);
        solve_options.limits.tolerance = 1e-22;
        const Answer pgs = solve(random, solve_options);
        EXPECT_LT(apart(pgs.a, newton.a), 1e-9) << "seed " << seed << " iterations " << pgs.report.iterations;
        EXPECT_LT(apart(pgs.f, newton.f), 1e-9) << "seed " << seed;
        EXPECT_LT(imbalance(random, pgs), 1e-10) << "seed " << seed;
    }
}

TEST(ConvexIslands, solved_one_by_one_give_the_whole_worlds_answer)
{
    int several = 0;
    for (unsigned seed = 1; seed <= 60; ++seed)
    {
        const RandomSystem random({.seed = seed, .trees = 8, .bodies = 2, .contacts = 5, .elliptic = seed % 2 == 0});
        SolveOptions options = tight(Method::newton, 200);
        const Answer apart_answer = solve(random, options);
        options.islands = false;
        const Answer whole = solve(random, options);
        several += apart_answer.report.islands > 1 ? 1 : 0;
        EXPECT_EQ(whole.report.islands, 1);
        EXPECT_LT(apart(apart_answer.a, whole.a), 1e-10) << "seed " << seed;
        EXPECT_LT(apart(apart_answer.f, whole.f), 1e-10) << "seed " << seed;
    }
    EXPECT_GT(several, 30);
}

TEST(ConvexIslands, trees_without_rows_move_as_if_nothing_were_there)
{
    const RandomSystem random({.seed = 3, .trees = 12, .bodies = 2, .contacts = 2, .other_rows = false});
    std::vector<char> touched(12, 0);
    for (const int c : random.rows.column)
        touched[static_cast<std::size_t>(random.tree[static_cast<std::size_t>(c)])] = 1;
    const Answer answer = solve(random, {});
    int loose = 0;
    for (std::size_t d = 0; d < random.tree.size(); ++d)
    {
        if (touched[static_cast<std::size_t>(random.tree[d])] != 0) continue;
        EXPECT_EQ(answer.a[d], random.smooth[d]);
        ++loose;
    }
    EXPECT_GT(loose, 0);
}

}  // namespace
}  // namespace rattleback::convex
