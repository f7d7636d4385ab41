// Constraint rows against finite differences and closed forms.
#include "base/index.h"
#include "row_scene.h"

#include "dynamics/impedance.h"
#include "support/random_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace rattleback
{
namespace
{

/// Two branching arms on a free base, a loose body, tendons, and every kind of equality and limit; no shapes touch.
constexpr const char* kMechanism = R"(<mujoco>
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="base" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.12 0.1"/>
      <body name="arm" pos="0.1 0 0">
        <joint name="shoulder" type="ball" limited="true" range="0 0.01" margin="4" frictionloss="0.2"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
        <site name="s1" pos="0.15 0 0.05"/>
        <body name="hand" pos="0.3 0 0">
          <joint name="elbow" axis="0 1 0.2" limited="true" range="-0.3 0.3" margin="4" ref="0.1"/>
          <joint name="finger" type="slide" axis="1 0 0" limited="true" range="-0.1 0.02" margin="2"/>
          <geom type="capsule" size="0.03" fromto="0 0 0 0.2 0 -0.1"/>
          <site name="s2" pos="0.1 0 0.05"/>
        </body>
        <body name="twin" pos="0.25 0.2 0">
          <joint name="twist" axis="1 1 0"/>
          <geom type="capsule" size="0.03 0.1"/>
          <site name="s3" pos="0.02 0.1 0.1"/>
        </body>
      </body>
    </body>
    <body name="loose" pos="0.5 0.5 0.5"><freejoint/><geom size="0.1"/></body>
    <body name="post" pos="1 0 0"><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum" limited="true" range="-0.05 0.05" margin="9" frictionloss="0.4"><joint joint="elbow" coef="0.5"/><joint joint="twist" coef="-0.7"/></fixed>
    <spatial name="string" limited="true" range="0.1 0.3" margin="9"><site site="s3"/><site site="s2"/></spatial>
  </tendon>
  <equality>
    <connect body1="hand" body2="loose" anchor="0.05 0 0.02"/>
    <connect body1="twin" body2="hand" anchor="0 0.1 0"/>
    <weld body1="hand" body2="loose" torquescale="2.5" anchor="0.1 0.2 0.3"/>
    <weld body1="loose" relpose="0.1 0 0.2 0.9 0.1 0.2 0" torquescale="0.3"/>
    <weld body1="twin" body2="arm" relpose="0.1 0 0.2 0.9 0.1 0.2 0"/>
    <weld body1="post"/>
    <weld body1="loose" body2="base" active="false"/>
    <joint joint1="elbow" joint2="finger" polycoef="0.1 0.5 0.3 -2 5"/>
    <joint joint1="twist" polycoef="0.2 0 0 0 0"/>
    <tendon tendon1="string" tendon2="sum" polycoef="0.1 0.5 0.3 -2 5"/>
  </equality>
</mujoco>)";

void set_random_state(RowScene& scene, std::uint64_t seed)
{
    const RandomState random = make_random_state(scene.model, seed);
    scene.state.q = random.q;
    scene.state.v = random.v;
    scene.evaluate();
}

std::vector<double> make_dense(const ConstraintRows& rows, int dofs)
{
    std::vector<double> dense(at(rows.count()) * at(dofs));
    for (int row = 0; row < rows.count(); ++row)
    {
        for (int k = rows.begin[at(row)]; k < rows.begin[at(row) + 1]; ++k)
            dense[at(row) * at(dofs) + at(rows.column[at(k)])] = rows.value[at(k)];
    }
    return dense;
}

/// A unit velocity of one dof.
std::vector<double> unit(const Model& model, int dof)
{
    std::vector<double> v(at(model.v_count()));
    v[at(dof)] = 1;
    return v;
}

TEST(Rows, jacobians_are_the_derivatives_of_residuals)
{
    constexpr double kStep = 1e-6;
    RowScene scene(kMechanism);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        set_random_state(scene, seed);
        const int dofs = scene.model.v_count(), rows = scene.rows.count();
        ASSERT_GE(rows, 30);
        const std::vector<double> jacobian = make_dense(scene.rows, dofs), q = scene.state.q;
        for (int d = 0; d < dofs; ++d)
        {
            scene.displace(unit(scene.model, d), kStep);
            scene.evaluate();
            const std::vector<double> ahead = scene.rows.position;
            scene.state.q = q;
            scene.displace(unit(scene.model, d), -kStep);
            scene.evaluate();
            const std::vector<double> behind = scene.rows.position;
            scene.state.q = q;
            for (int row = 0; row < rows; ++row)
            {
                if (scene.rows.kind[at(row)] == RowKind::dry_friction) continue;
                const double slope = (ahead[at(row)] - behind[at(row)]) / (2 * kStep);
                EXPECT_NEAR(jacobian[at(row) * at(dofs) + at(d)], slope, 1e-7) << "row " << row << ", dof " << d;
            }
        }
    }
}

