// Simulation and Batch with a real solver: equal bits by every road, snapshots across processes, no allocation.
#include "support/counting_allocator.h"

#include <rattleback/batch.h>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>

namespace rattleback
{

namespace
{

const Inertia kRod{.mass = 1, .position = {0, 0, -0.5}, .diagonal = {0.1, 0.1, 0.01}};

/// A chaotic double pendulum on a ball joint, a free body, and a motor; every kind of coordinate is there.
std::shared_ptr<const Model> make_model(bool with_accelerometer = true)
{
    ModelBuilder builder;
    const BodyId upper = builder.add_body({.inertia = kRod});
    builder.add_joint(upper, {.type = JointType::ball});
    const BodyId lower = builder.add_body({.parent = upper, .position = {0, 0, -1}, .inertia = kRod});
    const JointId hinge = builder.add_joint(lower, {.axis = {1, 0, 0}, .initial_velocity = 2, .damping = 0.01});
    builder.add_motor(hinge);
    builder.add_body({.inertia = Inertia{.mass = 2, .diagonal = {1, 2, 3}}, .angular_velocity = {0.1, 3, 0.2}});
    if (with_accelerometer) builder.add_sensor(SensorType::accelerometer, lower);
    builder.add_sensor(SensorType::frame_position, lower);
    builder.add_keyframe({.name = "lifted", .time = 3, .q = {0, 1, 0, 0, 0.5, 1, 2, 3, 1, 0, 0, 0}, .ctrl = {0.25}});
    return std::make_shared<const Model>(builder.build().value());
}

Simulation make_simulation(const std::shared_ptr<const Model>& model)
{
    return Simulation::make(model, {.solver = "smooth", .dt = 0.005}).value();
}

void vary(WorldView world, int number)
{
    world.v[0] = 0.3 * number;
    world.v[3] = 1 - 0.1 * number;
}

bool equal(std::span<const double> a, std::span<const double> b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The state that another process reaches from the bytes of a snapshot.
std::uint64_t continue_in_another_process(const std::shared_ptr<const Model>& model, const std::filesystem::path& path,
                                          int steps)
{
    int channel[2] = {};
    EXPECT_EQ(::pipe(channel), 0);
    const pid_t child = ::fork();
    if (child == 0)
    {
        Simulation simulation = make_simulation(model);
        const Result<Snapshot> snapshot = load_snapshot(path);
        std::uint64_t result = 0;
        if (snapshot.ok() && simulation.restore(snapshot.value()).ok())
        {
            simulation.run_steps(steps);
            result = hash(simulation.state());
        }
        const bool sent = ::write(channel[1], &result, sizeof(result)) == sizeof(result);
        ::_exit(sent ? 0 : 1);
    }
    std::uint64_t result = 0;
    EXPECT_EQ(::read(channel[0], &result, sizeof(result)), static_cast<ssize_t>(sizeof(result)));
    ::waitpid(child, nullptr, 0);
    ::close(channel[0]);
    ::close(channel[1]);
    return result;
}

}  // namespace

TEST(Simulation, many_steps_at_once_are_the_same_bits_as_a_loop)
{
    for (const bool with_accelerometer : {false, true})
    {
        const auto model = make_model(with_accelerometer);
        Simulation loop = make_simulation(model), at_once = make_simulation(model), by_time = make_simulation(model);
        for (int i = 0; i < 200; ++i) loop.step();
        at_once.run_steps(200);
        by_time.run_for(1.0012);  // the nearest number of steps
        EXPECT_EQ(hash(at_once.state()), hash(loop.state()));
        EXPECT_EQ(hash(by_time.state()), hash(loop.state()));
        EXPECT_TRUE(equal(at_once.sensors(), loop.sensors()));
        EXPECT_EQ(loop.state().step[0], 200);
        double time = 0;
        for (int i = 0; i < 200; ++i) time += 0.005;
        EXPECT_EQ(loop.time(), time);
    }
}

TEST(Batch, worlds_are_the_bits_of_single_runs_for_any_number_of_threads)
{
    const auto model = make_model();
    constexpr int kWorlds = 13;
    std::vector<std::uint64_t> alone;
    std::vector<double> sensors;
    for (int w = 0; w < kWorlds; ++w)
    {
        Simulation simulation = make_simulation(model);
        vary(simulation.state().world(), w);
        simulation.control().input[0] = 0.1 * w;
        simulation.refresh();
        simulation.run_steps(50);
        alone.push_back(hash(simulation.state(), 0));
        sensors.insert(sensors.end(), simulation.sensors().begin(), simulation.sensors().end());
    }
    for (const int threads : {1, 2, 3, 7})
    {
        Batch batch =
            Batch::make(model, {.solver = "smooth", .dt = 0.005, .world_count = kWorlds, .thread_count = threads})
                .value();
        for (int w = 0; w < kWorlds; ++w)
        {
            vary(batch.state().world(w), w);
            batch.control().input[static_cast<std::size_t>(w)] = 0.1 * w;
        }
        batch.refresh();
        batch.run_steps(30);
        for (int i = 0; i < 20; ++i) batch.step();
        for (int w = 0; w < kWorlds; ++w) EXPECT_EQ(hash(batch.state(), w), alone[static_cast<std::size_t>(w)]) << w;
        EXPECT_TRUE(equal(batch.sensors(), sensors));
    }
}

TEST(Batch, a_world_that_diverges_leaves_the_bits_of_the_others_alone)
{
    const auto model = make_model();
    Batch calm = Batch::make(model, {.solver = "smooth", .dt = 0.005, .world_count = 6, .thread_count = 2}).value();
    Batch troubled = Batch::make(model, {.solver = "smooth", .dt = 0.005, .world_count = 6, .thread_count = 2}).value();
    for (Batch* batch : {&calm, &troubled})
    {
        for (int w = 0; w < 6; ++w) vary(batch->state().world(w), w);
        batch->refresh();
        batch->run_steps(3);
    }
    const std::uint64_t before = hash(troubled.state(), 2);
    troubled.control().joint_force[static_cast<std::size_t>(2 * model->v_count())] =
        std::numeric_limits<double>::infinity();
    calm.run_steps(20);
    troubled.run_steps(20);
    EXPECT_EQ(troubled.reports()[2].status, StepStatus::diverged);
    EXPECT_EQ(hash(troubled.state(), 2), before);
    for (const int w : {0, 1, 3, 4, 5})
    {
        EXPECT_EQ(hash(troubled.state(), w), hash(calm.state(), w)) << w;
        EXPECT_EQ(troubled.reports()[static_cast<std::size_t>(w)].status, StepStatus::ok) << w;
    }
}

TEST(Simulation, a_step_that_diverges_changes_nothing)
{
    Simulation simulation = make_simulation(make_model());
    simulation.run_steps(10);
    const std::uint64_t before = hash(simulation.state());
    const std::vector<double> sensors(simulation.sensors().begin(), simulation.sensors().end());
    simulation.control().joint_force[1] = std::nan("");
    EXPECT_EQ(simulation.step().status, StepStatus::diverged);
    EXPECT_EQ(simulation.run_steps(5).status, StepStatus::diverged);
    EXPECT_EQ(hash(simulation.state()), before);
    EXPECT_TRUE(equal(simulation.sensors(), sensors));
}

TEST(Simulation, a_snapshot_continues_bit_for_bit_here_and_in_another_process)
{
    const auto model = make_model();
    Simulation simulation = make_simulation(model);
    simulation.control().input[0] = 0.5;
    simulation.run_steps(37);
    const Snapshot snapshot = simulation.snapshot();
    const std::vector<double> sensors(simulation.sensors().begin(), simulation.sensors().end());
    const std::filesystem::path path = testing::TempDir() + "rattleback_" + std::to_string(::getpid()) + ".snapshot";
    ASSERT_TRUE(save(snapshot, path).ok());
    simulation.run_steps(100);

    Simulation other = make_simulation(model);
    ASSERT_TRUE(other.restore(snapshot).ok());
    EXPECT_TRUE(equal(other.sensors(), sensors)) << "the accelerometer's too";
    other.run_steps(100);
    EXPECT_EQ(hash(other.state()), hash(simulation.state()));
    EXPECT_EQ(continue_in_another_process(model, path, 100), hash(simulation.state()));
    std::filesystem::remove(path);
}

TEST(Simulation, a_foreign_or_broken_snapshot_is_refused_and_nothing_changes)
{
    Simulation simulation = make_simulation(make_model());
    simulation.run_steps(5);
    const std::uint64_t before = hash(simulation.state());
    const Snapshot good = simulation.snapshot();
    const auto refused = [&](auto change)
    {
        Snapshot snapshot = good;
        change(snapshot);
        const Status restored = simulation.restore(snapshot);
        return !restored.ok() && hash(simulation.state()) == before;
    };
    EXPECT_TRUE(refused([](Snapshot& s) { s.model ^= 1; }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.solver = "avbd"; }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.dt *= 2; }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.parameters["integrator"] = std::string("rk4"); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.parameters.erase("ignore"); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.state.q.pop_back(); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.state.v[0] = std::nan(""); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.control.input.clear(); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.memories.clear(); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.memories[0].pop_back(); }));
    EXPECT_TRUE(refused([](Snapshot& s) { s.memories[0].push_back(std::byte{1}); }));
    EXPECT_TRUE(simulation.restore(good).ok());
}

