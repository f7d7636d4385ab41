// URDF: links, joints, limits, couplings, motors and files become what the table of docs/urdf.md says.
#include "support/make_png.h"
#include "urdf_test_support.h"

#include <rattleback/dynamics.h>

#include <cmath>
#include <numbers>

namespace rattleback
{
namespace
{

constexpr const char* kPart = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string make_mesh_link(const std::string& file, const std::string& owner = "collision",
                           const std::string& more = {})
{
    return make_link(
        "a", "<" + owner + "><geometry><mesh filename=\"" + file + "\" " + more + "/></geometry></" + owner + ">");
}

TEST(Urdf, a_pendulum_has_its_textbook_mass_matrix_and_weight)
{
    // A bob of 2 kg at 0.5 m below a hinge about y, turned to the side by 0.3 rad.
    const Imported robot = read_robot(
        "<link name=\"base\"/><link name=\"arm\"><inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"2\"/>"
        "<inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.15\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>" +
        make_joint("hinge", "continuous", "base", "arm", "<origin xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/>"));
    Dynamics dynamics(robot.model);
    State state(robot.model);
    state.q[0] = 0.3;
    dynamics.update(state);
    EXPECT_NEAR(dynamics.mass_matrix()(0, 0), 0.2 + 2 * 0.25, 1e-14);
    EXPECT_NEAR(dynamics.bias()[0], 2 * 9.81 * 0.5 * std::sin(0.3), 1e-13);
}

TEST(Urdf, roll_pitch_and_yaw_turn_about_fixed_axes)
{
    // Roll by 90 degrees brings y to z; yaw by 90 degrees then brings x to y.
    const double quarter = 0.5 * std::numbers::pi;
    const Imported robot = read_robot("<link name=\"base\"/>" + make_link("a") +
                                      make_joint("f", "fixed", "base", "a",
                                                 "<origin xyz=\"1 2 3\" rpy=\"" + std::to_string(quarter) + " 0 " +
                                                     std::to_string(quarter) + "\"/>"));
    const Pose pose = robot.model.bodies.pose[2];
    EXPECT_LT(norm(pose.position - Vec3{1, 2, 3}), 1e-12);
    EXPECT_LT(norm(rotate(pose.rotation, Vec3{1, 0, 0}) - Vec3{0, 1, 0}), 1e-6);
    EXPECT_LT(norm(rotate(pose.rotation, Vec3{0, 1, 0}) - Vec3{0, 0, 1}), 1e-6);
}

TEST(Urdf, every_type_of_joint_has_its_coordinates)
{
    const auto count = [](const std::string& type)
    {
        const Model model = read_robot(make_link("base") + make_link("a") + make_joint("j", type, "base", "a")).model;
        return std::pair(model.q_count(), model.v_count());
    };
    EXPECT_EQ(count("fixed"), std::pair(0, 0));
    EXPECT_EQ(count("revolute"), std::pair(1, 1));
    EXPECT_EQ(count("continuous"), std::pair(1, 1));
    EXPECT_EQ(count("prismatic"), std::pair(1, 1));
    EXPECT_EQ(count("floating"), std::pair(7, 6));
    EXPECT_EQ(count("planar"), std::pair(3, 3));
}

TEST(Urdf, a_planar_joint_slides_in_the_plane_and_turns_about_its_normal)
{
    const Model model =
        read_robot(make_link("base") + make_link("a") + make_joint("j", "planar", "base", "a", "<axis xyz=\"0 0 2\"/>"))
            .model;
    ASSERT_EQ(model.joint_count(), 3);
    EXPECT_EQ(model.joints.name, (std::vector<std::string>{"j_TX", "j_TY", "j_RZ"}));
    EXPECT_EQ(model.joints.axis[0], (Vec3{1, 0, 0}));
    EXPECT_EQ(model.joints.axis[1], (Vec3{0, 1, 0}));
    EXPECT_EQ(model.joints.axis[2], (Vec3{0, 0, 1}));
}

TEST(Urdf, a_free_base_floats_and_a_fixed_one_does_not)
{
    const std::string robot = make_link("base") + make_link("a") + make_joint("j", "continuous", "base", "a");
    EXPECT_EQ(read_robot(robot).model.v_count(), 1);
    const Model free = read_robot(robot, {.base = RobotBase::free}).model;
    EXPECT_EQ(free.v_count(), 7);
    EXPECT_EQ(free.joints.name[0], "root_joint");
}

TEST(Urdf, a_joint_that_floats_below_a_moving_link_keeps_six_degrees_of_freedom)
{
    const Model model = read_robot(make_link("base") + make_link("a") + make_joint("j", "floating", "base", "a"),
                                   {.base = RobotBase::free})
                            .model;
    EXPECT_EQ(model.v_count(), 12);
    EXPECT_EQ(model.joints.name, (std::vector<std::string>{"root_joint", "j_TX", "j_TY", "j_TZ", "j"}));
}

TEST(Urdf, a_root_called_world_is_the_world)
{
    const Model model =
        read_robot("<link name=\"world\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>" +
                   make_link("a") + make_joint("j", "continuous", "world", "a"))
            .model;
    EXPECT_EQ(model.body_count(), 2);
    EXPECT_EQ(model.shapes.body[0], 0);
}

TEST(Urdf, limits_damping_and_friction_reach_the_joint)
{
    const Imported robot = read_robot(make_link("base") + make_link("a") +
                                      make_joint("j", "revolute", "base", "a",
                                                 "<limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"4\"/>"
                                                 "<dynamics damping=\"0.5\" friction=\"0.25\"/>"));
    const Model& model = robot.model;
    EXPECT_TRUE(model.joints.range[0].limited);
    EXPECT_EQ(model.joints.range[0].lower, -1);
    EXPECT_EQ(model.joints.range[0].upper, 2);
    EXPECT_EQ(model.joints.actuator_force_range[0].upper, 30);
    EXPECT_EQ(model.dofs.damping[0], 0.5);
    EXPECT_EQ(model.dofs.dry_friction[0], 0.25);
    EXPECT_TRUE(has_warning(robot, "velocity limits of 1 joints"));
}

TEST(Urdf, a_joint_that_mimics_another_is_coupled_and_starts_where_it_must)
{
    const std::string bodies = make_link("base") + make_link("a") + make_link("b") + make_link("c") +
                               make_joint("j", "continuous", "base", "a");
    const Model model =
        read_robot(bodies +
                   make_joint("k", "continuous", "a", "b", "<mimic joint=\"j\" multiplier=\"-2\" offset=\"0.1\"/>") +
                   make_joint("l", "prismatic", "a", "c",
                              "<mimic joint=\"k\" multiplier=\"3\"/><limit lower=\"-1\" upper=\"1\"/>"))
            .model;
    ASSERT_EQ(model.equalities.type.size(), 2U);
    EXPECT_EQ(model.equalities.type[0], EqualityType::joint);
    const State state(model);
    EXPECT_DOUBLE_EQ(state.q[1], 0.1);
    EXPECT_DOUBLE_EQ(state.q[2], 3 * 0.1);
}

TEST(Urdf, a_transmission_is_a_motor_with_its_reduction)
{
    const std::string bodies = make_link("base") + make_link("a") +
                               make_joint("j", "continuous", "base", "a", "<limit effort=\"10\" velocity=\"0\"/>");
    const Model model =
        read_robot(bodies +
                   "<transmission name=\"t\"><type>transmission_interface/SimpleTransmission</type><joint name=\"j\">"
                   "<hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
                   "<actuator name=\"m\"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>")
            .model;
    ASSERT_EQ(model.actuators.name, std::vector<std::string>{"m"});
    EXPECT_EQ(model.actuators.gear[0][0], 50);
    EXPECT_DOUBLE_EQ(model.actuators.input_range[0].upper, 10.0 / 50);
    Dynamics dynamics(model);
    Control control(model);
    control.input[0] = 0.1;
    dynamics.update(State(model), control);
    EXPECT_DOUBLE_EQ(dynamics.actuation()[0], 5);
}

TEST(Urdf, shapes_have_half_their_lengths_and_visuals_do_not_collide)
{
    const Imported robot = read_robot(
        "<material name=\"red\"><color rgba=\"1 0 0 0.5\"/></material>" +
        make_link("a",
                  "<collision name=\"c\"><origin xyz=\"0 0 1\"/><geometry><box size=\"2 4 6\"/></geometry></collision>"
                  "<collision><geometry><cylinder radius=\"1\" length=\"3\"/></geometry></collision>"
                  "<visual><geometry><sphere radius=\"2\"/></geometry><material name=\"red\"/></visual>"));
    const Shapes& shapes = robot.model.shapes;
    ASSERT_EQ(shapes.type.size(), 3U);
    EXPECT_EQ(shapes.size[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(shapes.size[1].x, 1);
    EXPECT_EQ(shapes.size[1].y, 1.5);
    EXPECT_EQ(shapes.category[2], 0U);
    EXPECT_EQ(shapes.mask[2], 0U);
    EXPECT_EQ(shapes.colour[2], (std::array<float, 4>{1, 0, 0, 0.5F}));
    EXPECT_EQ(robot.model.bodies.mass[1], 1);  // what is written, whatever the shapes would weigh
}

TEST(Urdf, a_moving_link_without_inertia_weighs_what_its_collision_shapes_do)
{
    const Imported robot = read_robot(
        "<link name=\"base\"/><link name=\"a\"><collision><geometry><box size=\"0.1 0.2 "
        "0.3\"/></geometry></collision></link>" +
        make_joint("j", "continuous", "base", "a"));
    EXPECT_NEAR(robot.model.bodies.mass[2], 6, 1e-12);
    EXPECT_TRUE(has_warning(robot, "weighs what its collision shapes do"));
}

TEST(Urdf, a_point_mass_fixed_to_a_link_counts_with_it)
{
    // 2 kg at 3 m from the axis, on a link of 1 kg m^2 about it: M = 1 + 2 * 9.
    const std::string point =
        "<link name=\"p\"><inertial><mass value=\"2\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\"/></inertial></link>";
    const Imported robot =
        read_robot("<link name=\"base\"/>" + make_link("a") + point +
                   make_joint("j", "continuous", "base", "a", "<axis xyz=\"0 0 1\"/>") +
                   make_joint("f", "fixed", "a", "p", "<origin xyz=\"3 0 1\" rpy=\"0.3 0.2 0.1\"/>"));
    EXPECT_TRUE(has_warning(robot, "of 1 fixed links"));
    Dynamics dynamics(robot.model);
    dynamics.update(State(robot.model));
    EXPECT_NEAR(dynamics.mass_matrix()(0, 0), 1 + 2 * 9, 1e-12);
}

TEST(Urdf, the_mujoco_block_sets_compiler_and_options)
{
    const Imported robot = read_robot(
        "<mujoco><compiler discardvisual=\"true\" settotalmass=\"10\"/><option timestep=\"0.004\" gravity=\"0 0 "
        "-1\"/></mujoco>" +
        make_link("a", "<visual><geometry><sphere radius=\"2\"/></geometry></visual>"));
    EXPECT_EQ(robot.model.settings.dt, 0.004);
    EXPECT_EQ(robot.model.settings.gravity, (Vec3{0, 0, -1}));
    EXPECT_EQ(robot.model.shapes.type.size(), 0U);
    EXPECT_NEAR(robot.model.bodies.mass[1], 10, 1e-12);
}

TEST(Urdf, a_mistake_in_the_mujoco_block_has_its_place)
{
    const auto errors = parse_robot("<mujoco>\n  <option timestpe=\"1\"/></mujoco>" + make_link("a")).errors();
    EXPECT_TRUE(has_error(errors, "robot.urdf:3:11", "timestep")) << to_text(errors);
}

TEST(Urdf, files_are_found_beside_the_robot_and_in_packages)
{
    const TemporaryFolder folder;
    folder.write("robot/meshes/part.obj", kPart);
    folder.write("search/other/part.obj", kPart);
    folder.write("deep/package.xml", "");
    folder.write("deep/meshes/part.obj", kPart);
    const auto load = [&](const std::string& place, const std::string& file, const std::string& owner = "collision")
    {
        const auto path = folder.write(place, "<robot name=\"r\">" + make_mesh_link(file, owner) + "</robot>");
        return load_model(path, {.package_path = {folder.path() / "search"}});
    };
    EXPECT_TRUE(load("robot/r.urdf", "meshes/part.obj"));
    EXPECT_TRUE(load("robot/urdf/r.urdf", "../meshes/part.obj"));
    EXPECT_TRUE(load("robot/urdf/r.urdf", "package://robot/meshes/part.obj"));
    EXPECT_TRUE(load("robot/r.urdf", "package://other/part.obj"));
    EXPECT_TRUE(load("robot/r.urdf", "package:///other/part.obj"));
    EXPECT_TRUE(load("deep/robots/arm/r.urdf", "package://deep/meshes/part.obj"));
    EXPECT_TRUE(load("robot/r.urdf", "file://" + (folder.path() / "robot/meshes/part.obj").string()));
    EXPECT_TRUE(load("robot/r.xml", "meshes/part.obj")) << "the first element tells URDF from MJCF";
    const auto missing = load("robot/r.urdf", "package://absent/part.obj");
    EXPECT_TRUE(has_words(missing.errors(), "ROS_PACKAGE_PATH")) << to_text(missing.errors());
    EXPECT_TRUE(load("a/b/c/r.urdf", "../../../robot/meshes/part.obj"));
    EXPECT_TRUE(has_words(load("robot/r.urdf", "http://example.com/part.obj").errors(), "http"));
    const auto drawn = load("robot/r.urdf", "absent.obj", "visual");
    ASSERT_TRUE(drawn);
    EXPECT_TRUE(has_warning(*drawn, "left out"));
}

TEST(Urdf, a_texture_is_read_once_however_its_path_is_written_and_counts_as_bytes)
{
    const TemporaryFolder folder;
    const std::string picture = make_png(2, std::string(12, '\x7f'), 6, 2);
    folder.write("skin.png", picture);
    folder.write("again.png", picture);
    const auto look = [](const std::string& file)
    {
        return "<visual><geometry><sphere radius=\"1\"/></geometry><material name=\"\"><texture filename=\"" + file +
               "\"/></material></visual>";
    };
    const auto once = parse_robot(make_link("a", look("skin.png") + look("./skin.png")), {}, folder.path());
    ASSERT_TRUE(once) << to_text(once.errors());
    EXPECT_EQ(once->model.appearance.textures.size(), 1U);
    // Pictures as long as the text of the robot: there is room for one of the two.
    ImportOptions tight;
    const std::string robot = make_link("a", look("skin.png") + look("again.png"));
    tight.limits.bytes = robot.size() + 100;
    const auto large = [&](const std::string& name)
    { folder.write(name, picture + std::string(robot.size() - picture.size(), '\0')); };
    large("skin.png");
    large("again.png");
    const auto second = parse_robot(robot, tight, folder.path());
    ASSERT_TRUE(second) << to_text(second.errors());
    EXPECT_TRUE(has_warning(*second, "a texture is left out"));
    EXPECT_EQ(second->model.appearance.textures.size(), 1U);
}

TEST(Urdf, a_mesh_is_scaled_and_mirrored)
{
    const TemporaryFolder folder;
    const auto path = folder.write("part.obj", kPart);
    const auto robot = parse_robot(make_mesh_link("part.obj", "collision", "scale=\"-2 3 0.5\""), {}, folder.path());
    ASSERT_TRUE(robot) << to_text(robot.errors());
    const Model& model = robot->model;
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].vertices[1], (Vec3{-2, 0, 0}));
    EXPECT_EQ(model.meshes[0].vertices[2], (Vec3{0, 3, 0}));
    EXPECT_EQ(model.meshes[0].triangles[0], (std::array<int, 3>{0, 1, 2})) << "the right side stays out";
}

TEST(Urdf, what_is_meant_for_others_is_named_once)
{
    const Imported robot = read_robot("<gazebo/><gazebo reference=\"a\"/><lnk/>" + make_link("a", "<inertia/>"));
    EXPECT_TRUE(has_warning(robot, "'gazebo' is ignored, as are 1 more"));
    EXPECT_TRUE(has_warning(robot, "did you mean 'link'"));
}

}  // namespace
}  // namespace rattleback
