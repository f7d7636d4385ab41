// Tests of the peers that move bodies: rest heights, joints and limits as ours, and refusals by name.
#include "lab/peers/body_peer.h"

#include "lab/metrics/pile_quality.h"
#include "lab/scenes/stacks.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback::lab
{
namespace
{

/// The engine that the test is about; skips where it is not built in.
class BodyPeers : public testing::TestWithParam<BodyPeerInfo>
{
protected:
    void SetUp() override
    {
        const auto peer = make(ModelBuilder("nothing"));
        if (!peer.ok() && peer.errors()[0].code == ErrorCode::io) GTEST_SKIP() << to_text(peer.errors());
    }

    Result<std::unique_ptr<BodyPeer>> make(const ModelBuilder& builder, const BodyPeerOptions& options = {})
    {
        model_ = builder.build().value();
        return GetParam().make(model_, options);
    }
    /// The state after a number of steps.
    State run(const ModelBuilder& builder, int steps, const BodyPeerOptions& options = {})
    {
        const auto peer = make(builder, options);
        State state(model_);
        EXPECT_TRUE(peer.ok()) << to_text(peer.errors());
        if (!peer.ok()) return state;
        peer.value()->step(steps);
        peer.value()->read(state);
        return state;
    }

    Model model_;
};

BodyId add_box(ModelBuilder& builder, const Vec3& position, const Vec3& half)
{
    const BodyId body = builder.add_body({.position = position});
    builder.add_shape(body, Box{.half_extents = half});
    return body;
}

TEST_P(BodyPeers, a_dropped_box_and_a_stack_rest_at_their_true_heights)
{
    ModelBuilder builder;
    builder.add_ground();
    const BodyId alone = add_box(builder, {5, 0, 1}, {0.5, 0.25, 0.4});
    BodyId top;
    for (int i = 0; i < 4; ++i) top = add_box(builder, {0, 0, 0.55 + 1.05 * i}, {0.5, 0.5, 0.5});
    const State state = run(builder, 400);
    EXPECT_NEAR(state.position(alone).z, 0.4, 5e-3);
    EXPECT_NEAR(state.position(top).z, 3.5, 0.02);
    EXPECT_NEAR(norm(state.velocity(top).linear), 0, 0.03);  // QuickStep trembles
    EXPECT_NEAR(state.time[0], 400.0 / 60, 1e-9);
}

TEST_P(BodyPeers, every_shape_rests_at_the_height_of_its_lowest_point)
{
    ModelBuilder builder;
    builder.add_ground();
    MeshOptions cube{.name = "cube"};
    for (int i = 0; i < 8; ++i)
        cube.vertices.push_back({0.3 * (2 * (i & 1) - 1), 0.2 * ((i & 2) - 1), 0.25 * ((i & 4) / 2 - 1)});
    const MeshId mesh = builder.add_mesh(cube);
    const auto add = [&](double x, const Shape& shape, const Quat& rotation)
    {
        const BodyId body = builder.add_body({.position = {x, 0, 0.7}, .rotation = rotation});
        builder.add_shape(body, shape);
        return body;
    };
    const Quat lying = from_axis_angle({0, 1, 0}, kPi / 2);
    const BodyId sphere = add(0, Sphere{.radius = 0.3}, {});
    const BodyId capsule = add(3, Capsule{.radius = 0.2, .half_length = 0.4}, lying);
    const BodyId cylinder = add(6, Cylinder{.radius = 0.3, .half_length = 0.15}, {});
    const BodyId hull = add(9, Hull{.mesh = mesh}, {});
    const State state = run(builder, 300);
    EXPECT_NEAR(state.position(sphere).z, 0.3, 5e-3);
    EXPECT_NEAR(state.position(capsule).z, 0.2, 5e-3);
    EXPECT_NEAR(state.position(cylinder).z, 0.15, 5e-3);
    EXPECT_NEAR(state.position(hull).z, 0.25, 5e-3);
}

TEST_P(BodyPeers, a_body_of_several_shapes_falls_as_one_and_turns_about_its_centre_of_mass)
{
    ModelBuilder builder;
    builder.settings().gravity = {0, 0, -2};
    const BodyId body = builder.add_body({.position = {1, 2, 3}, .angular_velocity = {0, 0, 1}});
    builder.add_shape(body, Box{.half_extents = {0.5, 0.1, 0.1}}, {.position = {0.5, 0, 0}, .density = 500});
    builder.add_shape(body, Sphere{.radius = 0.2}, {.position = {1.2, 0, 0}});
    const State state = run(builder, 1000, {.dt = 1e-3});
    const Vec3 center = model_.bodies.inertial_pose[1].position;
    const Vec3 start = Vec3{1, 2, 3} + center;
    const Vec3 end = state.position(body) + rotate(state.rotation(body), center);
    EXPECT_NEAR(end.z, start.z - 1, 2e-3);         // g t^2 / 2
    EXPECT_NEAR(end.y, start.y + center.x, 2e-3);  // its origin stood still, so the centre moves at w x r
    EXPECT_NEAR(std::abs(dot(rotate(state.rotation(body), Vec3{1, 0, 0}), Vec3{std::cos(1.0), std::sin(1.0), 0})), 1,
                1e-3);
}

TEST_P(BodyPeers, friction_is_combined_by_our_rule)
{
    ModelBuilder builder;
    builder.settings().gravity = {5, 0, -10};
    const MaterialId smooth = builder.add_material({.friction = 0.1}), rough = builder.add_material({.friction = 0.8});
    builder.add_ground({.material = smooth});
    const BodyId slider = builder.add_body({.position = {0, 0, 0.1}});
    builder.add_shape(slider, Box{.half_extents = {0.2, 0.2, 0.1}}, {.material = smooth});
    const BodyId holder = builder.add_body({.position = {0, 2, 0.1}});
    builder.add_shape(holder, Box{.half_extents = {0.2, 0.2, 0.1}}, {.material = rough});
    const State state = run(builder, 120, {.iterations = 50});
    EXPECT_NEAR(state.velocity(slider).linear.x, 2 * (5 - 1), 0.3);  // (g_x - mu g_z) t
    EXPECT_NEAR(state.velocity(holder).linear.x, 0, 1e-2);
}

TEST_P(BodyPeers, hinge_and_slide_stop_at_the_same_limits_as_ours)
{
    ModelBuilder builder;
    const BodyId flap = builder.add_body(
        {.position = {0, 0, 3}, .inertia = Inertia{.mass = 1, .position = {0.5, 0, 0}, .diagonal = {0.1, 0.1, 0.1}}});
    // falls by turning about +y, to 0.3 above its start
    builder.add_joint(flap, {.type = JointType::hinge,
                             .axis = {0, 1, 0},
                             .reference = 0.1,
                             .initial_position = 0.2,
                             .range = {true, -1, 0.5}});
    const BodyId lift =
        builder.add_body({.position = {3, 0, 3}, .inertia = Inertia{.mass = 2, .diagonal = {0.1, 0.1, 0.1}}});
    builder.add_joint(lift, {.type = JointType::slide, .axis = {0, 0, 1}, .range = {true, -0.7, 2}});
    const BodyId bob = builder.add_body(
        {.parent = lift, .position = {0, 0, -1}, .inertia = Inertia{.mass = 1, .diagonal = {0.1, 0.1, 0.1}}});
    builder.add_joint(bob, {.type = JointType::ball, .position = {0, 0, 1}});
    const State state = run(builder, 600, {.iterations = 50});
    const Vec3 along = rotate(state.rotation(flap), Vec3{1, 0, 0});
    EXPECT_NEAR(std::atan2(-along.z, along.x), 0.4, 0.02);  // 0.5 less the reference
    EXPECT_NEAR(state.position(lift).z, 2.3, 0.02);
    EXPECT_NEAR(state.position(bob).z, 1.3, 0.02);
    EXPECT_LT(measure_joint_error(model_, state), 0.01);
}

TEST_P(BodyPeers, connected_and_welded_bodies_hang_together)
{
    ModelBuilder builder;
    const auto add = [&](const Vec3& position)
    { return builder.add_body({.position = position, .inertia = Inertia{.mass = 1, .diagonal = {0.05, 0.05, 0.05}}}); };
    const BodyId first = add({0.5, 0, 2}), second = add({1.5, 0, 2});
    builder.add_connect(kWorld, first, {0, 0, 2});
    builder.add_weld(first, second);
    const State state = run(builder, 30, {.dt = 1.0 / 240, .iterations = 50});
    EXPECT_LT(measure_joint_error(model_, state), 5e-3);
    // a pendulum with two unit masses at 0.5 and 1.5: falls at 2 g / (2.6 kg m^2) per arm, here over 1/8 s
    const double angle = 0.5 * (2 * 9.81 / 2.6) / 64;
    EXPECT_NEAR(state.position(second).z, 2 - 1.5 * angle, 0.012);
}

TEST_P(BodyPeers, kinematic_bodies_follow_their_track_and_carry_others)
{
    ModelBuilder builder;
    const BodyId plate = builder.add_body({.kind = BodyKind::kinematic});
    builder.add_shape(plate, Box{.half_extents = {1, 1, 0.1}});
    builder.add_track(plate, {.times = {0, 2}, .poses = {Pose{}, Pose{{1, 0, 0}, {}}}});
    const BodyId rider = add_box(builder, {0, 0, 0.3}, {0.2, 0.2, 0.2});
    const State state = run(builder, 120);
    EXPECT_NEAR(state.position(plate).x, 1, 1e-6);
    EXPECT_NEAR(state.position(rider).x, 1, 0.03);
    EXPECT_NEAR(state.position(rider).z, 0.3, 0.01);
}

TEST_P(BodyPeers, what_cannot_be_expressed_is_refused_by_name)
{
    ModelBuilder builder;
    builder.add_material({.name = "rubber", .softness = Spring{}});
    const BodyId egg = builder.add_body({.name = "egg"});
    builder.add_shape(egg, Ellipsoid{.radii = {0.1, 0.1, 0.2}}, {.name = "shell"});
    const BodyId arm = builder.add_body({.name = "arm", .position = {1, 0, 0}});
    builder.add_shape(arm, Sphere{.radius = 0.1});
    const JointId elbow = builder.add_joint(arm, {.name = "elbow", .damping = 1});
    builder.add_motor(elbow, {.name = "biceps"});
    const auto peer = make(builder);
    ASSERT_FALSE(peer.ok());
    const std::string text = to_text(peer.errors());
    for (const char* name : {"material 'rubber' is soft", "joint 'elbow' has damping", "actuator 'biceps'"})
        EXPECT_NE(text.find(name), std::string::npos) << text;
    EXPECT_NE(text.find(std::string(GetParam().name)), std::string::npos);
}

TEST_P(BodyPeers, the_same_model_runs_the_same_twice)
{
    const Model model = build_pyramid({.layers = 4, .gap = 0.2}).value();
    std::uint64_t hashes[2];
    for (std::uint64_t& seen : hashes)
    {
        const auto peer = GetParam().make(model, {});
        ASSERT_TRUE(peer.ok());
        peer.value()->step(100);
        State state(model);
        peer.value()->read(state);
        seen = hash(state);
        EXPECT_GT(peer.value()->contact_count(), 30);
        const BodyPeerTimes times = peer.value()->times();
        EXPECT_GT(times.broad, 0);
        EXPECT_GT(times.narrow, 0);
        EXPECT_GT(times.solve, 0);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

INSTANTIATE_TEST_SUITE_P(Engines, BodyPeers, testing::ValuesIn(all_body_peers().begin(), all_body_peers().end()),
                         [](const auto& engine) { return std::string(engine.param.name); });

TEST(BodyPeerRefusals, ode_names_a_shape_it_does_not_know)
{
    ModelBuilder builder;
    const BodyId egg = builder.add_body({.name = "egg"});
    builder.add_shape(egg, Ellipsoid{.radii = {0.1, 0.1, 0.2}}, {.name = "shell"});
    const Model model = builder.build().value();
    const auto peer = make_ode_peer(model);
    ASSERT_FALSE(peer.ok());
    if (peer.errors()[0].code == ErrorCode::io) GTEST_SKIP() << to_text(peer.errors());
    EXPECT_NE(to_text(peer.errors()).find("'shell' is a ellipsoid"), std::string::npos) << to_text(peer.errors());
}

}  // namespace
}  // namespace rattleback::lab
