// The reference dynamics against closed forms from textbooks, on models filled by hand.
#include "support/reference_dynamics.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kExact = 1e-14;

// Fills the parts of a Model that the reference reads.
struct HandModel
{
    Model model;

    HandModel()
    {
        add_body(-1, {}, 0, {}, {});
        model.tendons.item_begin = {0};
        model.settings.gravity = {0, 0, -10};
    }

    int add_body(int parent, const Pose& pose, double mass, const Vec3& centre, const Vec3& inertia)
    {
        Bodies& bodies = model.bodies;
        bodies.parent.push_back(parent);
        bodies.kind.push_back(BodyKind::dynamic);
        bodies.pose.push_back(pose);
        bodies.mass.push_back(mass);
        bodies.inertia.push_back(inertia);
        bodies.inertial_pose.push_back({centre, {}});
        bodies.gravity_compensation.push_back(0);
        if (bodies.joint_begin.empty()) bodies.joint_begin.push_back(0);
        bodies.joint_begin.push_back(bodies.joint_begin.back());
        return model.body_count() - 1;
    }

    // On the body added last.
    int add_joint(JointType type, const Vec3& axis = {0, 0, 1}, const Vec3& position = {})
    {
        const int joint = model.joint_count(), body = model.body_count() - 1;
        Joints& joints = model.joints;
        joints.q_begin.push_back(model.q_count());
        joints.v_begin.push_back(model.v_count());
        joints.type.push_back(type);
        joints.body.push_back(body);
        joints.axis.push_back(axis);
        joints.position.push_back(position);
        joints.stiffness.push_back(0);
        joints.stiffness_polynomial.push_back({});
        joints.spring_yield.push_back(0);
        joints.plastic_begin.push_back(-1);
        joints.actuator_force_range.push_back({});
        joints.gravity_compensation_by_actuator.push_back(0);
        model.bodies.joints_of_body.push_back(joint);
        ++model.bodies.joint_begin.back();
        const bool turns = type == JointType::free || type == JointType::ball;
        const int straight = type == JointType::free ? 3 : turns ? 0 : 1;
        for (int i = 0; i < straight; ++i) model.q0.push_back(0);
        for (int i = 0; turns && i < 4; ++i) model.q0.push_back(i == 0 ? 1 : 0);
        for (int i = 0; i < straight + (turns ? 3 : 0); ++i)
        {
            model.dofs.body.push_back(body);
            model.dofs.joint.push_back(joint);
            model.dofs.armature.push_back(0);
            model.dofs.damping.push_back(0);
            model.dofs.damping_polynomial.push_back({});
        }
        model.spring_q = model.q0;
        return joint;
    }

    int add_site(int body, const Pose& pose)
    {
        model.sites.body.push_back(body);
        model.sites.pose.push_back(pose);
        return model.site_count() - 1;
    }

    int add_tendon(TendonType type, const std::vector<TendonItem>& items)
    {
        Tendons& tendons = model.tendons;
        tendons.type.push_back(type);
        tendons.items.insert(tendons.items.end(), items.begin(), items.end());
        tendons.item_begin.push_back(static_cast<int>(tendons.items.size()));
        tendons.stiffness.push_back(0);
        tendons.damping.push_back(0);
        tendons.stiffness_polynomial.push_back({});
        tendons.damping_polynomial.push_back({});
        tendons.spring_yield.push_back(0);
        tendons.plastic_begin.push_back(-1);
        tendons.armature.push_back(0);
        tendons.spring_length.push_back({-1, -1});
        tendons.actuator_force_range.push_back({});
        return model.tendon_count() - 1;
    }

    int add_actuator(TransmissionType transmission, int target, const std::array<double, 6>& gear)
    {
        Actuators& actuators = model.actuators;
        actuators.transmission.push_back(transmission);
        actuators.target.push_back(target);
        actuators.gear.push_back(gear);
        actuators.gain.push_back({1, 0, 0});
        actuators.bias.push_back({0, 0, 0});
        actuators.dynamics.push_back(ActuatorDynamics::none);
        actuators.time_constant.push_back(1);
        actuators.act_begin.push_back(-1);
        actuators.input_range.push_back({});
        actuators.force_range.push_back({});
        actuators.act_range.push_back({});
        actuators.act_early.push_back(0);
        actuators.reference.push_back(-1);
        actuators.gain_law.push_back(ActuatorLaw::affine);
        actuators.bias_law.push_back(ActuatorLaw::affine);
        actuators.act_size.push_back(0);
        actuators.period.push_back(0);
        actuators.history_begin.push_back(-1);
        return model.actuator_count() - 1;
    }
};

