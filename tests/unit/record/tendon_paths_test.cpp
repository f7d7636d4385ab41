// The ways of tendons in recordings: sites, arcs on the shapes, breaks at pulleys, and the length that the engine says.
#include "made_frames.h"

#include <rattleback/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

using Item = ModelBuilder::PathItem;

struct Rig
{
    ModelBuilder builder{"rig"};
    BodyId load = builder.add_body({.name = "load", .position = {1, 0, 0}});
    ShapeId box = builder.add_shape(load, Box{{0.1, 0.1, 0.1}}, {.category = 0, .mask = 0});

    SiteId site(BodyId body, const Vec3& position) { return builder.add_site(body, {.position = position}); }
};

/// The points of the first frame.
std::vector<RecordedTendonPoint> record_points(const ModelBuilder& builder)
{
    const std::filesystem::path path = temporary_path("tendon.rec");
    Simulation simulation = Simulation::make(builder.build().value(), {.solver = "smooth"}).value();
    Recorder recorder = make_recorder(simulation, path).value();
    EXPECT_TRUE(record_frame(recorder, simulation).ok());
    EXPECT_TRUE(recorder.close().ok());
    Recording recording = load_recording(path).value();
    const RecordedFrame frame = recording.frame(0).value();
    std::filesystem::remove(path);
    return {frame.tendon_points.begin(), frame.tendon_points.end()};
}

double length_of(const std::vector<RecordedTendonPoint>& points)
{
    double length = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        length += points[i].begins ? 0 : norm(points[i].point - points[i - 1].point);
    return length;
}

// Chords of 10 degrees are shorter than their arc by the fraction angle^2 / 24.
constexpr double kChordError = 10 * kDegree * 10 * kDegree / 24;

}  // namespace

TEST(TendonPaths, a_straight_tendon_is_its_sites)
{
    Rig rig;
    rig.builder.add_spatial_tendon(
        {Item{.site = rig.site(kWorld, {0, 0, 1})}, Item{.site = rig.site(rig.load, {0, 0, 0.1})}});
    const auto points = record_points(rig.builder);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0], (RecordedTendonPoint{0, 1, {0, 0, 1}}));
    EXPECT_EQ(points[1], (RecordedTendonPoint{0, 0, {1, 0, 0.1}}));
}

TEST(TendonPaths, half_a_turn_over_a_cylinder_lies_on_it_and_has_the_length_of_line_arc_and_line)
{
    Rig rig;
    // A drum along y; the rope comes up on one side, goes over the top and down to the load on the other.
    const double r = 0.5;
    const ShapeId drum = rig.builder.add_shape(
        kWorld, Cylinder{r, 1},
        {.position = {0.5, 0, 2}, .rotation = from_axis_angle({1, 0, 0}, kPi / 2), .category = 0, .mask = 0});
    rig.builder.add_spatial_tendon({Item{.site = rig.site(kWorld, {0, 0, 0})},
                                    Item{.shape = drum, .side_site = rig.site(kWorld, {0.5, 0, 3})},
                                    Item{.site = rig.site(rig.load, {0, 0, 0})}});
    const auto points = record_points(rig.builder);
    ASSERT_EQ(points.size(), 2 + 19U) << "180 degrees in 18 chords";
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
    {
        const Vec3 from_axis = points[i].point - Vec3{0.5, 0, 2};
        EXPECT_NEAR(std::hypot(from_axis.x, from_axis.z), r, 1e-12) << i;
        EXPECT_GE(from_axis.z, -1e-12) << "over the top";
        EXPECT_EQ(points[i].begins, 0);
    }
    const double exact = 2 + kPi * r + 2;
    EXPECT_NEAR(length_of(points), exact, kPi * r * kChordError);
    EXPECT_NEAR(rig.builder.build().value().tendons.length[0], exact, 1e-12);
}

TEST(TendonPaths, on_a_sphere_the_arc_is_a_great_circle_even_beyond_half_a_turn)
{
    Rig rig;
    const double r = 0.4;
    const Vec3 centre{0.5, 0, 1};
    const ShapeId ball = rig.builder.add_shape(kWorld, Sphere{r}, {.position = centre, .category = 0, .mask = 0});
    // Both ends lie near the top; the side site below sends the rope round the far side: 248 degrees.
    rig.builder.add_spatial_tendon({Item{.site = rig.site(kWorld, {0.3, 0, 1.42})},
                                    Item{.shape = ball, .side_site = rig.site(kWorld, {0.5, 0, -1})},
                                    Item{.site = rig.site(rig.load, {-0.3, 0, 1.42})}});
    const auto points = record_points(rig.builder);
    ASSERT_GT(points.size(), 3U);
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
    {
        EXPECT_NEAR(norm(points[i].point - centre), r, 1e-12) << i;
        EXPECT_NEAR(points[i].point.y, 0, 1e-12);
    }
    const double engine = rig.builder.build().value().tendons.length[0];
    EXPECT_GT(engine, 1.3 * kPi * r) << "this one does go round";
    EXPECT_LT(length_of(points), engine + 1e-12);
    EXPECT_NEAR(length_of(points), engine, 2 * kPi * r * kChordError);
}

TEST(TendonPaths, a_pulley_begins_a_new_line)
{
    Rig rig;
    rig.builder.add_spatial_tendon({Item{.site = rig.site(kWorld, {0, 0, 1})}, Item{.site = rig.site(rig.load, {})},
                                    Item{.divisor = 2}, Item{.site = rig.site(kWorld, {2, 0, 1})},
                                    Item{.site = rig.site(rig.load, {0, 0, 0.1})}});
    const auto points = record_points(rig.builder);
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(std::ranges::count_if(points, [](const RecordedTendonPoint& p) { return p.begins == 1; }), 2);
    EXPECT_EQ(points[2].begins, 1);
}

}  // namespace rattleback