TEST(Rows, velocities_are_jacobian_times_v)
{
    RowScene scene(kMechanism);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        set_random_state(scene, seed);
        const std::vector<double> jacobian = make_dense(scene.rows, scene.model.v_count());
        for (int row = 0; row < scene.rows.count(); ++row)
        {
            double sum = 0;
            for (int d = 0; d < scene.model.v_count(); ++d)
                sum += jacobian[at(row * scene.model.v_count() + d)] * scene.state.v[at(d)];
            EXPECT_NEAR(scene.rows.velocity[at(row)], sum, 1e-12);
        }
    }
}

TEST(Rows, references_of_connects_and_welds_allow_for_the_acceleration_of_the_moving_frames)
{
    constexpr double kStep = 1e-5;
    RowScene scene(kMechanism);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        set_random_state(scene, seed);
        const ConstraintRows rows = scene.rows;
        const std::vector<double> q = scene.state.q;
        scene.displace(scene.state.v, kStep);
        scene.evaluate();
        const std::vector<double> ahead = scene.rows.velocity;
        scene.state.q = q;
        scene.displace(scene.state.v, -kStep);
        scene.evaluate();
        const std::vector<double> behind = scene.rows.velocity;
        scene.state.q = q;
        int compared = 0;
        for (int row = 0; row < rows.ends.equality; ++row)
        {
            const int equality = rows.element[at(row)];
            const EqualityType type = scene.model.equalities.type[at(equality)];
            if (type != EqualityType::connect && type != EqualityType::weld) continue;
            double square = 0;
            for (int k = 0; k < rows.ends.equality; ++k)
            {
                if (rows.element[at(k)] == equality) square += rows.position[at(k)] * rows.position[at(k)];
            }
            const RowResponse response =
                respond_tie(scene.model.equalities.softness[at(equality)], std::sqrt(square), scene.options.dt, true);
            const double product = -rows.reference[at(row)] - response.damping * rows.velocity[at(row)] -
                                   response.stiffness * rows.position[at(row)];
            const double slope = (ahead[at(row)] - behind[at(row)]) / (2 * kStep);
            EXPECT_NEAR(product, slope, 2e-7 * std::max(1.0, std::abs(slope))) << "row " << row;
            ++compared;
        }
        EXPECT_EQ(compared, 3 + 3 + 6 + 6 + 6);
    }
}

TEST(Rows, what_is_inactive_or_moved_by_nothing_has_no_rows)
{
    RowScene scene(kMechanism);
    set_random_state(scene, 1);
    const std::set<int> present(scene.rows.element.begin(), scene.rows.element.begin() + scene.rows.ends.equality);
    EXPECT_EQ(present, (std::set<int>{0, 1, 2, 3, 4, 7, 8, 9}));
    scene.options = {.equality = false, .dry_friction = false, .limits = false, .contacts = false};
    scene.evaluate();
    EXPECT_EQ(scene.rows.count(), 0);
    scene.options = {.equality = false, .limits = false};
    scene.evaluate();
    EXPECT_EQ(scene.rows.ends.dof_friction, 3);
    EXPECT_EQ(scene.rows.ends.tendon_friction, 4);
    EXPECT_EQ(scene.rows.count(), 4);
    for (const double loss : {0, 1, 2}) EXPECT_EQ(scene.rows.loss[at(static_cast<int>(loss))], 0.2);
    EXPECT_EQ(scene.rows.loss[3], 0.4);
}

TEST(Rows, columns_increase_and_rows_come_in_the_order_of_kinds)
{
    RowScene scene(kMechanism);
    set_random_state(scene, 2);
    const ConstraintRows& rows = scene.rows;
    for (int row = 0; row < rows.count(); ++row)
    {
        EXPECT_LT(rows.begin[at(row)], rows.begin[at(row) + 1]);
        for (int k = rows.begin[at(row)] + 1; k < rows.begin[at(row) + 1]; ++k)
            EXPECT_LT(rows.column[at(k - 1)], rows.column[at(k)]);
        EXPECT_LE(rows.kind[at(std::max(0, row - 1))], rows.kind[at(row)]);
        EXPECT_DOUBLE_EQ(rows.stiffness[at(row)] * rows.regulariser[at(row)], 1);
    }
    EXPECT_LE(rows.ends.equality, rows.ends.dof_friction);
    EXPECT_LT(rows.ends.tendon_friction, rows.ends.joint_limit);
    EXPECT_EQ(rows.ends.contact, rows.count());
}

