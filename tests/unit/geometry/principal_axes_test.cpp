// Principal axes: rebuilt inertia, order, handedness and the cases where axes are not unique.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "geometry/mass.h"
#include "unit/geometry/solids.h"

namespace rattleback
{
namespace
{

using namespace testing_geometry;

Mat3 make_diagonal(const Vec3& d) { return {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}; }

Mat3 rebuild(const PrincipalAxes& axes)
{
    const Mat3 r = to_matrix(axes.rotation);
    return r * make_diagonal(axes.moments) * transpose(r);
}

Mat3 make_inertia(const Quat& rotation, const Vec3& moments)
{
    const Mat3 product = rebuild({.moments = moments, .rotation = rotation});
    Mat3 symmetric;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) symmetric(i, j) = 0.5 * (product(i, j) + product(j, i));
    }
    return symmetric;
}

void expect_good(const PrincipalAxes& axes, const Mat3& inertia)
{
    double scale = 0;
    for (const double entry : inertia.m) scale = std::max(scale, std::abs(entry));
    EXPECT_LE(find_difference(rebuild(axes), inertia), 4e-15 * scale);
    EXPECT_GE(axes.moments.x, axes.moments.y);
    EXPECT_GE(axes.moments.y, axes.moments.z);
    EXPECT_NEAR(norm(axes.rotation), 1, 4e-16);
    EXPECT_GE(axes.rotation.w, 0);
}

TEST(PrincipalAxes, random_rotations_are_undone)
{
    ShapeRandom random(11);
    for (int i = 0; i < 2000; ++i)
    {
        Vec3 moments{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
        if (moments.x < moments.y) std::swap(moments.x, moments.y);
        if (moments.y < moments.z) std::swap(moments.y, moments.z);
        if (moments.x < moments.y) std::swap(moments.x, moments.y);
        const Mat3 inertia = make_inertia(random.rotation(), moments);
        const PrincipalAxes axes = find_principal_axes(inertia);
        expect_good(axes, inertia);
        EXPECT_LT(find_difference(axes.moments, moments), 2e-15);
    }
}

TEST(PrincipalAxes, each_axis_is_an_eigenvector)
{
    ShapeRandom random(12);
    for (int i = 0; i < 200; ++i)
    {
        const Mat3 inertia = make_inertia(random.rotation(), {3, 2, 1});
        const PrincipalAxes axes = find_principal_axes(inertia);
        const Mat3 r = to_matrix(axes.rotation);
        for (int k = 0; k < 3; ++k)
        {
            EXPECT_LT(find_difference(inertia * r.column(k), axes.moments[k] * r.column(k)), 4e-15);
        }
    }
}

TEST(PrincipalAxes, a_sorted_diagonal_is_left_alone_to_the_last_bit)
{
    for (const Vec3& d :
         {Vec3{3, 2, 1}, Vec3{1, 1, 1}, Vec3{2, 2, 1e-9}, Vec3{5, 0, 0}, Vec3{0, 0, 0}, Vec3{1e300, 7, 1e-300}})
    {
        const PrincipalAxes axes = find_principal_axes(make_diagonal(d));
        EXPECT_EQ(axes.moments, d);
        EXPECT_EQ(axes.rotation, Quat{});
    }
}

TEST(PrincipalAxes, every_order_of_a_diagonal_is_sorted_by_a_proper_rotation)
{
    std::array<double, 3> d{1, 2, 3};
    do
    {
        const Mat3 inertia = make_diagonal({d[0], d[1], d[2]});
        const PrincipalAxes axes = find_principal_axes(inertia);
        expect_good(axes, inertia);
        EXPECT_EQ(axes.moments, (Vec3{3, 2, 1}));
        EXPECT_NEAR(determinant(to_matrix(axes.rotation)), 1, 1e-15);
    } while (std::next_permutation(d.begin(), d.end()));
}

TEST(PrincipalAxes, the_axes_turn_as_little_as_they_can)
{
    // Of the four right-handed sign choices for the axes, none has a larger w (a smaller angle).
    ShapeRandom random(13);
    for (int i = 0; i < 500; ++i)
    {
        const Quat q = find_principal_axes(make_inertia(random.rotation(), {3, 2, 1})).rotation;
        for (const Quat& flip : {Quat{0, 1, 0, 0}, Quat{0, 0, 1, 0}, Quat{0, 0, 0, 1}})
        {
            EXPECT_GE(q.w, std::abs((q * flip).w) - 1e-15);
        }
    }
}

TEST(PrincipalAxes, rounding_does_not_turn_a_cube)
{
    const double e = 2.2e-16;
    const Mat3 noisy{{1, 1e-17, -1e-17, 1e-17, 1 + e, 1e-17, -1e-17, 1e-17, 1 + 2 * e}};
    const PrincipalAxes axes = find_principal_axes(noisy);
    EXPECT_EQ(axes.rotation, Quat{});
    expect_good(axes, noisy);
}

TEST(PrincipalAxes, equal_moments_still_rebuild_the_inertia)
{
    ShapeRandom random(14);
    for (int i = 0; i < 500; ++i)
    {
        for (const Vec3& moments : {Vec3{2, 2, 1}, Vec3{2, 1, 1}, Vec3{1, 1, 1}, Vec3{1, 1, 0}, Vec3{1, 1, 1e-12}})
        {
            const Mat3 inertia = make_inertia(random.rotation(), moments);
            const PrincipalAxes axes = find_principal_axes(inertia);
            expect_good(axes, inertia);
            EXPECT_LT(find_difference(axes.moments, moments), 4e-15);
        }
    }
}

TEST(PrincipalAxes, moments_of_very_different_size_all_keep_their_digits)
{
    // D B D with a well-conditioned B: the product of the moments is det(B) det(D)^2, known to the last digits.
    const double b = 0.3, det = 1 + 2 * b * b * b - 3 * b * b;
    const Vec3 d{1e-6, 1, 1e-3};
    Mat3 inertia;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j) inertia(i, j) = d[i] * d[j] * (i == j ? 1 : b);
    }
    const Vec3 m = find_principal_axes(inertia).moments;
    EXPECT_NEAR(m.x * m.y * m.z / (det * 1e-18), 1, 1e-14);
    EXPECT_NEAR(m.x + m.y + m.z, 1 + 1e-6 + 1e-12, 1e-15);
}

TEST(PrincipalAxes, the_scale_of_the_inertia_does_not_matter)
{
    ShapeRandom random(15);
    const Mat3 inertia = make_inertia(random.rotation(), {3, 2, 1});
    const PrincipalAxes one = find_principal_axes(inertia);
    for (const double scale : {std::ldexp(1.0, -400), std::ldexp(1.0, 500)})
    {
        Mat3 scaled = inertia;
        for (double& entry : scaled.m) entry *= scale;
        const PrincipalAxes axes = find_principal_axes(scaled);
        EXPECT_EQ(axes.rotation, one.rotation);
        EXPECT_EQ(axes.moments, scale * one.moments);
    }
}

}  // namespace
}  // namespace rattleback
