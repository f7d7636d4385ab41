// Which points of a grid lie inside a closed mesh, by winding numbers along the columns of the grid.
#include "geometry/packing/packing.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

// One vertical line per column of the grid, and its crossings with all triangles: the winding number along the line
// tells inside from outside for all centres of the column, in time linear in triangles and columns.

/// Twice the signed area of (a, b, p) in the xy plane, computed from the smaller end of the edge so that both of its
/// triangles see the same number with opposite sign.
double edge_side(const Vec3& a, const Vec3& b, double x, double y)
{
    // Both triangles beside an edge compute the very same number: no point falls through, none counts twice.
    const bool turned = b.x < a.x || (b.x == a.x && b.y < a.y);
    const Vec3& first = turned ? b : a;
    const Vec3& second = turned ? a : b;
    const double side = (second.x - first.x) * (y - first.y) - (second.y - first.y) * (x - first.x);
    return turned ? -side : side;
}

/// True when the point counts as left of a -> b; a point on the edge belongs to exactly one of its two triangles.
bool is_left(const Vec3& a, const Vec3& b, double x, double y)
{
    // Which side of an edge: zero is decided by the edge's direction, so that each point has one triangle.
    const double side = edge_side(a, b, x, y);
    if (side != 0) return side > 0;
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

struct Crossing
{
    std::size_t column;
    double z;
    int sign;  ///< +1: the line leaves the solid upwards
};

/// Columns whose line meets the triangle.
struct ColumnGrid
{
    Vec3 lower;
    double spacing;
    std::array<int, 3> counts;

    int first(double from, int axis) const
    {
        // A little wider than the triangle: is_left() decides, not this rounding.
        return std::max(0, static_cast<int>(std::ceil((from - lower[axis]) / spacing - 1e-9)));
    }
    int last(double to, int axis) const
    {
        const double index = std::floor((to - lower[axis]) / spacing + 1e-9);
        return std::min(counts[static_cast<std::size_t>(axis)] - 1, static_cast<int>(index));
    }
};

void add_crossings(const ColumnGrid& grid, const Vec3& a, Vec3 b, Vec3 c, std::vector<Crossing>& crossings)
{
    // Seen from above: a triangle on edge is met by no vertical line.
    // Twice the area in the plane, with the sense of the triangle as seen from above.
    double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0) return;
    const int sign = area > 0 ? 1 : -1;
    // Counter-clockwise, with the sign remembered.
    if (area < 0)
    {
        std::swap(b, c);
        area = -area;
    }
    const auto [x0, x1] = std::minmax({a.x, b.x, c.x});
    const auto [y0, y1] = std::minmax({a.y, b.y, c.y});
    // Grid columns inside the triangle's bounding box only.
    for (int i = grid.first(x0, 0); i <= grid.last(x1, 0); ++i)
    {
        for (int j = grid.first(y0, 1); j <= grid.last(y1, 1); ++j)
        {
            const double x = grid.lower.x + i * grid.spacing, y = grid.lower.y + j * grid.spacing;
            if (!is_left(a, b, x, y) || !is_left(b, c, x, y) || !is_left(c, a, x, y)) continue;
            // Height of the triangle there, by barycentric weights.
            // Areas opposite to a and b over the whole; the third weight follows.
            const double u = edge_side(b, c, x, y) / area, v = edge_side(c, a, x, y) / area;
            crossings.push_back(
                {static_cast<std::size_t>(i) * static_cast<std::size_t>(grid.counts[1]) + static_cast<std::size_t>(j),
                 u * a.z + v * b.z + (1 - u - v) * c.z, sign});
        }
    }
}

}  // namespace

std::vector<Vec3> find_centers_inside(const MeshOptions& mesh, const Vec3& lower, double spacing,
                                      const std::array<int, 3>& counts)
{
    const ColumnGrid grid{lower, spacing, counts};
    std::vector<Crossing> crossings;
    for (const auto& [a, b, c] : mesh.triangles)
    {
        const auto vertex = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
        add_crossings(grid, vertex(a), vertex(b), vertex(c), crossings);
    }
    // Column by column, from below.
    std::stable_sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b)
                     { return a.column != b.column ? a.column < b.column : a.z < b.z; });

    std::vector<Vec3> centers;
    for (std::size_t begin = 0; begin < crossings.size();)
    {
        std::size_t end = begin, next = begin;
        // All crossings of one column.
        while (end < crossings.size() && crossings[end].column == crossings[begin].column) ++end;
        const auto i = static_cast<int>(crossings[begin].column / static_cast<std::size_t>(counts[1]));
        const auto j = static_cast<int>(crossings[begin].column % static_cast<std::size_t>(counts[1]));
        int winding = 0;  // below everything; a line enters through a face that looks down
        for (int k = 0; k < counts[2]; ++k)
        {
            const Vec3 center = lower + Vec3{spacing * i, spacing * j, spacing * k};
            // Each crossing below the centre changes the winding number; above zero is inside.
            for (; next < end && crossings[next].z <= center.z; ++next) winding -= crossings[next].sign;
            if (winding > 0) centers.push_back(center);
        }
        begin = end;
    }
    return centers;
}

}  // namespace rattleback
