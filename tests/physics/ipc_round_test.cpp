// Laws of round shapes in solver `ipc`, which are exact: what rolls, falls on edges and collides by closed forms.
#include "lab/certify/audit.h"
#include "math/rotation.h"
#include "physics/contact_laws.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rattleback
{
namespace
{

Simulation make_round(const Model& model, double dt, const Parameters& parameters = {})
{
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = parameters}).value();
}

constexpr double kRadius = 0.1;

/// A solid ball a little above the ground, in axes of a slope: gravity leans towards x.
Model make_ball(double friction, double angle, const Vec3& velocity, const Vec3& spin)
{
    ModelBuilder builder;
    builder.settings().gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
    const MaterialId material = builder.add_material({.friction = friction});
    builder.add_ground({.material = material});
    const BodyId ball =
        builder.add_body({.position = {0, 0, kRadius + 2e-4}, .linear_velocity = velocity, .angular_velocity = spin});
    builder.add_shape(ball, Sphere{.radius = kRadius}, {.material = material, .density = 1000});
    return builder.build().value();
}

}  // namespace

TEST(IpcRolling, a_ball_on_a_slope_rolls_with_five_sevenths_of_g_sin)
{
    const double angle = 20 * kPi / 180, dt = 0.01;
    Simulation simulation = make_round(make_ball(0.5, angle, {}, {}), dt);
    const double rate = 5.0 / 7 * kGravity * std::sin(angle);
    for (int i = 1; i <= 300; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        const Velocity v = simulation.state().velocity(BodyId{1});
        // Friction that is smooth below eps_v = 1 mm/s creeps by less than that; the normal force settles in the first
        // steps. Nothing else is between the solver and the closed form, though the ball turns by 0.7 rad in a step at
        // the end.
        EXPECT_NEAR(v.linear.x, rate * i * dt, 1.5e-3) << i;
        EXPECT_NEAR(v.linear.x - v.angular.y * kRadius, 0, 1e-3) << i;
        EXPECT_LT(std::abs(v.linear.z), 1e-4) << i;
    }
    // Implicit Euler falls a h^2 n (n + 1) / 2.
    EXPECT_NEAR(simulation.state().pose(BodyId{1}).position.x, rate * dt * dt * 300 * 301 / 2, 3 * 1.5e-3);
}

TEST(IpcRolling, a_ball_that_slides_ends_with_five_sevenths_of_its_speed)
{
    // At 60 m/s it turns by 4.3 rad in a step in the end, more than half a turn.
    for (const double speed : {2.0, 20.0, 60.0})
    {
        Simulation simulation = make_round(make_ball(0.5, 0, {speed, 0, 0}, {}), 0.01);
        // rolls after 2 v / (7 mu g)
        const int steps = static_cast<int>(std::ceil(1.2 * 2 * speed / (7 * 0.5 * kGravity) / 0.01)) + 5;
        for (int i = 0; i < steps; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok) << speed << ' ' << i;
        const Velocity v = simulation.state().velocity(BodyId{1});
        // what friction does while the ball falls 0.2 mm into the reach of the barrier cancels: only m v + I w / r
        // counts
        EXPECT_NEAR(v.linear.x / (5.0 / 7 * speed), 1, 2e-3) << speed;
        EXPECT_NEAR(v.angular.y * kRadius / v.linear.x, 1, 2e-3) << speed;
    }
}

