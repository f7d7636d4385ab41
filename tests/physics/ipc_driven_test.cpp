// Bodies on tracks in solver `ipc`: they stop at what is in their way, say so, and carry and lift what is heavier.
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

Simulation make_driven(const Model& model, double dt, const std::string& kinematic)
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = {{"kinematic", kinematic}}}).value();
}

/// Held on its way by a great mass, and by the augmented Lagrangian of [RigidIPC] section 4.4.
class IpcDriven : public testing::TestWithParam<std::string>
{
};

TEST_P(IpcDriven, a_kinematic_body_that_is_driven_into_a_wall_stops_there_and_says_so)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.position = {1, 0, 0}});
    const BodyId driven = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(driven, Box{.half_extents = {0.1, 0.1, 0.1}});
    const BodyId box = builder.add_body({.position = {0.35, 0, 0}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.1}}, {.density = 1000});
    Simulation simulation = make_driven(builder.build().value(), 0.01, GetParam());
    StepStatus last = StepStatus::ok;
    for (int i = 1; i <= 100; ++i)
    {
        simulation.control().target[0].position = {0.01 * i, 0, 0};
        last = simulation.step().status;
        if (i <= 50)
        {
            EXPECT_EQ(simulation.state().position(driven).x, 0.01 * i) << "nothing holds it";
            EXPECT_EQ(last, StepStatus::ok) << i;
        }
        ASSERT_LT(simulation.state().position(driven).x + 0.1, simulation.state().position(box).x - 0.1);
        ASSERT_LT(simulation.state().position(box).x + 0.1, 0.9);
    }
    EXPECT_EQ(last, StepStatus::not_converged) << "the wall is in its way";
    // It got as far as the two gaps of the contacts allow.
    EXPECT_GT(simulation.state().position(driven).x, 0.6 - 4e-3);
}

TEST_P(IpcDriven, a_kinematic_body_alone_stops_at_what_is_fixed_but_not_at_what_it_is_mounted_in)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.position = {1, 0, 0}});
    builder.add_shape(kWorld, Box{.half_extents = {0.2, 0.2, 0.05}});  // it begins inside of this one
    const BodyId driven = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(driven, Box{.half_extents = {0.1, 0.1, 0.1}});
    Simulation simulation = make_driven(builder.build().value(), 0.01, GetParam());
    // Pressed on for longer it tips from that edge onto its side, in one step and off the wall.
    for (int i = 1; i <= 60; ++i)
    {
        // Turned by an eighth, an edge comes first.
        simulation.control().target[0] = {{0.02 * i, 0, 0},
                                          from_axis_angle({0, 0, 1}, kPi / 4 * std::min(1.0, 0.05 * i))};
        const StepStatus status = simulation.step().status;
        // How far its corners reach along x, as it is turned.
        const Vec3 x = rotate(conjugate(simulation.state().body_pose[1].rotation), Vec3{1, 0, 0});
        const double most = 0.9 - 0.1 * (std::abs(x.x) + std::abs(x.y) + std::abs(x.z));
        ASSERT_LT(simulation.state().position(driven).x, most) << i;
        if (i <= 30)
        {
            ASSERT_EQ(status, StepStatus::ok) << i;
            ASSERT_EQ(simulation.state().position(driven).x, 0.02 * i) << "nothing holds it";
        }
        if (i > 40)
        {
            ASSERT_EQ(status, StepStatus::not_converged) << i;
            ASSERT_GT(simulation.state().position(driven).x, most - 2e-3) << i;
        }
    }
}