HandModel make_rotating_slider()
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::hinge, {0, 0, 1});
    hand.add_joint(JointType::slide, {1, 0, 0});
    return hand;
}

TEST(ReferenceDynamics, a_pendulum_has_the_moment_of_inertia_of_steiner_and_the_torque_of_its_weight)
{
    HandModel hand;
    hand.add_body(0, {{1, 2, 3}, {}}, 2, {0, 0, -0.7}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::hinge, {0, 1, 0});
    const std::vector<double> q{0.4}, v{3.0};
    const ReferenceResult result = compute_reference(hand.model, q, v);
    EXPECT_NEAR(result.mass_matrix[0], 2 * 0.7 * 0.7 + 0.2, kExact);
    EXPECT_NEAR(result.bias[0], 2 * 10 * 0.7 * std::sin(0.4), 10 * kExact);
    EXPECT_NEAR(result.bias_without_gravity[0], 0, kExact);
    EXPECT_NEAR(result.acceleration[0], -result.bias[0] / result.mass_matrix[0], 10 * kExact);
    EXPECT_NEAR(result.kinetic_energy, 0.5 * result.mass_matrix[0] * 9, 10 * kExact);
    EXPECT_NEAR(result.gravity_energy, 2 * 10 * (3 - 0.7 * std::cos(0.4)), 10 * kExact);
}

TEST(ReferenceDynamics, an_anchor_stays_where_it_is_while_the_body_turns)
{
    HandModel hand;
    hand.add_body(0, {{1, 0, 0}, {}}, 1, {}, {1, 1, 1});
    hand.add_joint(JointType::hinge, {0, 0, 1}, {0.5, 0, 0});
    hand.model.q0[0] = 0.1;
    const std::vector<double> q{0.1 + kPi / 2}, v{2.0};
    const ReferenceResult result = compute_reference(hand.model, q, v);
    EXPECT_NEAR(result.position[1].x, 1.5, kExact);
    EXPECT_NEAR(result.position[1].y, -0.5, kExact);
    EXPECT_NEAR(result.velocity[1].linear.x, 1, kExact);  // w x r, r = (0, -0.5)
    EXPECT_NEAR(result.acceleration_0[1].linear.y, 2, kExact);
    EXPECT_NEAR(result.jacobian[6], 0.5, kExact);
}

TEST(ReferenceDynamics, a_double_pendulum_has_the_textbook_equations)
{
    const double m1 = 1.3, m2 = 0.8, l1 = 0.9, c1 = 0.4, c2 = 0.6, i1 = 0.05, i2 = 0.07, g = 10;
    HandModel hand;
    hand.add_body(0, {}, m1, {0, 0, -c1}, {0.5, i1, 0.6});
    hand.add_joint(JointType::hinge, {0, 1, 0});
    hand.add_body(1, {{0, 0, -l1}, {}}, m2, {0, 0, -c2}, {0.4, i2, 0.3});
    hand.add_joint(JointType::hinge, {0, 1, 0});
    const std::vector<double> q{0.7, -1.1}, v{1.5, -2.5};
    const ReferenceResult result = compute_reference(hand.model, q, v);

    const double h = m2 * l1 * c2;
    const double m12 = i2 + m2 * c2 * c2 + h * std::cos(q[1]);
    EXPECT_NEAR(result.mass_matrix[0], i1 + i2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2) + 2 * h * std::cos(q[1]),
                kExact);
    EXPECT_NEAR(result.mass_matrix[1], m12, kExact);
    EXPECT_NEAR(result.mass_matrix[2], m12, kExact);
    EXPECT_NEAR(result.mass_matrix[3], i2 + m2 * c2 * c2, kExact);
    const double s = std::sin(q[1]), weight_2 = m2 * g * c2 * std::sin(q[0] + q[1]);
    EXPECT_NEAR(result.bias_without_gravity[0], -h * s * (2 * v[0] * v[1] + v[1] * v[1]), 10 * kExact);
    EXPECT_NEAR(result.bias_without_gravity[1], h * s * v[0] * v[0], 10 * kExact);
    EXPECT_NEAR(result.bias[0] - result.bias_without_gravity[0], (m1 * c1 + m2 * l1) * g * std::sin(q[0]) + weight_2,
                10 * kExact);
    EXPECT_NEAR(result.bias[1] - result.bias_without_gravity[1], weight_2, 10 * kExact);
}

