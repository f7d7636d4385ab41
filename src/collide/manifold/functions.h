// The contact functions without a closed form, by family; all take the shape with the lower type first.
#pragma once

#include "collide/manifold.h"

namespace rattleback
{

void touch_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double reach, Manifold& manifold);

/// Two shapes that touch in one point, whatever their pose: one of them is a sphere, or both are smooth.
void touch_round(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

void touch_box_box(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

/// Two shapes of which at least one has flat faces or straight edges.
void touch_flat(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold);

}  // namespace rattleback
