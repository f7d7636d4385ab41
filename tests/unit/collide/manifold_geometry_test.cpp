// Contact points against distances and exact clipping, for random pairs of all shapes.
#include "base/index.h"
#include "collide/manifold/flat_part.h"
#include "geometry/distance.h"
#include "resting.h"
#include "support/counting_allocator.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback
{
namespace
{

using namespace resting;

constexpr std::array kTypes = {ShapeType::plane,    ShapeType::sphere,    ShapeType::capsule, ShapeType::box,
                               ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};

/// Calls `check` with random pairs of every two types in every placement.
template <class Check>
void for_all_pairs(int cases, std::uint64_t seed, const Check& check)
{
    for (std::size_t i = 0; i < kTypes.size(); ++i)
    {
        for (std::size_t j = std::max<std::size_t>(i, 1); j < kTypes.size(); ++j)
        {
            for (int placement = 0; placement < kPlacementCount; ++placement)
            {
                Random random(seed + 1000 * i + 100 * j + static_cast<std::uint64_t>(placement));
                for (int k = 0; k < cases; ++k)
                {
                    const auto pair =
                        make_shape_pair(kTypes[i], kTypes[j], static_cast<PairPlacement>(placement), random);
                    SCOPED_TRACE(std::string(to_string(kTypes[i])) + " " + to_string(kTypes[j]) + " " +
                                 to_string(pair.placement) + " " + std::to_string(k));
                    check(pair, random);
                }
            }
        }
    }
}

double find_tolerance(const ShapePairCase& pair)
{
    const double width = std::min(find_width(pair.first.placed), find_width(pair.second.placed));
    return 1e-4 * width + 1e-9 * pair.size;
}

double find_deepest(const Manifold& manifold)
{
    double deepest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < manifold.count; ++i) deepest = std::min(deepest, manifold.points[at(i)].distance);
    return deepest;
}

/// Signed distance of a point from a shape.
double find_level_of(const PlacedShape& shape, const Vec3& point)
{
    const PlacedShape dot_shape{ShapeType::sphere, point, to_matrix(Quat{}), {}};
    return find_distance(dot_shape, shape).distance;
}

/// How far inside a rounded shape the part may be that stands for it: the balls of a tilted capsule are inside it, and
/// a tilted cap is seen as a disc.
double find_rounding(const PlacedShape& shape, const Vec3& normal)
{
    if (shape.type != ShapeType::capsule && shape.type != ShapeType::cylinder) return 0;
    const double cosine = dot(shape.rotation.column(2), normal);
    const double capsule = 1 - std::sqrt(std::max(1 - cosine * cosine, 0.0));
    return shape.size.x * (shape.type == ShapeType::capsule ? capsule : 1e-4);
}

/// How far aside of a round side a line may run that counts as along it.
double find_lateral(const PlacedShape& shape)
{
    return shape.type == ShapeType::capsule || shape.type == ShapeType::cylinder ? 2e-3 * shape.size.x : 0;
}

void check_points(const ShapePairCase& pair, const Manifold& manifold, double reach)
{
    const double tolerance = find_tolerance(pair);
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& p = manifold.points[at(i)];
        ASSERT_NEAR(norm(p.normal), 1, 1e-12);
        ASSERT_LT(p.distance, reach);
        ASSERT_TRUE(i == 0 || manifold.points[at(i - 1)].feature < p.feature) << "features are in order and unique";
        const Vec3 on_first = p.point - 0.5 * p.distance * p.normal, on_second = p.point + 0.5 * p.distance * p.normal;
        const double first = find_level_of(pair.first.placed, on_first);
        const double second = find_level_of(pair.second.placed, on_second);
        const double first_bar = tolerance + find_rounding(pair.first.placed, p.normal);
        const double second_bar = tolerance + find_rounding(pair.second.placed, p.normal);
        const double aside = 3 * tolerance + find_lateral(pair.first.placed) + find_lateral(pair.second.placed);
        ASSERT_LT(first, aside + first_bar) << "point " << i << " of " << manifold.count;
        ASSERT_GT(first, -first_bar) << "point " << i << " of " << manifold.count;
        ASSERT_LT(second, aside + second_bar) << "point " << i << " of " << manifold.count;
        ASSERT_GT(second, -second_bar) << "point " << i << " of " << manifold.count;
    }
}

