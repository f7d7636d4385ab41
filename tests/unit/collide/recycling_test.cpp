// Recycled contact points: as good as fresh ones, given up in time, the same for any number of threads.
#include "collide/recycle.h"
#include "lab/scenes/stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>

namespace rattleback
{
namespace
{

constexpr double kMargin = 0.01;

/// Boxes of 2 m that overlap a little, as in a pile at rest.
struct Pile
{
    Model model = lab::build_pyramid({.layers = 6}).value();
    State state{model};
    Collider collider;
    ColliderMemory memory;
    KeptManifolds kept, next;
    Contacts contacts;

    explicit Pile(int threads = 1) : collider(model, {.thread_count = threads, .max_points = 4}) {}

    const Contacts& recycle()
    {
        recycle_contacts(collider, state.world(), kMargin, memory, kept, next, contacts);
        std::swap(kept, next);
        return contacts;
    }
    Contacts find_fresh(double margin = kMargin)
    {
        ColliderMemory other;
        return collider.find_contacts(state.world(), margin, other);
    }
    /// Moves every body by at most so much [m], a third of it by turning.
    void shake(double reach, unsigned seed)
    {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> any(-1, 1);
        for (std::size_t b = 1; b < state.body_pose.size(); ++b)
        {
            Pose& pose = state.body_pose[b];
            pose.position += (reach / 3) * Vec3{any(random), any(random), any(random)};
            const Vec3 axis{any(random), any(random), 1.5};
            pose.rotation = from_axis_angle(axis, reach / 6 * any(random)) * pose.rotation;
        }
    }
};

TEST(Recycling, follows_the_poses_to_second_order)
{
    Pile pile;
    pile.recycle();
    const std::size_t manifolds = pile.kept.manifolds.size();
    ASSERT_GT(manifolds, 300U);
    const Vec3 offset = pile.kept.manifolds[0].offset;
    pile.shake(5e-4, 1);
    const Contacts recycled = pile.recycle();
    EXPECT_EQ(pile.kept.manifolds[0].offset, offset) << "found anew though it hardly moved";
    const Contacts fresh = pile.find_fresh();
    // depth of every pair, whatever corners it is held by
    for (const Contact& contact : fresh.items)
    {
        double deepest = 1, expected = 1;
        for (const Contact& other : recycled.items)
        {
            if (other.first_shape == contact.first_shape && other.second_shape == contact.second_shape)
                deepest = std::min(deepest, other.distance);
        }
        for (const Contact& other : fresh.items)
        {
            if (other.first_shape == contact.first_shape && other.second_shape == contact.second_shape)
                expected = std::min(expected, other.distance);
        }
        ASSERT_NEAR(deepest, expected, 5e-6);
    }
}

TEST(Recycling, is_given_up_when_the_shapes_have_moved)
{
    Pile pile;
    pile.recycle();
    pile.shake(0.05, 2);
    const Contacts recycled = pile.recycle();
    const Contacts fresh = pile.find_fresh(kMargin + 2e-3 * std::sqrt(3.0));  // the reserve of boxes of 2 m
    const auto key = [](const Contact& c) { return std::tuple(c.first_shape, c.second_shape, c.feature); };
    ASSERT_GT(recycled.count(), 1000);
    for (const Contact& contact : recycled.items)
    {
        const auto same = std::find_if(fresh.items.begin(), fresh.items.end(),
                                       [&](const Contact& other) { return key(other) == key(contact); });
        ASSERT_NE(same, fresh.items.end());
        EXPECT_EQ(contact.distance, same->distance);
    }
}

TEST(Recycling, does_not_depend_on_the_number_of_threads)
{
    Pile single, several(3);
    for (unsigned step = 0; step < 6; ++step)
    {
        single.shake(4e-4, step);
        several.shake(4e-4, step);
        const Contacts a = single.recycle();
        const Contacts b = several.recycle();
        ASSERT_EQ(a.count(), b.count());
        for (std::size_t i = 0; i < a.items.size(); ++i) ASSERT_EQ(a.items[i].distance, b.items[i].distance);
        ASSERT_EQ(single.kept.points.size(), several.kept.points.size());
    }
}

TEST(Recycling, manifolds_of_a_damaged_file_are_refused)
{
    Pile pile;
    pile.recycle();
    EXPECT_TRUE(pile.kept.is_sound());
    pile.kept.manifolds.back().count = 9;
    EXPECT_FALSE(pile.kept.is_sound());
    pile.kept.manifolds.back().count = 1;
    pile.kept.manifolds.back().begin = static_cast<int>(pile.kept.points.size());
    EXPECT_FALSE(pile.kept.is_sound());
    pile.kept.manifolds.back().begin = -1;
    EXPECT_FALSE(pile.kept.is_sound());
}

}  // namespace
}  // namespace rattleback
