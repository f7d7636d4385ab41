// Writing MJCF: whatever a builder can make comes back from the file bit for bit.
#include "unit/import/write_test_support.h"

#include "lab/scenes/scenes.h"
#include "model/sensor_rules.h"
#include "support/random_model.h"

#include <limits>

namespace rattleback
{
namespace
{

MeshOptions make_tetrahedron(std::string name)
{
    return {.name = std::move(name),
            .vertices = {{0.1, 0, 0}, {1.3, 0.1, 0}, {0, 0.7, 0.05}, {0.2, 0.1, 0.9}},
            .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
            .edges = {{0, 1}, {1, 3}}};
}

TEST(WriteMjcf, every_scene_of_the_laboratory_comes_back)
{
    for (const lab::Scene& scene : lab::all_scenes())
    {
        SCOPED_TRACE(scene.name);
        expect_round_trip(scene.build().value());
    }
}

TEST(WriteMjcf, random_models_come_back)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed)
    {
        SCOPED_TRACE(seed);
        expect_round_trip(
            make_random_model(seed, {.branching_tendon_armature = seed % 3 == 0, .shapes = seed % 2 == 0}));
    }
}

TEST(WriteMjcf, an_empty_model_comes_back) { expect_round_trip(build_good(ModelBuilder(""))); }

TEST(WriteMjcf, shapes_with_all_their_options_come_back)
{
    ModelBuilder builder("shapes");
    const MeshId mesh = builder.add_mesh(make_tetrahedron("tetra"));
    builder.add_mesh(make_tetrahedron("not used"));
    const HeightFieldId field = builder.add_height_field({.name = "hills",
                                                          .rows = 2,
                                                          .columns = 3,
                                                          .half_x = 2,
                                                          .half_y = 1,
                                                          .base = 0,
                                                          .heights = {0.3, 0.1, 0.7, 0.2, 0.25, 1.0 / 3}});
    const MaterialId rubber = builder.add_material({.name = "rubber",
                                                    .friction = 1.7,
                                                    .spinning_friction = 0.01,
                                                    .rolling_friction = 0.002,
                                                    .dimension = 6,
                                                    .restitution = 0.4,
                                                    .softness = Spring{2e4, 31},
                                                    .solmix = 2,
                                                    .priority = -3});
    const MaterialId gel =
        builder.add_material({.name = "gel", .softness = Impedance{{-100, -1}, {0.8, 0.9, 0.01, 0.4, 3}}});
    builder.add_material({.name = "not used", .restitution = 1});
    builder.add_shape(kWorld, HeightField{field}, {.position = {1, 2, 3}, .rotation = {0.8, 0.6, 0, 0}});
    builder.add_ground({.material = gel});
    const std::vector<Shape> shapes{Sphere{0.1},
                                    Capsule{0.1, 0.2},
                                    Box{{0.1, 0.2, 0.3}},
                                    Cylinder{0.1, 0.3},
                                    Ellipsoid{{0.1, 0.2, 0.3}},
                                    Hull{mesh},
                                    Mesh{mesh, MeshCollide::exact, MeshMass::exact},
                                    Mesh{mesh, MeshCollide::hull, MeshMass::legacy},
                                    Surface{mesh},
                                    Segments{mesh}};
    for (const Shape& shape : shapes)
    {
        const BodyId body = builder.add_body({.position = {0.1, 0.2, 5}, .rotation = {0.5, -0.5, 0.1, 0.7}});
        builder.add_shape(body, shape,
                          {.position = {-0.0, 0.1, -0.3},
                           .rotation = {0.2, 0.3, -0.4, 0.5},
                           .material = rubber,
                           .density = 777,
                           .category = 0x80000000U,
                           .mask = 0xFFFFFFFFU,
                           .margin = 0.001,
                           .gap = 0.002,
                           .colour = {0.1F, 0.2F, 0.3F, 0.4F},
                           .group = 4,
                           .fluid = std::array<double, 5>{0.1, 0.2, 0.3, 0.4, 0.5}});
        builder.add_shape(body, Sphere{0.01}, {.material = gel, .mass = 0.25});
    }
    const BodyId dots = builder.add_body({.kind = BodyKind::fixed});
    builder.add_shape(dots, Points{mesh}, {.mass = 1});
    builder.add_pair(
        ShapeId{2}, ShapeId{4},
        {.material = rubber, .margin = 0.1, .gap = 0.2, .second_friction = {0.5, -1}, .friction_solref = {0.1, 2}});
    builder.add_pair(ShapeId{3}, ShapeId{8});
    builder.add_pair(ShapeId{3}, ShapeId{22}, {.material = gel});
    builder.exclude(BodyId{1}, BodyId{3});
    builder.exclude(kWorld, BodyId{2});
    expect_round_trip(build_good(builder));
}

