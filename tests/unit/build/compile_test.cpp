// What build() makes of equalities, tendons, actuators, sensors, keyframes, tracks and filters.
#include <gtest/gtest.h>
#include <rattleback/builder.h>

#include "unit/build/ball.h"

#include "base/index.h"
#include "geometry/polyhedron.h"

namespace rattleback
{
namespace
{

void expect_near(const Pose& a, const Pose& b)
{
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.position[i], b.position[i], 1e-14);
    const Mat3 ra = to_matrix(a.rotation), rb = to_matrix(b.rotation);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(ra.m[i], rb.m[i], 1e-14);
}

/// Two bodies: one in a chain of turned frames, one floating.
struct Pair
{
    ModelBuilder builder;
    BodyId first, second;
    Pose first_in_world, second_in_world;
};
Pair make_pair()
{
    Pair pair;
    const Pose a{{1, 0, 0}, from_axis_angle({0, 0, 1}, 0.5)}, b{{0, 2, 0}, from_axis_angle({1, 1, 0}, 1)};
    pair.second_in_world = {{3, 1, 4}, from_axis_angle({0, 1, 0}, -0.8)};
    pair.first_in_world = a * b;
    const BodyId base = pair.builder.add_body({.position = a.position, .rotation = a.rotation, .inertia = kBall});
    pair.builder.add_joint(base, {.reference = 0.3});
    pair.first =
        pair.builder.add_body({.parent = base, .position = b.position, .rotation = b.rotation, .inertia = kBall});
    pair.second = pair.builder.add_body(
        {.position = pair.second_in_world.position, .rotation = pair.second_in_world.rotation, .inertia = kBall});
    return pair;
}

TEST(Equalities, the_frames_of_connect_and_weld_meet_at_the_reference_pose)
{
    Pair pair = make_pair();
    pair.builder.add_connect(pair.first, pair.second, {0.1, 0.2, 0.3});
    pair.builder.add_weld(pair.first, pair.second);
    pair.builder.add_weld(pair.second, kWorld);
    pair.builder.add_weld(pair.first, BodyId{});
    const Model model = pair.builder.build().value();
    const auto& e = model.equalities;
    EXPECT_EQ(e.first_frame[0].position, (Vec3{0.1, 0.2, 0.3}));
    EXPECT_EQ(e.first_frame[1], Pose{});
    for (std::size_t i : {0u, 1u})
        expect_near(pair.first_in_world * e.first_frame[i], pair.second_in_world * e.second_frame[i]);
    expect_near(e.second_frame[2], pair.second_in_world);
    EXPECT_EQ(e.second[3], 0) << "no second body is the world";
    expect_near(e.second_frame[3], pair.first_in_world);
}

TEST(Equalities, the_frames_of_a_weld_may_be_given)
{
    Pair pair = make_pair();
    const Pose a{{1, 2, 3}, {2, 0, 0, 0}}, b{{4, 5, 6}, from_axis_angle({0, 0, 1}, 1)};
    pair.builder.add_weld_frames(pair.first, a, pair.second, b, {.active = false, .torque_scale = 0.5});
    const Model model = pair.builder.build().value();
    EXPECT_EQ(model.equalities.first_frame[0].position, a.position);
    EXPECT_EQ(model.equalities.first_frame[0].rotation, Quat{}) << "made unit";
    expect_near(model.equalities.second_frame[0], b);
    EXPECT_EQ(model.equalities.active[0], 0);
    EXPECT_EQ(model.equalities.torque_scale[0], 0.5);
}

TEST(Equalities, the_frames_of_a_cable_meet_at_the_reference_pose_and_its_springs_are_kept)
{
    ModelBuilder builder;
    const Inertia unit{.mass = 1, .diagonal = {1, 1, 1}};
    const BodyId first = builder.add_body({.position = {1, 0, 0}, .inertia = unit});
    const BodyId second = builder.add_body({.position = {0, 0, 2}, .inertia = unit});
    const Cable cable{.stretch = {5, 1}, .bend = {kRigidStiffness, 0}, .twist = {3, 0.5}};
    builder.add_cable(first, second, {.name = "cord", .first_frame = {{0, 0, 0.5}, {}}, .cable = cable});
    const Model model = builder.build().value();
    EXPECT_EQ(model.equalities.type[0], EqualityType::cable);
    EXPECT_EQ(model.equalities.cable[0], cable);
    expect_near(model.equalities.second_frame[0], Pose{{1, 0, -1.5}, {}});
}

TEST(Rods, a_rod_has_the_mass_of_its_cylinder_and_the_compliance_of_its_length)
{
    ModelBuilder builder;
    const double radius = 0.02, young = 3e6, area = kPi * radius * radius;
    const Rod rod = builder.add_rod({.start = {1, 2, 3},
                                     .end = {1, 4, 3},
                                     .segments = 8,
                                     .radius = radius,
                                     .density = 500,
                                     .young = young,
                                     .first_body = kWorld,
                                     .second_body = kWorld});
    const Model model = builder.build().value();
    double mass = 0, give = 0, yield = 0;
    for (const BodyId segment : rod.segments) mass += model.bodies.mass[at(segment.index)];
    for (const EqualityId joint : rod.joints)
    {
        give += 1 / model.equalities.cable[at(joint.index)].stretch.stiffness;
        yield += 1 / model.equalities.cable[at(joint.index)].twist.stiffness;
    }
    EXPECT_EQ(rod.joints.size(), 9U);
    EXPECT_NEAR(mass, 500 * area * 2, 1e-12);
    EXPECT_NEAR(give * young * area / 2, 1, 1e-12);                               // L / E A
    EXPECT_NEAR(yield * (young / 3) * area * radius * radius / 2 / 2, 1, 1e-12);  // L / G J, J = A r^2 / 2
    // its ends are where they should be, z along it
    const Pose& last = model.bodies.pose[at(rod.segments.back().index)];
    EXPECT_NEAR(norm(last.position + rotate(last.rotation, Vec3{0, 0, 0.125}) - Vec3{1, 4, 3}), 0, 1e-14);
    EXPECT_FALSE(model.excluded_bodies.empty());
}

TEST(Equalities, a_coupling_without_a_second_joint_is_a_constant)
{
    ModelBuilder builder;
    const JointId joint = builder.add_joint(builder.add_body({.inertia = kBall}));
    builder.add_joint_coupling(joint, JointId{}, {0.5, 0, 0, 0, 0});
    const Model model = builder.build().value();
    EXPECT_EQ(model.equalities.type[0], EqualityType::joint);
    EXPECT_EQ(model.equalities.first[0], joint.index);
    EXPECT_EQ(model.equalities.second[0], -1);
    EXPECT_EQ(model.equalities.polynomial[0][0], 0.5);
}

TEST(Tendons, keep_their_items_and_measure_their_length_at_the_reference)
{
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.position = {0, 0, 1}, .inertia = kBall});
    const JointId slide =
        builder.add_joint(cart, {.type = JointType::slide, .reference = 0.5, .spring_reference = 0.5});
    const SiteId low = builder.add_site(kWorld), high = builder.add_site(cart, {.position = {0, 3, 3}});
    builder.add_spatial_tendon({{low}, {high}, {.divisor = 2}, {high}, {low}});
    builder.add_fixed_tendon({{slide, 4.0}}, {.spring_length = {1, 3}});
    const Model model = builder.build().value();
    const Tendons& t = model.tendons;
    EXPECT_EQ(t.item_begin, (std::vector<int>{0, 5, 6}));
    EXPECT_EQ(t.items[2].site, -1);
    EXPECT_EQ(t.items[2].value, 2);
    EXPECT_EQ(t.items[5].joint, slide.index);
    EXPECT_NEAR(t.length[0], 7.5, 1e-14) << "5 m, and 5 m divided by 2";
    EXPECT_NEAR(t.length[1], 2, 1e-14);
    EXPECT_NEAR(t.spring_length[0][0], 7.5, 1e-14) << "negative: the length at q0";
    EXPECT_EQ(t.spring_length[1], (std::array<double, 2>{1, 3}));
}

