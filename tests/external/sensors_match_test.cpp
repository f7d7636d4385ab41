// Every kind of sensor against MuJoCo's sensordata after mj_forward, at several states of small models with contacts.
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>
#include <rattleback/solver.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace rattleback
{
namespace
{

/// A cart with an arm, a ball joint, tendons, ties and things that it touches. `sensors` goes into <sensor>.
std::string make_robot(const std::string& sensors, const std::string& options = "")
{
    return R"(<mujoco><option timestep="0.002" tolerance="1e-15" magnetic="0.1 -0.4 0.3" )" + options + R"(/>
<asset><material name="ghost" rgba="1 1 1 0"/></asset>
<worldbody>
  <geom name="floor" type="plane" size="0 0 1" friction="0.7 0.02 0.001"/>
  <geom name="pane" type="box" size="3 3 .01" pos="0 0 3" material="ghost" contype="0" conaffinity="0"/>
  <site name="zone" pos="0 0 .1" size=".4 .3 .25" type="box"/>
  <camera name="watch" pos="0 -2 1" xyaxes="1 0 0 0 0.5 1" resolution="5 3" fovy="50"/>
  <body name="cart" pos="0 0 0.195">
    <freejoint/>
    <inertial pos=".01 .02 -.01" mass="4" diaginertia=".05 .06 .07" euler="10 20 30"/>
    <geom name="hull" type="box" size=".1 .2 .2" euler="0 5 0"/>
    <site name="mount" pos=".05 .02 .15" euler="20 -10 40" size=".05"/>
    <site name="sole" pos="0 0 -.2" size=".12 .25 .03" type="ellipsoid"/>
    <camera name="eye" pos=".1 .02 .3" euler="70 10 -60" resolution="4 3" focalpixel="5 6" principalpixel="1 0.5" sensorsize="0.01 0.008"/>
    <camera name="flat" pos=".1 .02 .8" euler="20 10 -60" resolution="3 4" fovy="1.5" projection="orthographic"/>
    <body name="arm" pos="0 0 .3">
      <joint name="elbow" axis="0 1 .2" range="-30 30" damping=".1" armature=".02" frictionloss=".05" actuatorfrcrange="-4 4"/>
      <joint name="rail" type="slide" axis="1 0 0" range="-.1 .1" margin=".01" stiffness="30"/>
      <geom name="bone" type="capsule" size=".03" fromto="0 0 0 .3 .05 .2"/>
      <geom name="knob" size=".04" pos=".1 .1 .1" mass=".1"/>
      <site name="tip" pos=".3 .05 .2" euler="0 40 10" size=".08"/>
      <body name="plate" pos=".3 .05 .2" euler="0 30 0">
        <geom name="disc" type="cylinder" size=".04 .02" mass=".3"/>
        <site name="gauge" pos="0 0 .01" euler="15 0 0"/>
        <body name="wrist" pos="0 0 .08">
          <joint name="socket" type="ball" range="0 30"/>
          <geom name="fist" type="ellipsoid" size=".05 .04 .03" pos="0 .06 0" mass=".2"/>
          <site name="palm" pos="0 .1 0"/>
        </body>
      </body>
    </body>
  </body>
  <body name="ball" pos=".33 .1 0.0799"><freejoint/><geom name="marble" size=".08" condim="6"/><site name="core" size=".09"/></body>
  <body name="post" pos="2 2 1"><geom size=".1" mass="3"/></body>
  <body name="log" pos="-.3 0 0.0499" gravcomp=".3"><freejoint/><geom name="trunk" type="capsule" size="0.05 0.2" euler="90 0 0" condim="4"/></body>
</worldbody>
<tendon>
  <spatial name="cord" range="0 .3" limited="true" stiffness="20" damping="1" frictionloss=".1" armature=".01"><site site="mount"/><site site="tip"/></spatial>
  <spatial name="pulley" stiffness="5" springlength=".1"><site site="mount"/><geom geom="knob"/><site site="palm"/></spatial>
  <fixed name="sum" range="-.2 .2" limited="true"><joint joint="elbow" coef="1"/><joint joint="rail" coef="2"/></fixed>
</tendon>
<equality>
  <weld body1="ball" body2="log" active="true" torquescale=".7" solref=".02 1"/>
  <connect body1="wrist" body2="cart" anchor="0 .05 .1" solref=".05 1"/>
  <tendon tendon1="cord" tendon2="sum" polycoef="0 .3 .1 0 0" solref=".05 1"/>
</equality>
<actuator>
  <position name="servo" joint="elbow" kp="10" forcerange="-3 3"/>
  <motor name="pull" tendon="cord" gear="2"/>
  <motor name="pull too" tendon="cord"/>
  <general name="push" site="tip" gear="1 0 .5 0 .1 0" dyntype="filter" dynprm=".1"/>
  <motor name="both" joint="elbow" gear="3"/>
</actuator>
<sensor>)" +
           sensors + "</sensor></mujoco>";
}

/// [N, N m] A load is what is left of forces as large as the robot's weight, and so is the error of MuJoCo's solver:
/// between a free body and the world, where nothing acts, it reads up to 2e-9 N.
constexpr double kLeastLoad = 40;

/// Fails unless all sensors agree at `states` states to kMatchTolerance of a sensor's largest number (or of one).
void expect_same_sensors(const std::string& mjcf, int states, bool elliptic = false)
{
    const ModelFile file(mjcf);
    const Result<Imported> imported = load_mjcf(file.path());
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    // Hulls that fill hollows are no matter of sensors.
    for (const Error& warning : imported.value().warnings)
        ASSERT_NE(warning.text().find("convex hull"), std::string::npos) << warning.text();
    Result<lab::Oracle> oracle = lab::Oracle::load_file(file.path());
    ASSERT_TRUE(oracle.ok()) << to_text(oracle.errors());
    Result<Simulation> made = Simulation::make(
        imported.value().model, {.solver = "convex", .parameters = {{"stick", false}, {"iterations", 200}}});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    Simulation& ours = made.value();
    const Sensors& sensors = ours.model().sensors;
    std::mt19937 random(7);
    const auto uniform = [&](double bound) { return bound * (2 * (static_cast<double>(random()) / 0x1p32) - 1); };
    std::vector<char> felt(sensors.type.size());  // something, in one state at least
    for (int i = 0; i < states; ++i)
    {
        SCOPED_TRACE("state " + std::to_string(i));
        for (double& v : ours.state().v) v = uniform(0.4);
        for (double& x : ours.control().input) x = uniform(1);
        for (double& a : ours.state().act) a = uniform(1);
        for (std::size_t b = 1; b < ours.control().body_wrench.size(); ++b)
            ours.control().body_wrench[b] = {{uniform(1), uniform(1), uniform(1)},
                                             {uniform(.1), uniform(.1), uniform(.1)}};
        ours.state().time[0] = 0;
        ours.refresh();
        const StepReport report = ours.forward();
        EXPECT_GT(report.contact_count, 0);
        const std::vector<double> theirs = oracle.value().find_sensors(
            {.q = ours.state().q,
             .v = ours.state().v,
             .act = ours.state().act,
             .input = ours.control().input,
             .body_wrench = ours.control().body_wrench},
            {.elliptic = elliptic, .impratio = elliptic ? 3.0 : 1.0, .iterations = 200, .tolerance = 1e-15});
        ASSERT_EQ(ours.sensors().size(), theirs.size());
        for (std::size_t s = 0; s < sensors.type.size(); ++s)
        {
            const auto begin = static_cast<std::size_t>(sensors.begin[s]),
                       size = static_cast<std::size_t>(sensors.size[s]);
            // Taxels and their directions are 32-bit numbers in MuJoCo, rounded once more or less.
            const double tolerance = sensors.type[s] == SensorType::tactile ? 1e-7 : kMatchTolerance;
            const bool load = sensors.type[s] == SensorType::force || sensors.type[s] == SensorType::torque;
            double scale = load ? kLeastLoad : 1;
            for (std::size_t k = 0; k < size; ++k) scale = std::max(scale, std::abs(theirs[begin + k]));
            for (std::size_t k = 0; k < size; ++k) felt[s] = felt[s] || theirs[begin + k] != 0;
            if (sensors.type[s] == SensorType::enclosure)
            {
                // MuJoCo's search ends below the maximum, at times by centimetres: a lower bound.
                EXPECT_GE(ours.sensors()[begin], theirs[begin] - kMatchTolerance * scale) << sensors.name[s];
                continue;
            }
            for (std::size_t k = 0; k < size; ++k)
                EXPECT_NEAR(ours.sensors()[begin + k], theirs[begin + k], tolerance * scale)
                    << sensors.name[s] << " (" << to_string(sensors.type[s]) << "), number " << k;
        }
        ours.run_steps(7);
    }
    for (std::size_t s = 0; s < sensors.type.size(); ++s)
        EXPECT_TRUE(sensors.type[s] != SensorType::tactile || felt[s]) << sensors.name[s] << " touches nothing";
}

constexpr int kStates = 4;

TEST(SensorsMatch, frames_of_all_objects_in_all_frames_of_reference)
{
    SKIP_WITHOUT_MUJOCO();
    const std::pair<const char*, const char*> objects[] = {{"body", "cart"}, {"xbody", "arm"},  {"geom", "bone"},
                                                           {"site", "tip"},  {"camera", "eye"}, {"body", "world"}};
    std::string text;
    for (const char* kind :
         {"framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"})
    {
        for (const auto& [type, name] : objects)
        {
            const std::string object = std::string("<") + kind + " objtype='" + type + "' objname='" + name + "'";
            text += object + "/>\n";
            for (const auto& [reftype, refname] : objects)
                text += object + " reftype='" + reftype + "' refname='" + refname + "'/>\n";
        }
    }
    for (const char* kind : {"framelinacc", "frameangacc"})
    {
        for (const auto& [type, name] : objects)
            text += std::string("<") + kind + " objtype='" + type + "' objname='" + name + "'/>\n";
    }
    expect_same_sensors(make_robot(text), kStates);
}

TEST(SensorsMatch, cameras_that_follow_or_look_at_a_body)
{
    SKIP_WITHOUT_MUJOCO();
    const std::string modes[] = {"track", "trackcom", "targetbody", "targetbodycom"};
    std::string cameras, text;
    for (const std::string& mode : modes)
    {
        // (With a target a tracking camera keeps its distance to that at first, and then to its body, in MuJoCo.)
        const std::string target = mode.starts_with("target") ? "' target='ball" : "";
        cameras += "<camera name='" + mode + "' mode='" + mode + target +
                   "' pos='.1 -.2 .15' euler='30 20 10' resolution='3 2' fovy='60'/>";
        // (To MuJoCo framequat is the rotation that is fixed to the body, whatever the mode.)
        for (const char* kind : {"framepos", "framequat", "framexaxis", "framelinvel", "frameangvel"})
        {
            const std::string object = std::string("<") + kind + " objtype='camera' objname='" + mode + "'";
            text += object + "/>" + object + " reftype='body' refname='cart'/><" + kind +
                    " objtype='site' objname='tip' reftype='camera' refname='" + mode + "'/>";
        }
        text += "<framelinacc objtype='camera' objname='" + mode + "'/><camprojection site='core' camera='" + mode +
                "'/><rangefinder camera='" + mode + "' data='dist dir origin'/>";
    }
    std::string robot = make_robot(text);
    robot.insert(robot.find("<site name=\"gauge\""), cameras);
    expect_same_sensors(robot, kStates);
}

TEST(SensorsMatch, how_far_shapes_jut_out_of_sites)
{
    SKIP_WITHOUT_MUJOCO();
    std::string text;
    for (const char* site : {"core", "sole"})
    {
        for (const char* geom : {"marble", "trunk", "hull", "disc", "fist"})
            text +=
                std::string("<insidesite enclosed='true' objtype='geom' objname='") + geom + "' site='" + site + "'/>";
        for (const char* kind : {"body", "xbody"})
            text += std::string("<insidesite enclosed='true' objtype='") + kind + "' objname='arm' site='" + site +
                    "' cutoff='3'/>";
        text += std::string("<insidesite enclosed='true' objtype='site' objname='zone' site='") + site + "'/>";
    }
    expect_same_sensors(make_robot(text), kStates);
}

TEST(SensorsMatch, skins_that_feel_what_touches_them)
{
    SKIP_WITHOUT_MUJOCO();
    // Pads below each primitive, with a flat and a round skin on top.
    std::string bodies, text;
    int next = 0;
    for (const char* shape : {"sphere' size='.12", "capsule' size='.08 .1", "cylinder' size='.1 .06",
                              "box' size='.1 .08 .06", "ellipsoid' size='.12 .09 .07"})
    {
        for (const char* mesh : {"plate", "wedge"})
        {
            const std::string name = std::to_string(next), x = std::to_string(3 + 0.8 * next++);
            bodies += "<body pos='" + x +
                      " 0 .14' euler='12 8 5'><freejoint/><geom type='box' size='.2 .2 .05'/><geom name='skin" + name +
                      "' euler='180 0 0' type='mesh' mesh='" + mesh +
                      "' contype='0' conaffinity='0' mass='0'/></body><body pos='" + x +
                      " .03 .2' euler='20 30 10'><freejoint/><geom type='" + shape + "'/></body>";
            text += "<tactile geom='skin" + name + "' mesh='" + mesh + "'/>";
        }
    }
    text += "<tactile geom='skin0' mesh='plate' cutoff='0.02'/>";
    std::string robot = make_robot(text);
    robot.insert(robot.find("</asset>"),
                 "<mesh name='plate' builtin='plate' params='7 6' scale='.2 .2 .05'/>"
                 "<mesh name='wedge' builtin='wedge' params='6 7 80 60 0' scale='.2 .2 .1'/>");
    robot.insert(robot.find("</worldbody>"), bodies);
    expect_same_sensors(robot, 2);
}

TEST(SensorsMatch, joints_tendons_and_actuators)
{
    SKIP_WITHOUT_MUJOCO();
    std::string text = "<ballquat joint='socket'/><ballangvel joint='socket'/>";
    for (const char* joint : {"elbow", "rail"})
        for (const char* kind : {"jointpos", "jointvel", "jointactuatorfrc"})
            text += std::string("<") + kind + " joint='" + joint + "'/>";
    for (const char* joint : {"elbow", "rail", "socket"})
        for (const char* kind : {"jointlimitpos", "jointlimitvel", "jointlimitfrc"})
            text += std::string("<") + kind + " joint='" + joint + "'/>";
    for (const char* tendon : {"cord", "pulley", "sum"})
        for (const char* kind : {"tendonpos", "tendonvel", "tendonactuatorfrc"})
            text += std::string("<") + kind + " tendon='" + tendon + "'/>";
    for (const char* tendon : {"cord", "sum"})
        for (const char* kind : {"tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"})
            text += std::string("<") + kind + " tendon='" + tendon + "'/>";
    for (const char* actuator : {"servo", "pull", "pull too", "push", "both"})
        for (const char* kind : {"actuatorpos", "actuatorvel", "actuatorfrc"})
            text += std::string("<") + kind + " actuator='" + actuator + "'/>";
    expect_same_sensors(make_robot(text), kStates);
}

TEST(SensorsMatch, forces_accelerations_and_momenta)
{
    SKIP_WITHOUT_MUJOCO();
    std::string text = "<e_potential/><e_kinetic/><clock/>";
    for (const char* site : {"zone", "mount", "tip", "gauge", "palm", "core"})
        for (const char* kind : {"accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "touch"})
        {
            // MuJoCo 4.0 adds up torques of the world's trees that are about points of their own.
            const bool of_trees = site == std::string("zone") && kind == std::string("torque");
            if (!of_trees) text += std::string("<") + kind + " site='" + site + "'/>";
        }
    for (const char* body : {"world", "cart", "arm", "wrist", "ball"})
        for (const char* kind : {"subtreecom", "subtreelinvel", "subtreeangmom"})
            text += std::string("<") + kind + " body='" + body + "'/>";
    expect_same_sensors(make_robot(text), kStates);
    expect_same_sensors(make_robot(text, "cone='elliptic' impratio='3'"), kStates, true);
}

TEST(SensorsMatch, touch_and_contacts)
{
    SKIP_WITHOUT_MUJOCO();
    const std::string fields = " data='found force torque dist pos normal tangent linvel angvel' ";
    const std::string net = " data='found force torque dist pos normal tangent' reduce='netforce'/>";
    std::string text = "<touch site='sole'/><touch site='core'/><touch site='mount'/>";
    // One contact each, or an order that does not hang on whose comes first.
    for (const char* who :
         {"geom1='marble'", "geom2='marble'", "body1='ball' geom2='floor'", "subtree1='log'",
          "geom1='floor' body2='ball'", "site='zone' subtree2='ball'", "subtree1='cart' subtree2='ball'"})
    {
        text += std::string("<contact ") + who + fields + "reduce='mindist'/>";
        text += std::string("<contact ") + who + fields + "num='3' reduce='maxforce'/>";
        text += std::string("<contact ") + who + net;
    }
    text += "<contact" + net + "<contact site='zone'" + net + "<contact subtree1='cart' subtree2='cart'" + net;
    text += "<contact geom1='hull' num='2' data='found'/>";
    expect_same_sensors(make_robot(text), kStates);
}

TEST(SensorsMatch, sight_distance_and_volumes)
{
    SKIP_WITHOUT_MUJOCO();
    const std::string all = " data='dist dir origin point normal depth'/>";
    std::string text;
    for (const char* site : {"zone", "mount", "tip", "palm"})
        text += std::string("<rangefinder site='") + site + "'" + all;
    for (const char* camera : {"watch", "eye", "flat"})
    {
        text += std::string("<rangefinder camera='") + camera + "'" + all;
        text += std::string("<camprojection site='tip' camera='") + camera + "'/>";
    }
    text += "<rangefinder site='tip' cutoff='.1'/>";
    for (const auto& [type, name] :
         {std::pair("site", "tip"), {"geom", "marble"}, {"body", "cart"}, {"xbody", "log"}, {"camera", "eye"}})
        for (const char* site : {"zone", "sole", "core", "tip"})
            text += std::string("<insidesite site='") + site + "' objtype='" + type + "' objname='" + name + "'/>";
    for (const char* kind : {"distance", "normal", "fromto"})
    {
        for (const char* pair : {"geom1='marble' geom2='floor' cutoff='1'", "geom1='marble' geom2='trunk' cutoff='1'",
                                 "geom1='bone' geom2='marble' cutoff='1'", "body1='ball' body2='log' cutoff='.01'",
                                 "body1='arm' body2='log' cutoff='2'", "geom1='floor' geom2='marble'"})
            text += std::string("<") + kind + " " + pair + "/>";
    }
    expect_same_sensors(make_robot(text), kStates);
}

TEST(SensorsMatch, rays_end_with_planes_and_enter_the_hollows_of_meshes)
{
    SKIP_WITHOUT_MUJOCO();
    // A cup without a lid: its hull is closed, its triangles are not.
    const std::string model = R"(<mujoco><option tolerance="1e-15"/><asset>
  <mesh name="cup" inertia="shell" vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0  -1 -1 1  1 -1 1  1 1 1  -1 1 1  0 0 0.3" scale=".5 .5 .5"
    face="0 1 5 0 5 4  1 2 6 1 6 5  2 3 7 2 7 6  3 0 4 3 4 7  1 0 8  2 1 8  3 2 8  0 3 8"/></asset>
<worldbody><geom type="plane" size=".5 1 1"/><geom type="plane" size="0 .3 1" pos="0 0 -1"/>
  <geom type="mesh" mesh="cup" pos="3 0 0" euler="10 20 30"/>
  <body pos="0 0 .08"><freejoint/><geom size=".1"/></body>
  <body name="eye" pos="0 0 2"><joint axis="0 1 0"/><geom size=".01" mass="1"/>
    <site name="a" pos=".2 0 0" euler="180 0 0"/><site name="b" pos=".7 .2 0" euler="180 0 0"/><site name="c" pos=".7 .5 0" euler="180 0 0"/>
    <site name="d" pos=".2 1.5 0" euler="180 0 0"/><site name="e" pos="3 .1 0" euler="180 0 0"/><site name="f" pos="3.3 -.2 0" euler="190 0 0"/></body>
</worldbody><sensor>)";
    std::string text;
    for (const char* site : {"a", "b", "c", "d", "e", "f"})
        text += std::string("<rangefinder site='") + site + "' data='dist point'/>";
    expect_same_sensors(model + text + "</sensor></mujoco>", kStates);
}

/// Things in the air, and sensors of all kinds that follow from positions and velocities: of bodies; with joints,
/// limits and a servo; with a tendon.
std::string make_watched(bool jointed, bool tendon)
{
    std::string sensors =
        "<e_potential/><e_kinetic/><clock/><magnetometer site='mount'/><velocimeter site='mount'/>"
        "<gyro site='mount'/><camprojection site='mount' camera='watch'/><rangefinder site='mount'/>"
        "<insidesite site='zone' objtype='body' objname='cart'/>"
        "<insidesite site='core' enclosed='true' objtype='geom' objname='hull'/>";
    for (const char* kind :
         {"framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"})
        sensors += std::string("<") + kind + " objtype='xbody' objname='cart' reftype='body' refname='log'/>";
    for (const char* kind : {"subtreecom", "subtreelinvel", "subtreeangmom"})
        sensors += std::string("<") + kind + " body='world'/>";
    for (const char* kind : {"distance", "normal", "fromto"})
        sensors += std::string("<") + kind + " geom1='hull' geom2='floor' cutoff='9'/>";
    if (jointed)
        sensors +=
            "<jointpos joint='elbow'/><jointvel joint='elbow'/><jointlimitpos joint='elbow'/>"
            "<jointlimitvel joint='elbow'/><ballquat joint='socket'/><ballangvel joint='socket'/>"
            "<actuatorpos actuator='servo'/><actuatorvel actuator='servo'/><actuatorfrc actuator='servo'/>"
            "<jointactuatorfrc joint='elbow'/>";
    if (tendon)
        sensors +=
            "<tendonpos tendon='cord'/><tendonvel tendon='cord'/><tendonlimitpos tendon='cord'/>"
            "<tendonlimitvel tendon='cord'/><tendonactuatorfrc tendon='cord'/>";
    const std::string arm = R"(<body name="arm" pos="0 0 .5"><joint name="elbow" axis="0 1 .2" range="-30 30"/>
      <geom type="box" size=".1 .03 .05"/><site name="tip" pos=".1 0 0"/>
      <body name="wrist" pos=".5 0 .3"><joint name="socket" type="ball"/><geom type="box" size=".05 .04 .03"/></body></body>)";
    return R"(<mujoco><option timestep="0.002" magnetic="0.1 -0.4 0.3"/><worldbody>
  <geom name="floor" type="plane" size="9 9 1"/><site name="zone" pos="0 0 1" size=".4 .3 .25" type="box"/>
  <camera name="watch" pos="0 -2 1" xyaxes="1 0 0 0 0.5 1" resolution="5 3" fovy="50"/>
  <body name="cart" pos="0 0 1" euler="10 20 30"><freejoint/><geom name="hull" type="box" size=".1 .2 .2"/>
    <site name="mount" pos=".05 .02 .15" euler="120 -10 40"/>)" +
           (jointed ? arm : "") + R"(</body>
  <body name="log" pos="-1 0 1"><freejoint/><geom type="box" size=".05 .1 .2"/><site name="core" size=".09"/></body>
  </worldbody>)" +
           (tendon ? "<tendon><spatial name='cord' range='0 2' limited='true'><site site='core'/><site site='tip'/>"
                     "</spatial></tendon>"
                   : "") +
           "<actuator>" + (jointed ? "<position name='servo' joint='elbow' kp='10'/>" : "") +
           (tendon ? "<motor tendon='cord'/>" : "") + "</actuator><sensor>" + sensors + "</sensor></mujoco>";
}

