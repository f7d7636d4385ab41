// Distances that are known by hand: concentric, parallel, flat and other degenerate placements.
#include "geometry/distance.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr Mat3 kUpright{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
constexpr Mat3 kLying{{0, 0, 1, 0, 1, 0, -1, 0, 0}};  ///< z of the shape along x of the world

PlacedShape make(ShapeType type, const Vec3& size, const Vec3& position = {}, const Mat3& rotation = kUpright)
{
    return {.type = type, .position = position, .rotation = rotation, .size = size};
}

void expect_points(const ShapeDistance& found, const Vec3& on_first, const Vec3& on_second)
{
    EXPECT_LE(norm(found.on_first - on_first), 1e-12);
    EXPECT_LE(norm(found.on_second - on_second), 1e-12);
}

TEST(Distance, of_a_sphere_above_a_plane_is_straight_down)
{
    const ShapeDistance found =
        find_distance(make(ShapeType::plane, {}), make(ShapeType::sphere, {0.5, 0, 0}, {1, 2, 3}));
    EXPECT_DOUBLE_EQ(found.distance, 2.5);
    EXPECT_EQ(found.normal, (Vec3{0, 0, 1}));
    expect_points(found, {1, 2, 0}, {1, 2, 2.5});
}

TEST(Distance, of_shapes_flat_on_a_plane_is_measured_at_their_middle)
{
    const PlacedShape plane = make(ShapeType::plane, {});
    const ShapeDistance box = find_distance(plane, make(ShapeType::box, {1, 2, 3}, {5, 0, 3.5}));
    EXPECT_DOUBLE_EQ(box.distance, 0.5);
    expect_points(box, {5, 0, 0}, {5, 0, 0.5});
    EXPECT_EQ(box.second_feature, (ShapeFeature{FeatureKind::face, 4}));
    const ShapeDistance capsule = find_distance(plane, make(ShapeType::capsule, {0.5, 2, 0}, {5, 0, 1}, kLying));
    EXPECT_DOUBLE_EQ(capsule.distance, 0.5);
    expect_points(capsule, {5, 0, 0}, {5, 0, 0.5});
    EXPECT_EQ(capsule.second_feature, (ShapeFeature{FeatureKind::edge, 0}));
    const ShapeDistance standing = find_distance(plane, make(ShapeType::cylinder, {0.5, 2, 0}, {5, 0, 2.5}));
    expect_points(standing, {5, 0, 0}, {5, 0, 0.5});
    EXPECT_EQ(standing.second_feature, (ShapeFeature{FeatureKind::face, 0}));
    const ShapeDistance lying = find_distance(plane, make(ShapeType::cylinder, {0.5, 2, 0}, {5, 0, 1}, kLying));
    expect_points(lying, {5, 0, 0}, {5, 0, 0.5});
    EXPECT_EQ(lying.second_feature, (ShapeFeature{FeatureKind::face, 2}));
}

TEST(Distance, of_concentric_round_shapes_is_the_sum_of_their_radii)
{
    const PlacedShape sphere = make(ShapeType::sphere, {0.5, 0, 0});
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::sphere, {0.25, 0, 0})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::capsule, {0.25, 1, 0})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::cylinder, {0.25, 1, 0})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::cylinder, {1, 0.25, 0})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::box, {0.5, 0.25, 1})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::ellipsoid, {0.5, 0.25, 1})).distance, -0.75);
    EXPECT_DOUBLE_EQ(find_distance(sphere, make(ShapeType::ellipsoid, {0.25, 0.25, 0.25})).distance, -0.75);
    EXPECT_DOUBLE_EQ(
        find_distance(make(ShapeType::capsule, {0.5, 1, 0}), make(ShapeType::capsule, {0.25, 2, 0})).distance, -0.75);
}

