// Parts of the convex solver against slow certain computations: line search, factor, ordering, friction disc.
#include "base/index.h"
#include "solvers/convex/dual.h"
#include "solvers/convex/newton.h"
#include "unit/solvers/convex/random_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace rattleback::convex
{
namespace
{

/// A random problem of one island with a random point.
struct Sample
{
    explicit Sample(unsigned seed, int dense_limit = 1000)
        : random({.seed = seed,
                  .trees = 2 + static_cast<int>(seed % 4),
                  .bodies = 3,
                  .contacts = 10,
                  .elliptic = seed % 2 == 0})
    {
        islands.find(random.view(), true);
        islands.gather(random.view(), 0, dense_limit, problem);
        std::mt19937 generator(seed);
        std::uniform_real_distribution<double> uniform(-5, 5);
        point.resize(problem);
        for (int i = 0; i < problem.dof_count; ++i) point.a[at(i)] = problem.smooth[at(i)] + uniform(generator);
        evaluate(problem, point);
        find_gradient(problem, point);
    }

    /// Cost at a + alpha search, computed from scratch.
    double cost_along(const Line& line, double alpha) const
    {
        Point moved = point;
        for (int i = 0; i < problem.dof_count; ++i) moved.a[at(i)] += alpha * line.search[at(i)];
        evaluate(problem, moved);
        return moved.cost;
    }

    RandomSystem random;
    Islands islands;
    Problem problem;
    Point point;
};

/// H as a dense matrix, from the problem's arrays alone.
std::vector<double> make_dense_hessian(const Sample& sample, const std::vector<double>& weights)
{
    const int n = sample.problem.dof_count;
    std::vector<double> h(at(n * n));
    for (int i = 0; i < n; ++i)
    {
        for (int k = sample.problem.mass_begin[at(i)]; k < sample.problem.mass_begin[at(i) + 1]; ++k)
        {
            const int j = sample.problem.mass_column[at(k)];
            h[at(i * n + j)] = h[at(j * n + i)] = sample.problem.mass[at(k)];
        }
    }
    std::vector<double> row(at(n + kPadding));
    for (const Block& block : sample.problem.rows.blocks)
    {
        for (int r = 0; r < block.row_count; ++r)
        {
            std::vector<double> unit(at(block.row_count));
            unit[at(r)] = 1;
            std::fill(row.begin(), row.end(), 0.0);
            add_transposed(sample.problem.rows, block, unit.data(), row.data());
            for (int i = 0; i < n; ++i)
            {
                for (int j = 0; j < n; ++j) h[at(i * n + j)] += weights[at(block.row + r)] * row[at(i)] * row[at(j)];
            }
        }
    }
    return h;
}

double residual_of_solve(const std::vector<double>& h, Hessian& hessian, int n)
{
    std::vector<double> x(at(n + kPadding)), b(at(n));
    for (int i = 0; i < n; ++i) b[at(i)] = x[at(i)] = std::sin(i + 1.0);
    hessian.solve(x.data());
    double most = 0;
    for (int i = 0; i < n; ++i)
    {
        double sum = -b[at(i)];
        for (int j = 0; j < n; ++j) sum += h[at(i * n + j)] * x[at(j)];
        most = std::max(most, std::abs(sum));
    }
    return most;
}

TEST(ConvexLineSearch, its_derivatives_are_those_of_the_cost)
{
    for (unsigned seed = 1; seed <= 40; ++seed)
    {
        const Sample sample(seed);
        Line line;
        line.resize(sample.problem);
        for (int i = 0; i < sample.problem.dof_count; ++i) line.search[at(i)] = std::cos(3.0 * i + seed);
        prepare_line(sample.problem, sample.point, line);
        for (const double alpha : {0.0, 0.3, 1.7, -0.8})
        {
            const Derivatives d = find_derivatives(sample.problem, sample.point, line, alpha);
            const double h = 1e-6;
            const double slope = (sample.cost_along(line, alpha + h) - sample.cost_along(line, alpha - h)) / (2 * h);
            EXPECT_NEAR(d.first, slope, 1e-6 * (1 + std::abs(slope))) << "seed " << seed;
            const double left = find_derivatives(sample.problem, sample.point, line, alpha - h).first;
            const double right = find_derivatives(sample.problem, sample.point, line, alpha + h).first;
            EXPECT_NEAR(d.second, (right - left) / (2 * h), 1e-4 * d.second) << "seed " << seed;
        }
    }
}

TEST(ConvexLineSearch, finds_the_minimum_that_golden_section_finds)
{
    for (unsigned seed = 1; seed <= 60; ++seed)
    {
        const Sample sample(seed);
        Line line;
        line.resize(sample.problem);
        for (int i = 0; i < sample.problem.dof_count; ++i) line.search[at(i)] = -sample.point.gradient[at(i)];
        prepare_line(sample.problem, sample.point, line);
        const double found = find_step(sample.problem, sample.point, line, 0, 100);
        ASSERT_GT(found, 0);

        const double ratio = 0.5 * (std::sqrt(5.0) - 1);
        double low = 0, high = 1;
        while (find_derivatives(sample.problem, sample.point, line, high).first < 0) high *= 2;
        for (int i = 0; i < 200; ++i)
        {
            const double a = high - ratio * (high - low), b = low + ratio * (high - low);
            (sample.cost_along(line, a) < sample.cost_along(line, b) ? high : low) =
                sample.cost_along(line, a) < sample.cost_along(line, b) ? b : a;
        }
        // golden section compares costs, which is good to the square root of the precision only
        EXPECT_NEAR(found, 0.5 * (low + high), 1e-6 * high) << "seed " << seed;
        EXPECT_LE(sample.cost_along(line, found), sample.cost_along(line, 0.5 * (low + high)) * (1 + 1e-14));
        const double start = std::abs(find_derivatives(sample.problem, sample.point, line, 0).first);
        EXPECT_LT(std::abs(find_derivatives(sample.problem, sample.point, line, found).first), 1e-12 * start);
    }
}

TEST(ConvexLineSearch, does_not_move_where_the_cost_rises)
{
    const Sample sample(5);
    Line line;
    line.resize(sample.problem);
    for (int i = 0; i < sample.problem.dof_count; ++i) line.search[at(i)] = sample.point.gradient[at(i)];
    prepare_line(sample.problem, sample.point, line);
    EXPECT_EQ(find_step(sample.problem, sample.point, line, 0, 50), 0);
}

TEST(ConvexHessian, its_factor_solves_the_dense_system_dense_and_sparse)
{
    int several = 0;  // factors with more than one front
    for (unsigned seed = 1; seed <= 40; ++seed)
    {
        for (const bool dense : {true, false})
        {
            const Sample sample(seed, dense ? 1000 : 0);
            Hessian hessian;
            hessian.start(sample.problem, dense);
            const std::vector<double>& weights = sample.point.states.weight;
            for (std::size_t b = 0; b < sample.problem.rows.blocks.size(); ++b)
                hessian.add_rows(sample.problem, static_cast<int>(b), &weights[at(sample.problem.rows.blocks[b].row)]);
            hessian.begin_factor();
            ASSERT_EQ(hessian.factorize(), -1);
            several += hessian.structure().fronts.size() > 1 ? 1 : 0;
            const std::vector<double> h = make_dense_hessian(sample, weights);
            EXPECT_LT(residual_of_solve(h, hessian, sample.problem.dof_count), 1e-11) << "seed " << seed;
        }
    }
    EXPECT_GT(several, 20);
}

TEST(ConvexHessian, changed_row_by_row_is_the_one_factored_anew)
{
    for (unsigned seed = 1; seed <= 40; ++seed)
    {
        for (const bool dense : {true, false})
        {
            const Sample sample(seed, dense ? 1000 : 0);
            const int rows = sample.problem.row_count;
            std::vector<double> weights(at(rows), 0.0);
            Hessian hessian;
            hessian.start(sample.problem, dense);
            hessian.begin_factor();
            ASSERT_EQ(hessian.factorize(), -1);
            std::mt19937 random(seed);
            for (int change = 0; change < 3 * rows; ++change)  // switch rows on and off at random
            {
                const auto b = random() % sample.problem.rows.blocks.size();
                const Block& block = sample.problem.rows.blocks[b];
                const int r = static_cast<int>(random() % static_cast<unsigned>(block.row_count));
                double& weight = weights[at(block.row + r)];
                const double wanted = weight == 0 ? sample.problem.stiffness[at(block.row + r)] : 0;
                ASSERT_TRUE(hessian.change_row(sample.problem, static_cast<int>(b), r, wanted - weight));
                weight = wanted;
            }
            const std::vector<double> h = make_dense_hessian(sample, weights);
            EXPECT_LT(residual_of_solve(h, hessian, sample.problem.dof_count), 1e-9) << "seed " << seed;
        }
    }
}

TEST(ConvexHessian, says_when_a_downdate_leaves_nothing)
{
    const Sample sample(2);
    Hessian hessian;
    hessian.start(sample.problem, true);
    hessian.begin_factor();
    ASSERT_EQ(hessian.factorize(), -1);
    EXPECT_FALSE(hessian.change_row(sample.problem, 0, 0, -1e6));
}

TEST(ConvexHessian, names_the_dof_without_inertia)
{
    for (const bool dense : {true, false})
    {
        Sample sample(4, dense ? 1000 : 0);
        for (int k = sample.problem.mass_begin[7]; k < sample.problem.mass_begin[8]; ++k)
            sample.problem.mass[at(k)] = 0;
        for (int i = 8; i < sample.problem.dof_count; ++i)
        {
            for (int k = sample.problem.mass_begin[at(i)]; k < sample.problem.mass_begin[at(i) + 1]; ++k)
                if (sample.problem.mass_column[at(k)] == 7) sample.problem.mass[at(k)] = 0;
        }
        Hessian hessian;
        hessian.start(sample.problem, dense);
        hessian.begin_factor();
        EXPECT_EQ(hessian.factorize(), 7);
    }
}

TEST(ConvexOrdering, a_tree_is_eliminated_without_fill)
{
    // every group touches its ancestors, as the bodies of a kinematic tree do
    const std::vector<int> parent{-1, 0, 1, 1, 0, 4, 4, 6, 2};
    const std::vector<int> weights(parent.size(), 2);
    MinimumDegree ordering;
    ordering.start(weights);
    int edges = 0;
    for (int g = 0; g < static_cast<int>(parent.size()); ++g)
    {
        for (int a = parent[at(g)]; a >= 0; a = parent[at(a)], ++edges) ordering.connect(g, a);
    }
    ordering.run();
    EXPECT_EQ(ordering.sequence.size(), parent.size());
    EXPECT_EQ(static_cast<int>(ordering.border.size()), edges);
}

TEST(ConvexOrdering, fills_less_than_the_natural_order_on_a_grid)
{
    constexpr int kSide = 12;
    const auto index = [](int x, int y) { return y * kSide + x; };
    const std::vector<int> weights(at(kSide * kSide), 6);
    MinimumDegree ordering;
    ordering.start(weights);
    for (int y = 0; y < kSide; ++y)
    {
        for (int x = 0; x < kSide; ++x)
        {
            if (x + 1 < kSide) ordering.connect(index(x, y), index(x + 1, y));
            if (y + 1 < kSide) ordering.connect(index(x, y), index(x, y + 1));
        }
    }
    ordering.run();
    const int natural = kSide * kSide * kSide - kSide * kSide;  // a band of the grid's side, nearly
    EXPECT_LT(static_cast<int>(ordering.border.size()), natural * 2 / 3);
}

TEST(ConvexDual, friction_in_its_disc_is_the_best_of_many)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int trial = 0; trial < 200; ++trial)
    {
        constexpr int n = 2;
        const double l[3] = {0.5 + std::abs(uniform(random)), uniform(random), 0.3 + std::abs(uniform(random))};
        const double a[4] = {l[0] * l[0], l[0] * l[1], l[0] * l[1], l[1] * l[1] + l[2] * l[2]};
        const double b[2] = {3 * uniform(random), 3 * uniform(random)};
        const double bound[2] = {0.5 + 0.4 * uniform(random), 0.5 + 0.4 * uniform(random)}, radius = 1.5;
        double y[2];
        solve_in_ball(n, a, b, bound, radius, y);
        const auto cost = [&](double u, double v)
        { return 0.5 * (a[0] * u * u + 2 * a[1] * u * v + a[3] * v * v) + b[0] * u + b[1] * v; };
        const double inside = std::hypot(y[0] / bound[0], y[1] / bound[1]);
        EXPECT_LE(inside, radius * (1 + 1e-12));
        double best = cost(0, 0);
        for (int i = 0; i < 720; ++i)
        {
            for (int k = 1; k <= 40; ++k)
            {
                const double r = radius * k / 40, angle = i * kPi / 360;
                best = std::min(best, cost(bound[0] * r * std::cos(angle), bound[1] * r * std::sin(angle)));
            }
        }
        EXPECT_LE(cost(y[0], y[1]), best + 1e-12);
    }
}

}  // namespace
}  // namespace rattleback::convex
