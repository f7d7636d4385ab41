// Solver `ipc` at extremes: systems that cannot be solved, and light bodies under the pull of heavy ones.
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

Simulation make_extreme(const Model& model, double dt, const Parameters& parameters = {})
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = parameters}).value();
}

}  // namespace

TEST(IpcExtremes, a_system_that_cannot_be_solved_is_not_converged_and_leaves_a_valid_state)
{
    // A cube of 1e302 kg/m^3 within the barrier's reach: its stiffness m k h^2 overflows, so that no factor exists.
    ModelBuilder builder;
    builder.add_ground();
    const BodyId cube = builder.add_body({.position = {0, 0, 0.1001}});
    builder.add_shape(cube, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1e302});
    Simulation simulation = make_extreme(builder.build().value(), 0.01, {{"stiffness", 1e6}});
    for (int i = 0; i < 3; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::not_converged) << i;
        const Pose pose = simulation.state().pose(cube);
        const Velocity v = simulation.state().velocity(cube);
        // the ground's normal in axes of the cube
        const Vec3 z = rotate(conjugate(pose.rotation), Vec3{0, 0, 1});
        EXPECT_TRUE(std::isfinite(norm(v.linear)) && std::isfinite(norm(v.angular))) << i;
        EXPECT_GT(pose.position.z - 0.1 * (std::abs(z.x) + std::abs(z.y) + std::abs(z.z)), 0) << i;
        EXPECT_NEAR(pose.position.z, 0.1001, 1e-3) << i;
    }
}

TEST(IpcExtremes, a_light_link_that_a_heavy_ball_pulls_straight_neither_spins_up_nor_gains_energy)
{
    // A frame of 0.14 kg hangs askew from a pin; the bar of a ball of 1.3 t falls within it until it is taut. The pull
    // turns the link within a step: h^2 F r / I is far above 1.
    ModelBuilder builder;
    const MaterialId material = builder.add_material({.friction = 0.2});
    const auto add_box = [&](BodyId body, const Vec3& half, const Vec3& place, double density)
    {
        builder.add_shape(body, Box{.half_extents = half},
                          {.position = place, .material = material, .density = density});
    };
    const Quat askew = exponential(Vec3{0.5, 0, 0});
    const BodyId link = builder.add_body({.rotation = askew});
    for (const double side : {-1.0, 1.0})
    {
        add_box(link, {0.01, 0.01, 0.12}, {0, side * 0.05, 0}, 500);
        add_box(link, {0.01, 0.038, 0.01}, {0, 0, side * 0.11}, 500);
    }
    const Vec3 pin = rotate(askew, Vec3{0, 0, 0.08}), bar = rotate(askew, Vec3{0, 0, -0.04});
    add_box(BodyId{0}, {0.3, 0.01, 0.01}, pin, 0);
    const BodyId ball = builder.add_body({.position = bar});
    add_box(ball, {0.1, 0.01, 0.01}, {}, 1000);
    for (const double side : {-1.0, 1.0}) add_box(ball, {0.01, 0.01, 0.14}, {side * 0.112, 0, -0.13}, 1000);
    builder.add_shape(ball, Sphere{.radius = 0.34}, {.position = {0, 0, -0.62}, .material = material, .density = 8000});
    Simulation simulation = make_extreme(builder.build().value(), 0.01);
    double least = simulation.energy().total();
    for (int i = 0; i < 100; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        const double now = simulation.energy().total();
        // implicit Euler loses energy, most of it in the jerk; the barrier may lend what it stores
        ASSERT_LT(now, least + 1e-6 * std::abs(least)) << i;
        // no step turns the link by more than what it hangs askew
        ASSERT_LT(norm(simulation.state().velocity(link).angular), 0.5 / 0.01) << i;
        least = std::min(least, now);
    }
    // hangs straight, but for a slow swing of the ball
    EXPECT_LT(norm(simulation.state().velocity(link).angular), 0.5);
}

}  // namespace rattleback
