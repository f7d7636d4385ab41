// forward() against MuJoCo's mj_forward: accelerations of the same state, with and without constraints.
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "external/plain_mjcf.h"
#include "lab/peers/mujoco/mujoco.h"
#include "support/random_model.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <algorithm>

namespace rattleback
{
namespace
{

TEST(ForwardMatch, smooth_accelerations_of_random_models_are_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        SCOPED_TRACE("random model " + std::to_string(seed));
        Model model = make_random_model(seed, {.kinematic_bodies = false});
        for (auto& bias : model.actuators.bias) bias[2] = -std::abs(bias[2]);  // a positive one may be a damping ratio
        std::ranges::fill(model.joints.gravity_compensation_by_actuator, 0);
        const ModelFile file(write_plain_mjcf(model));
        lab::Oracle oracle = lab::Oracle::load_file(file.path()).value();
        const Order order = Order::find(model, oracle).value();
        const MatchState start(model, seed);
        Simulation ours(model, {.solver = "smooth"});
        ours.state().q = start.state.q;
        ours.state().v = start.state.v;
        ours.state().act = start.state.act;
        ours.control().input = start.control.input;
        ASSERT_EQ(ours.forward().status, StepStatus::ok);
        const lab::OracleState theirs = oracle.evaluate({.q = lab::arrange(ours.state().q, order.q),
                                                         .v = lab::arrange(ours.state().v, order.v),
                                                         .act = ours.state().act,
                                                         .input = ours.control().input});
        expect_near(lab::arrange(ours.acceleration(), order.v), theirs.acceleration, "qacc");
    }
}

TEST(ForwardMatch, accelerations_under_contacts_limits_and_dry_friction_are_those_of_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const ModelFile file(R"(<mujoco><option timestep="0.002" tolerance="1e-15"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.6 0.02 0.001"/>
    <body pos="0 0 0.0999"><freejoint/><geom type="sphere" size="0.1" condim="6"/></body>
    <body pos="1 0 0.0499"><freejoint/><geom type="capsule" size="0.05 0.2" euler="90 0 0"/></body>
    <body pos="0 1 0.0998">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.1" mass="3"/>
      <body pos="0 0 0.1">
        <joint axis="0 1 0" range="-20 20" damping="0.1" frictionloss="0.05"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0 0 0.3" mass="0.2"/>
      </body>
    </body>
  </worldbody></mujoco>)");
    const Result<Imported> imported = load_mjcf(file.path());
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    lab::Oracle oracle = lab::Oracle::load_file(file.path()).value();
    Result<Simulation> made = Simulation::make(
        imported.value().model, {.solver = "convex", .parameters = {{"stick", false}, {"iterations", 200}}});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    Simulation& ours = made.value();
    ours.state().v[0] = 0.5;   // the ball slides,
    ours.state().v[10] = 3;    // the capsule turns,
    ours.state().v[18] = 1.5;  // the mast swings into its limit
    ours.state().q[21] = 0.34;
    for (int i = 0; i < 5; ++i)
    {
        SCOPED_TRACE("after steps: " + std::to_string(10 * i));
        const StepReport report = ours.forward();
        const lab::OracleConstraints theirs = oracle.find_constraints({.q = ours.state().q, .v = ours.state().v},
                                                                      {.iterations = 200, .tolerance = 1e-15});
        EXPECT_EQ(report.contact_count, theirs.contacts.count());
        EXPECT_GE(report.contact_count, 6);
        expect_near(ours.acceleration(), theirs.acceleration, "qacc");
        ours.run_steps(10);
    }
}

}  // namespace
}  // namespace rattleback
