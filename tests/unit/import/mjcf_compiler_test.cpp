// What MuJoCo's compiler does to a file before there is a model: fusing, shells, copies, keyframes, leniency, meshes.
#include <cmath>
#include <cstring>

#include "import/meshes/mesh_file.h"
#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

std::size_t place(int index) { return static_cast<std::size_t>(index); }

TEST(MjcfCompiler, a_static_body_becomes_part_of_its_parent_where_it_may)
{
    const std::string tree =
        "<body name='a'><joint/><geom name='ga' size='0.1' mass='1'/>"
        "<body name='b' pos='1 0 0'><geom name='gb' size='0.1' mass='3'/><site name='s' pos='0 1 0'/>"
        "<body name='c'><joint/><geom name='gc' size='0.1' mass='1'/></body></body>"
        "<body name='d' fuse='false'><geom name='gd' size='0.1' mass='1'/></body></body>"
        "<body name='w' pos='0 5 0'><geom name='gw' size='0.1'/></body>";
    const Model model = parse_good("<mujoco><compiler fusestatic='true'/><worldbody>" + tree + "</worldbody></mujoco>");
    EXPECT_EQ(model.bodies.name, (std::vector<std::string>{"world", "a", "c", "d"}));
    EXPECT_EQ(model.shapes.name, (std::vector<std::string>{"gw", "ga", "gb", "gc", "gd"}));
    EXPECT_EQ(model.shapes.body, (std::vector<int>{0, 1, 1, 2, 3}));
    EXPECT_DOUBLE_EQ(model.bodies.mass[1], 4);
    EXPECT_DOUBLE_EQ(model.bodies.inertial_pose[1].position.x, 0.75);
    EXPECT_EQ(model.sites.pose[0].position, (Vec3{1, 1, 0}));
    EXPECT_EQ(model.bodies.pose[2].position, (Vec3{1, 0, 0}));

    const Model named = parse_good("<mujoco><compiler fusestatic='true'/><worldbody>" + tree +
                                   "</worldbody><contact><exclude body1='a' body2='b'/></contact></mujoco>");
    EXPECT_TRUE(named.find_body("b").has_value());
}

TEST(MjcfCompiler, fused_bodies_add_their_inertials_to_the_parents)
{
    const Model model = parse_good(
        "<mujoco><compiler fusestatic='true'/><worldbody><body><joint/>"
        "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/><geom size='0.1'/>"
        "<body pos='1 0 0'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom size='0.1'/></body>"
        "</body></worldbody></mujoco>");
    // Two points: reduced mass times the square of their distance, beside the moments of both.
    EXPECT_DOUBLE_EQ(model.bodies.mass[1], 3);
    EXPECT_DOUBLE_EQ(model.bodies.inertial_pose[1].position.x, 1.0 / 3);
    EXPECT_NEAR(model.bodies.inertia[1].x, 2 + 2.0 / 3, 1e-14);
    EXPECT_NEAR(model.bodies.inertia[1].z, 2, 1e-14);
}

TEST(MjcfCompiler, shells_have_their_mass_on_the_surface)
{
    const auto find = [](const std::string& words)
    { return parse_world("<body><joint/><geom shellinertia='true' density='1' " + words + "/></body>"); };
    const Model sphere = find("size='0.5'");
    EXPECT_NEAR(sphere.bodies.mass[1], 4 * kPi * 0.25, 1e-14);
    EXPECT_NEAR(sphere.bodies.inertia[1].x, 2.0 / 3 * sphere.bodies.mass[1] * 0.25, 1e-14);
    // A cube of edge 2 a: about an axis, 2/3 a^2 for the two faces across it, 1/3 a^2 + a^2 for the four beside it.
    const Model cube = find("type='box' size='0.5 0.5 0.5'");
    EXPECT_NEAR(cube.bodies.mass[1], 6, 1e-14);
    EXPECT_NEAR(cube.bodies.inertia[1].y, 6 * 10.0 / 9 * 0.25, 1e-14);
    const Model can = find("type='cylinder' size='0.5 1'"), pill = find("type='capsule' size='0.5 1'");
    EXPECT_NEAR(can.bodies.mass[1], 2 * kPi * 0.5 * 2 + 2 * kPi * 0.25, 1e-14);
    EXPECT_NEAR(pill.bodies.mass[1], 2 * kPi * 0.5 * 2 + 4 * kPi * 0.25, 1e-14);
    EXPECT_NEAR(can.bodies.inertia[1].z, 2 * kPi * 0.25 + kPi * 0.25 * 0.25, 1e-14);
}