TEST(Simulation, allocates_nothing_in_a_step_once_warm)
{
    const auto model = make_model();
    Simulation simulation = make_simulation(model);
    Batch batch = Batch::make(model, {.solver = "smooth", .world_count = 9, .thread_count = 3}).value();
    simulation.run_steps(3);
    batch.run_steps(3);
    const long before = allocation_count();
    simulation.run_steps(100);
    for (int i = 0; i < 10; ++i) simulation.step();
    batch.run_steps(20);
    for (int i = 0; i < 10; ++i) batch.step();
    EXPECT_EQ(allocation_count() - before, 0);
    const Snapshot snapshot = simulation.snapshot();
    EXPECT_GT(allocation_count() - before, 0) << "the counter works";
}

TEST(Simulation, resets_to_the_start_or_to_a_keyframe)
{
    Simulation simulation = make_simulation(make_model());
    const std::uint64_t first = hash(simulation.state());
    simulation.control().input[0] = 1;
    simulation.run_steps(20);
    simulation.reset();
    EXPECT_EQ(hash(simulation.state()), first);
    EXPECT_EQ(simulation.control().input[0], 0);

    simulation.run_steps(20);
    simulation.reset(KeyframeId{0});
    EXPECT_EQ(simulation.time(), 3);
    EXPECT_EQ(simulation.state().q, simulation.model().keyframes[0].q);
    EXPECT_EQ(simulation.state().v, simulation.model().initial_v);
    EXPECT_EQ(simulation.control().input[0], 0.25);
    EXPECT_EQ(simulation.state().position(BodyId{3}), (Vec3{1, 2, 3})) << "bodies follow";
}

