// Solver avbd on piles: the same bits with any number of threads and across a snapshot, points recycled, no allocation.
#include "lab/scenes/stacks.h"
#include "support/counting_allocator.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

/// 204 boxes in eight layers that fall on each other and come to rest.
Simulation drop_pyramid(const Parameters& parameters = {})
{
    return Simulation(lab::build_pyramid({.layers = 8, .gap = 0.1}).value(),
                      {.solver = "avbd", .dt = 1.0 / 60, .parameters = parameters});
}

double find_top(const Simulation& simulation)
{
    double top = 0;
    for (const Pose& pose : simulation.state().body_pose) top = std::max(top, pose.position.z);
    return top;
}

TEST(Avbd, threads_do_not_change_a_bit)
{
    for (const char* precision : {"double", "single"})
    {
        Simulation single = drop_pyramid({{"precision", precision}});
        single.run_steps(60);
        for (const int threads : {2, 3, 8})
        {
            Simulation several = drop_pyramid({{"precision", precision}, {"threads", threads}});
            several.run_steps(60);
            EXPECT_EQ(hash(several.state()), hash(single.state())) << precision << ", " << threads;
        }
    }
}

TEST(Avbd, a_snapshot_of_a_pile_continues_bit_for_bit)
{
    Simulation simulation = drop_pyramid();
    simulation.run_steps(90);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_steps(60);
    Simulation other = drop_pyramid();
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_steps(60);
    EXPECT_EQ(hash(other.state()), hash(simulation.state()));
}

TEST(Avbd, recycled_contact_points_hold_a_pile_as_fresh_ones_do)
{
    Simulation fresh = drop_pyramid({{"recycling", false}}), recycled = drop_pyramid();
    fresh.run_steps(240);
    recycled.run_steps(240);
    EXPECT_NE(hash(fresh.state()), hash(recycled.state())) << "nothing was recycled";
    EXPECT_NEAR(find_top(recycled), find_top(fresh), 2e-3);
    const auto deepest = [](const Simulation& simulation)
    {
        double depth = 0;
        for (const Contact& contact : simulation.contacts().items) depth = std::max(depth, -contact.distance);
        return depth;
    };
    EXPECT_LT(deepest(recycled), deepest(fresh) + 1e-3);
    double fastest = 0;
    for (const Velocity& velocity : recycled.state().body_velocity) fastest = std::max(fastest, norm(velocity.linear));
    EXPECT_LT(fastest, 0.02);
}

TEST(Avbd, allocates_nothing_in_a_step_once_warm)
{
    Simulation simulation = drop_pyramid();
    // buffers of even and odd steps change places: both have to see all of it
    simulation.run_steps(151);
    simulation.reset();
    simulation.run_steps(150);
    simulation.reset();
    const long before = allocation_count();
    simulation.run_steps(150);
    EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace rattleback
