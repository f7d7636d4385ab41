// Mass of primitives against sums over samples, sums over slices and closed forms; moving and joining of masses.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "geometry/mass.h"
#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct SolidCase
{
    ShapeType type;
    Vec3 size;
};
const SolidCase kSolids[] = {{ShapeType::sphere, {0.7, 0, 0}},      {ShapeType::capsule, {0.3, 0.5, 0}},
                             {ShapeType::capsule, {0.5, 0, 0}},     {ShapeType::box, {0.2, 0.5, 0.9}},
                             {ShapeType::cylinder, {0.4, 0.25, 0}}, {ShapeType::ellipsoid, {0.3, 0.5, 0.8}}};

MassProperties mass_of(ShapeType type, const Vec3& size, double density = 1)
{
    return compute_mass(type, size, nullptr, MeshMass::exact, density).value();
}

/// A solid cut across z into ellipses with semi-axes a(z), b(z): Simpson's rule over thin slices between the breaks.
MassProperties integrate_slices(const std::vector<double>& breaks, const std::function<double(double)>& a,
                                const std::function<double(double)>& b)
{
    constexpr int kSlices = 4000;  // even; what is integrated has degree 4, so the error is far below rounding
    double mass = 0;
    Vec3 squares;
    for (std::size_t part = 0; part + 1 < breaks.size(); ++part)
    {
        const double step = (breaks[part + 1] - breaks[part]) / kSlices;
        for (int i = 0; i <= kSlices; ++i)
        {
            const double z = breaks[part] + step * i;
            const double weight = step / 3 * (i == 0 || i == kSlices ? 1 : i % 2 == 1 ? 4 : 2);
            const double area = kPi * a(z) * b(z);
            mass += weight * area;
            squares += weight * area * Vec3{a(z) * a(z) / 4, b(z) * b(z) / 4, z * z};
        }
    }
    const Vec3 d{squares.y + squares.z, squares.x + squares.z, squares.x + squares.y};
    return {.mass = mass, .center = {}, .inertia = {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}};
}

TEST(Mass, primitives_agree_with_a_sum_over_random_samples)
{
    ShapeRandom random(1);
    for (const auto& [type, size] : kSolids)
    {
        SCOPED_TRACE(to_string(type));
        // One sample per cell: the error lives in the cells at the surface and falls as cells^-2; three seeds gave at
        // most 2.3e-3.
        const MassProperties expected = integrate_by_samples(type, size, 48, random);
        const MassProperties mass = mass_of(type, size);
        EXPECT_NEAR(mass.mass, expected.mass, 5e-3 * expected.mass);
        EXPECT_LT(find_difference(mass.center, expected.center), 5e-3);
        EXPECT_LT(find_difference(mass.inertia, expected.inertia), 5e-3 * expected.inertia(0, 0));
    }
}

TEST(Mass, round_primitives_agree_with_a_sum_over_slices)
{
    const double r = 0.3, h = 0.5;
    const auto cap = [&](double z)
    { return std::sqrt(std::max(0.0, r * r - std::pow(std::max(0.0, std::abs(z) - h), 2))); };
    const auto rod = [&](double) { return r; };
    const Vec3 radii{0.3, 0.5, 0.8};
    const auto shrink = [&](double z) { return std::sqrt(std::max(0.0, 1 - z * z / (radii.z * radii.z))); };
    const struct
    {
        ShapeType type;
        Vec3 size;
        MassProperties expected;
    } cases[] = {
        {ShapeType::capsule, {r, h, 0}, integrate_slices({-h - r, -h, h, h + r}, cap, cap)},
        {ShapeType::cylinder, {r, h, 0}, integrate_slices({-h, h}, rod, rod)},
        {ShapeType::ellipsoid, radii,
         integrate_slices(
             {-0.8, 0.8}, [&](double z) { return radii.x * shrink(z); },
             [&](double z) { return radii.y * shrink(z); })},
    };
    for (const auto& [type, size, expected] : cases)
    {
        SCOPED_TRACE(to_string(type));
        const MassProperties mass = mass_of(type, size);
        EXPECT_NEAR(mass.mass, expected.mass, 1e-12);
        EXPECT_LT(find_difference(mass.inertia, expected.inertia), 1e-12);
    }
}

