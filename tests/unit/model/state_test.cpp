// State and Control: views, misuse, hashes that see every bit, and validation.
#include "support/throwing_checks.h"

#include <gtest/gtest.h>
#include <rattleback/builder.h>
#include <rattleback/control.h>
#include <rattleback/state.h>

#include <bit>
#include <stdexcept>

namespace rattleback
{
namespace
{

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A floating box, an arm on a ball joint with a hinged child and a filtered motor, and a kinematic lift.
Model make_model()
{
    ModelBuilder builder;
    const BodyId box = builder.add_body({.name = "box", .position = {1, 2, 3}});
    const BodyId arm = builder.add_body({.name = "arm"});
    const BodyId hand = builder.add_body({.name = "hand", .parent = arm, .position = {0, 0, 1}});
    for (const BodyId body : {box, arm, hand}) builder.add_shape(body, Sphere{0.1});
    builder.add_joint(arm, {.name = "shoulder", .type = JointType::ball});
    const JointId wrist = builder.add_joint(hand, {.name = "wrist"});
    builder.add_actuator(wrist, {.dynamics = ActuatorDynamics::filter});
    builder.add_body({.name = "lift", .position = {0, 5, 0}, .kind = BodyKind::kinematic});
    return builder.build().value();
}

/// A state of that model, written by hand so that these tests need no kinematics.
State make_state(const Model& model, int worlds)
{
    State state;
    state.world_count = worlds;
    state.q_count = model.q_count();
    state.v_count = model.v_count();
    state.act_count = model.act_count;
    state.body_count = model.body_count();
    const auto count = static_cast<std::size_t>(worlds);
    state.time.assign(count, 0.5);
    state.step.assign(count, 250);
    for (int world = 0; world < worlds; ++world)
        state.q.insert(state.q.end(), model.initial_q.begin(), model.initial_q.end());
    state.v.assign(count * model.initial_v.size(), 0.25);
    state.act.assign(count * static_cast<std::size_t>(model.act_count), 1);
    state.body_pose.resize(count * model.bodies.pose.size());
    state.body_velocity.resize(count * model.bodies.pose.size());
    return state;
}

TEST(State, a_world_view_shows_the_numbers_of_that_world_only)
{
    const Model model = make_model();
    State state = make_state(model, 3);
    const WorldView view = state.world(1);
    ASSERT_EQ(view.q.size(), static_cast<std::size_t>(model.q_count()));
    EXPECT_EQ(view.q.data(), state.q.data() + model.q_count());
    EXPECT_EQ(view.v.data(), state.v.data() + model.v_count());
    EXPECT_EQ(view.act.data(), state.act.data() + model.act_count);
    EXPECT_EQ(view.body_pose.data(), state.body_pose.data() + model.body_count());
    view.body_pose[2].position.x = 7;
    view.body_velocity[2].angular.z = 8;
    EXPECT_EQ(state.position(BodyId{2}, 1).x, 7);
    EXPECT_EQ(state.position(BodyId{2}, 0).x, 0);
    EXPECT_EQ(state.velocity(BodyId{2}, 1).angular.z, 8);
}

TEST(State, a_foreign_body_or_world_is_refused_with_its_number)
{
    const Model model = make_model();
    State state = make_state(model, 2);
    const ThrowingChecks checks;
    EXPECT_THROW(state.world(2), std::runtime_error);
    EXPECT_THROW(state.world(-1), std::runtime_error);
    EXPECT_THROW(state.pose(BodyId{}), std::runtime_error);
    EXPECT_THROW(state.velocity(BodyId{5}), std::runtime_error);
    EXPECT_THROW(state.pose(BodyId{1}, 2), std::runtime_error);
    EXPECT_NO_THROW(state.pose(BodyId{4}, 1));
    try
    {
        state.pose(BodyId{17});
    }
    catch (const std::runtime_error& error)
    {
        EXPECT_NE(std::string(error.what()).find("body 17"), std::string::npos);
    }
    state.q.pop_back();
    EXPECT_THROW(state.world(1), std::runtime_error) << "an array was shortened";
}

TEST(StateHash, sees_the_lowest_bit_of_every_number)
{
    const Model model = make_model();
    State state = make_state(model, 2);
    const std::uint64_t whole = hash(state), first = hash(state, 0), second = hash(state, 1);
    EXPECT_EQ(first, second) << "equal worlds have equal hashes";

    const auto flip = [&](double& number, bool in_second)
    {
        const double kept = number;
        number = std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) ^ 1);
        EXPECT_NE(hash(state), whole);
        EXPECT_EQ(hash(state, 0) == first, in_second);
        EXPECT_EQ(hash(state, 1) == second, !in_second);
        number = kept;
        EXPECT_EQ(hash(state), whole);
    };
    for (auto* list : {&state.time, &state.q, &state.v, &state.act})
    {
        for (std::size_t i = 0; i < list->size(); ++i) flip((*list)[i], i >= list->size() / 2);
    }
    for (std::size_t i = 0; i < state.body_pose.size(); ++i)
    {
        Pose& pose = state.body_pose[i];
        Velocity& velocity = state.body_velocity[i];
        for (double* number : {&pose.position.x, &pose.position.y, &pose.position.z, &pose.rotation.w, &pose.rotation.x,
                               &pose.rotation.y, &pose.rotation.z, &velocity.linear.x, &velocity.linear.y,
                               &velocity.linear.z, &velocity.angular.x, &velocity.angular.y, &velocity.angular.z})
            flip(*number, i >= state.body_pose.size() / 2);
    }
    ++state.step[1];
    EXPECT_NE(hash(state), whole);
    EXPECT_NE(hash(state, 1), second);
}

