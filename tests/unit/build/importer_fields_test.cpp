// What build() makes of the options that came with the importers: connected points, damping ratios, pairs, the medium.
#include <gtest/gtest.h>
#include <rattleback/builder.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr Inertia kHeavyBall{.mass = 2, .diagonal = {3, 3, 3}};

TEST(BuildForImporters, points_that_are_apart_can_be_connected)
{
    ModelBuilder builder;
    const BodyId a = builder.add_body({.position = {1, 0, 0}, .inertia = kHeavyBall});
    const BodyId b = builder.add_body({.inertia = kHeavyBall});
    builder.add_connect_points(a, {0, 0, 1}, b, {5, 0, 0});
    const Model model = builder.build().value();
    EXPECT_EQ(model.equalities.type[0], EqualityType::connect);
    EXPECT_EQ(model.equalities.first_frame[0].position, (Vec3{0, 0, 1}));
    EXPECT_EQ(model.equalities.second_frame[0].position, (Vec3{5, 0, 0}));
}

TEST(BuildForImporters, a_damping_ratio_of_any_actuator_uses_the_inertia_it_feels)
{
    ModelBuilder builder;
    const BodyId body = builder.add_body({.inertia = kHeavyBall});
    const JointId joint = builder.add_joint(body, {.armature = 1});
    builder.add_actuator(joint, {.gear = {2}, .gain = {16, 0, 0}, .bias = {0, -16, 7}, .damping_ratio = 0.5});
    const Model model = builder.build().value();
    EXPECT_NEAR(model.actuators.bias[0][2], -2 * 0.5 * std::sqrt(16 * (3 + 1) / 4.0), 1e-14);

    ModelBuilder bad;
    bad.add_actuator(bad.add_joint(bad.add_body({.inertia = kHeavyBall})), {.damping_ratio = -1});
    EXPECT_FALSE(bad.build().ok());
}

TEST(BuildForImporters, pairs_keep_their_second_friction_and_a_copy_must_agree)
{
    ModelBuilder builder;
    const ShapeId ground = builder.add_ground();
    const ShapeId ball = builder.add_shape(builder.add_body(), Sphere{0.1});
    const PairOptions options{.second_friction = {0.3, 0.01}, .friction_solref = {0.1, 1}};
    builder.add_pair(ball, ground, options);
    const Model model = builder.build().value();
    EXPECT_EQ(model.pairs[0].second_friction, options.second_friction);
    EXPECT_EQ(model.pairs[0].friction_solref, options.friction_solref);
    builder.add_pair(ground, ball, {.second_friction = {0.4, 0.01}});
    EXPECT_FALSE(builder.build().ok());
}

TEST(BuildForImporters, the_medium_must_have_a_density_that_is_not_negative)
{
    ModelBuilder builder;
    builder.add_shape(builder.add_body(), Sphere{0.1}, {.fluid = std::array<double, 5>{1, 2, 3, 4, 5}});
    builder.settings().medium = {.density = 1.2, .viscosity = 1e-5, .wind = {1, 0, 0}};
    const Model model = builder.build().value();
    EXPECT_EQ(model.shapes.fluid[0], 1);
    EXPECT_EQ(model.shapes.fluid_coefficients[0][4], 5);
    builder.settings().medium.density = -1;
    EXPECT_FALSE(builder.build().ok());
}

}  // namespace
}  // namespace rattleback
