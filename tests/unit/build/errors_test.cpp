// Every kind of mistake gives its error, naming the element; all of them at once. Here those of bodies and their parts.
#include "unit/build/mistake.h"

#include "unit/build/ball.h"

namespace rattleback::mistakes
{
namespace
{

TEST_P(EachMistake, gives_exactly_its_error)
{
    Scene scene = make_scene();
    ASSERT_TRUE(scene.builder.build().ok()) << "the scene is sound before it is broken";
    GetParam().make(scene);
    const Result<Model> result = scene.builder.build();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors().size(), 1u) << to_text(result.errors());
    EXPECT_NE(result.errors()[0].text().find(GetParam().expected), std::string::npos) << to_text(result.errors());
}

const Mistake kTree[] = {
    {"a_later_parent", "body 'x': parent comes later: a cycle or a foreign id",
     [](Scene& s)
     {
         s.builder.add_body({.name = "x", .parent = BodyId{6}, .inertia = kBall});
         s.builder.add_body({.name = "y", .kind = BodyKind::fixed});
     }},
    {"its_own_parent", "body 'x': parent comes later",
     [](Scene& s) { s.builder.add_body({.name = "x", .parent = BodyId{5}, .inertia = kBall}); }},
    {"a_foreign_parent", "body 'x': parent 99 does not exist",
     [](Scene& s) { s.builder.add_body({.name = "x", .parent = BodyId{99}, .inertia = kBall}); }},
    {"no_parent", "body 'x': parent -1 does not exist",
     [](Scene& s) { s.builder.add_body({.name = "x", .parent = BodyId{}, .inertia = kBall}); }},
    {"a_kinematic_child", "body 'x': a kinematic body must be a child of the world",
     [](Scene& s) { s.builder.add_body({.name = "x", .parent = s.arm, .kind = BodyKind::kinematic}); }},
    {"a_zero_rotation", "body 'x': rotation is a quaternion of length zero",
     [](Scene& s) { s.builder.add_body({.name = "x", .rotation = {0, 0, 0, 0}, .inertia = kBall}); }},
    {"a_massless_floating_body", "body 'x': moves but has no mass (give it a shape with density, or an inertia)",
     [](Scene& s) { s.builder.add_body({.name = "x"}); }},
    {"a_line_that_turns", "body 'x': turns but has no inertia about some axis",
     [](Scene& s)
     {
         const MeshId line = s.builder.add_mesh(
             {.name = "line", .vertices = {{-1, 0, 0}, {1, 0, 0}}, .triangles = {}, .edges = {{0, 1}}});
         s.builder.add_shape(s.builder.add_body({.name = "x"}), Segments{line});
     }},
    {"a_velocity_of_a_hinged_body", "body 'x': an initial velocity needs a free joint",
     [](Scene& s)
     {
         const BodyId x = s.builder.add_body({.name = "x", .inertia = kBall, .linear_velocity = {1, 0, 0}});
         s.builder.add_joint(x);
     }},
    {"a_negative_mass", "body 'x': mass -1 is not positive",
     [](Scene& s) { s.builder.add_body({.name = "x", .inertia = Inertia{.mass = -1, .diagonal = {1, 1, 1}}}); }},
    {"a_negative_moment", "body 'x': inertia is not positive definite: principal moments -1, 1, 1",
     [](Scene& s) { s.builder.add_body({.name = "x", .inertia = Inertia{.mass = 1, .diagonal = {1, -1, 1}}}); }},
    {"large_products", "body 'x': inertia is not positive definite",
     [](Scene& s)
     {
         s.builder.add_body({.name = "x", .inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}, .products = {2, 0, 0}}});
     }},
    {"impossible_moments", "body 'x': no solid has the principal moments 1, 1, 2.1",
     [](Scene& s) { s.builder.add_body({.name = "x", .inertia = Inertia{.mass = 1, .diagonal = {1, 2.1, 1}}}); }},
};
INSTANTIATE_TEST_SUITE_P(Tree, EachMistake, testing::ValuesIn(kTree), title_of);

