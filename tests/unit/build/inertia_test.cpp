// Where the mass of a body comes from, and in which axes it is stored.
#include <gtest/gtest.h>
#include <rattleback/builder.h>

namespace rattleback
{
namespace
{

const MeshOptions kCube{
    .name = "cube",
    .vertices = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}},
    .triangles = {{0, 2, 1},
                  {0, 3, 2},
                  {4, 5, 6},
                  {4, 6, 7},
                  {0, 1, 5},
                  {0, 5, 4},
                  {1, 2, 6},
                  {1, 6, 5},
                  {2, 3, 7},
                  {2, 7, 6},
                  {3, 0, 4},
                  {3, 4, 7}}};

/// Inertia about the centre, in the axes of the body frame.
Mat3 inertia_in_body(const Model& model, std::size_t body)
{
    const Mat3 axes = to_matrix(model.bodies.inertial_pose[body].rotation);
    const Vec3& m = model.bodies.inertia[body];
    return axes * Mat3{{m.x, 0, 0, 0, m.y, 0, 0, 0, m.z}} * transpose(axes);
}

void expect_near(const Mat3& a, const Mat3& b, double tolerance)
{
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.m[i], b.m[i], tolerance) << i;
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance)
{
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(BodyInertia, of_a_single_shape_keeps_the_frame_of_the_shape)
{
    ModelBuilder builder;
    const Quat turn = from_axis_angle({1, 2, 3}, 0.7);
    const BodyId body = builder.add_body();
    builder.add_shape(body, Box{{1, 2, 3}}, {.position = {4, 5, 6}, .rotation = turn, .density = 10});
    const Model model = builder.build().value();
    EXPECT_DOUBLE_EQ(model.bodies.mass[1], 480);
    expect_near(model.bodies.inertia[1], {480.0 / 3 * 13, 480.0 / 3 * 10, 480.0 / 3 * 5}, 1e-10);
    EXPECT_EQ(model.bodies.inertial_pose[1].position, (Vec3{4, 5, 6}));
    EXPECT_EQ(model.bodies.inertial_pose[1].rotation, model.shapes.pose[0].rotation) << "not sorted, not turned";
}

TEST(BodyInertia, of_a_single_shape_counts_only_shapes_with_mass)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body();
    builder.add_shape(body, Sphere{5}, {.density = 0});
    builder.add_shape(body, Box{{1, 2, 3}}, {.mass = 12});
    builder.add_shape(body, Sphere{7}, {.mass = 0});
    const Model model = builder.build().value();
    EXPECT_EQ(model.bodies.mass[1], 12);
    expect_near(model.bodies.inertia[1], {52, 40, 20}, 1e-12);
    EXPECT_EQ(model.bodies.inertial_pose[1], Pose{});
}

TEST(BodyInertia, of_two_spheres_is_that_of_a_dumb_bell)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body();
    builder.add_shape(body, Sphere{0.1}, {.position = {-1, 0, 2}, .mass = 1});
    builder.add_shape(body, Sphere{0.1}, {.position = {2, 0, 2}, .mass = 2});
    const Model model = builder.build().value();
    EXPECT_DOUBLE_EQ(model.bodies.mass[1], 3);
    expect_near(model.bodies.inertial_pose[1].position, {1, 0, 2}, 1e-14);
    const double own = 0.4 * 0.01 * 3, apart = 1 * 4 + 2 * 1;  // two balls; their distances from the centre
    expect_near(inertia_in_body(model, 1), {{own, 0, 0, 0, own + apart, 0, 0, 0, own + apart}}, 1e-12);
    EXPECT_GE(model.bodies.inertia[1].x, model.bodies.inertia[1].y) << "largest first, as MuJoCo";
    EXPECT_GE(model.bodies.inertia[1].y, model.bodies.inertia[1].z);
}

TEST(BodyInertia, of_a_mesh_cube_is_that_of_a_box_and_shared_meshes_scale)
{
    ModelBuilder builder;
    const MeshId cube = builder.add_mesh(kCube);
    builder.add_shape(builder.add_body(), Mesh{cube}, {.density = 3});
    builder.add_shape(builder.add_body(), Mesh{cube}, {.mass = 6});
    builder.add_shape(builder.add_body(), Box{{1, 1, 1}}, {.density = 3});
    const Model model = builder.build().value();
    EXPECT_NEAR(model.bodies.mass[1], 24, 1e-12);
    EXPECT_NEAR(model.bodies.mass[2], 6, 1e-12);
    expect_near(inertia_in_body(model, 1), inertia_in_body(model, 3), 1e-12);
    expect_near(model.bodies.inertia[2], {4, 4, 4}, 1e-12);
}

