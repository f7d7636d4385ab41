// Free bodies of `pbd` and `pbdr` at any place and any step: floats hold what is small beside a frame in double.
#include <rattleback/batch.h>
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::particle_frames
{
namespace
{

constexpr double kG = 9.81;

Model make_box(const Vec3& position, double half, const Vec3& velocity, const Vec3& spin, const Vec3& gravity)
{
    ModelBuilder builder("box");
    builder.settings().gravity = gravity;
    const BodyId box =
        builder.add_body({.name = "box", .position = position, .linear_velocity = velocity, .angular_velocity = spin});
    builder.add_shape(box, Box{.half_extents = {half, half, half}});
    return builder.build().value();
}

Simulation simulate(const Model& model, const char* solver, double dt, Parameters parameters = {})
{
    return Simulation::make(model, {.solver = solver, .dt = dt, .parameters = std::move(parameters)}).value();
}

/// What rounding of a coordinate of this size leaves of a way in so many steps, in double.
double find_rounding(double place, int steps) { return steps * std::abs(place) * 1.2e-16; }

TEST(ParticleFrames, a_box_falls_as_the_sum_of_its_steps_says_at_any_place_and_any_step)
{
    constexpr int kSteps = 500;
    for (const char* solver : {"pbd", "pbdr"})
    {
        for (const double place : {0.0, 1e3, 1e5, 1e7})
        {
            for (const double dt : {1e-6, 1e-5, 1e-3, 0.1})
            {
                SCOPED_TRACE(testing::Message() << solver << " at " << place << " m, " << dt << " s");
                const Vec3 gravity{1, -2, -kG}, velocity{3, -1, 5};
                Simulation simulation =
                    simulate(make_box({place, 2 * place, -place}, 0.1, velocity, {}, gravity), solver, dt);
                const Vec3 start = simulation.state().position(BodyId{1});
                EXPECT_EQ(simulation.run_steps(kSteps).status, StepStatus::ok);
                // semi-implicit Euler: x = v t + g t (t + h) / 2
                const double t = kSteps * dt;
                const Vec3 expected = t * velocity + (0.5 * t * (t + dt)) * gravity;
                const Vec3 way = simulation.state().position(BodyId{1}) - start;
                EXPECT_LT(norm(way - expected), 1e-9 * norm(expected) + find_rounding(3 * place, kSteps));
                const Vec3 gained = simulation.state().velocity(BodyId{1}).linear - velocity;
                EXPECT_LT(norm(gained - t * gravity), 1e-9 * t * norm(gravity) + 1e-13);
            }
        }
    }
}

TEST(ParticleFrames, a_cube_turns_as_far_as_its_spin_says_at_any_place_and_any_step)
{
    // The points of a cube have the same moment about all axes: it turns steadily. Shape matching takes the angle
    // atan(w h) in a step, and `pbd`, which keeps the velocity that this leaves, loses (w h)^2 / 3 of it in each.
    for (const char* solver : {"pbd", "pbdr"})
    {
        for (const double place : {0.0, 1e3, 1e5})
        {
            for (const double dt : {1e-6, 1e-5, 1e-4})
            {
                SCOPED_TRACE(testing::Message() << solver << " at " << place << " m, " << dt << " s");
                constexpr double kSpin = 7;
                Simulation simulation = simulate(make_box({place, 0, place}, 0.1, {}, {0, 0, kSpin}, {}), solver, dt);
                constexpr int kSteps = 2000;
                simulation.run_steps(kSteps);
                const Quat q = simulation.state().rotation(BodyId{1});
                const double angle = 2 * std::atan2(q.z, q.w), expected = kSpin * kSteps * dt;
                const double turn = kSpin * dt, lost = kSteps * turn * turn;
                EXPECT_NEAR(angle / expected, 1, lost + 1e-5);
                EXPECT_NEAR(simulation.state().velocity(BodyId{1}).angular.z / kSpin, 1, lost + 1e-5);
                EXPECT_LT(std::hypot(q.x, q.y), 1e-5);
                EXPECT_LT(norm(simulation.state().velocity(BodyId{1}).linear), 1e-6);
            }
        }
    }
}

TEST(ParticleFrames, bodies_of_a_hundredth_of_a_millimetre_fall_spin_and_stand)
{
    for (const char* solver : {"pbd", "pbdr"})
    {
        for (const double size : {3e-4, 1e-5})
        {
            SCOPED_TRACE(testing::Message() << solver << ", " << size << " m");
            Simulation falling = simulate(make_box({0, 0, 1}, size, {}, {1, 2, 3}, {0, 0, -kG}), solver, 1e-4);
            EXPECT_EQ(falling.run_steps(1000).status, StepStatus::ok);
            EXPECT_NEAR(falling.state().position(BodyId{1}).z, 1 - 0.5 * kG * 0.1 * (0.1 + 1e-4), 1e-9);
            EXPECT_NEAR(norm(falling.state().velocity(BodyId{1}).angular), std::sqrt(14.0), 0.01);

            ModelBuilder builder;
            builder.add_ground();
            builder.add_shape(builder.add_body({.position = {0, 0, size}}), Sphere{size});
            Simulation standing = simulate(builder.build().value(), solver, 1e-4);
            EXPECT_EQ(standing.run_steps(1000).status, StepStatus::ok);
            EXPECT_NEAR(standing.state().position(BodyId{1}).z, size, 0.1 * size);
        }
    }
}

TEST(ParticleFrames, a_torque_turns_a_small_box_as_it_turns_a_large_one)
{
    for (const char* solver : {"pbd", "pbdr"})
    {
        for (const double half : {0.1, 5e-3, 1e-4})
        {
            Simulation simulation =
                simulate(make_box({}, half, {}, {}, {}), solver, 1e-3, {{"packing", std::string("exact")}});
            // mass 8 half^3 density, moment 2/3 mass half^2: 1 rad/s^2
            const double moment = 2.0 / 3 * simulation.model().bodies.mass[1] * half * half;
            simulation.control().body_wrench[1].torque.z = moment;
            simulation.run_steps(100);
            EXPECT_NEAR(simulation.state().velocity(BodyId{1}).angular.z, 0.1, 0.001) << solver << ' ' << half;
        }
    }
}

TEST(ParticleFrames, a_pile_a_hundred_kilometres_away_is_the_pile_at_the_origin)
{
    const auto run = [](const char* solver, const Vec3& place)
    {
        ModelBuilder builder;
        builder.add_shape(kWorld, Box{.half_extents = {2, 2, 0.1}}, {.position = place});
        for (int i = 0; i < 3; ++i)
        {
            const BodyId box = builder.add_body({.position = place + Vec3{0.01 * i, 0, 0.2 + 0.21 * i}});
            builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}});
        }
        Simulation simulation = simulate(builder.build().value(), solver, 1e-3);
        simulation.run_steps(300);
        return simulation.state().position(BodyId{3}) - place;
    };
    for (const char* solver : {"pbd", "pbdr"})
        // places there are known to 1e-11 m, and contact makes 1e3 of what they are off by in a step
        EXPECT_LT(norm(run(solver, {}) - run(solver, {1e5, -1e5, 1e5})), 1e-5) << solver;
}