TEST(Rows, the_exact_diagonal_is_that_of_the_inverse_inertia_in_row_space)
{
    RowScene scene(kMechanism);
    scene.options.exact_diagonal = true;
    set_random_state(scene, 3);
    const std::vector<double> jacobian = make_dense(scene.rows, scene.model.v_count());
    const std::size_t n = at(scene.model.v_count());
    for (std::size_t row = 0; row < at(scene.rows.count()); ++row)
    {
        std::vector<double> x(jacobian.begin() + static_cast<long>(row * n),
                              jacobian.begin() + static_cast<long>(row * n + n));
        solve_in_place<double>(scene.w, x);
        double sum = 0;
        for (std::size_t d = 0; d < n; ++d) sum += x[d] * jacobian[row * n + d];
        EXPECT_NEAR(scene.rows.diagonal[row], sum, 1e-12 * std::max(1.0, sum));
    }
}

/// A contact at a point of two bodies.
Contact touch(int first, int second, const Vec3& point, const Vec3& normal, int dimension)
{
    Contact contact;
    contact.first_body = BodyId{first};
    contact.second_body = BodyId{second};
    contact.first_shape = contact.second_shape = ShapeId{0};
    contact.point = point;
    contact.frame = make_contact_frame(normal);
    contact.distance = -0.01;
    contact.dimension = dimension;
    contact.friction = {0.7, 0.03, 0.002};
    contact.softness = Impedance{};
    return contact;
}

TEST(Rows, contact_jacobians_are_the_derivatives_of_the_motion_of_the_points)
{
    constexpr double kStep = 1e-6;
    RowScene scene(kMechanism);
    scene.options = {.cone = FrictionCone::elliptic, .equality = false, .dry_friction = false, .limits = false};
    Random random(5);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
    {
        const int bodies = scene.model.body_count();
        const int first = random.integer(0, bodies - 1), second = random.integer(0, bodies - 1);
        scene.contacts.items = {touch(first, second, random.in_box(1), random.direction(), 6)};
        set_random_state(scene, seed);
        if (scene.rows.count() == 0)
        {
            const int apart = scene.model.bodies.last_dof[at(first)] - scene.model.bodies.last_dof[at(second)];
            EXPECT_EQ(apart, 0) << "only bodies that move alike have no rows";
            continue;
        }
        ASSERT_EQ(scene.rows.count(), 6);
        const Contact& contact = scene.contacts.items[0];
        const std::vector<double> jacobian = make_dense(scene.rows, scene.model.v_count()), q = scene.state.q;
        const auto local = [&](int b)
        { return transpose_times(scene.w.matrix[at(b)], contact.point - scene.w.position[at(b)]); };
        const Vec3 first_point = local(first), second_point = local(second);
        for (int d = 0; d < scene.model.v_count(); ++d)
        {
            Vec3 apart[2], turned[2];
            for (const int side : {0, 1})
            {
                const Quat rotation[2] = {scene.w.rotation[at(first)], scene.w.rotation[at(second)]};
                scene.displace(unit(scene.model, d), side == 0 ? kStep : -kStep);
                scene.evaluate();
                const auto place = [&](int b, const Vec3& p)
                { return scene.w.position[at(b)] + scene.w.matrix[at(b)] * p; };
                const auto turn = [&](int b, const Quat& before)
                {
                    const Quat delta = scene.w.rotation[at(b)] * conjugate(before);
                    return 2.0 * Vec3{delta.x, delta.y, delta.z};
                };
                apart[side] = place(second, second_point) - place(first, first_point);
                turned[side] = turn(second, rotation[1]) - turn(first, rotation[0]);
                scene.state.q = q;
                scene.evaluate();
            }
            const Vec3 linear = (0.5 / kStep) * transpose_times(contact.frame, apart[0] - apart[1]);
            const Vec3 angular = (0.5 / kStep) * transpose_times(contact.frame, turned[0] - turned[1]);
            for (int k = 0; k < 3; ++k)
            {
                EXPECT_NEAR(jacobian[at(k * scene.model.v_count() + d)], linear[k], 1e-7);
                EXPECT_NEAR(jacobian[at((k + 3) * scene.model.v_count() + d)], angular[k], 1e-7);
            }
        }
    }
}

