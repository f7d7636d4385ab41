// Sleep of solver `ipc`: what rests costs nothing and keeps every bit; what comes near, pushes or throws wakes it.
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

struct SleepScene
{
    Model model;
    std::vector<BodyId> stack;  ///< three boxes
    BodyId apart, ball;
};

/// A stack, a box far from it, and a ball that waits high above the stack (without weight) or falls on it.
SleepScene make_sleep_scene(double ball_speed)
{
    SleepScene scene;
    ModelBuilder builder;
    builder.add_ground();
    const auto add = [&](const Vec3& place)
    {
        const BodyId body = builder.add_body({.position = place});
        builder.add_shape(body, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
        return body;
    };
    for (int i = 0; i < 3; ++i) scene.stack.push_back(add({0.01 * i, 0, 0.1004 + 0.2004 * i}));
    scene.apart = add({2, 0, 0.1004});
    scene.ball = builder.add_body(
        {.position = {0.02, 0, 2.0}, .gravity_compensation = 1, .linear_velocity = {0, 0, -ball_speed}});
    builder.add_shape(scene.ball, Sphere{.radius = 0.1}, {.density = 1000});
    scene.model = builder.build().value();
    return scene;
}

Simulation make_sleeper(const Model& model, bool sleep)
{
    return Simulation::make(model, {.solver = "ipc", .dt = 0.01, .parameters = {{"sleep", sleep}, {"corners", 8}}})
        .value();
}

bool is_at_rest(const Simulation& simulation, BodyId body)
{
    const Velocity velocity = simulation.state().velocity(body);
    return norm(velocity.linear) == 0 && norm(velocity.angular) == 0;
}

}  // namespace

TEST(IpcSleep, what_rests_costs_no_iterations_and_keeps_every_bit_and_contact)
{
    const SleepScene scene = make_sleep_scene(0);
    Simulation simulation = make_sleeper(scene.model, true), awake = make_sleeper(scene.model, false);
    for (int i = 0; i < 200; ++i)
    {
        EXPECT_EQ(simulation.step().status, StepStatus::ok) << i;
        awake.step();
    }
    for (const BodyId body : scene.stack) EXPECT_TRUE(is_at_rest(simulation, body));
    const std::vector<Pose> poses = simulation.state().body_pose;
    const std::size_t contacts = simulation.contacts().items.size();
    EXPECT_GE(contacts, 16U);  // four corners on each of four faces
    for (int i = 0; i < 50; ++i)
    {
        const StepReport report = simulation.step();
        awake.step();
        EXPECT_EQ(report.iterations, 0);
        EXPECT_EQ(report.contact_count, static_cast<int>(contacts));
    }
    EXPECT_EQ(simulation.state().body_pose, poses);
    // who stays awake goes on settling below the speed at which others sleep: 1e-3 m/s at most, in practice far less
    for (const BodyId body : scene.stack)
        EXPECT_LT(norm(simulation.state().position(body) - awake.state().position(body)), 1e-4);
}

TEST(IpcSleep, a_ball_that_falls_on_a_sleeper_wakes_its_island_and_no_other_and_passes_through_nothing)
{
    const SleepScene scene = make_sleep_scene(0.5);  // arrives after 2.6 s
    Simulation simulation = make_sleeper(scene.model, true);
    simulation.run_for(2);
    for (const BodyId body : scene.stack) ASSERT_TRUE(is_at_rest(simulation, body));
    const Pose apart = simulation.state().pose(scene.apart);
    bool woke = false;
    for (int i = 0; i < 150; ++i)
    {
        EXPECT_EQ(simulation.step().status, StepStatus::ok) << i;
        woke = woke || !is_at_rest(simulation, scene.stack[0]);
        // above its neighbour all the way (boxes that lie flat: half heights; the ball's mesh lies around it)
        double below = 0;
        for (const BodyId body : scene.stack)
        {
            ASSERT_GT(simulation.state().position(body).z - 0.1, below) << i;
            below = simulation.state().position(body).z + 0.099;  // they tilt by less than a hundredth
        }
        ASSERT_GT(simulation.state().position(scene.ball).z - 0.1, below) << i;
    }
    EXPECT_TRUE(woke) << "the lowest box bears the blow too";
    EXPECT_EQ(simulation.state().pose(scene.apart), apart);
}