const Mistake kJoints[] = {
    {"on_a_foreign_body", "joint 'x': body 42 does not exist",
     [](Scene& s) { s.builder.add_joint(BodyId{42}, {.name = "x"}); }},
    {"on_the_world", "body 'world': the world cannot have joints",
     [](Scene& s) { s.builder.add_joint(kWorld, {.name = "x"}); }},
    {"on_a_fixed_body", "body 'base': a fixed body takes no joints",
     [](Scene& s) { s.builder.add_joint(s.base, {.name = "x"}); }},
    {"on_a_kinematic_body", "body 'lift': a kinematic body takes no joints",
     [](Scene& s) { s.builder.add_joint(s.lift, {.name = "x"}); }},
    {"free_under_a_body", "body 'x': a free joint needs a child of the world",
     [](Scene& s)
     {
         const BodyId x = s.builder.add_body({.name = "x", .parent = s.arm, .inertia = kBall});
         s.builder.add_joint(x, {.type = JointType::free});
     }},
    {"free_and_another", "body 'x': a free joint must be its only joint",
     [](Scene& s)
     {
         const BodyId x = s.builder.add_body({.name = "x", .inertia = kBall});
         s.builder.add_joint(x, {.type = JointType::slide});
         s.builder.add_joint(x, {.type = JointType::free});
     }},
    {"fixed_and_another", "body 'arm': a fixed joint must be its only joint",
     [](Scene& s) { s.builder.add_joint(s.arm, {.type = JointType::fixed}); }},
    {"a_hinge_after_a_ball", "body 'ball': a ball joint is followed by another rotation",
     [](Scene& s) { s.builder.add_joint(s.ball); }},
    {"seven_slides", "body 'x': its joints have more than 6 degrees of freedom",
     [](Scene& s)
     {
         const BodyId x = s.builder.add_body({.name = "x", .inertia = kBall});
         for (int i = 0; i < 7; ++i) s.builder.add_joint(x, {.type = JointType::slide});
     }},
    {"a_zero_axis", "joint 'x': axis has length zero",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .axis = {0, 0, 0}}); }},
    {"a_range_upside_down", "joint 'x': range: lower 2 is above upper 1",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .range = {true, 2, 1}}); }},
    {"an_infinite_range", "joint 'x': range is not finite",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .range = {true, 0, kUnbreakable}}); }},
    {"a_limited_free_joint", "joint 'x': a free joint cannot be limited",
     [](Scene& s)
     {
         s.builder.add_joint(s.builder.add_body({.inertia = kBall}),
                             {.name = "x", .type = JointType::free, .range = {true, 0, 1}});
     }},
    {"a_ball_limit_from_below", "joint 'x': range of a ball joint",
     [](Scene& s)
     {
         s.builder.add_joint(s.builder.add_body({.inertia = kBall}),
                             {.name = "x", .type = JointType::ball, .range = {true, -1, 1}});
     }},
    {"negative_damping", "joint 'x': damping -2 is negative",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .damping = -2}); }},
    {"negative_armature", "joint 'x': armature -1 is negative",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .armature = -1}); }},
    {"negative_stiffness", "joint 'x': stiffness -1 is negative",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .stiffness = -1}); }},
    {"negative_friction", "joint 'x': dry friction -1 is negative",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .dry_friction = -1}); }},
    {"a_break_force_of_zero", "joint 'x': break force 0 is not positive",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .break_force = 0}); }},
    {"a_spring_without_stiffness", "joint 'x': limit softness stiffness 0 is not positive",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .limit_softness = Spring{0, 1}}); }},
};
INSTANTIATE_TEST_SUITE_P(Joints, EachMistake, testing::ValuesIn(kJoints), title_of);