void check_pair(const ShapePairCase& pair, Random& random)
{
    const PlacedShape &first = pair.first.placed, &second = pair.second.placed;
    const double reach = random.chance(0.3) ? 0 : random.uniform(0, 0.3) * pair.size;
    const double tolerance = find_tolerance(pair);
    const Manifold manifold = find_manifold(first, second, reach);
    const ShapeDistance found = find_distance(first, second);
    if (found.distance > reach + tolerance)
    {
        ASSERT_EQ(manifold.count, 0);
        return;
    }
    if (manifold.count == 0)
    {
        ASSERT_GT(found.distance, reach - tolerance) << "nothing was found";
        return;
    }
    ASSERT_NEAR(find_deepest(manifold), found.distance, tolerance) << "count " << manifold.count;
    check_points(pair, manifold, reach);
}

/// Corners of what is left of a convex polygon (u, v) inside another, both counter-clockwise: Sutherland and Hodgman.
using Polygon = std::vector<std::array<double, 2>>;

Polygon clip(Polygon subject, const Polygon& window)
{
    for (std::size_t i = 0; i < window.size(); ++i)
    {
        const auto &a = window[i], &b = window[(i + 1) % window.size()];
        const auto side = [&](const std::array<double, 2>& p)
        { return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]); };
        Polygon kept;
        for (std::size_t j = 0; j < subject.size(); ++j)
        {
            const auto &p = subject[j], &q = subject[(j + 1) % subject.size()];
            const double from = side(p), to = side(q);
            if (from >= 0) kept.push_back(p);
            if ((from < 0) == (to < 0)) continue;
            const double t = from / (from - to);
            kept.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
        }
        subject = kept;
    }
    return subject;
}

double find_area(const Polygon& polygon)
{
    double area = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
        const auto &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

/// Contact points in the plane z = 0, counter-clockwise about their middle.
Polygon sort_around(const Manifold& manifold)
{
    Polygon points;
    double u = 0, v = 0;
    for (int i = 0; i < manifold.count; ++i)
    {
        const Vec3& p = manifold.points[at(i)].point;
        points.push_back({p.x, p.y});
        u += p.x / manifold.count;
        v += p.y / manifold.count;
    }
    std::sort(points.begin(), points.end(), [&](const auto& p, const auto& q)
              { return std::atan2(p[1] - v, p[0] - u) < std::atan2(q[1] - v, q[0] - u); });
    return points;
}

/// A face that lies in the plane z = 0: corners about the origin, moved and turned.
Polygon place_polygon(const Polygon& corners, const Vec3& position, double turn)
{
    Polygon placed;
    for (const auto& p : corners)
    {
        placed.push_back({position.x + std::cos(turn) * p[0] - std::sin(turn) * p[1],
                          position.y + std::sin(turn) * p[0] + std::cos(turn) * p[1]});
    }
    return placed;
}

Polygon make_rectangle(double x, double y) { return {{x, y}, {-x, y}, {-x, -y}, {x, -y}}; }

}  // namespace