TEST(SensorsMatch, what_follows_from_the_state_is_the_same_with_every_solver)
{
    SKIP_WITHOUT_MUJOCO();
    for (const SolverInfo* info : all_solvers())
    {
        SCOPED_TRACE(info->name);
        const auto supports = [&](Feature feature) { return std::ranges::count(info->supports, feature) > 0; };
        const bool jointed = supports(Feature::hinge_joint);
        const ModelFile file(make_watched(jointed, supports(Feature::tendon)));
        Parameters parameters;
        if (info->name == "smooth") parameters = {{"ignore", std::string("contact limits")}};
        Result<Simulation> made = Simulation::make(load_mjcf(file.path())->model,
                                                   {.solver = std::string(info->name), .parameters = parameters});
        ASSERT_TRUE(made.ok()) << to_text(made.errors());
        Simulation& ours = made.value();
        lab::Oracle oracle = lab::Oracle::load_file(file.path()).value();
        for (std::size_t d = 0; d < ours.state().v.size(); ++d)
            ours.state().v[d] = 0.3 * std::sin(1 + 2.3 * static_cast<double>(d));
        for (double& input : ours.control().input) input = 0.2;
        ours.refresh();
        // Where solvers move bodies, joints open a little, and bodies are no longer quite where q says.
        const int looks = jointed && info->coordinates != Coordinates::joints ? 1 : 3;
        for (int i = 0; i < looks; ++i)
        {
            ours.forward();
            const std::vector<double> theirs = oracle.find_sensors(
                {.q = ours.state().q, .v = ours.state().v, .act = {}, .input = ours.control().input}, {});
            const Sensors& sensors = ours.model().sensors;
            ASSERT_EQ(ours.sensors().size(), theirs.size());
            for (std::size_t s = 0; s < sensors.type.size(); ++s)
            {
                // MuJoCo's clock is that of its own run, and its search for the enclosure ends below the maximum.
                if (sensors.type[s] == SensorType::clock) continue;
                const double tolerance = sensors.type[s] == SensorType::enclosure ? 1e-5 : kMatchTolerance;
                const auto begin = static_cast<std::size_t>(sensors.begin[s]);
                for (std::size_t k = begin; k < begin + static_cast<std::size_t>(sensors.size[s]); ++k)
                    EXPECT_NEAR(ours.sensors()[k], theirs[k], tolerance * std::max(1.0, std::abs(theirs[k])))
                        << sensors.name[s] << " (" << to_string(sensors.type[s]) << "), step " << 10 * i;
            }
            EXPECT_NEAR(ours.time(), 0.02 * i, 1e-12);
            ours.run_steps(10);
        }
    }
}

TEST(SensorsMatch, cutoffs_of_every_kind)
{
    SKIP_WITHOUT_MUJOCO();
    std::string text;
    for (const char* kind : {"accelerometer", "velocimeter", "gyro", "force", "torque", "magnetometer", "touch"})
        text += std::string("<") + kind + " site='core' cutoff='.2'/>";
    text +=
        "<jointpos joint='elbow' cutoff='.001'/><contact geom1='marble' data='force' cutoff='.1'/>"
        "<e_potential cutoff='1'/><camprojection site='tip' camera='eye' cutoff='.5'/>"
        "<fromto geom1='marble' geom2='trunk' cutoff='.1'/>";
    expect_same_sensors(make_robot(text), 2);
}

}  // namespace
}  // namespace rattleback
