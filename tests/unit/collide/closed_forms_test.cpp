// Closed forms in packs: every lane shows the bits of one world alone.
#include "collide/manifold/closed_plane.h"
#include "collide/manifold/closed_round.h"
#include "model/contact_frame.h"
#include "unit/collide/random_pairs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace rattleback
{

namespace
{

template <class T>
void set_shape(const PlacedShape& shape, int i, PlacedLanes<T>& lanes)
{
    for (int axis = 0; axis < 3; ++axis) set_lane(lanes.position[axis], i, shape.position[axis]);
    for (std::size_t k = 0; k < 9; ++k) set_lane(lanes.rotation.m[k], i, shape.rotation.m[k]);
    lanes.size = shape.size;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// How many lanes of a point differ from the same pair in T = S, one world at a time; counts points that touch.
template <class Form, class T, class S>
int count_different(const std::vector<std::pair<PlacedShape, PlacedShape>>& pairs, double reach, int& touching)
{
    PlacedLanes<T> first, second;
    for (int i = 0; i < kLaneCount<T>; ++i)
    {
        set_shape(pairs[static_cast<std::size_t>(i)].first, i, first);
        set_shape(pairs[static_cast<std::size_t>(i)].second, i, second);
    }
    const auto found = find_touch_points<Form>(first, second, reach);
    int different = 0;
    for (int i = 0; i < kLaneCount<T>; ++i)
    {
        PlacedLanes<S> first_alone, second_alone;
        set_shape(pairs[static_cast<std::size_t>(i)].first, 0, first_alone);
        set_shape(pairs[static_cast<std::size_t>(i)].second, 0, second_alone);
        const auto alone = find_touch_points<Form>(first_alone, second_alone, reach);
        for (std::size_t p = 0; p < found.size(); ++p)
        {
            if (((to_bits(found[p].touches) >> i) & 1) != static_cast<int>(alone[p].touches)) ++different;
            if (!alone[p].touches) continue;
            ++touching;
            const auto frame = find_contact_frame(found[p].normal, Form::find_tangent(second));
            const auto frame_alone = find_contact_frame(alone[p].normal, Form::find_tangent(second_alone));
            const auto compare = [&](const T& a, const S& b)
            { different += same_bits(lane(a, i), lane(b, 0)) ? 0 : 1; };
            compare(found[p].distance, alone[p].distance);
            compare(found[p].feature, alone[p].feature);
            for (int axis = 0; axis < 3; ++axis) compare(found[p].point[axis], alone[p].point[axis]);
            for (std::size_t k = 0; k < 9; ++k) compare(frame.m[k], frame_alone.m[k]);
        }
    }
    return different;
}

/// A hundred thousand pairs in packs of doubles and of floats. All have one size, as the lanes of a pair of shapes do.
template <class Form>
void expect_lanes_equal_single_worlds(ShapeType first, ShapeType second)
{
    constexpr int kPacks = 12500, kWidth = 8;
    Random random(11);
    int different = 0, touching = 0;
    for (int i = 0; i < kPacks; ++i)
    {
        std::vector<std::pair<PlacedShape, PlacedShape>> pairs;
        for (int k = 0; k < kWidth; ++k)
        {
            pairs.push_back(make_random_pair(first, second, random));
            pairs.back().first.size = pairs.front().first.size;
            pairs.back().second.size = pairs.front().second.size;
        }
        const double reach = random.chance(0.5) ? 0 : random.uniform(0, 0.3);
        different += count_different<Form, Pack8, float>(pairs, reach, touching);
        different += count_different<Form, Pack4, double>(pairs, reach, touching);
        pairs.erase(pairs.begin(), pairs.begin() + 4);
        different += count_different<Form, Pack4, double>(pairs, reach, touching);
    }
    EXPECT_EQ(different, 0);
    EXPECT_GT(touching, kPacks * kWidth / 2);  // poses that test something
}

}  // namespace

TEST(ClosedForms, of_planes_have_the_bits_of_one_world_in_every_lane)
{
    expect_lanes_equal_single_worlds<PlaneSphere>(ShapeType::plane, ShapeType::sphere);
    expect_lanes_equal_single_worlds<PlaneCapsule>(ShapeType::plane, ShapeType::capsule);
    expect_lanes_equal_single_worlds<PlaneBox>(ShapeType::plane, ShapeType::box);
    expect_lanes_equal_single_worlds<PlaneCylinder>(ShapeType::plane, ShapeType::cylinder);
    expect_lanes_equal_single_worlds<PlaneEllipsoid>(ShapeType::plane, ShapeType::ellipsoid);
}

TEST(ClosedForms, of_balls_have_the_bits_of_one_world_in_every_lane)
{
    expect_lanes_equal_single_worlds<SphereSphere>(ShapeType::sphere, ShapeType::sphere);
    expect_lanes_equal_single_worlds<SphereCapsule>(ShapeType::sphere, ShapeType::capsule);
    expect_lanes_equal_single_worlds<SphereBox>(ShapeType::sphere, ShapeType::box);
    expect_lanes_equal_single_worlds<SphereCylinder>(ShapeType::sphere, ShapeType::cylinder);
}

TEST(ClosedForms, of_capsules_have_the_bits_of_one_world_in_every_lane)
{
    expect_lanes_equal_single_worlds<CapsuleCapsule>(ShapeType::capsule, ShapeType::capsule);
}

}  // namespace rattleback
