// Distances of all pairs of shapes against the brute judge, and their symmetries.
#include "geometry/distance.h"
#include "support/brute_distance.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

using Types = std::pair<ShapeType, ShapeType>;

/// Pairs whose closed form is exact; the others may use all of the tolerance.
bool is_closed(const Types& types)
{
    const auto& [first, second] = types;
    return first <= ShapeType::sphere || (first == ShapeType::capsule && second <= ShapeType::box);
}

std::string describe(const PlacedShape& shape)
{
    char text[400];
    std::snprintf(text, sizeof text, "%s size %.17g %.17g %.17g at %.17g %.17g %.17g", to_string(shape.type),
                  shape.size.x, shape.size.y, shape.size.z, shape.position.x, shape.position.y, shape.position.z);
    std::string result = text;
    for (const double entry : shape.rotation.m)
    {
        std::snprintf(text, sizeof text, " %.17g", entry);
        result += text;
    }
    return result;
}

/// One of the random cases of two types.
ShapePairCase make_case(const Types& types, int i, Random& random)
{
    return make_shape_pair(types.first, types.second, static_cast<PairPlacement>(i % kPlacementCount), random);
}
Random make_random(const Types& types, int i)
{
    return Random(static_cast<std::uint64_t>(i) * 144 + static_cast<std::uint64_t>(types.first) * 12 +
                  static_cast<std::uint64_t>(types.second));
}
std::string describe(int i, const ShapePairCase& pair)
{
    return "case " + std::to_string(i) + ", " + to_string(pair.placement) + "\n" + describe(pair.first.placed) + "\n" +
           describe(pair.second.placed);
}

/// What holds for every answer, without knowing the right one.
void check_sound(const PlacedShape& first, const PlacedShape& second, const ShapeDistance& found, double size)
{
    EXPECT_NEAR(norm(found.normal), 1, 1e-12);
    EXPECT_LE(found.lower, found.distance + 1e-12 * size);
    const Vec3 closing = found.on_second - found.on_first - found.distance * found.normal;
    const double far = norm(found.on_first);
    EXPECT_LE(norm(closing), 1e-12 * (size + std::abs(found.distance) + far));
    const double tolerance = (found.distance > 0 ? 1e-8 : 1e-6) * size + 1e-14 * (std::abs(found.distance) + far);
    EXPECT_NEAR(find_level(first, found.on_first), 0, tolerance);
    EXPECT_NEAR(find_level(second, found.on_second), 0, tolerance);
    EXPECT_GE(find_gap_along(first, second, found.normal), found.distance - tolerance);
}

void check_case(const Types& types, const ShapePairCase& pair)
{
    const PlacedShape& first = pair.first.placed;
    const PlacedShape& second = pair.second.placed;
    const ShapeDistance found = find_distance(first, second);
    BruteDistance expected = find_brute_distance(first, second);
    const bool is_apart = expected.distance > 0;
    // The gap along any direction is a lower bound of the signed distance: in valleys that hardly rise the judge may
    // have to give way to it.
    const double gap = find_gap_along(first, second, found.normal);
    if (!is_apart && gap > expected.distance)
    {
        expected.distance = gap;
        expected.unique = false;
    }
    const double tolerance = (is_closed(types) ? 1e-9 : is_apart ? 1e-8 : 1e-6) * pair.size;
    // Where shapes all but touch the judge itself may be unsure. check_sound then is the certificate: witness points on
    // both surfaces, and a gap as wide along the normal.
    ASSERT_LE(expected.error, 1e-6 * pair.size);
    EXPECT_NEAR(found.distance, expected.distance, tolerance + expected.error);
    EXPECT_LE(found.lower, expected.distance + 1e-9 * pair.size);
    if (is_apart)
    {
        // nearer than 1e-8 of the size, the witness points are off sideways by more than what is between them
        const double allowed = expected.distance > 1e-8 * pair.size ? 1e-10 : 1e-8;
        EXPECT_LE(found.distance - found.lower, allowed * (pair.size + found.distance));
    }
    check_sound(first, second, found, pair.size);
    if (expected.unique && std::abs(expected.distance) > 1e-6 * pair.size)
    {
        EXPECT_LE(norm(found.normal - expected.normal), 1e-4);
    }
}

class ShapePairs : public ::testing::TestWithParam<Types>
{
protected:
    /// Random cases of all placements in turn.
    template <class Check>
    void for_each_case(int count, Check check)
    {
        for (int i = 0; i < count; ++i)
        {
            Random random = make_random(GetParam(), i);
            const ShapePairCase pair = make_case(GetParam(), i, random);
            SCOPED_TRACE(describe(i, pair));
            check(pair, random);
            if (HasFailure()) return;
        }
    }

    void compare_with_brute(int count)
    {
        for_each_case(count, [](const ShapePairCase& pair, Random&) { check_case(GetParam(), pair); });
    }
};

TEST_P(ShapePairs, agree_with_the_brute_distance) { compare_with_brute(300); }
TEST_P(ShapePairs, slow_agree_with_the_brute_distance_a_thousand_times) { compare_with_brute(1000); }
TEST_P(ShapePairs, long_agree_with_the_brute_distance_a_hundred_thousand_times) { compare_with_brute(100000); }

