// Actuators of every law on every transmission against MuJoCo's: lengths, forces, rates of activations, joint forces,
// whole steps, and what write_mjcf makes of them.
#include "base/index.h"
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "math/random.h"

#include "dynamics/forces.h"
#include "dynamics/integrate.h"
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

/// Hinges, slides, a ball, a free body, tendons of both kinds, two sites that see each other and a crank.
std::string make_world(const std::string& actuators, const std::string& option = "")
{
    return R"(<mujoco><compiler angle="radian"/><option timestep="0.001953125" )" + option + R"(/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="base" pos="0.1 0.2 0.9" euler="0.3 0.2 -0.4"/>
    <body pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.2"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.05"/>
      <site name="upper" pos="0.2 0.05 0.06"/>
      <body pos="0.4 0 0"><joint name="elbow" axis="0 1 0.2"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
        <site name="fore" pos="0.1 0.02 0.05" euler="0.5 -0.1 0.3"/>
        <body pos="0.3 0 0"><joint name="ball" type="ball"/><geom type="box" size="0.06 0.04 0.05" pos="0.05 0.01 0.02"/>
          <site name="hand" pos="0.05 0.02 0.03" euler="0.2 0.7 0.1"/></body></body></body>
    <body pos="1 0 1"><joint name="rail" type="slide" axis="1 0 0.2"/><geom size="0.1"/>
      <body pos="0 0 0.2"><joint name="wheel" axis="0 1 0"/><geom type="cylinder" size="0.15 0.03"/>
        <site name="pin" pos="0.1 0 0"/></body></body>
    <site name="slider" pos="1.05 0 0.4" zaxis="0.1 0 1"/>
    <body name="drone" pos="0 2 1"><freejoint name="free"/><geom type="box" size="0.2 0.1 0.05"/>
      <site name="jet" pos="0.1 0.05 0.02" euler="0.1 0.2 0.3"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="shoulder" coef="0.7"/><joint joint="wheel" coef="-0.4"/></fixed>
    <spatial name="cord"><site site="base"/><site site="upper"/><site site="fore"/></spatial>
  </tendon>
  <actuator>)" +
           actuators + "</actuator></mujoco>";
}

/// One actuator of a law for each way to transmit its force.
std::string on_every_target(const std::string& tag, const std::string& law)
{
    constexpr const char* kTargets[] = {
        R"(joint="shoulder" gear="1.3")",
        R"(joint="rail" gear="-2")",
        R"(joint="ball" gear="0.5 0.3 -0.2")",
        R"(jointinparent="ball" gear="0.1 0.4 0.3")",
        R"(joint="free" gear="1 2 3 0.1 0.2 0.3")",
        R"(jointinparent="free" gear="0 1 0.5 0.3 0.2 0.1")",
        R"(tendon="sum" gear="1.5")",
        R"(tendon="cord" gear="2")",
        R"(site="jet" gear="0.3 0.2 0.1 0.4 0.5 0.6")",
        R"(site="hand" refsite="base" gear="0.3 -0.2 0.5 0 0 0")",
        R"(site="hand" refsite="upper" gear="0 0 0 0.4 0.3 -0.2")",
        R"(site="hand" refsite="jet" gear="0.2 0.1 0 0.3 0 0.1")",
        R"(cranksite="pin" slidersite="slider" cranklength="0.9" gear="1.2")",
    };
    std::string all;
    for (const std::string target : kTargets)
    {
        // MJCF has no muscles on sites
        if (tag != "muscle" || target.find("site=") == std::string::npos || target.starts_with("crank"))
            all += "<" + tag + " " + target + " " + law + "/>";
    }
    return all;
}

