// Solver avbd on piles: the same bits with any number of threads and across a snapshot, points recycled, no allocation.
#include "lab/scenes/piles.h"
#include "lab/scenes/stacks.h"
#include "support/counting_allocator.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rattleback
{
namespace
{

/// 91 boxes in six layers that fall on each other and come to rest.
Simulation drop_pyramid(const Parameters& parameters = {})
{
    return Simulation(lab::build_pyramid({.layers = 6, .gap = 0.1}).value(),
                      {.solver = "avbd", .dt = 1.0 / 60, .parameters = parameters});
}

double find_top(const Simulation& simulation)
{
    double top = 0;
    for (const Pose& pose : simulation.state().body_pose) top = std::max(top, pose.position.z);
    return top;
}

/// Saved after `before` steps and restored into another simulation, does it go on as if nothing had been?
template <class Make>
void expect_snapshot_continues(Make make, int before)
{
    Simulation simulation = make();
    simulation.run_steps(before);
    const Snapshot snapshot = simulation.snapshot();
    simulation.run_steps(60);
    Simulation other = make();
    ASSERT_TRUE(other.restore(snapshot).ok());
    other.run_steps(60);
    EXPECT_EQ(hash(other.state()), hash(simulation.state()));
}

/// Allocations in so many steps that were taken before.
long count_warm_allocations(Simulation simulation, int steps)
{
    // buffers of even and odd steps change places: both have to see all of it
    simulation.run_steps(steps + 1);
    simulation.reset();
    simulation.run_steps(steps);
    simulation.reset();
    const long before = allocation_count();
    simulation.run_steps(steps);
    return allocation_count() - before;
}

TEST(Avbd, threads_do_not_change_a_bit)
{
    for (const char* precision : {"double", "single"})
    {
        Simulation single = drop_pyramid({{"precision", precision}});
        single.run_steps(25);
        for (const int threads : {2, 3, 8})
        {
            Simulation several = drop_pyramid({{"precision", precision}, {"threads", threads}});
            several.run_steps(25);
            EXPECT_EQ(hash(several.state()), hash(single.state())) << precision << ", " << threads;
        }
    }
}

TEST(Avbd, threads_do_not_change_a_bit_of_trees)
{
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3})
    {
        Simulation simulation(lab::build_ragdolls({.count = 27}).value(),
                              {.solver = "avbd", .dt = 1.0 / 60, .parameters = {{"threads", threads}}});
        simulation.run_steps(25);
        const std::uint64_t value = hash(simulation.state());
        if (threads == 1) expected = value;
        EXPECT_EQ(value, expected) << threads;
    }
}

TEST(Avbd, threads_do_not_change_a_bit_of_links_that_many_couplings_share)
{
    // one driver and forty wheels that follow it, each a block of its own: for the thread sanitizer
    ModelBuilder builder;
    const Inertia wheel{.mass = 1, .position = {0.2, 0, 0}, .diagonal = {0.1, 0.1, 0.1}};
    const JointId driver = builder.add_joint(builder.add_body({.inertia = wheel}), {.axis = {0, 1, 0}});
    for (int i = 1; i <= 40; ++i)
    {
        const BodyId body = builder.add_body({.position = {0, 0.5 * i, 0}, .inertia = wheel});
        const JointId joint = builder.add_joint(body, {.axis = {0, 1, 0.01 * i}});
        builder.add_joint_coupling(driver, joint, {0, 1 + 0.01 * i, 0, 0, 0});
    }
    const Model model = builder.build().value();
    std::uint64_t expected = 0;
    for (const int threads : {1, 2, 3})
    {
        Simulation simulation(Model(model), {.solver = "avbd",
                                             .dt = 1.0 / 60,
                                             .parameters = {{"threads", threads}, {"blocks", std::string("bodies")}}});
        simulation.run_steps(30);
        const std::uint64_t value = hash(simulation.state());
        if (threads == 1) expected = value;
        EXPECT_EQ(value, expected) << threads;
    }
}