TEST(ShapePairCases, that_failed_once_agree_with_the_brute_distance)
{
    const std::pair<Types, int> cases[] = {
        {{ShapeType::cylinder, ShapeType::hull}, 62437},  // out through a cap, with a rim half a degree beside it
    };
    for (const auto& [types, i] : cases)
    {
        Random random = make_random(types, i);
        const ShapePairCase pair = make_case(types, i, random);
        SCOPED_TRACE(describe(i, pair));
        check_case(types, pair);
    }
}

TEST_P(ShapePairs, are_the_same_seen_from_either_side)
{
    const double tolerance = is_closed(GetParam()) ? 1e-13 : 1e-9;
    for_each_case(500,
                  [&](const ShapePairCase& pair, Random&)
                  {
                      const ShapeDistance one = find_distance(pair.first.placed, pair.second.placed);
                      const ShapeDistance two = find_distance(pair.second.placed, pair.first.placed);
                      EXPECT_NEAR(one.distance, two.distance, tolerance * pair.size);
                      check_sound(pair.second.placed, pair.first.placed, two, pair.size);
                      if (GetParam().first == GetParam().second) return;
                      EXPECT_EQ(one.normal, -two.normal);
                      EXPECT_EQ(one.on_first, two.on_second);
                      EXPECT_EQ(one.on_second, two.on_first);
                      EXPECT_EQ(one.first_feature, two.second_feature);
                      EXPECT_EQ(one.second_feature, two.first_feature);
                  });
}

TEST_P(ShapePairs, do_not_depend_on_where_the_world_has_its_origin)
{
    const double tolerance = is_closed(GetParam()) ? 2e-14 : 1e-9;
    for_each_case(500,
                  [&](const ShapePairCase& pair, Random& random)
                  {
                      const Pose motion{random.in_box(10), random.rotation()};
                      const PlacedShape first = moved(pair.first.placed, motion);
                      const PlacedShape second = moved(pair.second.placed, motion);
                      const ShapeDistance here = find_distance(pair.first.placed, pair.second.placed);
                      const ShapeDistance there = find_distance(first, second);
                      EXPECT_NEAR(here.distance, there.distance, tolerance * (pair.size + 20));
                      check_sound(first, second, there, pair.size);
                  });
}

TEST_P(ShapePairs, grow_with_the_world)
{
    const double tolerance = is_closed(GetParam()) ? 1e-13 : 1e-9;
    for_each_case(300,
                  [&](const ShapePairCase& pair, Random&)
                  {
                      const ShapeDistance here = find_distance(pair.first.placed, pair.second.placed);
                      for (const double factor : {1e-3, 1e3})
                      {
                          const OwnedShape first = scaled(pair.first, factor), second = scaled(pair.second, factor);
                          const ShapeDistance there = find_distance(first.placed, second.placed);
                          EXPECT_NEAR(here.distance, there.distance / factor,
                                      tolerance * (pair.size + std::abs(here.distance) + 1));
                          check_sound(first.placed, second.placed, there, factor * pair.size);
                      }
                  });
}

TEST_P(ShapePairs, say_so_when_they_are_out_of_reach)
{
    for_each_case(
        300,
        [&](const ShapePairCase& pair, Random&)
        {
            const ShapeDistance all = find_distance(pair.first.placed, pair.second.placed);
            const double slack = 1e-6 * pair.size;
            const ShapeDistance beyond = find_distance(pair.first.placed, pair.second.placed, all.distance - slack);
            EXPECT_GT(beyond.distance, all.distance - slack);
            EXPECT_GT(beyond.lower, all.distance - slack);
            EXPECT_LE(beyond.lower, all.distance + slack);
            const ShapeDistance within = find_distance(pair.first.placed, pair.second.placed, all.distance + slack);
            EXPECT_NEAR(within.distance, all.distance, (is_closed(GetParam()) ? 0 : 1e-9) * pair.size);
            check_sound(pair.first.placed, pair.second.placed, within, pair.size);
        });
}

std::vector<Types> list_distance_pairs()
{
    std::vector<Types> pairs;
    for (int first = 0; first <= static_cast<int>(ShapeType::hull); ++first)
    {
        for (int second = std::max(first, 1); second <= static_cast<int>(ShapeType::hull); ++second)
            pairs.emplace_back(static_cast<ShapeType>(first), static_cast<ShapeType>(second));
    }
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, ShapePairs, ::testing::ValuesIn(list_distance_pairs()),
                         [](const ::testing::TestParamInfo<Types>& pair)
                         { return std::string(to_string(pair.param.first)) + "_" + to_string(pair.param.second); });

TEST(ShapePairTypes, have_distances_unless_both_are_planes_or_one_has_no_solid)
{
    for (int i = 0; i < kShapeTypeCount; ++i)
    {
        for (int j = 0; j < kShapeTypeCount; ++j)
        {
            const auto first = static_cast<ShapeType>(i), second = static_cast<ShapeType>(j);
            const bool both_planes = first == ShapeType::plane && second == ShapeType::plane;
            const bool solid = first <= ShapeType::mesh && second <= ShapeType::mesh;
            EXPECT_EQ(has_distance(first, second), solid && !both_planes) << to_string(first) << to_string(second);
        }
    }
}

}  // namespace
}  // namespace rattleback
