// A user's contact filter: who it lets through, in every solver, and what it may and may not disturb.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace rattleback
{

namespace
{

constexpr BodyId kCube{1};
constexpr ShapeId kNear{0}, kCubeShape{2};

/// A cube that flies towards two walls, one behind the other, without weight.
Model make_walls()
{
    ModelBuilder builder("walls");
    builder.settings().gravity = {};
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.name = "near", .position = {1, 0, 0}});
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.name = "far", .position = {2, 0, 0}});
    const BodyId cube = builder.add_body({.name = "cube", .linear_velocity = {2, 0, 0}});
    builder.add_shape(cube, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "cube"});
    return builder.build().value();
}

bool is_pair(ShapeId first, ShapeId second, ShapeId a, ShapeId b) { return first == a && second == b; }

std::vector<std::string> contact_solver_names()
{
    std::vector<std::string> names;
    for (const SolverInfo* info : all_solvers())
    {
        if (std::ranges::find(info->supports, Feature::contact) != info->supports.end()) names.emplace_back(info->name);
    }
    return names;
}

}  // namespace

TEST(ContactFilter, lets_a_cube_through_one_wall_and_not_through_the_other)
{
    for (const std::string& solver : contact_solver_names())
    {
        Simulation simulation(make_walls(), {.solver = solver, .dt = 0.002});
        bool asked_sorted = true;
        simulation.set_contact_filter(
            [&](ShapeId first, ShapeId second)
            {
                asked_sorted = asked_sorted && first < second;
                return !is_pair(first, second, kNear, kCubeShape);
            });
        simulation.run_for(1.5);
        const double x = simulation.state().position(kCube).x;
        EXPECT_GT(x, 1.3) << solver << ": through the near wall";
        EXPECT_LT(x, 1.85) << solver << ": not through the far one";
        EXPECT_TRUE(asked_sorted) << solver;

        simulation.reset();
        simulation.set_contact_filter(nullptr);
        simulation.run_for(1.5);
        EXPECT_LT(simulation.state().position(kCube).x, 0.9) << solver << ": no filter, no way through";
    }
}

TEST(ContactFilter, that_allows_everything_changes_no_bit)
{
    for (const std::string& solver : contact_solver_names())
    {
        Simulation plain(make_walls(), {.solver = solver, .dt = 0.002});
        Simulation filtered(make_walls(), {.solver = solver, .dt = 0.002});
        int asked = 0;
        filtered.set_contact_filter([&](ShapeId, ShapeId) { return ++asked > 0; });
        plain.run_for(0.6);
        filtered.run_for(0.6);
        EXPECT_EQ(hash(filtered.state()), hash(plain.state())) << solver;
        EXPECT_GT(asked, 0) << solver;
    }
}

TEST(ContactFilter, may_look_at_the_state_and_open_a_door_for_a_while)
{
    for (const std::string solver : {"avbd", "convex"})
    {
        Simulation simulation(make_walls(), {.solver = solver, .dt = 0.002});
        simulation.set_contact_filter([&](ShapeId first, ShapeId) { return first != kNear || simulation.time() > 5; });
        simulation.run_for(0.75);
        EXPECT_GT(simulation.state().position(kCube).x, 1.3) << solver;
    }
}

TEST(ContactFilter, holds_for_what_forward_finds)
{
    ModelBuilder builder("overlap");
    builder.add_ground();
    builder.add_shape(builder.add_body({.position = {0, 0, 0.09}}), Sphere{.radius = 0.1});
    for (const std::string solver : {"avbd", "convex"})
    {
        Simulation simulation(builder.build().value(), {.solver = solver});
        simulation.forward();
        EXPECT_EQ(simulation.contacts().count(), 1) << solver;
        simulation.set_contact_filter([](ShapeId, ShapeId) { return false; });
        simulation.forward();
        EXPECT_EQ(simulation.contacts().count(), 0) << solver;
    }
}

TEST(ContactFilter, what_it_throws_reaches_the_caller_and_the_steps_before_stand)
{
    for (const std::string& solver : contact_solver_names())
    {
        Simulation simulation(make_walls(), {.solver = solver, .dt = 0.002}),
            plain(make_walls(), {.solver = solver, .dt = 0.002});
        simulation.set_contact_filter([](ShapeId, ShapeId) -> bool
                                      { throw std::runtime_error("the filter has had enough"); });
        EXPECT_THROW(simulation.run_for(1), std::runtime_error) << solver;
        const std::int64_t steps = simulation.state().step[0];
        EXPECT_GT(steps, 10) << solver << ": nothing is near at first";
        plain.run_steps(steps);
        EXPECT_EQ(hash(simulation.state()), hash(plain.state())) << solver;
        simulation.set_contact_filter(nullptr);
        simulation.run_for(0.5);
        plain.run_for(0.5);
        EXPECT_EQ(hash(simulation.state()), hash(plain.state())) << solver << ": it goes on";
    }
}

TEST(ContactFilter, of_a_batch_knows_the_world_and_gives_the_same_for_any_number_of_threads)
{
    for (const std::string& solver : contact_solver_names())
    {
        std::vector<double> x[2];
        for (const int threads : {1, 2})
        {
            Batch batch(make_walls(), {.solver = solver, .dt = 0.002, .world_count = 6, .thread_count = threads});
            std::atomic<int> asked = 0;
            batch.set_contact_filter(
                [&](int world, ShapeId first, ShapeId)
                {
                    ++asked;
                    return first != kNear || world % 2 == 0;
                });
            batch.run_for(0.75);
            for (int w = 0; w < 6; ++w) x[threads - 1].push_back(batch.state().position(kCube, w).x);
            EXPECT_GT(asked, 0);
        }
        EXPECT_EQ(x[0], x[1]) << solver;
        EXPECT_LT(x[0][0], 0.9) << solver;
        EXPECT_GT(x[0][1], 1.3) << solver;
    }
}

TEST(ContactFilter, of_a_batch_may_throw)
{
    Batch batch(make_walls(), {.solver = "avbd", .dt = 0.002, .world_count = 6, .thread_count = 2});
    batch.set_contact_filter([](int world, ShapeId, ShapeId) -> bool
                             { return world != 4 ? true : throw std::runtime_error("world 4"); });
    EXPECT_THROW(batch.run_for(0.75), std::runtime_error);
}

TEST(BeforeStep, writes_forces_of_its_world_in_a_batch_and_gives_what_single_steps_give)
{
    // A spring from outside: F = - k x.
    const Model model = make_walls();
    const auto push = [](Control& control, const State& state, int world)
    {
        const std::size_t body = static_cast<std::size_t>(world * control.body_count + kCube.index);
        control.body_wrench[body].force = (-100.0 * (1 + world)) * state.position(kCube, world);
    };
    for (const std::string& solver : contact_solver_names())
    {
        Batch batch(model, {.solver = solver, .dt = 0.002, .world_count = 5, .thread_count = 2});
        batch.run_for(0.1, [&](int world) { push(batch.control(), batch.state(), world); });
        for (int w = 0; w < 5; ++w)
        {
            Simulation alone(model, {.solver = solver, .dt = 0.002});
            for (int i = 0; i < 50; ++i)
            {
                alone.control().body_wrench[1].force = (-100.0 * (1 + w)) * alone.state().position(kCube);
                alone.step();
            }
            EXPECT_EQ(alone.state().position(kCube).x, batch.state().position(kCube, w).x) << solver << w;
        }
    }
}

}  // namespace rattleback
