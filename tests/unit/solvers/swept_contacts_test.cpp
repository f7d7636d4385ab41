// Fast bodies: the glance that most steps stop at, against the judgement itself.
#include "solvers/shared/swept_contacts.h"

#include "dynamics/bias.h"
#include "dynamics/forces.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

TEST(SweptContacts, a_glance_calls_bodies_slow_only_where_none_is_fast)
{
    int slow = 0, fast = 0, in_doubt = 0;
    StageTimer timer(false);
    for (std::uint64_t seed = 1; seed <= 400; ++seed)
    {
        const Model model = make_random_model(seed, {.kinematic_bodies = seed % 4 == 0, .shapes = true});
        const Tree tree(model);
        Workspace<double> w(tree);
        const RandomState state = make_random_state(model, seed);
        // Steps of 1 ms to 1 s: bodies of some centimetres that move by metres per second are slow, then fast.
        const double dt = 1e-3 * static_cast<double>(1 << (seed % 11));
        std::copy(state.q.begin(), state.q.end(), w.q.begin());
        std::copy(state.v.begin(), state.v.end(), w.v.begin());
        compute_position_stage(w, timer);
        compute_velocities(w);
        SweptContacts swept(model);
        const bool any_fast = swept.any_fast(swept.place(w), w.gravity[0], dt);
        const bool all_slow = swept.all_slow(w, dt);
        EXPECT_FALSE(any_fast && all_slow) << "seed " << seed;
        // Tracks are looked at in full.
        EXPECT_FALSE(all_slow && !tree.kinematic_bodies.empty());
        slow += all_slow ? 1 : 0;
        fast += any_fast ? 1 : 0;
        in_doubt += !all_slow && !any_fast && tree.kinematic_bodies.empty() ? 1 : 0;
    }
    // Both answers occur, and the glance settles most of what is slow.
    EXPECT_GT(slow, 50);
    EXPECT_GT(fast, 50);
    EXPECT_LT(in_doubt, slow / 2);
}

}  // namespace
}  // namespace rattleback
