// The surface of a height field as triangles: the one place that says where its cells are cut.
#pragma once

#include <rattleback/shapes.h>

namespace rattleback
{

/// The point of a row and a column, in the field's frame [m].
Vec3 find_grid_point(const HeightFieldOptions& field, int row, int column);
/// All points, number row * columns + column.
std::vector<Vec3> find_grid_points(const HeightFieldOptions& field);

/// The triangles between the points of a grid, by their numbers, counter-clockwise from above. Every cell is cut as
/// MuJoCo cuts it: along the diagonal from (row, column) to (row + 1, column + 1).
std::vector<std::array<int, 3>> cut_grid(int rows, int columns);

}  // namespace rattleback
