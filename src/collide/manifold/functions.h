// The contact functions, by family; all take the shape with the lower type first.
#pragma once

#include "collide/manifold.h"

namespace rattleback
{

void touch_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double reach, Manifold& manifold);
void touch_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double reach, Manifold& manifold);
void touch_plane_box(const PlacedShape& plane, const PlacedShape& box, double reach, Manifold& manifold);
void touch_plane_cylinder(const PlacedShape& plane, const PlacedShape& cylinder, double reach, Manifold& manifold);
void touch_plane_ellipsoid(const PlacedShape& plane, const PlacedShape& ellipsoid, double reach, Manifold& manifold);
void touch_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double reach, Manifold& manifold);

/// Two shapes that touch in one point, whatever their pose: one of them is a sphere, or both are smooth.
void touch_round(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);
void touch_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double reach, Manifold& manifold);
void touch_sphere_box(const PlacedShape& sphere, const PlacedShape& box, double reach, Manifold& manifold);
void touch_sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, double reach, Manifold& manifold);
void touch_capsule_capsule(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

void touch_box_box(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

/// Two shapes of which at least one has flat faces or straight edges.
void touch_flat(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

}  // namespace rattleback