TEST(Tendons, that_wrap_keep_their_shape_and_side)
{
    ModelBuilder builder;
    const BodyId cart = builder.add_body({.position = {0, 0, 2}, .inertia = kBall});
    builder.add_joint(cart, {.type = JointType::slide});
    const SiteId low = builder.add_site(kWorld, {.position = {0, 0, -2}}), high = builder.add_site(cart);
    const SiteId side = builder.add_site(kWorld, {.position = {3, 0, 0}});
    const ShapeId drum =
        builder.add_shape(kWorld, Cylinder{.radius = 1}, {.rotation = {std::sqrt(0.5), std::sqrt(0.5)}});
    builder.add_spatial_tendon({{low}, {.shape = drum, .side_site = side}, {high}});
    const Tendons t = builder.build().value().tendons;
    EXPECT_EQ(t.items[1].site, -1);
    EXPECT_EQ(t.items[1].shape, drum.index);
    EXPECT_EQ(t.items[1].side_site, side.index);
    EXPECT_NEAR(t.length[0], 2 * std::sqrt(3.0) + kPi / 3, 1e-14);
}

TEST(Actuators, shortcuts_become_gain_and_bias)
{
    ModelBuilder builder;
    const BodyId arm = builder.add_body({.inertia = kBall});
    const JointId joint = builder.add_joint(arm);
    builder.add_position_actuator(joint, {.stiffness = 30, .damping = 2, .force_range = {true, -1, 1}});
    builder.add_velocity_actuator(joint, {.gain = 4, .gear = {3, 0, 0, 0, 0, 0}});
    builder.add_motor(joint, {.gain = {9, 9, 9}, .bias = {9, 9, 9}, .input_range = {true, 0, 5}});
    const Model model = builder.build().value();
    const Actuators& a = model.actuators;
    EXPECT_EQ(a.gain[0], (std::array<double, 3>{30, 0, 0}));
    EXPECT_EQ(a.bias[0], (std::array<double, 3>{0, -30, -2}));
    EXPECT_EQ(a.force_range[0], (Range{true, -1, 1}));
    EXPECT_EQ(a.gain[1], (std::array<double, 3>{4, 0, 0}));
    EXPECT_EQ(a.bias[1], (std::array<double, 3>{0, 0, -4}));
    EXPECT_EQ(a.gear[1][0], 3);
    EXPECT_EQ(a.gain[2], (std::array<double, 3>{1, 0, 0})) << "a motor's force is its input";
    EXPECT_EQ(a.bias[2], (std::array<double, 3>{0, 0, 0}));
    EXPECT_EQ(a.input_range[2], (Range{true, 0, 5}));
}

