// Steps of solver `ipc` whatever their length, and whatever ends them: momentum, energy, work.
#include "math/rotation.h"
#include "physics/contact_laws.h"
#include "support/counting_allocator.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

constexpr double kShotRadius = 0.05, kPlateHalf = 0.25, kShotHeight = 0.2;

/// A ball of 4 kg flies down towards a plate of water's density at rest, beside its middle.
struct Shot
{
    double thickness = 0.001, speed = 30, dt = 0.01, beside = 0;
    int cap = 0;  ///< of Newton's iterations; 0: the default
};

Model make_shot(const Shot& shot)
{
    ModelBuilder builder;
    builder.settings().gravity = {};
    const BodyId ball = builder.add_body({.position = {shot.beside, 0.6 * shot.beside, kShotHeight + kShotRadius},
                                          .linear_velocity = {0, 0, -shot.speed}});
    builder.add_shape(ball, Sphere{.radius = kShotRadius},
                      {.density = 3 / (kPi * kShotRadius * kShotRadius * kShotRadius)});
    const BodyId plate = builder.add_body({});
    builder.add_shape(plate, Box{.half_extents = {kPlateHalf, kPlateHalf, 0.5 * shot.thickness}}, {.density = 1000});
    return builder.build().value();
}

Simulation make_steps(const Model& model, double dt, int cap, Parameters parameters = {})
{
    if (cap > 0) parameters["max_iterations"] = cap;
    return Simulation::make(model, {.solver = "ipc", .dt = dt, .parameters = parameters}).value();
}

/// Distance of the ball's surface from the plate's, in closed form; negative: they overlap.
double find_shot_gap(const Vec3& ball, const Pose& plate, double thickness)
{
    const Vec3 at = rotate(conjugate(plate.rotation), ball - plate.position),
               half{kPlateHalf, kPlateHalf, 0.5 * thickness};
    Vec3 beyond;
    for (int i = 0; i < 3; ++i) beyond[i] = std::max(0.0, std::abs(at[i]) - half[i]);
    return norm(beyond) - kShotRadius;
}

/// The least gap on the way of a step: the centres in straight lines, the turn at constant rate.
double find_least_gap(const std::vector<Pose>& before, const std::vector<Pose>& after, double thickness)
{
    constexpr int kLooks = 200;
    double least = HUGE_VAL;
    const Vec3 turn = logarithm(after[2].rotation * conjugate(before[2].rotation));
    for (int i = 0; i <= kLooks; ++i)
    {
        const double t = static_cast<double>(i) / kLooks;
        const auto mix = [&](int b) { return (1 - t) * before[b].position + t * after[b].position; };
        least = std::min(least, find_shot_gap(mix(1), {mix(2), exponential(t * turn) * before[2].rotation}, thickness));
    }
    return least;
}

/// Steps of a shot until it is over. Momenta are kept, energy is not gained, nothing is passed through.
int watch_shot(const Shot& shot, double& most_iterations)
{
    Simulation simulation = make_steps(make_shot(shot), shot.dt, shot.cap);
    const Momentum first = simulation.momentum();
    const double energy = simulation.energy().total(), size = norm(first.linear);
    const int steps = std::min(400, 4 + static_cast<int>(2 * kShotHeight / (shot.speed * shot.dt)));
    int bad = 0;
    std::vector<Pose> before;
    for (int i = 0; i < steps; ++i)
    {
        before.assign(simulation.state().body_pose.begin(), simulation.state().body_pose.end());
        const StepReport report = simulation.step();
        most_iterations = std::max<double>(most_iterations, report.iterations);
        bad += report.status == StepStatus::ok ? 0 : 1;
        const std::vector<Pose> after(simulation.state().body_pose.begin(), simulation.state().body_pose.end());
        const Momentum now = simulation.momentum();
        // rounding of places over h; free turns are exact to 1e-9 each, of the plate's spin in each step
        EXPECT_LT(norm(now.linear - first.linear), 1e-12 * size) << i;
        EXPECT_LT(norm(now.angular - first.angular), 1e-7 * size * kPlateHalf) << i;
        EXPECT_LE(simulation.energy().total(), energy * (1 + 1e-9)) << i;
        EXPECT_GT(find_least_gap(before, after, shot.thickness), 0) << i;
        const double above = after[1].position.z - after[2].position.z - kShotRadius - 0.5 * shot.thickness;
        EXPECT_TRUE(shot.beside > 0 || above > 0) << i;
    }
    return bad;
}

}  // namespace