struct Law
{
    const char* tag;
    const char* attributes;
};
constexpr Law kLaws[] = {
    {"motor", R"(ctrlrange="-0.5 0.6")"},
    {"position", R"(kp="30" kv="2" forcerange="-8 9")"},
    {"position", R"(kp="20" kv="1" timeconst="0.03")"},
    {"position", R"(kp="25" dampratio="0.7")"},
    {"velocity", R"(kv="3")"},
    {"intvelocity", R"(kp="15" kv="1" actrange="-1 1")"},
    {"damper", R"(kv="2" ctrlrange="0 1")"},
    {"cylinder", R"(timeconst="0.05" area="3" bias="0.1 0.2 -0.3")"},
    {"general", R"(dyntype="filter" dynprm="0.04" gaintype="affine" gainprm="2 0.3 -0.1" actearly="true")"},
    {"general", R"(dyntype="integrator" gainprm="4" actlimited="true" actrange="-0.3 0.4" actearly="true")"},
    {"general", R"(dyntype="filterexact" dynprm="0.02" gainprm="4" biastype="affine" biasprm="1 -3 -0.4")"},
    {"muscle", R"(lengthrange="0.1 1.2")"},
    {"muscle",
     R"(lengthrange="-0.7 0.8" force="40" tausmooth="0.3" timeconst="0.02 0.05" range="0.6 1.3" fvmax="1.5")"},
    {"general", R"(dyntype="muscle" dynprm="0.01 0.04" gaintype="muscle" gainprm="0.75 1.05 30 200 0.5 1.6 1.5 1.3 1.2"
        biastype="affine" biasprm="1 -2 -0.2" lengthrange="-0.5 1")"},
    {"general", R"(biastype="muscle" biasprm="0.75 1.3 30 200 0.5 1.6 1.5 1.3 1.2" lengthrange="-0.8 0.2")"},
    {"pid", R"(kp="30" kv="2")"},
    {"pid", R"(kp="30" dampratio="0.8" ki="5" imax="0.1" input="pos vel ff" velrange="-1 1" ffrange="-2 2")"},
    {"pid", R"(kp="20" kv="1" ki="3" slewmax="2" input="pos" posrange="-0.4 0.5")"},
    {"pid", R"(kp="0" kv="2" input="vel ff")"},
    {"dcmotor", R"(motorconst="0.8" resistance="2")"},
    {"dcmotor", R"(nominal="12 3 20" inductance="0.002" saturation="4 0 30")"},
    {"dcmotor", R"(motorconst="0.5 0.6" resistance="1.5" cogging="0.3 5 0.2" lugre="20 1 0.4 0.6 0.1"
        thermal="2 3 0 0.004 25 22" saturation="1.5")"},
    {"dcmotor",
     R"(motorconst="0.7" resistance="1" controller="20 3 1 2 0.4 9" input="pos vel ff" inductance="0 0.004")"},
    {"dcmotor", R"(motorconst="0.7" resistance="1" controller="10 0 1" input="pos voltage")"},
    {"dcmotor", R"(motorconst="0.7" resistance="1" lugre="20 1 0.4 0.6 0.1" input="none")"},
};

/// A model in both engines.
struct Pair
{
    explicit Pair(const std::string& text)
        : model(load_text(text)), oracle(lab::Oracle::load_text(text).value()), order(Order::same(model))
    {
    }
    static Model load_text(const std::string& text)
    {
        const ModelFile file(text);
        return load_mjcf(file.path()).value().model;
    }

    Model model;
    lab::Oracle oracle;
    Order order;
};

/// A state in reach of what the laws are made for; activations of order 0.3.
MatchState make_state(const Model& model, std::uint64_t seed)
{
    MatchState match(model, seed);
    for (double& act : match.state.act) act *= 0.3;
    return match;
}

void expect_same_actuation(Pair& pair, MatchState at_state)
{
    const Model& model = pair.model;
    // behind the activations are the histories of delayed inputs, which MuJoCo keeps elsewhere; zeros have rested
    const std::span<double> remembered = std::span(at_state.state.act).subspan(at(pair.oracle.size("na")));
    std::ranges::fill(remembered, 0.0);
    const std::vector<double> act(at_state.state.act.begin(), at_state.state.act.end() - std::ssize(remembered));
    refresh_bodies(model, at_state.state.world());
    const Tree tree(model);
    Workspace<double> w(tree);
    load_world(w, 0, at_state.state.world(), at_state.control.world());
    StageTimer timer(false);
    compute_position_stage(w, timer);
    compute_velocity_stage(w, model.settings.dt, timer);
    const std::vector<double> q = lab::arrange(at_state.state.q, pair.order.q);
    const std::vector<double> v = lab::arrange(at_state.state.v, pair.order.v);
    const std::vector<double> input = take_inputs(model, at_state.control.input);
    const lab::OracleState theirs = pair.oracle.evaluate({.q = q, .v = v, .act = act, .input = input});
    expect_near(take_outputs(model, w.actuator_length), theirs.actuator_length, "lengths");
    expect_near(take_outputs(model, w.actuator_force), theirs.actuator_force, "forces");
    expect_near(std::span(w.act_rate).first(act.size()), theirs.act_rate, "rates of activations");
    expect_near(lab::arrange(w.actuation, pair.order.v), theirs.actuator, "joint forces");
}

