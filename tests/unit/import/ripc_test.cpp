// Scenes of the rigid-IPC reference: what their fields become.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "import/meshes/mesh_file.h"
#include "math/rotation.h"

namespace rattleback
{
namespace
{

constexpr double kRipcDegree = 3.14159265358979323846 / 180;

/// The tetrahedron with corners at the origin and one metre along each axis: volume 1/6, centre (1/4, 1/4, 1/4).
constexpr const char* kRipcTetrahedron =
    R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]])";

std::string make_ripc_scene(const std::string& bodies, const std::string& problem = {}, const std::string& top = {})
{
    return "{" + top + "\"rigid_body_problem\": {" + problem + "\"rigid_bodies\": [" + bodies + "]}}";
}

Imported read_ripc(const std::string& text)
{
    Result<Imported> result = parse_ripc(text, "scene.json", ".");
    EXPECT_TRUE(result.ok()) << to_text(result.errors());
    return result.ok() ? std::move(result).value() : Imported{};
}

std::string tetrahedron_with(const std::string& fields)
{
    return "{" + std::string(kRipcTetrahedron) + (fields.empty() ? "" : ", ") + fields + "}";
}

void expect_ripc_place(const Vec3& found, const Vec3& expected, double tolerance)
{
    EXPECT_LE(norm(found - expected), tolerance) << found.x << " " << found.y << " " << found.z;
}

TEST(Ripc, a_body_weighs_density_times_volume_and_has_its_frame_at_its_centre)
{
    const Imported scene = read_ripc(make_ripc_scene(
        tetrahedron_with(R"("density": 600, "position": [1,2,3], "rotation": [0,0,90], "scale": [2,1,1])")));
    const Model& model = scene.model;
    ASSERT_EQ(model.body_count(), 2);
    EXPECT_NEAR(model.bodies.mass[1], 600 * 2.0 / 6, 1e-12);
    // Centre (1/2, 1/4, 1/4) turned by 90 degrees about z, then moved.
    expect_ripc_place(model.bodies.pose[1].position, {1 - 0.25, 2 + 0.5, 3.25}, 1e-15);
    expect_ripc_place(model.bodies.inertial_pose[1].position, {}, 1e-15);
    expect_ripc_place(rotate(model.bodies.pose[1].rotation, Vec3{1, 0, 0}), {0, 1, 0}, 1e-15);
}

TEST(Ripc, rotations_are_euler_angles_about_x_then_y_then_z)
{
    const Imported scene = read_ripc(make_ripc_scene(tetrahedron_with(R"("rotation": [10,20,30])")));
    const Quat expected = turn(Vec3{0, 0, 1}, 30 * kRipcDegree) * turn(Vec3{0, 1, 0}, 20 * kRipcDegree) *
                          turn(Vec3{1, 0, 0}, 10 * kRipcDegree);
    EXPECT_NEAR(std::abs(scene.model.bodies.pose[1].rotation.w), std::abs(expected.w), 1e-15);
    expect_ripc_place(rotate(scene.model.bodies.pose[1].rotation, Vec3{1, 2, 3}), rotate(expected, Vec3{1, 2, 3}),
                      1e-14);
}

TEST(Ripc, dimensions_override_the_scale_and_leave_flat_directions_flat)
{
    const std::string plane =
        R"({"vertices": [[-1,0,-1],[1,0,-1],[1,0,1],[-1,0,1]], "faces": [[0,2,1],[0,3,2]], "dimensions": [5,7,4],
            "scale": 100, "is_dof_fixed": true})";
    const Imported scene = read_ripc(make_ripc_scene(plane));
    ASSERT_EQ(scene.model.meshes.size(), 1u);
    for (const Vec3& v : scene.model.meshes[0].vertices)
    {
        EXPECT_EQ(std::abs(v.x), 2.5);
        EXPECT_EQ(v.y, 0);
        EXPECT_EQ(std::abs(v.z), 2);
    }
    EXPECT_EQ(scene.model.bodies.kind[1], BodyKind::fixed);
    EXPECT_EQ(scene.model.shapes.type[0], ShapeType::surface);
    EXPECT_EQ(scene.model.v_count(), 0);
}