TEST(IpcSleep, whoever_is_thrown_pushed_or_weighed_otherwise_wakes)
{
    const SleepScene scene = make_sleep_scene(0);
    const auto wake = [&](const char* by, const auto& disturb)
    {
        Simulation simulation = make_sleeper(scene.model, true);
        simulation.run_for(2);
        ASSERT_TRUE(is_at_rest(simulation, scene.stack[2]));
        disturb(simulation);
        for (int i = 0; i < 3; ++i) simulation.step();
        EXPECT_FALSE(is_at_rest(simulation, scene.stack[2])) << by;
        EXPECT_TRUE(is_at_rest(simulation, scene.apart)) << by;
    };
    wake("a wrench", [&](Simulation& simulation)
         { simulation.control().body_wrench[static_cast<std::size_t>(scene.stack[2].index)].force = {20, 0, 0}; });
    wake("a velocity",
         [&](Simulation& simulation)
         {
             simulation.state().body_velocity[static_cast<std::size_t>(scene.stack[2].index)].linear = {0.5, 0, 0};
             const auto joint = static_cast<std::size_t>(scene.model.bodies.joint_begin[3]);
             simulation.state().v[static_cast<std::size_t>(
                 scene.model.joints.v_begin[static_cast<std::size_t>(scene.model.bodies.joints_of_body[joint])])] = 0.5;
         });
}

TEST(IpcSleep, a_snapshot_of_sleepers_goes_on_bit_for_bit)
{
    const SleepScene scene = make_sleep_scene(0.5);
    Simulation first = make_sleeper(scene.model, true), second = make_sleeper(scene.model, true);
    first.run_for(2);
    ASSERT_TRUE(second.restore(first.snapshot()).ok());
    for (int i = 0; i < 100; ++i)
    {
        first.step();
        second.step();
    }
    EXPECT_EQ(first.state().body_pose, second.state().body_pose);
    EXPECT_EQ(first.state().body_velocity, second.state().body_velocity);
}

/// A box that has fallen asleep on a kinematic table.
struct TableScene
{
    BodyId table, box;
    Simulation simulation;
};