TEST(ParticleFrames, fast_hulls_in_a_pile_that_take_a_step_in_parts_gain_no_energy)
{
    // 50 ms a step: overlaps that a part found became speeds dx / h with its short h, and 75 J 41 kJ.
    for (const char* solver : {"pbd", "pbdr"})
    {
        ModelBuilder builder;
        builder.add_ground();
        for (int i = 0; i < 3; ++i)
        {
            MeshOptions mesh{.name = "rock" + std::to_string(i)};
            const double s = 0.12 + 0.02 * i;
            mesh.vertices = {{s, 0, -0.5 * s}, {-0.6 * s, 0.8 * s, 0}, {-0.5 * s, -s, 0.1 * s}, {0.1 * s, 0.2 * s, s}};
            mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
            const BodyId rock = builder.add_body({.position = {0.02 * i, 0, 0.4 + 0.5 * i},
                                                  .rotation = normalized(Quat{0.3, 0.7, 0.5, -0.2 + 0.3 * i})});
            builder.add_shape(rock, Mesh{builder.add_mesh(mesh)}, {.density = 500.0 + 1500 * i});
        }
        Simulation simulation = simulate(builder.build().value(), solver, 0.05);
        const double first = simulation.energy().total();
        int parts = 0;
        for (int step = 0; step < 100; ++step)
        {
            const StepReport report = simulation.step();
            ASSERT_EQ(report.status, StepStatus::ok);
            parts = std::max(parts, report.substeps);
            EXPECT_LT(simulation.energy().total(), 1.05 * first) << solver << ", step " << step;
        }
        EXPECT_GT(parts, 1) << "nothing was fast";
    }
}

TEST(ParticleFrames, more_spheres_than_a_step_should_take_are_refused_with_what_to_change)
{
    // A coin of 0.2 mm by 20 cm: millions of spheres across 4.
    ModelBuilder builder;
    builder.add_shape(builder.add_body({.name = "coin"}), Cylinder{.radius = 0.1, .half_length = 1e-4},
                      {.name = "coin"});
    const Model model = builder.build().value();
    for (const char* solver : {"pbd", "pbdr"})
    {
        const Result<Simulation> made = Simulation::make(model, {.solver = solver});
        ASSERT_FALSE(made.ok()) << solver;
        const std::string text = to_text(made.errors());
        EXPECT_NE(text.find("shape 'coin'"), std::string::npos) << text;
        EXPECT_NE(text.find("more than 200000"), std::string::npos) << text;
        EXPECT_NE(text.find("radius"), std::string::npos) << text;
    }
}

TEST(ParticleFrames, a_step_with_too_many_pairs_of_spheres_is_not_taken_and_says_what_needs_less)
{
    // Two boxes of 8,000 spheres, and a margin that puts all of them into reach of each other: 64 million pairs.
    ModelBuilder builder;
    for (int i = 0; i < 2; ++i)
        builder.add_shape(builder.add_body({.position = {0.25 * i, 0, 0}}), Box{.half_extents = {0.1, 0.1, 0.1}});
    const Model model = builder.build().value();
    for (const char* solver : {"pbd", "pbdr"})
    {
        Simulation simulation = simulate(model, solver, 1e-3, {{"across", 20}, {"margin", 10.0}});
        const std::uint64_t before = hash(simulation.state());
        const StepReport report = simulation.step();
        EXPECT_EQ(report.status, StepStatus::capacity) << solver;
        EXPECT_GT(report.needed_capacity, 8'000'000);
        EXPECT_EQ(hash(simulation.state()), before) << solver;
        EXPECT_NE(simulation.explain(report).find("smaller timestep"), std::string::npos);
    }
}

}  // namespace
}  // namespace rattleback::particle_frames
