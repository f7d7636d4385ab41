// How materials combine, and which way a contact's tangents point.
#include <gtest/gtest.h>
#include <rattleback/contacts.h>

namespace rattleback
{
namespace
{

TEST(Combine, of_equal_priority_the_larger_friction_dimension_and_restitution_hold)
{
    const MaterialOptions a{
        .friction = 0.3, .spinning_friction = 0.02, .rolling_friction = 0.001, .dimension = 4, .restitution = 0.1};
    const MaterialOptions b{
        .friction = 0.7, .spinning_friction = 0.01, .rolling_friction = 0.003, .dimension = 3, .restitution = 0.6};
    for (const MaterialOptions& both : {combine(a, b), combine(b, a)})
    {
        EXPECT_EQ(both.friction, 0.7);
        EXPECT_EQ(both.spinning_friction, 0.02);
        EXPECT_EQ(both.rolling_friction, 0.003);
        EXPECT_EQ(both.dimension, 4);
        EXPECT_EQ(both.restitution, 0.6);
    }
}

TEST(Combine, the_higher_priority_wins_outright)
{
    const MaterialOptions ice{.friction = 0.01, .dimension = 1, .softness = Spring{2e4, 5}, .priority = 3};
    const MaterialOptions rubber{.friction = 2, .dimension = 6, .restitution = 0.9, .softness = Impedance{}};
    for (const MaterialOptions& both : {combine(ice, rubber), combine(rubber, ice)})
    {
        EXPECT_EQ(both.friction, 0.01);
        EXPECT_EQ(both.dimension, 1);
        EXPECT_EQ(both.restitution, 0);
        EXPECT_EQ(both.softness, Softness(Spring{2e4, 5}));
    }
}

TEST(Combine, springs_act_in_series)
{
    const MaterialOptions a{.softness = Spring{3000, 20}};
    const MaterialOptions b{.softness = Spring{6000, 60}};
    const auto both = std::get<Spring>(combine(a, b).softness);
    EXPECT_DOUBLE_EQ(both.stiffness, 2000);
    EXPECT_DOUBLE_EQ(both.damping, 15);
}

TEST(Combine, two_springs_without_damping_have_none)
{
    const MaterialOptions a{.softness = Spring{3000, 0}};
    EXPECT_EQ(std::get<Spring>(combine(a, a).softness).damping, 0);
}

TEST(Combine, impedances_are_averaged_with_weight_solmix)
{
    const MaterialOptions a{.softness = Impedance{{0.02, 1}, {0.9, 0.95, 0.001, 0.5, 2}}, .solmix = 1};
    const MaterialOptions b{.softness = Impedance{{0.06, 2}, {0.5, 0.75, 0.005, 0.1, 6}}, .solmix = 3};
    const auto both = std::get<Impedance>(combine(a, b).softness);
    EXPECT_DOUBLE_EQ(both.solref[0], 0.05);
    EXPECT_DOUBLE_EQ(both.solref[1], 1.75);
    EXPECT_DOUBLE_EQ(both.solimp[0], 0.6);
    EXPECT_DOUBLE_EQ(both.solimp[1], 0.8);
    EXPECT_DOUBLE_EQ(both.solimp[2], 0.004);
    EXPECT_DOUBLE_EQ(both.solimp[3], 0.2);
    EXPECT_DOUBLE_EQ(both.solimp[4], 5);
}

TEST(Combine, a_solmix_of_zero_gives_way_and_two_of_them_share)
{
    const MaterialOptions a{.softness = Impedance{.solref = {0.02, 1}}, .solmix = 0};
    MaterialOptions b{.softness = Impedance{.solref = {0.04, 1}}, .solmix = 1e-3};
    EXPECT_EQ(std::get<Impedance>(combine(a, b).softness).solref[0], 0.04);
    EXPECT_EQ(std::get<Impedance>(combine(b, a).softness).solref[0], 0.04);
    b.solmix = 0;
    EXPECT_DOUBLE_EQ(std::get<Impedance>(combine(a, b).softness).solref[0], 0.03);
}

TEST(Combine, a_direct_solref_takes_the_element_wise_minimum)
{
    const MaterialOptions a{.softness = Impedance{.solref = {-500, -3}}};
    const MaterialOptions b{.softness = Impedance{.solref = {-200, -7}, .solimp = {0.5, 0.95, 0.001, 0.5, 2}}};
    const MaterialOptions c{.softness = Impedance{.solref = {0.02, 1}}};
    const auto ab = std::get<Impedance>(combine(a, b).softness);
    EXPECT_EQ(ab.solref, (std::array<double, 2>{-500, -7}));
    EXPECT_DOUBLE_EQ(ab.solimp[0], 0.7) << "solimp is averaged all the same";
    EXPECT_EQ(std::get<Impedance>(combine(a, c).softness).solref, (std::array<double, 2>{-500, -3}));
}

TEST(Combine, of_unlike_softness_the_softer_kind_holds)
{
    const MaterialOptions rigid, spring{.softness = Spring{1e4, 7}}, soft{.softness = Impedance{.solref = {0.1, 1}}};
    EXPECT_EQ(combine(rigid, spring).softness, spring.softness);
    EXPECT_EQ(combine(rigid, soft).softness, soft.softness);
    EXPECT_EQ(combine(soft, spring).softness, spring.softness);
    EXPECT_EQ(combine(spring, soft).softness, spring.softness);
    EXPECT_EQ(combine(rigid, rigid).softness, Softness(Rigid{}));
}

TEST(ContactFrame, is_a_rotation_whose_first_column_is_the_normal)
{
    for (int i = 0; i < 200; ++i)
    {
        const double a = 0.37 * i, z = -1 + 2 * (i + 0.5) / 200;
        const double r = std::sqrt(1 - z * z);
        const Vec3 normal{r * std::cos(a), r * std::sin(a), z};
        const Mat3 frame = make_contact_frame(normal);
        EXPECT_EQ(frame.column(0), normal);
        const Mat3 product = transpose(frame) * frame;
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(product.m[k], k % 4 == 0 ? 1 : 0, 1e-14);
        EXPECT_NEAR(dot(cross(frame.column(0), frame.column(1)), frame.column(2)), 1, 1e-14);
    }
}

TEST(ContactFrame, the_second_column_is_the_y_axis_unless_the_normal_is_near_it)
{
    EXPECT_EQ(make_contact_frame({0, 0, 1}).column(1), (Vec3{0, 1, 0}));
    EXPECT_EQ(make_contact_frame({1, 0, 0}).column(1), (Vec3{0, 1, 0}));
    EXPECT_EQ(make_contact_frame({0, 1, 0}).column(1), (Vec3{0, 0, 1}));
    EXPECT_EQ(make_contact_frame({0, -1, 0}).column(1), (Vec3{0, 0, 1}));
    const double c = std::sqrt(0.75);
    EXPECT_NEAR(make_contact_frame({c, 0.5, 0}).column(1).z, 1, 1e-15) << "from |y| = 1/2 on it is z";
    EXPECT_NEAR(make_contact_frame({std::sqrt(1 - 0.49 * 0.49), 0.49, 0}).column(1).z, 0, 1e-15);
}

TEST(ContactFrame, takes_a_wanted_tangent_unless_it_is_along_the_normal)
{
    const Vec3 normal{0.6, 0, 0.8};
    const Mat3 frame = make_contact_frame(normal, {5, 0, 0});
    EXPECT_EQ(frame.column(0), normal);
    EXPECT_NEAR(norm(frame.column(1) - Vec3{0.8, 0, -0.6}), 0, 1e-15);
    EXPECT_NEAR(norm(frame.column(2) - cross(normal, frame.column(1))), 0, 1e-15);
    for (const Vec3& along : {Vec3{}, 3.0 * normal, -1e-9 * normal, normal + Vec3{0, 1e-9, 0}})
    {
        EXPECT_EQ(make_contact_frame(normal, along), make_contact_frame(normal));
    }
}

}  // namespace
}  // namespace rattleback
