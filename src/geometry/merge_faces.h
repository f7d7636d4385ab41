// Merges the triangles of a convex mesh that lie in one plane into polygons.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback
{

/// Polygons as loops of vertices, counter-clockwise from outside.
using Loops = std::vector<std::vector<int>>;

/// Triangles of a closed convex mesh whose corners are within `tolerance` [m] of one plane, as one convex loop each.
/// Every edge of a loop is, reversed, an edge of exactly one other loop.
Loops merge_faces(const MeshOptions& hull_mesh, double tolerance);

}  // namespace rattleback