TEST(ActuatorsMatch, every_law_on_every_transmission_is_mujocos)
{
    SKIP_WITHOUT_MUJOCO();
    for (const Law& law : kLaws)
    {
        SCOPED_TRACE(std::string(law.tag) + " " + law.attributes);
        Pair pair(make_world(on_every_target(law.tag, law.attributes)));
        for (std::uint64_t seed = 0; seed < 6; ++seed) expect_same_actuation(pair, make_state(pair.model, seed));
    }
}

TEST(ActuatorsMatch, orientations_are_mujocos)
{
    SKIP_WITHOUT_MUJOCO();
    for (const std::string law : {R"(kp="20" kv="1")", R"(kp="20" kv="2" forcerange="0 5")",
                                  R"(kp="15" dampratio="0.6" input="quat")", R"(kp="15" kv="1" ctrlrange="-1 1")"})
    {
        SCOPED_TRACE(law);
        Pair pair(make_world("<orientation joint=\"ball\" " + law + "/><motor joint=\"rail\"/>" +
                             "<orientation site=\"hand\" refsite=\"base\" " + law + "/>"));
        for (std::uint64_t seed = 0; seed < 6; ++seed) expect_same_actuation(pair, make_state(pair.model, seed));
    }
    Pair integrated(make_world(
        R"(<general joint="ball" gaintype="so3" biastype="so3" gainprm="9" biasprm="0 -9 -1" dyntype="integrator"/>)"));
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        expect_same_actuation(integrated, make_state(integrated.model, seed));
}

/// Steps of both engines from one state, no constraints; inputs that change.
void expect_same_steps(const std::string& text, Integrator integrator, double tolerance, int steps = 20)
{
    const ModelFile file(text);
    const Model model = load_mjcf(file.path()).value().model;
    const lab::Oracle oracle = lab::Oracle::load_file(file.path()).value();
    const Order order = Order::same(model);
    const MatchState start = make_state(model, 5);
    const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
    ASSERT_TRUE(theirs->load(file.path(), {.constraints = false, .integrator = integrator}).ok());
    Simulation ours(model, {.solver = "smooth", .parameters = {{"integrator", std::string(to_string(integrator))}}});
    ours.state().q = start.state.q;
    for (std::size_t d = 0; d < start.state.v.size(); ++d) ours.state().v[d] = 0.3 * start.state.v[d];
    const std::size_t activations = theirs->act().size();
    std::ranges::copy(start.state.act.begin(), start.state.act.begin() + static_cast<std::ptrdiff_t>(activations),
                      ours.state().act.begin());
    ours.refresh();
    std::ranges::copy(lab::arrange(ours.state().q, order.q), theirs->q().begin());
    std::ranges::copy(lab::arrange(ours.state().v, order.v), theirs->v().begin());
    std::ranges::copy_n(ours.state().act.begin(), static_cast<std::ptrdiff_t>(activations), theirs->act().begin());
    Random random(9);
    for (int i = 0; i < steps; ++i)
    {
        for (double& input : ours.control().input) input = random.uniform(-1, 1);
        std::ranges::copy(take_inputs(model, ours.control().input), theirs->input().begin());
        theirs->step();
        ours.step();
    }
    ASSERT_TRUE(theirs->trouble().none());
    expect_near(lab::arrange(ours.state().q, order.q), theirs->q(), "q", tolerance);
    expect_near(lab::arrange(ours.state().v, order.v), theirs->v(), "v", tolerance);
    expect_near(std::span(ours.state().act).first(activations), theirs->act(), "act", tolerance);
}

TEST(ActuatorsMatch, every_law_steps_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const Law& law : kLaws)
    {
        SCOPED_TRACE(std::string(law.tag) + " " + law.attributes);
        const std::string text = make_world(on_every_target(law.tag, law.attributes));
        expect_same_steps(text, Integrator::euler, kMatchTolerance);
        expect_same_steps(text, Integrator::implicitfast, kMatchTolerance);
        expect_same_steps(text, Integrator::implicit, kMatchTolerance);
    }
}

