// Support points: how far a bounded convex shape reaches in a direction.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback
{

/// Furthest point [m] of a shape in its own frame, in a direction of any length; where several are equally far, one of
/// them. Any point for a zero direction. Meshes and their kin count as the hull of all their vertices. Planes and
/// height fields have no support point: calling with them is a mistake of the caller.
Vec3 find_support(ShapeType type, const Vec3& size, const MeshOptions* mesh, const Vec3& direction);

}  // namespace rattleback
