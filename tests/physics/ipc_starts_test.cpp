// Starts of solver `ipc` that touch or overlap a little: insets of its own, of which no speed comes.
#include "math/rotation.h"
#include "physics/contact_laws.h"
#include "support/counting_allocator.h"

#include <gtest/gtest.h>

#include <array>

namespace rattleback::ipc_starts
{
namespace
{

Simulation make_starting(const Model& model, double dt = 0.005)
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt}).value();
}

constexpr double kHalf = 0.1;
/// Common d̂ of a box with sides of 2 kHalf: 0.005 of its radius, and what an inset aims at.
const double kReach = 0.005 * std::sqrt(3.0) * kHalf, kAimed = 1.01 * kReach;
/// Gaps between rounding and overlaps as keyframes of robots have them [m].
constexpr std::array kGaps{1e-12, 1e-17, 0.0, -1e-17, -1e-12, -1e-6, -1e-4, -2e-3};

/// A box above the ground by a gap.
Model make_box_on_ground(double gap)
{
    ModelBuilder builder;
    builder.add_ground({.name = "floor"});
    const BodyId body = builder.add_body({.name = "body", .position = {0, 0, kHalf + gap}});
    builder.add_shape(body, Box{.half_extents = {kHalf, kHalf, kHalf}}, {.name = "box", .density = 1000});
    return builder.build().value();
}

/// A foot on the ground, and a ball high above it that is caught there.
Model make_foot_and_ball()
{
    ModelBuilder builder;
    builder.add_ground({.name = "floor"});
    const BodyId foot = builder.add_body({.name = "foot", .position = {0, 0, kHalf - 1e-4}});
    builder.add_shape(foot, Box{.half_extents = {kHalf, kHalf, kHalf}}, {.name = "sole", .density = 1000});
    const BodyId ball = builder.add_body({.name = "ball", .position = {1, 0, 3}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.name = "skin", .density = 1000});
    Keyframe deeper{.name = "deeper", .q = builder.build()->initial_q};
    deeper.q[2] = kHalf - 2e-3;
    builder.add_keyframe(deeper);
    Keyframe too_deep = deeper;
    too_deep.name = "too deep";
    too_deep.q[2] = kHalf - 0.03;
    builder.add_keyframe(too_deep);
    return builder.build().value();
}

double find_fastest(const Simulation& simulation)
{
    double most = 0;
    for (const Velocity& v : simulation.state().body_velocity) most = std::max({most, norm(v.linear), norm(v.angular)});
    return most;
}

MeshOptions make_eight_corners(double half)
{
    MeshOptions mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

}  // namespace

TEST(IpcStarts, what_touches_in_empty_space_gets_no_speed_whatever_its_shape)
{
    enum class Kind
    {
        box,
        sphere,
        capsule,
        cylinder,
        hull,
        mesh
    };
    for (const Kind lower : {Kind::box, Kind::sphere, Kind::capsule, Kind::cylinder, Kind::hull, Kind::mesh})
    {
        for (const Kind upper : {Kind::box, Kind::sphere, Kind::capsule, Kind::cylinder, Kind::hull, Kind::mesh})
        {
            for (const double gap : kGaps)
            {
                ModelBuilder builder;
                builder.settings().gravity = {};
                const auto add = [&](Kind kind, double height)
                {
                    const BodyId body = builder.add_body({.position = {5, 0, height}});
                    const ShapeOptions options{.density = 1000};
                    const MeshId mesh = builder.add_mesh(make_eight_corners(kHalf));
                    if (kind == Kind::box) builder.add_shape(body, Box{{kHalf, kHalf, kHalf}}, options);
                    if (kind == Kind::sphere) builder.add_shape(body, Sphere{.radius = kHalf}, options);
                    if (kind == Kind::capsule)
                        builder.add_shape(body, Capsule{.radius = 0.5 * kHalf, .half_length = 0.5 * kHalf}, options);
                    if (kind == Kind::cylinder)
                        builder.add_shape(body, Cylinder{.radius = kHalf, .half_length = kHalf}, options);
                    if (kind == Kind::hull) builder.add_shape(body, Hull{mesh}, options);
                    if (kind == Kind::mesh)
                        builder.add_shape(body, Mesh{.mesh = mesh, .collide = MeshCollide::exact}, options);
                };
                add(lower, -kHalf);
                add(upper, kHalf + gap);
                Result<Simulation> made = Simulation::make(builder.build().value(), {.solver = "ipc", .dt = 0.01});
                SCOPED_TRACE(::testing::Message() << static_cast<int>(lower) << static_cast<int>(upper) << ' ' << gap);
                ASSERT_TRUE(made.ok()) << to_text(made.errors());
                EXPECT_NE(to_text(made->warnings()).find("further inside"), std::string::npos);
                for (int i = 0; i < 5; ++i) ASSERT_EQ(made->step().status, StepStatus::ok) << i;
                EXPECT_EQ(find_fastest(*made), 0);
            }
        }
    }
}

