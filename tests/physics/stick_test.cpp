// True stick where it is hard: impedances that begin at nothing, and stacks of rigid blocks that begin to slide.
#include <rattleback/import.h>
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace rattleback
{
namespace
{

/// A trunk on two legs with motors, in a plane; contacts are as in Gymnasium's half cheetah, solimp="0 0.8 0.01".
constexpr const char* kTwoLegs = R"(<mujoco><option timestep="0.01"/><compiler angle="radian"/>
<default>
  <geom type="capsule" size=".046" friction="1" condim="3" solimp="0 0.8 0.01"/>
  <joint axis="0 1 0" damping="4" stiffness="100" armature="0.1" range="-1 1" limited="true"/>
  <motor gear="120"/>
</default>
<worldbody><geom type="plane" size="40 40 1"/>
  <body pos="0 0 .5">
    <joint type="slide" axis="1 0 0" damping="0" stiffness="0" armature="0" limited="false"/>
    <joint type="slide" axis="0 0 1" damping="0" stiffness="0" armature="0" limited="false"/>
    <joint type="hinge" damping="0" stiffness="0" armature="0" limited="false"/>
    <geom fromto="-.4 0 0 .4 0 0" mass="6"/>
    <body pos="-.4 0 0"><joint name="rear"/><geom fromto="0 0 0 .3 0 -.4" mass="1.5"/></body>
    <body pos=".4 0 0"><joint name="front"/><geom fromto="0 0 0 -.3 0 -.4" mass="1.5"/></body>
  </body>
</worldbody>
<actuator><motor joint="rear"/><motor joint="front"/></actuator></mujoco>)";

/// The largest joint velocity within 500 steps of random torques.
double find_fastest(unsigned seed, bool stick)
{
    Simulation simulation(parse_mjcf(kTwoLegs, "two legs", ".")->model,
                          {.solver = "convex", .parameters = {{"guard", false}, {"stick", stick}}});
    std::mt19937 random(seed);
    double fastest = 0;
    for (int i = 0; i < 500; ++i)
    {
        if (i % 5 == 0)
            for (double& x : simulation.control().input) x = static_cast<double>(random()) / 0x1p31 - 1;
        simulation.step();
        for (const double v : simulation.state().v) fastest = std::max(fastest, std::abs(v));
    }
    return fastest;
}

TEST(TrueStick, gives_back_no_more_than_was_put_in_where_the_impedance_grows)
{
    // A foot that touches by a hair moves against an impedance near 0; anchored there, it was thrown back at 1e6 rad/s
    // once it stood deeper (seeds 1 and 3). The cone without anchors says how fast the torques make it.
    for (const unsigned seed : {1u, 2u, 3u}) EXPECT_LT(find_fastest(seed, true), 1.5 * find_fastest(seed, false));
}

constexpr double kPushed = 0.3;  // [s]

struct Push
{
    int blocks = 1;
    double force = 0;  ///< [N]
};

/// Where cubes of 2 kg and 0.2 m that stand on each other, friction 1, are after the lowest was pushed for kPushed.
std::vector<double> push_stack(const Push& push, double dt, const Parameters& parameters)
{
    ModelBuilder builder("blocks");
    builder.settings().dt = dt;
    builder.add_ground();
    for (int i = 0; i < push.blocks; ++i)
    {
        const BodyId block = builder.add_body({.position = {0, 0, 0.11 + 0.21 * i}});
        builder.add_shape(block, Box{.half_extents = {0.1, 0.1, 0.1}}, {.mass = 2});
    }
    Simulation simulation(builder.build().value(), {.solver = "convex", .parameters = parameters});
    simulation.run_for(1);
    simulation.control().body_wrench[1].force = {push.force, 0, 0};
    simulation.run_for(kPushed);
    std::vector<double> places;
    for (int i = 0; i < push.blocks; ++i) places.push_back(simulation.state().position(BodyId{i + 1}).x);
    return places;
}

/// Largest distance of a block from where a rigid stack is: friction takes m g from the push, and neither slips between
/// blocks nor tips them, 1/2 (F / m - g) t^2.
double find_error(const Push& push, double dt, const Parameters& parameters)
{
    const double place = 0.5 * (push.force / (2 * push.blocks) - 9.81) * kPushed * kPushed;
    double error = 0;
    for (const double x : push_stack(push, dt, parameters)) error = std::max(error, std::abs(x / place - 1));
    return error;
}

TEST(TrueStick, a_stack_that_is_pushed_slides_as_one_block)
{
    // Where a stack begins to slide all its points held before. Lifted by their slip, or left by their load for a step,
    // corners lost their rows, fell and landed: blocks chattered on their edges, and the lowest of three came 55 % too
    // far. May be: 0.5 %, five times what the first step's lift, a tenth of a hair, leaves.
    for (const Push& push : {Push{1, 30}, Push{1, 100}, Push{2, 60}, Push{3, 80}, Push{4, 95}})
    {
        for (const double dt : {0.001, 0.002, 0.004})
        {
            if (0.002 != dt && push.blocks != 3) continue;
            for (const std::string cone : {"pyramidal", "elliptic"})
                EXPECT_LT(find_error(push, dt, {{"cone", cone}}), 0.005) << push.blocks << " " << dt << cone;
        }
    }
    EXPECT_GT(find_error({3, 80}, 0.002, {{"stick", false}}), 0.2) << "plain cones lift what slides";
}

/// A crate of 1 m that only slides in x and z, pushed over the edge of a plate of 0.5 mm: when its trailing edge has
/// left the plate, and when it has come down to the floor [s].
std::array<double, 2> push_off_plate(double speed, double dt, const Parameters& parameters)
{
    constexpr double kPlate = 5e-4, kFriction = 0.3;
    ModelBuilder builder("plate");
    builder.settings().dt = dt;
    const MaterialId wood = builder.add_material({.friction = kFriction});
    builder.add_ground({.material = wood});
    builder.add_shape(BodyId{0}, Box{.half_extents = {1, 1, 0.5 * kPlate}},
                      {.position = {-1, 0, 0.5 * kPlate}, .material = wood});
    const BodyId crate = builder.add_body({.position = {0.5 - 0.1 * speed, 0, 0.5 + kPlate}});
    builder.add_joint(crate, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = speed});
    builder.add_joint(crate, {.type = JointType::slide, .axis = {0, 0, 1}});
    builder.add_shape(crate, Box{.half_extents = {0.5, 0.5, 0.5}}, {.material = wood, .mass = 10});
    Simulation simulation(builder.build().value(), {.solver = "convex", .parameters = parameters});
    simulation.control().body_wrench[1].force = {kFriction * 98.1, 0, 0};  // as fast as it is
    std::array<double, 2> times{};
    for (int i = 0; i < 200 && !(times[1] > 0); ++i)
    {
        simulation.step();
        const Vec3 place = simulation.state().position(crate);
        if (!(times[0] > 0) && place.x > 0.5) times[0] = simulation.state().time[0];
        if (!(times[1] > 0) && place.z < 0.5 + 0.01 * kPlate) times[1] = simulation.state().time[0];
    }
    return times;
}

