// What MuJoCo 4.0 added to passive forces and integration, as whole steps beside its own: springs and dampers that are
// polynomials, springs that yield, surfaces that stick, the integrator `discrete`.
#include "external/data.h"
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/export.h>
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

/// How two engines ran the same file.
struct StepsApart
{
    double apart = 0;    ///< largest difference of a coordinate or velocity at the end
    double fastest = 1;  ///< largest velocity of theirs, at least one
};

/// Both from the same velocities of order `speed`, inputs that swing; with the file's integrator or another.
StepsApart compare_steps(const std::filesystem::path& path, const std::string& solver, int steps, double speed,
                         std::optional<Integrator> integrator = std::nullopt)
{
    Result<Imported> imported = load_mjcf(path);
    EXPECT_TRUE(imported.ok()) << to_text(imported.errors());
    Parameters parameters;
    if (solver == "convex") parameters = {{"stick", false}, {"iterations", 200}, {"tolerance", 1e-14}};
    if (solver == "smooth") parameters = {{"ignore", std::string("contact")}};
    if (integrator) parameters["integrator"] = std::string(to_string(*integrator));
    Result<Simulation> made = Simulation::make(imported->model, {.solver = solver, .parameters = parameters});
    EXPECT_TRUE(made.ok()) << to_text(made.errors());
    if (!made.ok()) return {.apart = HUGE_VAL};
    Simulation ours = std::move(made).value();
    const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
    EXPECT_TRUE(theirs->load(path, {.integrator = integrator}).ok());
    theirs->reset();
    for (std::size_t d = 0; d < ours.state().v.size(); ++d)
        ours.state().v[d] = theirs->v()[d] = speed * std::sin(1.0 + 2.3 * static_cast<double>(d));
    ours.refresh();
    for (int i = 0; i < steps; ++i)
    {
        for (std::size_t a = 0; a < theirs->input().size(); ++a)
            ours.control().input[a] = theirs->input()[a] = 0.3 * std::sin(0.05 * i + static_cast<double>(a));
        EXPECT_EQ(ours.step().status, StepStatus::ok);
        theirs->step();
    }
    EXPECT_TRUE(theirs->trouble().none());
    StepsApart run;
    for (std::size_t i = 0; i < ours.state().q.size(); ++i)
        run.apart = std::max(run.apart, std::abs(ours.state().q[i] - theirs->q()[i]));
    for (std::size_t i = 0; i < ours.state().v.size(); ++i)
    {
        run.apart = std::max(run.apart, std::abs(ours.state().v[i] - theirs->v()[i]));
        run.fastest = std::max(run.fastest, std::abs(theirs->v()[i]));
    }
    return run;
}

/// Joints of every kind and tendons of both with polynomials and yields, on two branches, and servos.
std::string make_springs(const std::string& option)
{
    return R"(<mujoco><compiler angle="radian"/><option )" + option + R"(/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="base" pos="0.1 0.2 0.9"/>
    <body pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.3 0.2 0.1" stiffness="4 -1 2" springref="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.05"/>
      <body pos="0.4 0 0"><joint name="elbow" axis="0 1 0.2" stiffness="20" springyield="0.02" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/><site name="fore" pos="0.1 0.02 0.05"/></body>
      <body pos="0.1 0.3 0"><joint name="ball" type="ball" stiffness="6 3 2" damping="0.05 0.1" springyield="0.1"/>
        <geom type="box" size="0.06 0.04 0.05" pos="0.05 0.01 0.02"/><site name="hand" pos="0.05 0.02 0.03"/></body></body>
    <body pos="1 0 1"><joint name="rail" type="slide" axis="1 0 0.2" stiffness="0 0 300" damping="-0.1 0.5"/>
      <geom size="0.1"/></body>
    <body pos="0 2 1"><joint type="free" stiffness="30 5 10" damping="0.2 0.1"/><geom type="box" size="0.2 0.1 0.05"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum" stiffness="3 1 2" damping="0.2 0.3 0.4" springlength="0.1"><joint joint="shoulder" coef="0.7"/>
      <joint joint="rail" coef="-0.4"/></fixed>
    <spatial name="cord" stiffness="40 0 9" damping="0.1" springlength="0 0.3" springyield="0.05">
      <site site="base"/><site site="fore"/></spatial>
    <spatial name="band" stiffness="10 2" springlength="0.2 0.25" springyield="0.03"><site site="fore"/><site site="hand"/></spatial>
  </tendon>
  <actuator><position joint="shoulder" kp="20" kv="1" damping="0.1 0.2 0.3"/><position tendon="sum" kp="5" gear="2"/>
    <motor joint="rail" damping="0.2"/></actuator></mujoco>)";
}

