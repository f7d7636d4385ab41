// The two families of pairs with a surface; both work in the frame of the first surface.
#pragma once

#include "collide/surface/touch_surface.h"

namespace rattleback
{

/// Points of a convex shape on a surface, normals from the surface to the shape; `shape` is placed in the surface's
/// frame. Appends to scratch.points, in no order.
void touch_convex(const PlacedShape& surface, const PlacedShape& shape, double reach, SurfaceScratch& scratch);

/// The same for the triangles of a mesh on those of a mesh or height field.
void touch_mesh(const PlacedShape& surface, const PlacedShape& mesh, double reach, SurfaceScratch& scratch);

}  // namespace rattleback
