// Builds a Polyhedron, with polygons for faces, from a triangulated convex hull.
#pragma once

#include <rattleback/polyhedron.h>
#include <rattleback/shapes.h>

namespace rattleback
{

/// The solid inside a mesh from compute_hull. Triangles in one plane become one face; "in one plane" allows for the
/// rounding of files in single precision, 5e-7 of the size, but never for more than a thousandth of the thickness.
/// Vertices inside a face or in the middle of an edge go away; the others keep their order.
Polyhedron build_polyhedron(const MeshOptions& hull_mesh);

}  // namespace rattleback
