// One MJCF file, named by the environment, as MuJoCo compiles it and as we load it: what tools/check_mjcf asks for
// each.
#include "base/index.h"
#include "external/field_match.h"
#include "external/model_file.h"
#include "external/rows_match.h"
#include "math/random.h"

#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kStates = 5;

/// Have the contacts of these two shapes a closed form, both here and in MuJoCo? (Of the others, a plane with a box or
/// a cylinder, two capsules side by side and all that takes iterations, both sides choose among many points.)
bool has_closed_form(ShapeType first, ShapeType second)
{
    const auto is = [&](ShapeType a, ShapeType b)
    { return (first == a && second == b) || (first == b && second == a); };
    const ShapeType sphere = ShapeType::sphere, plane = ShapeType::plane;
    return is(plane, sphere) || is(plane, ShapeType::capsule) || is(plane, ShapeType::ellipsoid) ||
           is(sphere, sphere) || is(sphere, ShapeType::capsule) || is(sphere, ShapeType::box) ||
           is(sphere, ShapeType::cylinder);
}

/// Where primitives are, which way they point and how large they are. (Meshes have frames of MuJoCo's own choice.)
void expect_same_primitives(const Model& model, const lab::Oracle& oracle)
{
    const std::vector<double> position = oracle.field("geom_pos").value(), turn = oracle.field("geom_quat").value(),
                              size = oracle.field("geom_size").value();
    std::vector<double> ours, theirs;
    for (std::size_t i = 0; i < model.shapes.type.size(); ++i)
    {
        const ShapeType type = model.shapes.type[i];
        const Pose& pose = model.shapes.pose[i];
        const Mat3 axes = to_matrix(pose.rotation);
        const Mat3 other = to_matrix(normalized(Quat{turn[4 * i], turn[4 * i + 1], turn[4 * i + 2], turn[4 * i + 3]}));
        if (type == ShapeType::mesh || type == ShapeType::hull || type == ShapeType::height_field) continue;
        for (int k = 0; k < 3; ++k)
        {
            ours.push_back(pose.position[k]);
            theirs.push_back(position[3 * i + at(k)]);
            // A sphere points nowhere, round shapes along one axis.
            if (type == ShapeType::sphere) continue;
            ours.push_back(axes(k, 2));
            theirs.push_back(other(k, 2));
            // A plane has no size for motion, a cylinder or a capsule two; MuJoCo keeps what a class says of a third.
            const bool round = type == ShapeType::cylinder || type == ShapeType::capsule;
            if (type == ShapeType::plane || (round && k == 2)) continue;
            ours.push_back(model.shapes.size[i][k]);
            theirs.push_back(size[3 * i + at(k)]);
        }
    }
    expect_near(ours, theirs, "places, axes and sizes of primitives");
}

/// The model with frames as MuJoCo rounds them: it takes the frame of a body's inertia for that of the body, and that
/// of a geom for either, where they are apart by less than 1e-6 (`sameframe`). Its fields tell the frames as they were.
Model round_frames(const Model& model, const lab::Oracle& oracle)
{
    constexpr double kNone = 0, kBody = 1, kInertia = 2, kInertiaTurn = 4;  // mjtSameFrame
    Model rounded = model;
    const std::vector<double> of_body = oracle.field("body_sameframe").value(),
                              of_geom = oracle.field("geom_sameframe").value(),
                              position = oracle.field("body_ipos").value(), turn = oracle.field("body_iquat").value();
    for (std::size_t b = 0; b < of_body.size(); ++b)
    {
        // Principal axes may be numbered differently here: only the centre is taken over.
        if (of_body[b] == kBody) rounded.bodies.inertial_pose[b].position = {};
    }
    for (std::size_t s = 0; s < of_geom.size(); ++s)
    {
        const ShapeType type = model.shapes.type[s];
        if (of_geom[s] == kNone || type == ShapeType::mesh || type == ShapeType::hull) continue;
        const std::size_t b = at(model.shapes.body[s]);
        Pose frame;
        if (of_geom[s] == kInertia || of_geom[s] == kInertiaTurn)
            frame = {{position[3 * b], position[3 * b + 1], position[3 * b + 2]},
                     normalized(Quat{turn[4 * b], turn[4 * b + 1], turn[4 * b + 2], turn[4 * b + 3]})};
        if (of_geom[s] == kBody || of_geom[s] == kInertia) rounded.shapes.pose[s].position = frame.position;
        rounded.shapes.pose[s].rotation = frame.rotation;
    }
    // Sensors know the frames of what they watch.
    Sensors& sensors = rounded.sensors;
    const auto follow = [&](SensorObject object, int target, Pose& pose)
    {
        if (object == SensorObject::shape) pose = rounded.shapes.pose[at(target)];
        if (object == SensorObject::inertial && of_body[at(target)] == kBody) pose.position = {};
    };
    for (std::size_t i = 0; i < sensors.type.size(); ++i)
    {
        follow(sensors.object[i], sensors.target[i], sensors.pose[i]);
        follow(sensors.reference[i], sensors.reference_target[i], sensors.reference_pose[i]);
    }
    return rounded;
}

