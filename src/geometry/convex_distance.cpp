// Signed distance of any two bounded convex shapes: finds their cores once, outside all loops.
#include "geometry/convex/solve.h"

namespace rattleback
{
namespace
{

using cores::BoxCore, cores::CylinderCore, cores::EllipsoidCore, cores::HullCore, cores::PointCore, cores::SegmentCore;

/// Calls f(core, margin).
template <class F>
auto with_core(const PlacedShape& shape, F&& f)
{
    // Spheres and capsules are a core and a round margin; all others are their own core.
    switch (shape.type)
    {
        case ShapeType::sphere:
            return f(PointCore{}, shape.size.x);
        case ShapeType::capsule:
            return f(SegmentCore{shape.size.y}, shape.size.x);
        case ShapeType::box:
            return f(BoxCore{shape.size}, 0.0);
        case ShapeType::cylinder:
            return f(CylinderCore{shape.size.x, shape.size.y}, 0.0);
        case ShapeType::ellipsoid:
            return f(EllipsoidCore{shape.size}, 0.0);
        default:
            RB_ASSERT(shape.hull != nullptr);
            return f(HullCore{shape.hull}, 0.0);
    }
}

ShapeDistance swapped(const ShapeDistance& d)
{
    // The first shape's view of an answer that was found with the two exchanged.
    return {d.distance, d.lower, d.on_second, d.on_first, -d.normal, d.second_feature, d.first_feature};
}

int rank(const PlacedShape& shape) { return std::min(static_cast<int>(shape.type), static_cast<int>(ShapeType::hull)); }

}  // namespace

ShapeDistance find_convex_distance(const PlacedShape& first, const PlacedShape& second, double reach)
{
    // Half of all pairs of cores are enough.
    // Sorted by kind: of every two cores one order is compiled.
    if (rank(first) > rank(second)) return swapped(find_convex_distance(second, first, reach));
    // Two switches choose the pair of types once; inside of them every support call is inlined.
    return with_core(first,
                     [&](const auto& a, double first_margin)
                     {
                         return with_core(
                             second, [&](const auto& b, double second_margin)
                             { return cores::solve(first, second, a, b, first_margin, second_margin, reach); });
                     });
}

}  // namespace rattleback