TEST(IpcStarts, a_box_on_the_ground_never_rises_and_rests_within_its_inset)
{
    for (const double gap : kGaps)
    {
        SCOPED_TRACE(gap);
        Simulation simulation = make_starting(make_box_on_ground(gap));
        const double start = simulation.state().position(BodyId{1}).z, inset = kAimed - std::min(gap, 0.0);
        const double energy = simulation.energy().total();
        for (int i = 0; i < 200; ++i)
        {
            ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
            const double height = simulation.state().position(BodyId{1}).z;
            EXPECT_LE(height, start + 1e-9);
            // What the barrier lends and takes back comes from the height: never more than there was.
            EXPECT_LE(simulation.energy().total(), energy + 1e-9);
            EXPECT_GT(height, kHalf - inset);
        }
        EXPECT_LT(find_fastest(simulation), 1e-6);
        // Its inset surface stands above the ground, in the barrier's reach.
        EXPECT_LT(simulation.state().position(BodyId{1}).z, kHalf - inset + kReach);
    }
}

TEST(IpcStarts, bricks_in_touch_on_all_sides_stay_where_they_are)
{
    ModelBuilder builder;
    builder.add_ground();
    std::vector<BodyId> bricks;
    for (int row = 0; row < 4; ++row)
    {
        for (int i = 0; i < 4 - row % 2; ++i)
        {
            bricks.push_back(builder.add_body({.position = {0.2 * i + 0.1 * (row % 2), 0, 0.05 + 0.1 * row}}));
            builder.add_shape(bricks.back(), Box{{0.1, 0.05, 0.05}}, {.density = 2000});
        }
    }
    Simulation simulation = make_starting(builder.build().value());
    const State start = simulation.state();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
    // Every joint of the four beds closes by d̂ at most, which is 0.005 of 0.12 m.
    for (const BodyId brick : bricks)
        EXPECT_LT(norm(simulation.state().position(brick) - start.position(brick)), 4 * 1.01 * 0.005 * 0.1225);
}

TEST(IpcStarts, keyframes_resets_and_written_states_are_taken_as_the_start_is)
{
    Simulation simulation = make_starting(make_foot_and_ball());
    ASSERT_EQ(simulation.run_steps(20).status, StepStatus::ok);
    simulation.reset(KeyframeId{0});
    ASSERT_EQ(simulation.run_steps(20).status, StepStatus::ok);
    EXPECT_NEAR(simulation.state().position(BodyId{1}).z, kHalf - 2e-3 - 0.5 * kAimed, 0.5 * kAimed);
    // As after construction, to the bit.
    simulation.reset();
    ASSERT_EQ(simulation.run_steps(20).status, StepStatus::ok);
    Simulation other = make_starting(make_foot_and_ball());
    ASSERT_EQ(other.run_steps(20).status, StepStatus::ok);
    EXPECT_EQ(simulation.state().q, other.state().q);
    // The ball a millimetre into the ground.
    const double height = simulation.state().position(BodyId{1}).z;
    simulation.state().q[9] = 0.1 - 1e-3;
    for (int i = 0; i < 6; ++i) simulation.state().v[static_cast<std::size_t>(6 + i)] = 0;
    simulation.refresh();
    for (int i = 0; i < 50; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok);
        EXPECT_LE(simulation.state().position(BodyId{2}).z, 0.1 - 1e-3 + 1e-9);
    }
    EXPECT_GT(simulation.state().position(BodyId{2}).z, 0.1 - 1e-3 - 1e-3);
    EXPECT_NEAR(simulation.state().position(BodyId{1}).z, height, 0.2 * kReach) << "the foot stands as it stood";
}

TEST(IpcStarts, what_rests_on_an_inset_does_not_sink_while_other_things_are_written)
{
    Simulation simulation = make_starting(make_foot_and_ball());
    ASSERT_EQ(simulation.run_steps(100).status, StepStatus::ok);
    const double height = simulation.state().position(BodyId{1}).z;
    for (int i = 0; i < 100; ++i)
    {
        simulation.state().q[9] = 3 + 0.001 * i;
        simulation.refresh();
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
    }
    EXPECT_NEAR(simulation.state().position(BodyId{1}).z, height, 0.5 * kReach);
}