TEST(IpcSteps, slow_a_ball_that_hits_a_free_plate_gives_it_what_it_loses)
{
    for (const int cap : {0, 5, 1})
        for (const double speed : {1.0, 30.0, 300.0, 1000.0})
            for (const double dt : {1e-2, 1e-3, 1e-4})
                for (const double thickness : {0.001, 0.1})
                    for (const double beside : {0.0, 0.05})
                    {
                        const Shot shot{thickness, speed, dt, beside, cap};
                        SCOPED_TRACE(testing::Message()
                                     << cap << ' ' << speed << ' ' << dt << ' ' << thickness << ' ' << beside);
                        double iterations = 0;
                        const int bad = watch_shot(shot, iterations);
                        // Head on, no way is so long that a few iterations do not lead there: what is struck has no
                        // target of its own to go to, but is given candidates for the way on which it is pushed.
                        if (cap > 0 || beside > 0) continue;
                        EXPECT_EQ(bad, 0);
                        EXPECT_LE(iterations, 30);
                    }
}

TEST(IpcSteps, steps_without_a_minimum_keep_the_momentum_of_what_is_jointed_and_falls)
{
    // Two plates on a hinge, and a third beside them, fall; a ball hits the first, another the third.
    ModelBuilder builder;
    const BodyId first = builder.add_body({.position = {0, 0, 5}});
    builder.add_shape(first, Box{.half_extents = {0.1, 0.1, 0.01}}, {.density = 1000});
    const BodyId second = builder.add_body({.parent = first, .position = {0.25, 0, 0}});
    builder.add_shape(second, Box{.half_extents = {0.1, 0.1, 0.01}}, {.density = 1000});
    builder.add_joint(second, {.type = JointType::hinge, .axis = {0, 1, 0}, .position = {-0.125, 0, 0}});
    const BodyId third = builder.add_body({.position = {0, 3, 5}});
    builder.add_shape(third, Box{.half_extents = {0.1, 0.1, 0.002}}, {.density = 1000});
    for (const double y : {0.0, 3.0})
    {
        const BodyId ball = builder.add_body({.position = {0.03, y + 0.02, 5.3}, .linear_velocity = {0, 0, -40}});
        builder.add_shape(ball, Sphere{.radius = 0.05}, {.density = 7000});
    }
    const Model model = builder.build().value();
    double mass = 0;
    for (int b = 1; b < model.body_count(); ++b) mass += model.bodies.mass[static_cast<std::size_t>(b)];
    const auto find_center = [&](const Simulation& simulation)
    {
        Vec3 sum;
        for (int b = 1; b < model.body_count(); ++b)
            sum +=
                (model.bodies.mass[static_cast<std::size_t>(b)] / mass) *
                (simulation.state().pose(BodyId{b}) * model.bodies.inertial_pose[static_cast<std::size_t>(b)]).position;
        return sum;
    };
    for (const int cap : {0, 5})
    {
        for (const double dt : {0.01, 0.002})
        {
            SCOPED_TRACE(testing::Message() << cap << ' ' << dt);
            Simulation simulation = make_steps(model, dt, cap);
            const double size = norm(simulation.momentum().linear);
            int bad = 0;
            for (int i = 0; i < 30; ++i)
            {
                const Momentum before = simulation.momentum();
                const Vec3 weight = mass * model.settings.gravity, arm = find_center(simulation);
                bad += simulation.step().status == StepStatus::ok ? 0 : 1;
                const Momentum now = simulation.momentum();
                EXPECT_LT(norm(now.linear - before.linear - dt * weight), 1e-11 * size) << i;
                // Implicit Euler turns the arm of the start: c1 = c0 + h v0 + h^2 g
                EXPECT_LT(norm(now.angular - before.angular - dt * cross(arm, weight)), 1e-7 * size) << i;
            }
            if (cap > 0)
            {
                EXPECT_GT(bad, 0) << "or it does not test what it says";
            }
        }
    }
}

