// Arrays that callers look at stay where they are, and contacts say when they are others.
#include "unit/engine/two_boxes.h"

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

/// Where everything lies that somebody may have a view of.
std::vector<const void*> find_places(const State& state, const Control& control, std::span<const double> sensors,
                                     std::span<const double> accelerations)
{
    return {state.time.data(),
            state.step.data(),
            state.q.data(),
            state.v.data(),
            state.act.data(),
            state.body_pose.data(),
            state.body_velocity.data(),
            control.input.data(),
            control.joint_force.data(),
            control.body_wrench.data(),
            control.target.data(),
            sensors.data(),
            accelerations.data()};
}

}  // namespace

TEST(Views, of_a_simulation_hold_through_step_reset_and_restore_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Simulation simulation = make_simulation(model, *info);
        const auto places = [&]
        {
            std::vector<const void*> all =
                find_places(simulation.state(), simulation.control(), simulation.sensors(), simulation.acceleration());
            all.push_back(&simulation.contacts());
            all.push_back(&simulation.contact_forces());
            if (info->finds_own_contacts) return all;  // many points: their storage may grow
            all.push_back(simulation.contacts().items.data());
            all.push_back(simulation.contact_forces().items.data());
            return all;
        };
        const std::vector<const void*> first = places();
        simulation.run_steps(20);
        EXPECT_EQ(places(), first) << "step";
        const Snapshot snapshot = simulation.snapshot();
        simulation.forward();
        EXPECT_EQ(places(), first) << "forward";
        simulation.reset();
        EXPECT_EQ(places(), first) << "reset";
        simulation.reset(KeyframeId{0});
        EXPECT_EQ(places(), first) << "reset to a keyframe";
        ASSERT_TRUE(simulation.reset(snapshot.state).ok());
        EXPECT_EQ(places(), first) << "reset to a state";
        ASSERT_TRUE(simulation.restore(to_snapshot(to_bytes(snapshot)).value()).ok());
        EXPECT_EQ(places(), first) << "restore";
        simulation.refresh();
        simulation.run_for(0.05);
        EXPECT_EQ(places(), first) << "and on";
    }
}

TEST(Views, of_a_batch_hold_through_step_reset_and_restore_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Batch batch = make_batch(model, *info, 3);
        const auto places = [&]
        {
            std::vector<const void*> all =
                find_places(batch.state(), batch.control(), batch.sensors(), batch.accelerations());
            for (int w = 0; w < 3; ++w)
            {
                all.push_back(&batch.contacts(w));
                all.push_back(batch.sensors(w).data());
                if (info->finds_own_contacts) continue;  // many points: their storage may grow
                all.push_back(batch.contacts(w).items.data());
                all.push_back(batch.contact_forces(w).items.data());
            }
            return all;
        };
        const std::vector<const void*> first = places();
        batch.run_steps(20);
        const Snapshot snapshot = batch.snapshot(1);
        batch.forward();
        batch.reset(0);
        batch.reset(1, KeyframeId{0});
        ASSERT_TRUE(batch.reset(2, snapshot.state).ok());
        ASSERT_TRUE(batch.restore(0, snapshot).ok());
        EXPECT_EQ(places(), first);
        batch.step();
        batch.reset();
        batch.refresh();
        EXPECT_EQ(places(), first);
    }
}

TEST(Views, of_contacts_are_told_by_the_generation_that_they_are_of_the_past)
{
    Simulation simulation = make_simulation(make_two_boxes(), **find_solver("convex"));
    const Contacts& contacts = simulation.contacts();
    std::uint64_t last = contacts.generation();
    const auto expect_new = [&](const char* what)
    {
        EXPECT_NE(contacts.generation(), last) << what;
        last = contacts.generation();
    };
    simulation.step();
    expect_new("step");
    simulation.forward();
    expect_new("forward");
    const Snapshot snapshot = simulation.snapshot();
    simulation.reset();
    expect_new("reset");
    ASSERT_TRUE(simulation.restore(snapshot).ok());
    expect_new("restore");
    simulation.state().q[0] += 0.1;
    simulation.refresh();
    expect_new("a written place");
    simulation.refresh();
    EXPECT_EQ(contacts.generation(), last) << "nothing was written";
}

}  // namespace rattleback
