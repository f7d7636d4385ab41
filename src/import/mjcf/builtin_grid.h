// Built-in meshes whose points stand in rows: plates, grids, squares, discs, boxes and what is drawn out of them.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback::mjcf
{

/// The middle of a cell between -1 and 1; `fovea` draws cells towards zero.
double find_cell_middle(int cell, int count, double fovea);

/// Points in the middles of cells at z = -1: count along x and y.
MeshOptions make_plate(const std::vector<double>& params);

/// Points of a grid about the origin: count and spacing along x, y and z, and whether it is flat (2) or not (3).
/// Without triangles unless it is flat.
MeshOptions make_grid(const std::vector<double>& params);

/// A flat grid with triangles; `round`: drawn in to an ellipse.
MeshOptions make_flat_grid(const std::vector<double>& params, bool round);

/// The boundary of a grid, drawn in to a cylinder (`round` 2) or an ellipsoid (3). As a solid it has its centre too and
/// no triangles: the hull is meant. As a surface it is MuJoCo's, open at the top.
MeshOptions make_grid_skin(const std::vector<double>& params, int round);

}  // namespace rattleback::mjcf