TEST(ActuatorsMatch, delayed_inputs_step_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    // in steps of 1/512 s: exact, between two samples, beyond the oldest
    for (const std::string how : {R"(delay="0.009765625" nsample="5")", R"(delay="0.005" nsample="6")",
                                  R"(delay="0.005" nsample="6" interp="linear")",
                                  R"(delay="0.004" nsample="4" interp="cubic")", R"(delay="0.05" nsample="3")"})
    {
        SCOPED_TRACE(how);
        const std::string text =
            make_world("<position joint=\"shoulder\" kp=\"30\" " + how + "/><motor joint=\"rail\"/>" +
                       "<pid joint=\"elbow\" kp=\"20\" kv=\"1\" " + how + "/><cylinder joint=\"wheel\" " + how + "/>");
        expect_same_steps(text, Integrator::euler, kMatchTolerance);
        expect_same_steps(text, Integrator::lie_rk4, 1e-6);  // as integrator_match_test.cpp says
    }
}

TEST(ActuatorsMatch, implicit_steps_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    expect_same_steps(make_world(R"(<motor joint="shoulder"/>)"), Integrator::implicit, kMatchTolerance, 50);
}

TEST(ActuatorsMatch, servos_on_a_circle_go_the_short_way_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    Pair pair(
        make_world(R"(<position joint="ball" gear="0 0 1" kp="9"/><intvelocity joint="ball" gear="0.5 0 0" kp="3"/>
        <position site="hand" refsite="base" gear="0 0 0 0 1 0" kp="5"/><pid joint="ball" gear="0 1 0" kp="3" ki="1"/>
        <position joint="ball" gear="0.2 0 0.3" kp="9" timeconst="0.02"/>)"));
    for (std::uint64_t seed = 0; seed < 6; ++seed)
    {
        MatchState state = make_state(pair.model, seed);
        for (double& input : state.control.input) input *= 20;
        for (double& act : state.state.act) act *= 20;
        expect_same_actuation(pair, state);
    }
}

TEST(ActuatorsMatch, length_ranges_of_muscles_beside_equalities_are_mujocos)
{
    SKIP_WITHOUT_MUJOCO();
    // a loop of four bars that ends at a limit, two joints that follow each other, two tendons and a weld
    const std::string text = R"(<mujoco><compiler angle="radian"/><worldbody><site name="w" pos="0 0 1.3"/>
    <body name="l" pos="0 0 1"><joint name="a" axis="0 1 0" range="-0.8 0.8"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/>
      <site name="s" pos="0.02 0 -0.1"/><body name="k" pos="0 0 -0.3"><joint name="b" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02"/></body></body>
    <body name="r" pos="0.4 0 1"><joint name="c" axis="0 1 0" range="-0.9 0.9"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/></body>
    <body pos="0 1 1"><joint name="d" axis="0 1 0" range="-1 1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0"><joint name="e" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body></body>
    <body name="x" pos="0 2 1"><joint name="f" type="slide" range="-0.3 0.2"/><geom size="0.1"/></body>
    <body name="y" pos="0.5 2 1"><freejoint/><geom size="0.1"/><site name="v"/></body></worldbody>
  <equality><connect body1="k" body2="r" anchor="0.4 0 0"/><joint joint1="e" joint2="d" polycoef="0 0.7 0.2"/>
    <weld body1="x" body2="y"/><tendon tendon1="t" tendon2="u" polycoef="0 1"/></equality>
  <tendon><spatial name="s"><site site="w"/><site site="s"/></spatial><fixed name="t"><joint joint="f" coef="1"/></fixed>
    <fixed name="u"><joint joint="e" coef="0.2"/></fixed></tendon>
  <actuator><muscle tendon="s"/><muscle joint="c"/><muscle joint="e"/><muscle joint="f"/></actuator></mujoco>)";
    Pair pair(text);
    std::vector<double> ours;
    for (const Range& range : pair.model.actuators.length_range) ours.insert(ours.end(), {range.lower, range.upper});
    expect_near(ours, *pair.oracle.field("actuator_lengthrange"), "length ranges", 1e-6);  // MuJoCo's solver: 1e-8
}