TEST(Actuators, a_damping_ratio_of_one_damps_critically)
{
    // A disc of inertia 5 about a hinge through its centre, with armature 3: kv = 2 sqrt(kp m).
    ModelBuilder builder;
    const BodyId disc = builder.add_body({.inertia = Inertia{.mass = 1, .diagonal = {3, 3, 5}}});
    const JointId joint = builder.add_joint(disc, {.armature = 3});
    builder.add_position_actuator(joint, {.stiffness = 50, .damping = 123, .damping_ratio = 1});
    builder.add_position_actuator(joint, {.stiffness = 50, .damping_ratio = 0.5, .gear = {2, 0, 0, 0, 0, 0}});
    const Model model = builder.build().value();
    EXPECT_NEAR(model.actuators.bias[0][2], -2 * std::sqrt(50.0 * 8), 1e-12);
    // Through a gear of 2 the inertia felt is a quarter: 1 / (J M^-1 J) with J = 2.
    EXPECT_NEAR(model.actuators.bias[1][2], -std::sqrt(50.0 * 2), 1e-12);
}

TEST(Actuators, know_what_they_pull_on_and_where_their_activation_is)
{
    ModelBuilder builder;
    const BodyId arm = builder.add_body({.inertia = kBall});
    const JointId ball = builder.add_joint(arm, {.type = JointType::ball});
    const JointId hinge = builder.add_joint(builder.add_body({.parent = arm, .inertia = kBall}));
    const SiteId site = builder.add_site(arm);
    const TendonId tendon = builder.add_fixed_tendon({{hinge, 1.0}});
    builder.add_motor(ball, {.in_parent = true});
    builder.add_actuator(tendon, {.dynamics = ActuatorDynamics::integrator});
    builder.add_motor(site);
    builder.add_actuator(hinge, {.dynamics = ActuatorDynamics::filter_exact, .act_early = true});
    const Model model = builder.build().value();
    const Actuators& a = model.actuators;
    using T = TransmissionType;
    EXPECT_EQ(a.transmission, (std::vector<T>{T::joint_in_parent, T::tendon, T::site, T::joint}));
    EXPECT_EQ(a.target, (std::vector<int>{ball.index, tendon.index, site.index, hinge.index}));
    EXPECT_EQ(a.act_begin, (std::vector<int>{-1, 0, -1, 1}));
    EXPECT_EQ(a.act_early, (std::vector<int>{0, 0, 0, 1}));
    EXPECT_EQ(model.act_count, 2);
}

