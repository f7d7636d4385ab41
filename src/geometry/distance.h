// The signed distance between two shapes: closed forms where they exist, GJK and EPA otherwise.
#pragma once

#include "geometry/placed_shape.h"

#include <cstdint>
#include <limits>

namespace rattleback
{

/// What part of a shape a witness point lies on. Smooth surfaces have one `face` each, numbered by shape: the caps of
/// a cylinder are faces 0 (-z) and 1 (+z), its side face 2, its rims edges 0 and 1; the ends of a capsule are
/// vertices 0 (-z) and 1 (+z), its side is edge 0. Box: vertices by the bits of the signs of x, y, z; faces 2 axis +
/// (1 for +); edges 4 axis + (bit 0, 1: signs of the two other axes in increasing order). Hulls: as in Polyhedron.
enum class FeatureKind : std::uint8_t
{
    vertex,
    edge,
    face,
};
struct ShapeFeature
{
    FeatureKind kind = FeatureKind::face;
    int index = 0;

    friend constexpr bool operator==(const ShapeFeature&, const ShapeFeature&) = default;
};

/// The shortest way between two surfaces.
struct ShapeDistance
{
    /// Gap between the surfaces [m]; negative: the length of the shortest translation that parts the two shapes.
    /// Never below the true value by more than rounding, with one exception: curved shapes deep in each other can have
    /// several shortest ways out that hardly differ. Then it is one of them, along which the shapes do part, and longer
    /// than the shortest by less than half a percent.
    double distance = 0;
    double lower = 0;          ///< the true value is not below this [m]
    Vec3 on_first, on_second;  ///< world [m]; on_second - on_first = distance * normal
    Vec3 normal;               ///< unit, from first to second: moving the second shape along it parts the two
    ShapeFeature first_feature, second_feature;
};

/// Signed distance of two shapes, planes and bounded convex shapes in either order but not two planes. Where the
/// distance is above `reach` [m] only `distance` and `lower` are meaningful, and both are above `reach`.
ShapeDistance find_distance(const PlacedShape& first, const PlacedShape& second,
                            double reach = std::numeric_limits<double>::infinity());

/// The same by GJK and EPA for any two bounded convex shapes.
ShapeDistance find_convex_distance(const PlacedShape& first, const PlacedShape& second,
                                   double reach = std::numeric_limits<double>::infinity());

/// True when find_distance has an answer for these two types, in either order.
bool has_distance(ShapeType first, ShapeType second);

}  // namespace rattleback