TEST(IpcSteps, stacks_a_tenth_of_a_millimetre_apart_are_not_thrown_at_any_step)
{
    // Light below and heavy above, and alike. What barriers hold where they bear a load F is 0.26 d̂ F at most.
    constexpr double kGap = 1e-4, kSize = 0.1, kDhat = 5e-4;
    for (const double density : {1000.0, 100'000.0})
    {
        for (const double gravity : {0.0, 9.81})
        {
            ModelBuilder builder;
            builder.settings().gravity = {0, 0, -gravity};
            builder.add_ground();
            double load = 0, mass = 0;
            for (int i = 0; i < 3; ++i)
            {
                const BodyId box =
                    builder.add_body({.position = {0.003 * i, 0, (kGap + kSize) * (i + 1) - 0.5 * kSize}});
                const double own = i == 0 ? 1000 : density;
                builder.add_shape(box, Box{.half_extents = {kSize, kSize, 0.5 * kSize}}, {.density = own});
                mass += own * 4 * kSize * kSize * kSize;
            }
            load = 3 * mass * gravity;
            const Model model = builder.build().value();
            for (const double dt : {1e-6, 1e-5, 1.7e-5, 3e-5, 1e-4, 1e-3})
            {
                SCOPED_TRACE(testing::Message() << density << ' ' << gravity << ' ' << dt);
                Simulation simulation = make_steps(model, dt, 0, {{"dhat", kDhat}});
                const double first = simulation.energy().total();
                for (int i = 0; i < 600; ++i)
                {
                    EXPECT_EQ(simulation.step().status, StepStatus::ok) << i;
                    // without a load they part about as fast as the tolerance, 1 mm/s: up to 16 places touch
                    ASSERT_LE(simulation.energy().total(),
                              first + 0.26 * kDhat * load + 0.5 * mass * 16e-6 + 1e-9 * std::abs(first))
                        << i;
                }
            }
        }
    }
}

TEST(IpcSteps, allocate_nothing_while_things_meet_and_part)
{
    // Elastic balls above each other, a plate that a ball hits again and again, capsules that fall and roll.
    const auto make = [](int kind)
    {
        ModelBuilder builder;
        const MaterialId elastic = builder.add_material({.friction = 0.3, .restitution = 0.95});
        builder.add_ground({.material = elastic});
        for (int i = 0; i < 4 && kind == 0; ++i)
        {
            const BodyId ball = builder.add_body({.position = {0.12 * i, 0, 0.2 + 0.1 * i}});
            builder.add_shape(ball, Sphere{.radius = 0.05}, {.material = elastic});
        }
        if (kind == 1)
        {
            const BodyId plate = builder.add_body({.position = {0, 0, 0.3}});
            builder.add_shape(plate, Box{.half_extents = {0.2, 0.2, 0.01}}, {.material = elastic});
            const BodyId ball = builder.add_body({.position = {0.05, 0, 0.6}});
            builder.add_shape(ball, Sphere{.radius = 0.05}, {.material = elastic});
        }
        for (int i = 0; i < 8 && kind == 2; ++i)
        {
            const BodyId capsule = builder.add_body({.position = {0.03 * (i % 3), 0.02 * (i % 2), 0.08 + 0.145 * i},
                                                     .rotation = from_axis_angle({0.6, 0, 0.8}, 0.4 * i)});
            builder.add_shape(capsule, Capsule{.radius = 0.03, .half_length = 0.04});
        }
        return builder.build().value();
    };
    for (const int kind : {0, 1, 2})
    {
        Simulation simulation = make_steps(make(kind), 0.005, 0);
        for (int i = 0; i < 100; ++i) simulation.step();
        const long before = allocation_count();
        std::size_t changes = 0;
        int count = 0;
        for (int i = 0; i < 300; ++i)
        {
            const int now = simulation.step().contact_count;
            changes += now != count ? 1 : 0;
            count = now;
        }
        EXPECT_EQ(allocation_count() - before, 0) << kind;
        EXPECT_GT(changes, 20u) << kind;
    }
}

}  // namespace rattleback
