// Contacts, equalities, tendons, actuators, sensors and keyframes of MJCF; replicas and attached models.
#include <cmath>

#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

const std::string kArm =
    "<worldbody><body name='a'><joint name='j' range='-90 90'/><geom name='g' size='0.1' mass='2' pos='1 0 0'/>"
    "<site name='s' pos='1 0 0'/></body><body name='b' pos='0 1 0'><freejoint name='f'/><geom name='h' size='0.1'/>"
    "<site name='t' pos='0 0 0.5'/></body></worldbody>";

Model parse_with(const std::string& sections) { return parse_good("<mujoco>" + kArm + sections + "</mujoco>"); }

TEST(MjcfParts, a_contact_pair_keeps_its_five_frictions_and_an_exclude_its_bodies)
{
    const Model model = parse_with(
        "<contact><pair geom1='h' geom2='g' friction='1 2 3 4 5' condim='6' margin='0.1' gap='0.2' solref='0.1 2' "
        "solreffriction='0.3 0.4'/><exclude body1='b' body2='a'/></contact>");
    ASSERT_EQ(model.pairs.size(), 1U);
    const ShapePair& pair = model.pairs[0];
    EXPECT_EQ(std::pair(pair.first, pair.second), std::pair(0, 1));
    const MaterialOptions& material = model.materials[static_cast<std::size_t>(pair.material)];
    EXPECT_EQ(material.friction, 1);
    EXPECT_EQ(material.spinning_friction, 3);
    EXPECT_EQ(material.rolling_friction, 4);
    EXPECT_EQ(pair.second_friction, (std::array<double, 2>{2, 5}));
    EXPECT_EQ(pair.friction_solref, (std::array<double, 2>{0.3, 0.4}));
    EXPECT_EQ(pair.margin, 0.1);
    EXPECT_EQ(material.dimension, 6);
    EXPECT_EQ(std::get<Impedance>(material.softness).solref, (std::array<double, 2>{0.1, 2}));
    EXPECT_EQ(model.excluded_bodies, (std::vector<std::pair<int, int>>{{1, 2}}));
}

TEST(MjcfParts, equalities_join_points_frames_and_coordinates)
{
    const Model model = parse_with(
        "<equality><connect body1='a' body2='b' anchor='1 2 3'/><connect site1='s' site2='t'/>"
        "<weld body1='a' body2='b' anchor='0 0 1' torquescale='3'/><weld body1='b' relpose='1 2 3 1 0 0 1'/>"
        "<joint joint1='j' polycoef='0.5' active='false'/></equality>");
    const Equalities& e = model.equalities;
    EXPECT_EQ(e.second_frame[0].position, (Vec3{1, 1, 3}));
    EXPECT_EQ(e.first_frame[1].position, (Vec3{1, 0, 0}));
    EXPECT_EQ(e.second_frame[1].position, (Vec3{0, 0, 0.5}));
    EXPECT_EQ(e.first_frame[2].position, (Vec3{0, 1, 1}));
    EXPECT_EQ(e.second_frame[2].position, (Vec3{0, 0, 1}));
    EXPECT_EQ(e.torque_scale[2], 3);
    EXPECT_EQ(e.second[3], 0);
    EXPECT_EQ(e.first_frame[3].position, (Vec3{1, 2, 3}));
    EXPECT_DOUBLE_EQ(e.first_frame[3].rotation.z, std::sqrt(0.5));
    EXPECT_EQ(e.polynomial[4], (std::array<double, 5>{0.5, 1, 0, 0, 0}));
    EXPECT_EQ(e.active[4], 0);
    EXPECT_EQ(e.second[4], -1);
}

TEST(MjcfParts, tendons_have_coefficients_or_a_path_with_pulleys)
{
    const Model model = parse_with(
        "<tendon><fixed name='x' springlength='0.2' stiffness='5'><joint joint='j' coef='3'/></fixed>"
        "<spatial range='0 9'><site site='s'/><site site='t'/><pulley divisor='2'/><site site='s'/><site "
        "site='t'/></spatial>"
        "</tendon>");
    EXPECT_EQ(model.tendons.items[0].value, 3);
    EXPECT_EQ(model.tendons.spring_length[0], (std::array<double, 2>{0.2, 0.2}));
    const double gap = norm(Vec3{1, 0, 0} - Vec3{0, 1, 0.5});
    EXPECT_NEAR(model.tendons.length[1], 1.5 * gap, 1e-14);
    EXPECT_TRUE(model.tendons.range[1].limited);
}

