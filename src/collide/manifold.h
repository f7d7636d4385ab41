// Contact points of two shapes: one function per pair of shape types, found in a table.
#pragma once

#include <rattleback/contacts.h>

#include <array>

namespace rattleback
{

/// A shape as the narrow phase sees it.
struct PlacedShape
{
    Vec3 position;  ///< of the shape's origin, world [m]
    Mat3 rotation;  ///< shape axes to world axes
    Vec3 size;      ///< as in Shapes
};

struct ManifoldPoint
{
    Vec3 point;           ///< half way between the surfaces, world [m]
    Vec3 normal;          ///< unit, from the first shape to the second
    double distance = 0;  ///< [m], negative: penetration
    int feature = 0;      ///< which corner, end or face; below 256
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

/// True for shapes without a meeting surface: planes and height fields among themselves.
bool never_touch(ShapeType first, ShapeType second);

}  // namespace rattleback