TEST(IpcStarts, what_has_been_clear_of_everything_is_as_large_as_it_is_drawn)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId ball = builder.add_body({.position = {0, 0, 0.1 - 1e-3}, .linear_velocity = {0, 0, 1}});
    builder.add_shape(ball, Sphere{.radius = 0.1}, {.density = 1000});
    Simulation simulation = make_starting(builder.build().value(), 0.002);
    ASSERT_EQ(simulation.run_for(1).status, StepStatus::ok);
    EXPECT_LT(find_fastest(simulation), 1e-3);
    const double height = simulation.state().position(ball).z;
    EXPECT_GT(height, 0.1);
    EXPECT_LT(height, 0.1 + 5e-4) << "d̂";
}

TEST(IpcStarts, deep_overlaps_are_refused_all_at_once_with_both_shapes_and_what_helps)
{
    ModelBuilder builder;
    const BodyId one = builder.add_body({.position = {0, 0, 0}}), two = builder.add_body({.position = {0.15, 0, 0}}),
                 three = builder.add_body({.position = {0.30, 0, 0}});
    builder.add_shape(one, Box{{0.1, 0.1, 0.1}}, {.name = "left"});
    builder.add_shape(two, Box{{0.1, 0.1, 0.1}}, {.name = "middle"});
    builder.add_shape(three, Box{{0.1, 0.1, 0.1}}, {.name = "right"});
    const Result<Simulation> made = Simulation::make(builder.build().value(), {.solver = "ipc"});
    ASSERT_FALSE(made.ok());
    ASSERT_EQ(made.errors().size(), 2U) << to_text(made.errors());
    const std::string first = made.errors()[0].text(), second = made.errors()[1].text();
    EXPECT_NE(first.find("'left'"), std::string::npos) << first;
    EXPECT_NE(first.find("'middle'"), std::string::npos) << first;
    EXPECT_NE(first.find("50 mm"), std::string::npos) << first;
    EXPECT_NE(first.find("exclude"), std::string::npos) << first;
    EXPECT_NE(second.find("'right'"), std::string::npos) << second;
}

TEST(IpcStarts, a_step_from_a_state_that_overlaps_deeply_is_refused_and_nothing_is_lost)
{
    Simulation simulation = make_starting(make_foot_and_ball());
    simulation.reset(KeyframeId{1});
    const std::vector<double> q = simulation.state().q;
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_EQ(report.culprit_shapes, std::pair(ShapeId{0}, ShapeId{1}));
    EXPECT_EQ(report.culprit_body, BodyId{1});
    EXPECT_NEAR(report.culprit_depth, 0.03, 1e-9);
    EXPECT_EQ(simulation.state().q, q);
    const std::string words = simulation.explain(report);
    for (const char* word : {"floor", "sole", "30 mm"}) EXPECT_NE(words.find(word), std::string::npos) << words;
    // Lifted out, it goes on.
    simulation.state().q[2] = kHalf - 1e-3;
    simulation.refresh();
    EXPECT_EQ(simulation.run_steps(20).status, StepStatus::ok);
}

TEST(IpcStarts, worlds_of_a_batch_with_insets_of_their_own_have_the_bits_of_single_ones)
{
    const Model model = make_foot_and_ball();
    const int count = 5;
    Batch batch = Batch::make(model, {.solver = "ipc", .dt = 0.005, .world_count = count, .thread_count = 2}).value();
    std::vector<Simulation> singles;
    for (int w = 0; w < count; ++w)
    {
        singles.push_back(make_starting(model));
        const double height = kHalf - 5e-4 * w;
        batch.state().world(w).q[2] = height;
        singles.back().state().q[2] = height;
        singles.back().refresh();
    }
    batch.refresh();
    for (int i = 0; i < 20; ++i)
    {
        batch.step();
        for (int w = 0; w < count; ++w)
        {
            ASSERT_EQ(singles[static_cast<std::size_t>(w)].step().status, StepStatus::ok);
            const State& single = singles[static_cast<std::size_t>(w)].state();
            const auto own = batch.state().world(w).q;
            ASSERT_TRUE(std::equal(own.begin(), own.end(), single.q.begin())) << w << ' ' << i;
        }
    }
}

TEST(IpcStarts, a_snapshot_keeps_the_insets_and_a_warm_step_allocates_nothing)
{
    Simulation simulation = make_starting(make_foot_and_ball());
    simulation.reset(KeyframeId{0});
    ASSERT_EQ(simulation.run_steps(10).status, StepStatus::ok);
    Simulation other = make_starting(make_foot_and_ball());
    ASSERT_TRUE(other.restore(simulation.snapshot()).ok());
    for (int i = 0; i < 20; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok);
        ASSERT_EQ(other.step().status, StepStatus::ok);
        ASSERT_EQ(simulation.state().q, other.state().q) << i;
    }
    const long before = allocation_count();
    simulation.run_steps(20);
    EXPECT_EQ(allocation_count(), before);
}

}  // namespace rattleback::ipc_starts
