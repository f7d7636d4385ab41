// Tendons that wrap around shapes, against MuJoCo.
#include "external/oracle_match.h"

#include <rattleback/import.h>

#include <string>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kWrapStates = 200;

/// Two moving arms and a moving obstacle, all within reach of one another; `tendons` and `actuators` are elements.
std::string write_scene(const std::string& tendons, const std::string& actuators)
{
    return R"(<mujoco><worldbody>
<site name="w" pos=".4 -.1 .1"/><geom name="fixed" type="cylinder" size=".2 .1" pos=".1 .1 0" euler="30 20 10"/>
<site name="far" pos="-.5 .6 .2"/><site name="in_fixed" pos=".15 .1 .02"/>
<body name="obstacle" pos="0 0 .1"><joint axis="1 2 3" pos=".1 0 0"/><joint axis="3 -1 0"/>
  <geom name="ball" size=".3" pos=".05 0 0" euler="10 50 -20"/>
  <geom name="drum" type="cylinder" size=".25 .3" pos="0 .1 0" euler="40 10 -70"/>
  <site name="out" pos="0 .9 .3"/><site name="in" pos=".02 .05 .01"/></body>
<body name="left" pos="-.5 0 0"><joint axis="0 1 1"/><joint type="slide" axis="1 1 0"/><joint type="slide" axis="0 0 1"/>
  <geom size=".1" mass="1"/><site name="l" pos=".1 .3 -.2"/>
  <body name="finger" pos="0 .4 0"><joint axis="1 0 0"/><geom size=".05" mass=".3"/><site name="f" pos="0 .2 0"/></body></body>
<body name="right" pos=".6 .1 .1"><joint axis="0 1 -1"/><joint type="slide" axis="1 0 .3"/>
  <joint type="slide" axis="0 1 .3"/><geom size=".1" mass="1"/><site name="r" pos="-.2 .1 .3"/></body>
</worldbody><tendon>)" +
           tendons + "</tendon><actuator>" + actuators + "</actuator></mujoco>";
}

std::string write_tendon(const std::string& name, const std::string& path, const std::string& options)
{
    return "<spatial name='" + name + "' " + options + ">" + path + "</spatial>";
}

void expect_same_at_random_states(const std::string& text)
{
    const Result<Imported> imported = parse_mjcf(text, "scene.xml", {});
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    const Model& model = imported.value().model;
    Result<lab::Oracle> loaded = lab::Oracle::load_text(text);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    lab::Oracle oracle = std::move(loaded).value();
    for (std::uint64_t seed = 0; seed < kWrapStates && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE("random state " + std::to_string(seed));
        expect_same_dynamics(model, oracle, Order::same(model), MatchState(model, seed));
    }
}

TEST(WrappingMatch, tendons_around_shapes_have_the_lengths_and_moments_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    std::string tendons, actuators;
    int count = 0;
    for (const std::string geom : {"ball", "drum", "fixed"})
    {
        for (const std::string side : {"", " sidesite='out'", " sidesite='far'"})
        {
            const std::string name = "t" + std::to_string(count++);
            const std::string wrap = "<geom geom='" + geom + "'" + side + "/>";
            tendons += write_tendon(name,
                                    "<site site='l'/>" + wrap + "<site site='r'/>" + wrap +
                                        "<site site='w'/><pulley divisor='3'/><site site='f'/>" + wrap +
                                        "<site site='far'/><site site='out'/>",
                                    "stiffness='7' damping='2' springlength='.1 .3'");
            actuators += "<motor tendon='" + name + "' gear='1.5'/>";
        }
    }
    expect_same_at_random_states(write_scene(tendons, actuators));
}

TEST(WrappingMatch, tendons_through_shapes_have_the_lengths_of_mujoco)
{
    // Lengths only: MuJoCo's own root finder leaves its moments uncertain by 1e-5, and the lengths by the square of
    // that.
    SKIP_WITHOUT_MUJOCO();
    std::string tendons;
    for (const std::string wrap : {"<geom geom='ball' sidesite='in'/>", "<geom geom='drum' sidesite='in'/>",
                                   "<geom geom='fixed' sidesite='in_fixed'/>"})
    {
        tendons += write_tendon(
            "t" + wrap.substr(12, 4),
            "<site site='l'/>" + wrap + "<site site='r'/><site site='f'/>" + wrap + "<site site='far'/>", "");
    }
    expect_same_at_random_states(write_scene(tendons, ""));
}

}  // namespace
}  // namespace rattleback
