// What the closed forms share: frames, features of boxes, and the ends of their derivations.
#pragma once

#include "geometry/distance.h"

#include <algorithm>

namespace rattleback
{

/// Vectors below this length [m] have no direction: their squares underflow.
inline constexpr double kShortest = 1e-140;

inline Vec3 to_local(const PlacedShape& shape, const Vec3& point)
{
    return transpose_times(shape.rotation, point - shape.position);
}
inline Vec3 to_world(const PlacedShape& shape, const Vec3& point) { return shape.position + shape.rotation * point; }

/// The magnitude with the sign of a number; zero counts as positive.
inline double with_sign(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

inline double find_largest(const Vec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }

/// Where a point of a shape's frame is nearest to the shape's surface.
struct SurfacePoint
{
    double distance = 0;  ///< of the point [m], negative inside
    Vec3 point;           ///< on the surface, local [m]
    Vec3 normal;          ///< outward, unit, local
    ShapeFeature feature;
};

/// Of an ellipsoid with the given radii, around its middle.
SurfacePoint find_nearest_on_ellipsoid(const Vec3& radii, const Vec3& p);

/// What is said of shapes further apart than anyone asked.
inline ShapeDistance make_beyond(double distance, double lower)
{
    ShapeDistance result;
    result.distance = distance;
    result.lower = lower;
    return result;
}

/// A closed form's result: `on_first` and `normal` in the world.
inline ShapeDistance make_exact(double distance, const Vec3& on_first, const Vec3& normal,
                                const ShapeFeature& first_feature, const ShapeFeature& second_feature)
{
    return {distance, distance, on_first, on_first + distance * normal, normal, first_feature, second_feature};
}

/// A ball and a shape whose surface is nearest to the ball's centre at `surface`: offsetting a convex body by r
/// lowers its signed distance by r, inside and outside.
inline ShapeDistance make_from_center(const PlacedShape& sphere, const PlacedShape& other, const SurfacePoint& surface)
{
    const Vec3 normal = -(other.rotation * surface.normal);
    return make_exact(surface.distance - sphere.size.x, sphere.position + sphere.size.x * normal, normal, {},
                      surface.feature);
}

/// The lowest point of a shape over a plane.
inline ShapeDistance make_over_plane(const PlacedShape& plane, const Vec3& lowest, const ShapeFeature& feature)
{
    const Vec3 normal = plane.rotation.column(2);
    const double distance = dot(normal, lowest - plane.position);
    return {distance, distance, lowest - distance * normal, lowest, normal, {}, feature};
}

/// Direction to the plane's inside, in the axes of a shape.
inline Vec3 find_down(const PlacedShape& plane, const PlacedShape& shape)
{
    return -transpose_times(shape.rotation, plane.rotation.column(2));
}

/// The end or side of a capsule at a place on its axis.
inline ShapeFeature find_capsule_feature(double place, double half)
{
    if (place <= -half) return {FeatureKind::vertex, 0};
    return place >= half ? ShapeFeature{FeatureKind::vertex, 1} : ShapeFeature{FeatureKind::edge, 0};
}

/// The face, edge or vertex of a box where the coordinates with sides[i] != 0 are at that end of the box.
inline ShapeFeature find_box_feature(const int (&sides)[3])
{
    const int fixed = (sides[0] != 0) + (sides[1] != 0) + (sides[2] != 0);
    const auto bit = [&](int axis) { return sides[axis] > 0 ? 1 : 0; };
    if (fixed == 3) return {FeatureKind::vertex, bit(0) + 2 * bit(1) + 4 * bit(2)};
    if (fixed == 2)
    {
        const int axis = sides[0] == 0 ? 0 : sides[1] == 0 ? 1 : 2;
        const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
        return {FeatureKind::edge, 4 * axis + bit(low) + 2 * bit(high)};
    }
    const int axis = sides[0] != 0 ? 0 : sides[1] != 0 ? 1 : 2;
    return {FeatureKind::face, 2 * axis + bit(axis)};
}

}  // namespace rattleback