TEST(ManifoldGeometry, boxes_that_overhang_touch_in_the_common_part_of_their_faces)
{
    Random random(11);
    int compared = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        const Vec3 lower{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
        const Vec3 upper{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
        const double turn = random.uniform(0, 2 * kPi);
        const Vec3 aside{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        const Polygon exact =
            clip(place_polygon(make_rectangle(upper.x, upper.y), aside, turn), make_rectangle(lower.x, lower.y));
        if (exact.size() < 3 || find_area(exact) < 0.05) continue;  // the least depth may be sideways
        const Manifold manifold = find_manifold(
            make_box(lower).place({{0, 0, -lower.z}, {}}),
            make_box(upper).place({aside + Vec3{0, 0, upper.z - 1e-3}, from_axis_angle({0, 0, 1}, turn)}), 0.01);
        EXPECT_NEAR(find_area(sort_around(manifold)), find_area(exact), 1e-3 * find_area(exact));
        Manifold reduced = manifold;
        reduce_manifold(reduced, 4);
        EXPECT_LE(reduced.count, 4);
        EXPECT_GT(find_area(sort_around(reduced)), 0.6 * find_area(exact)) << "four points hold most of the area";
        ++compared;
    }
    EXPECT_GT(compared, 300);
}

TEST(ManifoldGeometry, hulls_that_overhang_touch_in_most_of_the_common_part_of_their_faces)
{
    Random random(12);
    int compared = 0;
    for (int trial = 0; trial < 1000; ++trial)
    {
        const int sides = random.integer(3, 9);
        const double radius = random.uniform(0.3, 1), turn = random.uniform(0, 2 * kPi);
        const Vec3 lower{random.uniform(0.1, 1), random.uniform(0.1, 1), 0.5};
        const Vec3 aside{random.uniform(-1, 1), random.uniform(-1, 1), 0};
        Polygon corners;
        for (int i = 0; i < sides; ++i)
            corners.push_back({radius * std::cos(2 * kPi * i / sides), radius * std::sin(2 * kPi * i / sides)});
        const Polygon exact = clip(place_polygon(corners, aside, turn), make_rectangle(lower.x, lower.y));
        if (exact.size() < 3 || find_area(exact) < 0.05) continue;
        const Manifold manifold = find_manifold(
            make_box_hull(lower).place({{0, 0, -lower.z}, {}}),
            make_prism(sides, radius, 0.5).place({aside + Vec3{0, 0, 0.5 - 1e-3}, from_axis_angle({0, 0, 1}, turn)}),
            0.01);
        EXPECT_LE(manifold.count, 4);
        const double area = find_area(sort_around(manifold));
        EXPECT_GT(area, 0.6 * find_area(exact));
        EXPECT_LT(area, 1.001 * find_area(exact));
        ++compared;
    }
    EXPECT_GT(compared, 300);
}

TEST(ManifoldGeometry, a_cap_that_overhangs_touches_up_to_the_edge)
{
    // A cylinder of radius 0.1 whose axis is 0.06 inside the edge x = 0 of a slab.
    const Manifold manifold = find_manifold(make_box({1, 1, 0.2}).place({{-1, 0, -0.2}, {}}),
                                            make_cylinder(0.1, 0.1).place({{-0.06, 0, 0.1 - 1e-4}, {}}), 1e-3);
    ASSERT_EQ(manifold.count, 4);
    double furthest = -1, width = 0;
    for (int i = 0; i < 4; ++i)
    {
        const Vec3& p = manifold.points[at(i)].point;
        furthest = std::max(furthest, p.x);
        if (std::abs(p.x) < 1e-9) width = std::max(width, std::abs(p.y));
    }
    EXPECT_NEAR(furthest, 0, 1e-9);
    EXPECT_NEAR(width, 0.08, 1e-9) << "where the rim crosses the edge: 0.1^2 = 0.06^2 + 0.08^2";
}

TEST(ManifoldGeometry, reducing_keeps_the_deepest_point)
{
    Random random(13);
    for (int trial = 0; trial < 1000; ++trial)
    {
        const Solid box = make_box({0.5, 0.5, 0.5});
        const Quat turn = from_axis_angle({0, 0, 1}, random.uniform(0, kPi)) *
                          from_axis_angle(random.direction(), random.uniform(0, 0.02));
        const Manifold manifold = find_manifold(box.place({}), box.place({{0.05, 0, 0.97}, turn}), 0.1);
        Manifold reduced = manifold;
        reduce_manifold(reduced, 4);
        EXPECT_EQ(reduced.count, std::min(manifold.count, 4));
        EXPECT_NEAR(find_deepest(reduced), find_deepest(manifold), 1e-4);
        for (int i = 1; i < reduced.count; ++i)
            EXPECT_LT(reduced.points[at(i - 1)].feature, reduced.points[at(i)].feature);
    }
}

TEST(ManifoldGeometry, contact_points_are_found_without_allocating)
{
    Random random(14);
    std::vector<ShapePairCase> pairs;
    for (const ShapeType first : kTypes)
    {
        for (const ShapeType second : kTypes)
        {
            if (second < first || second == ShapeType::plane) continue;
            for (int placement = 0; placement < kPlacementCount; ++placement)
                pairs.push_back(make_shape_pair(first, second, static_cast<PairPlacement>(placement), random));
        }
    }
    const long before = allocation_count();
    int points = 0;
    for (const ShapePairCase& pair : pairs) points += find_manifold(pair.first.placed, pair.second.placed, 0.05).count;
    EXPECT_EQ(allocation_count() - before, 0);
    EXPECT_GT(points, 100);
}

TEST(ManifoldGeometry, the_deepest_point_is_as_deep_as_the_shapes_and_all_points_are_on_both_surfaces)
{
    for_all_pairs(100, 1, &check_pair);
}

TEST(ManifoldGeometry, long_the_deepest_point_is_as_deep_as_the_shapes_and_all_points_are_on_both_surfaces)
{
    for_all_pairs(10000, 2, &check_pair);
}

}  // namespace rattleback