TEST(MjcfParts, tendons_wrap_around_geoms_on_the_side_of_a_site)
{
    const Model model = parse_with(
        "<tendon><spatial><site site='s'/><geom geom='h' sidesite='t'/><site site='t'/><geom geom='g'/><site site='s'/>"
        "</spatial></tendon>");
    const std::vector<TendonItem>& items = model.tendons.items;
    EXPECT_EQ(model.shapes.name[static_cast<std::size_t>(items[1].shape)], "h");
    EXPECT_EQ(items[1].side_site, items[2].site);
    EXPECT_EQ(model.shapes.name[static_cast<std::size_t>(items[3].shape)], "g");
    EXPECT_EQ(items[3].side_site, -1);
}

TEST(MjcfParts, actuator_shortcuts_are_force_laws)
{
    const Model model = parse_with(
        "<actuator><motor joint='j' gear='5' ctrlrange='-1 1'/><position joint='j' kp='7' kv='2'/>"
        "<velocity joint='j' kv='3'/><intvelocity joint='j' kp='4' actrange='-1 1'/><damper joint='j' kv='2' "
        "ctrlrange='0 1'/>"
        "<cylinder joint='j' diameter='2' timeconst='0.3' bias='1 2 3'/><position joint='j' kp='9' timeconst='0.1'/>"
        "<general joint='j' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='4 5 6' dyntype='filter' "
        "dynprm='0.7' actearly='true'/></actuator>");
    const Actuators& a = model.actuators;
    using Law = std::array<double, 3>;
    EXPECT_EQ(a.gear[0][0], 5);
    EXPECT_TRUE(a.input_range[0].limited);
    EXPECT_EQ(a.gain[1], (Law{7, 0, 0}));
    EXPECT_EQ(a.bias[1], (Law{0, -7, -2}));
    EXPECT_EQ(a.bias[2], (Law{0, 0, -3}));
    EXPECT_EQ(a.dynamics[3], ActuatorDynamics::integrator);
    EXPECT_EQ(a.gain[4], (Law{0, 0, -2}));
    EXPECT_NEAR(a.gain[5][0], kPi, 1e-15);
    EXPECT_EQ(a.bias[5], (Law{1, 2, 3}));
    EXPECT_EQ(a.dynamics[5], ActuatorDynamics::filter);
    EXPECT_EQ(a.dynamics[6], ActuatorDynamics::filter_exact);
    EXPECT_EQ(a.time_constant[6], 0.1);
    EXPECT_EQ(a.gain[7], (Law{1, 2, 3}));
    EXPECT_EQ(a.bias[7], (Law{4, 5, 6}));
    EXPECT_EQ(a.act_early[7], 1);
    EXPECT_EQ(model.act_count, 4);
}

TEST(MjcfParts, shortcuts_inherit_their_gains_from_their_own_kind_or_general_alone)
{
    const Model model = parse_good(
        "<mujoco><default><position kp='7' kv='1' gear='2'/><default class='c'><general gainprm='5' biasprm='0 -5' "
        "biastype='affine' dyntype='filter'/></default></default>" +
        kArm +
        "<actuator><motor joint='j'/><position joint='j'/><velocity joint='j'/><position joint='j' class='c'/>"
        "<velocity joint='j' class='c'/><general joint='j'/></actuator></mujoco>");
    const Actuators& a = model.actuators;
    const std::array<double, 6> gains{1, 7, 1, 5, 5, 7};
    for (std::size_t i = 0; i < gains.size(); ++i) EXPECT_EQ(a.gain[i][0], gains[i]) << i;
    for (std::size_t i = 0; i < gains.size(); ++i) EXPECT_EQ(a.gear[i][0], 2) << i;
    EXPECT_EQ(a.bias[3], (std::array<double, 3>{0, -5, -1}));
    EXPECT_EQ(a.dynamics[3], ActuatorDynamics::none);
}

TEST(MjcfParts, damping_ratio_and_inherited_range_follow_the_joint)
{
    const Model model = parse_with(
        "<actuator><position joint='j' kp='50' dampratio='0.5' inheritrange='0.5'/><motor joint='j' gear='3' "
        "armature='2' "
        "damping='4'/></actuator>");
    EXPECT_EQ(model.dofs.armature[0], 18);  // reflected by the gear
    EXPECT_EQ(model.dofs.damping[0], 36);
    const double inertia = 2 + 0.4 * 2 * 0.01 + 18;
    EXPECT_NEAR(model.actuators.bias[0][2], -2 * 0.5 * std::sqrt(50 * inertia), 1e-12);
    EXPECT_NEAR(model.actuators.input_range[0].lower, -kPi / 4, 1e-15);
    EXPECT_NEAR(model.actuators.input_range[0].upper, kPi / 4, 1e-15);
    EXPECT_TRUE(model.actuators.input_range[0].limited);
}

