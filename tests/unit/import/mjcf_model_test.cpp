// What MJCF says becomes the Model that MuJoCo would make of it; numbers are worked out by hand or by closed forms.
#include <algorithm>
#include <cmath>

#include "geometry/mass.h"
#include "unit/import/mjcf_test_support.h"

namespace rattleback
{
namespace
{

void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-14)
{
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance);
}

/// Equal rotations; the sign of a quaternion does not count.
void expect_same_turn(const Quat& a, const Quat& b)
{
    const double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    EXPECT_NEAR(std::abs(cosine), 1, 1e-14);
}

TEST(Mjcf, an_empty_model_has_the_world_alone_and_mujocos_settings)
{
    const Model model = parse_good("<mujoco model='nothing'/>");
    EXPECT_EQ(model.name, "nothing");
    EXPECT_EQ(model.body_count(), 1);
    EXPECT_EQ(model.settings.dt, 0.002);
    EXPECT_EQ(model.settings.integrator, Integrator::euler);
    EXPECT_TRUE(model.settings.solver_parameters.empty());
}

TEST(Mjcf, all_ways_to_write_one_orientation_agree)
{
    const Quat third = from_axis_angle({1, 1, 1}, 120 * kDegree);  // x to y, y to z, z to x
    const Model model = parse_world(
        "<site quat='1 1 1 1'/><site axisangle='1 1 1 120'/><site euler='90 90 0'/><site xyaxes='0 2 0 5 1 3'/>"
        "<site xyaxes='0 1 0 0 0 1'/><site zaxis='3 0 0'/>");
    for (const int site : {0, 1, 4}) expect_same_turn(model.sites.pose[static_cast<std::size_t>(site)].rotation, third);
    expect_near(rotate(model.sites.pose[2].rotation, Vec3{0, 0, 1}), {1, 0, 0});  // about x', then y'
    const Quat& tilted = model.sites.pose[3].rotation;
    expect_near(rotate(tilted, Vec3{1, 0, 0}), {0, 1, 0});
    expect_near(rotate(tilted, Vec3{0, 1, 0}), (1 / std::sqrt(34.0)) * Vec3{5, 0, 3});
    expect_same_turn(model.sites.pose[5].rotation, from_axis_angle({0, 1, 0}, 90 * kDegree));
}

TEST(Mjcf, euler_angles_follow_the_sequence_moving_or_fixed)
{
    const Quat x = from_axis_angle({1, 0, 0}, 0.3), y = from_axis_angle({0, 1, 0}, -0.5),
               z = from_axis_angle({0, 0, 1}, 1.1);
    const auto turn = [](const char* sequence)
    {
        return parse_good(std::string("<mujoco><compiler angle='radian' eulerseq='") + sequence +
                          "'/><worldbody><site euler='0.3 -0.5 1.1'/></worldbody></mujoco>")
            .sites.pose[0]
            .rotation;
    };
    expect_same_turn(turn("xyz"), x * y * z);
    expect_same_turn(turn("XYZ"), z * y * x);
    expect_same_turn(turn("xYz"), y * x * z);
}

TEST(Mjcf, fromto_places_capsules_and_boxes_between_two_points)
{
    const Model model = parse_world(
        "<geom type='capsule' size='0.1' fromto='0 0 0 0 3 4'/><geom type='box' size='0.1' fromto='1 0 0 5 0 0'/>");
    EXPECT_EQ(model.shapes.size[0], (Vec3{0.1, 2.5, 0}));
    expect_near(model.shapes.pose[0].position, {0, 1.5, 2});
    expect_near(rotate(model.shapes.pose[0].rotation, Vec3{0, 0, 1}), {0, -0.6, -0.8});  // from the second to the first
    EXPECT_EQ(model.shapes.size[1], (Vec3{0.1, 0.1, 2}));
    expect_near(model.shapes.pose[1].position, {3, 0, 0});
}