TEST(Rows, edges_of_a_pyramid_are_normal_plus_and_minus_friction_times_tangents)
{
    RowScene scene(kMechanism);
    scene.options = {.equality = false, .dry_friction = false, .limits = false};
    const int base = scene.model.find_body("base")->index, loose = scene.model.find_body("loose")->index;
    for (const int dimension : {1, 3, 4, 6})
    {
        scene.contacts.items = {touch(base, loose, {0.3, 0.2, 0.1}, {0, 0.6, 0.8}, dimension)};
        scene.options.cone = FrictionCone::elliptic;
        set_random_state(scene, 4);
        const ConstraintRows axes = scene.rows;
        scene.options.cone = FrictionCone::pyramidal;
        scene.evaluate();
        const ConstraintRows& edges = scene.rows;
        ASSERT_EQ(axes.count(), dimension);
        ASSERT_EQ(edges.count(), dimension == 1 ? 1 : 2 * (dimension - 1));
        const std::size_t n = at(axes.begin.back()) / at(dimension);
        for (int edge = 0; edge < edges.count() && dimension > 1; ++edge)
        {
            const double mu[] = {0.7, 0.7, 0.03, 0.002, 0.002};
            const int k = edge / 2 + 1;
            const double slope = edge % 2 == 0 ? mu[k - 1] : -mu[k - 1];
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_NEAR(edges.value[at(edge) * n + i], axes.value[i] + slope * axes.value[at(k) * n + i], 1e-14);
            EXPECT_NEAR(edges.velocity[at(edge)], axes.velocity[0] + slope * axes.velocity[at(k)], 1e-13);
            EXPECT_EQ(edges.kind[at(edge)], RowKind::contact);
        }
    }
}

TEST(Rows, contacts_at_or_beyond_their_margin_or_without_a_distance_give_no_rows)
{
    RowScene scene(kMechanism);
    scene.options = {.equality = false, .dry_friction = false, .limits = false};
    const int base = scene.model.find_body("base")->index;
    Contact contact = touch(0, base, {}, {0, 0, 1}, 3);
    contact.margin = 0.01;
    for (const double distance : {0.009, 0.01, 0.02, std::numeric_limits<double>::quiet_NaN()})
    {
        contact.distance = distance;
        scene.contacts.items = {contact};
        scene.evaluate();
        EXPECT_EQ(scene.rows.count(), distance < 0.01 ? 4 : 0) << distance;
        EXPECT_EQ(scene.rows.cones.size(), distance < 0.01 ? 1U : 0U);
    }
}

TEST(Rows, friction_coefficients_of_zero_leave_finite_numbers)
{
    RowScene scene(kMechanism);
    const int base = scene.model.find_body("base")->index;
    for (const FrictionCone cone : {FrictionCone::pyramidal, FrictionCone::elliptic})
    {
        scene.options = {.cone = cone, .impratio = 0, .equality = false, .dry_friction = false, .limits = false};
        scene.contacts.items = {touch(0, base, {}, {0, 0, 1}, 6)};
        scene.contacts.items[0].friction = {};
        scene.evaluate();
        for (int row = 0; row < scene.rows.count(); ++row)
        {
            EXPECT_TRUE(std::isfinite(scene.rows.regulariser[at(row)]) && scene.rows.regulariser[at(row)] > 0);
            EXPECT_TRUE(std::isfinite(scene.rows.reference[at(row)]));
        }
    }
}

/// A ball of mass m on the floor.
constexpr const char* kBall = R"(<mujoco><worldbody>
  <body name="floor"><geom type="plane" size="1 1 1"/></body>
  <body name="ball" pos="0 0 0.1"><freejoint/><geom size="0.1" mass="2"/></body>
</worldbody></mujoco>)";

