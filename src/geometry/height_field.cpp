// Points and triangles of a height field.
#include "geometry/height_field.h"

#include "base/index.h"

namespace rattleback
{

Vec3 find_grid_point(const HeightFieldOptions& field, int row, int column)
{
    // Rows run along y, columns along x, both from the negative end.
    return {field.half_x * (2.0 * column / (field.columns - 1) - 1), field.half_y * (2.0 * row / (field.rows - 1) - 1),
            field.heights[at(row) * at(field.columns) + at(column)]};
}

std::vector<Vec3> find_grid_points(const HeightFieldOptions& field)
{
    std::vector<Vec3> points;
    points.reserve(field.heights.size());
    for (int row = 0; row < field.rows; ++row)
    {
        // Row by row, as heights are stored.
        for (int column = 0; column < field.columns; ++column) points.push_back(find_grid_point(field, row, column));
    }
    return points;
}

std::vector<std::array<int, 3>> cut_grid(int rows, int columns)
{
    std::vector<std::array<int, 3>> triangles;
    triangles.reserve(2 * at(rows - 1) * at(columns - 1));
    for (int row = 0; row + 1 < rows; ++row)
    {
        for (int column = 0; column + 1 < columns; ++column)
        {
            // Two triangles per cell, split along the diagonal from here to above + 1.
            const int here = row * columns + column, above = here + columns;
            triangles.push_back({here, here + 1, above + 1});
            triangles.push_back({here, above + 1, above});
        }
    }
    return triangles;
}

}  // namespace rattleback
