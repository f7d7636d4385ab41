// Nothing tunnels: fast bodies stop at what is in their way, however thin.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace rattleback
{
namespace
{

/// A solver, `comfree` by either method.
class FastBodies : public testing::TestWithParam<std::string>
{
protected:
    static bool has_spheres() { return GetParam() == "pbd" || GetParam() == "pbdr" || GetParam() == "refined"; }
    static SimulationOptions options(double dt)
    {
        SimulationOptions made{.solver = GetParam(), .dt = dt};
        if (GetParam() == "comfree_sweeps")
            made = {.solver = "comfree", .dt = dt, .parameters = {{"method", std::string("sweeps")}}};
        return made;
    }

    /// Runs for `seconds` and looks at every step.
    template <class Look>
    void watch(Model model, double dt, double seconds, Look look)
    {
        Simulation simulation(std::move(model), options(dt));
        for (double t = 0; t < seconds; t += dt)
        {
            ASSERT_NE(simulation.step().status, StepStatus::diverged);
            ASSERT_NO_FATAL_FAILURE(look(simulation));
        }
    }
};

constexpr double kWallHalf = 0.01;  // of the thickness of a wall across x at the origin [m]

void add_thin_wall(ModelBuilder& builder)
{
    builder.add_shape(kWorld, Box{.half_extents = {kWallHalf, 1, 1}}, {.name = "wall"});
}

TEST_P(FastBodies, a_bullet_of_a_hundred_metres_per_second_stops_at_a_wall_of_two_centimetres)
{
    // from 4 mm to 40 cm before the wall: wherever in the step it would meet it
    for (const double start : {-0.024, -0.1, -0.15, -0.21, -0.333, -0.42})
    {
        ModelBuilder builder("bullet");
        builder.settings().gravity = {0, 0, 0};
        add_thin_wall(builder);
        const BodyId ball =
            builder.add_body({.name = "ball", .position = {start, 0, 0}, .linear_velocity = {100, 0, 0}});
        builder.add_shape(ball, Sphere{.radius = 0.01});
        watch(builder.build().value(), 0.002, 0.05, [&](const Simulation& simulation)
              { ASSERT_LT(simulation.state().position(ball).x, -kWallHalf) << start; });
    }
}

TEST_P(FastBodies, a_shot_elsewhere_leaves_a_stack_at_rest)
{
    ModelBuilder builder("a stack, and a bullet far from it");
    builder.add_ground();
    for (int i = 0; i < 5; ++i)
    {
        const BodyId box = builder.add_body({.position = {0, 0, 0.1 + 0.2 * i}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
    }
    builder.add_shape(kWorld, Box{.half_extents = {kWallHalf, 1, 1}}, {.position = {5, 5, 1}});
    const BodyId ball = builder.add_body({.position = {3, 5, 1}});
    builder.add_shape(ball, Sphere{.radius = 0.01});
    Simulation simulation(builder.build().value(), options(0.002));
    for (int i = 0; i < 150; ++i) simulation.step();
    const auto find_fastest = [&]
    {
        double fastest = 0;
        for (int body = 1; body <= 5; ++body)
            fastest = std::max(fastest, norm(simulation.state().velocity(BodyId{body}).linear));
        return fastest;
    };
    // Settled or not: as fast as it was, and a step of gravity. In hops of 2e-5 s overlaps became 1.5 m/s.
    const double before = find_fastest();
    const std::array<double, 3> place{4.5, 5, 1}, speed{100, 0, 0};
    std::copy(place.begin(), place.end(), simulation.state().q.begin() + 7 * 5);
    std::copy(speed.begin(), speed.end(), simulation.state().v.begin() + 6 * 5);
    for (int i = 0; i < 10; ++i)
    {
        simulation.step();
        EXPECT_LT(find_fastest(), before + 9.81 * 0.002) << i;
    }
    EXPECT_LT(simulation.state().position(ball).x, 5 - kWallHalf);
}

TEST_P(FastBodies, balls_stop_at_shells_of_a_millimetre_and_at_open_sheets)
{
    MeshOptions sheet{.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
                      .triangles = {{0, 1, 2}, {0, 2, 3}}};
    MeshOptions shell = sheet;
    for (const Vec3& v : sheet.vertices) shell.vertices.push_back(v - Vec3{0, 0, 0.001});
    shell.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}, {4, 5, 1}, {4, 1, 0},
                       {5, 6, 2}, {5, 2, 1}, {6, 7, 3}, {6, 3, 2}, {7, 4, 0}, {7, 0, 3}};
    for (const bool open : {true, false})
    {
        // 6 and 40 m/s at 1/60 s: 10 and 67 cm a step, from places all over a step.
        for (const double speed : {6.0, 40.0})
        {
            for (const double start : {0.06, 0.13, 0.31, 0.47, 0.66})
            {
                ModelBuilder builder("shell");
                builder.settings().gravity = {0, 0, 0};
                const MeshId mesh = builder.add_mesh(open ? sheet : shell);
                builder.add_shape(
                    kWorld, open ? Shape(Surface{mesh}) : Shape(Mesh{.mesh = mesh, .collide = MeshCollide::exact}));
                const BodyId ball =
                    builder.add_body({.position = {0.1, 0.2, start}, .linear_velocity = {0, 0, -speed}});
                builder.add_shape(ball, Sphere{.radius = 0.04});
                watch(builder.build().value(), 1.0 / 60, 0.5,
                      [&](const Simulation& simulation)
                      {
                          ASSERT_GT(simulation.state().position(ball).z, -0.0005)
                              << "open " << open << ", speed " << speed << ", start " << start;
                      });
            }
        }
    }
}

TEST_P(FastBodies, told_not_to_look_ahead_lets_the_bullet_through)
{
    // Spheres of pbd and pbdr keep to the side of what is fixed on which their step began.
    if (GetParam() == "pbd" || GetParam() == "pbdr") GTEST_SKIP() << "FastBodiesOfSpheres has fingers that pass";
    ModelBuilder builder("bullet");
    builder.settings().gravity = {0, 0, 0};
    add_thin_wall(builder);
    // Half way through a step it is beyond the wall, not in its middle, from where it would leave by either side.
    const BodyId ball = builder.add_body({.name = "ball", .position = {-0.07, 0, 0}, .linear_velocity = {100, 0, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.01});
    SimulationOptions blind = options(0.002);
    blind.parameters["continuous"] = false;
    Simulation simulation(builder.build().value(), blind);
    simulation.run_for(0.01);
    EXPECT_GT(simulation.state().position(ball).x, kWallHalf);  // what the tests around this one would see
}

TEST_P(FastBodies, a_stick_thrown_with_spin_stays_on_its_side)
{
    for (const double spin : {0.0, 15.0, -40.0})
    {
        ModelBuilder builder("stick");
        builder.settings().gravity = {0, 0, 0};
        add_thin_wall(builder);
        const BodyId stick = builder.add_body({.name = "stick",
                                               .position = {-0.5, 0, 0},
                                               .linear_velocity = {50, 0, 0},
                                               .angular_velocity = {0, 0, spin}});
        builder.add_shape(stick, Capsule{.radius = 0.01, .half_length = 0.15});
        watch(builder.build().value(), 0.002, 0.1,
              [&](const Simulation& simulation) { ASSERT_LT(simulation.state().position(stick).x, 0) << spin; });
    }
}

TEST_P(FastBodies, a_spinning_blade_stops_at_a_thin_post)
{
    if (has_spheres()) GTEST_SKIP() << "spheres have no joints: FastBodiesOfSpheres has a blade without";
    ModelBuilder builder("blade");
    builder.settings().gravity = {0, 0, 0};
    const BodyId blade = builder.add_body({.name = "blade"});
    builder.add_joint(blade, {.type = JointType::hinge, .axis = {0, 0, 1}, .initial_velocity = 100});
    builder.add_shape(blade, Box{.half_extents = {0.15, 0.004, 0.02}}, {.position = {0.15, 0, 0}});
    // a post of 8 mm at 100 degrees: at 2 ms the tip comes 6 cm in a step
    const double angle = 100 * kDegree;
    builder.add_shape(kWorld, Cylinder{.radius = 0.004, .half_length = 0.1},
                      {.name = "post", .position = {0.25 * std::cos(angle), 0.25 * std::sin(angle), 0}});
    watch(builder.build().value(), 0.002, 0.1,
          [&](const Simulation& simulation) { ASSERT_LT(simulation.state().q[0], angle); });
}

TEST_P(FastBodies, fingers_that_close_at_five_metres_per_second_stop_at_a_coin)
{
    if (has_spheres()) GTEST_SKIP() << "spheres have no joints: FastBodiesOfSpheres has fingers without";
    ModelBuilder builder("gripper");
    builder.settings().gravity = {0, 0, 0};
    const BodyId coin = builder.add_body({.name = "coin"});
    builder.add_shape(coin, Box{.half_extents = {0.001, 0.01, 0.01}});
    for (const double side : {-1.0, 1.0})
    {
        const BodyId finger = builder.add_body({.name = side < 0 ? "left" : "right", .position = {0.06 * side, 0, 0}});
        builder.add_joint(finger, {.type = JointType::slide, .axis = {-side, 0, 0}, .initial_velocity = 5});
        builder.add_shape(finger, Box{.half_extents = {0.003, 0.01, 0.02}});
    }
    // 2 cm in a step of 4 ms: ten times what a finger is thick
    watch(builder.build().value(), 0.004, 0.1,
          [&](const Simulation& simulation)
          {
              const double coin_x = simulation.state().position(coin).x;
              ASSERT_LT(simulation.state().position(BodyId{2}).x, coin_x);
              ASSERT_GT(simulation.state().position(BodyId{3}).x, coin_x);
          });
}

TEST(FastBodiesInPacks, worlds_of_a_batch_stop_with_the_bits_of_a_simulation)
{
    ModelBuilder builder("bullets");
    builder.settings().gravity = {0, 0, 0};
    add_thin_wall(builder);
    const BodyId ball = builder.add_body({.name = "ball", .position = {-0.31, 0, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.01});
    const auto model = std::make_shared<const Model>(builder.build().value());
    // In every pack some are fast and some are not.
    const auto speed_of = [](int world) { return world % 3 == 0 ? 0.5 : 40.0 + world; };
    for (const char* precision : {"double", "single"})
    {
        BatchOptions options{.world_count = 9};
        options.solver = "comfree";
        options.dt = 0.002;
        options.parameters = {{"method", std::string("sweeps")}, {"precision", std::string(precision)}};
        Batch batch = Batch::make(model, options).value();
        for (int w = 0; w < 9; ++w) batch.state().v[static_cast<std::size_t>(6 * w)] = speed_of(w);
        batch.refresh();
        for (int i = 0; i < 20; ++i) batch.step();
        for (int w = 0; w < 9; ++w)
        {
            Simulation simulation =
                Simulation::make(model, {.solver = "comfree", .dt = 0.002, .parameters = options.parameters}).value();
            simulation.state().v[0] = speed_of(w);
            simulation.refresh();
            for (int i = 0; i < 20; ++i) simulation.step();
            const double x = simulation.state().q[0];
            EXPECT_LT(x, -kWallHalf) << precision << ", world " << w;
            EXPECT_EQ(x, batch.state().q[static_cast<std::size_t>(7 * w)]) << precision << ", world " << w;
        }
    }
}

constexpr const char* kOfSpheres[] = {"pbd", "pbdr", "refined"};

TEST(FastBodiesOfSpheres, are_named_where_they_may_not_look_ahead)
{
    ModelBuilder builder("bullet");
    add_thin_wall(builder);
    for (const double speed : {1.0, 100.0})
    {
        const std::string name = speed > 1 ? "bullet" : "pebble";
        const BodyId ball =
            builder.add_body({.name = name, .position = {-0.5, speed, 0}, .linear_velocity = {speed, 0, 0}});
        builder.add_shape(ball, Sphere{.radius = 0.01});
    }
    const auto model = std::make_shared<const Model>(builder.build().value());
    for (const char* solver : kOfSpheres)
    {
        SimulationOptions options{.solver = solver, .dt = 0.002};
        EXPECT_EQ(to_text(Simulation::make(model, options).value().warnings()).find("bullet"), std::string::npos);
        options.parameters["continuous"] = false;
        const std::string text = to_text(Simulation::make(model, options).value().warnings());
        EXPECT_NE(text.find("body 'bullet': comes 0.2 m in a step of 0.002 s"), std::string::npos) << text;
        EXPECT_EQ(text.find("pebble"), std::string::npos) << text;
    }
}

TEST(FastBodiesOfSpheres, a_spinning_blade_stays_on_its_side_of_a_thin_post)
{
    // As for the others, without a hinge: where the blade reaches as far as the post, the post stays before it.
    const Vec3 post{0.2 * std::cos(100 * kDegree), 0.2 * std::sin(100 * kDegree), 0};
    for (const char* solver : kOfSpheres)
    {
        ModelBuilder builder("blade");
        builder.settings().gravity = {0, 0, 0};
        const BodyId blade = builder.add_body({.name = "blade", .angular_velocity = {0, 0, 100}});
        builder.add_shape(blade, Box{.half_extents = {0.25, 0.004, 0.02}});
        builder.add_shape(kWorld, Cylinder{.radius = 0.004, .half_length = 0.1}, {.name = "post", .position = post});
        Simulation simulation(builder.build().value(), {.solver = solver, .dt = 0.002, .parameters = {{"across", 1}}});
        int parts = 1;
        for (int i = 0; i < 20; ++i)
        {
            const StepReport report = simulation.step();
            ASSERT_LT(report.status, StepStatus::diverged);
            parts = std::max(parts, report.substeps);
            const Pose pose = simulation.state().world().body_pose[1];
            const Vec3 seen = rotate(conjugate(pose.rotation), post - pose.position);
            // Before the half that comes round to it.
            ASSERT_TRUE(seen.y > 0 || std::abs(seen.x) > 0.24) << solver << ", step " << i;
        }
        // Contacts of refined reach as far as bodies come: it needs no parts.
        EXPECT_EQ(parts > 1, std::string_view(solver) != "refined") << solver;
    }
}

/// Whether two fingers of 5 m/s stay on their sides of a coin between them, 2 cm in a step.
bool stop_at_coin(const char* solver, bool continuous)
{
    ModelBuilder builder("gripper");
    builder.settings().gravity = {0, 0, 0};
    const BodyId coin = builder.add_body({.name = "coin"});
    builder.add_shape(coin, Box{.half_extents = {0.001, 0.01, 0.01}});
    for (const double side : {-1.0, 1.0})
    {
        const BodyId finger = builder.add_body({.position = {0.06 * side, 0, 0}, .linear_velocity = {-5 * side, 0, 0}});
        builder.add_shape(finger, Box{.half_extents = {0.003, 0.01, 0.02}});
    }
    Simulation simulation(builder.build().value(),
                          {.solver = solver, .dt = 0.004, .parameters = {{"across", 1}, {"continuous", continuous}}});
    for (int i = 0; i < 5; ++i)
    {
        EXPECT_LT(simulation.step().status, StepStatus::diverged);
        const double x = simulation.state().position(coin).x;
        if (!(simulation.state().position(BodyId{2}).x < x && x < simulation.state().position(BodyId{3}).x))
            return false;
    }
    return true;
}

TEST(FastBodiesOfSpheres, fingers_that_close_at_five_metres_per_second_stop_at_a_coin)
{
    for (const char* solver : kOfSpheres)
    {
        EXPECT_TRUE(stop_at_coin(solver, true)) << solver;
        // What the test would see; the margin of refined's contacts is half the way of a step here.
        EXPECT_EQ(stop_at_coin(solver, false), std::string_view(solver) == "refined") << solver;
    }
}

TEST(FastBodiesOfSpheres, what_slides_faster_than_it_is_thick_takes_its_steps_in_one_and_stays_on_the_floor)
{
    // Pushed with ten times its friction for 10 s: a = 70.6 m/s^2, at last 0.7 m in a step, 3.5 km. In hops of 8e-6 s
    // the rounding of single precision that far out became metres per second: the box was thrown up, tumbled, and was
    // 153 m off.
    constexpr double kFriction = 0.8, kMass = 4, kGravity = 9.81, kSeconds = 10, kDt = 1e-3;
    constexpr double kForce = 10 * kFriction * kMass * kGravity;
    constexpr double kAcceleration = kForce / kMass - kFriction * kGravity;
    for (const double gap : {0.0, 3e-4})  // a gap below the tolerance of the search is a touch, too
    {
        ModelBuilder builder("slide");
        const MaterialId material = builder.add_material({.name = "rough", .friction = kFriction});
        builder.add_ground({.material = material});
        const BodyId box = builder.add_body({.name = "box", .position = {0, 0, 0.1 + gap}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.material = material, .mass = kMass});
        Simulation simulation(builder.build().value(), {.solver = "pbdr", .dt = kDt});
        simulation.control().body_wrench[1].force = {kForce, 0, 0};
        for (int i = 0; i < static_cast<int>(kSeconds / kDt); ++i)
        {
            ASSERT_EQ(simulation.step().substeps, 1) << "at " << simulation.time() << " s";
            ASSERT_NEAR(simulation.state().position(box).z, 0.1, 0.01) << "at " << simulation.time() << " s";
        }
        // A rule of first order is off by a h t / 2 = 0.35 m; the rest is rounding.
        const double way = 0.5 * kAcceleration * kSeconds * kSeconds;
        EXPECT_NEAR(simulation.state().position(box).x, way, 3 * 0.5 * kAcceleration * kDt * kSeconds);
    }
}

INSTANTIATE_TEST_SUITE_P(solvers, FastBodies,
                         testing::Values("avbd", "comfree", "comfree_sweeps", "convex", "pbd", "pbdr", "refined"),
                         [](const auto& solver) { return solver.param; });

}  // namespace
}  // namespace rattleback