TEST(ReferenceDynamics, a_slider_on_a_turning_arm_feels_coriolis_and_centrifugal_forces)
{
    const HandModel hand = make_rotating_slider();
    const std::vector<double> q{0.3, 0.8}, v{1.7, -0.6};
    const ReferenceResult result = compute_reference(hand.model, q, v);
    EXPECT_NEAR(result.mass_matrix[0], 0.3 + 2 * 0.8 * 0.8, kExact);
    EXPECT_NEAR(result.mass_matrix[3], 2, kExact);
    EXPECT_NEAR(result.bias[0], 2 * 2 * 0.8 * 1.7 * -0.6, 10 * kExact);
    EXPECT_NEAR(result.bias[1], -2 * 0.8 * 1.7 * 1.7, 10 * kExact);
    EXPECT_NEAR(result.angular_momentum.z, 1.7 * result.mass_matrix[0], 10 * kExact);
}

TEST(ReferenceDynamics, a_slider_on_a_turning_kinematic_table_is_thrown_outwards)
{
    HandModel hand;
    hand.add_body(0, {}, 1, {}, {1, 1, 1});
    hand.model.bodies.kind[1] = BodyKind::kinematic;
    hand.add_body(1, {}, 2, {}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::slide, {1, 0, 0});
    const std::vector<double> q{0.8}, v{0.0};
    const std::vector<Pose> pose(3);
    const std::vector<Velocity> velocity(3, {{}, {0, 0, 3}});
    const ReferenceResult result =
        compute_reference(hand.model, q, v, {}, {}, {.body_pose = pose, .body_velocity = velocity});
    EXPECT_NEAR(result.acceleration[0], 0.8 * 9, 10 * kExact);
    EXPECT_NEAR(result.velocity[2].linear.y, 2.4, kExact);
}

TEST(ReferenceDynamics, a_free_body_obeys_eulers_equations_and_falls)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {0.1, 0.2, 0.35});
    hand.add_joint(JointType::free);
    const std::vector<double> q{1.0, 2.0, 3.0, 0.5, -0.5, 0.5, 0.5}, v{0.1, 0.2, 0.3, 1.0, -2.0, 3.0};
    const ReferenceResult result = compute_reference(hand.model, q, v);
    EXPECT_NEAR(result.acceleration[2], -10, kExact);
    EXPECT_NEAR(result.acceleration[3], (0.2 - 0.35) * -2 * 3 / 0.1, 100 * kExact);
    EXPECT_NEAR(result.acceleration[4], (0.35 - 0.1) * 3 * 1 / 0.2, 100 * kExact);
    EXPECT_NEAR(result.acceleration[5], (0.1 - 0.2) * 1 * -2 / 0.35, 100 * kExact);
    // The quaternion (1, -1, 1, 1) / 2 takes x to -z, y to -x and z to y.
    EXPECT_NEAR(result.velocity[1].angular.x, 2, kExact);
    EXPECT_NEAR(result.velocity[1].angular.y, 3, kExact);
    EXPECT_NEAR(result.velocity[1].angular.z, -1, kExact);
}