/// Contacts with closed forms that act, by the two shapes, the lower number first and the normal from it.
using ShapePairContacts = std::map<std::pair<int, int>, std::vector<Contact>>;

ShapePairContacts list_contacts(const Model& model, const Contacts& contacts)
{
    ShapePairContacts listed;
    for (Contact contact : contacts.items)
    {
        const int a = contact.first_shape.index, b = contact.second_shape.index;
        if (!has_closed_form(model.shapes.type[at(a)], model.shapes.type[at(b)])) continue;
        // Between bodies that cannot move, and beyond the margin, nothing acts.
        const auto moves = [&](int shape) { return model.bodies.last_dof[at(model.shapes.body[at(shape)])] >= 0; };
        if (!moves(a) && !moves(b)) continue;
        if (!(contact.distance < contact.margin)) continue;
        if (a > b)
        {
            for (int i = 0; i < 3; ++i) contact.frame(i, 0) = -contact.frame(i, 0);
        }
        listed[std::minmax(a, b)].push_back(contact);
    }
    return listed;
}

/// Each contact beside the nearest one of the other side: distance, point, normal, friction and margin.
void expect_same_pair(const std::vector<Contact>& ours, const std::vector<Contact>& theirs, const std::string& what)
{
    ASSERT_EQ(ours.size(), theirs.size()) << "contacts with closed forms of " << what;
    std::vector<double> here, there;
    for (const Contact& contact : ours)
    {
        const auto apart = [&](const Contact& x) { return norm(x.point - contact.point); };
        const Contact& other =
            *std::ranges::min_element(theirs, [&](const Contact& x, const Contact& y) { return apart(x) < apart(y); });
        for (const auto& [from, to] : {std::pair(&contact, &here), std::pair(&other, &there)})
        {
            to->insert(to->end(), {1, from->distance, from->margin, static_cast<double>(from->dimension)});
            for (int k = 0; k < 3; ++k) to->insert(to->end(), {from->point[k], from->normal()[k]});
            to->push_back(from->dimension > 1 ? from->friction.x : 0);
        }
    }
    expect_near(here, there, "contacts with closed forms of " + what);
}

/// Limits are passed by a little, so that their rows are there to be compared.
void push_past_limits(const Model& model, std::uint64_t seed, std::vector<double>& q)
{
    Random random(seed);
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const Range& range = model.joints.range[at(j)];
        const JointType type = model.joints.type[at(j)];
        if (!range.limited || type == JointType::ball || type == JointType::free) continue;
        const double choice = random.uniform(0, 1), play = random.uniform(0, 0.05);
        double& value = q[at(model.joints.q_begin[at(j)])];
        if (choice < 0.25) value = range.lower - play;
        if (choice > 0.75) value = range.upper + play;
    }
}