TableScene make_table_scene()
{
    ModelBuilder builder;
    const BodyId table = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(table, Box{.half_extents = {1, 1, 0.1}});
    const BodyId box = builder.add_body({.position = {0, 0, 0.2004}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    TableScene scene{table, box, make_sleeper(builder.build().value(), true)};
    scene.simulation.run_for(1);
    return scene;
}

TEST(IpcSleep, a_track_that_begins_to_move_wakes_what_lies_on_it)
{
    auto [table, box, simulation] = make_table_scene();
    ASSERT_TRUE(is_at_rest(simulation, box));
    EXPECT_EQ(simulation.step().iterations, 0);
    for (int i = 1; i <= 20; ++i)
    {
        simulation.control().target[0].position = {0, 0, 0.002 * i};
        simulation.step();
    }
    EXPECT_GT(simulation.state().position(box).z - 0.1, 0.1 + 0.002 * 20);
}

TEST(IpcSleep, a_table_that_is_put_elsewhere_wakes_what_lay_on_it)
{
    auto [table, box, simulation] = make_table_scene();
    ASSERT_TRUE(is_at_rest(simulation, box));
    ASSERT_EQ(simulation.step().iterations, 0);
    const double height = simulation.state().position(box).z;
    simulation.state().body_pose[static_cast<std::size_t>(table.index)].position = {5, 0, 0};
    simulation.control().target[0].position = {5, 0, 0};
    for (int i = 0; i < 10; ++i) simulation.step();
    // g t^2 / 2 after 0.1 s is 0.049; implicit Euler a tenth more
    EXPECT_NEAR(simulation.state().position(box).z - height, -0.052, 0.004);
}

TEST(IpcStart, sheets_side_by_side_in_one_plane_do_not_cross_and_those_that_cross_are_refused)
{
    // Rounded coordinates of a plane: signs of volumes say nothing there.
    const auto make = [](const Quat& turn, const Vec3& second)
    {
        ModelBuilder builder;
        builder.settings().gravity = {};
        const MeshId sheet =
            builder.add_mesh({.name = "sheet",
                              .vertices = {{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}},
                              .triangles = {{0, 1, 2}, {0, 2, 3}}});
        for (const Vec3& place : {Vec3{}, second})
        {
            const BodyId body = builder.add_body({.position = rotate(turn, place), .rotation = turn});
            builder.add_shape(body, Surface{sheet}, {.density = 1});
        }
        return Simulation::make(builder.build().value(), {.solver = "ipc", .parameters = {{"dhat", 1e-3}}});
    };
    for (int i = 0; i < 200; ++i)
    {
        const Quat turn = exponential(Vec3{0.7 * i, 1.3 * i, -0.4 * i});
        EXPECT_TRUE(make(turn, {1.01, 0.1, 0}).ok()) << i;
        EXPECT_TRUE(make(turn, {1.01, 1.01, 0}).ok()) << i;
        const auto crossed = make(turn, {0.3, 0.2, 0});  // one in the other's plane
        ASSERT_FALSE(crossed.ok()) << i;
        EXPECT_NE(crossed.errors().front().message.find("cannot move the surfaces"), std::string::npos);
    }
}

TEST(IpcStart, what_lies_wholly_inside_a_solid_is_refused_by_name_and_what_lies_in_a_hollow_is_not)
{
    // Two cubes in each other, the inner one inside out: a box with walls. Alone: a solid. As a surface: a sheet.
    const auto make_box = [](bool has_hollow)
    {
        MeshOptions mesh{.name = "container"};
        for (const double half : {1.0, 0.8})
        {
            const int first = static_cast<int>(mesh.vertices.size());
            if (half < 1 && !has_hollow) break;
            for (int i = 0; i < 8; ++i)
                mesh.vertices.push_back(
                    {(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half});
            const std::array<std::array<int, 3>, 12> faces = {{{0, 4, 6},
                                                               {0, 6, 2},
                                                               {1, 3, 7},
                                                               {1, 7, 5},
                                                               {0, 1, 5},
                                                               {0, 5, 4},
                                                               {2, 6, 7},
                                                               {2, 7, 3},
                                                               {0, 2, 3},
                                                               {0, 3, 1},
                                                               {4, 5, 7},
                                                               {4, 7, 6}}};
            for (const auto& f : faces)
                mesh.triangles.push_back({first + f[0], first + f[half < 1 ? 2 : 1], first + f[half < 1 ? 1 : 2]});
        }
        return mesh;
    };
    enum class Outer
    {
        box,
        mesh,
        cylinder,
        wedge,
        hollow,
        sheet
    };
    for (const Outer outer : {Outer::box, Outer::mesh, Outer::cylinder, Outer::wedge, Outer::hollow, Outer::sheet})
    {
        for (int inner = 0; inner < 4; ++inner)
        {
            ModelBuilder builder;
            const BodyId around =
                builder.add_body({.position = {5, 0, 1}, .rotation = from_axis_angle({0.6, 0, 0.8}, 0.3)});
            const ShapeOptions outside{.name = "container", .density = 1000};
            const MeshId mesh = builder.add_mesh(make_box(outer == Outer::hollow));
            if (outer == Outer::box) builder.add_shape(around, Box{.half_extents = {1, 1, 1}}, outside);
            if (outer == Outer::cylinder) builder.add_shape(around, Cylinder{.radius = 1, .half_length = 1}, outside);
            if (outer == Outer::wedge)  // in its box, but not in it
            {
                const MeshId corner =
                    builder.add_mesh({.name = "corner",
                                      .vertices = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                                      .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
                builder.add_shape(around, Mesh{.mesh = corner, .collide = MeshCollide::exact}, outside);
            }
            if (outer == Outer::sheet) builder.add_shape(around, Surface{mesh}, outside);
            if (outer == Outer::mesh || outer == Outer::hollow)
                builder.add_shape(around, Mesh{.mesh = mesh, .collide = MeshCollide::exact}, outside);
            const BodyId body = builder.add_body({.position = {5.1, 0.2, 1}});
            const ShapeOptions inside{.name = "pip", .density = 1000};
            if (inner == 0) builder.add_shape(body, Sphere{.radius = 0.05}, inside);
            if (inner == 1) builder.add_shape(body, Capsule{.radius = 0.05, .half_length = 0.1}, inside);
            if (inner == 2) builder.add_shape(body, Box{.half_extents = {0.05, 0.05, 0.05}}, inside);
            if (inner == 3)
            {
                const MeshId dust = builder.add_mesh({.name = "dust", .vertices = {{9, 0, 0}, {0, 0, 0}, {9, 2, 1}}});
                builder.add_shape(body, Points{dust}, {.name = "pip", .mass = 1});
            }
            const Result<Simulation> made = Simulation::make(builder.build().value(), {.solver = "ipc"});
            ASSERT_EQ(made.ok(), outer >= Outer::wedge) << static_cast<int>(outer) << ' ' << inner;
            if (made.ok()) continue;
            EXPECT_NE(to_text(made.errors()).find("'container'"), std::string::npos) << to_text(made.errors());
            EXPECT_NE(to_text(made.errors()).find("'pip'"), std::string::npos) << to_text(made.errors());
        }
    }
}

TEST(IpcStart, a_state_that_puts_a_ball_into_a_box_is_refused_by_the_next_step)
{
    ModelBuilder builder;
    const ShapeId box = builder.add_shape(kWorld, Box{.half_extents = {1, 1, 1}});
    const BodyId body = builder.add_body({.position = {0, 0, 1.5}});
    const ShapeId ball = builder.add_shape(body, Sphere{.radius = 0.05}, {.density = 1000});
    Simulation simulation = Simulation::make(builder.build().value(), {.solver = "ipc", .dt = 0.01}).value();
    ASSERT_EQ(simulation.step().status, StepStatus::ok);
    simulation.state().q[2] = 0.2;
    simulation.refresh();
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, StepStatus::diverged);
    EXPECT_EQ(report.culprit_body, body);
    EXPECT_EQ(report.culprit_shapes, std::pair(box, ball));
}

}  // namespace rattleback
