// Parts of the particle solvers: rotations fitted to matrices, and neighbours found by a grid.
#include "lab/scenes/parts.h"
#include "math/random.h"
#include "math/rotation.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/polar.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback::particles
{
namespace
{

double angle_between(const Quat& a, const Quat& b) { return norm(logarithm(conjugate(a) * b)); }

/// R S with a symmetric positive S whose values are as given.
Mat3 make_stretched(Random& random, const Quat& rotation, const Vec3& values)
{
    const Mat3 axes = to_matrix(random.rotation());
    Mat3 scaled = axes;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) scaled(i, j) *= values[j];
    return to_matrix(rotation) * scaled * transpose(axes);
}

TEST(Polar, the_rotation_of_a_stretched_body_is_found_to_rounding_from_any_guess)
{
    Random random(1);
    for (int i = 0; i < 500; ++i)
    {
        const Quat rotation = random.rotation();
        const Mat3 a =
            make_stretched(random, rotation, {random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)});
        const Quat guess = i % 2 == 0 ? random.rotation() : normalized(exponential(Vec3{0.01, 0.02, -0.01}) * rotation);
        EXPECT_LT(angle_between(find_rotation(a, guess), rotation), 1e-14);
    }
}

TEST(Polar, a_flat_body_has_a_rotation_and_a_reflected_one_too)
{
    Random random(2);
    for (int i = 0; i < 200; ++i)
    {
        const Quat rotation = random.rotation();
        EXPECT_LT(angle_between(find_rotation(make_stretched(random, rotation, {1, 0.7, 0}), {}), rotation), 1e-7);
        // the smallest value is flipped: the best rotation is still that of the two others
        EXPECT_LT(angle_between(find_rotation(make_stretched(random, rotation, {1, 0.7, -0.2}), {}), rotation), 1e-7);
    }
}

TEST(Polar, the_fast_way_is_near_and_not_exact)
{
    Random random(3);
    double worst = 0;
    for (int i = 0; i < 500; ++i)
    {
        const Quat rotation = random.rotation();
        const Mat3 a = make_stretched(random, rotation, {1, random.uniform(0.5, 1), random.uniform(0.3, 0.5)});
        worst = std::max(worst, angle_between(find_rotation_fast(a), rotation));
    }
    EXPECT_LT(worst, 1e-2);
    EXPECT_GT(worst, 1e-8);
}

/// Largest entry of the antisymmetric part of R^T A, and of R^T R - 1.
std::pair<double, double> find_defects(const Mat3& a, const Quat& rotation)
{
    const Mat3 r = to_matrix(rotation), s = transpose(r) * a, unit = transpose(r) * r;
    double skew = 0, bent = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            skew = std::max(skew, std::abs(s(i, j) - s(j, i)));
            bent = std::max(bent, std::abs(unit(i, j) - (i == j ? 1 : 0)));
        }
    }
    return {skew, bent};
}

TEST(Polar, what_the_rotation_leaves_of_any_matrix_is_symmetric_and_no_other_rotation_is_nearer)
{
    // Any matrix, with any sign of its determinant: R^T A = S is symmetric and R is a rotation. Of the four such
    // rotations the nearest has the largest trace of S, so small turns about it and half turns do not raise it.
    Random random(4);
    for (int i = 0; i < 500; ++i)
    {
        Mat3 a;
        for (double& x : a.m) x = random.uniform(-1, 1);
        const auto trace = [&](const Quat& rotation)
        {
            const Mat3 s = transpose(to_matrix(rotation)) * a;
            return s(0, 0) + s(1, 1) + s(2, 2);
        };
        const Quat exact = find_rotation(a, random.rotation()), fast = find_rotation_fast(a);
        const auto [skew, bent] = find_defects(a, exact);
        // entries near 1; where two values nearly cancel the Newton step or Jacobi loses some digits of R, never of S
        EXPECT_LT(skew, 1e-13);
        EXPECT_LT(bent, 1e-14);
        const auto [rough_skew, rough_bent] = find_defects(a, fast);
        EXPECT_LT(rough_skew, 0.05);  // four sweeps of rough turns: a few percent at worst
        EXPECT_LT(rough_bent, 1e-14) << "a unit quaternion, however rough the fit";
        for (int k = 0; k < 20; ++k)
        {
            EXPECT_LE(trace(random.rotation()), trace(exact) + 1e-13);
            EXPECT_LE(trace(random.rotation()), trace(fast) + 1e-3);
        }
        EXPECT_NEAR(trace(fast), trace(exact), 1e-3);  // second order in the angle between them
    }
}

