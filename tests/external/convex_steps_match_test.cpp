// Whole steps of `convex` beside MuJoCo's, each engine with its own contacts, where both find them by closed forms.
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

/// Things that lie on the floor and keep their contacts while they roll, slide, swing and are driven.
constexpr const char* kBodies = R"(
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.6 0.02 0.001"/>
    <body pos="0 0 0.0999"><freejoint/><geom type="sphere" size="0.1" condim="%d"/></body>
    <body pos="1 0 0.0499"><freejoint/><geom type="capsule" size="0.05 0.2" euler="90 0 0"/></body>
    <body pos="2 0 0.0998"><freejoint/><geom type="box" size="0.1 0.15 0.1" condim="%d"/></body>
    <body pos="0 1 0.0998">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.1" mass="3"/>
      <body pos="0 0 0.1">
        <joint name="mast" axis="0 1 0" range="-20 20" damping="0.1" frictionloss="0.05"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.3" mass="0.2"/>
        <body pos="0 0 0.3">
          <joint name="tip" axis="1 0 0" range="-5 5" damping="0.02"/>
          <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.2" mass="0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="mast" kp="20" kv="1"/><motor joint="tip" gear="0.3"/></actuator>
)";

struct StepCase
{
    const char* title;
    const char* option;
    int dimension;
};
constexpr StepCase kCases[] = {
    {"pyramidal, Euler", R"(<option timestep="0.002" tolerance="1e-14"/>)", 3},
    {"elliptic, Euler", R"(<option timestep="0.002" tolerance="1e-14" cone="elliptic" impratio="5"/>)", 4},
    {"pyramidal, implicitfast", R"(<option timestep="0.002" tolerance="1e-14" integrator="implicitfast"/>)", 6},
    {"elliptic, RK4", R"(<option timestep="0.002" tolerance="1e-14" cone="elliptic" integrator="RK4"/>)", 3},
    {"elliptic, 10 ms", R"(<option timestep="0.01" tolerance="1e-14" cone="elliptic"/>)", 6},
    {"pyramidal, no slip",
     R"(<option timestep="0.002" tolerance="1e-14" noslip_iterations="200" noslip_tolerance="0"/>)", 3},
    {"elliptic, no slip",
     R"(<option timestep="0.002" tolerance="1e-14" cone="elliptic" noslip_iterations="200" noslip_tolerance="0"/>)", 3},
};

TEST(ConvexSteps, a_hundred_agree_with_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const StepCase& c : kCases)
    {
        SCOPED_TRACE(c.title);
        std::vector<char> bodies(4000);
        std::snprintf(bodies.data(), bodies.size(), kBodies, c.dimension, c.dimension);
        const ModelFile file("<mujoco>" + std::string(c.option) + bodies.data() + "</mujoco>");
        Result<Imported> imported = load_mjcf(file.path());
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        const Model& model = imported.value().model;
        Result<Simulation> made =
            Simulation::make(model, {.solver = "convex", .parameters = {{"stick", false}, {"iterations", 200}}});
        ASSERT_TRUE(made.ok()) << to_text(made.errors());
        Simulation ours = std::move(made).value();
        const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
        ASSERT_TRUE(theirs->load(file.path()).ok());
        theirs->reset();
        // the ball rolls, the box slides, the mast swings
        ours.state().v[0] = theirs->v()[0] = 0.5;
        ours.state().v[4] = theirs->v()[4] = 5;
        ours.state().v[12] = theirs->v()[12] = 1.5;
        ours.refresh();
        for (int i = 0; i < 100; ++i)
        {
            const double drive = 0.3 * std::sin(0.1 * i);
            ours.control().input[0] = theirs->input()[0] = drive;
            ours.control().input[1] = theirs->input()[1] = drive;
            ASSERT_EQ(ours.step().status, StepStatus::ok);
            theirs->step();
        }
        double apart = 0, fastest = 1;
        for (std::size_t i = 0; i < ours.state().q.size(); ++i)
            apart = std::max(apart, std::abs(ours.state().q[i] - theirs->q()[i]));
        for (std::size_t i = 0; i < ours.state().v.size(); ++i)
        {
            apart = std::max(apart, std::abs(ours.state().v[i] - theirs->v()[i]));
            fastest = std::max(fastest, std::abs(theirs->v()[i]));
        }
        EXPECT_LT(apart / fastest, 1e-6);
        EXPECT_GT(fastest, 1) << "something moves";
    }
}

