// Bodies dropped on supports: once they rest, the contact points stay the same for ten thousand steps.
#include "resting.h"

#include <gtest/gtest.h>

namespace rattleback
{
namespace
{

using namespace resting;

/// One body on springs and dampers at its contact points, on a support that does not move.
struct Drop
{
    const Solid& support;
    Pose support_pose;
    const Solid& body;
    Pose pose;
    double radius = 0.1;  ///< of the ball whose inertia the body has [m]
    Vec3 velocity{}, spin{};

    static constexpr double kReach = 1e-3, kStep = 2.5e-4, kGravity = 9.81;

    Manifold find_points() const { return find_manifold(support.place(support_pose), body.place(pose), kReach); }

    void step()
    {
        constexpr double kSink = 1e-4;  // [m] under its own weight
        const double stiffness = kGravity / kSink, damping = 2 * std::sqrt(stiffness);
        const Manifold manifold = find_points();
        // The support comes first unless the body's type is lower.
        const double side = body.type < support.type ? -1 : 1;
        Vec3 force{0, 0, -kGravity}, torque;
        for (int i = 0; i < manifold.count; ++i)
        {
            const ManifoldPoint& p = manifold.points[static_cast<std::size_t>(i)];
            const Vec3 normal = side * p.normal, arm = p.point - pose.position;
            const Vec3 slip = velocity + cross(spin, arm);
            const double share = 1.0 / manifold.count;
            const double push = share * (-stiffness * p.distance - damping * dot(normal, slip));
            const Vec3 drag = (-share * damping) * (slip - dot(normal, slip) * normal);
            const Vec3 total = (p.distance < 0 && push > 0 ? push : 0) * normal + (p.distance < 0 ? 1.0 : 0.0) * drag;
            force += total;
            torque += cross(arm, total);
        }
        velocity += kStep * force;
        spin = (1 - 5 * kStep) * spin + (kStep / (0.4 * radius * radius)) * torque;
        pose.position += kStep * velocity;
        const double angle = kStep * norm(spin);
        if (angle > 0) pose.rotation = normalized(from_axis_angle(spin, angle) * pose.rotation);
    }
};

struct Dropped
{
    Solid body;
    Quat rotation;
    int least, most;  ///< points at rest
};

std::vector<Dropped> list_dropped()
{
    Random random(21);
    const Quat lying = from_axis_angle({1, 0, 0}, kPi / 2), tilted = from_axis_angle({1, 0.4, 0.2}, 0.05);
    return {
        {make_sphere(0.1), tilted, 1, 1},
        {make_box({0.1, 0.08, 0.06}), tilted, 4, 4},
        {make_cylinder(0.1, 0.06), tilted, 4, 4},
        {make_cylinder(0.06, 0.1), tilted * lying, 2, 2},
        {make_capsule(0.06, 0.1), tilted * lying, 2, 2},
        {make_ellipsoid({0.1, 0.08, 0.05}), tilted, 1, 1},
        {make_prism(6, 0.1, 0.05), tilted, 4, 4},
        {make_random_hull(random, 20, {0.1, 0.09, 0.08}), random.rotation(), 3, 4},
        {make_random_hull(random, 100, {0.1, 0.09, 0.05}), random.rotation(), 3, 4},
    };
}

/// Counts the steps at which the features are others than at the end of the settling.
void check_drop(Drop drop, const Dropped& dropped, const std::string& name)
{
    constexpr int kSettling = 24000, kWatched = 10000;
    for (int i = 0; i < kSettling; ++i) drop.step();
    const Manifold wanted = drop.find_points();
    EXPECT_GE(wanted.count, dropped.least) << name;
    EXPECT_LE(wanted.count, dropped.most) << name;
    EXPECT_LT(norm(drop.velocity), 1e-3) << name << " moves";
    int changes = 0;
    for (int i = 0; i < kWatched; ++i)
    {
        drop.step();
        const Manifold found = drop.find_points();
        bool same = found.count == wanted.count;
        for (std::size_t k = 0; same && k < static_cast<std::size_t>(found.count); ++k)
            same = found.points[k].feature == wanted.points[k].feature;
        changes += same ? 0 : 1;
    }
    EXPECT_EQ(changes, 0) << name;
}

}  // namespace

TEST(ManifoldSettle, a_body_at_rest_keeps_its_points_for_ten_thousand_steps)
{
    const Vec3 slab{1, 1, 0.2};
    const std::vector<std::pair<Solid, double>> supports = {
        {make_plane(), 0}, {make_box(slab), slab.z}, {make_box_hull(slab), slab.z}, {make_cylinder(1.5, 0.2), 0.2}};
    for (const auto& [support, top] : supports)
    {
        for (const Dropped& dropped : list_dropped())
        {
            const double height = find_bottom(dropped.body, dropped.rotation) + 1e-3;
            check_drop({support, {{0, 0, -top}, {}}, dropped.body, {{0.02, 0.01, height}, dropped.rotation}}, dropped,
                       dropped.body.name + " on " + support.name);
        }
    }
}

}  // namespace rattleback