/// A builder with two jointed bodies and a free one, and their joints.
struct Arm
{
    ModelBuilder builder{"arm"};
    BodyId upper, lower, loose;
    JointId shoulder, elbow;
    SiteId hand, base;

    Arm()
    {
        // Children are not beside their parents: the file's order of bodies is another one.
        upper = builder.add_body({.name = "upper", .position = {0, 0, 1}, .rotation = {0.6, 0, 0.8, 0}});
        loose = builder.add_body({.name = "loose",
                                  .position = {1, 1, 1},
                                  .rotation = {0.3, 0.1, -0.7, 0.2},
                                  .gravity_compensation = 0.5,
                                  .linear_velocity = {1, 2, 3},
                                  .angular_velocity = {0.1, 0.2, 0.3}});
        lower = builder.add_body({.name = "lower", .parent = upper, .position = {0, 0, 0.4}});
        for (const BodyId body : {upper, loose, lower}) builder.add_shape(body, Capsule{0.05, 0.2});
        shoulder = builder.add_joint(upper, {.name = "shoulder",
                                             .axis = {1, 2, 3},
                                             .position = {0.1, 0, -0.2},
                                             .reference = 0.3,
                                             .initial_position = -0.7,
                                             .initial_velocity = 1.5,
                                             .range = {true, -1, 2},
                                             .margin = 0.01,
                                             .limit_softness = Spring{100, 1},
                                             .stiffness = 3,
                                             .spring_reference = 0.2,
                                             .damping = 0.1,
                                             .armature = 0.01,
                                             .dry_friction = 0.02,
                                             .dry_friction_softness = Impedance{{0.03, 0.9}, {}},
                                             .actuator_force_range = {true, -5, 6},
                                             .gravity_compensation_by_actuator = true,
                                             .break_force = 100,
                                             .break_torque = 200});
        elbow = builder.add_joint(lower, {.name = "elbow", .type = JointType::slide, .range = {true, 0.25, 0.25}});
        hand = builder.add_site(lower, {.name = "hand", .position = {0, 0, 0.3}, .rotation = {1, 1, 0, 0}});
        base = builder.add_site(kWorld, {.name = "base", .position = {0.5, 0, 0}});
    }
};

