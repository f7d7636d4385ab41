// Tests of the tolerance of solver `ipc`: a speed, or a part of the scene's size.
#include "solvers/ipc/tolerance.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::ipc
{

namespace
{

/// A fixed box, a ball and a turned box on a slide within a box of 3.5 x 2 x 4 m, above a plane that is endless.
Model make_spread_model(const Parameters& authored = {})
{
    ModelBuilder builder;
    builder.settings().solver_parameters["ipc"] = authored;
    builder.add_ground();
    builder.add_shape(kWorld, Box{.half_extents = {0.5, 1, 0.25}}, {.position = {0.5, 0, 0.75}});
    const BodyId ball = builder.add_body({.position = {2, 0.5, 4}});
    builder.add_shape(ball, Sphere{.radius = 0.5}, {.position = {0.25, 0, 0}});
    // Turned by a quarter about y and pushed by the joint's first place: from 2.5 to 3.5 along x.
    const BodyId box = builder.add_body({.position = {2, 0, 2}, .rotation = from_axis_angle({0, 1, 0}, 0.5 * kPi)});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.5}}, {.density = 500});
    builder.add_joint(box, {.type = JointType::slide, .axis = {0, 0, 1}, .initial_position = 1});
    return builder.build().value();
}

double find_of(const Model& model, const Parameters& overrides)
{
    const Settings settings(make_parameters(*find_solver("ipc").value(), model, overrides).value());
    return build_layout(model, settings).value()->tolerance;
}

}  // namespace

TEST(IpcTolerance, relative_ones_count_the_diagonal_of_all_shapes_at_the_start_without_planes)
{
    const double diagonal = std::sqrt(3.5 * 3.5 + 2 * 2 + 4 * 4);
    EXPECT_NEAR(find_of(make_spread_model(), {{"relative_tolerance", 0.01}}), 0.01 * diagonal, 1e-14);
}

TEST(IpcTolerance, an_absolute_one_wins_over_a_relative_one_whoever_gives_it)
{
    const Model relative = make_spread_model({{"relative_tolerance", 0.01}});
    EXPECT_EQ(find_of(relative, {{"tolerance", 2e-4}}), 2e-4);
    EXPECT_EQ(find_of(make_spread_model({{"tolerance", 2e-4}}), {{"relative_tolerance", 0.01}}), 2e-4);
    // zero gives way, as where nothing is said
    EXPECT_EQ(find_of(relative, {{"tolerance", 0.0}}), find_of(relative, {}));
    EXPECT_EQ(find_of(make_spread_model(), {}), 1e-3);
    EXPECT_EQ(find_of(relative, {{"relative_tolerance", 0.0}}), 1e-3);
}

TEST(IpcTolerance, a_scene_without_shapes_has_no_size_to_count_in)
{
    ModelBuilder builder;
    builder.add_ground();
    builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    EXPECT_EQ(find_of(builder.build().value(), {{"relative_tolerance", 0.01}}), 1e-3);
}

TEST(IpcTolerance, a_looser_relative_one_takes_no_more_iterations)
{
    // What it is for: the same scene, solved to 0.03 % and to 3 % of its size per second.
    const auto count = [](double relative)
    {
        const Model model = make_spread_model();
        Simulation simulation =
            Simulation::make(model, {.solver = "ipc", .parameters = {{"relative_tolerance", relative}}}).value();
        int iterations = 0;
        for (int i = 0; i < 100; ++i) iterations += simulation.step().iterations;
        return iterations;
    };
    EXPECT_LE(count(0.03), count(3e-4));
}

}  // namespace rattleback::ipc
