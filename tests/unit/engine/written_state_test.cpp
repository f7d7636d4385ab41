// States that somebody writes between steps: which worlds forget, which go on, and per-world reset.
#include "unit/engine/two_boxes.h"

#include <gtest/gtest.h>

#include <array>

namespace rattleback
{

namespace
{

constexpr int kSteps = 60;

/// Five worlds; all but the first slide.
Batch make_sliding_batch(const std::shared_ptr<const Model>& model, const SolverInfo& info)
{
    BatchOptions options{.solver = std::string(info.name), .parameters = find_parameters(info), .world_count = 5};
    Batch batch = Batch::make(model, options).value();
    for (int w = 0; w < 5; ++w) push(batch.state(), w, w);
    return batch;
}

void write_initial_state(const Model& model, State& state, int world)
{
    State first(model);
    const WorldView from = first.world(), to = state.world(world);
    std::ranges::copy(from.q, to.q.begin());
    std::ranges::copy(from.v, to.v.begin());
    std::ranges::copy(from.body_pose, to.body_pose.begin());
    std::ranges::copy(from.body_velocity, to.body_velocity.begin());
    state.time[static_cast<std::size_t>(world)] = 0;
    state.step[static_cast<std::size_t>(world)] = 0;
}

}  // namespace

TEST(WrittenState, a_world_put_back_to_its_start_goes_on_as_a_new_simulation_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Batch batch = make_sliding_batch(model, *info);
        batch.refresh();
        batch.run_steps(kSteps);
        write_initial_state(*model, batch.state(), 1);                          // all of it
        std::ranges::copy(model->initial_q, batch.state().world(2).q.begin());  // as learners do: q and v alone
        std::ranges::copy(model->initial_v, batch.state().world(2).v.begin());
        batch.refresh();
        batch.run_steps(kSteps);

        Simulation fresh = make_simulation(model, *info);
        fresh.run_steps(kSteps);
        EXPECT_EQ(hash(batch.state(), 1), hash(fresh.state(), 0));
        EXPECT_TRUE(std::ranges::equal(batch.state().world(2).q, fresh.state().q));
        EXPECT_TRUE(std::ranges::equal(batch.state().world(2).v, fresh.state().v));

        Simulation untouched = make_simulation(model, *info);
        push(untouched.state(), 0, 3);
        untouched.refresh();
        untouched.run_steps(2 * kSteps);
        EXPECT_EQ(hash(batch.state(), 3), hash(untouched.state(), 0)) << "nobody wrote there";
    }
}

TEST(WrittenState, a_world_that_was_reset_goes_on_as_a_new_simulation_with_every_solver)
{
    const auto model = make_two_boxes();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        Batch batch = make_sliding_batch(model, *info);
        batch.control().body_wrench[3].force.x = 5;  // of world 1
        batch.refresh();
        batch.run_steps(kSteps);
        const double* const data = batch.state().q.data();
        const std::uint64_t other = hash(batch.state(), 4);
        batch.reset(1);
        batch.reset(3, KeyframeId{0});
        EXPECT_EQ(batch.state().q.data(), data) << "views of the state stay valid";
        EXPECT_EQ(hash(batch.state(), 4), other);
        batch.run_steps(kSteps);

        Simulation fresh = make_simulation(model, *info);
        fresh.run_steps(kSteps);
        EXPECT_EQ(hash(batch.state(), 1), hash(fresh.state(), 0));
        fresh.reset(KeyframeId{0});
        fresh.run_steps(kSteps);
        EXPECT_EQ(hash(batch.state(), 3), hash(fresh.state(), 0));
    }
}

TEST(WrittenState, resetting_a_world_or_to_a_keyframe_that_is_not_there_is_a_mistake_of_the_caller)
{
    Batch batch = Batch::make(make_two_boxes(), {.solver = "convex", .world_count = 5, .thread_count = 1}).value();
    EXPECT_DEATH(batch.reset(5), "no such world");
    EXPECT_DEATH(batch.reset(-1), "no such world");
    EXPECT_DEATH(batch.reset(0, KeyframeId{1}), "no such keyframe");
}

TEST(WrittenState, a_kick_leaves_contacts_as_they_were_and_a_new_place_has_none_yet)
{
    Simulation simulation = Simulation::make(make_two_boxes(), {.solver = "avbd"}).value();
    simulation.run_for(1);
    const int resting = simulation.contacts().count();
    ASSERT_GE(resting, 6) << "three points at least under each box";
    simulation.refresh();
    EXPECT_EQ(simulation.contacts().count(), resting) << "nothing was written";
    simulation.state().v[0] = 0.1;
    simulation.refresh();
    EXPECT_EQ(simulation.contacts().count(), resting);
    EXPECT_EQ(simulation.state().velocity(BodyId{1}).linear.x, 0.1) << "bodies follow";
    simulation.state().q[2] += 0.5;
    simulation.refresh();
    EXPECT_EQ(simulation.contacts().count(), 0);
}