TEST(WriteMjcf, joints_tracks_and_starts_come_back)
{
    Arm arm;
    ModelBuilder& builder = arm.builder;
    const BodyId ball = builder.add_body({.name = "ball", .parent = arm.lower});
    builder.add_shape(ball, Sphere{0.1});
    builder.add_joint(ball, {.type = JointType::ball, .range = {true, 0, 1.5}, .stiffness = 2, .damping = 0.3});
    const BodyId welded = builder.add_body({.name = "welded", .parent = ball, .rotation = {0.1, 0.2, 0.3, 0.4}});
    builder.add_joint(welded, {.name = "glue", .type = JointType::fixed, .break_force = 10});
    builder.add_shape(welded, Box{{0.1, 0.2, 0.3}});
    builder.add_body({.name = "attached", .parent = ball});
    const BodyId free = builder.add_body({.name = "damped"});
    builder.add_joint(free, {.type = JointType::free, .damping = 0.2, .armature = 0.1});
    builder.add_shape(free, Box{{0.1, 0.2, 0.3}});
    const BodyId lift = builder.add_body({.name = "lift", .kind = BodyKind::kinematic});
    const BodyId door = builder.add_body({.name = "door", .position = {3, 0, 0}, .kind = BodyKind::kinematic});
    builder.add_track(door, {{0, 0.5, 2}, {{}, {{0, 0, 1}, {0.8, 0, 0.6, 0}}, {{1, 1, 1}, {}}}});
    Model model = build_good(builder);
    expect_round_trip(model);

    // Scenes set what JointOptions has no words for on the finished model.
    for (double& v : model.initial_v) v = 0.125 + v;
    expect_round_trip(model);
    EXPECT_EQ(lift.index + 1, door.index);
}

TEST(WriteMjcf, equalities_tendons_actuators_sensors_and_keyframes_come_back)
{
    Arm arm;
    ModelBuilder& builder = arm.builder;
    const TendonId fixed = builder.add_fixed_tendon(
        {{arm.shoulder, -0.5}, {arm.elbow, 2}},
        {.name = "fixed", .range = {true, -1, 1}, .stiffness = 4, .damping = 1, .dry_friction = 0.1});
    const TendonId path = builder.add_spatial_tendon({{arm.base}, {arm.hand}, {{}, 2}, {arm.base}, {arm.hand}},
                                                     {.name = "path",
                                                      .limit_softness = Spring{},
                                                      .spring_length = {0.1, 0.2},
                                                      .actuator_force_range = {true, -1, 1}});
    const ShapeId knee = builder.add_shape(arm.lower, Sphere{0.02}), drum = builder.add_shape(arm.loose, Cylinder{});
    builder.add_spatial_tendon(
        {{arm.base}, {.shape = knee, .side_site = arm.hand}, {arm.hand}, {.shape = drum}, {arm.base}},
        {.name = "around"});
    builder.add_connect(arm.lower, arm.loose, {0.1, 0.2, 0.3},
                        {.name = "pin", .softness = Spring{10, 1}, .break_force = 3});
    builder.add_connect_points(arm.upper, {1, 0, 0}, kWorld, {0, 5, 0}, {.name = "open", .active = false});
    builder.add_weld(arm.upper, arm.loose, {.torque_scale = 0.5});
    builder.add_weld_frames(arm.loose, {{1, 2, 3}, {0.6, 0.8, 0, 0}}, kWorld, {{3, 2, 1}, {0, 0.6, 0, 0.8}},
                            {.break_torque = 7});
    builder.add_joint_coupling(arm.elbow, arm.shoulder, {0.1, 0.2, 0.3, 0.4, 0.5});
    builder.add_joint_coupling(arm.shoulder, {}, {0.25});
    builder.add_tendon_coupling(fixed, path, {0, 1}, {.softness = Impedance{}});
    builder.add_motor(arm.shoulder, {.name = "motor", .gear = {50}, .input_range = {true, -1, 1}});
    builder.add_position_actuator(arm.elbow, {.stiffness = 20, .damping_ratio = 0.7, .force_range = {true, -3, 3}});
    builder.add_actuator(fixed, {.gain = {1, 2, 3},
                                 .bias = {4, 5, 6},
                                 .dynamics = ActuatorDynamics::filter,
                                 .time_constant = 0.1,
                                 .act_range = {true, 0, 1},
                                 .act_early = true});
    builder.add_actuator(
        arm.shoulder,
        {.gain = {2, 0, 0}, .bias = {0, -2, 5}, .input_range = {false, -1, std::numeric_limits<double>::infinity()}});
    builder.add_actuator(arm.hand, {.gear = {0, 0, 1, 0, 0.5, 0}, .dynamics = ActuatorDynamics::integrator});
    const JointId turning = builder.add_joint(builder.add_body({.name = "knob", .parent = arm.lower}),
                                              {.type = JointType::ball, .armature = 1});
    builder.add_actuator(turning, {.gear = {0, 0, 1}, .dynamics = ActuatorDynamics::filter_exact, .in_parent = true});
    for (const SensorType type : {SensorType::frame_position, SensorType::frame_rotation, SensorType::linear_velocity,
                                  SensorType::angular_velocity, SensorType::gyro, SensorType::accelerometer,
                                  SensorType::touch, SensorType::contact_force})
    {
        builder.add_sensor(type, arm.hand);
        builder.add_sensor(type, arm.loose);
        builder.add_sensor(type, kWorld);
    }
    builder.add_sensor(SensorType::joint_position, arm.elbow);
    builder.add_sensor(SensorType::joint_velocity, arm.shoulder, "speed");
    Keyframe key{.name = "home", .time = 1.5};
    const Model plain = build_good(builder);
    key.q = plain.q0;
    key.q[0] = 0.75;
    key.v.assign(plain.initial_v.size(), -0.5);
    key.act = {0.1, 0.2, 0.3};
    key.ctrl = {1, 2, 3, 4, 5, 6};
    builder.add_keyframe(key);
    builder.add_keyframe({.name = "rattleback start"});
    expect_round_trip(build_good(builder));
}