TEST(Distance, of_a_sphere_on_the_axis_of_a_capsule_leads_across_it)
{
    for (const double place : {-1.0, -0.3, 0.0, 0.7, 1.0})
    {
        const ShapeDistance found =
            find_distance(make(ShapeType::sphere, {0.5, 0, 0}, {0, 0, place}), make(ShapeType::capsule, {0.25, 1, 0}));
        EXPECT_DOUBLE_EQ(found.distance, -0.75);
        EXPECT_EQ(found.normal.z, 0);
    }
}

TEST(Distance, of_crossing_capsules_leads_across_both)
{
    const PlacedShape upright = make(ShapeType::capsule, {0.5, 1, 0});
    for (const double height : {-1.0, 0.0, 0.3, 1.0, 1e-17, 1 + 1e-16})
    {
        for (const double aside : {0.0, 1e-17, -1e-17, 1e-12, -1e-12, 1e-6})
        {
            const ShapeDistance found =
                find_distance(upright, make(ShapeType::capsule, {0.25, 1, 0}, {0.4, aside, height}, kLying));
            EXPECT_NEAR(found.distance, -0.75 + std::abs(aside), 1e-15);
            EXPECT_NEAR(std::abs(found.normal.y), 1, 1e-15);
            EXPECT_GE(found.normal.y * aside, 0);
        }
    }
}