TEST(ActuatorsMatch, length_ranges_of_muscles_are_mujocos)
{
    SKIP_WITHOUT_MUJOCO();
    for (const std::string options :
         {"", R"(<lengthrange uselimit="true"/>)", R"(<lengthrange accel="40" inttotal="6"/>)"})
    {
        SCOPED_TRACE(options);
        const std::string text = "<mujoco><compiler>" + options + R"(</compiler>
  <worldbody><site name="a" pos="0 0 1.2"/>
    <body pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-60 80"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.05"/>
      <site name="b" pos="0.2 0 0.06"/>
      <body pos="0.4 0 0"><joint name="elbow" axis="0 1 0" range="-10 120"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
        <site name="c" pos="0.1 0 0.05"/></body></body></worldbody>
  <tendon><spatial name="one" limited="true" range="0.2 0.6"><site site="a"/><site site="b"/></spatial>
    <spatial name="two"><site site="a"/><site site="b"/><site site="c"/></spatial></tendon>
  <actuator><muscle tendon="one"/><muscle tendon="two" force="30"/><muscle joint="elbow" gear="-0.05"/></actuator></mujoco>)";
        Pair pair(text);
        std::vector<double> ours, forces;
        for (std::size_t a = 0; a < 3; ++a)
        {
            const Range& range = pair.model.actuators.length_range[a];
            ours.insert(ours.end(), {range.lower, range.upper});
        }
        expect_near(ours, *pair.oracle.field("actuator_lengthrange"), "length ranges",
                    1e-6);  // MuJoCo's solver stops at 1e-8
        for (std::uint64_t seed = 0; seed < 3; ++seed)
        {
            MatchState state = make_state(pair.model, seed);
            std::ranges::fill(state.state.v, 0.0);
            const std::vector<double> input = state.control.input;
            const auto theirs = pair.oracle.evaluate({.q = state.state.q, .act = state.state.act, .input = input});
            EXPECT_EQ(theirs.actuator_force.size(), 3U);
        }
    }
}

TEST(ActuatorsMatch, every_actuator_is_written_as_it_was)
{
    SKIP_WITHOUT_MUJOCO();
    std::vector<std::string> all;
    for (const Law& law : kLaws) all.push_back(on_every_target(law.tag, law.attributes));
    all.emplace_back(
        R"(<orientation joint="ball" kp="3"/><orientation site="hand" refsite="base" kp="3" input="quat"/>)");
    all.emplace_back(
        R"(<adhesion body="drone" ctrlrange="0 2" gain="3"/><motor joint="rail" delay="0.01" nsample="5" interp="cubic"/>)");
    for (const std::string& actuators : all)
    {
        SCOPED_TRACE(actuators.substr(0, 200));
        const Model model = Pair::load_text(make_world(actuators));
        const Result<std::string> text = write_mjcf(model);
        ASSERT_TRUE(text.ok()) << to_text(text.errors());
        const Model again = Pair::load_text(text.value());
        EXPECT_EQ(fingerprint(again), fingerprint(model));
        // and MuJoCo reads it as well
        Pair pair(drop_custom(text.value()));
        expect_same_actuation(pair, make_state(pair.model, 3));
    }
}

/// A ball and a box that hang under a ceiling, stick to a wall, or lie on the floor.
TEST(ActuatorsMatch, adhesion_steps_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    for (const std::string cone : {"pyramidal", "elliptic"})
    {
        SCOPED_TRACE(cone);
        const std::string text =
            R"(<mujoco><option cone=")" + cone + R"(" integrator="implicitfast" tolerance="1e-14" ls_tolerance="1e-10"/>
  <worldbody><geom type="plane" size="5 5 1" pos="0 0 1" zaxis="0 0 -1"/>
    <body name="ball" pos="0 0 0.8999"><freejoint/><geom size="0.1" gap="0.01" margin="0"/></body>
    <body name="box" pos="1 0 0.8998"><freejoint/><geom type="box" size="0.1 0.15 0.1"/></body></worldbody>
  <actuator><adhesion body="ball" ctrlrange="0 1" gain="80"/><adhesion body="box" ctrlrange="0 2" gain="200"/></actuator></mujoco>)";
        const ModelFile file(text);
        const Model model = load_mjcf(file.path()).value().model;
        const std::unique_ptr<lab::Peer> theirs = lab::find_mujoco().value();
        ASSERT_TRUE(theirs->load(file.path()).ok());
        Simulation ours(model, {.solver = "convex"});
        ours.control().input = {0.9, 1.5};
        theirs->input()[0] = 0.9;
        theirs->input()[1] = 1.5;
        theirs->step(100);
        ours.run_steps(100);
        expect_near(ours.state().q, theirs->q(), "q", 1e-8);
        EXPECT_GT(ours.state().q[2], 0.89);  // it hangs
    }
}

}  // namespace
}  // namespace rattleback
