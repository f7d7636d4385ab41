// Boxes and balls around shapes.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback
{

/// Axis-aligned box [m]. Empty where lower > upper.
struct Aabb
{
    Vec3 lower;
    Vec3 upper;

    friend constexpr bool operator==(const Aabb&, const Aabb&) = default;
};

/// Smallest axis-aligned box, up to rounding, around a shape at `pose`. Meshes and their kin count all their vertices
/// (none: an empty box), height fields their own bounding box; planes are infinite in all directions. `mesh` or
/// `field` may be null where the type does not need them.
Aabb compute_bounds(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                    const Pose& pose);

/// Radius [m] of a ball around the shape's origin that holds the shape; infinite for planes.
double compute_bounding_radius(ShapeType type, const Vec3& size, const MeshOptions* mesh,
                               const HeightFieldOptions* field);

}  // namespace rattleback