TEST(MjcfCompiler, a_model_attaches_copies_of_what_stands_before)
{
    const Model model = parse_good(
        "<mujoco><worldbody><body name='b'><joint name='j'/><geom name='g' size='0.1'/></body>"
        "<frame pos='2 0 0'><attach body='b' prefix='x_'/></frame><frame pos='4 0 0'><attach body='x_b' "
        "prefix='y_'/></frame></worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>");
    EXPECT_EQ(model.bodies.name, (std::vector<std::string>{"world", "b", "x_b", "y_x_b"}));
    EXPECT_EQ(model.bodies.pose[3].position, (Vec3{4, 0, 0}));
    EXPECT_EQ(model.actuators.name, (std::vector<std::string>{"m", "x_m", "y_x_m"}));
    // Of the body around it, what was read so far.
    const Model inside =
        parse_world("<body name='b'><joint name='j'/><geom name='g' size='0.1'/><attach body='b' prefix='x_'/></body>");
    EXPECT_EQ(inside.body_count(), 3);
    EXPECT_EQ(inside.bodies.parent[2], 1);
}

TEST(MjcfCompiler, keyframes_may_be_short_and_their_quaternions_zero)
{
    const std::string tree =
        "<worldbody><body><freejoint/><geom size='0.1'/></body><body><joint type='ball'/><geom size='0.1'/></body>"
        "</worldbody>";
    const Model model = parse_good("<mujoco><size nkey='4'/>" + tree +
                                   "<keyframe><key qpos='1 2 3 0 0 0 0'/><key qvel='1 2'/><key qpos=''/></keyframe>"
                                   "</mujoco>");
    ASSERT_EQ(model.keyframes.size(), 4U);
    EXPECT_EQ(model.keyframes[0].q, (std::vector<double>{1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(model.keyframes[1].v, (std::vector<double>{1, 2, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_TRUE(model.keyframes[2].q.empty());
    EXPECT_FALSE(
        parse_mjcf("<mujoco>" + tree + "<keyframe><key qvel='1 2 3 4 5 6 7 8 9 0'/></keyframe></mujoco>", "t", ".")
            .ok());
}

TEST(MjcfCompiler, attached_keyframes_keep_their_names_and_the_targets_of_mocap_bodies)
{
    const TemporaryFolder folder;
    folder.write(
        "child.xml",
        "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/></body><body name='m' mocap='true'"
        " pos='1 2 3'/></worldbody><keyframe><key name='k' qpos='1' mpos='4 5 6'/><key qpos='2'/></keyframe>"
        "</mujoco>");
    const auto path =
        folder.write("main.xml",
                     "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody><frame pos='1 0 "
                     "0'><attach model='c' prefix='p_'/></frame><attach model='c' prefix='q_'/>"
                     "</worldbody></mujoco>");
    const auto loaded = load_mjcf(path);
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    const std::vector<Keyframe>& keys = loaded.value().model.keyframes;
    ASSERT_EQ(keys.size(), 4U);
    EXPECT_EQ(keys[0].name + " " + keys[1].name + " " + keys[2].name + " " + keys[3].name, "p_k p_ q_k q_");
    EXPECT_EQ(keys[0].q, (std::vector<double>{1, 0}));
    EXPECT_EQ(keys[3].q, (std::vector<double>{0, 2}));
    ASSERT_EQ(keys[2].targets.size(), 2U);
    EXPECT_EQ(keys[2].targets[0].position, (Vec3{2, 2, 3})) << "where it stands";
    EXPECT_EQ(keys[2].targets[1].position, (Vec3{4, 5, 6})) << "where the key puts it";
}

TEST(MjcfCompiler, what_mujoco_lets_pass_is_read_as_it_reads_it)
{
    // Empty lists say nothing; what cannot move needs no inertia; a limited ball without a range cannot turn.
    const Model model = parse_world(
        "<geom size='0.1' rgba='' friction='' pos='' quat='' material='' solref=''/>"
        "<body><inertial pos='0 0 0' mass='1' diaginertia='0 0 0'/></body><body><inertial pos='0 0 0' mass='2'/></body>"
        "<body><joint type='ball' limited='true'/><geom size='0.1'/></body>"
        "<replicate count='0'><geom size='1'/></replicate>");
    EXPECT_EQ(model.shape_count(), 2);
    EXPECT_EQ(model.bodies.mass[2], 2);
    EXPECT_TRUE(model.joints.range[0].limited);
    EXPECT_EQ(model.joints.range[0].upper, 0);

    const auto loaded = parse_mjcf(
        "<mujoco><asset><skin name='s' file='s.skn' rgba='1 0 0 1'/></asset><deformable><skin vertex='0 0 0' face='0'>"
        "<bone body='b' vertid='0'/></skin></deformable><body name='outside'/><worldbody><replicate count='1' "
        "prefix='p'/></worldbody></mujoco>",
        "t", ".");
    ASSERT_TRUE(loaded.ok()) << to_text(loaded.errors());
    EXPECT_EQ(loaded.value().model.body_count(), 1);
    EXPECT_EQ(loaded.value().warnings.size(), 4U) << to_text(loaded.value().warnings);
}

TEST(MjcfCompiler, built_in_meshes_near_the_solids_they_are_named_after)
{
    const auto volume = [](const std::string& words)
    {
        const Model model =
            parse_good("<mujoco><asset><mesh name='m' inertia='exact' builtin=" + words +
                       "/></asset><worldbody><body><joint/><geom type='mesh' mesh='m' density='1'/></body>"
                       "</worldbody></mujoco>");
        return model.bodies.mass.back();
    };
    // Polyhedra with corners on the surface lie inside, by a fraction of the square of the edges.
    EXPECT_NEAR(volume("'sphere' params='4'"), 4 * kPi / 3, 0.01);
    EXPECT_NEAR(volume("'hemisphere' params='10'"), 2 * kPi / 3, 0.03);
    EXPECT_NEAR(volume("'cone' params='100 0'"), kPi * 2 / 3, 0.01);
    EXPECT_NEAR(volume("'supersphere' params='60 1 1'"), 4 * kPi / 3, 0.03);
    EXPECT_NEAR(volume("'supertorus' params='60 0.5 1 1'"), 2 * kPi * kPi * 0.25, 0.05);
    EXPECT_NEAR(volume("'grid' params='3 3 3 1 2 3'"), 2 * 4 * 6, 1e-6);
    EXPECT_NEAR(volume("'box' params='3 3 3 1 2 3'"), 2 * 4 * 6, 1e-6);
    EXPECT_NEAR(volume("'cylinder' params='21 21 2 0.1 0.1 1'"), kPi, 0.05);
}

TEST(MjcfCompiler, built_in_sheets_weigh_by_their_area_and_do_not_collide)
{
    const auto make = [](const std::string& words, const std::string& geom)
    {
        return "<mujoco><asset><mesh name='m' builtin=" + words +
               "/></asset><worldbody><body><joint/><geom size='1' mass='1'/><geom type='mesh' mesh='m' density='1' " +
               geom + "/></body></worldbody></mujoco>";
    };
    const auto area = [&](const std::string& words)
    { return parse_good(make(words, "contype='0' conaffinity='0'")).bodies.mass.back() - 1; };
    // Corners are rounded to 32 bits.
    EXPECT_NEAR(area("'plate' params='5 4' inertia='exact'"), (2 * 4 / 5.0) * (2 * 3 / 4.0), 1e-6);
    EXPECT_NEAR(area("'square' params='3 4 1 1 2 3'"), 2 * 6, 1e-6);
    EXPECT_NEAR(area("'grid' params='4 3 1 1 2 3 2'"), 3 * 4, 1e-6);
    // Bottom and four sides: MuJoCo leaves the top open.
    EXPECT_NEAR(area("'box' params='3 4 5 1 2 3 2'"), 2 * 6 + 2 * (2 + 6) * 12, 1e-5);
    EXPECT_NEAR(area("'cylinder' params='41 41 2 0.05 0.05 1 2'"), kPi + 2 * kPi, 0.02);
    // A half of the sides is one, so that scaling it twice makes no difference.
    EXPECT_NEAR(area("'disc' params='41 41 1 0.05 0.05 1'"), kPi, 0.01);
    const auto refused = parse_mjcf(make("'plate' params='5 4'", ""), "t", ".");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(to_text(refused.errors()).find("the points lie in a plane"), std::string::npos)
        << to_text(refused.errors());
}

/// A tetrahedron in MuJoCo's binary format.
std::string make_msh(std::int32_t corner = 3)
{
    const std::int32_t counts[] = {4, 0, 0, 4}, faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, corner};
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::string bytes(sizeof counts + sizeof points + sizeof faces, '\0');
    std::memcpy(bytes.data(), counts, sizeof counts);
    std::memcpy(bytes.data() + sizeof counts, points, sizeof points);
    std::memcpy(bytes.data() + sizeof counts + sizeof points, faces, sizeof faces);
    return bytes;
}

TEST(MjcfCompiler, msh_files_hold_vertices_and_triangles)
{
    const auto parse = [](const std::string& bytes) { return parse_msh(std::as_bytes(std::span(bytes)), "part.msh"); };
    const Result<MeshOptions> mesh = parse(make_msh());
    ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
    EXPECT_EQ(mesh.value().name, "part");
    EXPECT_EQ(mesh.value().vertices[place(3)], (Vec3{0, 0, 1}));
    EXPECT_EQ(mesh.value().triangles.size(), 4U);
    EXPECT_FALSE(parse(make_msh(4)).ok()) << "a corner that is not there";
    EXPECT_FALSE(parse(make_msh(-1)).ok());
    const std::string whole = make_msh();
    for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_FALSE(parse(whole.substr(0, size)).ok()) << size;
    std::string lying = whole;
    lying[3] = '\x7f';  // two thousand million vertices
    EXPECT_FALSE(parse(lying).ok());
}

TEST(MjcfCompiler, moments_that_no_solid_has_are_balanced_where_the_compiler_says_so)
{
    const auto text = [](const std::string& inertia)
    {
        return "<mujoco><compiler balanceinertia=\"true\"/><worldbody><body><joint/><inertial pos=\"0 0 0\" "
               "mass=\"1\" " +
               inertia + "/></body></worldbody></mujoco>";
    };
    // 1 + 2 < 6: each is the mean
    for (const char* inertia : {"diaginertia=\"1 2 6\"", "fullinertia=\"6 1.5 1.5 0 0 0.5\""})
    {
        const Model model = parse_good(text(inertia));
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(model.bodies.inertia.at(1)[k], 3, 1e-14) << inertia;
    }
    // The bound comes first: 4 + 4 > 6.
    const Model bounded = parse_good(
        "<mujoco><compiler balanceinertia=\"true\" boundinertia=\"4\"/><worldbody><body><joint/><inertial pos=\"0 0 "
        "0\" "
        "mass=\"1\" fullinertia=\"1 2 6 0 0 0\"/></body></worldbody></mujoco>");
    EXPECT_EQ(bounded.bodies.inertia.at(1), (Vec3{6, 4, 4}));
}

TEST(MjcfCompiler, a_body_without_mass_has_its_inertial_frame_where_mujoco_puts_it)
{
    const Model model = parse_world("<body pos=\"1 2 3\"><site/></body><body pos=\"1 2 3\"><geom size=\"1\"/></body>");
    EXPECT_EQ(model.bodies.inertial_pose.at(1).position, (Vec3{1, 2, 3}));
    EXPECT_EQ(model.bodies.inertial_pose.at(2).position, (Vec3{}));
}

TEST(MjcfCompiler, override_gives_all_contacts_one_surface)
{
    const std::string world =
        "<worldbody><geom name=\"a\" type=\"plane\" size=\"1 1 1\" margin=\"0.5\" friction=\"0.1\"/>"
        "<body><freejoint/><geom name=\"b\" size=\"1\" solref=\"0.5 1\"/></body></worldbody>"
        "<contact><pair geom1=\"a\" geom2=\"b\" margin=\"2\" friction=\"3 4 5 6 7\"/></contact></mujoco>";
    const auto option = [&](const std::string& friction, const std::string& flag)
    {
        return "<mujoco><option o_margin=\"0.25\" o_solref=\"0.1 2\" o_friction=\"" + friction +
               "\"><flag override=\"" + flag + "\"/></option>" + world;
    };
    const Model model = parse_good(option("0.7 0.7 0.005 0.0001 0.0001", "enable"));
    EXPECT_EQ(model.shapes.margin, (std::vector<double>{0.125, 0.125}));
    EXPECT_EQ(model.pairs.at(0).margin, 0.25);
    for (const MaterialOptions& material : model.materials)
    {
        EXPECT_EQ(material.friction, 0.7);
        EXPECT_EQ(material.spinning_friction, 0.005);
        EXPECT_EQ(std::get<Impedance>(material.softness).solref, (std::array<double, 2>{0.1, 2}));
    }
    EXPECT_EQ(parse_good(option("0.7 0.7 0.005 0.0001 0.0001", "disable")).pairs.at(0).margin, 2);
    // Two coefficients of sliding: no geom has them, so they are the model's.
    EXPECT_EQ(model.settings.second_friction, (std::array<double, 2>{-1, -1}));
    const Model uneven = parse_good(option("0.7 0.6 0.005 0.0001 0.0003", "enable"));
    EXPECT_EQ(uneven.settings.second_friction, (std::array<double, 2>{0.6, 0.0003}));
    EXPECT_EQ(uneven.pairs.at(0).second_friction, (std::array<double, 2>{0.6, 0.0003}));
    EXPECT_EQ(uneven.materials.at(0).friction, 0.7);
}

TEST(MjcfCompiler, forces_of_actuators_are_limited_on_hinges_and_slides_alone)
{
    const Model model = parse_world(
        "<body><joint type=\"free\" actuatorfrcrange=\"-1 1\"/><geom size=\"1\"/>"
        "<body><joint actuatorfrcrange=\"-1 1\"/><geom size=\"1\"/></body></body>");
    EXPECT_FALSE(model.joints.actuator_force_range.at(0).limited);
    EXPECT_TRUE(model.joints.actuator_force_range.at(1).limited);
}

TEST(MjcfCompiler, vertices_are_single_precision_numbers)
{
    const Model model = parse_good(
        "<mujoco><asset><mesh name=\"m\" vertex=\"0 0 0 0.1 0 0 0 0.1 0 0 0 0.1\"/></asset><worldbody>"
        "<body><joint/><geom type=\"mesh\" mesh=\"m\" density=\"6\"/></body></worldbody></mujoco>");
    const auto edge = static_cast<double>(0.1F);
    EXPECT_NEAR(model.bodies.mass.at(1), edge * edge * edge, 1e-18);  // 4.5e-11 more than of 0.1
}

}  // namespace
}  // namespace rattleback
