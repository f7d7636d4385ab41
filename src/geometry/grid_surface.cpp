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
    const int low = std::min(from, to), step = std::max(from, to) - low;
    return 3 * low + (step == 1 ? 0 : step == columns ? 1 : 2);
}

/// The lowest triangle at a vertex: in the cell to its lower left, where there is one.
int find_owner(int vertex, int columns)
{
    const int row = vertex / columns, column = vertex % columns;
    const int cell = std::max(row - 1, 0) * (columns - 1) + std::max(column - 1, 0);
    return 2 * cell + (row > 0 && column == 0 ? 1 : 0);
}

}  // namespace

GridSurface::GridSurface(HeightFieldOptions field) : field_(std::move(field))
{
    const auto [least, most] = std::minmax_element(field_.heights.begin(), field_.heights.end());
    bounds_ = {{-field_.half_x, -field_.half_y, std::min(*least, -field_.base)}, {field_.half_x, field_.half_y, *most}};
    join_patches();
}

Vec3 GridSurface::vertex(int number) const
{
    return find_grid_point(field_, number / field_.columns, number % field_.columns);
}

/// As cut_grid() cuts: triangle 0 of a cell is below its diagonal, triangle 1 above.
std::array<int, 3> GridSurface::numbers(int triangle) const
{
    const int cell = triangle / 2, row = cell / (field_.columns - 1), column = cell % (field_.columns - 1);
    const int here = row * field_.columns + column, above = here + field_.columns;
    if (triangle % 2 == 0) return {here, here + 1, above + 1};
    return {here, above + 1, above};
}

std::array<Vec3, 3> GridSurface::corners(int triangle) const
{
    const int cell = triangle / 2, row = cell / (field_.columns - 1), column = cell % (field_.columns - 1);
    const Vec3 here = find_grid_point(field_, row, column), far = find_grid_point(field_, row + 1, column + 1);
    if (triangle % 2 == 0) return {here, find_grid_point(field_, row, column + 1), far};
    return {here, far, find_grid_point(field_, row + 1, column)};
}

SurfaceTriangle GridSurface::triangle(int index) const
{
    const int cell = index / 2, cells_across = field_.columns - 1;
    const int row = cell / cells_across, column = cell % cells_across;
    SurfaceTriangle result;
    result.vertex = numbers(index);
    result.corner = corners(index);
    result.normal = make_unit(cross(result.corner[1] - result.corner[0], result.corner[2] - result.corner[0]));
    result.patch = patches_.empty() ? index : patches_[at(index)];
    // Across the three edges, in the order of the corners: of the lower triangle the cell below, the cell to the right
    // and its own upper half; of the upper one its lower half, the cell above and the cell to the left.
    if (index % 2 == 0)
        result.neighbour = {row > 0 ? index - 2 * cells_across + 1 : -1, column + 1 < cells_across ? index + 3 : -1,
                            index + 1};
    else
        result.neighbour = {index - 1, row + 2 < field_.rows ? index + 2 * cells_across - 1 : -1,
                            column > 0 ? index - 3 : -1};
    for (std::size_t i = 0; i < 3; ++i)
    {
        const std::size_t next = (i + 1) % 3;
        result.owns[i] = find_owner(result.vertex[i], field_.columns) == index;
        result.edge[i] = number_edge(result.vertex[i], result.vertex[next], field_.columns);
        result.kind[i] = EdgeKind::border;
        result.beyond[i] = result.normal;
        if (result.neighbour[i] < 0) continue;
        const auto [a, b, c] = corners(result.neighbour[i]);
        result.beyond[i] = make_unit(cross(b - a, c - a));
        const Vec3 along = make_unit(result.corner[next] - result.corner[i]);
        const double sine = dot(cross(result.normal, result.beyond[i]), along);
        result.kind[i] = std::abs(sine) < kFlatAngle ? EdgeKind::flat : sine > 0 ? EdgeKind::convex : EdgeKind::concave;
    }
    return result;
}

void GridSurface::join_patches()
{
    DisjointSets sets(at(triangle_count()));
    inner_.reserve(at(triangle_count()));
    for (int t = 0; t < triangle_count(); ++t)
    {
        const SurfaceTriangle here = triangle(t);
        const bool is_flat =
            std::all_of(here.kind.begin(), here.kind.end(), [](EdgeKind k) { return k == EdgeKind::flat; });
        inner_.push_back(is_flat ? 1 : 0);
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (here.kind[i] == EdgeKind::flat && here.neighbour[i] > t) sets.join(t, here.neighbour[i]);
        }
    }
    std::vector<int> patches;  // triangle() takes its patch from patches_, once there are any
    patches.reserve(sets.count());
    for (int t = 0; t < triangle_count(); ++t) patches.push_back(sets.find(t));
    patches_ = std::move(patches);
}

GridSurface::Cells GridSurface::find_cells(const Aabb& box) const
{
    if (!overlaps(box, bounds_)) return {};
    const auto find = [](double place, double half, int cells)
    { return std::clamp(static_cast<int>(std::floor((place + half) / (2 * half) * cells)), 0, cells - 1); };
    Cells cells;
    // Clamped first: a box may be far larger than the field.
    const auto within = [](double x, double half) { return std::clamp(x, -half, half); };
    cells.first_row = find(within(box.lower.y, field_.half_y), field_.half_y, field_.rows - 1);
    cells.last_row = find(within(box.upper.y, field_.half_y), field_.half_y, field_.rows - 1);
    cells.first_column = find(within(box.lower.x, field_.half_x), field_.half_x, field_.columns - 1);
    cells.last_column = find(within(box.upper.x, field_.half_x), field_.half_x, field_.columns - 1);
    return cells;
}

template <class Visit>
void GridSurface::visit_neighbours(int vertex, Visit&& visit) const
{
    const int row = vertex / field_.columns, column = vertex % field_.columns;
    constexpr int kAround[6][2] = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    for (const auto& [up, right] : kAround)
    {
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
                         if (further > 0 && further * further > slack * slack * dot(way, way)) is_furthest = false;
                     });
    return is_furthest;
}

int GridSurface::find_extreme(int number, const Vec3& direction, int steps) const
{
    for (int step = 0; step < steps; ++step)
    {
        int best = number;
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
