// GridSurface: the triangles of a height field, made when asked for.
#include "base/disjoint_sets.h"
#include "base/index.h"
#include "geometry/height_field.h"
#include "geometry/triangle_surface.h"

#include <algorithm>

namespace rattleback
{
namespace
{

/// Edges are numbered by their lower-left vertex: 0 along a row, 1 along a column, 2 the diagonal.
int number_edge(int from, int to, int columns)
{
    // Steps between vertices are 1, columns or columns + 1: they tell the three kinds of edges apart.
    const int low = std::min(from, to), step = std::max(from, to) - low;
    return 3 * low + (step == 1 ? 0 : step == columns ? 1 : 2);
}

/// The lowest triangle at a vertex of a row: in the cell to its lower left, where there is one.
int find_owner(int vertex, int row, int columns)
{
    const int column = vertex - row * columns;
    const int cell = std::max(row - 1, 0) * (columns - 1) + std::max(column - 1, 0);
    return 2 * cell + (row > 0 && column == 0 ? 1 : 0);
}

EdgeKind find_kind(const SurfaceTriangle& triangle, std::size_t edge)
{
    if (triangle.neighbour[edge] < 0) return EdgeKind::border;
    const Vec3 along = make_unit(triangle.corner[(edge + 1) % 3] - triangle.corner[edge]);
    const double sine = dot(cross(triangle.normal, triangle.beyond[edge]), along);
    return std::abs(sine) < kFlatAngle ? EdgeKind::flat : sine > 0 ? EdgeKind::convex : EdgeKind::concave;
}

}  // namespace

GridSurface::GridSurface(HeightFieldOptions field) : field_(std::move(field))
{
    // The solid reaches from the highest point down to the base below the plane.
    const auto [least, most] = std::minmax_element(field_.heights.begin(), field_.heights.end());
    bounds_ = {{-field_.half_x, -field_.half_y, std::min(*least, -field_.base)}, {field_.half_x, field_.half_y, *most}};
    for (int column = 0; column < field_.columns; ++column) x_.push_back(find_grid_point(field_, 0, column).x);
    for (int row = 0; row < field_.rows; ++row) y_.push_back(find_grid_point(field_, row, 0).y);
    per_row_ = 1.0 / (field_.columns - 1);
    rows_per_metre_ = (field_.rows - 1) / (2 * field_.half_y);
    columns_per_metre_ = (field_.columns - 1) / (2 * field_.half_x);
    join_patches();
    build_blocks();
}

/// As cut_grid() cuts: triangle 0 of a cell is below its diagonal, triangle 1 above.
std::array<int, 3> GridSurface::numbers(int triangle) const
{
    const int cell = triangle / 2, row = row_of(cell), column = cell - row * (field_.columns - 1);
    const int here = row * field_.columns + column, above = here + field_.columns;
    if (triangle % 2 == 0) return {here, here + 1, above + 1};
    return {here, above + 1, above};
}

Vec3 GridSurface::corner_normal(int vertex) const
{
    // The triangles of the four cells around the vertex that have it for a corner.
    const int row = vertex / field_.columns, column = vertex - row * field_.columns, across = field_.columns - 1;
    Vec3 sum;
    for (int r = std::max(row - 1, 0); r <= std::min(row, field_.rows - 2); ++r)
    {
        for (int c = std::max(column - 1, 0); c <= std::min(column, across - 1); ++c)
        {
            for (int t = 2 * (r * across + c); t < 2 * (r * across + c) + 2; ++t)
            {
                const std::array<int, 3> number = numbers(t);
                const auto place =
                    static_cast<std::size_t>(std::find(number.begin(), number.end(), vertex) - number.begin());
                if (place < 3) sum += find_corner_angle(corners(t), place) * normal(t);
            }
        }
    }
    return sum;
}

SurfaceTriangle GridSurface::triangle(int index) const
{
    const int cell = index / 2, cells_across = field_.columns - 1;
    const int row = row_of(cell), column = cell - row * cells_across;
    const bool is_upper = index % 2 != 0;
    SurfaceTriangle result;
    // Everything that contact needs about a triangle, made from the heights around it.
    result.vertex = numbers(index);
    result.corner = corners(row, column, is_upper);
    result.normal = find_normal(result.corner);
    result.patch = patches_.empty() ? index : patches_[at(index)];
    for (std::size_t i = 0; i < 3; ++i)
    {
        const Step step = find_step(is_upper, i);
        const int beyond_row = row + step.up, beyond_column = column + step.right;
        const bool is_border =
            beyond_row < 0 || beyond_row + 1 >= field_.rows || beyond_column < 0 || beyond_column >= cells_across;
        result.neighbour[i] = is_border ? -1 : 2 * (beyond_row * cells_across + beyond_column) + (is_upper ? 0 : 1);
        result.beyond[i] = is_border ? result.normal : find_normal(corners(beyond_row, beyond_column, !is_upper));
        result.owns[i] =
            find_owner(result.vertex[i], row + (i > 0 && (is_upper || i == 2) ? 1 : 0), field_.columns) == index;
        result.edge[i] = number_edge(result.vertex[i], result.vertex[(i + 1) % 3], field_.columns);
        result.kind[i] =
            patches_.empty() ? find_kind(result, i) : static_cast<EdgeKind>((kinds_[at(index)] >> (2 * i)) & 3U);
    }
    return result;
}

void GridSurface::join_patches()
{
    // Union-find over edges that do not bend: coplanar triangles push as one face.
    DisjointSets sets(at(triangle_count()));
    kinds_.reserve(at(triangle_count()));
    for (int t = 0; t < triangle_count(); ++t)
    {
        // patches_ is still empty: every triangle is a patch of its own here.
        const SurfaceTriangle here = triangle(t);
        unsigned kinds = 0;
        for (std::size_t i = 0; i < 3; ++i)
        {
            kinds |= static_cast<unsigned>(here.kind[i]) << (2 * i);
            if (here.kind[i] == EdgeKind::flat && here.neighbour[i] > t) sets.join(t, here.neighbour[i]);
        }
        kinds_.push_back(static_cast<std::uint8_t>(kinds));
    }
    std::vector<int> patches;  // triangle() takes its patch and its kinds from these, once there are any
    patches.reserve(sets.count());
    for (int t = 0; t < triangle_count(); ++t) patches.push_back(sets.find(t));
    patches_ = std::move(patches);
}

void GridSurface::build_blocks()
{
    blocks_across_ = (field_.columns - 2) / kBlock + 1;
    for (int row = 0; row + 1 < field_.rows; row += kBlock)
    {
        for (int column = 0; column + 1 < field_.columns; column += kBlock)
        {
            const int end_row = std::min(row + kBlock, field_.rows - 1);
            const int end_column = std::min(column + kBlock, field_.columns - 1);
            Block block{.highest = height(row, column), .is_level = true};
            for (int r = row; r <= end_row; ++r)
            {
                for (int c = column; c <= end_column; ++c)
                {
                    block.is_level = block.is_level && height(r, c) == height(row, column);
                    block.highest = std::max(block.highest, height(r, c));
                    if (r == end_row || c == end_column) continue;
                    const int cell = r * (field_.columns - 1) + c;
                    block.is_level = block.is_level && is_inner(2 * cell) && is_inner(2 * cell + 1);
                }
            }
            blocks_.push_back(block);
        }
    }
}

GridSurface::LevelGround GridSurface::find_level(const Aabb& box) const
{
    const Cells cells = find_cells(box);
    const int first_row = cells.first_row / kBlock, last_row = cells.last_row / kBlock;
    const int first_column = cells.first_column / kBlock, last_column = cells.last_column / kBlock;
    constexpr int kMostBlocks = 8;
    if (cells.last_row < 0 || last_row - first_row >= kMostBlocks || last_column - first_column >= kMostBlocks)
        return {};
    // Level blocks that share points are equally high.
    for (int row = first_row; row <= last_row; ++row)
    {
        for (int column = first_column; column <= last_column; ++column)
        {
            if (!block(row, column).is_level || box.lower.z > block(row, column).highest) return {};
        }
    }
    return {.first = 2 * (cells.first_row * (field_.columns - 1) + cells.first_column),
            .lower_x = x_[at(cells.first_column)],
            .lower_y = y_[at(cells.first_row)],
            .upper_x = x_[at(cells.last_column + 1)],
            .upper_y = y_[at(cells.last_row + 1)],
            .height = block(first_row, first_column).highest};
}

GridSurface::Cells GridSurface::find_cells(const Aabb& box) const
{
    // Cells are found by division, in constant time: a grid needs no tree.
    if (!overlaps(box, bounds_)) return {};
    // Clamped twice: a box may be far larger than the field.
    const auto find = [](double place, double half, double per_metre, int cells)
    { return std::min(static_cast<int>((std::clamp(place, -half, half) + half) * per_metre), cells - 1); };
    Cells cells;
    cells.first_row = find(box.lower.y, field_.half_y, rows_per_metre_, field_.rows - 1);
    cells.last_row = find(box.upper.y, field_.half_y, rows_per_metre_, field_.rows - 1);
    cells.first_column = find(box.lower.x, field_.half_x, columns_per_metre_, field_.columns - 1);
    cells.last_column = find(box.upper.x, field_.half_x, columns_per_metre_, field_.columns - 1);
    return cells;
}

template <class Visit>
void GridSurface::visit_neighbours(int vertex, Visit&& visit) const
{
    const int row = vertex / field_.columns, column = vertex % field_.columns;
    // The six neighbours of a vertex: along rows and columns, and both ways along the diagonal of the cut.
    constexpr int kAround[6][2] = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    for (const auto& [up, right] : kAround)
    {
        // At the border there are fewer.
        const int r = row + up, c = column + right;
        if (r >= 0 && r < field_.rows && c >= 0 && c < field_.columns) visit(r * field_.columns + c);
    }
}

bool GridSurface::is_extreme(int number, const Vec3& direction, double slack) const
{
    const Vec3 here = vertex(number);
    bool is_furthest = true;
    visit_neighbours(number,
                     [&](int other)
                     {
                         const Vec3 way = vertex(other) - here;
                         const double further = dot(direction, way);
                         // Not clearly lower along the direction: compared by squares, without a root.
                         if (further > 0 && further * further > slack * slack * dot(way, way)) is_furthest = false;
                     });
    return is_furthest;
}

int GridSurface::find_extreme(int number, const Vec3& direction, int steps) const
{
    // Steepest ascent over edges; on a terrain with several peaks it ends on the one next to the start.
    for (int step = 0; step < steps; ++step)
    {
        int best = number;
        // The height of the present vertex along the direction.
        double most = dot(direction, vertex(number));
        visit_neighbours(number,
                         [&](int other)
                         {
                             const double here = dot(direction, vertex(other));
                             if (here <= most) return;
                             most = here;
                             best = other;
                         });
        if (best == number) break;
        number = best;
    }
    return number;
}

}  // namespace rattleback