TEST(ReferenceDynamics, a_spherical_pendulum_on_a_ball_joint_keeps_its_conical_motion)
{
    // A point mass on a massless rod of length l circles steadily at w^2 = g / (l cos a).
    const double l = 0.5, a = 0.6, w = std::sqrt(10 / (l * std::cos(a)));
    HandModel hand;
    hand.add_body(0, {}, 3, {0, 0, -l}, {1e-9, 1e-9, 1e-9});
    hand.add_joint(JointType::ball);
    const std::vector<double> q{std::cos(a / 2), 0.0, std::sin(a / 2), 0.0};
    const std::vector<double> v{-w * std::sin(a), 0.0, w * std::cos(a)};  // w z in body axes
    const ReferenceResult result = compute_reference(hand.model, q, v);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.acceleration[at(i)], 0, 1e-7);  // the inertia is not quite zero
    EXPECT_NEAR(result.velocity[1].angular.z, w, kExact);
    EXPECT_NEAR(result.velocity[1].angular.x, 0, kExact);
}

TEST(ReferenceDynamics, a_tendon_through_pulleys_adds_its_branches_divided)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {1, 1, 1});
    hand.add_joint(JointType::slide, {0, 0, 1});
    const int top = hand.add_site(0, {{0, 0, 2}, {}}), aside = hand.add_site(0, {{3, 0, 0}, {}});
    const int load = hand.add_site(1, {});
    const int tendon =
        hand.add_tendon(TendonType::spatial, {{-1, top, 0}, {-1, load, 0}, {-1, -1, 2}, {-1, aside, 0}, {-1, load, 0}});
    hand.model.tendons.stiffness[at(tendon)] = 7;
    hand.model.tendons.damping[at(tendon)] = 0.5;
    hand.model.tendons.armature[at(tendon)] = 0.3;
    hand.model.tendons.spring_length[at(tendon)] = {1, 2};
    const double z = -4, u = 2, jacobian = -1 + 0.5 * z / 5;
    const ReferenceResult result = compute_reference(hand.model, std::array{z}, std::array{u});
    EXPECT_NEAR(result.tendon_length[0], 6 + 0.5 * 5, kExact);
    EXPECT_NEAR(result.tendon_jacobian[0], jacobian, kExact);
    EXPECT_NEAR(result.tendon_acceleration_0[0], 0.5 * (9.0 / 125) * u * u, kExact);  // d'' = 9 / d^3
    EXPECT_NEAR(result.spring[0], -7 * (8.5 - 2) * jacobian, 10 * kExact);
    EXPECT_NEAR(result.damper[0], -0.5 * u * jacobian * jacobian, 10 * kExact);
    EXPECT_NEAR(result.mass_matrix[0], 2 + 0.3 * jacobian * jacobian, kExact);
    EXPECT_NEAR(result.bias_without_gravity[0], 0.3 * jacobian * 0.5 * (9.0 / 125) * u * u, kExact);
    EXPECT_NEAR(result.spring_energy, 0.5 * 7 * 6.5 * 6.5, 100 * kExact);
}

TEST(ReferenceDynamics, a_ball_spring_pulls_back_along_the_rotation_vector_even_near_a_half_turn)
{
    HandModel hand;
    hand.add_body(0, {}, 1, {}, {1, 1, 1});
    hand.add_joint(JointType::ball);
    hand.model.joints.stiffness = {3};
    for (const double angle : {1e-9, 0.1, 1.0, 2.9, 3.1415})
    {
        const double s = std::sin(angle / 2) / 3;
        const ReferenceResult result =
            compute_reference(hand.model, std::array{std::cos(angle / 2), s, -2 * s, 2 * s}, std::array{0.0, 0.0, 0.0});
        EXPECT_NEAR(result.spring[0], -3 * angle / 3, 1e-13);
        EXPECT_NEAR(result.spring[1], 3 * angle * 2 / 3, 1e-13);
        EXPECT_NEAR(result.spring[2], -3 * angle * 2 / 3, 1e-13);
    }
}