TEST(Distance, of_collinear_capsules_is_between_their_ends_or_across)
{
    const PlacedShape first = make(ShapeType::capsule, {0.5, 1, 0});
    const ShapeDistance apart = find_distance(first, make(ShapeType::capsule, {0.25, 1, 0}, {0, 0, 3}));
    EXPECT_DOUBLE_EQ(apart.distance, 0.25);
    EXPECT_EQ(apart.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(apart.first_feature, (ShapeFeature{FeatureKind::vertex, 1}));
    EXPECT_EQ(apart.second_feature, (ShapeFeature{FeatureKind::vertex, 0}));
    const ShapeDistance within = find_distance(first, make(ShapeType::capsule, {0.25, 1, 0}, {0, 0, 1.5}));
    EXPECT_DOUBLE_EQ(within.distance, -0.75);
    EXPECT_EQ(within.normal.z, 0);
}

TEST(Distance, of_parallel_capsules_is_measured_in_the_middle_of_their_common_stretch)
{
    const ShapeDistance found =
        find_distance(make(ShapeType::capsule, {0.5, 1, 0}), make(ShapeType::capsule, {0.25, 3, 0}, {2, 0, 3.5}));
    EXPECT_DOUBLE_EQ(found.distance, 1.25);
    expect_points(found, {0.5, 0, 0.75}, {1.75, 0, 0.75});
}

TEST(Distance, of_a_needle_through_a_box_leads_out_of_the_nearest_face_or_edge)
{
    const PlacedShape box = make(ShapeType::box, {1, 2, 3});
    const ShapeDistance face = find_distance(make(ShapeType::capsule, {0.5, 10, 0}, {0.25, 0, 0}), box);
    EXPECT_DOUBLE_EQ(face.distance, -1.25);
    EXPECT_EQ(face.normal, (Vec3{-1, 0, 0}));
    EXPECT_EQ(face.second_feature, (ShapeFeature{FeatureKind::face, 1}));
    // A diagonal of the xy section, near the corner x = 1, y = 2.
    const double s = std::sqrt(0.5);
    const Mat3 diagonal{{s, 0, s, -s, 0, s, 0, -1, 0}};
    const Mat3 across{{s, 0, -s, s, 0, s, 0, -1, 0}};
    const ShapeDistance edge = find_distance(make(ShapeType::capsule, {0.5, 10, 0}, {0.9, 1.9, 0}, across), box);
    EXPECT_NEAR(edge.distance, -0.5 - 0.2 * s, 1e-15);
    EXPECT_NEAR(edge.normal.x, -s, 1e-15);
    EXPECT_EQ(edge.second_feature, (ShapeFeature{FeatureKind::edge, 4 * 2 + 3}));
    const ShapeDistance thick = find_distance(make(ShapeType::capsule, {0.5, 10, 0}, {0, 0, 0}, diagonal), box);
    EXPECT_NEAR(thick.distance, -0.5 - 3 * s, 1e-14);
}

TEST(Distance, of_points_on_the_middle_plane_of_an_ellipsoid_is_to_the_nearest_of_both_sides)
{
    // Point (x, 0) of the ellipse 2, 1: nearest (4/3 x, sqrt(1 - (2x/3)^2)) while x < 3/2, the tip beyond.
    for (const double x : {0.0, 0.5, 1.0, 1.4999999, 1.5, 1.75})
    {
        const ShapeDistance found =
            find_distance(make(ShapeType::sphere, {0.1, 0, 0}, {x, 0, 0}), make(ShapeType::ellipsoid, {2, 3, 1}));
        const double u = 4 * x / 3, v = std::sqrt(std::max(1 - u * u / 4, 0.0));
        const double expected = x < 1.5 ? std::sqrt((u - x) * (u - x) + v * v) : 2 - x;
        EXPECT_NEAR(found.distance, -0.1 - expected, 1e-14) << x;
        EXPECT_NEAR(norm(found.normal), 1, 1e-15);
    }
}

TEST(Distance, of_a_sphere_to_an_ellipsoid_holds_for_needles_and_plates)
{
    Random random(7);
    for (int i = 0; i < 2000; ++i)
    {
        Vec3 radii;
        for (int k = 0; k < 3; ++k) radii[k] = std::pow(10, random.uniform(-5, 0));
        const Vec3 direction = random.direction();
        // A surface point and its normal: the point at height t above it is at distance t.
        const Vec3 z = direction, surface{radii.x * z.x, radii.y * z.y, radii.z * z.z};
        Vec3 normal{z.x / radii.x, z.y / radii.y, z.z / radii.z};
        normal = (1 / norm(normal)) * normal;
        const double height = std::pow(10, random.uniform(-8, 1));
        const ShapeDistance found = find_distance(make(ShapeType::sphere, {0.1, 0, 0}, surface + height * normal),
                                                  make(ShapeType::ellipsoid, radii));
        EXPECT_NEAR(found.distance, height - 0.1, 1e-14 + 1e-15 * height);
        EXPECT_LE(norm(found.on_second - surface), 1e-6);
    }
}

TEST(Distance, of_boxes_follows_from_their_features)
{
    const PlacedShape box = make(ShapeType::box, {1, 1, 1});
    const ShapeDistance faces = find_distance(box, make(ShapeType::box, {1, 1, 1}, {0.5, 0, 2.25}));
    EXPECT_DOUBLE_EQ(faces.distance, 0.25);
    expect_points(faces, {0.25, 0, 1}, {0.25, 0, 1.25});
    EXPECT_EQ(faces.first_feature, (ShapeFeature{FeatureKind::face, 5}));
    EXPECT_EQ(faces.second_feature, (ShapeFeature{FeatureKind::face, 4}));
    const double s = std::sqrt(0.5);
    // One box on its edge along y, the other below with its edge along x: they cross at right angles.
    const Mat3 on_y{{s, 0, s, 0, 1, 0, -s, 0, s}}, on_x{{1, 0, 0, 0, s, -s, 0, s, s}};
    const ShapeDistance edges =
        find_distance(make(ShapeType::box, {1, 1, 1}, {}, on_x), make(ShapeType::box, {1, 1, 1}, {0.5, 0.25, 3}, on_y));
    EXPECT_NEAR(edges.distance, 3 - 4 * s, 1e-14);
    EXPECT_NEAR(edges.normal.z, 1, 1e-15);
    expect_points(edges, {0.5, 0, 2 * s}, {0.5, 0, 3 - 2 * s});
    EXPECT_EQ(edges.first_feature.kind, FeatureKind::edge);
    EXPECT_EQ(edges.second_feature.kind, FeatureKind::edge);
    const ShapeDistance vertices = find_distance(box, make(ShapeType::box, {1, 1, 1}, {3, 3, 3}));
    EXPECT_NEAR(vertices.distance, std::sqrt(3.0), 1e-10);
    const ShapeDistance same = find_distance(box, box);
    EXPECT_DOUBLE_EQ(same.distance, -2);
    EXPECT_DOUBLE_EQ(norm(same.normal), 1);
}

TEST(Distance, of_a_shape_to_itself_is_its_least_width)
{
    Random random(3);
    const auto width = [&](ShapeType type, const Vec3& size)
    {
        const PlacedShape shape = make(type, size, random.in_box(10), to_matrix(random.rotation()));
        const ShapeDistance found = find_distance(shape, shape);
        EXPECT_NEAR(norm(found.normal), 1, 1e-14);
        return -found.distance;
    };
    EXPECT_NEAR(width(ShapeType::sphere, {1, 0, 0}), 2, 1e-15);
    EXPECT_NEAR(width(ShapeType::capsule, {1, 2, 0}), 2, 1e-15);
    EXPECT_NEAR(width(ShapeType::box, {3, 1, 2}), 2, 1e-14);
    EXPECT_NEAR(width(ShapeType::cylinder, {3, 1, 0}), 2, 1e-6);
    EXPECT_NEAR(width(ShapeType::ellipsoid, {3, 1, 2}), 2, 1e-6);
}

// Small bodies in the middle of a cylinder: every way out across the axis is nearly as long.
TEST(Distance, out_of_the_middle_of_a_cylinder_is_the_shortest_of_many_ways)
{
    const PlacedShape large = make(ShapeType::cylinder, {120, 1000, 0});
    const ShapeDistance lying =
        find_distance(large, make(ShapeType::cylinder, {0.002, 0.001, 0}, {7e-13, 5e-13, 0}, kLying));
    EXPECT_NEAR(lying.distance, -120.001, 1e-6);
    EXPECT_NEAR(std::abs(lying.normal.x), 1, 1e-6);
    const ShapeDistance ball = find_distance(large, make(ShapeType::ellipsoid, {0.01, 0.01, 0.01}));
    EXPECT_NEAR(ball.distance, -120.01, 1e-6);
    const Mat3 turned = to_matrix(normalized(Quat{0.5, 0.3, 0.7, -0.2}));
    const ShapeDistance needle = find_distance(make(ShapeType::ellipsoid, {6, 114, 6}),
                                               make(ShapeType::ellipsoid, {0.001, 0.001, 0.001}, {}, turned));
    EXPECT_NEAR(needle.distance, -6.001, 1e-6);
}

// The two ways are 8 degrees apart and differ by a thousandth.
TEST(Distance, out_of_an_ellipsoid_is_the_better_of_two_ways_close_to_each_other)
{
    const PlacedShape cylinder = make(
        ShapeType::cylinder, {0.29645160676959281, 0.13793084528823341, 0},
        {0.69688233276174349, 0.48669078929927978, -0.97760632846845286},
        {{-0.0021202173291761106, -0.66291760509940834, -0.74868935716206231, 0.8602718997567449, 0.38049770081875134,
          -0.33934312746918149, 0.50983111239644674, -0.64479589679286031, 0.56948264970207196}});
    const PlacedShape ellipsoid =
        make(ShapeType::ellipsoid, {0.16437131593310475, 0.28797064828972069, 0.12415773613553426},
             {0.67493297920187234, 0.55426272455473613, -0.84546535444092541},
             {{0.45000685376662719, 0.73648387462579867, -0.5050597330803871, -0.81711036212531285, 0.56776351945222614,
               0.099876133719029647, 0.36031165353135786, 0.36774459669095355, 0.85728608056710365}});
    const ShapeDistance found = find_distance(cylinder, ellipsoid);
    EXPECT_NEAR(found.distance, -0.25614783777623, 1e-9);
    EXPECT_LE(norm(found.normal - cylinder.rotation.column(2)), 1e-6);
}

}  // namespace
}  // namespace rattleback