/// How far rows, forces and accelerations may be apart. Where a tendon passes through a shape MuJoCo's root finder
/// leaves the place uncertain: a ball at the middle of its body then has a moment of 1e-8 about its centre, where no
/// normal force can have one.
double find_row_tolerance(const Model& model)
{
    for (const TendonItem& item : model.tendons.items)
    {
        if (item.shape < 0 || item.side_site < 0) continue;
        const Pose &site = model.sites.pose[at(item.side_site)], &shape = model.shapes.pose[at(item.shape)];
        const bool together = model.sites.body[at(item.side_site)] == model.shapes.body[at(item.shape)];
        if (together && norm(site.position - shape.position) < model.shapes.size[at(item.shape)].x)
            return 1e-5;  // as in wrapping_match_test.cpp
    }
    return kMatchTolerance;
}

/// Our sensor values, contacts switched off, with the state they belong to: the script asks MuJoCo for the same.
void write_sensors(const Model& model, const ContactState& at_state, const std::string& path)
{
    const Parameters parameters{{"stick", false}, {"iterations", 200}, {"tolerance", 1e-15}, {"contact", false}};
    Result<Simulation> made = Simulation::make(model, {.solver = "convex", .parameters = parameters});
    if (!made.ok())
    {
        ADD_FAILURE() << "convex refuses it: " << to_text(made.errors());
        return;
    }
    Simulation& simulation = made.value();
    simulation.state().q = at_state.q;
    simulation.state().v = at_state.v;
    simulation.state().act = at_state.act;
    simulation.control().input = at_state.input;
    simulation.forward();
    const auto values = simulation.sensors();
    const nlohmann::json document{{"q", at_state.q},
                                  {"v", at_state.v},
                                  {"act", at_state.act},
                                  {"input", at_state.controls},
                                  {"sensors", std::vector<double>(values.begin(), values.end())}};
    std::ofstream(path) << document.dump();
}

/// Contacts that we find at a state, where both shapes have closed forms.
void expect_same_contacts(const Model& model, lab::Oracle& oracle, const ContactState& at_state)
{
    Result<Simulation> made = Simulation::make(model, {.solver = "convex"});
    if (!made.ok()) return;  // said with the sensors
    Simulation& simulation = made.value();
    simulation.state().q = at_state.q;
    simulation.state().v = at_state.v;
    simulation.forward();
    lab::OracleConstraints theirs = oracle.find_constraints(at_state.as_input(), {.iterations = 1});
    // MuJoCo lists contacts that have no rows: exactly at the margin, or in its gap.
    std::vector<Contact> acting;
    for (std::size_t i = 0; i < theirs.contact_row.size(); ++i)
    {
        if (theirs.contact_row[i] >= 0) acting.push_back(theirs.contacts.items[i]);
    }
    theirs.contacts.items = std::move(acting);
    const ShapePairContacts here = list_contacts(model, simulation.contacts()),
                            there = list_contacts(model, theirs.contacts);
    std::set<std::pair<int, int>> pairs;
    for (const auto& [pair, contacts] : here) pairs.insert(pair);
    for (const auto& [pair, contacts] : there) pairs.insert(pair);
    for (const auto& pair : pairs)
    {
        const auto find = [&](const ShapePairContacts& list)
        { return list.contains(pair) ? list.at(pair) : std::vector<Contact>{}; };
        const std::vector<Contact> ours = find(here), others = find(there);
        // Whether a contact exactly at the margin acts is a matter of the last bit.
        const auto at_margin = [](const Contact& x) { return std::abs(x.distance - x.margin) < kMatchTolerance; };
        if (std::ranges::any_of(ours, at_margin) || std::ranges::any_of(others, at_margin)) continue;
        expect_same_pair(ours, others,
                         model.shapes.name[at(pair.first)] + " and " + model.shapes.name[at(pair.second)]);
    }
}

/// Under the flag `override` MuJoCo keeps what geoms say and does not use it; here it is what `option` says. Rows and
/// contacts show the same.
bool is_overridden(const std::string& path)
{
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find("override=\"enable\"") != std::string::npos;
}