const Mistake kShapes[] = {
    {"on_a_foreign_body", "shape 'x': body 77 does not exist",
     [](Scene& s) { s.builder.add_shape(BodyId{77}, Sphere{}, {.name = "x"}); }},
    {"a_negative_radius", "shape 'x': radius -1 is not positive",
     [](Scene& s) { s.builder.add_shape(s.arm, Sphere{-1}, {.name = "x"}); }},
    {"a_capsule_without_length", "shape 'x': half length 0 is not positive",
     [](Scene& s) { s.builder.add_shape(s.arm, Capsule{1, 0}, {.name = "x"}); }},
    {"a_flat_cylinder", "shape 'x': half length 0 is not positive",
     [](Scene& s) { s.builder.add_shape(s.arm, Cylinder{1, 0}, {.name = "x"}); }},
    {"a_flat_box", "shape 'x': half extent 0 is not positive",
     [](Scene& s) { s.builder.add_shape(s.arm, Box{{1, 0, 1}}, {.name = "x"}); }},
    {"a_flat_ellipsoid", "shape 'x': radius 0 is not positive",
     [](Scene& s) { s.builder.add_shape(s.arm, Ellipsoid{{1, 1, 0}}, {.name = "x"}); }},
    {"a_foreign_mesh", "shape 'x': mesh 3 does not exist",
     [](Scene& s) { s.builder.add_shape(s.arm, Hull{MeshId{3}}, {.name = "x"}); }},
    {"a_foreign_height_field", "shape 'x': height field -1 does not exist",
     [](Scene& s) { s.builder.add_shape(kWorld, HeightField{}, {.name = "x"}); }},
    {"segments_without_edges", "shape 'x': its mesh has no edges",
     [](Scene& s) { s.builder.add_shape(s.arm, Segments{s.wedge}, {.name = "x"}); }},
    {"a_surface_without_triangles", "shape 'x': its mesh has no triangles",
     [](Scene& s)
     {
         const MeshId dots = s.builder.add_mesh({.name = "dots", .vertices = {{0, 0, 0}}, .triangles = {}});
         s.builder.add_shape(s.arm, Surface{dots}, {.name = "x"});
     }},
    {"an_open_solid", "shape 'x': ",
     [](Scene& s)
     {
         const MeshId open = s.builder.add_mesh(
             {.name = "open", .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}});
         s.builder.add_shape(s.arm, Mesh{open}, {.name = "x"});
     }},
    {"a_flat_hull",
     "shape 'x': mesh 'sheet' cannot collide: the points lie in a plane: their convex hull is a solid "
     "without volume (use the `surface` shape for a thin object)",
     [](Scene& s)
     {
         const MeshId sheet = s.builder.add_mesh(
             {.name = "sheet", .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, .triangles = {}});
         s.builder.add_shape(s.base, Hull{sheet}, {.name = "x"});
     }},
    {"a_flat_hull_in_a_pair", "shape 'x': mesh 'line' cannot collide: a convex hull needs at least four points",
     [](Scene& s)
     {
         const MeshId line = s.builder.add_mesh({.name = "line", .vertices = {{0, 0, 0}, {1, 0, 0}}, .triangles = {}});
         const ShapeId shape = s.builder.add_shape(s.base, Hull{line}, {.name = "x", .category = 0, .mask = 0});
         s.builder.add_pair(shape, s.head);
     }},
    {"a_foreign_material", "shape 'x': material 5 does not exist",
     [](Scene& s) { s.builder.add_shape(s.arm, Sphere{}, {.name = "x", .material = MaterialId{5}}); }},
    {"a_negative_density", "shape 'x': density -1 is negative",
     [](Scene& s) { s.builder.add_shape(s.arm, Sphere{}, {.name = "x", .density = -1}); }},
    {"a_negative_yield", "joint 'x': spring yield -0.1 is negative",
     [](Scene& s) { s.builder.add_joint(s.arm, {.name = "x", .spring_yield = -0.1}); }},
    {"a_free_joint_that_yields", "joint 'x': the spring of a free joint cannot yield",
     [](Scene& s)
     {
         const BodyId body = s.builder.add_body({.name = "flier"});
         s.builder.add_shape(body, Sphere{});
         s.builder.add_joint(body, {.name = "x", .type = JointType::free, .spring_yield = 0.1});
     }},
    {"a_mass_beyond_all_numbers", "'x'",
     [](Scene& s) { s.builder.add_shape(s.arm, Sphere{1e100}, {.name = "x", .density = 1e200}); }},
    {"a_site_on_a_foreign_body", "site 'x': body -1 does not exist",
     [](Scene& s) { s.builder.add_site(BodyId{}, {.name = "x"}); }},
    {"a_pair_with_a_foreign_shape", "pair: shape 9 does not exist",
     [](Scene& s) { s.builder.add_pair(s.bone, ShapeId{9}); }},
    {"a_pair_on_one_body", "pair 'bone' and 'bone': both shapes are on one body",
     [](Scene& s) { s.builder.add_pair(s.bone, s.bone); }},
    {"a_pair_added_twice_differently", "pair 'shape 1' and 'bone': the pair was added twice",
     [](Scene& s)
     {
         s.builder.add_pair(s.bone, ShapeId{1});
         s.builder.add_pair(ShapeId{1}, s.bone, {.margin = 0.1});
     }},
    {"a_foreign_exclude", "exclude: body 12 does not exist", [](Scene& s) { s.builder.exclude(s.arm, BodyId{12}); }},
};
INSTANTIATE_TEST_SUITE_P(Shapes, EachMistake, testing::ValuesIn(kShapes), title_of);