TEST(MjcfParts, sensors_of_a_program_read_zeros_with_a_warning)
{
    const auto result = parse_mjcf("<mujoco>" + kArm +
                                       "<sensor><jointpos joint='j'/><framepos objtype='xbody' "
                                       "objname='b'/><clock/><user dim='7'/></sensor></mujoco>",
                                   "t.xml", ".");
    ASSERT_TRUE(result.ok()) << to_text(result.errors());
    EXPECT_EQ(result.value().model.sensor_count(), 4);
    EXPECT_EQ(result.value().model.sensor_value_count, 1 + 3 + 1 + 7);
    ASSERT_EQ(result.value().warnings.size(), 1U) << to_text(result.value().warnings);
    EXPECT_NE(result.value().warnings[0].message.find("zeros are read"), std::string::npos);
}

TEST(MjcfParts, keyframes_hold_states_and_poses_of_mocap_bodies)
{
    const Model model = parse_good(
        "<mujoco><worldbody><body mocap='true' pos='1 1 1'/><body><joint/><geom size='1'/></body></worldbody>"
        "<keyframe><key name='k' time='2' qpos='0.5' qvel='3' mpos='7 8 9'/></keyframe></mujoco>");
    ASSERT_EQ(model.keyframes.size(), 1U);
    const Keyframe& key = model.keyframes[0];
    EXPECT_EQ(key.time, 2);
    EXPECT_EQ(key.q, std::vector<double>{0.5});
    EXPECT_EQ(key.v, std::vector<double>{3});
    EXPECT_EQ(key.targets[0].position, (Vec3{7, 8, 9}));
    EXPECT_FALSE(parse_mjcf("<mujoco><keyframe><key qpos='1'/></keyframe></mujoco>", "t", ".").ok());
}

TEST(MjcfParts, replicas_are_numbered_and_what_refers_to_them_follows)
{
    const Model model = parse_good(
        "<mujoco><worldbody><body name='base'><joint name='p'/><geom size='1'/></body>"
        "<replicate count='12' offset='1 0 0' euler='0 0 90' sep='_'><body name='r' pos='0 0 1'><joint name='j'/>"
        "<geom size='1'/></body></replicate></worldbody>"
        "<actuator><motor name='m' joint='j'/><motor name='n' joint='p'/></actuator></mujoco>");
    EXPECT_EQ(model.body_count(), 14);
    ASSERT_TRUE(model.find_body("r_11").has_value());
    EXPECT_EQ(model.actuators.name[0], "n");  // what does not refer to a replica stays in front
    EXPECT_EQ(model.actuators.name[3], "m_02");
    EXPECT_EQ(model.joints.name[static_cast<std::size_t>(model.actuators.target[3])], "j_02");
    // Each step goes along the axes of the one before: a square, so that the fifth is where the first was.
    const auto at = [&](const char* name)
    { return model.bodies.pose[static_cast<std::size_t>(model.find_body(name)->index)]; };
    EXPECT_NEAR(norm(at("r_02").position - Vec3{1, 1, 1}), 0, 1e-15);
    EXPECT_NEAR(norm(at("r_04").position - at("r_00").position), 0, 1e-15);
}

TEST(MjcfParts, an_attached_model_brings_what_belongs_to_it_under_its_prefix)
{
    const TemporaryFolder folder;
    folder.write(
        "child.xml",
        "<mujoco><compiler angle='radian'/><default><joint damping='3'/></default>"
        "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
        "<worldbody><geom name='floor' type='plane'/><body name='arm' pos='0 0 1'><joint name='j' range='-1 1'/>"
        "<geom type='mesh' mesh='m'/></body><body name='other'><joint name='k'/><geom size='1'/></body></worldbody>"
        "<actuator><motor name='mj' joint='j'/><motor name='mk' joint='k'/></actuator>"
        "<keyframe><key name='home' qpos='0.5 7' ctrl='2 3'/></keyframe></mujoco>");
    const auto path =
        folder.write("main.xml",
                     "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody>"
                     "<body name='own'><joint name='o' ref='90'/><geom size='1'/></body>"
                     "<replicate count='2' offset='0 5 0'><attach model='c' body='arm' prefix='x-'/></replicate>"
                     "</worldbody></mujoco>");
    const auto result = load_mjcf(path);
    ASSERT_TRUE(result.ok()) << to_text(result.errors());
    const Model& model = result.value().model;
    EXPECT_EQ(model.bodies.name, (std::vector<std::string>{"world", "own", "x-arm0", "x-arm1"}));
    EXPECT_EQ(model.actuators.name, (std::vector<std::string>{"x-mj0", "x-mj1"}));
    EXPECT_EQ(model.meshes[0].name, "x-m");
    EXPECT_EQ(model.joints.range[1].upper, 1);                      // the child counts in radians
    EXPECT_EQ(model.dofs.damping, (std::vector<double>{0, 3, 3}));  // and has its own defaults
    ASSERT_EQ(model.keyframes.size(), 1U);
    EXPECT_EQ(model.keyframes[0].name, "x-home");
    EXPECT_EQ(model.keyframes[0].q, (std::vector<double>{kPi / 2, 0.5, 0}));  // the first replica
    EXPECT_EQ(model.keyframes[0].ctrl, (std::vector<double>{2, 0}));
}