TEST(StateHash, sees_every_bit_of_a_number_and_the_sign_of_zero)
{
    const Model model = make_model();
    State state = make_state(model, 1);
    const std::uint64_t before = hash(state);
    for (int bit = 0; bit < 64; ++bit)
    {
        State other = state;
        other.v[3] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(state.v[3]) ^ (std::uint64_t{1} << bit));
        EXPECT_NE(hash(other), before) << bit;
    }
    state.v[0] = 0;
    State negative = state;
    negative.v[0] = -0.0;
    EXPECT_NE(hash(negative), hash(state));
}

TEST(StateHash, sees_numbers_that_change_places)
{
    const Model model = make_model();
    State state = make_state(model, 2);
    state.v[0] = 1;
    state.v[1] = 2;
    const std::uint64_t before = hash(state);
    std::swap(state.v[0], state.v[1]);
    EXPECT_NE(hash(state), before);
}

TEST(Validate, a_fresh_state_has_no_mistakes)
{
    const Model model = make_model();
    EXPECT_TRUE(validate(model, make_state(model, 2)).empty());
    EXPECT_FALSE(validate(model, State()).empty());
}

TEST(Validate, names_the_array_of_the_wrong_size)
{
    const Model model = make_model();
    State state = make_state(model, 2);
    state.act.pop_back();
    const auto errors = validate(model, state);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].message.find("act is 1 instead of 2"), std::string::npos) << errors[0].text();
}

TEST(Validate, names_world_and_element_of_every_bad_number_at_once)
{
    const Model model = make_model();
    State state = make_state(model, 2);
    const WorldView view = state.world(1);
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const int wrist = model.find_joint("wrist")->index, shoulder = model.find_joint("shoulder")->index;
    view.q[at(model.joints.q_begin[at(wrist)])] = kNan;
    view.v[at(model.joints.v_begin[at(wrist)])] = kUnbreakable;
    view.q[at(model.joints.q_begin[at(shoulder)])] = 1.01;  // w of a quaternion
    view.act[0] = kNan;
    view.body_pose[1].position.y = kNan;
    view.body_pose[2].rotation = {0.5, 0, 0, 0};
    view.body_velocity[3].linear.z = kNan;
    state.time[1] = kNan;

    std::string text = to_text(validate(model, state));
    for (const char* expected :
         {"world 1: the time", "world 1, joint 'wrist': q is not finite", "world 1, joint 'wrist': v is not finite",
          "world 1, joint 'shoulder': the quaternion", "world 1: an activation", "world 1, body 'box': the position",
          "world 1, body 'arm': the rotation", "world 1, body 'hand': the velocity"})
        EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
    EXPECT_EQ(validate(model, state).size(), 8u);
}

TEST(Control, is_zero_at_first_with_targets_at_the_authored_poses)
{
    const Model model = make_model();
    const Control control(model, 3);
    for (int world = 0; world < 3; ++world)
    {
        const ControlView view = control.world(world);
        EXPECT_EQ(view.input.size(), 1u);
        EXPECT_EQ(view.joint_force.size(), static_cast<std::size_t>(model.v_count()));
        EXPECT_EQ(view.body_wrench.size(), static_cast<std::size_t>(model.body_count()));
        ASSERT_EQ(view.target.size(), 1u);
        EXPECT_EQ(view.target[0].position, (Vec3{0, 5, 0}));
        for (const double force : view.joint_force) EXPECT_EQ(force, 0);
        for (const Wrench& wrench : view.body_wrench) EXPECT_EQ(wrench, Wrench{});
    }
}

TEST(Control, a_view_shows_its_world_and_refuses_others)
{
    const Model model = make_model();
    Control control(model, 2);
    control.input[1] = 4;
    EXPECT_EQ(control.world(1).input[0], 4);
    EXPECT_EQ(control.world(0).input[0], 0);
    const ThrowingChecks checks;
    EXPECT_THROW(control.world(2), std::runtime_error);
    EXPECT_THROW(Control(model, -1), std::runtime_error);
}

}  // namespace
}  // namespace rattleback