TEST(ConvexSteps, leave_out_what_is_switched_off_as_mujoco_does)
{
    SKIP_WITHOUT_MUJOCO();
    // Two servos with activations, one in a group that is disabled; two welds, one that is not active. Then another run
    // in which our Control has switched off what the file had not.
    const auto make_text = [](const char* disabled, const char* active)
    {
        return std::string(R"(<mujoco><option tolerance="1e-14" actuatorgroupdisable=")") + disabled + R"("/><worldbody>
        <body><joint name="a" axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></body>
        <body name="held" pos="0 1 0"><freejoint/><geom size="0.1"/></body>
        <body name="loose" pos="0 2 0"><freejoint/><geom size="0.1"/></body></worldbody>
        <equality><weld body1="held"/><weld body1="loose" active=")" +
               active + R"("/></equality>
        <actuator><general joint="a" group="1" dyntype="filter" dynprm="0.1" gainprm="2" biastype="affine"
        biasprm="0 -2 -0.5"/><general joint="a" group="3" dyntype="filter" dynprm="0.1" gainprm="5"/></actuator></mujoco>)";
    };
    const ModelFile switched(make_text("3", "false")), plain(make_text("4", "true"));
    const Result<Imported> imported = load_mjcf(switched.path()), open = load_mjcf(plain.path());
    ASSERT_TRUE(imported.ok() && open.ok()) << to_text(imported.errors()) << to_text(open.errors());
    Simulation ours(imported->model, {.solver = "convex"}), by_control(open->model, {.solver = "convex"});
    by_control.control().actuator_active[1] = 0;
    by_control.control().equality_active[1] = 0;
    const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
    ASSERT_TRUE(theirs->load(switched.path()).ok());
    theirs->reset();
    for (const std::size_t a : {std::size_t{0}, std::size_t{1}})
        ours.control().input[a] = by_control.control().input[a] = theirs->input()[a] = 0.7;
    ours.run_steps(100);
    by_control.run_steps(100);
    theirs->step(100);
    for (std::size_t i = 0; i < ours.state().q.size(); ++i)
        EXPECT_NEAR(ours.state().q[i], theirs->q()[i], 1e-8) << "q " << i;
    for (const std::size_t a : {std::size_t{0}, std::size_t{1}})
        EXPECT_NEAR(ours.state().act[a], theirs->act()[a], 1e-12) << "act " << a;
    EXPECT_LT(theirs->q()[10], -0.1) << "one falls";
    EXPECT_EQ(by_control.state().q, ours.state().q);
    EXPECT_EQ(by_control.state().act, ours.state().act);
}

TEST(ConvexSteps, on_belts_and_turntables_agree_with_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        SCOPED_TRACE(cone);
        const ModelFile file(std::string(R"(<mujoco><option tolerance="1e-14" cone=")") + cone + R"("/><worldbody>
        <geom name="belt" type="plane" size="5 5 1" friction="0.4" surfacevel="1 0.3 2" euler="0 0 30"/>
        <geom name="table" type="cylinder" size="2 0.5" pos="0 10 -0.5" condim="6" friction="0.6 0.02 0.001"
        surfacevel="0 0 0 0.2 0.1 3"/>
        <body pos="0 0 0.0999"><freejoint/><geom type="sphere" size="0.1"/></body>
        <body pos="1 0 0.0998"><freejoint/><geom type="box" size="0.1 0.15 0.1"/></body>
        <body pos="0.5 10 0.0999"><freejoint/><geom type="sphere" size="0.1" condim="6"/></body>
        <body pos="2 2 0.0499"><freejoint/><geom type="sphere" size="0.05" surfacevel="0.5 0 0 0 7 0"/></body>
        </worldbody></mujoco>)");
        const Result<Imported> imported = load_mjcf(file.path());
        ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
        Simulation ours(imported->model, {.solver = "convex", .parameters = {{"stick", false}, {"iterations", 200}}});
        const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
        ASSERT_TRUE(theirs->load(file.path()).ok());
        theirs->reset();
        ours.run_steps(100);
        theirs->step(100);
        double apart = 0, fastest = 0;
        for (std::size_t i = 0; i < ours.state().q.size(); ++i)
            apart = std::max(apart, std::abs(ours.state().q[i] - theirs->q()[i]));
        for (std::size_t i = 0; i < ours.state().v.size(); ++i)
        {
            apart = std::max(apart, std::abs(ours.state().v[i] - theirs->v()[i]));
            fastest = std::max(fastest, std::abs(theirs->v()[i]));
        }
        EXPECT_LT(apart / fastest, 1e-6);
        EXPECT_GT(fastest, 0.5) << "something moves";
    }
}

}  // namespace
}  // namespace rattleback
