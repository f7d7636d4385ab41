// Contact points against distances and exact clipping, for random pairs of all shapes.
#include "collide/manifold/flat_part.h"
#include "geometry/distance.h"
#include "resting.h"
#include "support/shape_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

using namespace resting;

constexpr std::array kTypes = {ShapeType::plane,    ShapeType::sphere,    ShapeType::capsule, ShapeType::box,
                               ShapeType::cylinder, ShapeType::ellipsoid, ShapeType::hull};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
                    const auto pair = make_shape_pair(kTypes[i], kTypes[j], static_cast<Placement>(placement), random);
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
    const double cosine = std::abs(dot(shape.rotation.column(2), normal));
    return shape.size.x * (shape.type == ShapeType::capsule ? 1 / std::sqrt(1 - 0.99 * cosine * cosine) - 1 : 1e-4);
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
    if (getenv("DBG")) { printf("DBG witness levels %g %g tol %g; ", find_level_of(first, found.on_first), find_level_of(second, found.on_second), tolerance); for (int i = 0; i < manifold.count; ++i) printf("[%llx n.n %g gap %g]", (unsigned long long)manifold.points[at(i)].feature, dot(manifold.points[at(i)].normal, found.normal), manifold.points[at(i)].distance); printf(" found %g\n", found.distance);}
}

}  // namespace

TEST(ManifoldGeometry, the_deepest_point_is_as_deep_as_the_shapes_and_all_points_are_on_both_surfaces)
{
    for_all_pairs(100, 1, &check_pair);
}

TEST(ManifoldGeometry, long_the_deepest_point_is_as_deep_as_the_shapes_and_all_points_are_on_both_surfaces)
{
    for_all_pairs(10000, 2, &check_pair);
}

}  // namespace rattleback