TEST(Avbd, a_snapshot_of_a_pile_continues_bit_for_bit)
{
    expect_snapshot_continues([] { return drop_pyramid(); }, 90);
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

/// Five boxes on each other beside a lone one, and a ball that reaches the top one after about a second.
Simulation make_sleepers(bool sleep = true)
{
    ModelBuilder builder("sleepers");
    builder.add_ground();
    for (int i = 0; i < 6; ++i)
    {
        const Vec3 position = i < 5 ? Vec3{0, 0, 0.5 + i} : Vec3{5, 0, 0.5};
        const BodyId box = builder.add_body({.name = "box" + std::to_string(i), .position = position});
        builder.add_shape(box, Box{.half_extents = {0.5, 0.5, 0.5}}, {.density = 100});
    }
    const BodyId ball = builder.add_body({.name = "ball", .position = {0.1, 0, 12}});
    builder.add_shape(ball, Sphere{.radius = 0.4}, {.density = 100});
    return Simulation(builder.build().value(), {.solver = "avbd", .dt = 1.0 / 60, .parameters = {{"sleep", sleep}}});
}

bool is_still(const State& state, std::size_t body) { return state.body_velocity[body] == Velocity{}; }

TEST(Avbd, bodies_at_rest_sleep_until_something_touches_them)
{
    Simulation simulation = make_sleepers();
    simulation.run_steps(45);
    const std::vector<Pose> poses = simulation.state().body_pose;
    ASSERT_TRUE(is_still(simulation.state(), 1)) << "the stack sleeps";
    ASSERT_FALSE(is_still(simulation.state(), 7)) << "the ball falls";
    simulation.run_steps(5);
    for (std::size_t b = 1; b < 7; ++b) EXPECT_EQ(simulation.state().body_pose[b], poses[b]) << b;
    bool woke = false;
    for (int i = 0; i < 40; ++i)
    {
        simulation.step();
        woke = woke || !is_still(simulation.state(), 5);
        EXPECT_TRUE(is_still(simulation.state(), 6)) << "nothing touched the lone box";
    }
    EXPECT_TRUE(woke) << "the ball fell on it";
    EXPECT_LT(simulation.state().body_pose[7].position.z, 6.0);
    EXPECT_GT(simulation.state().body_pose[5].position.z, 0.49);
}

TEST(Avbd, a_sleeping_world_takes_no_iterations_and_wakes_when_pushed)
{
    Simulation simulation = drop_pyramid({{"sleep", true}});
    int steps = 0;
    while (steps < 1200 && simulation.step().iterations > 0) ++steps;
    ASSERT_LT(steps, 1200) << "the pile never slept";
    const std::vector<Pose> poses = simulation.state().body_pose;
    const std::size_t forces = simulation.contact_forces().items.size();
    EXPECT_EQ(simulation.run_steps(10).iterations, 0);
    EXPECT_EQ(simulation.state().body_pose, poses);
    EXPECT_EQ(simulation.contact_forces().items.size(), forces);

    const std::size_t top = simulation.state().body_pose.size() - 1;
    simulation.control().body_wrench[top].force = {0, 0, 1e6};
    EXPECT_GT(simulation.step().iterations, 0);
    simulation.run_steps(5);
    EXPECT_GT(simulation.state().body_pose[top].position.z, poses[top].position.z + 1e-3);
}

TEST(Avbd, a_snapshot_of_sleepers_continues_bit_for_bit)
{
    expect_snapshot_continues([] { return make_sleepers(); }, 50);
}

TEST(Avbd, allocates_nothing_in_a_step_once_warm) { EXPECT_EQ(count_warm_allocations(drop_pyramid(), 150), 0); }

TEST(Avbd, allocates_nothing_in_a_step_of_trees_with_two_threads_once_warm)
{
    Simulation ragdolls(lab::build_ragdolls({.count = 27}).value(),
                        {.solver = "avbd", .dt = 1.0 / 60, .parameters = {{"threads", 2}}});
    EXPECT_EQ(count_warm_allocations(std::move(ragdolls), 90), 0);
}

}  // namespace
}  // namespace rattleback
