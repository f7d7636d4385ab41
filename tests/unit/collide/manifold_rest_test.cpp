// Contact points of bodies at rest: as many as they should be, and the same ones however the poses tremble.
#include "resting.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

using namespace resting;

constexpr double kReach = 1e-3;

/// A pose moved and turned by about `amount` [m, rad].
Pose jostle(const Pose& pose, double amount, Random& random)
{
    const Quat turn = from_axis_angle(random_direction(random), random_number(random, 0, amount));
    return {pose.position + random_number(random, 0, amount) * random_direction(random),
            normalized(turn * pose.rotation)};
}

/// The first way in which two manifolds differ, or nothing.
std::string compare(const Manifold& wanted, const Manifold& found)
{
    if (wanted.count != found.count)
        return "count " + std::to_string(found.count) + " instead of " + std::to_string(wanted.count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(wanted.count); ++i)
    {
        if (wanted.points[i].feature != found.points[i].feature) return "feature of point " + std::to_string(i);
        const double turned = norm(wanted.points[i].normal - found.points[i].normal);
        if (turned > 1e-6) return "normal turned by " + std::to_string(turned * 1e6) + " microradians";
    }
    return {};
}

}  // namespace

TEST(ManifoldRest, every_shape_rests_on_the_points_it_should)
{
    for (const Rest& rest : list_rests())
    {
        const Manifold manifold = find_manifold(rest, rest.support_pose, rest.body_pose, kReach);
        EXPECT_EQ(manifold.count, rest.count) << rest.name;
        for (std::size_t i = 0; i < static_cast<std::size_t>(manifold.count); ++i)
        {
            EXPECT_NEAR(manifold.points[i].distance, -1e-4, 1e-9) << rest.name;
            EXPECT_NEAR(std::abs(manifold.points[i].normal.z), 1, 1e-12) << rest.name;
            EXPECT_LT(norm(Vec3{manifold.points[i].normal.x, manifold.points[i].normal.y, 0}), 1e-7) << rest.name;
            EXPECT_TRUE(i == 0 || manifold.points[i - 1].feature < manifold.points[i].feature) << rest.name;
        }
    }
}

TEST(ManifoldRest, count_features_and_normal_do_not_flicker)
{
    constexpr int kTrials = 1000;
    constexpr double kTremble = 1e-7;
    Random random(3);
    for (const Rest& rest : list_rests())
    {
        const Manifold wanted = find_manifold(rest, rest.support_pose, rest.body_pose, kReach);
        const double size = rest.body.hull ? 0.2 : norm(rest.body.size);
        int bad = 0;
        std::string why;
        for (int trial = 0; trial < kTrials; ++trial)
        {
            const Pose support = jostle(rest.support_pose, kTremble * size, random);
            const Manifold found =
                find_manifold(rest, support, jostle(rest.body_pose, kTremble * size, random), kReach);
            const std::string difference = compare(wanted, found);
            if (difference.empty()) continue;
            ++bad;
            why = difference;
        }
        EXPECT_EQ(bad, 0) << rest.name << ": " << why;
    }
}

TEST(ManifoldRest, a_scene_moved_as_a_whole_keeps_its_points)
{
    constexpr int kMotions = 20;
    Random random(5);
    for (const Rest& rest : list_rests())
    {
        const Manifold wanted = find_manifold(rest, rest.support_pose, rest.body_pose, kReach);
        for (int trial = 0; trial < kMotions; ++trial)
        {
            const Pose motion = random_pose(random, 3);
            const Manifold found = find_manifold(rest, motion * rest.support_pose, motion * rest.body_pose, kReach);
            ASSERT_EQ(found.count, wanted.count) << rest.name;
            for (std::size_t i = 0; i < static_cast<std::size_t>(wanted.count); ++i)
            {
                const ManifoldPoint &p = wanted.points[i], &q = found.points[i];
                ASSERT_EQ(p.feature, q.feature) << rest.name;
                ASSERT_NEAR(p.distance, q.distance, 1e-12) << rest.name;
                ASSERT_LT(norm(rotate(motion.rotation, p.normal) - q.normal), 1e-6) << rest.name;
                const Vec3 moved = motion.position + rotate(motion.rotation, p.point);
                ASSERT_LT(norm(moved - q.point), 1e-6) << rest.name;
            }
        }
    }
}

}  // namespace rattleback
