// Contact points of two shapes: one function per pair of shape types, found in a table.
#pragma once

#include "geometry/placed_shape.h"

#include <rattleback/contacts.h>

#include <array>

namespace rattleback
{

struct ManifoldPoint
{
    Vec3 point;                 ///< half way between the surfaces, world [m]
    Vec3 normal;                ///< unit, from the first shape to the second
    double distance = 0;        ///< [m], negative: penetration
    std::uint64_t feature = 0;  ///< which parts of the two shapes meet here: the same while the same parts do
    Vec3 tangent = {};          ///< where not zero: the wanted direction of the frame's second column (capsule axes)
};

inline constexpr int kMaxManifold = 8;
struct Manifold
{
    std::array<ManifoldPoint, kMaxManifold> points;
    int count = 0;

    void add(const ManifoldPoint& point) { points[static_cast<std::size_t>(count++)] = point; }
};

/// Adds the points nearer than `reach` [m], features in increasing order.
using ManifoldFunction = void (*)(const PlacedShape& first, const PlacedShape& second, double reach,
                                  Manifold& manifold);

/// The function for two types, in either order if they differ; null when there is none. It takes the shape with the
/// lower type first.
ManifoldFunction find_manifold_function(ShapeType first, ShapeType second);

/// Keeps at most `limit` (4 to 8) points: the deepest, the furthest from it and those that add most area; of nearly
/// equal ones that with the lowest feature.
void reduce_manifold(Manifold& manifold, int limit);

/// True for shapes without a meeting surface: planes and height fields among themselves.
bool never_touch(ShapeType first, ShapeType second);

}  // namespace rattleback
