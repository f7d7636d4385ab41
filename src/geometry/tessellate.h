// Closed triangle meshes of convex shapes, inside or around them, with the error they make.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback
{

/// On which side of the surface the triangles are.
enum class Fit
{
    inscribed,      ///< all vertices on the surface: the shape contains the mesh, up to rounding
    circumscribed,  ///< every face at the surface or beyond: the mesh contains the shape, rounding included
};

/// A watertight mesh, vertices shared, triangles counter-clockwise from outside, of a sphere, capsule, box, cylinder or
/// ellipsoid in its own frame, whose sizes are positive. Curved shapes have `around` corners to the circle, a multiple
/// of 4. The same bits on every machine.
MeshOptions tessellate(ShapeType type, const Vec3& size, int around, Fit fit);

/// The largest distance between a point of one surface, the shape's or the mesh's, and the other surface [m]; of
/// ellipsoids a bound of it, too large at most by the ratio of the longest half-axis to the shortest. It falls with the
/// square of `around`.
double find_tessellation_error(ShapeType type, const Vec3& size, int around, Fit fit);

}  // namespace rattleback
