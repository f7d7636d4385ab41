// Groups of four contacts: each contact once, and no moving body twice in a group.
#include "solvers/comfree/crowd_groups.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace rattleback::comfree
{

TEST(CrowdGroups, hold_every_contact_once_and_no_moving_body_twice)
{
    std::mt19937 random(3);
    CrowdGroups colours;
    for (int round = 0; round < 500; ++round)
    {
        // Bodies 0 to 2 stand still; few bodies with many contacts need more colours than a word has bits.
        const int bodies = 4 + static_cast<int>(random() % 60), count = static_cast<int>(random() % 400);
        std::vector<int> place(static_cast<std::size_t>(bodies));
        for (int b = 3; b < bodies; ++b) place[static_cast<std::size_t>(b)] = b - 2;
        std::vector<ContactSlot<double>> slots;
        while (static_cast<int>(slots.size()) < count)
        {
            ContactSlot<double> slot{};
            slot.first_body = static_cast<int>(random()) % bodies;
            slot.second_body = static_cast<int>(random()) % bodies;
            slot.first_body = std::abs(slot.first_body);
            slot.second_body = std::abs(slot.second_body);
            if (slot.first_body != slot.second_body && std::max(slot.first_body, slot.second_body) > 2)
                slots.push_back(slot);
        }
        colours.build(slots, place, bodies - 2);
        std::vector<int> seen(slots.size());
        for (std::size_t g = 0; g < colours.groups().size(); ++g)
        {
            const CrowdGroup& group = colours.groups()[g];
            std::multiset<int> moving;
            ASSERT_GT(group.count, 0);
            for (int k = 0; k < 4; ++k)
            {
                const auto s = static_cast<std::size_t>(group.slot[k]);
                if (k >= group.count)
                {
                    EXPECT_EQ(group.first[k] + group.second[k], 0) << "an empty lane moves nothing";
                    continue;
                }
                ++seen[s];
                const int first = place[static_cast<std::size_t>(slots[s].first_body)];
                const int second = place[static_cast<std::size_t>(slots[s].second_body)];
                EXPECT_EQ(g >= colours.first_grounded(), first == 0 || second == 0);
                EXPECT_EQ(group.first[k] + group.second[k], first + second);
                EXPECT_EQ(group.sign[k], second == 0 ? -1 : 1);
                for (const int body : {first, second})
                    if (body > 0) moving.insert(body);
            }
            EXPECT_EQ(moving.size(), std::set<int>(moving.begin(), moving.end()).size());
        }
        for (const int times : seen) EXPECT_EQ(times, 1);
    }
}

}  // namespace rattleback::comfree