TEST(IpcRolling, a_ball_without_friction_slides_down_and_never_turns)
{
    // The normal force goes through the centre: not a bit of spin. (Corners of a tessellated ball turn it.)
    const double angle = 20 * kPi / 180;
    Simulation simulation = make_round(make_ball(0, angle, {}, {}), 0.01);
    for (int i = 1; i <= 100; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
    const Velocity v = simulation.state().velocity(BodyId{1});
    EXPECT_NEAR(v.linear.x, kGravity * std::sin(angle), 1e-9);
    EXPECT_LT(norm(v.angular), 1e-12);
}

TEST(IpcRound, two_balls_meet_along_the_line_of_their_centres)
{
    // Without friction and restitution both keep what is across that line and share what is along it.
    ModelBuilder builder;
    builder.settings().gravity = {};
    const MaterialId smooth = builder.add_material({.friction = 0});
    const BodyId first =
        builder.add_body({.position = {-0.3, 0, 0}, .linear_velocity = {3, 0, 0}, .angular_velocity = {0, 0, 5}});
    builder.add_shape(first, Sphere{.radius = 0.1}, {.material = smooth, .density = 1000});
    const BodyId second = builder.add_body({.position = {0, 0.08, 0}});
    builder.add_shape(second, Sphere{.radius = 0.05}, {.material = smooth, .density = 3000});
    const Model model = builder.build().value();
    const double ma = model.bodies.mass[1], mb = model.bodies.mass[2];
    Simulation simulation = make_round(model, 0.001);
    const double energy = simulation.energy().total();
    for (int i = 0; i < 150; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok);
        ASSERT_GT(norm(simulation.state().pose(first).position - simulation.state().pose(second).position), 0.15);
        ASSERT_LE(simulation.energy().total(), energy * (1 + 1e-9));
    }
    const Velocity a = simulation.state().velocity(first), b = simulation.state().velocity(second);
    EXPECT_NEAR(ma * a.linear.x + mb * b.linear.x, ma * 3, 1e-6 * ma);
    EXPECT_NEAR(ma * a.linear.y + mb * b.linear.y, 0, 1e-6 * ma);
    // spins are what they were: to the rounding of the free turn
    EXPECT_NEAR(a.angular.z, 5, 1e-9);
    EXPECT_LT(norm(b.angular), 1e-12);
    // The second goes where it was pushed: along n, when the centres are r_a + r_b apart (sin = 0.08 / 0.15), turned on
    // by what a passes in the few steps of the impact.
    const double sine = -b.linear.y / norm(b.linear);
    EXPECT_NEAR(std::abs(sine), 0.08 / 0.15, 0.03);
    EXPECT_GT(b.linear.x, 0);
}

TEST(IpcRound, a_ball_in_a_groove_stands_where_two_edges_hold_it_and_rolls_down_it_by_the_closed_form)
{
    // Two plates' edges, 2 w apart: the ball rolls about an axis rho = sqrt(r^2 - w^2) above them.
    const double angle = 15 * kPi / 180, w = 0.06, rho = std::sqrt(kRadius * kRadius - w * w);
    ModelBuilder builder;
    builder.settings().gravity = {0, kGravity * std::sin(angle), -kGravity * std::cos(angle)};
    const MaterialId material = builder.add_material({.friction = 0.8});
    for (const double side : {-1.0, 1.0})
        builder.add_shape(BodyId{0}, Box{.half_extents = {0.1, 5, 0.1}},
                          {.position = {side * (w + 0.1), 4.5, -0.1}, .material = material});
    const BodyId ball = builder.add_body({.position = {0, 0, rho + 2e-4}});
    builder.add_shape(ball, Sphere{.radius = kRadius}, {.material = material, .density = 1000});
    Simulation simulation = make_round(builder.build().value(), 0.01);
    const double reach = 0.005 * kRadius,
                 rate = kGravity * std::sin(angle) / (1 + 0.4 * kRadius * kRadius / (rho * rho));
    for (int i = 1; i <= 200; ++i)
    {
        ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
        const Pose pose = simulation.state().pose(ball);
        const Velocity v = simulation.state().velocity(ball);
        const double distance = std::hypot(w, pose.position.z);
        ASSERT_GT(distance, kRadius) << i;
        ASSERT_LT(distance, kRadius + reach) << i;
        // smooth friction creeps by 1 mm/s at most; rho grows by the gap, 0.5 % of r at most
        EXPECT_NEAR(v.linear.y, rate * 0.01 * i, 2e-3 + 0.005 * rate * 0.01 * i) << i;
        EXPECT_NEAR(pose.position.x, 0, 1e-6) << i;
    }
}