/// All that tools/check_mjcf asks of a file; the values of sensors are written to `sensors`, if that is a path.
void expect_same_file(const std::string& path, const char* sensors)
{
    const Result<Imported> imported = load_mjcf(path);
    ASSERT_TRUE(imported.ok()) << "does not load: " << to_text(imported.errors());
    Result<lab::Oracle> loaded = lab::Oracle::load_file(path);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    const Model& written = imported.value().model;
    lab::Oracle oracle = std::move(loaded).value();
    const Order order = Order::same(written);
    expect_same_sizes(written, oracle);
    ASSERT_FALSE(testing::Test::HasFailure()) << "other sizes: nothing else can be compared";
    expect_same_names(written, oracle);
    expect_same_keyframes(written, oracle);
    expect_same_fields(written, oracle, order);
    if (!is_overridden(path)) expect_same_surfaces(written, oracle);
    expect_same_primitives(written, oracle);
    const Model model = round_frames(written, oracle);
    OurRows rows(model);
    const double tolerance = find_row_tolerance(model);
    RowTally tally;
    for (std::uint64_t seed = 0; seed < kStates && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE("random state " + std::to_string(seed));
        const MatchState match(model, seed);
        expect_same_dynamics(model, oracle, order, match, tolerance);
        ContactState state{match.state.q,
                           match.state.v,
                           match.state.act,
                           match.control.input,
                           take_inputs(model, match.control.input),
                           count_activations(model)};
        std::fill(state.act.begin() + static_cast<std::ptrdiff_t>(state.activations), state.act.end(), 0.0);
        push_past_limits(model, seed, state.q);
        const RowTally compared =
            expect_same_rows(model, oracle, state, {.elliptic = seed % 2 == 0, .tolerance = tolerance}, rows);
        tally = {tally.rows + compared.rows, tally.levelled + compared.levelled};
        expect_same_contacts(model, oracle, state);
        if (seed == 0 && sensors != nullptr) write_sensors(model, state, sensors);
    }
    // For tools/check_mjcf.
    if (sensors != nullptr) std::printf("\nrows: %d, at the floor of R: %d\n", tally.rows, tally.levelled);
}

TEST(CheckMjcf, the_named_file_matches_mujoco)
{
    const char* name = std::getenv("RATTLEBACK_CHECK_MJCF");
    if (name == nullptr) GTEST_SKIP() << "for tools/check_mjcf: RATTLEBACK_CHECK_MJCF names a file";
    SKIP_WITHOUT_MUJOCO();
    expect_same_file(name, std::getenv("RATTLEBACK_CHECK_SENSORS"));
}

