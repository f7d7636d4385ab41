// Rigid groups and the floor that solvers share: who moves with whom, who never rests, what may be committed.
#include "solvers/shared/rigid_groups.h"
#include "solvers/shared/divergence.h"
#include "solvers/shared/free_joint.h"
#include "solvers/shared/sleep.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <limits>

namespace rattleback
{
namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Of half the angle between two rotations.
double find_sine(const Quat& a, const Quat& b)
{
    const Quat turn = a * conjugate(b);
    return norm(Vec3{turn.x, turn.y, turn.z});
}

struct Machine
{
    BodyId base, plate, bolt, arm, hand, cart, crane, torn;
    Model model;
};

/// A free base with two bodies fixed on it one after the other, an arm on a hinge with a fixed hand, a kinematic cart
/// with a crane on a hinge, and a body that a joint which may break holds to the base.
Machine make_machine()
{
    ModelBuilder builder;
    Machine m;
    const auto add = [&](const BodyOptions& options)
    {
        const BodyId body = builder.add_body(options);
        builder.add_shape(body, Sphere{.radius = 0.1}, {.density = 1000});
        return body;
    };
    const Quat tilt = from_axis_angle({1, 0, 0}, 0.3);
    m.base = add({.name = "base", .position = {0, 0, 1}});
    m.plate = add({.name = "plate", .parent = m.base, .position = {1, 0, 0}, .rotation = tilt});
    m.bolt = add({.name = "bolt", .parent = m.plate, .position = {0, 1, 0}, .rotation = tilt});
    m.arm = add({.name = "arm", .parent = m.plate, .position = {0, 0, 1}});
    const JointId elbow = builder.add_joint(m.arm, {.name = "elbow", .type = JointType::hinge, .axis = {0, 1, 0}});
    m.hand = add({.name = "hand", .parent = m.arm, .position = {0, 0, 1}});
    m.cart = add({.name = "cart", .position = {5, 0, 1}, .kind = BodyKind::kinematic});
    m.crane = add({.name = "crane", .parent = m.cart, .position = {0, 0, 1}});
    builder.add_joint(m.crane, {.name = "slewing", .type = JointType::hinge, .axis = {0, 0, 1}});
    m.torn = add({.name = "torn", .parent = m.base, .position = {-1, 0, 0}});
    builder.add_joint(m.torn, {.name = "seam", .type = JointType::fixed, .break_force = 10});
    builder.add_motor(elbow);
    m.model = builder.build().value();
    return m;
}

TEST(RigidGroups, hold_the_bodies_between_which_nothing_moves)
{
    const Machine m = make_machine();
    const RigidGroups groups = find_rigid_groups(m.model);
    const auto group = [&](BodyId body) { return groups.group_of_body[at(body)]; };
    EXPECT_EQ(groups.count(), 6) << "world, base, arm, cart, crane, torn";
    EXPECT_EQ(groups.root[0], 0);
    EXPECT_EQ(group(m.plate), group(m.base));
    EXPECT_EQ(group(m.bolt), group(m.base));
    EXPECT_EQ(group(m.hand), group(m.arm));
    EXPECT_NE(group(m.arm), group(m.base)) << "a hinge lies between";
    EXPECT_NE(group(m.crane), group(m.cart));
    EXPECT_NE(group(m.torn), group(m.base)) << "its joint may break";
    EXPECT_EQ(groups.kinematic_bodies, std::vector<int>{m.cart.index});
    const std::span<const int> bodies = groups.bodies_of(group(m.base));
    EXPECT_EQ(std::vector<int>(bodies.begin(), bodies.end()),
              (std::vector<int>{m.base.index, m.plate.index, m.bolt.index}));
}

TEST(RigidGroups, place_their_bodies_where_the_kinematics_place_them)
{
    const Machine m = make_machine();
    const RigidGroups groups = find_rigid_groups(m.model);
    const State state(m.model);
    for (int b = 0; b < m.model.body_count(); ++b)
    {
        const Pose& root = state.body_pose[at(groups.root[at(groups.group_of_body[at(b)])])];
        const Pose placed = root * groups.in_group[at(b)];
        EXPECT_LT(norm(placed.position - state.body_pose[at(b)].position), 1e-14);
        EXPECT_LT(find_sine(placed.rotation, state.body_pose[at(b)].rotation), 1e-14);
    }
}

TEST(SleepState, what_is_driven_or_carried_never_rests)
{
    const Machine m = make_machine();
    const std::vector<char> restless = find_restless_bodies(m.model);
    EXPECT_NE(restless[at(m.arm)], 0) << "a motor drives its joint";
    EXPECT_NE(restless[at(m.crane)], 0) << "a kinematic body carries it";
    for (const BodyId body : {m.base, m.plate, m.cart, m.torn}) EXPECT_EQ(restless[at(body)], 0);
}

TEST(Divergence, a_body_is_sound_when_all_its_numbers_are_finite_and_none_is_absurd)
{
    const Pose pose{{1, 2, 3}, normalized(Quat{1, 2, 3, 4})};
    const Velocity velocity{{1, 2, 3}, {4, 5, 6}};
    EXPECT_TRUE(is_sound_body(pose, velocity));
    for (const double bad : {std::nan(""), kInfinity, -kInfinity, 1e30})
    {
        for (int k = 0; k < 3; ++k)
        {
            Pose moved = pose;
            moved.position[k] = bad;
            EXPECT_FALSE(is_sound_body(moved, velocity));
            Velocity fast = velocity;
            fast.linear[k] = bad;
            EXPECT_FALSE(is_sound_body(pose, fast));
            fast = velocity;
            fast.angular[k] = bad;
            EXPECT_FALSE(is_sound_body(pose, fast));
        }
        Pose turned = pose;
        turned.rotation.w = bad;
        EXPECT_FALSE(is_sound_body(turned, velocity));
    }
}

TEST(FreeJoint, coordinates_place_the_body_where_its_pose_says)
{
    const Machine m = make_machine();
    State state(m.model);
    const Pose pose{{3, -1, 2}, normalized(Quat{1, -2, 3, 0.5})};
    const Vec3 velocity{1, 2, 3}, angular_velocity{-4, 5, 6};
    write_free_joint(pose, velocity, angular_velocity, state.q.data(), state.v.data());
    refresh_bodies(m.model, state.world(0));
    EXPECT_LT(norm(state.body_pose[at(m.base)].position - pose.position), 1e-15);
    EXPECT_LT(find_sine(state.body_pose[at(m.base)].rotation, pose.rotation), 1e-15);
    EXPECT_LT(norm(state.body_velocity[at(m.base)].linear - velocity), 1e-14) << "its centre is its origin";
    EXPECT_LT(norm(state.body_velocity[at(m.base)].angular - angular_velocity), 1e-14);
}

}  // namespace
}  // namespace rattleback