namespace
{

/// A box on a slope, so that its contacts stick with a force of their own, and far from it a gram on a spring of 1e6
/// N/m, for which steps are too long: where it swings, they are taken in parts.
Model make_box_and_spring()
{
    ModelBuilder builder;
    builder.settings().gravity = {3, 0, -9.81};
    builder.add_ground({});
    const BodyId box = builder.add_body({.position = {0, 0, 0.1}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    const BodyId gram = builder.add_body({.position = {0, 5, 5}});
    builder.add_joint(gram, {.type = JointType::slide, .axis = {0, 1, 0}, .stiffness = 1e6});
    builder.add_shape(gram, Sphere{.radius = 0.01}, {.mass = 1e-3});
    return builder.build().value();
}

// Along the second shift a sum of coordinates with weights 1 and 1.3, as marks of states once were, does not change.
constexpr std::array<std::array<double, 2>, 3> kShifts = {{{0.4, 0}, {0.13, -0.1}, {-0.02, 0.3}}};

/// Puts the box elsewhere; `swings`: pulls at the spring, too.
void expect_box_stays(const SimulationOptions& options, const std::array<double, 2>& shift, bool swings)
{
    const BodyId box{1};
    Simulation simulation(make_box_and_spring(), options);
    simulation.run_for(0.5);
    const Vec3 before = simulation.state().position(box);
    for (int k = 0; k < 2; ++k) simulation.state().q[static_cast<std::size_t>(k)] += shift[static_cast<std::size_t>(k)];
    if (swings) simulation.state().q[7] += 0.01;
    for (int i = 0; i < 50; ++i)
    {
        const StepReport report = simulation.step();
        ASSERT_TRUE(i > 0 || swings == (report.substeps > 1)) << report.substeps;
        // Anchors that took the way for a displacement would throw it back at 0.01 to 0.18 m/s.
        ASSERT_LT(norm(simulation.state().velocity(box).linear), 1e-3) << "step " << i;
    }
    // As far as it creeps in 0.1 s at 1e-5 m/s, a hundredth of the speed above.
    EXPECT_LT(norm(simulation.state().position(box) - before - Vec3{shift[0], shift[1], 0}), 1e-6);
}

}  // namespace

TEST(WrittenState, a_box_put_elsewhere_without_refresh_is_not_pulled_back_to_where_it_stuck)
{
    for (const auto& shift : kShifts)
    {
        SCOPED_TRACE(shift[0]);
        for (const bool guard : {true, false})
            expect_box_stays({.solver = "convex", .parameters = {{"guard", guard}}}, shift, false);
        expect_box_stays({.solver = "comfree", .parameters = {{"anchor", true}}}, shift, false);
    }
}

TEST(WrittenState, a_box_put_elsewhere_is_noticed_in_the_first_part_of_a_divided_step)
{
    for (const auto& shift : kShifts)
    {
        SCOPED_TRACE(shift[0]);
        expect_box_stays({.solver = "convex"}, shift, true);
        expect_box_stays({.solver = "comfree", .parameters = {{"anchor", true}}}, shift, true);
    }
}

TEST(WrittenState, a_body_put_higher_keeps_the_energy_that_this_gives)
{
    // Along the same shift: the guard took the body, which falls, for one that had gained 5 J, and held it.
    ModelBuilder builder;
    const BodyId body = builder.add_body();
    builder.add_joint(body, {.type = JointType::slide, .axis = {1, 0, 0}});
    builder.add_joint(body, {.type = JointType::slide, .axis = {0, 0, -1}});
    builder.add_shape(body, Sphere{.radius = 0.1}, {.mass = 1});
    const Model model = builder.build().value();
    for (const std::string solver : {"convex", "comfree"})
    {
        Simulation simulation(model, {.solver = solver});
        simulation.run_for(0.2);
        const double height = -simulation.state().q[1], speed = simulation.state().v[1];
        simulation.state().q[0] += 1.3 * 0.5;
        simulation.state().q[1] -= 0.5;
        const StepReport report = simulation.run_for(0.1);
        EXPECT_EQ(report.substeps, 1) << solver;
        EXPECT_EQ(report.removed_energy, 0) << solver;
        EXPECT_NEAR(-simulation.state().q[1], height + 0.5 - speed * 0.1 - 0.5 * 9.81 * 0.01, 1e-12) << solver;
    }
}

}  // namespace rattleback
