// Anchors of true stick: which contacts of a pair are displaced together.
#include "solvers/convex/stick.h"
#include "base/index.h"
#include "unit/solvers/row_scene.h"

#include <gtest/gtest.h>

namespace rattleback::convex
{
namespace
{

constexpr double kShift = 1e-5;  // of the point that sticks, along y [m]

/// A box on the ground that sticks in one corner, displaced by kShift, and comes to touch in another point of the same
/// pair, whose normal leans by `angle` about y. What the second point's rows aim at along y, over K d [m].
double find_joined_shift(double angle)
{
    RowScene scene(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody></mujoco>)");
    scene.options.cone = FrictionCone::elliptic;
    const Vec3 points[] = {{-0.1, 0, 0}, {0.1, 0, 0}};
    const Vec3 normals[] = {{0, 0, 1}, {std::sin(angle), 0, std::cos(angle)}};
    for (int i = 0; i < 2; ++i)
    {
        Contact contact;
        contact.first_body = kWorld;
        contact.second_body = BodyId{1};
        contact.first_shape = ShapeId{0};
        contact.second_shape = ShapeId{1};
        contact.feature = at(i);
        contact.point = points[i];
        contact.frame = make_contact_frame(normals[i], Vec3{0, 1, 0});
        contact.distance = -1e-6;
        contact.dimension = 3;
        contact.friction = {1, 0, 0};
        contact.softness = Rigid{};
        scene.contacts.items.push_back(contact);
    }
    scene.evaluate();
    const std::vector<double> plain = scene.rows.reference;
    const Anchor anchor{.first_shape = 0,
                        .second_shape = 1,
                        .feature = 0,
                        .slide = {0, kShift, 0},
                        .first_point = points[0],
                        .second_point = points[0] - Vec3{0, 0, 0.1},
                        .normal = normals[0],
                        .follows = 1,
                        .stiffness = scene.rows.cones[0].stiffness,
                        .made = scene.rows.cones[0].stiffness};
    Stick stick;
    stick.set_scales(9.81, scene.options.dt);
    stick.add_stick_reference(scene.w, scene.contacts, std::span(&anchor, 1), std::vector<double>(6), scene.rows);
    const auto shift = [&](std::size_t cone)
    {
        const int row = scene.rows.cones[cone].row;
        const Mat3& frame = scene.contacts.items[cone].frame;
        double sum = 0;
        for (int k = 1; k <= 2; ++k)
            sum += frame.column(k).y * (plain[at(row + k)] - scene.rows.reference[at(row + k)]);
        return sum / scene.rows.cones[cone].stiffness;
    };
    EXPECT_NEAR(shift(0), kShift, 1e-12 * kShift) << "the point that sticks";
    return shift(1);
}

TEST(Anchors, points_of_one_face_are_displaced_together)
{
    // One point cannot show a turn: the other is displaced as it is.
    EXPECT_NEAR(find_joined_shift(0), kShift, 1e-12 * kShift);
    EXPECT_NEAR(find_joined_shift(0.1), kShift, 1e-12 * kShift) << "6 degrees: a face that is a little round";
}

TEST(Anchors, points_of_another_face_begin_anew)
{
    EXPECT_EQ(find_joined_shift(0.25), 0) << "14 degrees";
    EXPECT_EQ(find_joined_shift(0.5 * kPi), 0) << "a wall beside the floor";
}

}  // namespace
}  // namespace rattleback::convex
