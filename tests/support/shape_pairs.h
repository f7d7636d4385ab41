// Random pairs of placed shapes: apart, touching, overlapping, nested and grazing; and where points are on shapes.
#pragma once

#include "support/random_model.h"
#include "support/shape_level.h"

#include <memory>

namespace rattleback
{

/// A placed shape that owns its hull.
struct OwnedShape
{
    PlacedShape placed;
    std::unique_ptr<Polyhedron> hull;
};

enum class PairPlacement
{
    apart,
    overlapping,
    nested,    ///< one well inside the other, or concentric
    touching,  ///< distance zero, give or take a billionth
    grazing,   ///< axes aligned, faces or sides flat on each other, give or take a thousandth
};
inline constexpr int kPlacementCount = 5;
const char* to_string(PairPlacement placement);

/// Two shapes of size about one.
struct ShapePairCase
{
    OwnedShape first, second;
    PairPlacement placement = PairPlacement::apart;
    double size = 1;  ///< sum of the radii about the origins (planes do not count) [m]
};

/// A shape with radii between 0.1 and 1 [m]; hulls have up to `hull_points` vertices.
OwnedShape make_random_shape(ShapeType type, Random& random, int hull_points = 14);

/// Depends on the arguments and the numbers drawn alone.
ShapePairCase make_shape_pair(ShapeType first, ShapeType second, PairPlacement placement, Random& random);

/// The shape after a rigid motion of the world, or seen in a world that is `factor` times larger.
PlacedShape moved(const PlacedShape& shape, const Pose& motion);
OwnedShape scaled(const OwnedShape& shape, double factor);

}  // namespace rattleback