TEST(Sensors, write_one_after_the_other_and_follow_their_frame)
{
    ModelBuilder builder;
    const BodyId arm = builder.add_body({.inertia = kBall});
    const JointId hinge = builder.add_joint(arm);
    const SiteId site = builder.add_site(arm, {.position = {1, 2, 3}, .rotation = {0, 2, 0, 0}});
    builder.add_sensor(SensorType::frame_rotation, site);
    builder.add_sensor(SensorType::joint_velocity, hinge);
    builder.add_sensor(SensorType::contact_force, arm);
    const Model model = builder.build().value();
    const Sensors& s = model.sensors;
    EXPECT_EQ(s.begin, (std::vector<int>{0, 4, 5}));
    EXPECT_EQ(model.sensor_value_count, 8);
    EXPECT_EQ(s.size, (std::vector<int>{4, 1, 3}));
    EXPECT_EQ(s.object, (std::vector{SensorObject::site, SensorObject::joint, SensorObject::body}));
    EXPECT_EQ(s.target, (std::vector<int>{site.index, hinge.index, arm.index}));
    EXPECT_EQ(s.body, (std::vector<int>{arm.index, -1, arm.index}));
    EXPECT_EQ(s.pose[0], (Pose{{1, 2, 3}, {0, 1, 0, 0}}));
    EXPECT_EQ(s.pose[2], Pose{});
}