TEST(MjcfParts, options_of_an_attached_model_are_passed_over_merged_or_refused)
{
    const TemporaryFolder folder;
    folder.write("child.xml",
                 "<mujoco><option timestep='0.001' iterations='20' tolerance='1e-6' density='3' magnetic='1 2 3' "
                 "actuatorgroupdisable='2'><flag spring='disable' contact='enable' sleep='enable'/></option>"
                 "<worldbody><body name='b'><joint name='j' stiffness='5'/><geom size='1'/></body></worldbody>"
                 "<actuator><motor joint='j' group='1'/><motor joint='j' group='2'/></actuator></mujoco>");
    const auto load = [&](const std::string& conflict, const std::string& option)
    {
        return load_mjcf(folder.write("main.xml", "<mujoco><compiler conflict='" + conflict + "'/><option " + option +
                                                      "/><asset><model name='c' file='child.xml'/></asset><worldbody>"
                                                      "<attach model='c' prefix='x_'/><attach model='c' prefix='y_'/>"
                                                      "</worldbody></mujoco>"));
    };
    const std::string usual = "timestep='0.005' iterations='50' tolerance='1e-9' actuatorgroupdisable='1'";
    const auto kept = load("warning", usual);
    ASSERT_TRUE(kept.ok()) << to_text(kept.errors());
    EXPECT_EQ(kept->model.settings.dt, 0.005);
    EXPECT_EQ(kept->model.settings.medium.density, 0);
    ASSERT_EQ(kept->warnings.size(), 1U) << to_text(kept->warnings);  // once, however often it is attached
    EXPECT_NE(kept->warnings[0].text().find("density, iterations, magnetic, timestep, tolerance, sleep, spring"),
              std::string::npos)
        << kept->warnings[0].text();

    // The smaller step and tolerance, the larger count; what the child alone says; flags that differ from the usual.
    const auto merged = load("merge", usual);
    ASSERT_TRUE(merged.ok()) << to_text(merged.errors());
    const Model& model = merged->model;
    const Parameters& parameters = model.settings.solver_parameters.at("convex");
    EXPECT_EQ(model.settings.dt, 0.001);
    EXPECT_EQ(std::get<int>(parameters.at("iterations")), 50);
    EXPECT_EQ(std::get<double>(parameters.at("tolerance")), 1e-9);
    EXPECT_EQ(model.settings.medium.density, 3);
    EXPECT_EQ(model.settings.magnetic_field, (Vec3{1, 2, 3}));
    EXPECT_EQ(std::get<bool>(parameters.at("sleep")), true);
    EXPECT_FALSE(parameters.contains("contact"));
    EXPECT_EQ(model.joints.stiffness.at(0), 0);  // springs are off
    EXPECT_EQ(merged->warnings.size(), 0U) << to_text(merged->warnings);
    EXPECT_EQ(model.actuators.active, std::vector<int>(4, 0));  // by either model's group

    const auto apart = load("merge", usual + " density='4'");
    ASSERT_FALSE(apart.ok());
    EXPECT_NE(to_text(apart.errors()).find("are others here: density ("), std::string::npos) << to_text(apart.errors());
    const auto strict = load("error", usual);
    ASSERT_FALSE(strict.ok());
    EXPECT_NE(to_text(strict.errors()).find("are others here: iterations, timestep, tolerance ("), std::string::npos)
        << to_text(strict.errors());
}

TEST(MjcfParts, a_tendon_may_begin_with_a_pulley)
{
    const auto length = [](const std::string& pulley)
    {
        const Model model = parse_good(
            "<mujoco><worldbody><site name=\"a\"/><body pos=\"3 0 0\"><joint/><geom size=\"1\"/><site "
            "name=\"b\"/></body>"
            "</worldbody><tendon><spatial>" +
            pulley + "<site site=\"a\"/><site site=\"b\"/></spatial></tendon></mujoco>");
        return model.tendons.length.at(0);
    };
    EXPECT_EQ(length(""), 3);
    EXPECT_EQ(length("<pulley divisor=\"2\"/>"), 1.5);
}

}  // namespace
}  // namespace rattleback