TEST(WriteMjcf, every_kind_of_sensor_comes_back)
{
    Arm arm;
    ModelBuilder& builder = arm.builder;
    builder.settings().magnetic_field = {1, 2, 3};
    const TendonId tendon =
        builder.add_spatial_tendon({{arm.base}, {arm.hand}}, {.name = "path", .range = {true, 0, 1}});
    const ActuatorId motor = builder.add_motor(arm.shoulder, {.name = "motor"});
    const JointId ball = builder.add_joint(builder.add_body({.name = "knob", .parent = arm.lower}),
                                           {.type = JointType::ball, .range = {true, 0, 1}, .armature = 1});
    const ShapeId skin = builder.add_shape(arm.lower, Sphere{0.02}, {.name = "skin"});
    const SiteId zone = builder.add_site(arm.upper, {.name = "zone", .type = ShapeType::box, .size = {0.1, 0.2, 0.3}});
    const CameraFrame eye{arm.lower, {{0.1, 0.2, 0.3}, {0.6, 0.8, 0, 0}}};
    const CameraId view =
        builder.add_camera({.name = "view", .body = arm.lower, .mode = FollowMode::track, .resolution = {4, 3}});
    for (int i = 0; i < kSensorTypeCount; ++i)
    {
        const auto type = static_cast<SensorType>(i);
        const SensorRule rule = find_sensor_rule(type);
        const auto may = [](unsigned set, SensorObject object) { return (set & bit_of(object)) != 0; };
        std::vector<SensorTarget> targets, references;
        const auto list = [&](unsigned set, std::vector<SensorTarget>& all)
        {
            if (may(set, SensorObject::none)) all.emplace_back();
            if (may(set, SensorObject::joint))
                all.emplace_back(type == SensorType::ball_rotation || type == SensorType::ball_velocity ? ball
                                                                                                        : arm.elbow);
            if (may(set, SensorObject::tendon)) all.emplace_back(tendon);
            if (may(set, SensorObject::actuator)) all.emplace_back(motor);
            if (may(set, SensorObject::body)) all.emplace_back(arm.loose);
            if (may(set, SensorObject::inertial)) all.emplace_back(InertialFrame{arm.upper});
            if (may(set, SensorObject::subtree)) all.emplace_back(Subtree{arm.upper});
            if (may(set, SensorObject::shape)) all.emplace_back(skin);
            if (may(set, SensorObject::site)) all.emplace_back(zone);
            if (may(set, SensorObject::camera)) all.emplace_back(eye);
            if (may(set, SensorObject::view)) all.emplace_back(view);
        };
        list(rule.objects, targets);
        list(rule.references, references);
        for (const SensorTarget& target : targets)
        {
            for (const SensorTarget& reference : references)
            {
                SensorOptions options{.reference = reference, .cutoff = 0.25, .noise = 0.125};
                if (type == SensorType::rangefinder) options.fields = 1 + 8 + 32;
                if (type == SensorType::contact) options.fields = 2 + 16 + 128;
                options.count = type == SensorType::contact || type == SensorType::user ? 3 : 1;
                if (type == SensorType::tactile)
                    options.taxels = {{Vec3{1, 2, 3}, {0, 1, 0}, {0, 0, 1}}, {Vec3{4, 5, 6}, Vec3{}, Vec3{}}};
                options.resolution = {4, 3};
                options.focal = {5, 6};
                options.principal = {1, 2};
                options.samples = 4;
                options.interpolation = Interpolation::cubic;
                options.delay = 0.1;
                options.interval = {0.2, -0.1};
                builder.add_sensor(type, target, options);
            }
        }
    }
    const Model model = build_good(builder);
    EXPECT_GT(model.sensor_count(), 300);
    expect_round_trip(model);
    // Also without the text that only we read.
    std::string text = write_good(model);
    const std::size_t custom = text.find("<custom>"), end = text.find("</custom>");
    if (custom != std::string::npos) text.erase(custom, end + 9 - custom);
    const Imported plain = parse_mjcf(text, "plain.xml", ".").value();
    ASSERT_EQ(plain.model.sensor_count(), model.sensor_count());
    EXPECT_EQ(plain.model.sensors.begin, model.sensors.begin);
    EXPECT_EQ(plain.model.sensors.cutoff, model.sensors.cutoff);
    EXPECT_EQ(plain.model.sensors.size, model.sensors.size);
    EXPECT_EQ(plain.model.sensors.interval, model.sensors.interval);
}

