// Tests of the formulas of solver `ipc`: barrier, mollifiers, sparse factorisation.
#include "solvers/ipc/barrier.h"
#include "math/random.h"
#include "solvers/ipc/block_cholesky.h"
#include "solvers/ipc/slip_chord.h"

#include <gtest/gtest.h>

#include <vector>

namespace rattleback::ipc
{

TEST(IpcBarrier, derivatives_are_those_of_its_value)
{
    for (const double separation : {0.0, 2e-3})
    {
        const double reach = 1e-3;
        for (const double part : {0.01, 0.1, 0.4, 0.7, 0.95})
        {
            const double d = separation + part * reach, h = 1e-5 * part * reach;
            const Jet here = find_barrier(d, reach, separation), less = find_barrier(d - h, reach, separation),
                      more = find_barrier(d + h, reach, separation);
            // central differences: (h / d)^2 of the value's own scale
            EXPECT_NEAR(here.slope, (more.value - less.value) / (2 * h), 1e-6 * std::abs(here.slope));
            EXPECT_NEAR(here.curvature, (more.slope - less.slope) / (2 * h), 1e-6 * std::abs(here.curvature));
            EXPECT_LT(here.slope, 0) << "it pushes apart";
            EXPECT_GT(here.curvature, 0) << "it is convex";
        }
        // two continuous derivatives where it ends
        const Jet end = find_barrier(separation + reach * (1 - 1e-9), reach, separation);
        EXPECT_NEAR(end.value, 0, 1e-20);
        EXPECT_NEAR(end.slope * reach, 0, 1e-12);
        EXPECT_NEAR(end.curvature * reach * reach, 0, 1e-6);
        EXPECT_GT(find_barrier(separation + 1e-12 * reach, reach, separation).value, 20) << "it grows without bound";
    }
}

TEST(IpcBarrier, its_distance_is_the_inverse_of_its_force)
{
    const double reach = 1e-3;
    for (const double separation : {0.0, 2e-3})
    {
        for (const double part : {1e-9, 1e-4, 0.01, 0.3, 0.9, 0.999})
        {
            const double d = separation + part * reach;
            const double found = find_barrier_distance(-find_barrier(d, reach, separation).slope, reach, separation);
            // the force is met to a thousandth; it falls at least like the gap, near d̂ like the square of what is left
            EXPECT_NEAR(found, d, 2e-3 * part * reach) << part << ' ' << separation;
        }
        EXPECT_EQ(find_barrier_distance(0, reach, separation), reach + separation);
        EXPECT_EQ(find_barrier_distance(-1, reach, separation), reach + separation);
    }
}

TEST(IpcBarrier, friction_grows_smoothly_from_rest_to_Coulomb)
{
    const double limit = 1e-5;
    for (const double y : {0.0, 1e-6, 5e-6, 9.9e-6, 1e-5, 2e-5})
    {
        const double h = 1e-10;
        const Slip here = find_slip(y, limit), less = find_slip(std::abs(y - h), limit), more = find_slip(y + h, limit);
        const double force = here.slope_ratio * y;
        if (y > 0)
        {
            EXPECT_NEAR(force, (more.value - less.value) / (2 * h), 1e-5);
        }
        EXPECT_NEAR(here.slope, (more.slope_ratio * (y + h) - force) / h, 1e-4 / limit);
        EXPECT_LE(force, 1 + 1e-12);
        EXPECT_GE(here.slope, 0);
    }
    EXPECT_NEAR(find_slip(limit, limit).slope_ratio * limit, 1, 1e-15);
}

TEST(IpcBarrier, chords_of_friction_hold_for_slips_of_any_size)
{
    // A step that takes a slip through rest to its other side: the chord is between that of the force here and a half
    // of Coulomb's stiffness at rest, 2 bound / limit, be the slip nothing but rounding.
    const double bound = 3, limit = 1e-5;
    for (double slip = 1e-6; slip > 1e-26; slip *= 0.3)
    {
        for (const double part : {-0.6, -1.0, -1.7})
        {
            const double first = find_slip_chord(bound, limit, slip, part * slip, 0, false);
            const double chord = find_slip_chord(bound, limit, slip, part * slip, first, true);
            EXPECT_GT(chord, bound / limit) << slip;
            EXPECT_LE(chord, (2 + 1e-12) * bound / limit) << slip;
        }
    }
}

TEST(IpcBarrier, edges_that_become_parallel_fade_out_smoothly)
{
    const double limit = find_parallel_limit(2, 3);
    EXPECT_EQ(find_edge_mollifier(limit, limit).value, 1);
    EXPECT_EQ(find_edge_mollifier(0, limit).value, 0);
    EXPECT_NEAR(find_edge_mollifier(limit * (1 - 1e-12), limit).slope * limit, 0, 1e-11);
    const double c = 0.3 * limit, h = 1e-6 * limit;
    EXPECT_NEAR(find_edge_mollifier(c, limit).slope,
                (find_edge_mollifier(c + h, limit).value - find_edge_mollifier(c - h, limit).value) / (2 * h),
                1e-8 / limit);
}

TEST(IpcBlockCholesky, solves_what_elimination_of_the_dense_matrix_solves)
{
    Random random(3);
    for (int trial = 0; trial < 20; ++trial)
    {
        const int rows = random.integer(1, 12);
        const auto n = static_cast<std::size_t>(6 * rows);
        std::vector<std::pair<int, int>> pairs;
        for (int i = 0; rows > 1 && i < 2 * rows; ++i)
        {
            const int a = random.integer(0, rows - 1), b = random.integer(0, rows - 1);
            if (a != b) pairs.emplace_back(a, b);
        }
        // a sum of random rank-one terms over the pairs, and a diagonal: positive
        std::vector<double> dense(n * n);
        BlockCholesky sparse;
        sparse.analyse(rows, pairs);
        // Forgotten, nothing is in the pattern; the same pairs bring it back.
        sparse.forget();
        EXPECT_FALSE(sparse.holds(rows, pairs));
        sparse.analyse(rows, pairs);
        EXPECT_TRUE(sparse.holds(rows, pairs));
        for (std::size_t i = 0; i < n; ++i)
        {
            dense[n * i + i] += 1;
            sparse.diagonal(static_cast<int>(i / 6))[7 * (i % 6)] += 1;
        }
        for (const auto& [a, b] : pairs)
        {
            std::vector<double> v(n);
            for (std::size_t k = 0; k < 6; ++k)
            {
                v[static_cast<std::size_t>(6 * a) + k] = random.uniform(-1, 1);
                v[static_cast<std::size_t>(6 * b) + k] = random.uniform(-1, 1);
            }
            Block6 aa{}, ab{}, bb{};
            for (std::size_t r = 0; r < 6; ++r)
            {
                for (std::size_t c = 0; c < 6; ++c)
                {
                    const double* va = &v[static_cast<std::size_t>(6 * a)];
                    const double* vb = &v[static_cast<std::size_t>(6 * b)];
                    aa[6 * r + c] = va[r] * va[c];
                    ab[6 * r + c] = va[r] * vb[c];
                    bb[6 * r + c] = vb[r] * vb[c];
                }
            }
            for (std::size_t k = 0; k < 36; ++k)
            {
                sparse.diagonal(a)[k] += aa[k];
                sparse.diagonal(b)[k] += bb[k];
            }
            sparse.add(a, b, ab);
            for (std::size_t i = 0; i < n; ++i)
            {
                for (std::size_t j = 0; j < n; ++j) dense[n * i + j] += v[i] * v[j];
            }
        }
        std::vector<Vector6> x(static_cast<std::size_t>(rows)), b(x.size());
        for (Vector6& block : b)
        {
            for (double& value : block) value = random.uniform(-1, 1);
        }
        x = b;
        ASSERT_TRUE(sparse.factor());
        sparse.solve(x);
        for (std::size_t i = 0; i < n; ++i)
        {
            double product = 0;
            for (std::size_t j = 0; j < n; ++j) product += dense[n * i + j] * x[j / 6][j % 6];
            EXPECT_NEAR(product, b[i / 6][i % 6], 1e-12);
        }
    }
}

TEST(IpcBlockCholesky, conjugate_gradients_find_what_the_factorisation_finds)
{
    // springs on a grid of 6 x 6 bodies, of stiffnesses from 1 to 1e4, and masses
    Random random(7);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < 36; ++i)
    {
        if (i % 6 != 5) pairs.emplace_back(i, i + 1);
        if (i < 30) pairs.emplace_back(i + 6, i);  // any order
    }
    BlockCholesky direct, iterative;
    iterative.set_direct_limit(0);
    direct.analyse(36, pairs);
    iterative.analyse(36, pairs);
    ASSERT_TRUE(direct.is_direct());
    ASSERT_FALSE(iterative.is_direct());
    ASSERT_TRUE(iterative.holds(36, pairs));
    for (BlockCholesky* matrix : {&direct, &iterative})
    {
        Random same(8);
        matrix->add_identity(1);
        for (const auto& [a, b] : pairs)
        {
            Vector6 u, v;
            for (std::size_t i = 0; i < 6; ++i)
            {
                u[i] = same.uniform(-1, 1);
                v[i] = same.uniform(-1, 1);
            }
            const double k = std::pow(10.0, same.uniform(0, 4));
            Block6 off;
            for (std::size_t i = 0; i < 6; ++i)
            {
                for (std::size_t j = 0; j < 6; ++j)
                {
                    matrix->diagonal(a)[6 * i + j] += k * u[i] * u[j];
                    matrix->diagonal(b)[6 * i + j] += k * v[i] * v[j];
                    off[6 * i + j] = k * u[i] * v[j];
                }
            }
            matrix->add(a, b, off);
        }
    }
    std::vector<Vector6> x(36), y;
    for (Vector6& block : x)
    {
        for (double& value : block) value = random.uniform(-1, 1);
    }
    y = x;
    ASSERT_TRUE(direct.factor() && iterative.factor());
    direct.solve(x);
    iterative.solve(y);
    for (std::size_t k = 0; k < 36; ++k)
    {
        for (std::size_t i = 0; i < 6; ++i)
            EXPECT_NEAR(x[k][i], y[k][i], 1e-4);  // 1e-6 of b, times the condition's root
    }
}

TEST(IpcBlockCholesky, refuses_a_matrix_that_is_not_positive)
{
    BlockCholesky matrix;
    matrix.analyse(1, {});
    for (std::size_t i = 0; i < 6; ++i) matrix.diagonal(0)[7 * i] = i == 4 ? -1 : 1;
    EXPECT_FALSE(matrix.factor());
}

}  // namespace rattleback::ipc