/// Balls of several sizes, thrown into a box.
struct Crowd
{
    Model model;
    ParticleSet set;
    std::vector<Vec3> centers;  ///< [group]
    std::vector<Quat> rotations;

    explicit Crowd(std::uint64_t seed)
    {
        Random random(seed);
        ModelBuilder builder;
        for (int i = 0; i < 12; ++i)
        {
            const BodyId body = builder.add_body();
            builder.add_shape(body, Box{.half_extents = {0.1, 0.05 + 0.01 * i, 0.08}});
            centers.push_back({random.uniform(0, 0.6), random.uniform(0, 0.6), random.uniform(0, 0.6)});
            rotations.push_back(random.rotation());
        }
        builder.exclude(BodyId{1}, BodyId{2});
        // they overlap at the model's own start, which only matters to a solver
        model = builder.build().value();
        for (int b = 1; b < model.body_count(); ++b) model.initial_q[static_cast<std::size_t>(7 * (b - 1))] = 10.0 * b;
        set = build_particle_set(model, {}).value();
    }
    int group_of(int i) const
    {
        int g = 0;
        while (i >= set.groups[static_cast<std::size_t>(g)].padded_end) ++g;
        return g;
    }
    Vec3 position(int i) const
    {
        const auto g = static_cast<std::size_t>(group_of(i));
        return centers[g] + rotate(rotations[g], set.spheres[static_cast<std::size_t>(i)].center);
    }
};

TEST(Packing, jitter_moves_every_sphere_a_little_and_another_seed_elsewhere)
{
    ModelBuilder builder;
    builder.add_shape(builder.add_body(), Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 4});
    const Model model = builder.build().value();
    const auto pack = [&](double jitter, int seed)
    {
        ParticleOptions options;
        options.jitter = jitter;
        options.jitter_seed = seed;
        return build_particle_set(model, options).value();
    };
    const ParticleSet grid = pack(0, 1), first = pack(0.1, 1), again = pack(0.1, 1), second = pack(0.1, 2);
    ASSERT_EQ(first.count(), grid.count());
    double mass = 0;
    for (std::size_t i = 0; i < 64; ++i)
    {
        const Vec3 moved = first.groups[0].points.center + first.spheres[i].center - grid.spheres[i].center;
        for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(moved[k]), 0.1 * 0.025 + 1e-15);
        EXPECT_GT(norm(moved), 0);
        EXPECT_EQ(norm(first.spheres[i].center - again.spheres[i].center), 0);
        EXPECT_GT(norm(first.spheres[i].center - second.spheres[i].center), 0);
        mass += first.spheres[i].mass;
    }
    EXPECT_NEAR(mass, 4, 1e-12);
}

TEST(Neighbours, the_grid_finds_exactly_the_pairs_that_a_comparison_of_all_finds)
{
    constexpr double kMargin = 0.004;
    for (const std::uint64_t seed : {1U, 2U, 3U})
    {
        const Crowd crowd(seed);
        Neighbours neighbours(crowd.model, crowd.set);
        std::vector<SearchRegion> regions;
        for (const Vec3& center : crowd.centers) regions.push_back({center, kMargin});
        for (int round = 0; round < 2; ++round)  // the second time with warm buffers
        {
            neighbours.find(regions, [&](int i) { return crowd.position(i); });
        }
        std::vector<std::pair<int, int>> found, expected;
        for (std::size_t k = 0; k < neighbours.particles().size(); ++k)
            for (const int j : neighbours.of(k)) found.emplace_back(neighbours.particles()[k], j);
        for (int i = 0; i < crowd.set.count(); ++i)
        {
            for (int j = 0; j < crowd.set.count(); ++j)
            {
                const int a = crowd.group_of(i), b = crowd.group_of(j);
                if (a == b || a + b == 1 || crowd.set.shape[static_cast<std::size_t>(i)] < 0 ||
                    crowd.set.shape[static_cast<std::size_t>(j)] < 0)
                    continue;
                const double radii = crowd.set.spheres[static_cast<std::size_t>(i)].radius +
                                     crowd.set.spheres[static_cast<std::size_t>(j)].radius;
                if (norm(crowd.position(i) - crowd.position(j)) < radii + 2 * kMargin) expected.emplace_back(i, j);
            }
        }
        EXPECT_GT(expected.size(), 100U);
        EXPECT_EQ(found, expected);
    }
}

}  // namespace
}  // namespace rattleback::particles
