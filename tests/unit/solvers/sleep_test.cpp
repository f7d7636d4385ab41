// Sleep and union-find that solvers share: against brute force, and rule by rule.
#include "solvers/shared/sleep.h"
#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rattleback
{
namespace
{

TEST(DisjointSets, name_every_set_by_its_smallest_member)
{
    constexpr int kCount = 40;
    std::mt19937 random(7);
    for (int links = 0; links < 60; links += 5)
    {
        DisjointSets sets;
        sets.reset(kCount);
        std::vector<int> name(kCount);  // by brute force: a link renames the larger name everywhere
        for (int i = 0; i < kCount; ++i) name[at(i)] = i;
        for (int k = 0; k < links; ++k)
        {
            const int a = static_cast<int>(random() % kCount), b = static_cast<int>(random() % kCount);
            sets.join(a, b);
            const auto [low, high] = std::minmax({name[at(a)], name[at(b)]});
            std::replace(name.begin(), name.end(), high, low);
        }
        for (int i = 0; i < kCount; ++i) EXPECT_EQ(sets.find(i), name[at(i)]);
    }
}

/// So many units, each quiet for so many steps.
SleepState make_state(std::size_t units, int quiet)
{
    SleepState state;
    state.reset(units);
    state.quiet.assign(units, quiet);
    return state;
}

TEST(SleepState, islands_fall_asleep_and_wake_only_as_a_whole)
{
    SleepState state = make_state(5, kQuietSteps);
    state.quiet[3] = kQuietSteps - 1;
    const std::vector<int> island_of = {0, 1, 0, 1, -1};
    std::vector<int> names;
    state.fall_asleep(island_of, names);
    EXPECT_TRUE(state.sleeps(0) && state.sleeps(2));
    EXPECT_EQ(state.island[0], state.island[2]);
    EXPECT_FALSE(state.sleeps(1) || state.sleeps(3)) << "one of them was not quiet for long enough";
    EXPECT_FALSE(state.sleeps(4)) << "it is in no island";

    state.quiet[3] = kQuietSteps;
    state.fall_asleep(island_of, names);
    EXPECT_TRUE(state.sleeps(1) && state.sleeps(3));
    EXPECT_NE(state.island[0], state.island[1]);

    state.wake(2);
    EXPECT_FALSE(state.sleeps(0) || state.sleeps(2));
    EXPECT_EQ(state.quiet[0], 0);
    EXPECT_TRUE(state.sleeps(1) && state.sleeps(3));
}

TEST(SleepState, islands_that_fall_asleep_one_after_the_other_never_share_a_name)
{
    constexpr int kUnits = 12;
    std::mt19937 random(3);
    SleepState state = make_state(kUnits, 0);
    std::vector<int> names, born(kUnits, -1);  // born: when the unit fell asleep
    for (int step = 0; step < 300; ++step)
    {
        std::vector<int> island_of(kUnits);
        for (int u = 0; u < kUnits; ++u)
        {
            island_of[at(u)] = static_cast<int>(random() % 5);
            if (!state.sleeps(u)) state.quiet[at(u)] = random() % 3 > 0 ? kQuietSteps : 0;
        }
        const SleepState before = state;
        state.fall_asleep(island_of, names);
        for (int u = 0; u < kUnits; ++u)
        {
            if (state.sleeps(u) && !before.sleeps(u)) born[at(u)] = 5 * step + island_of[at(u)];
        }
        for (int a = 0; a < kUnits; ++a)
        {
            for (int b = 0; b < a; ++b)
            {
                if (!state.sleeps(a) || !state.sleeps(b)) continue;
                EXPECT_EQ(state.island[at(a)] == state.island[at(b)], born[at(a)] == born[at(b)]);
            }
        }
        state.wake(static_cast<int>(random() % kUnits));
    }
}

TEST(SleepState, counts_quiet_steps_of_units_that_may_rest_and_are_awake)
{
    SleepState state = make_state(3, 4);
    state.island[2] = 2;
    const std::vector<char> restless = {0, 1, 0};
    for (int i = 0; i < 2 * kQuietSteps; ++i) state.count_quiet_step(restless);
    EXPECT_EQ(state.quiet, (std::vector<int>{kQuietSteps, 0, 4}));
    EXPECT_TRUE(state.any_sleeps());
    EXPECT_FALSE(state.all_sleep());
}

/// A contact of two bodies at a distance, margin zero.
Contact make_contact(int first, int second, double distance)
{
    Contact contact;
    contact.first_body = BodyId{first};
    contact.second_body = BodyId{second};
    contact.distance = distance;
    return contact;
}

TEST(WakeTouched, runs_from_island_to_island_through_contacts_that_act)
{
    // Bodies 1 .. 5 are units 0 .. 4, body 0 is the world and body 6 kinematic. Unit 0 is awake.
    const auto unit_of_body = [](int body) { return body >= 1 && body <= 5 ? body - 1 : -1; };
    SleepState state = make_state(5, kQuietSteps);
    state.island = {-1, 1, 2, 1, 4};
    Contacts contacts;
    contacts.items = {make_contact(4, 3, -0.01), make_contact(1, 2, -0.01), make_contact(0, 5, -0.01),
                      make_contact(5, 4, 0.01), make_contact(5, 6, -0.01)};
    bool moving = false;
    const auto moves = [&](int body) { return body == 6 && moving; };
    SleepState still = state;
    wake_touched(contacts, unit_of_body, moves, still);
    // 1 touches 2, which sleeps with 4, which touches 3; 5 lies on the world, apart from 4 and beside a body at rest.
    EXPECT_EQ(still.island, (std::vector<int>{-1, -1, -1, -1, 4}));
    moving = true;
    wake_touched(contacts, unit_of_body, moves, state);
    EXPECT_EQ(state.island, (std::vector<int>{-1, -1, -1, -1, -1}));
}

}  // namespace
}  // namespace rattleback