TEST(Mass, a_solid_box_has_the_textbook_inertia)
{
    const MassProperties box = mass_of(ShapeType::box, {0.5, 1, 1.5}, 2);  // edges 1, 2, 3 m
    EXPECT_DOUBLE_EQ(box.mass, 12);
    EXPECT_LT(find_difference(box.inertia, Mat3{{13, 0, 0, 0, 10, 0, 0, 0, 5}}), 1e-14);
}

TEST(Mass, a_ball_has_two_fifths_of_m_r_squared)
{
    const MassProperties ball = mass_of(ShapeType::sphere, {0.5, 0, 0}, 1000);
    EXPECT_DOUBLE_EQ(ball.mass, 1000 * kPi / 6);
    for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(ball.inertia(i, i), 0.4 * ball.mass * 0.25);
}

TEST(Mass, a_capsule_without_length_and_a_round_ellipsoid_are_balls)
{
    const MassProperties ball = mass_of(ShapeType::sphere, {0.5, 0, 0});
    for (const MassProperties& same :
         {mass_of(ShapeType::capsule, {0.5, 0, 0}), mass_of(ShapeType::ellipsoid, {0.5, 0.5, 0.5})})
    {
        EXPECT_DOUBLE_EQ(same.mass, ball.mass);
        EXPECT_LT(find_difference(same.inertia, ball.inertia), 1e-16);
    }
}

TEST(Mass, density_scales_mass_and_inertia_and_leaves_the_shape_alone)
{
    for (const auto& [type, size] : kSolids)
    {
        const MassProperties one = mass_of(type, size), many = mass_of(type, size, 1024);
        EXPECT_EQ(many.mass, 1024 * one.mass);
        for (int i = 0; i < 9; ++i) EXPECT_EQ(many.inertia.m[i], 1024 * one.inertia.m[i]);
    }
}

TEST(Mass, a_given_mass_is_kept_to_the_last_bit)
{
    for (const auto& [type, size] : kSolids)
    {
        const MassProperties given = compute_mass_scaled(type, size, nullptr, MeshMass::exact, 0.1).value();
        const MassProperties unit = mass_of(type, size);
        EXPECT_EQ(given.mass, 0.1);
        EXPECT_NEAR(given.inertia(0, 0) / 0.1, unit.inertia(0, 0) / unit.mass, 1e-15);
    }
}

TEST(Mass, planes_and_height_fields_have_none)
{
    for (const ShapeType type : {ShapeType::plane, ShapeType::height_field})
    {
        EXPECT_EQ(compute_mass(type, {}, nullptr, MeshMass::exact, 1000).value().mass, 0);
        const MassProperties scaled = compute_mass_scaled(type, {}, nullptr, MeshMass::exact, 5).value();
        EXPECT_EQ(scaled.mass, 0);
        EXPECT_EQ(scaled.inertia, Mat3{});
    }
}

TEST(Mass, a_primitive_without_volume_is_refused_with_a_hint_at_surface)
{
    for (const auto& [type, size] : kSolids)
    {
        for (const double bad : {0.0, -1.0})
        {
            const auto result = compute_mass(type, {bad, size.y, size.z}, nullptr, MeshMass::exact, 1);
            ASSERT_FALSE(result.ok()) << to_string(type);
            EXPECT_EQ(result.errors()[0].code, ErrorCode::invalid_value);
            EXPECT_NE(result.errors()[0].hint.find("`surface`"), std::string::npos);
            EXPECT_EQ(result.errors()[0].where, "");
        }
    }
    EXPECT_FALSE(compute_mass(ShapeType::cylinder, {1, 0, 0}, nullptr, MeshMass::exact, 1).ok());
    EXPECT_FALSE(compute_mass(ShapeType::box, {1, 1, 0}, nullptr, MeshMass::exact, 1).ok());
}