const Mistake kAssets[] = {
    {"negative_friction", "material 'x': friction -1 is negative",
     [](Scene& s) { s.builder.add_material({.name = "x", .friction = -1}); }},
    {"restitution_above_one", "material 'x': restitution 1.5 is not in 0..1",
     [](Scene& s) { s.builder.add_material({.name = "x", .restitution = 1.5}); }},
    {"dimension_two", "material 'x': dimension 2 is not one of 1, 3, 4, 6",
     [](Scene& s) { s.builder.add_material({.name = "x", .dimension = 2}); }},
    {"a_mesh_without_vertices", "mesh 'x': the mesh has no vertices",
     [](Scene& s) { s.builder.add_mesh({.name = "x"}); }},
    {"a_triangle_out_of_range", "mesh 'x': triangle 0 uses vertex 1 of 1",
     [](Scene& s) { s.builder.add_mesh({.name = "x", .vertices = {{0, 0, 0}}, .triangles = {{0, 1, 0}}}); }},
    {"a_negative_edge", "mesh 'x': edge 0 uses vertex -1 of 1",
     [](Scene& s) { s.builder.add_mesh({.name = "x", .vertices = {{0, 0, 0}}, .triangles = {}, .edges = {{0, -1}}}); }},
    {"a_field_with_one_row", "height field 'x': a height field needs 2 rows",
     [](Scene& s) { s.builder.add_height_field({.name = "x", .rows = 1, .columns = 2, .heights = {0, 0}}); }},
    {"a_field_with_too_few_heights", "height field 'x': 3 heights for 2 rows and 2 columns",
     [](Scene& s) { s.builder.add_height_field({.name = "x", .rows = 2, .columns = 2, .heights = {0, 0, 0}}); }},
    {"a_field_with_a_hole", "height field 'x': a height -1 is negative",
     [](Scene& s) { s.builder.add_height_field({.name = "x", .rows = 2, .columns = 2, .heights = {0, 0, -1, 0}}); }},
    {"a_field_without_width", "height field 'x': half_x 0 is not positive", [](Scene& s)
     { s.builder.add_height_field({.name = "x", .rows = 2, .columns = 2, .half_x = 0, .heights = {0, 0, 0, 0}}); }},
    {"a_timestep_of_zero", "settings: dt 0 is not positive", [](Scene& s) { s.builder.settings().dt = 0; }},
    {"a_negative_timestep", "settings: dt -0.1 is not positive", [](Scene& s) { s.builder.settings().dt = -0.1; }},
    {"two_equal_names", "body 'twin': the name is used twice, by numbers 5 and 6",
     [](Scene& s)
     {
         for (int i = 0; i < 3; ++i) s.builder.add_body({.name = "twin", .kind = BodyKind::fixed});
     }},
    {"a_second_world", "body 'world': the name is used twice, by numbers 0 and 5",
     [](Scene& s) { s.builder.add_body({.name = "world", .kind = BodyKind::fixed}); }},
};
INSTANTIATE_TEST_SUITE_P(Assets, EachMistake, testing::ValuesIn(kAssets), title_of);

TEST(Build, reports_all_mistakes_of_all_families_at_once)
{
    std::vector<const Mistake*> mistakes;
    for (const auto& list : {std::span<const Mistake>(kShapes), std::span<const Mistake>(kAssets),
                             constraint_mistakes(), control_mistakes()})
        mistakes.push_back(&list.front());
    mistakes.push_back(&kJoints[0]);
    mistakes.push_back(&kTree[2]);
    Scene scene = make_scene();
    for (const Mistake* mistake : mistakes) mistake->make(scene);
    const Result<Model> result = scene.builder.build();
    const std::string text = to_text(result.errors());
    for (const Mistake* mistake : mistakes) EXPECT_NE(text.find(mistake->expected), std::string::npos) << text;
    EXPECT_EQ(result.errors().size(), mistakes.size()) << text;
}

TEST(Build, says_what_kind_of_mistake_it_is)
{
    Scene scene = make_scene();
    scene.builder.add_shape(BodyId{77}, Sphere{});
    scene.builder.add_site(kWorld, {.name = "grip"});
    const Result<Model> result = scene.builder.build();
    ASSERT_EQ(result.errors().size(), 2u);
    EXPECT_EQ(result.errors()[0].code, ErrorCode::duplicate_name);
    EXPECT_EQ(result.errors()[1].code, ErrorCode::unknown_name);
}

TEST(Build, a_chain_whose_mass_matrix_would_not_fit_is_refused_before_it_is_made)
{
    ModelBuilder builder;
    BodyId last = kWorld;
    for (int i = 0; i < 20'000; ++i)
    {
        last = builder.add_body({.parent = last, .inertia = kBall});
        builder.add_joint(last);
    }
    const Result<Model> result = builder.build();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors()[0].code, ErrorCode::limit);
    EXPECT_NE(result.errors()[0].message.find("200010000 entries"), std::string::npos) << to_text(result.errors());
}

TEST(Build, leaves_the_builder_as_it_was)
{
    Scene scene = make_scene();
    const Model first = scene.builder.build().value();
    EXPECT_EQ(fingerprint(scene.builder.build().value()), fingerprint(first));
    scene.builder.add_body({.name = "later", .inertia = kBall});
    EXPECT_EQ(scene.builder.build().value().body_count(), first.body_count() + 1);
}

}  // namespace
}  // namespace rattleback::mistakes
