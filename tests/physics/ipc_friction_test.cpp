// Friction of solver `ipc` by Coulomb's closed forms, close to where sticking ends: what energy accounts, memory of
// slips and the tolerance must not change.
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kCoulomb = 0.5;  // coefficient of friction

Simulation make_fine(const ModelBuilder& builder, double dt)
{
    return Simulation::make(builder.build().value(), {.solver = "ipc", .dt = dt, .parameters = {{"dhat", 1e-4}}})
        .value();
}

TEST(IpcFriction, a_block_slides_on_a_slope_one_percent_steeper_than_friction_holds_and_rests_on_one_less_steep)
{
    // v = g (sin a - mu cos a) t. May be: 3 %, and where it sticks a slip of eps_v h, 10 um, for each of a few steps in
    // which it lands.
    for (const double dt : {0.01, 0.002})
    {
        for (const double part : {0.9, 0.99, 1.01, 1.1})
        {
            const double angle = std::atan(kCoulomb * part);
            ModelBuilder builder;
            builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
            const MaterialId material = builder.add_material({.friction = kCoulomb});
            builder.add_ground({.material = material});
            const BodyId block = builder.add_body({.position = {0, 0, 0.05005}});
            builder.add_shape(block, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material, .mass = 1});
            Simulation simulation = make_fine(builder, dt);
            while (simulation.state().time[0] < 1 - 1e-9) ASSERT_EQ(simulation.step().status, StepStatus::ok);
            const double fall = kGravity * (std::sin(angle) - kCoulomb * std::cos(angle));
            const double speed = simulation.state().velocity(block).linear.x;
            if (fall > 0)
                EXPECT_NEAR(speed, fall, 0.03 * fall) << part << ' ' << dt;
            else
            {
                EXPECT_NEAR(speed, 0, 1e-6) << part << ' ' << dt;
                EXPECT_LT(simulation.state().position(block).x, 2e-4) << part << ' ' << dt;
            }
        }
    }
}

TEST(IpcFriction, a_box_on_a_turntable_is_held_by_the_force_that_its_circle_needs)
{
    // F = m w^2 r to a part in a thousand, and no slip beyond eps_v h: with a tolerance of eps_v steps ended anywhere
    // within it (43 % too much at half of the bound).
    constexpr double kRadius = 0.5, kDt = 0.01;
    for (const double part : {0.5, 0.9})
    {
        const double rate = std::sqrt(part * kCoulomb * kGravity / kRadius);
        ModelBuilder builder;
        const MaterialId material = builder.add_material({.friction = kCoulomb});
        const BodyId table = builder.add_body({.kind = BodyKind::kinematic});
        builder.add_shape(table, Box{.half_extents = {1, 1, 0.05}}, {.material = material, .mass = 10});
        const BodyId box = builder.add_body({.position = {kRadius, 0, 0.07005},
                                             .linear_velocity = {0, rate * kRadius, 0},
                                             .angular_velocity = {0, 0, rate}});
        builder.add_shape(box, Box{.half_extents = {0.05, 0.05, 0.02}}, {.material = material, .mass = 1});
        Simulation simulation = make_fine(builder, kDt);
        for (int i = 1; i <= 100; ++i)
        {
            simulation.control().target[0] = {{}, from_axis_angle({0, 0, 1}, rate * kDt * i)};
            ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        }
        Vec3 force;
        for (const auto& contact : simulation.contact_forces().items) force += contact.force;
        const double needed = part * kCoulomb * kGravity;
        EXPECT_NEAR(std::hypot(force.x, force.y), needed, 1e-3 * needed) << part;
        const Vec3 place = simulation.state().position(box);
        EXPECT_NEAR(std::hypot(place.x, place.y), kRadius, 2e-5) << part;
    }
}

TEST(IpcFriction, a_box_that_lands_on_a_slope_changes_its_momentum_by_the_forces_it_reports)
{
    // m dv = h (m g + F) along the slope, for a box that falls by d̂ where friction just holds it. May be: the
    // tolerance, 1e-3 m/s. Steps once ended by a chord of friction that was far too stiff (1.65e-3 m/s were missing in
    // the second).
    constexpr double kDt = 0.025, kGap = 5.3e-3, kMass = 1000;
    const double angle = std::atan(kCoulomb);
    ModelBuilder builder;
    const Vec3 gravity{kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    builder.settings().gravity = gravity;
    const MaterialId material = builder.add_material({.friction = kCoulomb});
    builder.add_shape(kWorld, Box{.half_extents = {20, 2, 0.5}}, {.position = {0, 0, -0.5}, .material = material});
    const BodyId box = builder.add_body({.position = {0, 0, 0.5 + kGap}});
    builder.add_shape(box, Box{.half_extents = {0.5, 0.5, 0.5}}, {.material = material, .mass = kMass});
    Simulation simulation =
        Simulation::make(builder.build().value(), {.solver = "ipc", .dt = kDt, .parameters = {{"dhat", kGap}}}).value();
    for (int i = 0; i < 12; ++i)
    {
        const double before = simulation.state().velocity(box).linear.x;
        ASSERT_EQ(simulation.step().status, StepStatus::ok);
        double force = kMass * gravity.x;
        for (const Wrench& contact : simulation.contact_forces().items) force += contact.force.x;
        EXPECT_NEAR(simulation.state().velocity(box).linear.x, before + kDt * force / kMass, 1e-3) << i;
    }
    EXPECT_LT(std::abs(simulation.state().velocity(box).linear.x), 1e-3);
}

TEST(IpcFriction, a_force_on_something_far_away_leaves_what_rests_where_it_is)
{
    // The stiffness of barriers once went by the largest acceleration of any body: 1,000 N on a ball of 10 g for one
    // step threw up a box ten metres away, at 0.41 m/s.
    ModelBuilder builder;
    builder.add_ground();
    const BodyId box = builder.add_body({.position = {0, 0, 0.05005}});
    builder.add_shape(box, Box{.half_extents = {0.05, 0.05, 0.05}}, {.mass = 1});
    const BodyId ball = builder.add_body({.position = {10, 0, 5}});
    builder.add_shape(ball, Sphere{.radius = 0.01}, {.mass = 0.01});
    Simulation simulation = make_fine(builder, 0.001);
    for (int i = 0; i < 200; ++i) simulation.step();
    const double height = simulation.state().position(box).z;
    simulation.control().body_wrench[static_cast<std::size_t>(ball.index)].force = {1000, 0, 0};
    simulation.step();
    EXPECT_NEAR(simulation.state().velocity(box).linear.z, 0, 1e-6);
    EXPECT_NEAR(simulation.state().position(box).z, height, 1e-9);
}

}  // namespace
}  // namespace rattleback
