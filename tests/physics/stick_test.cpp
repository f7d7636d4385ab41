// True stick where the impedance of a contact begins at nothing: anchors give back what was put in, and no more.
#include <rattleback/import.h>
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace rattleback