// What files of others use and those of the test data do not.
TEST(RareMjcf, small_files_of_features_that_public_data_lacks_match_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const std::pair<const char*, const char*> files[] = {
        {"visual geoms are discarded, their mass is not", R"(<mujoco><compiler discardvisual="true"/>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/></asset>
<worldbody><geom type="plane" size="1 1 1" material="m"/><site name="a" pos="0 0 2"/>
<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" contype="0" conaffinity="0" material="m"/><geom size=".1" pos=".1 .2 .3"/>
<geom name="wrapped" size=".05" contype="0" conaffinity="0"/><site name="b" pos=".2 0 .1"/></body>
<body pos="2 0 1"><freejoint/><geom type="capsule" size=".1 .2" pos=".1 0 0" euler="20 30 0" contype="0" conaffinity="0"/></body></worldbody>
<tendon><spatial stiffness="3"><site site="a"/><geom geom="wrapped"/><site site="b"/></spatial></tendon></mujoco>)"},
        {"a height field on a body weighs",
         R"(<mujoco><asset><hfield name="h" nrow="2" ncol="3" size=".8 .6 .4 .3" elevation="0 1 2 3 1 0"/></asset>
<worldbody><body pos="1 0 0" euler="10 20 30" mocap="true"><geom type="hfield" hfield="h"/></body>
<body pos="0 0 3"><joint axis="0 1 .2"/><geom size=".1" pos=".3 0 0"/><body pos=".5 0 0"><geom type="hfield" hfield="h" mass="2" pos="0 .1 0"/></body></body></worldbody></mujoco>)"},
        {"frames of free bodies of several geoms are aligned", R"(<mujoco><compiler alignfree="true"/><worldbody>
<body pos="0 0 1"><freejoint/><geom type="capsule" size=".1" fromto="0 0 0 1 0 0"/><geom type="capsule" size=".1" fromto="1 0 0 1 1 0"/>
<frame pos="1 1 0" euler="0 30 0"><geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/><site pos="-.2 0 1"/></frame></body></worldbody></mujoco>)"},
        {"surfaces of meshes run in the frame that is written",
         R"(<mujoco><asset><mesh name="ring" builtin="supertorus" params="12 .3 1 1" scale="1 1 .5"/></asset>
<worldbody><geom type="mesh" mesh="ring" pos="0 0 .1" euler="0 0 30" surfacevel=".1 .2 0 0 0 .4"/>
<body pos="1 0 .3"><freejoint/><geom size=".1"/></body><body pos="-.6 .8 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)"},
        {"built-in spheres are made in single precision",
         R"(<mujoco><asset><mesh name="s" builtin="sphere" params="3" scale=".08 .09 .1"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="s" density="500"/></body></worldbody></mujoco>)"},
        {"built-in sheets weigh by their area", R"(<mujoco><asset><mesh name="plate" builtin="plate" params="5 4"/>
<mesh name="square" builtin="square" params="3 4 1 .1 .2 .3"/><mesh name="grid" builtin="grid" params="4 3 1 .1 .2 .3 2" scale="1 -1 1"/>
<mesh name="disc" builtin="disc" params="4 5 1 .5 .4 .3"/><mesh name="box" builtin="box" params="3 4 5 .1 .2 .1 2"/>
<mesh name="can" builtin="cylinder" params="5 4 3 .1 .1 .2 2"/><mesh name="egg" builtin="ellipsoid" params="4 4 4 .1 .2 .1 2"/>
<mesh name="filled" builtin="box" params="3 3 2 .1 .2 .3 2" inertia="convex"/><mesh name="pyramids" builtin="cylinder" params="3 3 2 .1 .2 .3 2" inertia="exact"/></asset>
<default><geom type="mesh" contype="0" conaffinity="0" density="300"/></default><worldbody>
<body pos="0 0 1"><freejoint/><geom type="sphere" size=".3"/><geom mesh="plate"/><geom mesh="square"/><geom mesh="grid"/><geom mesh="disc"/></body>
<body pos="2 0 1"><freejoint/><geom mesh="box" contype="1"/><geom mesh="can" pos="0 .1 0" contype="1"/><geom mesh="egg"/></body>
<body pos="4 0 1"><freejoint/><geom mesh="filled"/><geom mesh="pyramids"/></body></worldbody></mujoco>)"},
        {"constraints are switched off", R"(<mujoco><option><flag constraint="disable"/></option><worldbody>
<body><joint name="j" range="-1 1" frictionloss="2"/><geom size=".1" pos=".1 0 0"/></body></worldbody><equality><joint joint1="j"/></equality></mujoco>)"},
        {"kinds of constraints are switched off",
         R"(<mujoco><option><flag equality="disable" limit="disable"/></option><worldbody>
<body><joint name="j" range="-1 1" frictionloss="2"/><geom size=".1" pos=".1 0 0"/></body></worldbody><equality><joint joint1="j"/></equality></mujoco>)"},
        {"a group of actuators is switched off, another is late",
         R"(<mujoco><option actuatorgroupdisable="2"/><worldbody>
<body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody><actuator><intvelocity joint="j" group="2" actrange="-1 1"/>
<intvelocity joint="j" kp="3" actrange="-1 1"/><motor joint="j" delay=".004" nsample="5"/></actuator></mujoco>)"},
        {"actuators with several inputs or outputs",
         R"(<mujoco><worldbody><body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3"/></body>
<body pos="2 0 0"><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody><actuator><position joint="b" gear="0 1 0" kp="2"/>
<orientation joint="b" input="quat" kp="3" dampratio="1"/><dcmotor joint="j" motorconst="1" resistance="1" input="pos vel" controller="10 0 5"/>
<dcmotor joint="j" motorconst=".05" resistance="2" damping=".001" gear="3"/><motor joint="j" armature=".2" damping=".1" gear="2"/></actuator></mujoco>)"},
        {"joints that can do the same motion",
         R"(<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
<joint type="slide" axis="0 0 1" armature="1"/><joint type="slide" axis="1 1 0" armature="2"/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)"},
        {"joints that can do the same motion, without armature: M is singular",
         R"(<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
<joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 1 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody>
<actuator><general joint="x" gainprm="1.1"/></actuator></mujoco>)"},
        {"bodies that are fused are bounded one by one, mass",
         R"(<mujoco><compiler fusestatic="true" boundmass=".1"/><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
<body pos=".5 0 0"><geom size=".05" mass=".05"/><body pos="0 .3 0"><inertial pos="0 .1 0" mass=".02" diaginertia="1e-5 2e-5 2.5e-5"/></body></body>
<body pos="0 0 .5" euler="0 30 0"><geom type="box" size=".1 .1 .4" mass=".3"/><geom size=".1" pos=".3 0 0" mass=".2"/></body><body pos="0 -.4 0"><site/></body></body></worldbody></mujoco>)"},
        {"bodies that are fused are bounded one by one, inertia",
         R"(<mujoco><compiler fusestatic="true" boundinertia=".02"/><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
<body pos=".5 0 0"><geom size=".05" mass=".05"/><body pos="0 .3 0"><inertial pos="0 .1 0" mass=".02" diaginertia="1e-5 2e-5 2.5e-5"/></body></body>
<body pos="0 0 .5" euler="0 30 0"><geom type="box" size=".1 .1 .4" mass=".3"/><geom size=".1" pos=".3 0 0" mass=".2"/></body><body pos="0 -.4 0"><site/></body></body></worldbody></mujoco>)"},
        {"bodies that are fused are bounded one by one, mass and inertia",
         R"(<mujoco><compiler fusestatic="true" boundmass=".1" boundinertia=".02" balanceinertia="true"/><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
<body pos=".5 0 0"><geom size=".05" mass=".05"/><body pos="0 .3 0"><inertial pos="0 .1 0" mass=".02" diaginertia="1e-5 2e-5 2.5e-5"/></body></body>
<body pos="0 0 .5" euler="0 30 0"><geom type="box" size=".1 .1 .4" mass=".3"/><geom size=".1" pos=".3 0 0" mass=".2"/></body><body pos="0 -.4 0"><site/></body></body></worldbody></mujoco>)"},
        {"frames that MuJoCo takes for the same", R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .1"><freejoint/><geom type="capsule" size=".05 .2" pos=".1 0 0" quat=".56918 .17822 .080004 .79867"/></body>
<body pos="1 0 .1"><freejoint/><inertial pos="3e-7 -2e-7 1e-7" mass="2" diaginertia="1 1.5 2"/><geom size=".2"/></body></worldbody></mujoco>)"},
    };
    for (const auto& [what, text] : files)
    {
        SCOPED_TRACE(what);
        const ModelFile file(text);
        expect_same_file(file.path(), nullptr);
        if (HasFatalFailure()) return;
    }
}