TEST(ReferenceDynamics, an_actuator_multiplies_gain_and_signal_adds_bias_and_is_clamped_three_times)
{
    HandModel hand = make_rotating_slider();
    const int motor = hand.add_actuator(TransmissionType::joint, 1, {2, 0, 0, 0, 0, 0});
    hand.model.actuators.gain[at(motor)] = {3, 0.5, -0.25};
    hand.model.actuators.bias[at(motor)] = {0.1, 0.2, 0.3};
    hand.model.actuators.input_range[at(motor)] = {true, -1, 1};
    const std::vector<double> q{0.3, 0.8}, v{1.7, -0.6}, input{5.0};
    const ControlView control{.input = input};
    // Length 1.6, velocity -1.2, input 1.
    const double force = 3 + 0.5 * 1.6 + 0.25 * 1.2 + 0.1 + 0.2 * 1.6 - 0.3 * 1.2;
    EXPECT_NEAR(compute_reference(hand.model, q, v, {}, control).actuator[1], 2 * force, 10 * kExact);
    hand.model.actuators.force_range[at(motor)] = {true, -2, 2};
    EXPECT_NEAR(compute_reference(hand.model, q, v, {}, control).actuator[1], 4, kExact);
    hand.model.joints.actuator_force_range[1] = {true, -1.5, 1.5};
    EXPECT_NEAR(compute_reference(hand.model, q, v, {}, control).actuator[1], 1.5, kExact);
}

TEST(ReferenceDynamics, activations_follow_their_filter_and_may_act_early)
{
    HandModel hand = make_rotating_slider();
    const int motor = hand.add_actuator(TransmissionType::joint, 1, {1, 0, 0, 0, 0, 0});
    Actuators& actuators = hand.model.actuators;
    actuators.dynamics[at(motor)] = ActuatorDynamics::filter_exact;
    actuators.time_constant[at(motor)] = 0.1;
    actuators.act_begin[at(motor)] = 0;
    actuators.act_size[at(motor)] = 1;
    hand.model.act_count = 1;
    const std::vector<double> q{0.3, 0.8}, v{1.7, -0.6}, input{2.0}, act{0.5};
    const ControlView control{.input = input};
    const ReferenceResult late = compute_reference(hand.model, q, v, act, control);
    EXPECT_NEAR(late.act_rate[0], 15, 10 * kExact);
    EXPECT_NEAR(late.actuator[1], 0.5, kExact);
    actuators.act_early[at(motor)] = 1;
    const ReferenceResult early = compute_reference(hand.model, q, v, act, control, {.dt = 0.1});
    EXPECT_NEAR(early.actuator[1], 2 - 1.5 * std::exp(-1.0), kExact);
}

TEST(ReferenceDynamics, a_thruster_at_a_site_pushes_along_the_axes_of_the_site)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::free);
    const double r = std::sqrt(0.5);
    const int site = hand.add_site(1, {{0.5, 0, 0}, {r, 0, 0, r}});  // a quarter turn about z: the site's x is y
    hand.add_actuator(TransmissionType::site, site, {4, 0, 0, 0, 0, 7});
    const std::vector<double> q{1.0, 2.0, 3.0, r, r, 0.0, 0.0}, v{0.1, 0.2, 0.3, 1.0, -2.0, 3.0}, input{1.0};
    const ReferenceResult result = compute_reference(hand.model, q, v, {}, {.input = input});
    // The body's y points along the world's z; in body axes the torque is (0.5, 0, 0) x (0, 4, 0) + (0, 0, 7).
    const std::array expected{0.0, 0.0, 4.0, 0.0, 0.0, 9.0};
    double velocity = 0;
    for (std::size_t i = 0; i < 6; ++i)
    {
        EXPECT_NEAR(result.actuator[i], expected[i], 10 * kExact);
        velocity += expected[i] * v[i];
    }
    EXPECT_NEAR(result.actuator_velocity[0], velocity, 10 * kExact);
}

TEST(ReferenceDynamics, torques_in_the_parents_axes_turn_with_the_joint)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::ball);
    hand.add_actuator(TransmissionType::joint_in_parent, 0, {0, 0, 4, 0, 0, 0});
    const double r = std::sqrt(0.5);
    const std::vector<double> q{r, r, 0.0, 0.0}, v{0.0, 0.0, 0.0}, input{1.0};
    const ReferenceResult result = compute_reference(hand.model, q, v, {}, {.input = input});
    EXPECT_NEAR(result.actuator[1], 4, kExact);  // the parent's z is the body's y
    EXPECT_NEAR(result.actuator[2], 0, kExact);
}