TEST(PassiveMatch, polynomial_and_yielding_springs_step_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const char* integrator : {"Euler", "implicitfast", "implicit", "discrete", "RK4"})
    {
        for (const char* solver : {"smooth", "convex", "comfree"})
        {
            SCOPED_TRACE(std::string(integrator) + ", " + solver);
            const ModelFile file(make_springs(R"(timestep="0.002" integrator=")" + std::string(integrator) + "\""));
            const StepsApart run = compare_steps(file.path(), solver, 200, 1.5);
            // MuJoCo's RK4 cuts off the series of the rotation's correction.
            EXPECT_LT(run.apart / run.fastest, std::string(integrator) == "RK4" ? 1e-6 : 1e-9);
        }
    }
}

TEST(PassiveMatch, springs_are_written_as_they_were_read)
{
    const ModelFile file(make_springs(""));
    const Model model = load_mjcf(file.path()).value().model;
    const ModelFile copy(write_mjcf(model).value());
    const Model back = load_mjcf(copy.path()).value().model;
    EXPECT_EQ(back.joints.stiffness, model.joints.stiffness);
    EXPECT_EQ(back.joints.stiffness_polynomial, model.joints.stiffness_polynomial);
    EXPECT_EQ(back.joints.spring_yield, model.joints.spring_yield);
    EXPECT_EQ(back.joints.plastic_begin, model.joints.plastic_begin);
    EXPECT_EQ(back.dofs.damping, model.dofs.damping);
    EXPECT_EQ(back.dofs.damping_polynomial, model.dofs.damping_polynomial);
    EXPECT_EQ(back.tendons.stiffness_polynomial, model.tendons.stiffness_polynomial);
    EXPECT_EQ(back.tendons.damping_polynomial, model.tendons.damping_polynomial);
    EXPECT_EQ(back.tendons.spring_yield, model.tendons.spring_yield);
}

/// A ball that hangs, a box on a steep slope, one that slides off, a magnet across a gap, a pair with its own pull.
std::string make_sticky(const std::string& option, int dimension)
{
    return R"(<mujoco><option timestep="0.002" )" + option + R"(/><default><geom condim=")" +
           std::to_string(dimension) + R"("/></default><worldbody>
    <geom name="ceiling" type="plane" size="5 5 1" pos="0 0 2" euler="180 0 0" adhesion="6" gap="0.01"/>
    <geom name="slope" type="plane" size="5 5 1" euler="0 50 0" adhesion="4" friction="0.8"/>
    <body pos="0 0 1.8999"><freejoint/><geom size="0.1" mass="0.5" priority="0"/></body>
    <body pos="1 0 1.8951"><freejoint/><geom size="0.1" mass="0.3" adhesion="3" gap="0.01"/></body>
    <body pos="2 0 1.8999"><freejoint/><geom size="0.1" mass="2"/></body>
    <body pos="0.0766 1 0.0642" euler="0 50 0"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body pos="0.0766 2 0.0642"><freejoint/><geom name="own" size="0.1" mass="1" adhesion="9"/></body>
    <body pos="0.0766 3 0.0642"><freejoint/><geom size="0.1" mass="1" adhesion="1" priority="2"/></body>
  </worldbody><contact><pair geom1="slope" geom2="own" adhesion="20" condim="3"/></contact></mujoco>)";
}

TEST(PassiveMatch, surfaces_that_stick_hold_and_let_go_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const char* option :
         {R"(cone="pyramidal")", R"(cone="elliptic" impratio="3")", R"(cone="elliptic" integrator="RK4")",
          R"(cone="pyramidal" integrator="implicitfast")", R"(cone="elliptic" integrator="discrete")"})
    {
        for (const int dimension : {1, 3, 4, 6})
        {
            SCOPED_TRACE(option + std::string(", condim ") + std::to_string(dimension));
            const ModelFile file(make_sticky(std::string(option) + R"( tolerance="1e-14")", dimension));
            const StepsApart run = compare_steps(file.path(), "convex", 100, 0.01);
            EXPECT_LT(run.apart / run.fastest, 1e-8);
        }
    }
}

