// Two meshes against brute force over all pairs of their triangles: the gap where they are apart, contacts that part
// them where they cross.
#include "base/index.h"
#include "collide/surface/touch_surface.h"
#include "geometry/triangle_surface.h"
#include "lab/scenes/eared.h"
#include "support/brute_triangles.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr double kSize = 0.1;

PlacedShape place_mesh(const MeshSurface& surface, const Vec3& position, const Quat& rotation)
{
    PlacedShape shape;
    shape.type = ShapeType::mesh;
    shape.position = position;
    shape.rotation = to_matrix(rotation);
    shape.mesh = &surface;
    return shape;
}

const ManifoldPoint* find_deepest_point(const SurfaceScratch& scratch)
{
    const auto deepest = std::min_element(scratch.points.begin(), scratch.points.end(),
                                          [](const auto& a, const auto& b) { return a.distance < b.distance; });
    return deepest == scratch.points.end() ? nullptr : &*deepest;
}

struct Tally
{
    int apart = 0, crossing = 0, unnoticed = 0, stuck = 0;
    double worst_gap = 0, longest_way = 0;  ///< [m]
};

/// Moves the second mesh out along its deepest contact until no triangles cross; the length of the way [m], or -1.
double push_apart(const PlacedShape& first, PlacedShape second, SurfaceScratch& scratch)
{
    const std::vector<Corners> fixed = find_world_triangles(first);
    double way = 0;
    for (int k = 0; k < 60; ++k)
    {
        touch_surface(first, second, 0, 8, scratch);
        const ManifoldPoint* deepest = find_deepest_point(scratch);
        if (deepest == nullptr || deepest->distance >= 0)
            return find_brute_distance(fixed, find_world_triangles(second)) > 0 ? way : -1;
        const double step = 1e-5 * kSize - deepest->distance;
        second.position += step * deepest->normal;
        way += step;
    }
    return -1;
}

Tally compare_with_brute_force(int poses, std::uint64_t seed)
{
    Random random(seed);
    const MeshSurface coarse(lab::make_eared(3, kSize), true), fine(lab::make_eared(5, kSize), true);
    SurfaceScratch scratch;
    Tally tally;
    for (int k = 0; k < poses; ++k)
    {
        const PlacedShape first = place_mesh(coarse, {}, random.rotation());
        const PlacedShape second =
            place_mesh(fine, random.uniform(0.6, 3) * kSize * random.direction(), random.rotation());
        const double gap = find_brute_distance(find_world_triangles(first), find_world_triangles(second));
        const double reach = random.uniform(0, 0.5) * kSize;
        touch_surface(first, second, reach, 8, scratch);
        const ManifoldPoint* deepest = find_deepest_point(scratch);
        if (gap > 0)
        {
            ++tally.apart;
            const double found = deepest == nullptr ? reach : std::min(deepest->distance, reach);
            tally.worst_gap = std::max(tally.worst_gap, std::abs(found - std::min(gap, reach)));
            continue;
        }
        ++tally.crossing;
        if (deepest == nullptr || deepest->distance >= 0) ++tally.unnoticed;
        const double way = push_apart(first, second, scratch);
        if (way < 0) ++tally.stuck;
        tally.longest_way = std::max(tally.longest_way, way);
    }
    return tally;
}

void expect_right(const Tally& tally, int poses)
{
    EXPECT_GT(tally.apart, poses / 5);
    EXPECT_GT(tally.crossing, poses / 5);
    EXPECT_LT(tally.worst_gap, 1e-9 * kSize) << "the nearest contact is as far as the nearest triangles";
    EXPECT_EQ(tally.unnoticed, 0) << "triangles cross and no contact is behind a face";
    // Between the ears, or with an ear through the other's, the deepest contact may point to and fro.
    EXPECT_LE(tally.stuck, tally.crossing / 50) << "the deepest contacts do not lead out";
    // Centres are apart by 0.6 sizes at least: to go round the whole other mesh takes more than both reach.
    EXPECT_LT(tally.longest_way, 4 * kSize);
}

