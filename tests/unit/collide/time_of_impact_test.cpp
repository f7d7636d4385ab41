// Times of impact against closed forms of the distance over time, and against dense sampling of the motion.
#include "collide/time_of_impact.h"
#include "math/rotation.h"
#include "support/random_model.h"

#include "base/index.h"

#include <rattleback/builder.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace rattleback
{
namespace
{

constexpr double kTolerance = 1e-6;  // [m]

/// Two bodies with a shape each, at their shapes' origins.
Model make_pair(const Shape& first, const Shape& second)
{
    ModelBuilder builder;
    for (const Shape& shape : {first, second})
    {
        if (std::holds_alternative<Plane>(shape))
            builder.add_shape(kWorld, shape);
        else
            builder.add_shape(builder.add_body({}), shape);
    }
    return builder.build().value();
}

MovingShape make_moving(const Model& model, int shape, const Vec3& center, const Quat& rotation = {},
                        const Velocity& velocity = {})
{
    const double radius = model.shapes.bounding_radius[at(shape)];
    return {.shape = ShapeId{shape},
            .center = center,
            .rotation = rotation,
            .velocity = velocity,
            .reach = std::isfinite(radius) ? radius : 0};
}

/// The first root of a distance [m] less the margin in [0, end], by steps of a millionth; `end` where there is none.
double find_first(const std::function<double(double)>& distance, double margin, double end)
{
    constexpr int kSteps = 100000;
    for (int i = 1; i <= kSteps; ++i)
    {
        double low = end * (i - 1) / kSteps, high = end * i / kSteps;
        if (distance(high) > margin) continue;
        for (int k = 0; k < 60; ++k) (distance(0.5 * (low + high)) > margin ? low : high) = 0.5 * (low + high);
        return high;
    }
    return end;
}

/// The time is not later than the true one, and the distance there is within the tolerance of the margin.
void expect_touch(const std::optional<TimeOfImpact>& impact, const std::function<double(double)>& distance,
                  double margin, double duration)
{
    ASSERT_TRUE(impact.has_value());
    ASSERT_EQ(impact->state, ImpactState::touch);
    const double exact = find_first(distance, margin, duration);
    EXPECT_LE(impact->time, exact + 1e-12 * duration);
    EXPECT_GT(impact->time, 0.9 * exact);
    EXPECT_NEAR(distance(impact->time), impact->gap.distance, 1e-12);
    EXPECT_GE(impact->gap.distance, margin - 1e-12);
    EXPECT_LT(impact->gap.distance, margin + kTolerance);
}

TEST(TimeOfImpact, spheres_meet_when_their_centres_are_as_far_apart_as_the_radii_say)
{
    const Model model = make_pair(Sphere{0.2}, Sphere{0.3});
    const Vec3 start{2, 0.3, -0.1}, velocity{-5, 0, 0.2};
    for (const double margin : {0.0, 0.05})
    {
        // turning does not change the distance of spheres, and makes the search only more careful
        for (const Vec3& spin : {Vec3{}, Vec3{3, -1, 2}})
        {
            const auto impact = find_time_of_impact(model, make_moving(model, 0, {}, {}, {{}, spin}),
                                                    make_moving(model, 1, start, {}, {velocity, {}}),
                                                    {.duration = 1, .margin = margin, .tolerance = kTolerance});
            expect_touch(impact, [&](double t) { return norm(start + t * velocity) - 0.5; }, margin, 1);
        }
    }
}

TEST(TimeOfImpact, a_spinning_box_meets_the_ground_with_the_corner_that_comes_first)
{
    const Model model = make_pair(Plane{}, Box{{0.5, 0.1, 0.05}});
    for (const double spin : {0.0, 7.0, -25.0})
    {
        for (const double margin : {0.0, 0.01})
        {
            const auto impact = find_time_of_impact(model, make_moving(model, 0, {}),
                                                    make_moving(model, 1, {1, 2, 1.2}, {}, {{4, 0, -2}, {0, spin, 0}}),
                                                    {.duration = 1, .margin = margin, .tolerance = kTolerance});
            // height of the lowest corner of a rectangle turned by spin t
            const auto height = [&](double t)
            { return 1.2 - 2 * t - 0.5 * std::abs(std::sin(spin * t)) - 0.05 * std::abs(std::cos(spin * t)); };
            expect_touch(impact, height, margin, 1);
        }
    }
}

TEST(TimeOfImpact, a_thrown_stick_hits_a_ball_that_its_centre_would_miss)
{
    const Model model = make_pair(Capsule{0.02, 0.4}, Sphere{0.1});
    const Vec3 ball{1, 0, 0.3};
    const auto stick = make_moving(model, 0, {}, {}, {{3, 0, 0}, {0, 12, 0}});
    const auto impact =
        find_time_of_impact(model, stick, make_moving(model, 1, ball), {.duration = 0.5, .tolerance = kTolerance});
    // distance of the ball's centre from the segment along exp(12 t y) z
    const auto distance = [&](double t)
    {
        const Vec3 axis{std::sin(12 * t), 0, std::cos(12 * t)}, offset = ball - Vec3{3 * t, 0, 0};
        const double along = std::clamp(dot(offset, axis), -0.4, 0.4);
        return norm(offset - along * axis) - 0.12;
    };
    expect_touch(impact, distance, 0, 0.5);
    const auto straight =
        find_time_of_impact(model, make_moving(model, 0, {}, exponential(Vec3{0, 0.5 * kPi, 0}), {{3, 0, 0}, {}}),
                            make_moving(model, 1, ball), {.duration = 0.5, .tolerance = kTolerance});
    EXPECT_EQ(straight->state, ImpactState::apart) << "0.18 m above the stick that does not turn";
    EXPECT_EQ(straight->time, 0.5);
}

TEST(TimeOfImpact, what_gravity_adds_moves_the_shapes_like_velocity)
{
    const Model model = make_pair(Plane{}, Sphere{0.1});
    MovingShape ball = make_moving(model, 1, {0, 0, 1}, {}, {{0, 0, -4}, {}});
    ball.fall = {0, 0, -5};
    const auto impact =
        find_time_of_impact(model, make_moving(model, 0, {}), ball, {.duration = 1, .tolerance = kTolerance});
    expect_touch(impact, [](double t) { return 0.9 - 9 * t; }, 0, 1);
    EXPECT_NEAR(impact->second.position.z, 1 - 9 * impact->time, 1e-15);
}

TEST(TimeOfImpact, a_frame_turns_about_its_centre_and_carries_the_body)
{
    // A ball at the end of an arm of one metre that swings down onto the ground from the horizontal.
    const Model model = make_pair(Plane{}, Sphere{0.1});
    MovingShape ball = make_moving(model, 1, {0, 0, 0.6}, {}, {{}, {0, 2, 0}});
    ball.body.position = {1.5, 0, 0};
    ball.center_in_frame = {0.5, 0, 0};
    ball.reach = 1.1;
    const auto impact =
        find_time_of_impact(model, make_moving(model, 0, {}), ball, {.duration = 1, .tolerance = kTolerance});
    expect_touch(impact, [](double t) { return 0.6 - std::sin(2 * t) - 0.1; }, 0, 1);
}

/// A slab as a mesh that collides by its triangles, or a sheet of two triangles at z = 0.
Model make_mesh_pair(bool solid, const Shape& other)
{
    ModelBuilder builder;
    MeshOptions mesh;
    for (const double z : {-0.001, 0.0})
    {
        for (const Vec3& corner : {Vec3{-1, -1, z}, {1, -1, z}, {1, 1, z}, {-1, 1, z}}) mesh.vertices.push_back(corner);
    }
    mesh.triangles = {{4, 5, 6}, {4, 6, 7}};
    if (solid)
        mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                          {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    const MeshId asset = builder.add_mesh(mesh);
    builder.add_shape(kWorld,
                      solid ? Shape(Mesh{.mesh = asset, .collide = MeshCollide::exact}) : Shape(Surface{asset}));
    builder.add_shape(builder.add_body({}), other);
    return builder.build().value();
}

TEST(TimeOfImpact, thin_meshes_and_sheets_are_met_before_they_are_passed)
{
    for (const bool solid : {true, false})
    {
        const Model model = make_mesh_pair(solid, Sphere{0.05});
        // Straight down and aslant, from far enough to be behind at the end.
        for (const Vec3& velocity : {Vec3{0, 0, -60}, Vec3{8, -3, -20}})
        {
            MovingShape ball = make_moving(model, 1, {-0.2, 0.1, 0.4}, {}, {velocity, {}});
            ball.reach = 0.05;
            MovingShape slab = make_moving(model, 0, {});
            slab.reach = 0;
            const auto impact = find_time_of_impact(model, slab, ball, {.duration = 0.05, .tolerance = kTolerance});
            expect_touch(impact, [&](double t) { return 0.35 + t * velocity.z; }, 0, 0.05);
            EXPECT_NEAR(impact->gap.normal.z, 1, 1e-9);
        }
        // Past the rim: nothing is there.
        const auto past = find_time_of_impact(model, make_moving(model, 0, {}),
                                              make_moving(model, 1, {1.5, 0, 0.4}, {}, {{0, 0, -60}, {}}),
                                              {.duration = 0.05, .tolerance = kTolerance});
        ASSERT_TRUE(past.has_value());
        EXPECT_EQ(past->state, ImpactState::apart);
    }
}

TEST(TimeOfImpact, states_are_told_apart)
{
    const Model model = make_pair(Plane{}, Sphere{0.1});
    const ImpactOptions options{.duration = 1, .margin = 0.02, .tolerance = kTolerance};
    const auto find = [&](double height, const Velocity& velocity)
    {
        return find_time_of_impact(model, make_moving(model, 0, {}),
                                   make_moving(model, 1, {0, 0, height}, {}, velocity), options)
            .value();
    };
    EXPECT_EQ(find(0.11, {}).state, ImpactState::overlap);
    EXPECT_EQ(find(0.11, {}).time, 0);
    EXPECT_EQ(find(0.5, {}).state, ImpactState::apart) << "both at rest";
    EXPECT_EQ(find(0.5, {{0, 0, 3}, {}}).state, ImpactState::apart) << "moving away";
    EXPECT_EQ(find(0.5, {{9, 0, 0}, {}}).state, ImpactState::apart) << "moving aside";
    // A ball that spins on the spot never comes nearer. The bound on turning does not know: it says how far it came.
    const TimeOfImpact spinning = find(0.13, {{}, {0, 0, 1e4}});
    EXPECT_EQ(spinning.state, ImpactState::undecided);
    EXPECT_NEAR(spinning.time, 64 * 0.01 / (0.1 * 1e4), 1e-9);
    const Model planes = make_pair(Plane{}, Plane{});
    EXPECT_FALSE(
        find_time_of_impact(planes, make_moving(planes, 0, {}), make_moving(planes, 1, {}), options).has_value());
}

Shape make_shape(int kind, MeshId hull, Random& random)
{
    const auto length = [&] { return random.uniform(0.05, 0.5); };
    switch (kind)
    {
        case 0:
            return Sphere{length()};
        case 1:
            return Capsule{length(), length()};
        case 2:
            return Box{{length(), length(), length()}};
        case 3:
            return Cylinder{length(), length()};
        case 4:
            return Ellipsoid{{length(), length(), length()}};
        default:
            return Hull{hull};
    }
}

Model make_random_pair(int first, int second, Random& random)
{
    ModelBuilder builder;
    for (const int kind : {first, second})
    {
        MeshOptions mesh;
        for (int i = 0; i < 10; ++i) mesh.vertices.push_back(random.in_box(0.4));
        const MeshId hull = builder.add_mesh(mesh);
        builder.add_shape(builder.add_body({}), make_shape(kind, hull, random));
    }
    return builder.build().value();
}

Pose find_pose(const MovingShape& moving, double t)
{
    return {moving.center + t * moving.velocity.linear, exponential(t * moving.velocity.angular) * moving.rotation};
}

TEST(TimeOfImpact, no_sample_of_any_motion_is_within_the_margin_before_it)
{
    constexpr int kKinds = 6, kSamples = 200;
    constexpr double kMargin = 0.01, kDuration = 1;
    Random random(7);
    int touches = 0, passes = 0;
    for (int pair = 0; pair < 4 * kKinds * kKinds; ++pair)
    {
        SCOPED_TRACE(pair);
        const Model model = make_random_pair(pair % kKinds, pair / kKinds % kKinds, random);
        // towards each other, not quite, with up to two turns
        const auto make = [&](int shape, double side)
        {
            return make_moving(model, shape, Vec3{2 * side, 0, 0} + random.in_box(0.3), random.rotation(),
                               {Vec3{-2.2 * side, 0, 0} + random.in_box(0.6), random.in_box(6)});
        };
        const MovingShape first = make(0, -1), second = make(1, 1);
        const auto impact =
            find_time_of_impact(model, first, second, {.duration = kDuration, .margin = kMargin, .tolerance = 1e-3});
        ASSERT_TRUE(impact.has_value());
        // Who turns fast beside the other may use up the advances: the way so far is free all the same.
        ASSERT_NE(impact->state, ImpactState::overlap);
        touches += impact->state == ImpactState::touch ? 1 : 0;
        passes += impact->state == ImpactState::apart ? 1 : 0;
        for (int i = 0; i <= kSamples; ++i)
        {
            const double t = impact->time * i / kSamples;
            const auto gap = find_distance(model, first.shape, find_pose(first, t), second.shape, find_pose(second, t));
            ASSERT_GT(gap->distance, kMargin - 1e-12) << "at " << t << " of " << impact->time;
            if (i == kSamples && impact->state == ImpactState::touch)
            {
                EXPECT_LT(gap->distance, kMargin + 1e-3);
            }
        }
    }
    EXPECT_GT(touches, 20);
    EXPECT_GT(passes, 20);
    EXPECT_GT(touches + passes, 120) << "of 144";
}

}  // namespace
}  // namespace rattleback