// All actuator defaults of a class write into one set of numbers, which a shortcut takes over only from its own kind.
TEST(RareMjcf, actuators_take_their_gains_from_the_last_default_as_in_mujoco)
{
    SKIP_WITHOUT_MUJOCO();
    const std::pair<const char*, const char*> laws[] = {
        {"general", R"(gainprm="2.5")"},
        {"general", R"(biastype="affine" biasprm=".1 .2 -.3")"},
        {"general", R"(dyntype="filterexact" dynprm=".3" gainprm="4" biastype="affine")"},
        {"general", R"(dyntype="filter" dynprm=".3" gaintype="affine" gainprm="4 5 -6")"},
        {"motor", ""},
        {"position", R"(kp="5" kv="3" timeconst=".2")"},
        {"velocity", R"(kv="6")"},
        {"intvelocity", R"(kp="7" kv="1.5")"},
        {"damper", R"(kv="8" ctrlrange="0 1")"},
        {"cylinder", R"(area="9" bias=".1 .2 .3" timeconst=".4")"},
        {"muscle", R"(range=".65 1.06" scale="300" lmin=".4" timeconst=".02 .05")"},
        {"pid", R"(kp="3" kv="2" ki="1")"},
    };
    const auto write = [](const auto& law) { return std::string("<") + law.first + " " + law.second + "/>"; };
    for (const auto& outer : laws)
    {
        for (const auto& inner : laws)
        {
            const std::string defaults = write(outer) + R"(<default class="c">)" + write(inner) + "</default>";
            // A `general` that inherits a muscle would need a length range that settles, one that gives a PID other
            // dynamics is refused here; of what `general` overwrites in a muscle MuJoCo does not take all.
            const auto has = [&](std::string_view tag) { return tag == outer.first || tag == inner.first; };
            const bool overwritten = std::string_view(inner.first) == "general" && has("muscle");
            std::string actuators;
            for (const char* tag : {"general", "motor", "position", "velocity", "cylinder", "pid", "muscle"})
            {
                const std::string_view word = tag;
                if (word == "general" && (has("muscle") || has("pid"))) continue;
                if (word == "muscle" && overwritten) continue;
                actuators += std::string("<") + tag + R"( class="c" joint="j")" +
                             (word == "muscle" ? R"( lengthrange="-1 1" force="20")" : "") + "/>";
            }
            SCOPED_TRACE(defaults);
            const ModelFile file("<mujoco><default>" + defaults + R"(</default><worldbody><body><joint name="j"/>
<geom size=".1" pos=".1 0 0"/></body></worldbody><actuator>)" +
                                 actuators + "</actuator></mujoco>");
            expect_same_file(file.path(), nullptr);
            if (HasFatalFailure()) return;
        }
    }
}

