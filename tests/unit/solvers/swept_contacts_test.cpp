// Fast bodies: the glance at a workspace against the definition, body by body.
#include "solvers/shared/swept_contacts.h"

#include "dynamics/bias.h"
#include "dynamics/forces.h"
#include "dynamics/jacobian.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <utility>

namespace rattleback
{
namespace
{

TEST(SweptContacts, a_glance_at_a_workspace_finds_fast_bodies_where_the_definition_does)
{
    int slow = 0, fast = 0;
    StageTimer timer(false);
    for (std::uint64_t seed = 1; seed <= 400; ++seed)
    {
        const Model model = make_random_model(seed, {.kinematic_bodies = false, .shapes = true});
        const Tree tree(model);
        Workspace<double> w(tree);
        const RandomState state = make_random_state(model, seed);
        // Steps of 1 ms to 1 s: bodies of some centimetres that move by metres per second are slow, then fast.
        const double dt = 1e-3 * static_cast<double>(1 << (seed % 11));
        std::copy(state.q.begin(), state.q.end(), w.q.begin());
        std::copy(state.v.begin(), state.v.end(), w.v.begin());
        compute_position_stage(w, timer);
        compute_velocities(w);
        // Poses and velocities body by body.
        State world(model);
        for (int b = 1; b < model.body_count(); ++b)
        {
            const auto body = static_cast<std::size_t>(b);
            world.body_pose[body] = {w.position[b], w.rotation[b]};
            world.body_velocity[body] = {body_point_velocity(w, b, w.center[b]), body_angular_velocity(w, b)};
        }
        SweptContacts swept(model);
        const bool expected = swept.any_fast(std::as_const(world).world(), w.gravity[0], dt);
        EXPECT_EQ(swept.find_fast_lanes(w, dt), expected) << "seed " << seed;
        (expected ? fast : slow) += 1;
    }
    EXPECT_GT(slow, 50);
    EXPECT_GT(fast, 50);
}

}  // namespace
}  // namespace rattleback