TEST(Simulation, refuses_with_every_reason_at_once)
{
    ModelBuilder builder;
    builder.add_ground();
    builder.add_shape(builder.add_body(), Sphere{});
    const auto model = std::make_shared<const Model>(builder.build().value());
    const Result<Simulation> refused = Simulation::make(model, {.solver = "smooth", .dt = -1});
    ASSERT_EQ(refused.errors().size(), 2U) << to_text(refused.errors());
    EXPECT_EQ(refused.errors()[0].where, "dt");
    EXPECT_EQ(refused.errors()[1].code, ErrorCode::unsupported);
    EXPECT_TRUE(Simulation::make(model, {.solver = "smooth", .parameters = {{"ignore", std::string("contact")}}}).ok());

    const Result<Batch> batch = Batch::make(model, {.solver = "smoot", .world_count = 0, .thread_count = -3});
    EXPECT_EQ(batch.errors().size(), 3U) << to_text(batch.errors());
}

TEST(Simulation, times_its_stages_only_when_asked)
{
    const auto model = make_model();
    const auto refresh_seconds = [&](bool timings)
    {
        Simulation simulation = Simulation::make(model, {.solver = "smooth", .timings = timings}).value();
        return simulation.run_steps(10).seconds[static_cast<std::size_t>(Stage::refresh)];
    };
    EXPECT_GT(refresh_seconds(true), 0);
    EXPECT_EQ(refresh_seconds(false), 0);
}

TEST(Simulation, running_for_a_negative_or_infinite_time_is_a_mistake_of_the_caller)
{
    Simulation simulation = make_simulation(make_model());
    EXPECT_DEATH(simulation.run_for(-1), "finite and not negative");
    EXPECT_DEATH(simulation.run_for(std::numeric_limits<double>::infinity()), "finite and not negative");
}

}  // namespace rattleback
