// GJK and EPA against exact distances of polyhedra, and on shapes that are thin, huge, tiny, touching or the same.
#include <gtest/gtest.h>

#include "geometry/convex/hull_support.h"
#include "geometry/distance.h"
#include "geometry/hull.h"
#include "geometry/polyhedron.h"
#include "support/brute_distance.h"
#include "support/exact_polyhedra.h"
#include "support/shape_pairs.h"

#include <algorithm>

namespace rattleback
{
namespace
{

using Types = std::pair<ShapeType, ShapeType>;

/// What every answer of the general search must satisfy, without knowing the right one. `size`: of both shapes.
void expect_certified(const PlacedShape& first, const PlacedShape& second, const ShapeDistance& found, double size,
                      double overlap_gap)
{
    const double rounding = 1e-13 * (size + std::abs(found.distance));
    EXPECT_NEAR(norm(found.normal), 1, 1e-14);
    EXPECT_LE(found.lower, found.distance);
    EXPECT_LE(found.distance - found.lower, (found.distance > 0 ? 1e-10 : overlap_gap) * size + rounding);
    // The lower bound is what the normal proves.
    EXPECT_NEAR(find_gap_along(first, second, found.normal), found.lower,
                1e-9 * size + 1e-9 * std::abs(found.distance));
    EXPECT_LE(norm(found.on_second - found.on_first - found.distance * found.normal), rounding);
}

class PolyhedronPairs : public ::testing::TestWithParam<Types>
{
protected:
    void compare_with_exact(int count)
    {
        for (int i = 0; i < count && !HasFailure(); ++i)
        {
            Random random(static_cast<std::uint64_t>(i) + 1);
            const auto placement = static_cast<PairPlacement>(i % kPlacementCount);
            const ShapePairCase pair = make_shape_pair(GetParam().first, GetParam().second, placement, random);
            const PlacedShape &first = pair.first.placed, &second = pair.second.placed;
            SCOPED_TRACE("case " + std::to_string(i) + ", " + to_string(placement));
            const ShapeDistance found = find_convex_distance(first, second);
            const ExactDistance exact = find_exact_distance(first, second);
            EXPECT_NEAR(found.distance, exact.distance, 1e-11 * pair.size);
            EXPECT_LE(found.lower, exact.distance + 1e-12 * pair.size);
            expect_certified(first, second, found, pair.size, 1e-11);
            if (exact.unique)
            {
                EXPECT_LE(norm(found.normal - exact.normal), 1e-6);
            }
        }
    }
};

TEST_P(PolyhedronPairs, have_the_exact_distance) { compare_with_exact(1000); }
TEST_P(PolyhedronPairs, long_have_the_exact_distance_a_hundred_thousand_times) { compare_with_exact(100000); }

/// Stretches a shape along its axes.
OwnedShape stretched(const OwnedShape& shape, const Vec3& factors)
{
    OwnedShape result;
    result.placed = shape.placed;
    if (shape.placed.type != ShapeType::hull)
    {
        result.placed.size = {shape.placed.size.x * factors.x, shape.placed.size.y * factors.y,
                              shape.placed.size.z * factors.z};
        return result;
    }
    std::vector<Vec3> points;
    for (const Vec3& v : shape.hull->vertices) points.push_back({v.x * factors.x, v.y * factors.y, v.z * factors.z});
    result.hull = std::make_unique<Polyhedron>(build_polyhedron(compute_hull(points).value()));
    result.placed.hull = result.hull.get();
    return result;
}

TEST_P(PolyhedronPairs, have_the_exact_distance_as_needles_and_plates)
{
    for (int i = 0; i < 600 && !HasFailure(); ++i)
    {
        SCOPED_TRACE(i);
        Random random(static_cast<std::uint64_t>(i) + 77);
        const double thin = std::pow(10, random.uniform(-5, -2));
        const Vec3 factors = i % 2 == 0 ? Vec3{1, 1, thin} : Vec3{1, thin, thin};
        OwnedShape first = stretched(make_random_shape(GetParam().first, random), factors);
        OwnedShape second =
            stretched(make_random_shape(GetParam().second, random), i % 3 == 0 ? Vec3{1, 1, 1} : factors);
        first.placed.rotation = to_matrix(random.rotation());
        second.placed.rotation = i % 5 == 0 ? first.placed.rotation : to_matrix(random.rotation());
        const double size = find_radius(first.placed) + find_radius(second.placed);
        second.placed.position = random.uniform(0, i % 4 == 0 ? 2 * thin : 1) * size * random.direction();
        const ShapeDistance found = find_convex_distance(first.placed, second.placed);
        const ExactDistance exact = find_exact_distance(first.placed, second.placed);
        EXPECT_NEAR(found.distance, exact.distance, 1e-10 * size);
        expect_certified(first.placed, second.placed, found, size, 1e-10);
        if (exact.unique)
        {
            EXPECT_LE(norm(found.normal - exact.normal), 1e-5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, PolyhedronPairs,
                         ::testing::Values(Types{ShapeType::box, ShapeType::box},
                                           Types{ShapeType::box, ShapeType::hull},
                                           Types{ShapeType::hull, ShapeType::hull}),
                         [](const ::testing::TestParamInfo<Types>& pair)
                         { return std::string(to_string(pair.param.first)) + "_" + to_string(pair.param.second); });

class ConvexPairs : public ::testing::TestWithParam<Types>
{
};

/// Also the pairs for which find_distance has closed forms.
TEST_P(ConvexPairs, agree_with_the_brute_distance)
{
    for (int i = 0; i < 150 && !HasFailure(); ++i)
    {
        Random random(static_cast<std::uint64_t>(i) * 31 + 5);
        const auto placement = static_cast<PairPlacement>(i % kPlacementCount);
        const ShapePairCase pair = make_shape_pair(GetParam().first, GetParam().second, placement, random);
        const PlacedShape &first = pair.first.placed, &second = pair.second.placed;
        SCOPED_TRACE("case " + std::to_string(i) + ", " + to_string(placement));
        const ShapeDistance found = find_convex_distance(first, second);
        const BruteDistance brute = find_brute_distance(first, second);
        EXPECT_NEAR(found.distance, brute.distance, (brute.distance > 0 ? 1e-9 : 1e-7) * pair.size + brute.error);
        expect_certified(first, second, found, pair.size, 1e-7);
    }
}

TEST_P(ConvexPairs, are_the_same_when_swapped_and_when_the_world_moves)
{
    for (int i = 0; i < 300 && !HasFailure(); ++i)
    {
        Random random(static_cast<std::uint64_t>(i) * 17 + 3);
        const auto placement = static_cast<PairPlacement>(i % kPlacementCount);
        const ShapePairCase pair = make_shape_pair(GetParam().first, GetParam().second, placement, random);
        const PlacedShape &first = pair.first.placed, &second = pair.second.placed;
        SCOPED_TRACE("case " + std::to_string(i) + ", " + to_string(placement));
        const ShapeDistance here = find_convex_distance(first, second);
        const ShapeDistance swapped = find_convex_distance(second, first);
        EXPECT_NEAR(here.distance, swapped.distance, 2e-11 * pair.size);
        const Pose motion{random.in_box(10), random.rotation()};
        const ShapeDistance moved_there = find_convex_distance(moved(first, motion), moved(second, motion));
        EXPECT_NEAR(here.distance, moved_there.distance, 1e-10 * pair.size);
        EXPECT_EQ(find_convex_distance(first, second).on_first, here.on_first) << "no memory of other queries";
    }
}

TEST_P(ConvexPairs, keep_their_precision_over_six_decades_of_scale)
{
    for (int i = 0; i < 60 && !HasFailure(); ++i)
    {
        Random random(static_cast<std::uint64_t>(i) * 13 + 1);
        const ShapePairCase pair = make_shape_pair(GetParam().first, GetParam().second,
                                                   static_cast<PairPlacement>(i % kPlacementCount), random);
        SCOPED_TRACE(i);
        const ShapeDistance here = find_convex_distance(pair.first.placed, pair.second.placed);
        for (const double factor : {1e-3, 0.1, 1e3})
        {
            const OwnedShape first = scaled(pair.first, factor), second = scaled(pair.second, factor);
            const ShapeDistance there = find_convex_distance(first.placed, second.placed);
            EXPECT_NEAR(here.distance, there.distance / factor, 1e-10 * pair.size);
            expect_certified(first.placed, second.placed, there, factor * pair.size, 1e-7);
        }
    }
}

TEST_P(ConvexPairs, are_certified_as_needles_and_plates)
{
    for (int i = 0; i < 300 && !HasFailure(); ++i)
    {
        SCOPED_TRACE(i);
        Random random(static_cast<std::uint64_t>(i) + 7);
        const double thin = std::pow(10, random.uniform(-5, -1));
        OwnedShape first = make_random_shape(GetParam().first, random);
        OwnedShape second = make_random_shape(GetParam().second, random);
        const auto squeeze = [&](OwnedShape& shape)
        {
            const bool round = shape.placed.type == ShapeType::sphere || shape.placed.type == ShapeType::capsule ||
                               shape.placed.type == ShapeType::cylinder;
            shape = stretched(shape, round ? (i % 2 == 0 ? Vec3{1, thin, 1} : Vec3{thin, 1, 1})
                                           : (i % 2 == 0 ? Vec3{1, 1, thin} : Vec3{thin, 1, thin}));
        };
        squeeze(first);
        if (i % 3 != 0) squeeze(second);
        first.placed.rotation = to_matrix(random.rotation());
        second.placed.rotation = to_matrix(random.rotation());
        const double size = find_radius(first.placed) + find_radius(second.placed);
        second.placed.position = random.uniform(0.2, 1.2) * size * random.direction();
        const ShapeDistance found = find_convex_distance(first.placed, second.placed);
        expect_certified(first.placed, second.placed, found, size, 1e-6);
    }
}

std::vector<Types> list_pairs()
{
    std::vector<Types> pairs;
    for (int first = static_cast<int>(ShapeType::sphere); first <= static_cast<int>(ShapeType::hull); ++first)
    {
        for (int second = first; second <= static_cast<int>(ShapeType::hull); ++second)
            pairs.emplace_back(static_cast<ShapeType>(first), static_cast<ShapeType>(second));
    }
    return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, ConvexPairs, ::testing::ValuesIn(list_pairs()),
                         [](const ::testing::TestParamInfo<Types>& pair)
                         { return std::string(to_string(pair.param.first)) + "_" + to_string(pair.param.second); });

PlacedShape place(ShapeType type, const Vec3& size, const Vec3& position, const Mat3& rotation = to_matrix(Quat{}))
{
    return {type, position, rotation, size, nullptr};
}

Mat3 turn(const Vec3& axis, double angle) { return to_matrix(from_axis_angle(axis, angle)); }

TEST(ConvexTouching, has_distance_zero_and_the_normal_of_the_faces)
{
    const Vec3 half{0.5, 0.5, 0.5};
    const PlacedShape box = place(ShapeType::box, half, {});
    const double diagonal = std::sqrt(2.0) * 0.5, corner = std::sqrt(3.0) * 0.5;
    const Mat3 on_edge = turn({1, 0, 0}, kPi / 4);
    const Mat3 on_corner = turn({1, -1, 0}, std::acos(1 / std::sqrt(3.0)));
    const struct
    {
        const char* title;
        PlacedShape other;
        Vec3 normal;
    } cases[] = {
        {"face on face", place(ShapeType::box, half, {0, 0, 1}), {0, 0, 1}},
        {"face on a part of a face", place(ShapeType::box, half, {0.9, 0.3, 1}), {0, 0, 1}},
        {"turned face on face", place(ShapeType::box, half, {0.1, 0, 1}, turn({0, 0, 1}, 0.3)), {0, 0, 1}},
        {"edge on face", place(ShapeType::box, half, {0.1, 0.2, 0.5 + diagonal}, on_edge), {0, 0, 1}},
        {"corner on face", place(ShapeType::box, half, {0.1, 0.2, 0.5 + corner}, on_corner), {0, 0, 1}},
        {"cap on face", place(ShapeType::cylinder, {0.3, 0.4, 0}, {0.1, 0, 0.9}), {0, 0, 1}},
        {"side on face", place(ShapeType::cylinder, {0.3, 0.4, 0}, {0, 0, 0.8}, turn({1, 0, 0}, kPi / 2)), {0, 0, 1}},
        {"ellipsoid on face", place(ShapeType::ellipsoid, {0.2, 0.3, 0.4}, {0.2, 0.1, 0.9}), {0, 0, 1}},
        {"sphere on face", place(ShapeType::sphere, {0.25, 0, 0}, {0.2, 0.1, 0.75}), {0, 0, 1}},
        {"capsule on face",
         place(ShapeType::capsule, {0.25, 0.4, 0}, {0, 0, 0.75}, turn({0, 1, 0}, kPi / 2)),
         {0, 0, 1}},
    };
    for (const auto& test : cases)
    {
        SCOPED_TRACE(test.title);
        for (const bool swap : {false, true})
        {
            const ShapeDistance found =
                swap ? find_convex_distance(test.other, box) : find_convex_distance(box, test.other);
            EXPECT_NEAR(found.distance, 0, 1e-12);
            EXPECT_NEAR(found.lower, 0, 1e-12);
            EXPECT_LE(norm(found.normal - (swap ? -test.normal : test.normal)), 1e-10);
            EXPECT_NEAR(found.on_first.z, 0.5, 1e-12);
        }
    }
}

TEST(ConvexTouching, of_crossed_edges_has_the_normal_across_both)
{
    const Mat3 up = turn({0, 1, 0}, kPi / 4);  // an edge along y on top
    const PlacedShape first = place(ShapeType::box, {0.5, 0.5, 0.5}, {}, up);
    const PlacedShape second = place(ShapeType::box, {0.5, 0.5, 0.5}, {0, 0, std::sqrt(2.0)}, turn({1, 0, 0}, kPi / 4));
    const ShapeDistance found = find_convex_distance(first, second);
    EXPECT_NEAR(found.distance, 0, 1e-15);
    EXPECT_LE(norm(found.normal - Vec3{0, 0, 1}), 1e-12);
    EXPECT_LE(norm(found.on_first - Vec3{0, 0, std::sqrt(0.5)}), 1e-12);
    EXPECT_EQ(found.first_feature.kind, FeatureKind::edge);
    EXPECT_EQ(found.second_feature.kind, FeatureKind::edge);
}

TEST(ConvexOverlap, of_a_shape_with_itself_is_its_least_width)
{
    Random random(2);
    const OwnedShape hull = make_random_shape(ShapeType::hull, random);
    const struct
    {
        PlacedShape shape;
        double width;
    } cases[] = {
        {place(ShapeType::sphere, {0.3, 0, 0}, {}), 0.6},
        {place(ShapeType::capsule, {0.3, 0.5, 0}, {}), 0.6},
        {place(ShapeType::box, {0.3, 0.2, 0.5}, {}), 0.4},
        {place(ShapeType::cylinder, {0.3, 0.5, 0}, {}), 0.6},
        {place(ShapeType::cylinder, {0.3, 0.1, 0}, {}), 0.2},
        {place(ShapeType::ellipsoid, {0.3, 0.2, 0.5}, {}), 0.4},
        {hull.placed, -find_exact_distance(hull.placed, hull.placed).distance},
    };
    for (const auto& test : cases)
    {
        SCOPED_TRACE(to_string(test.shape.type));
        const ShapeDistance found = find_convex_distance(test.shape, test.shape);
        // A round one has no single best normal to settle on: the bounds say how far the search went.
        const double tolerance = test.shape.type == ShapeType::cylinder && test.width == 0.6 ? 1e-2 : 1e-9;
        EXPECT_NEAR(found.distance, -test.width, tolerance);
        EXPECT_LE(found.lower, -test.width + 1e-12);
        EXPECT_GE(found.distance, -test.width - 1e-12);
    }
}

TEST(ConvexFeatures, name_the_smallest_part_that_holds_the_witness)
{
    const auto expect = [](const PlacedShape& a, const PlacedShape& b, ShapeFeature first, ShapeFeature second)
    {
        const ShapeDistance found = find_convex_distance(a, b);
        EXPECT_EQ(found.first_feature.kind, first.kind);
        EXPECT_EQ(found.first_feature.index, first.index);
        EXPECT_EQ(found.second_feature.kind, second.kind);
        EXPECT_EQ(found.second_feature.index, second.index);
    };
    constexpr auto kVertex = FeatureKind::vertex, kEdge = FeatureKind::edge, kFace = FeatureKind::face;
    const PlacedShape box = place(ShapeType::box, {0.5, 0.5, 0.5}, {});
    const PlacedShape ball = place(ShapeType::sphere, {0.1, 0, 0}, {});
    const auto at = [&](const Vec3& p)
    {
        PlacedShape moved_ball = ball;
        moved_ball.position = p;
        return moved_ball;
    };
    expect(box, at({1, 0.1, 0.2}), {kFace, 1}, {kFace, 0});
    expect(box, at({0.1, -1, 0.2}), {kFace, 2}, {kFace, 0});
    expect(box, at({0.1, 0.2, 1}), {kFace, 5}, {kFace, 0});
    expect(box, at({0.1, 1, 1}), {kEdge, 3}, {kFace, 0});
    expect(box, at({1, 0.1, -1}), {kEdge, 4 + 1}, {kFace, 0});
    expect(box, at({-1, 1, 0.1}), {kEdge, 8 + 2}, {kFace, 0});
    expect(box, at({1, -1, 1}), {kVertex, 5}, {kFace, 0});
    expect(box, at({0.42, 0.1, 0}), {kFace, 1}, {kFace, 0});

    const PlacedShape cylinder = place(ShapeType::cylinder, {0.5, 1, 0}, {});
    expect(cylinder, at({0.1, 0.1, 2}), {kFace, 1}, {kFace, 0});
    expect(cylinder, at({0.1, 0.1, -2}), {kFace, 0}, {kFace, 0});
    expect(cylinder, at({1, 1, 0.3}), {kFace, 2}, {kFace, 0});
    expect(cylinder, at({1, 1, 2}), {kEdge, 1}, {kFace, 0});
    expect(cylinder, at({1, -1, -2}), {kEdge, 0}, {kFace, 0});

    const PlacedShape capsule = place(ShapeType::capsule, {0.2, 1, 0}, {});
    expect(capsule, at({0.1, 0.1, 2}), {kVertex, 1}, {kFace, 0});
    expect(capsule, at({0.1, 0.1, -2}), {kVertex, 0}, {kFace, 0});
    expect(capsule, at({1, 1, 0.3}), {kEdge, 0}, {kFace, 0});
}

TEST(ConvexFeatures, of_hulls_are_those_of_the_polyhedron)
{
    Random random(4);
    for (int i = 0; i < 300; ++i)
    {
        OwnedShape hull = make_random_shape(ShapeType::hull, random);
        hull.placed.position = {};
        hull.placed.rotation = to_matrix(Quat{});
        const Polyhedron& solid = *hull.hull;
        const auto index = [&](int count) { return random.integer(0, count - 1); };
        const auto vertex = [&](int v) { return solid.vertices[static_cast<std::size_t>(v)]; };
        const int f = index(solid.face_count());
        Vec3 middle;
        const int begin = solid.face_begin[static_cast<std::size_t>(f)];
        const int end = solid.face_begin[static_cast<std::size_t>(f) + 1];
        for (int k = begin; k < end; ++k)
            middle += (1.0 / (end - begin)) * vertex(solid.face_vertices[static_cast<std::size_t>(k)]);
        const Vec3 normal = solid.face_normal[static_cast<std::size_t>(f)];
        PlacedShape ball = place(ShapeType::sphere, {0.01, 0, 0}, middle + 0.1 * normal);
        ShapeDistance found = find_convex_distance(hull.placed, ball);
        EXPECT_EQ(found.first_feature, (ShapeFeature{FeatureKind::face, f}));
        EXPECT_NEAR(found.distance, 0.09, 1e-9);

        const int e = index(solid.edge_count());
        const Polyhedron::Edge& edge = solid.edges[static_cast<std::size_t>(e)];
        const Vec3 out = solid.face_normal[static_cast<std::size_t>(edge.left)] +
                         solid.face_normal[static_cast<std::size_t>(edge.right)];
        ball.position = 0.5 * (vertex(edge.first) + vertex(edge.second)) + (0.1 / norm(out)) * out;
        found = find_convex_distance(hull.placed, ball);
        EXPECT_EQ(found.first_feature, (ShapeFeature{FeatureKind::edge, e}));

        const int v = index(solid.vertex_count());
        Vec3 away;
        for (int k = solid.neighbour_begin[static_cast<std::size_t>(v)];
             k < solid.neighbour_begin[static_cast<std::size_t>(v) + 1]; ++k)
        {
            const Vec3 along = vertex(v) - vertex(solid.neighbours[static_cast<std::size_t>(k)]);
            away += (1 / norm(along)) * along;
        }
        ball.position = vertex(v) + (0.1 / norm(away)) * away;
        found = find_convex_distance(hull.placed, ball);
        if (norm(found.on_first - vertex(v)) < 1e-12)
        {
            EXPECT_EQ(found.first_feature, (ShapeFeature{FeatureKind::vertex, v}));
        }
    }
}

TEST(HullSupport, is_the_furthest_vertex_by_scan_and_by_climb)
{
    Random random(6);
    for (const int count : {8, 13, 33, 50, 130, 900})
    {
        const OwnedShape hull = make_random_shape(ShapeType::hull, random, count);
        for (int i = 0; i < 200; ++i)
        {
            const Vec3 d = random.direction();
            double furthest = -1;
            for (const Vec3& v : hull.hull->vertices) furthest = std::max(furthest, dot(d, v));
            const auto reach = [&](int v) { return dot(d, hull.hull->vertices[static_cast<std::size_t>(v)]); };
            EXPECT_NEAR(reach(cores::scan_furthest(*hull.hull, d)), furthest, 1e-15);
            if (hull.hull->climb.empty()) continue;
            const int start = random.integer(0, hull.hull->vertex_count() - 1);
            EXPECT_NEAR(reach(cores::climb_furthest(*hull.hull, d, start)), furthest, 1e-13);
            EXPECT_NEAR(reach(cores::find_furthest(*hull.hull, d)), furthest, 1e-13);
            const Vec3 middle = cores::find_cell_direction(cores::find_cell(d));
            EXPECT_GT(dot(d, middle), 0.9 * norm(middle)) << "the cell of a direction is around it";
        }
    }
}

TEST(ConvexHulls, of_thousands_of_vertices_are_certified)
{
    Random random(8);
    const auto make_ball = [&](int count)
    {
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i) points.push_back(random.direction());
        return build_polyhedron(compute_hull(points).value());
    };
    const Polyhedron solid = make_ball(5000);
    ASSERT_EQ(solid.vertex_count(), 5000);
    for (int i = 0; i < 50; ++i)
    {
        PlacedShape first{ShapeType::hull, {}, to_matrix(random.rotation()), {}, &solid};
        PlacedShape second{ShapeType::hull, {}, to_matrix(random.rotation()), {}, &solid};
        second.position = (i < 25 ? 2.01 : 1.98) * random.direction();
        const ShapeDistance found = find_convex_distance(first, second);
        EXPECT_EQ(found.distance > 0, i < 25);
        expect_certified(first, second, found, 2, 1e-8);
    }
}

TEST(ConvexDegenerate, sizes_of_zero_give_numbers)
{
    const double zero = 0;
    const PlacedShape shapes[] = {
        place(ShapeType::sphere, {zero, 0, 0}, {}),    place(ShapeType::capsule, {zero, zero, 0}, {}),
        place(ShapeType::box, {zero, zero, zero}, {}), place(ShapeType::box, {1, 1, zero}, {}),
        place(ShapeType::cylinder, {zero, 1, 0}, {}),  place(ShapeType::cylinder, {1, zero, 0}, {}),
        place(ShapeType::ellipsoid, {1, zero, 1}, {}), place(ShapeType::ellipsoid, {zero, zero, zero}, {}),
        place(ShapeType::box, {1, 2, 3}, {}),
    };
    for (const PlacedShape& first : shapes)
    {
        for (PlacedShape second : shapes)
        {
            for (const Vec3& offset : {Vec3{}, Vec3{1, 0, 0}, Vec3{2, 0, 0}, Vec3{0, 5, 1}, Vec3{1e-14, 0, 1e-13}})
            {
                second.position = offset;
                const ShapeDistance found = find_convex_distance(first, second);
                EXPECT_TRUE(std::isfinite(found.distance) && std::isfinite(found.lower));
                EXPECT_NEAR(norm(found.normal), 1, 1e-12);
                EXPECT_TRUE(std::isfinite(norm(found.on_first)) && std::isfinite(norm(found.on_second)));
                EXPECT_LE(found.lower, found.distance);
                const double gap = find_gap_along(first, second, found.normal);  // not a number for an empty ellipsoid
                EXPECT_FALSE(found.lower > gap + 1e-12);
            }
        }
    }
}

}  // namespace
}  // namespace rattleback
