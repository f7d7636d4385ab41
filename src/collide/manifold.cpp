// The table of contact functions, one per pair of shape types.
#include "collide/manifold.h"

#include "base/index.h"
#include "collide/manifold/closed_plane.h"
#include "collide/manifold/closed_round.h"
#include "collide/manifold/functions.h"

#include <algorithm>

namespace rattleback
{
namespace
{

using Row = std::array<ManifoldFunction, kShapeTypeCount>;

// One line per pair of types, lower type first.
constexpr std::array<Row, kShapeTypeCount> make_table()
{
    std::array<Row, kShapeTypeCount> table{};
    const auto set = [&](ShapeType first, ShapeType second, ManifoldFunction function)
    { table[at(first)][at(second)] = function; };
    // Everything solid has a general answer; what follows are the pairs that deserve their own.
    // A sphere meets everything in one point, all others may lie flat.
    for (std::size_t first = at(ShapeType::sphere); first <= at(ShapeType::mesh); ++first)
    {
        for (std::size_t second = first; second <= at(ShapeType::mesh); ++second)
            table[first][second] = first == at(ShapeType::sphere) ? &touch_round : &touch_flat;
    }
    // Closed forms, and pairs that meet in one point.
    set(ShapeType::sphere, ShapeType::sphere, &touch_closed<SphereSphere>);
    set(ShapeType::sphere, ShapeType::capsule, &touch_closed<SphereCapsule>);
    set(ShapeType::sphere, ShapeType::box, &touch_closed<SphereBox>);
    set(ShapeType::sphere, ShapeType::cylinder, &touch_closed<SphereCylinder>);
    set(ShapeType::capsule, ShapeType::capsule, &touch_closed<CapsuleCapsule>);
    set(ShapeType::box, ShapeType::box, &touch_box_box);
    set(ShapeType::capsule, ShapeType::ellipsoid, &touch_round);
    set(ShapeType::ellipsoid, ShapeType::ellipsoid, &touch_round);
    // Planes: the shape's lowest parts as they are.
    set(ShapeType::plane, ShapeType::sphere, &touch_closed<PlaneSphere>);
    set(ShapeType::plane, ShapeType::capsule, &touch_closed<PlaneCapsule>);
    set(ShapeType::plane, ShapeType::box, &touch_closed<PlaneBox>);
    set(ShapeType::plane, ShapeType::cylinder, &touch_closed<PlaneCylinder>);
    set(ShapeType::plane, ShapeType::ellipsoid, &touch_closed<PlaneEllipsoid>);
    set(ShapeType::plane, ShapeType::hull, &touch_plane_hull);
    set(ShapeType::plane, ShapeType::mesh, &touch_plane_hull);
    return table;
}
constexpr std::array<Row, kShapeTypeCount> kTable = make_table();

}  // namespace

ManifoldFunction find_manifold_function(ShapeType first, ShapeType second)
{
    return kTable[at(std::min(first, second))][at(std::max(first, second))];
}

bool never_touch(ShapeType first, ShapeType second)
{
    // Two grounds cannot move into each other, whatever their masks say.
    const auto is_ground = [](ShapeType type) { return type == ShapeType::plane || type == ShapeType::height_field; };
    return is_ground(first) && is_ground(second);
}

}  // namespace rattleback
