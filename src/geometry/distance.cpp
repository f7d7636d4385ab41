// The table of closed forms; what has none goes to the general routine.
#include "geometry/distance.h"

#include "base/index.h"
#include "geometry/distance/pairs.h"

#include <array>
#include <utility>

namespace rattleback
{
namespace
{

constexpr std::size_t kKinds = at(ShapeType::hull) + 1;
using Row = std::array<DistanceFunction, kKinds>;

/// Meshes that collide as hulls are hulls here; what comes after them has no distance yet.
constexpr std::size_t find_kind(ShapeType type) { return at(type == ShapeType::mesh ? ShapeType::hull : type); }

// One line per pair of types, lower type first; null: no distance.
constexpr std::array<Row, kKinds> make_table()
{
    // Made by the compiler: a look-up at run time, without a chain of conditions.
    std::array<Row, kKinds> table{};
    // The general routine first, closed forms over it.
    for (std::size_t first = at(ShapeType::sphere); first < kKinds; ++first)
    {
        for (std::size_t second = first; second < kKinds; ++second) table[first][second] = &find_convex_distance;
    }
    const auto set = [&](ShapeType first, ShapeType second, DistanceFunction function)
    { table[at(first)][at(second)] = function; };
    // Planes are not bounded and have no general routine: every kind has a closed form of its own.
    set(ShapeType::plane, ShapeType::sphere, &find_plane_sphere);
    set(ShapeType::plane, ShapeType::capsule, &find_plane_capsule);
    set(ShapeType::plane, ShapeType::box, &find_plane_box);
    set(ShapeType::plane, ShapeType::cylinder, &find_plane_cylinder);
    set(ShapeType::plane, ShapeType::ellipsoid, &find_plane_ellipsoid);
    set(ShapeType::plane, ShapeType::hull, &find_plane_hull);
    // A sphere is a point with a margin: every pair reduces to the nearest point of the other shape.
    set(ShapeType::sphere, ShapeType::sphere, &find_sphere_sphere);
    set(ShapeType::sphere, ShapeType::capsule, &find_sphere_capsule);
    set(ShapeType::sphere, ShapeType::box, &find_sphere_box);
    set(ShapeType::sphere, ShapeType::cylinder, &find_sphere_cylinder);
    set(ShapeType::sphere, ShapeType::ellipsoid, &find_sphere_ellipsoid);
    set(ShapeType::sphere, ShapeType::hull, &find_sphere_hull);
    // A capsule is a segment with a margin: the distance along it is convex, and its minimum a root.
    set(ShapeType::capsule, ShapeType::capsule, &find_capsule_capsule);
    set(ShapeType::capsule, ShapeType::box, &find_capsule_box);
    set(ShapeType::capsule, ShapeType::cylinder, &find_capsule_cylinder);
    set(ShapeType::capsule, ShapeType::ellipsoid, &find_capsule_ellipsoid);
    set(ShapeType::capsule, ShapeType::hull, &find_capsule_hull);
    // Boxes by separating axes, with GJK where neither a face nor two edges are nearest.
    set(ShapeType::box, ShapeType::box, &find_box_box);
    return table;
}
constexpr std::array<Row, kKinds> kTable = make_table();

DistanceFunction find_function(ShapeType first, ShapeType second)
{
    const std::size_t low = std::min(find_kind(first), find_kind(second));
    // Kinds beyond hulls are surfaces and point sets: they are met triangle by triangle elsewhere.
    const std::size_t high = std::max(find_kind(first), find_kind(second));
    return high < kKinds ? kTable[low][high] : nullptr;
}

}  // namespace

bool has_distance(ShapeType first, ShapeType second) { return find_function(first, second) != nullptr; }

ShapeDistance find_distance(const PlacedShape& first, const PlacedShape& second, double reach)
{
    const DistanceFunction function = find_function(first.type, second.type);
    RB_ASSERT(function != nullptr);
    // Functions take the lower kind first; the answer is turned round.
    if (find_kind(first.type) <= find_kind(second.type)) return function(first, second, reach);
    ShapeDistance result = function(second, first, reach);
    std::swap(result.on_first, result.on_second);
    std::swap(result.first_feature, result.second_feature);
    result.normal = -result.normal;
    return result;
}

}  // namespace rattleback
