// Each world of a Batch beside a Simulation that does the same: bit for bit, in all that both show.
#include "unit/engine/two_boxes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace rattleback
{

namespace
{

constexpr int kWorlds = 3;

template <class T>
bool same_bits(std::span<const T> a, std::span<const T> b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// A batch of three worlds and a simulation for each of them.
struct Twins
{
    Twins(const std::shared_ptr<const Model>& model, const SolverInfo& info)
        : batch(rattleback::make_batch(model, info, kWorlds))
    {
        for (int w = 0; w < kWorlds; ++w)
        {
            singles.push_back(make_simulation(model, info));
            push(singles.back().state(), 0, w);
            push(batch.state(), w, w);
            singles.back().refresh();
        }
        batch.refresh();
    }

    void run(int steps)
    {
        batch.run_steps(steps);
        for (Simulation& single : singles) reports.push_back(single.run_steps(steps));
        reports.erase(reports.begin(), reports.end() - kWorlds);
    }

    void expect_equal(const char* when) const
    {
        for (int w = 0; w < kWorlds; ++w)
        {
            SCOPED_TRACE(std::string(when) + ", world " + std::to_string(w));
            const Simulation& single = singles[static_cast<std::size_t>(w)];
            const Snapshot ours = batch.snapshot(w), theirs = single.snapshot();
            EXPECT_EQ(hash(batch.state(), w), hash(single.state(), 0));
            EXPECT_EQ(to_bytes(ours), to_bytes(theirs));
            EXPECT_TRUE(same_bits<double>(batch.sensors(w), single.sensors()));
            EXPECT_TRUE(same_bits<double>(batch.sensor(SensorId{1}, w), single.sensor(SensorId{1})));
            EXPECT_TRUE(same_bits<Wrench>(batch.contact_forces(w).items, single.contact_forces().items));
            ASSERT_EQ(batch.contacts(w).count(), single.contacts().count());
            for (int i = 0; i < single.contacts().count(); ++i)
            {
                const auto k = static_cast<std::size_t>(i);
                const Contact &a = batch.contacts(w).items[k], &b = single.contacts().items[k];
                EXPECT_TRUE(a.first_shape == b.first_shape && a.second_shape == b.second_shape &&
                            a.feature == b.feature && a.point == b.point && a.distance == b.distance);
            }
            EXPECT_EQ(batch.energy(w).total(), single.energy().total());
            const auto dofs = static_cast<std::size_t>(batch.state().v_count);
            EXPECT_TRUE(same_bits<double>(batch.accelerations().subspan(static_cast<std::size_t>(w) * dofs, dofs),
                                          single.acceleration()));
        }
    }

    Batch batch;
    std::vector<Simulation> singles;
    std::vector<StepReport> reports;
};

}  // namespace

TEST(BatchParity, worlds_step_reset_restore_and_look_forward_as_simulations_do_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Twins twins(model, *info);
        twins.expect_equal("at the start");
        twins.run(25);
        twins.expect_equal("after some steps");
        const Snapshot snapshot = twins.batch.snapshot(2);
        twins.run(10);

        // each world in another way: a keyframe, a state of another world, a snapshot of another world
        twins.batch.reset(0, KeyframeId{0});
        twins.singles[0].reset(KeyframeId{0});
        const State past = snapshot.state;
        ASSERT_TRUE(twins.batch.reset(1, past).ok());
        ASSERT_TRUE(twins.singles[1].reset(past).ok());
        ASSERT_TRUE(twins.batch.restore(2, twins.singles[1].snapshot()).ok());
        ASSERT_TRUE(twins.singles[2].restore(snapshot).ok());
        ASSERT_TRUE(twins.batch.restore(2, snapshot).ok());
        twins.expect_equal("after resets");
        twins.run(10);
        twins.expect_equal("after steps from there");
        twins.batch.forward();
        for (Simulation& single : twins.singles) single.forward();
        twins.expect_equal("after looking forward");
        twins.run(10);
        twins.expect_equal("and on");
        twins.batch.reset(1);
        twins.singles[1].reset();
        twins.expect_equal("back to the start");
    }
}

TEST(BatchParity, a_call_before_each_step_sees_and_drives_what_a_loop_of_steps_would_with_every_solver)
{
    const auto model = make_two_boxes();
    // a force against the motion, and one that only the sensors know of
    const auto drive = [](const ConstWorldView& world, std::span<const double> sensors, Wrench& wrench)
    { wrench.force = {-20 * world.body_velocity[1].linear.x, 1e-3 * sensors[3], 0}; };
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Twins twins(model, *info), called(model, *info);
        Batch& batch = called.batch;
        batch.run_steps(20,
                        [&](int w)
                        {
                            drive(std::as_const(batch).state().world(w), batch.sensors(w),
                                  batch.control().body_wrench[static_cast<std::size_t>(w) * 3 + 1]);
                        });
        for (Simulation& single : called.singles)
            single.run_steps(20,
                             [&] { drive(single.state().world(), single.sensors(), single.control().body_wrench[1]); });
        for (int i = 0; i < 20; ++i)
        {
            for (Simulation& single : twins.singles)
            {
                drive(single.state().world(), single.sensors(), single.control().body_wrench[1]);
                single.step();
            }
        }
        called.expect_equal("called");
        for (int w = 0; w < kWorlds; ++w)
        {
            const auto k = static_cast<std::size_t>(w);
            EXPECT_EQ(to_bytes(called.singles[k].snapshot()), to_bytes(twins.singles[k].snapshot())) << w;
        }
    }
}

TEST(BatchParity, a_world_explains_its_trouble_as_a_simulation_does_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Twins twins(model, *info);
        twins.run(5);
        EXPECT_EQ(twins.batch.explain(1), "");
        for (const double force : {std::nan(""), 1e30})
        {
            twins.batch.control().body_wrench[1 * 3 + 2].force.x = force;
            twins.singles[1].control().body_wrench[2].force.x = force;
            twins.run(1);
            EXPECT_EQ(twins.reports[1].status, StepStatus::diverged);
            EXPECT_NE(twins.batch.explain(1), "");
            EXPECT_EQ(twins.batch.explain(1), twins.singles[1].explain(twins.reports[1]));
            EXPECT_EQ(twins.batch.explain(0), "");
        }
        // The pushed box, or the one that it drags along: the first by its number that went astray.
        const BodyId culprit = twins.reports[1].culprit_body;
        EXPECT_TRUE(culprit == BodyId{1} || culprit == BodyId{2}) << culprit.index;
        EXPECT_EQ(twins.reports[1].culprit_dof >= 0, info->coordinates == Coordinates::joints);
    }
}

TEST(BatchParity, a_state_of_another_model_is_refused_and_nothing_changes)
{
    const auto model = make_two_boxes();
    Batch batch = make_batch(model, **find_solver("convex"), 2);
    batch.run_steps(3);
    const std::uint64_t before = hash(batch.state());
    EXPECT_FALSE(batch.reset(1, State(ModelBuilder().build().value())).ok());
    State broken(*model);
    broken.v[3] = std::nan("");
    EXPECT_FALSE(batch.reset(1, broken).ok());
    Snapshot other = batch.snapshot(0);
    other.parameters["stick"] = false;
    const Status refused = batch.restore(1, other);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.errors().front().message.find("'stick'"), std::string::npos) << to_text(refused.errors());
    EXPECT_EQ(hash(batch.state()), before);
}

}  // namespace rattleback