// MuJoCo makes contacts of each of them, we of the first alone, and say so.
TEST(RareMjcf, a_pair_that_is_given_twice_is_warned_of_at_its_place)
{
    SKIP_WITHOUT_MUJOCO();
    const ModelFile file(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom name="ball" size=".1"/></body></worldbody><contact>
<pair geom1="floor" geom2="ball" friction=".7 .7 .005 .0001 .0001"/>
<pair geom1="ball" geom2="floor" friction=".3 .3 .005 .0001 .0001"/></contact></mujoco>)");
    const Result<Imported> imported = load_mjcf(file.path());
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors());
    ASSERT_EQ(imported.value().warnings.size(), 1U);
    const std::string warning = imported.value().warnings[0].text();
    EXPECT_NE(warning.find(":4:"), std::string::npos) << warning;
    EXPECT_NE(warning.find("given again"), std::string::npos) << warning;
    Result<Simulation> made = Simulation::make(imported.value().model, {.solver = "convex"});
    ASSERT_TRUE(made.ok()) << to_text(made.errors());
    made.value().forward();
    ASSERT_EQ(made.value().contacts().count(), 1);
    EXPECT_EQ(made.value().contacts().items[0].friction.x, 0.7);
    Result<lab::Oracle> oracle = lab::Oracle::load_file(file.path());
    ASSERT_TRUE(oracle.ok()) << to_text(oracle.errors());
    const State state(imported.value().model);
    const ContactState there{state.q, state.v, {}, {}, {}, 0};
    const lab::OracleConstraints theirs = oracle.value().find_constraints(there.as_input(), {.iterations = 1});
    ASSERT_EQ(theirs.contacts.count(), 2);
    EXPECT_EQ(theirs.contacts.items[0].friction.x + theirs.contacts.items[1].friction.x, 0.7 + 0.3);
}

}  // namespace
}  // namespace rattleback