TEST(Mjcf, angles_of_hinges_and_balls_are_in_degrees_and_lengths_of_slides_are_not)
{
    const Model model = parse_world(
        "<body><joint type='hinge' range='-90 45' ref='30' springref='60' stiffness='2'/><geom size='1'/>"
        "<body><joint type='slide' range='-90 45' ref='30'/><geom size='1'/>"
        "<body><joint type='ball' range='0 90'/><geom size='1'/></body></body></body>");
    EXPECT_DOUBLE_EQ(model.joints.range[0].lower, -kPi / 2);
    EXPECT_DOUBLE_EQ(model.joints.range[0].upper, kPi / 4);
    EXPECT_DOUBLE_EQ(model.q0[0], kPi / 6);
    EXPECT_DOUBLE_EQ(model.spring_q[0], kPi / 3);
    EXPECT_EQ(model.joints.range[1].lower, -90);
    EXPECT_EQ(model.q0[1], 30);
    EXPECT_DOUBLE_EQ(model.joints.range[2].upper, kPi / 2);
    EXPECT_TRUE(model.joints.range[0].limited && model.joints.range[1].limited && model.joints.range[2].limited);
}

TEST(Mjcf, without_autolimits_a_range_needs_limited)
{
    const auto text = [](const char* limited)
    {
        return std::string("<mujoco><compiler autolimits='false'/><worldbody><body><joint range='-1 1'") + limited +
               "/><geom size='1'/></body></worldbody></mujoco>";
    };
    EXPECT_NE(to_text(parse_bad(text(""))).find("autolimits"), std::string::npos);
    EXPECT_TRUE(parse_good(text(" limited='true'")).joints.range[0].limited);
    EXPECT_FALSE(parse_good(text(" limited='false'")).joints.range[0].limited);
}

TEST(Mjcf, a_later_default_section_does_not_reach_inner_classes_of_an_earlier_one)
{
    const Model model = parse_good(
        "<mujoco><default><default class='a'><geom size='2'/></default><geom margin='0.1'/></default>"
        "<default><geom margin='0.3' gap='0.2' size='1'/><default class='b'/></default>"
        "<worldbody><geom/><geom class='a'/><geom class='b'/></worldbody></mujoco>");
    EXPECT_EQ(model.shapes.margin, (std::vector<double>{0.3, 0.1, 0.3})) << "margin of the first section, wherever";
    EXPECT_EQ(model.shapes.gap, (std::vector<double>{0.2, 0, 0.2}));
}

TEST(Mjcf, actuation_and_clamps_that_are_switched_off_are_none)
{
    const Model model = parse_good(
        "<mujoco><option><flag actuation='disable' clampctrl='disable'/></option><worldbody><body><joint name='j'/>"
        "<geom size='1'/></body></worldbody><actuator><motor joint='j' ctrlrange='-1 1'/><pid joint='j' input='pos "
        "vel' "
        "posrange='-1 1' velrange='-2 2'/></actuator></mujoco>");
    for (const Range& range : model.actuators.input_range) EXPECT_FALSE(range.limited);
    EXPECT_EQ(std::count(model.actuators.active.begin(), model.actuators.active.end(), 0), model.actuator_count());
    EXPECT_TRUE(model.settings.solver_parameters.empty()) << "no solver has to know";
}

TEST(Mjcf, numbers_of_general_are_none_of_a_muscle)
{
    const Model model = parse_good(
        "<mujoco><default><general gainprm='9' gear='2'/></default><worldbody><body><joint name='j'/><geom size='1'/>"
        "</body></worldbody><actuator><muscle joint='j' lengthrange='-1 1'/></actuator></mujoco>");
    EXPECT_EQ(model.actuators.gain_parameters[0][0], 0.75);
    EXPECT_EQ(model.actuators.gear[0][0], 2);
}