TEST(PassiveMatch, discrete_holds_stiff_servos_at_large_steps)
{
    SKIP_WITHOUT_MUJOCO();
    // kp h^2 / M = 400: explicit springs would explode in a few steps
    const ModelFile file(R"(<mujoco><option timestep="0.02" integrator="discrete"/><worldbody><body>
      <joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/><body pos="0.3 0 0">
      <joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body></body></worldbody>
      <actuator><position joint="a" kp="10000"/><position joint="b" kp="10000"/></actuator></mujoco>)");
    for (const char* solver : {"smooth", "convex", "comfree"})
    {
        const StepsApart run = compare_steps(file.path(), solver, 300, 1);
        EXPECT_LT(run.apart / run.fastest, 1e-9) << solver;
        EXPECT_LT(run.fastest, 3) << solver;
    }
}

TEST(PassiveMatch, public_models_step_discretely_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const std::filesystem::path folder = find_data() / "mjcf";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no public models in " << folder;
    for (const char* robot :
         {"menagerie/wonik_allegro/left_hand.xml", "mujoco/model/humanoid/humanoid.xml", "mujoco/model/car/car.xml"})
    {
        SCOPED_TRACE(robot);
        ASSERT_TRUE(std::filesystem::exists(folder / robot));
        const StepsApart run = compare_steps(folder / robot, "convex", 300, 0.1, Integrator::discrete);
        EXPECT_LT(run.apart / run.fastest, 1e-6);
    }
}

TEST(PassiveMatch, negative_friction_and_margins_are_taken_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const ModelFile file(R"(<mujoco><option cone="elliptic" tolerance="1e-14"/><worldbody>
      <geom type="plane" size="5 5 1" friction="-1 -1 -1" margin="-0.0002" density="-3"/>
      <body pos="0 0 0.0999"><freejoint/><geom size="0.1" friction="-2" condim="4"/></body>
      <body pos="1 0 0.0999"><freejoint/><geom size="0.1" margin="-0.003" density="-5" mass="1"/></body>
      <body pos="2 0 0.0999"><freejoint/><geom size="0.1" margin="0.001" gap="-0.0005"/></body>
      <body pos="3 0 1"><joint axis="0 1 0" range="-5 5" margin="-2"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body>
      </worldbody></mujoco>)");
    const StepsApart run = compare_steps(file.path(), "convex", 150, 0.1);
    EXPECT_LT(run.apart / run.fastest, 1e-9);
}

TEST(PassiveMatch, springs_dampers_and_armature_below_zero_are_taken_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const char* integrator : {"Euler", "implicitfast", "implicit", "discrete", "RK4"})
    {
        for (const char* solver : {"smooth", "convex", "comfree"})
        {
            SCOPED_TRACE(std::string(integrator) + ", " + solver);
            const ModelFile file(R"(<mujoco><option integrator=")" + std::string(integrator) + R"("/><worldbody>
      <body pos="0 0 1"><joint name="a" axis="0 1 0" stiffness="-0.3" damping="-0.02"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><body pos="0.3 0 0">
        <joint name="b" axis="0 1 0" armature="-0.002" stiffness="-0.1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0"/></body></body>
      <body pos="1 0 1"><joint name="c" type="slide" damping="-0.3"/><geom size="0.1"/></body></worldbody>
      <tendon><fixed stiffness="-0.4" damping="-0.1" frictionloss="-0.2"><joint joint="a" coef="1"/><joint joint="b" coef="0.5"/></fixed></tendon>
      <actuator><motor joint="c"/></actuator></mujoco>)");
            const StepsApart run = compare_steps(file.path(), solver, 100, 0.5);
            EXPECT_LT(run.apart / run.fastest, std::string(integrator) == "RK4" ? 1e-6 : 1e-9);
        }
    }
}

TEST(PassiveMatch, dry_friction_below_zero_drives_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    // Five rows, so that one does not fill a pack of four. No actuator: what the joints give is no energy made by us.
    std::string bodies;
    for (int i = 0; i < 5; ++i)
        bodies += "<body pos='" + std::to_string(i) + R"( 0 1'><joint type="slide" axis="0 1 0" frictionloss="-0.)" +
                  std::to_string(i + 1) + R"("/><geom size="0.1"/></body>)";
    for (const char* method : {"Newton", "CG"})
    {
        SCOPED_TRACE(method);
        const ModelFile file(R"(<mujoco><option solver=")" + std::string(method) + R"("/><worldbody>)" + bodies +
                             "</worldbody></mujoco>");
        const StepsApart run = compare_steps(file.path(), "convex", 100, 0.5);
        EXPECT_LT(run.apart / run.fastest, 1e-9);
        // Along the motion, and not against it: 4.19 kg, half a newton, 0.2 s.
        Simulation alone(load_mjcf(file.path())->model, {.solver = "convex"});
        alone.state().v[4] = 0.5;
        alone.refresh();
        alone.run_steps(100);
        EXPECT_NEAR(alone.state().v[4], 0.5 + 0.5 * 0.2 / (1000 * 4 * kPi / 3 * 1e-3), 1e-9);
    }
}