TEST(BodyInertia, given_as_a_diagonal_is_kept_as_authored)
{
    ModelBuilder builder;
    const Quat turn = normalized(Quat{1, 2, 3, 4});
    builder.add_body({.inertia = Inertia{.mass = 2, .position = {1, 0, 0}, .rotation = turn, .diagonal = {3, 5, 4}}});
    builder.add_shape(BodyId{1}, Sphere{}, {.density = 1e6});
    const Model model = builder.build().value();
    EXPECT_EQ(model.bodies.mass[1], 2) << "shapes do not count beside an explicit inertia";
    EXPECT_EQ(model.bodies.inertia[1], (Vec3{3, 5, 4}));
    EXPECT_EQ(model.bodies.inertial_pose[1].position, (Vec3{1, 0, 0}));
    expect_near(to_matrix(model.bodies.inertial_pose[1].rotation), to_matrix(turn), 1e-15);
}

TEST(BodyInertia, given_with_products_is_the_same_matrix_in_principal_axes)
{
    ModelBuilder builder;
    const Quat turn = normalized(Quat{1, -0.5, 0.3, 2});
    const Mat3 authored{{3, 0.1, -0.2, 0.1, 4, 0.3, -0.2, 0.3, 5}};
    builder.add_body(
        {.inertia = Inertia{.mass = 2, .rotation = turn, .diagonal = {3, 4, 5}, .products = {0.1, -0.2, 0.3}}});
    const Model model = builder.build().value();
    const Mat3 r = to_matrix(turn);
    expect_near(inertia_in_body(model, 1), r * authored * transpose(r), 1e-13);
}

TEST(BodyInertia, a_flat_plate_is_allowed_although_two_moments_add_up_to_the_third)
{
    ModelBuilder builder;
    builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.2, 0.1 + 0.2}}});
    EXPECT_TRUE(builder.build().ok());
}

TEST(MassOfMovingBodies, may_sit_in_a_body_that_is_rigidly_attached)
{
    ModelBuilder builder;
    const BodyId arm = builder.add_body({.name = "arm"});
    builder.add_joint(arm);
    const BodyId plate = builder.add_body({.name = "plate", .parent = arm, .position = {0, 0, 1}});
    const BodyId weight = builder.add_body({.name = "weight", .parent = plate});
    EXPECT_FALSE(builder.build().ok());
    builder.add_shape(weight, Sphere{});
    EXPECT_TRUE(builder.build().ok());
    builder.add_joint(weight);
    EXPECT_FALSE(builder.build().ok()) << "what hangs on a joint of its own does not count";
}

TEST(MassOfMovingBodies, may_be_replaced_by_armature)
{
    ModelBuilder builder;
    const BodyId rotor = builder.add_body({.name = "rotor"});
    builder.add_joint(rotor, {.armature = 0.1});
    EXPECT_TRUE(builder.build().ok());
    builder.add_joint(rotor, {.type = JointType::slide});
    EXPECT_FALSE(builder.build().ok()) << "one of the dofs has no armature";
}

TEST(MassOfMovingBodies, needs_no_inertia_where_nothing_turns)
{
    ModelBuilder builder;
    const MeshId dot = builder.add_mesh({.name = "dot", .vertices = {{0, 0, 0}}, .triangles = {}});
    const BodyId bead = builder.add_body();
    builder.add_joint(bead, {.type = JointType::slide});
    builder.add_shape(bead, Points{dot}, {.mass = 1});
    const Result<Model> result = builder.build();
    ASSERT_TRUE(result.ok()) << to_text(result.errors());
    EXPECT_EQ(result.value().bodies.mass[1], 1);
}

TEST(MassOfMovingBodies, an_open_mesh_is_no_mistake_where_nothing_can_move)
{
    MeshOptions open = kCube;
    open.triangles.pop_back();
    const auto build = [&](BodyKind kind)
    {
        ModelBuilder builder;
        const BodyId body = builder.add_body({.kind = kind});
        builder.add_shape(body, Mesh{builder.add_mesh(open)});
        return builder.build();
    };
    EXPECT_TRUE(build(BodyKind::fixed).ok());
    EXPECT_TRUE(build(BodyKind::kinematic).ok());
    EXPECT_FALSE(build(BodyKind::dynamic).ok());
}

}  // namespace
}  // namespace rattleback