TEST(Keyframes, have_unit_quaternions_in_the_order_of_bodies)
{
    ModelBuilder builder;
    builder.add_body({.inertia = kBall});
    const BodyId arm = builder.add_body({.inertia = kBall});
    builder.add_joint(arm, {.type = JointType::ball});
    builder.add_body({.kind = BodyKind::kinematic});
    builder.add_keyframe({.q = {1, 2, 3, 0, 4, 0, 0, 0, 0, 0, 5}, .targets = {{{}, {3, 0, 0, 0}}}});
    const Model model = builder.build().value();
    EXPECT_EQ(model.keyframes[0].q, (std::vector<double>{1, 2, 3, 0, 1, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(model.keyframes[0].targets[0].rotation, Quat{});
    EXPECT_EQ(model.keyframes[0].name, "keyframe 0");
}

TEST(Tracks, belong_to_their_body)
{
    ModelBuilder builder;
    builder.add_body({.kind = BodyKind::kinematic});
    const BodyId lift = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_track(lift, {.times = {0, 2}, .poses = {Pose{}, Pose{{0, 0, 1}, {0, 0, 0, 2}}}});
    const Model model = builder.build().value();
    EXPECT_EQ(model.bodies.track, (std::vector<int>{-1, -1, 0}));
    EXPECT_EQ(model.tracks[0].poses[1].rotation, (Quat{0, 0, 0, 1}));
    EXPECT_EQ(model.bodies.kinematic_index, (std::vector<int>{-1, 0, 1}));
}

TEST(Filters, excludes_and_pairs_are_sorted_and_each_stands_once)
{
    ModelBuilder builder;
    std::vector<BodyId> bodies;
    std::vector<ShapeId> shapes;
    for (int i = 0; i < 3; ++i)
    {
        bodies.push_back(builder.add_body());
        shapes.push_back(builder.add_shape(bodies.back(), Sphere{}));
    }
    builder.exclude(bodies[2], bodies[0]);
    builder.exclude(bodies[1], bodies[0]);
    builder.exclude(bodies[0], bodies[2]);
    builder.exclude(bodies[1], bodies[1]);
    builder.add_pair(shapes[2], shapes[1], {.margin = 0.1, .gap = 0.2});
    builder.add_pair(shapes[1], shapes[0]);
    builder.add_pair(shapes[1], shapes[2], {.margin = 0.1, .gap = 0.2});
    const Model model = builder.build().value();
    EXPECT_EQ(model.excluded_bodies, (std::vector<std::pair<int, int>>{{1, 2}, {1, 3}}));
    ASSERT_EQ(model.pairs.size(), 2u);
    EXPECT_EQ(model.pairs[0].first, 0);
    EXPECT_EQ(model.pairs[0].second, 1);
    EXPECT_EQ(model.pairs[1].second, 2);
    EXPECT_EQ(model.pairs[1].margin, 0.1);
    EXPECT_EQ(model.pairs[1].gap, 0.2);
    EXPECT_EQ(model.pairs[1].material, -1);
}

TEST(Shapes, are_listed_by_body_with_their_material_and_radius)
{
    ModelBuilder builder;
    const BodyId a = builder.add_body(), b = builder.add_body();
    const MaterialId ice = builder.add_material({.name = "ice", .friction = 0.05});
    builder.add_shape(b, Sphere{0.5});
    builder.add_shape(a, Box{{1, 2, 2}}, {.material = ice});
    builder.add_ground();
    builder.add_shape(b, Capsule{0.25, 1});
    const Model model = builder.build().value();
    EXPECT_EQ(model.bodies.shape_begin, (std::vector<int>{0, 1, 2, 4}));
    EXPECT_EQ(model.bodies.shapes_of_body, (std::vector<int>{2, 1, 0, 3}));
    EXPECT_EQ(model.shapes.material, (std::vector<int>{0, 1, 0, 0}));
    EXPECT_EQ(model.materials[1].friction, 0.05);
    EXPECT_DOUBLE_EQ(model.shapes.bounding_radius[0], 0.5);
    EXPECT_NEAR(model.shapes.bounding_radius[1], 3, 1e-12);
    EXPECT_EQ(model.shapes.bounding_radius[2], kUnbreakable);
    EXPECT_NEAR(model.shapes.bounding_radius[3], 1.25, 1e-12);
}

TEST(Hulls, are_built_for_meshes_whose_hull_can_touch_something_and_for_no_others)
{
    ModelBuilder builder;
    const std::vector<Vec3> box{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const std::vector<Vec3> sheet(box.begin(), box.begin() + 4);
    const MeshId solid = builder.add_mesh({.vertices = box, .triangles = {}});
    const MeshId unused = builder.add_mesh({.vertices = box, .triangles = {}});
    const MeshId seen = builder.add_mesh({.vertices = sheet, .triangles = {}});
    const MeshId exact = builder.add_mesh({.vertices = sheet, .triangles = {{0, 1, 2}}});
    const MeshId paired = builder.add_mesh({.vertices = box, .triangles = {}});
    builder.add_shape(kWorld, Hull{solid});
    builder.add_shape(kWorld, Hull{solid});
    builder.add_shape(kWorld, Hull{seen}, {.category = 0, .mask = 0});
    builder.add_shape(kWorld, Mesh{.mesh = exact, .collide = MeshCollide::exact});
    const ShapeId in_pair = builder.add_shape(kWorld, Hull{paired}, {.category = 0, .mask = 0});
    builder.add_pair(in_pair, builder.add_shape(builder.add_body({.inertia = kBall}), Sphere{}));

    const Result<Model> model = builder.build();
    ASSERT_TRUE(model) << model.errors().front().text();
    const auto& hulls = model.value().hulls;
    ASSERT_EQ(hulls.size(), 5u);
    EXPECT_EQ(hulls[0].face_count(), 6);
    EXPECT_EQ(hulls[4].face_count(), 6);
    for (const MeshId none : {unused, seen, exact})
        EXPECT_EQ(hulls[static_cast<std::size_t>(none.index)].face_count(), 0);
}

TEST(Compile, slow_an_equality_that_acts_bounds_length_ranges)
{
    const auto make = [](bool active, const LengthRangeOptions& options, int muscles = 1)
    {
        ModelBuilder builder;
        builder.length_ranges() = options;
        const BodyId arm = builder.add_body({.inertia = kBall});
        const JointId hinge = builder.add_joint(arm, {.axis = {0, 1, 0}, .range = {true, -0.5, 1}});
        for (int i = 0; i < muscles; ++i) builder.add_muscle(hinge);
        builder.add_weld(kWorld, arm, {.active = active});
        return builder.build();
    };
    const Result<Model> free = make(false, {});
    ASSERT_TRUE(free) << free.errors().front().text();
    // Limits are soft: the push of 20 rad/s^2 leads a little beyond them.
    EXPECT_NEAR(free.value().actuators.length_range[0].lower, -0.5, 0.05);
    EXPECT_NEAR(free.value().actuators.length_range[0].upper, 1, 0.05);
    // The weld is as soft: the muscle leads the arm a little from where it is held.
    const Result<Model> held = make(true, {});
    ASSERT_TRUE(held) << held.errors().front().text();
    EXPECT_NEAR(held.value().actuators.length_range[0].lower, 0, 0.05);
    EXPECT_NEAR(held.value().actuators.length_range[0].upper, 0, 0.05);
    EXPECT_LT(held.value().actuators.length_range[0].lower, held.value().actuators.length_range[0].upper);
    EXPECT_TRUE(make(true, {.use_limits = true}));  // needs no simulation
    // More steps than all muscles together may take.
    EXPECT_FALSE(make(false, {.dt = 1e-5, .duration = 9.9}, 60));
}

}  // namespace
}  // namespace rattleback