TEST_P(IpcDriven, two_kinematic_bodies_that_are_driven_against_each_other_stop_there)
{
    // A long one and a short one come from both sides, at different speeds; a third, which the first begins inside of,
    // is mounted there and goes along.
    ModelBuilder builder;
    builder.settings().gravity = {};
    std::array<BodyId, 3> bodies;
    for (std::size_t i = 0; i < 3; ++i)
        bodies[i] = builder.add_body({.position = {i == 1 ? 1.0 : 0.0, 0, 0}, .kind = BodyKind::kinematic});
    builder.add_shape(bodies[0], Box{.half_extents = {0.2, 0.1, 0.1}});
    builder.add_shape(bodies[1], Box{.half_extents = {0.1, 0.1, 0.1}});
    builder.add_shape(bodies[2], Box{.half_extents = {0.05, 0.2, 0.02}});
    Simulation simulation = make_driven(builder.build().value(), 0.01, GetParam());
    const auto x = [&](std::size_t i) { return simulation.state().position(bodies[i]).x; };
    for (int i = 1; i <= 60; ++i)
    {
        simulation.control().target[0].position = simulation.control().target[2].position = {0.02 * i, 0, 0};
        simulation.control().target[1].position = {1 - 0.01 * i, 0, 0};
        const StepStatus status = simulation.step().status;
        ASSERT_LT(x(0) + 0.2, x(1) - 0.1) << i;
        // They meet after 0.7 / 0.03 steps.
        if (i <= 22)
        {
            ASSERT_EQ(status, StepStatus::ok) << i;
            ASSERT_EQ(x(0), 0.02 * i) << "nothing holds it";
            ASSERT_EQ(x(1), 1 - 0.01 * i);
        }
        if (i > 24)
        {
            ASSERT_EQ(status, StepStatus::not_converged) << i;
        }
    }
    EXPECT_LT(x(1) - x(0) - 0.3, 4e-3) << "they press on each other";
}

TEST_P(IpcDriven, a_kinematic_body_turns_and_lifts_what_is_heavier_and_stays_on_its_track)
{
    // A plate of 16 kg takes a box of 80 kg along: up, around and sideways, through what they press on each other.
    ModelBuilder builder;
    const BodyId plate = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(plate, Box{.half_extents = {0.2, 0.2, 0.05}}, {.density = 1000});
    const BodyId box = builder.add_body({.position = {0.05, 0, 0.251}});
    builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.2}}, {.density = 5000});
    Simulation simulation = make_driven(builder.build().value(), 0.01, GetParam());
    for (int i = 1; i <= 60; ++i)
    {
        const double t = 0.01 * i;
        Pose& target = simulation.control().target[0];
        target = {{0.05 * t * t, 0, 0.5 * t * t}, from_axis_angle({0, 0, 1}, 0.5 * t * t)};
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        EXPECT_EQ(simulation.state().position(plate), target.position) << i;
        EXPECT_LT(norm(logarithm(simulation.state().body_pose[1].rotation * conjugate(target.rotation))), 1e-12) << i;
    }
    // Friction takes it along: it stands on the plate, turned with it.
    EXPECT_NEAR(simulation.state().position(box).z - simulation.state().position(plate).z, 0.25, 2e-3);
    const Quat turned = simulation.state().body_pose[2].rotation;
    EXPECT_NEAR(logarithm(turned).z, 0.5 * 0.36, 2e-3);
}

TEST_P(IpcDriven, a_kinematic_body_at_rest_carries_what_is_heavier)
{
    // A track without a way: 80 kg fall by 1 mm onto a plate of 16 kg, or 16 g, that is to stay where it is.
    for (const double density : {1000.0, 1.0})
    {
        ModelBuilder builder;
        const BodyId plate = builder.add_body({.kind = BodyKind::kinematic});
        builder.add_shape(plate, Box{.half_extents = {0.2, 0.2, 0.05}}, {.density = density});
        const BodyId box = builder.add_body({.position = {0, 0, 0.251}});
        builder.add_shape(box, Box{.half_extents = {0.1, 0.1, 0.2}}, {.density = 5000});
        Simulation simulation = make_driven(builder.build().value(), 0.01, GetParam());
        for (int i = 1; i <= 40; ++i)
        {
            ASSERT_EQ(simulation.step().status, StepStatus::ok) << density << ", step " << i;
            EXPECT_EQ(simulation.state().position(plate), Vec3{}) << i;
            EXPECT_LT(norm(logarithm(simulation.state().body_pose[1].rotation)), 1e-12) << i;
        }
        EXPECT_NEAR(simulation.state().position(box).z, 0.25, 2e-3);
    }
}

INSTANTIATE_TEST_SUITE_P(Ipc, IpcDriven, testing::Values("mass", "paper"));

}  // namespace
}  // namespace rattleback
