// Worlds in groups on threads: each as if alone, whatever the others do.
#include "engine/worlds.h"

#include "base/cpu_check.h"
#include "unit/engine/toy_solver.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

namespace rattleback
{

namespace
{

std::shared_ptr<const Model> make_two_sliders()
{
    ModelBuilder builder;
    BodyId parent = kWorld;
    for (int i = 0; i < 2; ++i)
    {
        parent = builder.add_body({.parent = parent, .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
        builder.add_joint(parent, {.type = JointType::slide, .axis = {1, 0, 0}});
    }
    builder.add_shape(parent, Sphere{}, {.category = 0, .mask = 0});
    builder.add_sensor(SensorType::accelerometer, parent);
    builder.add_sensor(SensorType::touch, BodyId{1});
    return std::make_shared<const Model>(builder.build().value());
}

Worlds make_worlds(const std::shared_ptr<const Model>& model, int world_count, int thread_count)
{
    return Worlds(make_setup(model, toy::kInfo, 0.01, {}).value(), world_count, thread_count);
}

void start(Worlds& worlds, int first_number = 0)
{
    for (int w = 0; w < worlds.world_count(); ++w)
    {
        const WorldView view = worlds.state.world(w);
        view.q[0] = 0.1 * (first_number + w);
        view.v[1] = 1.0 / (1 + first_number + w);
    }
    worlds.refresh();
}

std::vector<double> sensors_of(const Worlds& worlds, int world)
{
    const auto count = static_cast<std::size_t>(worlds.model().sensor_value_count);
    const auto part = worlds.sensors().subspan(count * static_cast<std::size_t>(world), count);
    return {part.begin(), part.end()};
}

}  // namespace

TEST(Worlds, are_bit_for_bit_what_each_is_alone_for_any_number_of_threads)
{
    const auto model = make_two_sliders();
    constexpr int kCount = 13;
    std::vector<std::uint64_t> alone;
    std::vector<std::vector<double>> sensors;
    for (int w = 0; w < kCount; ++w)
    {
        Worlds single = make_worlds(model, 1, 1);
        start(single, w);
        for (int i = 0; i < 20; ++i) single.run_steps(1);
        alone.push_back(hash(single.state, 0));
        sensors.push_back(sensors_of(single, 0));
    }
    for (const int threads : {1, 2, 3, 7})
    {
        toy::largest_group = 0;
        Worlds worlds = make_worlds(model, kCount, threads);
        EXPECT_EQ(worlds.thread_count(), std::min(threads, 4)) << "thirteen worlds are four groups";
        start(worlds);
        worlds.run_steps(15);
        worlds.run_steps(5);
        for (int w = 0; w < kCount; ++w)
        {
            EXPECT_EQ(hash(worlds.state, w), alone[static_cast<std::size_t>(w)]) << w << ", threads " << threads;
            EXPECT_EQ(sensors_of(worlds, w), sensors[static_cast<std::size_t>(w)]) << w << ", threads " << threads;
        }
        EXPECT_EQ(toy::largest_group, 4);
    }
}

TEST(Worlds, one_that_diverges_stays_where_it_was_and_the_others_go_on)
{
    const auto model = make_two_sliders();
    Worlds calm = make_worlds(model, 6, 2), troubled = make_worlds(model, 6, 2);
    start(calm);
    start(troubled);
    troubled.control.joint_force[3 * 2] = 5;  // world 3 fails at its step 5
    calm.run_steps(4);
    const std::uint64_t before_failure = hash(calm.state, 3);
    const std::vector<double> sensors_before = sensors_of(calm, 3);
    calm.run_steps(6);
    troubled.run_steps(10);
    for (int w = 0; w < 6; ++w)
    {
        if (w == 3) continue;
        EXPECT_EQ(hash(troubled.state, w), hash(calm.state, w)) << w;
        EXPECT_EQ(sensors_of(troubled, w), sensors_of(calm, w)) << w;
        EXPECT_EQ(troubled.reports()[static_cast<std::size_t>(w)].status, StepStatus::ok);
        EXPECT_EQ(troubled.reports()[static_cast<std::size_t>(w)].iterations, 10);
    }
    EXPECT_EQ(hash(troubled.state, 3), before_failure);
    EXPECT_EQ(sensors_of(troubled, 3), sensors_before) << "of the last step that was committed";
    EXPECT_EQ(troubled.state.step[3], 4);
    EXPECT_EQ(troubled.reports()[3].status, StepStatus::diverged);
    EXPECT_EQ(troubled.reports()[3].iterations, 4);

    // Once its trouble is gone it continues as if nothing had happened.
    troubled.control.joint_force[3 * 2] = 0;
    troubled.run_steps(6);
    EXPECT_EQ(hash(troubled.state, 3), hash(calm.state, 3));
}

TEST(Worlds, a_step_that_did_not_converge_is_committed_and_reported)
{
    Worlds worlds = make_worlds(make_two_sliders(), 2, 1);
    worlds.control.joint_force[0] = 1.5;
    worlds.run_steps(3);
    EXPECT_EQ(worlds.reports()[0].status, StepStatus::not_converged);
    EXPECT_EQ(worlds.reports()[1].status, StepStatus::ok);
    EXPECT_EQ(worlds.state.step[0], 3);
    EXPECT_EQ(worlds.state.time[0], 0.01 + 0.01 + 0.01);
}

TEST(Worlds, a_run_counts_its_steps_that_did_not_converge_and_those_that_moved_nothing)
{
    Worlds worlds = make_worlds(make_two_sliders(), 3, 1);
    start(worlds, 1);
    worlds.control.joint_force[0] = 1.5;
    worlds.control.joint_force[2] = -1;
    worlds.run_steps(5);
    EXPECT_EQ(worlds.reports()[0].unconverged_steps, 5);
    EXPECT_EQ(worlds.reports()[0].frozen_steps, 0);
    EXPECT_EQ(worlds.reports()[1].unconverged_steps, 5);
    EXPECT_EQ(worlds.reports()[1].frozen_steps, 5);
    EXPECT_EQ(worlds.reports()[2].unconverged_steps, 0);
    EXPECT_NE(worlds.explain(1, worlds.reports()[1]).find("5 of 5 steps that did not converge moved nothing"),
              std::string::npos);
    EXPECT_EQ(worlds.explain(0, worlds.reports()[0]).find("moved nothing"), std::string::npos);
}

TEST(Worlds, saved_memories_continue_and_foreign_ones_are_refused_without_a_trace)
{
    const auto model = make_two_sliders();
    Worlds worlds = make_worlds(model, 1, 1);
    start(worlds);
    worlds.run_steps(7);
    const Snapshot good = worlds.snapshot(0);
    const std::vector<double> sensors = sensors_of(worlds, 0);
    worlds.run_steps(5);

    Worlds other = make_worlds(model, 1, 1);
    ASSERT_TRUE(other.restore(0, good).ok());
    EXPECT_EQ(sensors_of(other, 0), sensors);
    other.run_steps(5);
    EXPECT_EQ(hash(other.state), hash(worlds.state));

    const std::uint64_t now = hash(other.state);
    for (std::size_t size = 0; size < good.memories[0].size(); ++size)
    {
        Snapshot cut = good;
        cut.memories[0].resize(size);
        EXPECT_FALSE(other.restore(0, cut).ok()) << size;
    }
    Snapshot longer = good;
    longer.memories[0].push_back(std::byte{0});
    EXPECT_FALSE(other.restore(0, longer).ok()) << "bytes left over";
    EXPECT_EQ(hash(other.state), now);
}

TEST(Worlds, reset_goes_back_to_the_very_first_bits)
{
    Worlds worlds = make_worlds(make_two_sliders(), 3, 1);
    const std::uint64_t first = hash(worlds.state);
    worlds.control.joint_force[0] = 4;
    worlds.run_steps(9);
    EXPECT_NE(hash(worlds.state), first);
    worlds.reset();
    EXPECT_EQ(hash(worlds.state), first);
    EXPECT_EQ(worlds.control.joint_force[0], 0);
    EXPECT_TRUE(worlds.contacts(0).items.empty());
    EXPECT_EQ(worlds.reports()[0].status, StepStatus::ok);
}

TEST(Worlds, as_many_are_given_to_a_solver_at_once_as_it_takes)
{
    SolverInfo wide = toy::kInfo;
    for (const int lanes : {1, 2, 8})
    {
        wide.lanes = lanes;
        toy::largest_group = 0;
        Worlds worlds(make_setup(make_two_sliders(), wide, 0.01, {}).value(), 9, 1);
        start(worlds);
        worlds.run_steps(3);
        EXPECT_EQ(toy::largest_group, lanes == 1 ? 0 : lanes) << "alone by step(), several by step_worlds()";
    }
}

TEST(Worlds, halves_of_packs_are_taken_where_these_are_wide_and_threads_would_wait)
{
    SolverInfo info = toy::kInfo;
    info.lanes = 4;
    info.find_lanes = [](const Parameters&) { return 8; };
    // Eight floats fill a narrow register: half of it would cost the same.
    const int half = has_wide_lanes() ? 4 : 8;
    for (const auto& [worlds, group] : {std::pair{8, half}, std::pair{16, 8}})
    {
        toy::largest_group = 0;
        Worlds both(make_setup(make_two_sliders(), info, 0.01, {}).value(), worlds, 2);
        start(both);
        both.run_steps(1);
        EXPECT_EQ(toy::largest_group, group) << worlds << " worlds on two threads";
    }
}

TEST(Worlds, a_solver_may_step_a_batch_by_itself_with_the_same_bits)
{
    SolverInfo own = toy::kInfo;
    own.make_batch = [](const Model&, const Parameters&, int) -> std::unique_ptr<BatchSolver>
    { return std::make_unique<toy::ToyBatch>(); };
    Worlds plain = make_worlds(make_two_sliders(), 5, 2);
    Worlds worlds(make_setup(make_two_sliders(), own, 0.01, {}).value(), 5, 2);
    for (Worlds* each : {&plain, &worlds})
    {
        start(*each);
        each->control.joint_force[3 * 2] = 5;  // world 3 fails at its step 5
        each->run_steps(4);
        each->run_steps(6);
    }
    EXPECT_EQ(hash(worlds.state), hash(plain.state));
    for (int w = 0; w < 5; ++w)
    {
        EXPECT_EQ(sensors_of(worlds, w), sensors_of(plain, w)) << w;
        EXPECT_EQ(worlds.reports()[static_cast<std::size_t>(w)].status,
                  plain.reports()[static_cast<std::size_t>(w)].status);
        EXPECT_EQ(worlds.snapshot(w).memories, plain.snapshot(w).memories) << w;
    }
}

TEST(Worlds, a_resized_array_is_caught)
{
    Worlds worlds = make_worlds(make_two_sliders(), 2, 1);
    worlds.state.q.push_back(0);
    EXPECT_DEATH(worlds.run_steps(1), "array of the state was resized");
    worlds.state.q.pop_back();
    worlds.control.input.push_back(0);
    EXPECT_DEATH(worlds.run_steps(1), "array of the control was resized");
}

TEST(Worlds, an_array_that_a_callback_replaces_is_caught_and_one_replaced_between_runs_is_read)
{
    Worlds worlds = make_worlds(make_two_sliders(), 2, 1), plain = make_worlds(make_two_sliders(), 2, 1);
    const auto push = [](Worlds& each, bool moved)
    {
        std::vector<double> forces(each.control.joint_force.size(), 0.5);
        if (moved)
            each.control.joint_force = std::move(forces);
        else
            std::copy(forces.begin(), forces.end(), each.control.joint_force.begin());
    };
    push(worlds, true);
    push(plain, false);
    worlds.run_steps(3);
    plain.run_steps(3, [&](int) { push(plain, false); });
    EXPECT_EQ(hash(worlds.state), hash(plain.state));
    EXPECT_DEATH(worlds.run_steps(1, [&](int) { push(worlds, true); }), "was replaced during a run: write into it");
    EXPECT_DEATH(worlds.run_steps(1, [&](int) { worlds.state = State(worlds.state); }), "was replaced during a run");
}

}  // namespace rattleback