TEST(TrueStick, a_crate_pushed_off_a_plate_thinner_than_a_hair_falls_at_once)
{
    // A hair of a crate is 0.87 mm. Rows that held it would let it down by a 36th of the gap per step, in 70 ms. May
    // be: two steps, that in which it leaves the plate and that in which it lands, and the time for 0.02 mm, half of
    // what gravity does in a step: so deep it lies in the plate, whose edge pushes it off where that is the shorter
    // way.
    const double fall = std::sqrt(2 * 5e-4 / 9.81);
    for (const double speed : {0.02, 0.2, 2.0})
    {
        for (const double dt : {0.001, 0.002})
        {
            for (const std::string cone : {"pyramidal", "elliptic"})
            {
                const auto [left, down] = push_off_plate(speed, dt, {{"cone", cone}});
                EXPECT_NEAR(left, 0.1, 0.02) << speed;
                EXPECT_NEAR(down - left, fall, 2 * dt + 2e-5 / speed) << speed << " " << dt << cone;
            }
        }
    }
}

TEST(TrueStick, a_crate_that_lands_while_it_slides_is_not_thrown_up)
{
    // Coulomb: v = v0 - mu g t while and after it lands, since floor and gravity give and take the same momentum. May
    // be: mu times what it still bounces with. The cone throws it up with mu v: 0.5 m/s at 1 m/s and mu = 0.8, after a
    // fall of 0.5 mm, which gives it 0.1 m/s.
    constexpr double kFall = 5e-4, kDuration = 0.1;
    for (const double friction : {0.3, 0.8, 1.0, 1.3})
    {
        for (const double speed : {2.0, 4.0})
        {
            for (const std::string cone : {"pyramidal", "elliptic"})
            {
                ModelBuilder builder("landing");
                builder.settings().dt = 0.002;
                const MaterialId wood = builder.add_material({.friction = friction});
                builder.add_ground({.material = wood});
                const BodyId crate = builder.add_body({.position = {0, 0, 0.5 + kFall}});
                builder.add_joint(crate, {.type = JointType::slide, .axis = {1, 0, 0}, .initial_velocity = speed});
                builder.add_joint(crate, {.type = JointType::slide, .axis = {0, 0, 1}});
                builder.add_shape(crate, Box{.half_extents = {0.5, 0.5, 0.5}}, {.material = wood, .mass = 10});
                Simulation simulation(builder.build().value(), {.solver = "convex", .parameters = {{"cone", cone}}});
                double highest = 0;
                while (simulation.state().time[0] < kDuration)
                {
                    simulation.step();
                    highest = std::max(highest, simulation.state().position(crate).z - 0.5);
                }
                EXPECT_LT(highest, kFall) << friction << " " << speed << cone;
                EXPECT_NEAR(simulation.state().v[0], speed - friction * 9.81 * kDuration, friction * 0.05)
                    << friction << " " << speed << cone;
            }
        }
    }
}

TEST(TrueStick, a_box_that_is_lifted_leaves_the_floor_as_its_force_says)
{
    // Rows of parted corners push and never pull: 1.2 m g leave 0.2 g from the first step on, z = 1/2 0.2 g t (t + h)
    // by Euler's rule and t^2 by the midpoint's. May be: one step of that, h t 0.2 g.
    for (const double size : {0.05, 0.5})
    {
        for (const std::string cone : {"pyramidal", "elliptic"})
        {
            ModelBuilder builder("lifted");
            builder.add_ground();
            const BodyId box = builder.add_body({.position = {0, 0, size}});
            builder.add_shape(box, Box{.half_extents = {size, size, size}}, {.mass = 10});
            Simulation simulation(builder.build().value(), {.solver = "convex", .parameters = {{"cone", cone}}});
            simulation.run_for(0.5);
            const double floor = simulation.state().position(box).z, dt = 0.002;
            simulation.control().body_wrench[1].force = {0, 0, 1.2 * 98.1};
            for (int i = 1; i <= 25; ++i)
            {
                simulation.step();
                const double t = i * dt;
                ASSERT_NEAR(simulation.state().position(box).z - floor, 0.1 * 9.81 * t * t, 0.2 * 9.81 * t * dt)
                    << size << cone << i;
            }
        }
    }
}

}  // namespace
}  // namespace rattleback