TEST(Ripc, velocities_are_of_the_centre_and_in_degrees)
{
    const Imported scene = read_ripc(make_ripc_scene(
        tetrahedron_with(R"("rotation": [0,90,0], "linear_velocity": [1,2,3], "angular_velocity": [0,0,180])")));
    const std::vector<double>& v = scene.model.initial_v;
    ASSERT_EQ(v.size(), 6u);
    // A free joint moves the frame's origin, which is the centre; its rates are in body axes.
    expect_ripc_place({v[0], v[1], v[2]}, {1, 2, 3}, 1e-14);
    const Vec3 rate = rotate(scene.model.bodies.pose[1].rotation, Vec3{v[3], v[4], v[5]});
    expect_ripc_place(rate, {0, 0, 180 * kRipcDegree}, 1e-14);
}

TEST(Ripc, fixed_coordinates_leave_joints_for_the_others)
{
    const Imported scene = read_ripc(make_ripc_scene(tetrahedron_with(
        R"("rotation": [0,90,0], "is_dof_fixed": [false,false,true,true,true,false], "linear_velocity": [1,2,3],
           "angular_velocity": [10,20,90], "force": [4,0,5], "torque": [0,0,180])")));
    const Model& model = scene.model;
    ASSERT_EQ(model.joint_count(), 3);
    EXPECT_EQ(model.joints.type[0], JointType::slide);
    EXPECT_EQ(model.joints.type[1], JointType::slide);
    EXPECT_EQ(model.joints.type[2], JointType::hinge);
    // Axes are the world's, seen from the body; the hinge goes through the centre.
    expect_ripc_place(rotate(model.bodies.pose[1].rotation, model.joints.axis[0]), {1, 0, 0}, 1e-15);
    expect_ripc_place(rotate(model.bodies.pose[1].rotation, model.joints.axis[2]), {0, 0, 1}, 1e-15);
    expect_ripc_place(model.joints.position[2], {}, 0);
    EXPECT_NEAR(model.initial_v[0], 1, 1e-15);
    EXPECT_NEAR(model.initial_v[1], 2, 1e-15);
    EXPECT_NEAR(model.initial_v[2], 90 * kRipcDegree, 1e-15);
    // Constant forces are actuators without input: along x, and about z, where the reference takes degrees.
    ASSERT_EQ(model.actuator_count(), 2);
    EXPECT_EQ(model.actuators.gear[0][0], 4);
    EXPECT_NEAR(model.actuators.gear[1][0], 180 * kRipcDegree, 1e-15);
    EXPECT_EQ(model.actuators.gain[0][0], 0);
    EXPECT_EQ(model.actuators.bias[0][0], 1);
}

TEST(Ripc, two_free_rotations_are_two_hinges_the_first_about_the_world_the_second_about_the_body)
{
    const Imported scene = read_ripc(make_ripc_scene(tetrahedron_with(
        R"("rotation": [0,90,0], "is_dof_fixed": [true,false,true,false,true,false], "linear_velocity": [1,2,3],
           "angular_velocity": [90,20,45], "torque": [180,7,90])")));
    const Model& model = scene.model;
    ASSERT_EQ(model.joints.type, (std::vector<JointType>{JointType::slide, JointType::hinge, JointType::hinge}));
    const Quat& turned = model.bodies.pose[1].rotation;
    expect_ripc_place(rotate(turned, model.joints.axis[1]), {1, 0, 0}, 1e-15);
    expect_ripc_place(rotate(turned, model.joints.axis[2]), {0, 0, 1}, 1e-15);
    EXPECT_EQ(model.initial_v, (std::vector<double>{2, 90 * kRipcDegree, 45 * kRipcDegree}));
    // One torque, in the axes of the world, without what is fixed.
    ASSERT_EQ(model.actuator_count(), 1);
    const std::array<double, 6> gear{0, 0, 0, 180 * kRipcDegree, 0, 90 * kRipcDegree};
    EXPECT_EQ(model.actuators.gear[0], gear);
}

TEST(Ripc, both_rules_of_newmark_are_run_as_newmark_but_for_bodies_on_joints)
{
    for (const std::string stepper : {"implicit_newmark", "stabilized_newmark"})
    {
        const std::string problem = "\"gravity\": [0,0,-8], \"time_stepper\": \"" + stepper + "\", ";
        const Imported free =
            read_ripc(make_ripc_scene(tetrahedron_with(R"("force": [0,250,0], "density": 600)"), problem));
        EXPECT_TRUE(free.warnings.empty());
        EXPECT_EQ(std::get<std::string>(free.model.settings.solver_parameters.at("ipc").at("integrator")), "newmark");
        // The trapezoidal rule has no error under constant forces; implicit Euler falls further by g h t / 2 = 40 mm.
        Simulation simulation = Simulation::make(free.model).value();
        simulation.run_for(1);
        expect_ripc_place(simulation.state().pose(BodyId{1}).position, {0.25, 0.25 + 0.5 * 250 / 100, 0.25 - 0.5 * 8},
                          1e-9);
        const Imported held = read_ripc(
            make_ripc_scene(tetrahedron_with(R"("is_dof_fixed": [false,false,false,true,true,true])"), problem));
        ASSERT_EQ(held.warnings.size(), 1u);
        EXPECT_NE(held.warnings[0].text().find("partly fixed"), std::string::npos) << held.warnings[0].text();
        EXPECT_FALSE(held.model.settings.solver_parameters.at("ipc").contains("integrator"));
        EXPECT_TRUE(Simulation::make(held.model).ok());
    }
}

TEST(Ripc, a_kinematic_body_follows_its_velocity_and_stops_in_time)
{
    const Imported scene = read_ripc(make_ripc_scene(
        tetrahedron_with(R"("type": "kinematic", "linear_velocity": [0,0.5,0], "angular_velocity": [0,0,450],
                            "kinematic_max_time": 4)"),
        "", R"("max_time": 9, )"));
    const Model& model = scene.model;
    EXPECT_EQ(scene.duration, 9);
    ASSERT_EQ(model.tracks.size(), 1u);
    const Track& track = model.tracks[0];
    EXPECT_EQ(track.times.front(), 0);
    EXPECT_NEAR(track.times.back(), 4, 1e-12);
    expect_ripc_place(track.poses.back().position, Vec3{0.25, 2.25, 0.25}, 1e-12);
    for (std::size_t i = 0; i < track.times.size(); ++i)
    {
        const double angle = 450 * kRipcDegree * track.times[i];
        expect_ripc_place(rotate(track.poses[i].rotation, Vec3{1, 0, 0}), {std::cos(angle), std::sin(angle), 0}, 1e-12);
        // The shorter way between two knots is the way.
        const double before = i > 0 ? track.times[i - 1] : 0;
        EXPECT_LT(450 * kRipcDegree * (track.times[i] - before), 3.1);
    }
}

TEST(Ripc, scripted_poses_are_met_at_the_ends_of_steps)
{
    const Imported scene =
        read_ripc(make_ripc_scene(tetrahedron_with(R"("type": "kinematic", "kinematic_poses": [{"position": [0,1,0]},
                            {"position": [0,2,0], "rotation": [0,0,1.5707963267948966]}])"),
                                  "", R"("timestep": 0.1, )"));
    ASSERT_EQ(scene.model.tracks.size(), 1u);
    const Track& track = scene.model.tracks[0];
    ASSERT_EQ(track.times, (std::vector<double>{0, 0.1, 0.2}));
    expect_ripc_place(track.poses[1].position, {0, 1, 0}, 0);
    expect_ripc_place(rotate(track.poses[2].rotation, Vec3{1, 0, 0}), {0, 1, 0}, 1e-15);
}

TEST(Ripc, equal_groups_never_meet_and_others_do)
{
    const auto at_height = [](const char* height, const char* group)
    { return tetrahedron_with(std::string("\"position\": [0,0,") + height + "], \"group_id\": " + group); };
    const Imported scene =
        read_ripc(make_ripc_scene(at_height("0", "7") + "," + at_height("2", "7") + "," + at_height("4", "9") + "," +
                                  at_height("6", "-1") + "," + at_height("8", "-1")));
    const Shapes& shapes = scene.model.shapes;
    ASSERT_EQ(shapes.category.size(), 5u);
    const auto meets = [&](std::size_t a, std::size_t b)
    { return ((shapes.category[a] & shapes.mask[b]) | (shapes.category[b] & shapes.mask[a])) != 0; };
    for (std::size_t a = 0; a < 5; ++a)
    {
        for (std::size_t b = a + 1; b < 5; ++b) EXPECT_EQ(meets(a, b), !(a == 0 && b == 1)) << a << " " << b;
    }
}

TEST(Ripc, wires_and_points_are_what_no_triangle_holds)
{
    const std::string mixed =
        R"({"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[3,0,0],[3,2,0],[9,9,9]],
            "faces": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]], "edges": [[0,1],[4,5],[5,4]], "density": 6})";
    const std::string cloud = R"({"vertices": [[0,0,-5],[2,0,-5],[1,1,-5],[1,-1,-5]], "density": 3})";
    const Imported scene = read_ripc(make_ripc_scene(mixed + "," + cloud));
    const Model& model = scene.model;
    ASSERT_EQ(model.shapes.type,
              (std::vector<ShapeType>{ShapeType::mesh, ShapeType::segments, ShapeType::points, ShapeType::points}));
    // The solid carries the mass; a point of a cloud weighs as much as a cubic metre.
    EXPECT_NEAR(model.bodies.mass[1], 1, 1e-14);
    EXPECT_NEAR(model.bodies.mass[2], 12, 1e-14);
    expect_ripc_place(model.bodies.pose[2].position, {1, 0, -5}, 1e-15);
    EXPECT_EQ(model.meshes[1].edges.size(), 1u);
    EXPECT_EQ(model.meshes[2].vertices.size(), 1u);
}

