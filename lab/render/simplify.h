// Coarser copies of fine meshes, for pictures in which most of their triangles are smaller than a pixel.
#pragma once

#include "geometry/drawing.h"

namespace rattleback::lab
{

/// The drawing with all vertices of one cell of a cubic grid at one place, their mean (vertex clustering: Rossignac and
/// Borrel, Multi-resolution 3D approximations for rendering complex scenes, 1993). No vertex moves by more than the
/// diagonal of a cell, what is closed stays closed, triangles that lose their area are left out. Normals are averaged
/// within an octant of directions, so that edges and the two sides of a thin shell keep theirs.
Drawing cluster(const Drawing& drawing, double cell);

/// Length of the diagonal of the box around all vertices.
double find_diagonal(const Drawing& drawing);

}  // namespace rattleback::lab