TEST(IpcRound, a_capsule_across_two_edges_presses_on_each_with_half_its_weight)
{
    ModelBuilder builder;
    const MaterialId material = builder.add_material({.friction = 0.5});
    for (const double side : {-1.0, 1.0})
        builder.add_shape(BodyId{0}, Box{.half_extents = {0.1, 0.2, 0.1}},
                          {.position = {side * 0.25, 0, -0.1},
                           .rotation = exponential(Vec3{0, 0.25 * kPi, 0}),
                           .material = material});
    // edges of the turned boxes lie at height 0.1 (sqrt 2 - 1)
    const double edge = 0.1 * (std::sqrt(2.0) - 1);
    const BodyId capsule =
        builder.add_body({.position = {0, 0, edge + 0.05 + 3e-4}, .rotation = exponential(Vec3{0, 0.5 * kPi, 0})});
    builder.add_shape(capsule, Capsule{.radius = 0.05, .half_length = 0.35}, {.material = material, .density = 1000});
    const Model model = builder.build().value();
    const double weight = model.bodies.mass[1] * kGravity;
    Simulation simulation = make_round(model, 0.01, {{"dhat", 5e-4}});
    for (int i = 0; i < 200; ++i) ASSERT_EQ(simulation.step().status, StepStatus::ok) << i;
    double left = 0, right = 0;
    for (std::size_t i = 0; i < simulation.contacts().items.size(); ++i)
    {
        const Contact& contact = simulation.contacts().items[i];
        // forces are those on the second body
        const Vec3 force = simulation.contact_forces().items[i].force;
        const double up = contact.second_body == capsule ? force.z : -force.z;
        EXPECT_NEAR(contact.point.z, edge, 5e-4);
        (contact.point.x < 0 ? left : right) += up;
    }
    EXPECT_NEAR(left / weight, 0.5, 1e-3);
    EXPECT_NEAR(right / weight, 0.5, 1e-3);
    EXPECT_LT(norm(simulation.state().velocity(capsule).linear), 1e-5);
}

TEST(IpcRolling, a_leaning_capsule_that_spins_never_gains_energy_in_a_step_that_converged)
{
    // One end touches first: forces act on a long arm, which goes round with the body, 1 and 5 rad in a step. Beyond
    // that it may gain (README, "Round shapes").
    constexpr double kThin = 0.005, kLean = 0.02, kHalf = 0.1;
    for (const double spin : {100.0, 500.0})
    {
        ModelBuilder builder;
        const MaterialId material = builder.add_material({.friction = 0.5});
        builder.add_ground({.material = material});
        const BodyId stick = builder.add_body({.position = {0, 0, kThin + 2e-4 + kHalf * std::sin(kLean)},
                                               .rotation = exponential(Vec3{kPi / 2 + kLean, 0, 0}),
                                               .angular_velocity = {0, spin, 0}});
        builder.add_shape(stick, Capsule{.radius = kThin, .half_length = kHalf},
                          {.material = material, .density = 1000});
        Simulation simulation = make_round(builder.build().value(), 0.01);
        const double first = simulation.energy().total();
        double energy = first;
        int good = 0;
        for (int i = 0; i < 100; ++i)
        {
            const bool is_good = simulation.step().status == StepStatus::ok;
            const double now = simulation.energy().total();
            // a barrier lends what it stores
            EXPECT_TRUE(!is_good || now < energy + 1e-4 * first) << spin << ' ' << i << ' ' << now - energy;
            good += is_good ? 1 : 0;
            energy = now;
        }
        EXPECT_GE(good, 95) << spin;
        EXPECT_LT(energy, first);
    }
}

TEST(IpcRound, a_heap_of_balls_capsules_and_boxes_is_audited_clean_and_loses_energy)
{
    // The audit knows nothing of the solver: balls and capsules by their exact distances, every step and every way.
    const auto model = std::make_shared<const Model>(make_heap(18));
    Simulation simulation(*model, {.solver = "ipc", .dt = 0.01});
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "ipc_round_heap.rec";
    double energy = simulation.energy().total();
    {
        Recorder recorder = Recorder::open(path, model, {.solver = "ipc", .dt = 0.01}).value();
        for (int i = 0; i < 250; ++i)
        {
            const StepReport report = simulation.step();
            ASSERT_EQ(report.status, StepStatus::ok) << i;
            record_frame(recorder, simulation, report).require();
            const double now = simulation.energy().total();
            // a barrier lends what it stores: a rise of 0.1 % of what the heap had
            ASSERT_LT(now, energy + 1e-3 * std::abs(energy)) << i;
            energy = std::min(energy, now);
        }
        recorder.close().require();
    }
    Recording recording = load_recording(path).value();
    std::filesystem::remove(path);
    const Result<lab::AuditReport> report = lab::audit(recording, {.model = model.get()});
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report->findings.empty());
    EXPECT_EQ(report->undecided, 0);
    EXPECT_GT(report->queries, 1000);
}

}  // namespace rattleback