TEST(Ripc, components_become_bodies_of_their_own)
{
    const std::string two =
        R"({"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[5,0,0],[7,0,0],[5,2,0],[5,0,2]],
            "faces": [[0,2,1],[0,1,3],[0,3,2],[1,2,3],[4,6,5],[4,5,7],[4,7,6],[5,6,7]], "split_components": true})";
    const Imported scene = read_ripc(make_ripc_scene(two));
    ASSERT_EQ(scene.model.body_count(), 3);
    EXPECT_NEAR(scene.model.bodies.mass[1], 1000.0 / 6, 1e-10);
    EXPECT_NEAR(scene.model.bodies.mass[2], 8000.0 / 6, 1e-10);
    expect_ripc_place(scene.model.bodies.pose[2].position, {5.5, 0.5, 0.5}, 1e-14);
}

TEST(Ripc, settings_come_from_the_blocks_of_the_file)
{
    const Imported scene = read_ripc(make_ripc_scene(
        tetrahedron_with(""), R"("gravity": [0,-9.81,0], "coefficient_friction": 0.4, "coefficient_restitution": -1, )",
        R"("timestep": 0.025, "max_iterations": 40, "ipc_solver": {"velocity_conv_tol": 1e-4},
           "distance_barrier_constraint": {"initial_barrier_activation_distance": 1e-5}, "#note": 1, )"));
    const Settings& settings = scene.model.settings;
    EXPECT_EQ(settings.dt, 0.025);
    EXPECT_EQ(settings.gravity, (Vec3{0, -9.81, 0}));
    EXPECT_EQ(settings.solver, "ipc");
    EXPECT_NEAR(scene.duration, 1, 1e-15);
    EXPECT_EQ(scene.model.materials[0].friction, 0.4);
    EXPECT_EQ(scene.model.materials[0].restitution, 0);
    const Parameters& parameters = settings.solver_parameters.at("ipc");
    EXPECT_EQ(std::get<double>(parameters.at("dhat")), 1e-5);
    // A part of the scene's size, so that who sets an absolute one is heard.
    EXPECT_EQ(std::get<double>(parameters.at("relative_tolerance")), 1e-4);
    EXPECT_FALSE(parameters.contains("tolerance"));
    EXPECT_EQ(std::get<int>(parameters.at("friction_lags")), 1);
}

TEST(Ripc, tolerances_are_relative_until_a_block_says_otherwise)
{
    const auto read = [](const char* blocks)
    { return read_ripc(make_ripc_scene(tetrahedron_with(""), "", blocks)).model.settings.solver_parameters.at("ipc"); };
    EXPECT_EQ(std::get<double>(read("").at("relative_tolerance")), 1e-2);
    // `ipc_solver` takes over what `newton_solver` says, number by number.
    const Parameters absolute =
        read(R"("newton_solver": {"velocity_conv_tol": 2e-3, "is_velocity_conv_tol_abs": true}, "ipc_solver": {}, )");
    EXPECT_EQ(std::get<double>(absolute.at("tolerance")), 2e-3);
    EXPECT_FALSE(absolute.contains("relative_tolerance"));
    const Parameters again = read(
        R"("newton_solver": {"velocity_conv_tol": 2e-3, "is_velocity_conv_tol_abs": true},
           "ipc_solver": {"is_velocity_conv_tol_abs": false}, )");
    EXPECT_EQ(std::get<double>(again.at("relative_tolerance")), 2e-3);
}

TEST(Ripc, meshes_are_found_in_the_folders_around_the_scene_with_all_their_digits)
{
    const std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "ripc_meshes";
    std::filesystem::create_directories(root / "fixtures" / "3D");
    std::filesystem::create_directories(root / "meshes" / "parts");
    std::ofstream(root / "meshes" / "parts" / "tet.off")
        << "OFF 4 4 0\n0 0 0\n1.000000001 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    std::ofstream(root / "fixtures" / "3D" / "scene.json")
        << make_ripc_scene(R"({"mesh": "parts/tet.off"}, {"mesh": "parts/tet.off", "position": [0,0,3]})");
    const Result<Imported> scene = load_model(root / "fixtures" / "3D" / "scene.json");
    ASSERT_TRUE(scene.ok()) << to_text(scene.errors());
    const Model& model = scene->model;
    EXPECT_EQ(model.name, "scene");
    EXPECT_EQ(model.bodies.name, (std::vector<std::string>{"world", "tet", "tet 2"}));
    ASSERT_EQ(model.meshes.size(), 1u);  // of two bodies
    EXPECT_EQ(model.meshes[0].vertices[1].x, 1.000000001);
    std::filesystem::remove_all(root);
}

TEST(Off, polygons_are_cut_and_comments_passed_over)
{
    const Result<MeshOptions> mesh =
        parse_off("# a square\nOFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0 9\n0 1 0\n4 0 1 2 3 # and a colour\n", "square.off");
    ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
    EXPECT_EQ(mesh->vertices.size(), 4u);
    EXPECT_EQ(mesh->triangles.size(), 2u);
    EXPECT_EQ(mesh->name, "square");
}

TEST(Off, mistakes_have_a_place)
{
    const auto fault = [](const char* text) { return to_text(parse_off(text, "a.off").errors()); };
    EXPECT_NE(fault("COFF 1 0 0").find("a.off:1:1"), std::string::npos);
    EXPECT_NE(fault("OFF 2 0 0\n0 0 0\n").find("ends before its last vertex"), std::string::npos);
    EXPECT_NE(fault("OFF 1 1 0\n0 0 0\n3 0 0 1\n").find("a.off:3:7"), std::string::npos);
    EXPECT_NE(fault("OFF 1 0 0\n0 zero 0\n").find("a.off:2:3"), std::string::npos);
    EXPECT_NE(fault("OFF 99999999999 0 0\n").find("too large"), std::string::npos);
    EXPECT_NE(fault("OFF 0 1 0\n3 0 1 2\n").find("has no vertices"), std::string::npos);
    EXPECT_NE(fault("OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n").find("fewer than three"), std::string::npos);
}

}  // namespace
}  // namespace rattleback