TEST(MeshPairs, touch_as_brute_force_over_all_triangles_says) { expect_right(compare_with_brute_force(300, 1), 300); }

TEST(MeshPairs, long_touch_as_brute_force_over_all_triangles_says_in_ten_thousand_poses)
{
    const Tally tally = compare_with_brute_force(10'000, 2);
    RecordProperty("worst_gap", std::to_string(tally.worst_gap));
    expect_right(tally, 10'000);
}

TEST(MeshPairs, a_point_is_inside_where_the_winding_number_says_so)
{
    const MeshSurface surface(lab::make_eared(6, kSize), true);
    const std::vector<Corners> triangles = find_world_triangles(place_mesh(surface, {}, {}));
    Random random(3);
    int inside = 0;
    for (int k = 0; k < 1000; ++k)
    {
        const Vec3 point = random.in_box(1.5 * kSize);
        const double expected = find_brute_signed_distance(point, triangles);
        inside += expected < 0 ? 1 : 0;
        const NearestOnSurface found = find_nearest(surface, point, 1);
        ASSERT_NEAR(found.distance, expected, 1e-14) << k;
        EXPECT_NEAR(norm(found.point - point), std::abs(expected), 1e-14);
    }
    EXPECT_GT(inside, 100);
}

TEST(MeshPairs, a_point_beside_a_sharp_corner_is_outside)
{
    // A spike ten times as high as it is wide: seen from beside its tip the face behind it looks the other way.
    MeshOptions spike;
    spike.vertices = {{0.1, 0, 0}, {-0.05, 0.08, 0}, {-0.05, -0.08, 0}, {0, 0, 1}};
    spike.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const MeshSurface surface(spike, true);
    const std::vector<Corners> triangles = find_world_triangles(place_mesh(surface, {}, {}));
    Random random(4);
    int at_the_tip = 0;
    for (int k = 0; k < 2000; ++k)
    {
        const Vec3 point = Vec3{0, 0, 0.9} + random.in_box(0.3);
        const NearestOnSurface found = find_nearest(surface, point, 2);
        // Triangles within 1e-12 of the nearest may speak for it.
        ASSERT_NEAR(found.distance, find_brute_signed_distance(point, triangles), 2e-12) << k;
        at_the_tip += found.point == spike.vertices[3] ? 1 : 0;
    }
    EXPECT_GT(at_the_tip, 300);
}

/// The middle of a bowl's box is in the air: what is there touches nothing. In its wall a solid is far from all faces,
/// and leaves through the nearer side, whoever comes first.
TEST(MeshPairs, a_solid_is_in_a_bowl_only_where_it_is_in_its_wall)
{
    const MeshSurface thin(lab::make_bowl(1, 0.1, 48, 16), true), thick(lab::make_bowl(1, 1, 48, 16), true);
    const MeshSurface solid(lab::make_eared(3, 0.05), true);
    SurfaceScratch scratch;
    for (const bool big_first : {true, false})
    {
        const auto touch = [&](const MeshSurface& bowl, double z)
        {
            const PlacedShape big = place_mesh(bowl, {}, {}), small = place_mesh(solid, {0.01, 0.02, z}, {});
            touch_surface(big_first ? big : small, big_first ? small : big, 0, 8, scratch);
        };
        for (const double z : {-0.3, -0.55, -0.8})
        {
            touch(thin, z);
            EXPECT_TRUE(scratch.points.empty()) << z << ": " << scratch.points[0].distance;
        }
        for (const double z : {-1.4, -1.6})
        {
            touch(thick, z);
            ASSERT_EQ(scratch.points.size(), 1U) << z;
            // From the first to the second; the solid, of some 5 to 8 cm, goes up from 1.4 and down from 1.6.
            const double up = (z > -1.5 ? 1 : -1) * (big_first ? 1 : -1);
            EXPECT_GT(up * scratch.points[0].normal.z, 0.98) << z;
            EXPECT_NEAR(-scratch.points[0].distance, 0.4 + 0.065, 0.03) << z;
        }
    }
}

}  // namespace
}  // namespace rattleback
