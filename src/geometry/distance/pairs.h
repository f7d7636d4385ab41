// The closed forms of the signed distance, one per pair of shape types, the lower type first.
#pragma once

#include "geometry/distance.h"

namespace rattleback
{

/// As find_distance, for shapes of two given types.
using DistanceFunction = ShapeDistance (*)(const PlacedShape& first, const PlacedShape& second, double reach);

ShapeDistance find_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double reach);
ShapeDistance find_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double reach);
ShapeDistance find_plane_box(const PlacedShape& plane, const PlacedShape& box, double reach);
ShapeDistance find_plane_cylinder(const PlacedShape& plane, const PlacedShape& cylinder, double reach);
ShapeDistance find_plane_ellipsoid(const PlacedShape& plane, const PlacedShape& ellipsoid, double reach);
ShapeDistance find_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double reach);

ShapeDistance find_sphere_sphere(const PlacedShape& first, const PlacedShape& second, double reach);
ShapeDistance find_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double reach);
ShapeDistance find_sphere_box(const PlacedShape& sphere, const PlacedShape& box, double reach);
ShapeDistance find_sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, double reach);
ShapeDistance find_sphere_ellipsoid(const PlacedShape& sphere, const PlacedShape& ellipsoid, double reach);
ShapeDistance find_sphere_hull(const PlacedShape& sphere, const PlacedShape& hull, double reach);

ShapeDistance find_capsule_capsule(const PlacedShape& first, const PlacedShape& second, double reach);
ShapeDistance find_capsule_box(const PlacedShape& capsule, const PlacedShape& box, double reach);
ShapeDistance find_capsule_cylinder(const PlacedShape& capsule, const PlacedShape& cylinder, double reach);
ShapeDistance find_capsule_ellipsoid(const PlacedShape& capsule, const PlacedShape& ellipsoid, double reach);
ShapeDistance find_capsule_hull(const PlacedShape& capsule, const PlacedShape& hull, double reach);

ShapeDistance find_box_box(const PlacedShape& first, const PlacedShape& second, double reach);

}  // namespace rattleback