TEST(ReferenceDynamics, a_ball_joints_actuator_has_no_length_unless_asked_for_mujocos)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::ball);
    const int motor = hand.add_actuator(TransmissionType::joint, 0, {2, 1, 0, 0, 0, 0});
    hand.model.actuators.bias[at(motor)] = {0, -1, 0};
    const std::vector<double> q{std::cos(0.3), std::sin(0.3), 0, 0}, v{0, 0, 0};
    EXPECT_EQ(compute_reference(hand.model, q, v).actuator_force[0], 0);
    const ReferenceResult result = compute_reference(hand.model, q, v, {}, {}, {.ball_actuator_length = true});
    EXPECT_NEAR(result.actuator_length[0], 2 * 0.6, kExact);
    EXPECT_NEAR(result.actuator[1], -2 * 0.6, kExact);
}

TEST(ReferenceDynamics, a_tendon_scales_its_actuators_to_its_own_bound)
{
    HandModel hand = make_rotating_slider();
    const int tendon = hand.add_tendon(TendonType::fixed, {{0, -1, 2}, {1, -1, -3}});
    hand.add_actuator(TransmissionType::tendon, tendon, {1, 0, 0, 0, 0, 0});
    hand.add_actuator(TransmissionType::tendon, tendon, {1, 0, 0, 0, 0, 0});
    hand.model.tendons.actuator_force_range[at(tendon)] = {true, -2, 2};
    const std::vector<double> q{0.3, 0.8}, v{1.7, -0.6}, input{6.0, -1.0};
    const ReferenceResult result = compute_reference(hand.model, q, v, {}, {.input = input});
    EXPECT_NEAR(result.tendon_length[0], 2 * 0.3 - 3 * 0.8, kExact);
    EXPECT_NEAR(result.actuator_force[0], 6 * 0.4, kExact);
    EXPECT_NEAR(result.actuator_force[1], -0.4, kExact);
    EXPECT_NEAR(result.actuator[0], 4, kExact);
    EXPECT_NEAR(result.actuator[1], -6, kExact);
}

TEST(ReferenceDynamics, full_gravity_compensation_holds_a_pendulum_and_counts_as_actuator_force_where_asked)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {0, 0, -0.7}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::hinge, {0, 1, 0});
    hand.model.bodies.gravity_compensation[1] = 1;
    const std::vector<double> q{0.4}, v{0.0};
    const double weight = 2 * 10 * 0.7 * std::sin(0.4);
    const ReferenceResult passive = compute_reference(hand.model, q, v);
    EXPECT_NEAR(passive.acceleration[0], 0, kExact);
    EXPECT_NEAR(passive.passive[0], weight, 10 * kExact);
    hand.model.joints.gravity_compensation_by_actuator[0] = 1;
    hand.model.joints.actuator_force_range[0] = {true, -1, 1};
    const ReferenceResult active = compute_reference(hand.model, q, v);
    EXPECT_NEAR(active.passive[0], 0, kExact);
    EXPECT_NEAR(active.actuator[0], 1, kExact);
}

TEST(ReferenceDynamics, a_wrench_at_the_centre_of_mass_and_a_joint_force_add_up)
{
    HandModel hand;
    hand.add_body(0, {}, 2, {0, 0, -0.7}, {0.1, 0.2, 0.3});
    hand.add_joint(JointType::hinge, {0, 1, 0});
    std::vector<Wrench> wrench(2);
    wrench[1] = {{3, 0, 0}, {0, 5, 0}};
    const std::vector<double> q{0.0}, v{0.0}, force{0.25};
    const ControlView control{.joint_force = force, .body_wrench = wrench};
    const ReferenceResult result = compute_reference(hand.model, q, v, {}, control);
    EXPECT_NEAR(result.applied[0], 0.25 + 5 - 3 * 0.7, kExact);
}

TEST(ReferenceDynamics, the_dense_solver_refuses_an_indefinite_matrix)
{
    EXPECT_TRUE(solve_dense(std::array{1.0, 2.0, 2.0, 1.0}, std::array{1.0, 1.0}).empty());
    const std::vector<double> x = solve_dense(std::array{4.0, 1.0, 1.0, 3.0}, std::array{1.0, 2.0});
    EXPECT_NEAR(x[0], 1.0 / 11, kExact);
    EXPECT_NEAR(x[1], 7.0 / 11, kExact);
}

}  // namespace
}  // namespace rattleback
