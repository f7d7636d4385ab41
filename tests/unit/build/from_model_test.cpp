// A builder that starts from a Model: what was there comes back bit for bit, and what is added stands beside it.
#include <rattleback/builder.h>

#include "lab/scenes/scenes.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

Model build(const ModelBuilder& builder)
{
    Result<Model> model = builder.build();
    EXPECT_TRUE(model.ok()) << to_text(model.errors());
    return std::move(model).value();
}

/// A kinematic platform, a hinged arm with a filtered motor, a free body with a mesh on a height field, two keyframes.
Model make_workshop()
{
    ModelBuilder builder("workshop");
    const HeightFieldId field = builder.add_height_field(
        {.name = "dunes", .rows = 2, .columns = 2, .half_x = 1, .half_y = 1, .heights = {0, 0.1, 0.2, 0.1}});
    builder.add_shape(kWorld, HeightField{field}, {.name = "dunes"});
    const BodyId platform = builder.add_body({.name = "platform", .position = {0, 0, 2}, .kind = BodyKind::kinematic});
    builder.add_shape(platform, Box{.half_extents = {0.1, 0.1, 0.1}}, {.name = "platform"});
    const BodyId arm = builder.add_body({.name = "arm", .position = {1, 0, 1}});
    const JointId hinge = builder.add_joint(arm, {.name = "hinge", .axis = {0, 1, 0}, .initial_position = 0.3});
    builder.add_shape(arm, Capsule{.radius = 0.05, .half_length = 0.2}, {.name = "arm", .position = {0, 0, -0.2}});
    const BodyId stone = builder.add_body({.name = "stone", .position = {0, 0, 1}, .angular_velocity = {1, 2, 3}});
    const MeshId mesh = builder.add_mesh({.name = "tetra",
                                          .vertices = {{0.1, 0, 0}, {1.3, 0.1, 0}, {0, 0.7, 0.05}, {0.2, 0.1, 0.9}},
                                          .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
    builder.add_shape(stone, Mesh{.mesh = mesh}, {.name = "stone"});
    builder.add_actuator(hinge, {.name = "filtered",
                                 .gain = {3, 0, 0},
                                 .dynamics = ActuatorDynamics::filter,
                                 .input_range = {true, -1, 2},
                                 .force_range = {true, -4, 5}});
    builder.add_motor(hinge, {.name = "plain", .input_range = {true, -1, 1}});
    builder.add_sensor(SensorType::joint_position, hinge, "angle");
    builder.add_keyframe({.name = "bent",
                          .q = {0.7, 1, 2, 3, 1, 0, 0, 0},
                          .v = {4, 1, 2, 3, 4, 5, 6},
                          .act = {0.5},
                          .ctrl = {0.25, -0.75},
                          .targets = {{.position = {5, 6, 7}}}});
    builder.add_keyframe({.name = "later", .time = 2});
    return build(builder);
}

TEST(FromModel, gives_every_scene_of_the_laboratory_again)
{
    for (const lab::Scene& scene : lab::all_scenes())
    {
        SCOPED_TRACE(scene.name);
        const Model model = scene.build().value();
        EXPECT_EQ(fingerprint(build(ModelBuilder::from(model))), fingerprint(model));
    }
}

TEST(FromModel, gives_random_models_and_meshes_fields_and_keyframes_again)
{
    const Model workshop = make_workshop();
    EXPECT_EQ(fingerprint(build(ModelBuilder::from(workshop))), fingerprint(workshop));
    for (std::uint64_t seed = 0; seed < 40; ++seed)
    {
        SCOPED_TRACE(seed);
        const Model model = make_random_model(seed, {.shapes = seed % 2 == 0});
        EXPECT_EQ(fingerprint(build(ModelBuilder::from(model))), fingerprint(model));
    }
}

TEST(FromModel, keeps_names_and_ids_when_elements_of_every_kind_are_added)
{
    const Model old = make_workshop();
    ModelBuilder builder = ModelBuilder::from(old);
    const BodyId hand = builder.add_body({.name = "hand", .parent = *old.find_body("arm"), .position = {0, 0, -0.5}});
    const JointId wrist = builder.add_joint(hand, {.name = "wrist"});
    const ShapeId palm = builder.add_shape(hand, Sphere{.radius = 0.1}, {.name = "palm"});
    const ActuatorId motor = builder.add_motor(wrist, {.name = "turn"});
    const SensorId sensor = builder.add_sensor(SensorType::joint_velocity, wrist, "speed");
    const EqualityId weld = builder.add_weld(hand, *old.find_body("stone"));
    const BodyId second = builder.add_body({.name = "second stone", .position = {0, 0, 4}});
    builder.add_shape(second, Mesh{.mesh = MeshId{0}}, {.name = "second stone"});
    const Model model = build(builder);

    for (int b = 0; b < old.body_count(); ++b) EXPECT_EQ(model.find_body(old.bodies.name[std::size_t(b)]), BodyId{b});
    for (int j = 0; j < old.joint_count(); ++j)
        EXPECT_EQ(model.find_joint(old.joints.name[std::size_t(j)]), JointId{j});
    for (int s = 0; s < old.shape_count(); ++s)
        EXPECT_EQ(model.find_shape(old.shapes.name[std::size_t(s)]), ShapeId{s});
    EXPECT_EQ(model.find_body("hand"), hand);
    EXPECT_EQ(model.find_joint("wrist"), wrist);
    EXPECT_EQ(model.find_shape("palm"), palm);
    EXPECT_EQ(model.find_actuator("turn"), motor);
    EXPECT_EQ(model.find_sensor("speed"), sensor);
    EXPECT_EQ(weld.index, model.equality_count() - 1);
    // An equal mesh has equal weight, whoever put it there.
    EXPECT_EQ(model.bodies.mass[std::size_t(second.index)],
              model.bodies.mass[std::size_t(model.find_body("stone")->index)]);
}

TEST(FromModel, completes_keyframes_with_the_initial_values_of_what_was_added)
{
    ModelBuilder builder = ModelBuilder::from(make_workshop());
    // On a body of the Model: its coordinate stands between those that the keyframes know.
    builder.add_joint(BodyId{2},
                      {.name = "slide", .type = JointType::slide, .initial_position = 0.125, .initial_velocity = -2});
    const BodyId ball = builder.add_body({.name = "ball", .position = {7, 8, 9}, .linear_velocity = {1, 0, 0}});
    builder.add_shape(ball, Sphere{.radius = 0.1});
    builder.add_body({.name = "lift", .position = {0, 0, 3}, .kind = BodyKind::kinematic});
    builder.add_actuator(JointId{0}, {.name = "integrator", .dynamics = ActuatorDynamics::integrator});
    const Model model = build(builder);

    const Keyframe& key = model.keyframes[0];
    EXPECT_EQ(key.q, (std::vector<double>{0.7, 0.125, 1, 2, 3, 1, 0, 0, 0, 7, 8, 9, 1, 0, 0, 0}));
    EXPECT_EQ(key.v, (std::vector<double>{4, -2, 1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(key.act, (std::vector<double>{0.5, 0}));
    EXPECT_EQ(key.ctrl, (std::vector<double>{0.25, -0.75, 0}));
    ASSERT_EQ(key.targets.size(), 2U);
    EXPECT_EQ(key.targets[0].position, (Vec3{5, 6, 7}));
    EXPECT_EQ(key.targets[1].position, (Vec3{0, 0, 3}));
    EXPECT_TRUE(model.keyframes[1].q.empty());
    EXPECT_TRUE(validate(model).empty()) << to_text(validate(model));
}

TEST(FromModel, keeps_in_keyframes_what_delayed_actuators_remember_apart_from_activations)
{
    ModelBuilder delayed;
    const BodyId arm = delayed.add_body({.inertia = Inertia{.mass = 1, .diagonal = {1, 1, 1}}});
    const JointId hinge = delayed.add_joint(arm, {.axis = {0, 1, 0}});
    delayed.add_actuator(hinge, {.name = "late", .delay = 0.002, .sample_count = 1});
    delayed.add_actuator(hinge, {.name = "filtered", .dynamics = ActuatorDynamics::filter});
    delayed.add_keyframe({.act = {0.5, 6, 7}, .ctrl = {1, 2}});
    const Model loaded = build(delayed);
    // An activation that is added stands behind the loaded one, not in what the first actuator remembers.
    ModelBuilder builder = ModelBuilder::from(loaded);
    const ActuatorId added = builder.add_actuator(hinge, {.name = "more", .dynamics = ActuatorDynamics::filter});
    EXPECT_EQ(build(builder).keyframes[0].act, (std::vector<double>{0.5, 0, 6, 7}));
    // The loaded keyframe knows nothing of the activation that goes with the added actuator.
    builder.make_motor(added);
    EXPECT_EQ(build(builder).keyframes[0].act, (std::vector<double>{0.5, 6, 7}));
    builder.make_motor(ActuatorId{0});
    EXPECT_EQ(build(builder).keyframes[0].act, (std::vector<double>{0.5}));
}

TEST(FromModel, says_what_is_wrong_with_a_model_that_was_changed_by_hand)
{
    Model model = make_workshop();
    model.bodies.mass.pop_back();
    const std::vector<Error> expected = validate(model);
    const Result<Model> built = ModelBuilder::from(model).build();
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(to_text(built.errors()), to_text(expected));
}

TEST(MakeMotors, leaves_gear_and_takes_the_limits_of_the_force)
{
    ModelBuilder builder = ModelBuilder::from(make_workshop());
    builder.add_position_actuator(JointId{0}, {.name = "servo", .gear = {7}, .input_range = {true, -1, 1}});
    builder.add_actuator(JointId{0}, {.name = "scaled", .gain = {-2, 0, 0}, .input_range = {true, -1, 3}});
    builder.make_motors();
    const Model model = build(builder);

    const Actuators& actuators = model.actuators;
    EXPECT_EQ(model.act_count, 0);
    for (std::size_t a = 0; a < 4; ++a)
    {
        EXPECT_EQ(actuators.gain[a], (std::array<double, 3>{1, 0, 0}));
        EXPECT_EQ(actuators.bias[a], (std::array<double, 3>{0, 0, 0}));
    }
    EXPECT_EQ(actuators.input_range[0], (Range{true, -4, 5}));  // the force range
    EXPECT_EQ(actuators.input_range[1], (Range{true, -1, 1}));  // it was a motor
    EXPECT_EQ(actuators.input_range[2], Range{});               // a servo whose force knew no bounds
    EXPECT_EQ(actuators.input_range[3], (Range{true, -6, 2}));  // gain times input
    EXPECT_EQ(actuators.gear[2], (std::array<double, 6>{7, 0, 0, 0, 0, 0}));
    EXPECT_EQ(model.keyframes[0].ctrl, (std::vector<double>{0, -0.75, 0, 0}));
    EXPECT_TRUE(model.keyframes[0].act.empty());
}

TEST(MakeMotors, refuses_an_actuator_that_does_not_exist)
{
    ModelBuilder builder = ModelBuilder::from(make_workshop());
    builder.make_motor(ActuatorId{2});
    const Result<Model> built = builder.build();
    ASSERT_FALSE(built.ok());
    EXPECT_EQ(built.errors()[0].text(), "make_motor: there is no actuator 2 (an id of one that was added before)");
}

}  // namespace
}  // namespace rattleback
