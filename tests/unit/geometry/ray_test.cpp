// Rays against a brute search along the line, and in cases known by hand.
#include "geometry/ray.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <limits>

namespace rattleback
{
namespace
{

constexpr double kAnyReach = std::numeric_limits<double>::infinity();

/// Where the level of a shape, convex along the ray, changes its sign between a place inside and one outside.
double bisect(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double inside, double outside)
{
    for (int i = 0; i < 200; ++i)
    {
        const double middle = 0.5 * (inside + outside);
        (find_level(shape, origin + middle * direction) < 0 ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
}

/// Distance to the first surface within [0, far], or infinity; `lowest` says how deep the ray passes.
double march(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, double far, double& lowest)
{
    double low = 0, high = far;
    for (int i = 0; i < 300; ++i)
    {
        const double one = low + (high - low) / 3, two = high - (high - low) / 3;
        const bool left = find_level(shape, origin + one * direction) < find_level(shape, origin + two * direction);
        (left ? high : low) = left ? two : one;
    }
    const double deepest = 0.5 * (low + high);
    lowest = find_level(shape, origin + deepest * direction);
    if (lowest >= 0) return kAnyReach;
    if (find_level(shape, origin) >= 0) return bisect(shape, origin, direction, deepest, 0);
    return find_level(shape, origin + far * direction) < 0 ? kAnyReach : bisect(shape, origin, direction, deepest, far);
}

class Rays : public ::testing::TestWithParam<ShapeType>
{
protected:
    void compare(int count)
    {
        int hits = 0;
        for (int i = 0; i < count; ++i)
        {
            SCOPED_TRACE(i);
            Random random(static_cast<std::uint64_t>(i) * 12 + static_cast<std::uint64_t>(GetParam()));
            OwnedShape shape = make_random_shape(GetParam(), random);
            shape.placed.position = random.in_box(1);
            const Vec3 origin = shape.placed.position + random.in_box(random.chance(0.3) ? 0.2 : 3);
            const Vec3 aim = shape.placed.position + random.in_box(0.4) - origin;
            const Vec3 direction = random.chance(0.1) ? random.direction() : (1 / norm(aim)) * aim;
            compare_one(shape.placed, origin, direction, hits);
            if (HasFailure()) return;
        }
        EXPECT_GT(hits, count / 5) << "the test must see both hits and misses";
    }

    static void compare_one(const PlacedShape& shape, const Vec3& origin, const Vec3& direction, int& hits)
    {
        constexpr double kFar = 20;
        double lowest = 0;
        const double expected = march(shape, origin, direction, kFar, lowest);
        if (std::abs(lowest) < 1e-6) return;  // grazing: either answer is right
        const std::optional<RayHit> hit = cast_ray(shape, origin, direction, kFar);
        ASSERT_EQ(hit.has_value(), expected < kAnyReach);
        if (!hit) return;
        ++hits;
        EXPECT_NEAR(hit->distance, expected, 1e-9);
        EXPECT_NEAR(norm(hit->normal), 1, 1e-12);
        // The level falls fastest against the normal.
        const Vec3 point = origin + hit->distance * direction;
        EXPECT_GT(find_level(shape, point + 1e-6 * hit->normal), 0);
        EXPECT_LT(find_level(shape, point - 1e-6 * hit->normal), 0);
        EXPECT_FALSE(cast_ray(shape, origin, direction, hit->distance - 1e-9).has_value());
    }
};

TEST_P(Rays, meet_shapes_where_a_search_along_the_line_finds_them) { compare(500); }
TEST_P(Rays, long_meet_shapes_where_a_search_along_the_line_finds_them) { compare(200000); }

INSTANTIATE_TEST_SUITE_P(All, Rays,
                         ::testing::Values(ShapeType::plane, ShapeType::sphere, ShapeType::capsule, ShapeType::box,
                                           ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull),
                         [](const ::testing::TestParamInfo<ShapeType>& type) { return to_string(type.param); });

PlacedShape make_upright(ShapeType type, const Vec3& size)
{
    return {.type = type, .rotation = {{1, 0, 0, 0, 1, 0, 0, 0, 1}}, .size = size};
}

TEST(Ray, meets_each_shape_head_on)
{
    const Vec3 down{0, 0, -1}, above{0.02, 0.01, 5};
    const auto height = [&](ShapeType type, const Vec3& size)
    { return 5 - cast_ray(make_upright(type, size), above, down, 10).value().distance; };
    const double square = 0.02 * 0.02 + 0.01 * 0.01;
    EXPECT_DOUBLE_EQ(height(ShapeType::plane, {}), 0);
    EXPECT_NEAR(height(ShapeType::sphere, {2, 0, 0}), std::sqrt(4 - square), 1e-15);
    EXPECT_NEAR(height(ShapeType::capsule, {0.5, 1, 0}), 1 + std::sqrt(0.25 - square), 1e-15);
    EXPECT_DOUBLE_EQ(height(ShapeType::box, {1, 2, 3}), 3);
    EXPECT_DOUBLE_EQ(height(ShapeType::cylinder, {1, 2, 0}), 2);
    EXPECT_NEAR(height(ShapeType::ellipsoid, {1, 2, 3}), 3 * std::sqrt(1 - 0.0004 - 0.0001 / 4), 1e-15);
}

TEST(Ray, leaves_a_plane_from_below_and_never_meets_it_alongside)
{
    const PlacedShape plane = make_upright(ShapeType::plane, {});
    const auto up = cast_ray(plane, {0, 0, -2}, {0, 0, 1}, kAnyReach);
    ASSERT_TRUE(up.has_value());
    EXPECT_EQ(up->distance, 2);
    EXPECT_EQ(up->normal, (Vec3{0, 0, 1}));
    EXPECT_FALSE(cast_ray(plane, {0, 0, -2}, {0, 0, -1}, kAnyReach).has_value());
    EXPECT_FALSE(cast_ray(plane, {0, 0, 2}, {0, 0, 1}, kAnyReach).has_value());
    EXPECT_FALSE(cast_ray(plane, {0, 0, 2}, {1, 0, 0}, kAnyReach).has_value());
    EXPECT_FALSE(cast_ray(plane, {0, 0, -2}, {1, 0, 0}, kAnyReach).has_value());
}

TEST(Ray, along_an_axis_of_symmetry_leaves_at_the_end)
{
    for (const ShapeType type : {ShapeType::capsule, ShapeType::cylinder})
    {
        const auto hit = cast_ray(make_upright(type, {0.5, 1, 0}), {}, {0, 0, 1}, kAnyReach);
        ASSERT_TRUE(hit.has_value());
        EXPECT_DOUBLE_EQ(hit->distance, type == ShapeType::capsule ? 1.5 : 1);
        EXPECT_EQ(hit->normal, (Vec3{0, 0, 1}));
    }
}

TEST(Ray, starting_on_the_surface_meets_it_at_once)
{
    const PlacedShape box = make_upright(ShapeType::box, {1, 1, 1});
    const auto hit = cast_ray(box, {0, 0, 1}, {0, 0, -1}, kAnyReach);
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->distance, 0);
}

TEST(Ray, behind_or_beside_a_shape_misses)
{
    const PlacedShape sphere = make_upright(ShapeType::sphere, {1, 0, 0});
    EXPECT_FALSE(cast_ray(sphere, {0, 0, 3}, {0, 0, 1}, kAnyReach).has_value());
    EXPECT_FALSE(cast_ray(sphere, {0, 1.001, 3}, {0, 0, -1}, kAnyReach).has_value());
    EXPECT_TRUE(cast_ray(sphere, {0, 0.999, 3}, {0, 0, -1}, kAnyReach).has_value());
    const PlacedShape box = make_upright(ShapeType::box, {1, 1, 1});
    EXPECT_FALSE(cast_ray(box, {2, 0, 0}, {0, 1, 0}, kAnyReach).has_value());
}

TEST(Ray, from_far_away_keeps_its_digits)
{
    const auto hit = cast_ray(make_upright(ShapeType::sphere, {1, 0, 0}), {0.6, 0, 1e6}, {0, 0, -1}, kAnyReach);
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->distance, 1e6 - 0.8, 1e-9);
    EXPECT_NEAR(hit->normal.x, 0.6, 1e-9);
}

}  // namespace
}  // namespace rattleback