TEST(WriteMjcf, settings_come_back_with_their_types)
{
    ModelBuilder builder("settings");
    Settings& settings = builder.settings();
    settings.dt = 1.0 / 3;
    settings.gravity = {-0.0, 1e-300, 1e300};
    settings.medium = {1.2, 2e-5, {1, 2, 3}};
    settings.solver = "avbd";
    settings.solver_parameters["convex"] = {
        {"iterations", 50}, {"tolerance", 1.0}, {"cone", std::string("elliptic")}, {"warmstart", false},
        {"gravity", false}, {"impratio", 10},   {"solver", std::string("?")},      {"new word", 0.1}};
    settings.solver_parameters["avbd"] = {
        {"iterations", 4}, {"bound", std::numeric_limits<double>::infinity()}, {"name", std::string("inf")}};
    settings.solver_parameters["empty"] = {};
    for (const Integrator integrator :
         {Integrator::euler, Integrator::implicitfast, Integrator::rk4, Integrator::lie_rk4, Integrator::midpoint,
          Integrator::implicit, Integrator::discrete})
    {
        settings.integrator = integrator;
        expect_round_trip(build_good(builder));
    }
}

TEST(WriteMjcf, names_with_special_characters_come_back)
{
    ModelBuilder builder("<a & \"b\" 'c'>\n");
    for (const char* name :
         {"<", ">", "&amp;", "\"quoted\"", "it's", "\"both\" 'kinds'", "two\nlines", "tab\there", "\r",
          "Kugel äöü 球 🪀", " ", "a/b", "../up", "{\"json\":1}", "]]>", "<!--", "~0~1", "rattleback"})
    {
        const BodyId body = builder.add_body({.name = name});
        builder.add_shape(body, Sphere{0.1}, {.name = name});
        builder.add_site(body, {.name = name});
        builder.add_material({.name = name, .restitution = 0.5});
    }
    builder.add_body();
    builder.add_shape(BodyId{19}, Sphere{0.2});
    expect_round_trip(build_good(builder));
}

}  // namespace
}  // namespace rattleback