TEST(Mjcf, a_free_body_with_shells_is_aligned_with_what_these_weigh)
{
    const Model model = parse_good(
        "<mujoco><compiler alignfree='true'/><worldbody><body><freejoint/><geom size='0.1' pos='0.1 0.1 0'/>"
        "<geom type='cylinder' size='0.1 0.2' shellinertia='true' euler='10 20 30' pos='0 0 0.3'/></body></worldbody>"
        "</mujoco>");
    EXPECT_NEAR(norm(model.bodies.inertial_pose[1].position), 0, 1e-12);
    // The same axes, or turned round by half a turn about one of them.
    const Quat q = model.bodies.inertial_pose[1].rotation;
    EXPECT_NEAR(std::max({std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)}), 1, 1e-12);
}

TEST(Mjcf, classes_nest_childclass_reaches_down_and_short_lists_replace_the_front)
{
    const Model model = parse_good(
        "<mujoco><default><geom size='1 2 3' type='box' friction='0.5 0.6 0.7'/>"
        "<default class='a'><geom size='4' condim='4'/><default class='b'><geom friction='0.9'/></default></default>"
        "</default><worldbody><geom/><geom class='b' size='5 6'/>"
        "<body childclass='a'><geom/><body><geom class='main'/><geom/></body></body></worldbody></mujoco>");
    const auto material = [&](std::size_t shape)
    { return model.materials[static_cast<std::size_t>(model.shapes.material[shape])]; };
    EXPECT_EQ(model.shapes.size[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(model.shapes.size[1], (Vec3{5, 6, 3}));
    EXPECT_EQ(material(1).friction, 0.9);
    EXPECT_EQ(material(1).spinning_friction, 0.6);
    EXPECT_EQ(material(1).dimension, 4);
    EXPECT_EQ(model.shapes.size[2], (Vec3{4, 2, 3}));
    EXPECT_EQ(model.shapes.size[3], (Vec3{1, 2, 3}));
    EXPECT_EQ(model.shapes.size[4], (Vec3{4, 2, 3}));
}

TEST(Mjcf, an_orientation_of_its_own_replaces_an_inherited_one_of_another_kind)
{
    const Model model = parse_good(
        "<mujoco><default><geom size='1' euler='10 20 30'/></default><worldbody><geom/><geom quat='1 0 0 0'/>"
        "</worldbody></mujoco>");
    EXPECT_LT(model.shapes.pose[0].rotation.w, 0.99);
    expect_same_turn(model.shapes.pose[1].rotation, {});
    const auto both =
        parse_bad("<mujoco><worldbody><geom size='1' quat='1 0 0 0' euler='1 2 3'/></worldbody></mujoco>");
    EXPECT_NE(to_text(both).find("two orientations"), std::string::npos);
}

TEST(Mjcf, frames_are_transforms_only)
{
    const Model model = parse_world(
        "<frame pos='1 0 0' euler='0 0 90'><body name='b' pos='1 0 0'><frame pos='0 0 2'><joint type='slide' axis='1 0 "
        "0'/>"
        "<geom size='1' pos='3 0 0'/></frame></body></frame>");
    expect_near(model.bodies.pose[1].position, {1, 1, 0});
    expect_near(model.shapes.pose[0].position, {3, 0, 2});
    expect_near(model.joints.position[0], {0, 0, 2});
}

TEST(Mjcf, mass_comes_from_geoms_of_the_group_range_or_from_the_inertial)
{
    const std::string bodies =
        "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='5' diaginertia='1 1 1'/><geom size='1' mass='2'/>"
        "<geom size='1' mass='3' group='3' pos='1 0 0'/></body></worldbody></mujoco>";
    EXPECT_EQ(parse_good("<mujoco>" + bodies).bodies.mass[1], 5);
    const Model whole = parse_good("<mujoco><compiler inertiafromgeom='true'/>" + bodies);
    EXPECT_EQ(whole.bodies.mass[1], 5);
    expect_near(whole.bodies.inertial_pose[1].position, {0.6, 0, 0});
    EXPECT_EQ(parse_good("<mujoco><compiler inertiafromgeom='true' inertiagrouprange='0 2'/>" + bodies).bodies.mass[1],
              2);
}

TEST(Mjcf, compiler_bounds_and_scales_masses)
{
    const std::string bodies =
        "<worldbody><body><freejoint/><geom size='0.1' mass='1'/></body><body><freejoint/><geom size='0.1' "
        "mass='3'/></body>"
        "</worldbody></mujoco>";
    const Model bounded = parse_good("<mujoco><compiler boundmass='2' boundinertia='0.5'/>" + bodies);
    EXPECT_EQ(bounded.bodies.mass[1], 2);
    EXPECT_EQ(bounded.bodies.mass[2], 3);
    EXPECT_EQ(bounded.bodies.inertia[2], (Vec3{0.5, 0.5, 0.5}));
    const Model scaled = parse_good("<mujoco><compiler settotalmass='8'/>" + bodies);
    EXPECT_DOUBLE_EQ(scaled.bodies.mass[1], 2);
    EXPECT_DOUBLE_EQ(scaled.bodies.mass[2], 6);
    EXPECT_DOUBLE_EQ(scaled.bodies.inertia[2].x, 0.4 * 6 * 0.01);
}

TEST(Mjcf, springdamper_gives_the_time_constant_and_damping_ratio_asked_for)
{
    // A point of 3 kg at 2 m (the geom adds its own little inertia) on a hinge: k = I / (t z)^2, b = 2 I / t.
    const Model model =
        parse_world("<body><joint springdamper='0.1 0.5'/><geom size='0.01' mass='3' pos='2 0 0'/></body>");
    const double inertia = 3 * 4 + 0.4 * 3 * 1e-4;
    EXPECT_NEAR(model.joints.stiffness[0], inertia / (0.1 * 0.1 * 0.5 * 0.5), 1e-9);
    EXPECT_NEAR(model.dofs.damping[0], 2 * inertia / 0.1, 1e-9);
}

TEST(Mjcf, an_aligned_free_body_has_its_frame_at_the_centre_of_mass)
{
    const Model model = parse_world("<body pos='1 0 0'><freejoint align='true'/><geom size='0.1' pos='0 2 0'/></body>");
    expect_near(model.bodies.pose[1].position, {1, 2, 0});
    expect_near(model.shapes.pose[0].position, {});
    expect_near(model.bodies.inertial_pose[1].position, {});
    EXPECT_EQ(model.q0[1], 2);
}

TEST(Mjcf, a_mesh_is_kept_at_its_centre_and_its_geom_moves_there)
{
    // A brick with edges 1, 2, 4 in the corner of its coordinates, mirrored by the scale: still 8 m^3 and outward.
    const std::string mesh =
        "<asset><mesh name='m' scale='-1 2 4' vertex='0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1'/></asset>";
    const Model model =
        parse_good("<mujoco>" + mesh +
                   "<worldbody><body><freejoint/><geom type='mesh' mesh='m' density='10' pos='0 0 7'/></body>"
                   "</worldbody></mujoco>");
    expect_near(model.shapes.pose[0].position, {-0.5, 1, 9}, 1e-12);
    EXPECT_NEAR(model.bodies.mass[1], 80, 1e-11);
    expect_near(model.bodies.inertial_pose[1].position, {-0.5, 1, 9}, 1e-12);
    expect_near(model.bodies.inertia[1], (80 / 12.0) * Vec3{4 + 16, 1 + 16, 1 + 4}, 1e-10);
    Vec3 sum;
    for (const Vec3& v : model.meshes[0].vertices) sum += v;
    expect_near(sum, {}, 1e-12);
}

TEST(Mjcf, primitives_are_fitted_to_meshes)
{
    const std::string rest =
        "<asset><mesh name='m' vertex='0 0 0 2 0 0 0 4 0 2 4 0 0 0 6 2 0 6 0 4 6 2 4 6'/></asset><worldbody>"
        "<geom type='box' mesh='m'/><geom type='sphere' mesh='m' fitscale='2'/></worldbody></mujoco>";
    for (const char* compiler : {"", "<compiler fitaabb='true'/>"})
    {
        const Model model = parse_good(std::string("<mujoco>") + compiler + rest);
        const Vec3 size = model.shapes.size[0];  // a brick is its own fit, along its principal axes
        EXPECT_NEAR(size.x * size.y * size.z, 1 * 2 * 3, 1e-9);
        EXPECT_NEAR(size.x + size.y + size.z, 6, 1e-9);
        expect_near(model.shapes.pose[0].position, {1, 2, 3}, 1e-9);
        EXPECT_NEAR(model.shapes.size[1].x, *compiler ? 6 : 4, 1e-9);  // twice the largest, twice the mean
    }
}

TEST(Mjcf, a_height_field_has_its_first_row_at_large_y_and_heights_from_zero)
{
    const Model model = parse_good(
        "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 2 10 0.5' elevation='1 2 3 4 5 6'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    const HeightFieldOptions& field = model.height_fields[0];
    const std::vector<double> expected{6, 8, 10, 0, 2, 4};
    ASSERT_EQ(field.heights.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(field.heights[i], expected[i], 1e-6);
    EXPECT_EQ(field.base, 0.5);
    EXPECT_EQ(field.half_y, 2);
}

TEST(Mjcf, a_missing_texture_is_a_warning_and_a_missing_mesh_an_error)
{
    const auto texture =
        parse_mjcf("<mujoco><asset><texture file='none.png' type='2d'/></asset></mujoco>", "t.xml", ".");
    ASSERT_TRUE(texture.ok());
    ASSERT_EQ(texture.value().warnings.size(), 1U);
    EXPECT_EQ(texture.value().warnings[0].where, "t.xml:1:25");
    EXPECT_FALSE(parse_mjcf("<mujoco><asset><mesh file='none.obj'/></asset></mujoco>", "t.xml", ".").ok());
}

TEST(Mjcf, bodies_say_who_moves_them)
{
    const Model model = parse_world(
        "<body name='still'><geom size='1'/></body><body name='hand' mocap='true' pos='1 2 3'/>"
        "<body name='free'><freejoint/><geom size='1'/></body>");
    EXPECT_EQ(model.bodies.kind[1], BodyKind::fixed);
    EXPECT_EQ(model.bodies.kind[2], BodyKind::kinematic);
    EXPECT_EQ(model.bodies.kind[3], BodyKind::dynamic);
    EXPECT_EQ(model.q_count(), 7);
}

TEST(Mjcf, options_and_flags_become_settings)
{
    const auto result = parse_mjcf(
        "<mujoco><option timestep='0.005' gravity='0 0 -1' integrator='discrete' cone='elliptic' impratio='10' "
        "iterations='7' density='1.2' viscosity='0.1' wind='1 0 0'><flag refsafe='disable' spring='disable'/></option>"
        "<worldbody><body><joint stiffness='3'/><geom size='1'/></body></worldbody></mujoco>",
        "t.xml", ".");
    ASSERT_TRUE(result.ok());
    const Settings& settings = result.value().model.settings;
    EXPECT_EQ(settings.dt, 0.005);
    EXPECT_EQ(settings.gravity, (Vec3{0, 0, -1}));
    EXPECT_EQ(settings.integrator, Integrator::discrete);
    EXPECT_EQ(result.value().warnings.size(), 0U);
    const Parameters& convex = settings.solver_parameters.at("convex");
    EXPECT_EQ(std::get<std::string>(convex.at("cone")), "elliptic");
    EXPECT_EQ(std::get<double>(convex.at("impratio")), 10);
    EXPECT_EQ(std::get<int>(convex.at("iterations")), 7);
    EXPECT_EQ(std::get<bool>(convex.at("refsafe")), false);
    EXPECT_FALSE(convex.contains("tolerance"));
    EXPECT_EQ(settings.medium, (Medium{1.2, 0.1, {1, 0, 0}}));
    EXPECT_EQ(result.value().model.joints.stiffness[0], 0);
    EXPECT_EQ(parse_good("<mujoco><option integrator='RK4'/></mujoco>").settings.integrator, Integrator::lie_rk4);
}

}  // namespace
}  // namespace rattleback