TEST(Mass, numbers_that_make_no_sense_are_errors_not_results)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double bad : {kNaN, kInfinity, -kInfinity})
    {
        EXPECT_FALSE(compute_mass(ShapeType::sphere, {bad, 0, 0}, nullptr, MeshMass::exact, 1).ok());
        EXPECT_FALSE(compute_mass(ShapeType::box, {1, 1, bad}, nullptr, MeshMass::exact, 1).ok());
        EXPECT_FALSE(compute_mass(ShapeType::sphere, {1, 0, 0}, nullptr, MeshMass::exact, bad).ok());
        EXPECT_FALSE(compute_mass_scaled(ShapeType::sphere, {1, 0, 0}, nullptr, MeshMass::exact, bad).ok());
    }
    EXPECT_FALSE(compute_mass(ShapeType::sphere, {1, 0, 0}, nullptr, MeshMass::exact, -1).ok());
    EXPECT_FALSE(compute_mass_scaled(ShapeType::sphere, {1, 0, 0}, nullptr, MeshMass::exact, -1).ok());
    EXPECT_FALSE(compute_mass(ShapeType::sphere, {1e150, 0, 0}, nullptr, MeshMass::exact, 1).ok());   // overflows
    EXPECT_FALSE(compute_mass(ShapeType::sphere, {1e-150, 0, 0}, nullptr, MeshMass::exact, 1).ok());  // vanishes
}

TEST(Mass, turning_a_part_turns_its_inertia)
{
    // A quarter turn about z swaps the moments about x and y.
    const MassProperties box = mass_of(ShapeType::box, {0.5, 1, 1.5}, 2);
    const double half = std::sqrt(0.5);
    const MassProperties turned = transformed(box, {{1, 2, 3}, {half, 0, 0, half}});
    EXPECT_LT(find_difference(turned.inertia, Mat3{{10, 0, 0, 0, 13, 0, 0, 0, 5}}), 1e-14);
    EXPECT_EQ(turned.center, (Vec3{1, 2, 3}));
}

TEST(Mass, moving_there_and_back_changes_nothing)
{
    ShapeRandom random(2);
    for (int i = 0; i < 50; ++i)
    {
        const Pose pose = random.pose();
        MassProperties part = transformed(mass_of(ShapeType::box, {0.2, 0.5, 0.9}), random.pose());
        const MassProperties back = transformed(transformed(part, pose), inverse(pose));
        EXPECT_LT(find_difference(back.center, part.center), 1e-15 * 8);
        EXPECT_LT(find_difference(back.inertia, part.inertia), 1e-15 * 8);
    }
}

TEST(Mass, eight_small_boxes_make_a_big_one)
{
    const Vec3 half{0.2, 0.5, 0.9}, quarter = 0.5 * half;
    const Pose pose{{3, -1, 2}, normalized(Quat{1, 2, 3, 4})};
    MassProperties sum;
    for (int i = 0; i < 8; ++i)
    {
        const Vec3 offset{i & 1 ? quarter.x : -quarter.x, i & 2 ? quarter.y : -quarter.y,
                          i & 4 ? quarter.z : -quarter.z};
        sum = combined(sum, transformed(mass_of(ShapeType::box, quarter), pose * Pose{offset, {}}));
    }
    const MassProperties whole = transformed(mass_of(ShapeType::box, half), pose);
    EXPECT_NEAR(sum.mass, whole.mass, 1e-15);
    EXPECT_LT(find_difference(sum.center, whole.center), 1e-14);
    EXPECT_LT(find_difference(sum.inertia, whole.inertia), 1e-14);
}

TEST(Mass, two_points_make_a_dumbbell)
{
    const MassProperties a{.mass = 1, .center = {0, 0, 0}}, b{.mass = 3, .center = {4, 0, 0}};
    const MassProperties both = combined(a, b);
    EXPECT_EQ(both.mass, 4);
    EXPECT_EQ(both.center, (Vec3{3, 0, 0}));
    EXPECT_EQ(both.inertia, (Mat3{{0, 0, 0, 0, 12, 0, 0, 0, 12}}));  // 1*3/(1+3) * 4^2
}

TEST(Mass, joining_nothing_keeps_every_bit)
{
    ShapeRandom random(3);
    const MassProperties part = transformed(mass_of(ShapeType::capsule, {0.3, 0.5, 0}), random.pose());
    for (const MassProperties& same : {combined(MassProperties{}, part), combined(part, MassProperties{})})
    {
        EXPECT_EQ(same.mass, part.mass);
        EXPECT_EQ(same.center, part.center);
        EXPECT_EQ(same.inertia, part.inertia);
    }
    EXPECT_EQ(combined(MassProperties{}, MassProperties{}).center, Vec3{});
}

}  // namespace
}  // namespace rattleback