/// Where the ball comes to rest, all rows of the contact solved exactly: by symmetry they share the weight.
double find_rest(const Softness& softness, FrictionCone cone, int dimension)
{
    RowScene scene(kBall);
    scene.options = {.cone = cone, .impratio = 5};
    const int ball = scene.model.find_body("ball")->index, floor = scene.model.find_body("floor")->index;
    for (int i = 0; i < 4000; ++i)
    {
        const double height = scene.state.q[2] - 0.1;
        scene.contacts.items = {touch(floor, ball, {0, 0, height / 2}, {0, 0, 1}, dimension)};
        scene.contacts.items[0].distance = height;
        scene.contacts.items[0].softness = softness;
        scene.evaluate();
        // normal rows only: sum of forces (aref - a) / R = m (a + g)
        double stiffness = 0, push = 0;
        for (int row = 0; row < scene.rows.count(); ++row)
        {
            if (cone == FrictionCone::elliptic && row > 0) break;
            stiffness += scene.rows.stiffness[at(row)];
            push += scene.rows.stiffness[at(row)] * scene.rows.reference[at(row)];
        }
        const double a = std::max(-9.81, (push - 2 * 9.81) / (2 + stiffness));
        scene.state.v[2] += scene.options.dt * a;
        scene.state.q[2] += scene.options.dt * scene.state.v[2];
    }
    return scene.state.q[2] - 0.1;
}

TEST(Rows, a_ball_on_a_spring_sinks_by_weight_over_stiffness_with_every_cone)
{
    for (const int dimension : {1, 3, 4, 6})
    {
        for (const FrictionCone cone : {FrictionCone::pyramidal, FrictionCone::elliptic})
            EXPECT_NEAR(find_rest(Spring{2e4, 300}, cone, dimension), -2 * 9.81 / 2e4, 1e-9) << dimension;
    }
}

TEST(Rows, a_ball_on_a_rigid_floor_sinks_less_than_a_micrometre)
{
    for (const FrictionCone cone : {FrictionCone::pyramidal, FrictionCone::elliptic})
    {
        const double depth = -find_rest(Rigid{}, cone, 3);
        EXPECT_GT(depth, 0);
        EXPECT_LT(depth, 1e-6);
    }
}

TEST(Rows, friction_on_a_spring_is_as_hard_as_on_a_rigid_floor)
{
    RowScene scene(kBall);
    const int ball = scene.model.find_body("ball")->index;
    scene.options = {.cone = FrictionCone::elliptic};
    scene.contacts.items = {touch(0, ball, {}, {0, 0, 1}, 3)};
    scene.contacts.items[0].softness = Rigid{};
    scene.evaluate();
    const double rigid = scene.rows.regulariser[1];
    scene.contacts.items[0].softness = Spring{2e4, 300};
    scene.evaluate();
    EXPECT_NEAR(scene.rows.regulariser[1], rigid, 1e-12 * rigid);
    EXPECT_GT(scene.rows.regulariser[0], 100 * rigid);
}

constexpr const char* kBelt = R"(<mujoco><worldbody>
  <body name="belt" mocap="true" pos="0 0 -0.1"><geom type="box" size="1 1 0.1"/></body>
  <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
</worldbody></mujoco>)";

TEST(Rows, kinematic_bodies_carry_their_velocity_and_acceleration_into_contacts)
{
    RowScene scene(kBelt);
    const int belt = scene.model.find_body("belt")->index, box = scene.model.find_body("box")->index;
    scene.options.cone = FrictionCone::elliptic;
    scene.contacts.items = {touch(belt, box, {0.05, 0.02, 0}, {0, 0, 1}, 3)};
    scene.evaluate();
    const std::vector<double> at_rest = scene.rows.reference;
    const double dt = scene.options.dt;
    scene.motions[0].begin_velocity = {{0.3, -0.2, 0.1}, {0, 0, 2}};
    scene.motions[0].end_velocity = {{0.3, -0.2 + 5 * dt, 0.1}, {0, 0, 2}};
    scene.evaluate();
    const Contact& contact = scene.contacts.items[0];
    // the belt's point turns about its middle: velocity v + w x r, acceleration a + w x (w x r)
    const Vec3 moving = transpose_times(contact.frame, Vec3{0.3 - 2 * 0.02, -0.2 + 2 * 0.05, 0.1});
    const Vec3 driven = transpose_times(contact.frame, Vec3{-4 * 0.05, 5 - 4 * 0.02, 0});
    const double damping = respond(contact.softness, -0.01, dt, true).damping;
    for (int k = 0; k < 3; ++k)
    {
        EXPECT_NEAR(scene.rows.velocity[at(k)], -moving[k], 1e-12);
        EXPECT_NEAR(scene.rows.reference[at(k)], at_rest[at(k)] + damping * moving[k] + driven[k], 1e-9);
    }
}

}  // namespace
}  // namespace rattleback
