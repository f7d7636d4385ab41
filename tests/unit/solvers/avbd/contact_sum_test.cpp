// ContactSum: points of a manifold added up at once are the points one by one.
#include "solvers/avbd/contact_sum.h"

#include <gtest/gtest.h>

#include <random>

namespace rattleback::avbd
{
namespace
{

TEST(ContactSum, equals_the_points_one_by_one)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] { return Vec3{any(random), any(random), any(random)}; };
    BodySystem<double> single, together;
    ContactSum<double> sum;
    for (int manifold = 0; manifold < 3; ++manifold)
    {
        const Vec3 direction = vector(), normal = (1 / norm(direction)) * direction;
        for (int point = 0; point <= manifold; ++point)
        {
            HalfContact<double> half;
            half.normal = normal;
            half.arm = vector();
            half.other_arm = vector();
            half.gap = -0.1;
            half.normal_penalty = half.tangent_penalty = 10 + any(random);
            half.normal_lambda = 5;
            half.tangent_lambda = vector();
            half.friction = 0.2;
            half.active = 1;
            const ContactForce<double> force = evaluate(half, {0.1 * vector(), 0.1 * vector()}, {});
            add_contact(half, force, single);
            sum.add(half, force);
        }
        sum.close(normal, together);
    }
    sum.finish(together);
    constexpr double kSmall = 1e-11;
    for (int i = 0; i < 6; ++i)
    {
        EXPECT_NEAR(together.linear.m[i], single.linear.m[i], kSmall);
        EXPECT_NEAR(together.angular.m[i], single.angular.m[i], kSmall);
    }
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(together.coupling.m[i], single.coupling.m[i], kSmall);
    EXPECT_LT(norm(together.force - single.force), kSmall);
    EXPECT_LT(norm(together.torque - single.torque), kSmall);
    EXPECT_GT(norm(single.torque), 1);
}

}  // namespace
}  // namespace rattleback::avbd