TEST(PassiveMatch, a_body_touches_its_parent_where_filterparent_is_disabled)
{
    SKIP_WITHOUT_MUJOCO();
    const auto write = [](const std::string& flag)
    {
        return R"(<mujoco><option tolerance="1e-14">)" + flag + R"(</option><worldbody>
      <body pos="0 0 1"><freejoint/><geom size="0.1"/>
        <body pos="0.15 0 0"><joint axis="0 1 0"/><geom size="0.06" pos="0 0 0.02"/>
          <body pos="0.1 0 0"><joint axis="0 0 1" damping="0.01"/><geom type="capsule" size="0.02" fromto="0 0 0 0.1 0 0.05"/></body>
      </body></body></worldbody></mujoco>)";
    };
    const ModelFile file(write(R"(<flag filterparent="disable"/>)")), filtered(write(""));
    EXPECT_LT(compare_steps(file.path(), "convex", 150, 0.1).apart, 1e-9);
    const auto count = [](const std::filesystem::path& path)
    {
        Simulation simulation(load_mjcf(path)->model, {.solver = "convex"});
        simulation.step();
        return simulation.contacts().count();
    };
    EXPECT_GT(count(file.path()), 0);
    EXPECT_EQ(count(filtered.path()), 0);
    // What is written says so again.
    const Result<std::string> text = write_mjcf(load_mjcf(file.path())->model);
    ASSERT_TRUE(text.ok());
    const ModelFile again(text.value());
    EXPECT_EQ(load_mjcf(again.path())->model.settings.filter_parents, false);
    EXPECT_LT(compare_steps(again.path(), "convex", 150, 0.1).apart, 1e-9);
}

TEST(PassiveMatch, override_may_rub_otherwise_along_the_second_tangent)
{
    SKIP_WITHOUT_MUJOCO();
    for (const char* cone : {"pyramidal", "elliptic"})
    {
        SCOPED_TRACE(cone);
        const ModelFile file(R"(<mujoco><option tolerance="1e-14" cone=")" + std::string(cone) +
                             R"(" o_friction="0.4 0.1 0.01 0.002 0.0005"><flag override="enable"/></option><worldbody>
      <geom type="plane" size="5 5 1" friction="2"/>
      <body pos="0 0 0.0999"><freejoint/><geom size="0.1" condim="6"/></body>
      <body pos="1 0 0.0999"><freejoint/><geom size="0.1" condim="3"/></body></worldbody></mujoco>)");
        EXPECT_LT(compare_steps(file.path(), "convex", 150, 1).apart, 1e-8);
        // Written again it is the same to both: the writer makes sure that what we read is the model it was given.
        const Result<std::string> written = write_mjcf(load_mjcf(file.path())->model);
        ASSERT_TRUE(written.ok()) << to_text(written.errors());
        EXPECT_LT(compare_steps(ModelFile(*written).path(), "convex", 150, 1).apart, 1e-8);
    }
}

TEST(PassiveMatch, speculative_contacts_stop_fast_bodies_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    // 0.4 m in a step of 2 ms, towards a wall of 2 cm. Where MuJoCo lands it is its own affair: both stop before it.
    const ModelFile file(R"(<mujoco><option gravity="0 0 0"><flag speculative="enable"/></option><worldbody>
      <geom type="box" size="0.01 1 1"/><body pos="-1.13 0 0"><freejoint/><geom size="0.05"/></body></worldbody></mujoco>)");
    Simulation ours(load_mjcf(file.path())->model, {.solver = "convex", .parameters = {{"continuous", false}}});
    const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
    ASSERT_TRUE(theirs->load(file.path(), {}).ok());
    theirs->reset();
    ours.state().v[0] = theirs->v()[0] = 200;
    ours.refresh();
    for (int i = 0; i < 20; ++i)
    {
        ours.step();
        theirs->step();
        EXPECT_LT(ours.state().q[0], 0);
        EXPECT_LT(theirs->q()[0], 0);
    }
    EXPECT_LT(ours.state().v[0], 1);
}

}  // namespace
}  // namespace rattleback
