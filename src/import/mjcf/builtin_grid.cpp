// Plates, grids, squares, discs and boxes of points in rows, as MuJoCo makes them.
#include "import/mjcf/builtin_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace rattleback::mjcf
{

namespace
{

using Numbers = std::vector<double>;
using Place = std::array<int, 3>;  ///< of a point in the grid

constexpr double kSurface = 2;  // number 7 of `params`

Place find_counts(const Numbers& p) { return {static_cast<int>(p[0]), static_cast<int>(p[1]), static_cast<int>(p[2])}; }

/// Draws the first `round` coordinates in: what has the largest entry 1 gets the length 1.
Vec3 draw_in(Vec3 v, int round)
{
    double largest = 0, length = 0;
    for (int k = 0; k < round; ++k)
    {
        largest = std::max(largest, std::abs(v[k]));
        length += v[k] * v[k];
    }
    for (int k = 0; k < round && length > 0; ++k) v[k] *= largest / std::sqrt(length);
    return v;
}

/// Half the sides of a grid, and a point of it between -1 and 1.
struct GridPoint
{
    Vec3 half, unit;
};
GridPoint find_grid_point(const Numbers& p, const Place& i)
{
    const Place count = find_counts(p);
    GridPoint point;
    for (int k = 0; k < 3; ++k)
    {
        const auto at = static_cast<std::size_t>(k);
        point.half[k] = 0.5 * (count[at] - 1) * p[3 + at];
        if (count[at] > 1) point.unit[k] = -1 + 2.0 * i[at] / (count[at] - 1);
    }
    return point;
}

Vec3 multiply(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Calls `visit(place)` for every point, the last index fastest.
template <class Visit>
void visit_grid(const Place& count, Visit&& visit)
{
    Place i{};
    for (i[0] = 0; i[0] < count[0]; ++i[0])
    {
        for (i[1] = 0; i[1] < count[1]; ++i[1])
        {
            for (i[2] = 0; i[2] < count[2]; ++i[2]) visit(i);
        }
    }
}

/// The first and second triangle of a cell a b (below) c d (above), from whose corners they count.
enum class Cut
{
    rising,   ///< a c d, a d b
    falling,  ///< a c b, c d b
    bottom,   ///< a d c, a b d
    turned,   ///< c a b, c b d
    plate,    ///< a c b, d b c
};
void add_cell(const std::array<int, 4>& corners, Cut cut, MeshOptions& mesh)
{
    const auto [a, b, c, d] = corners;
    const std::array<std::array<int, 3>, 2> cells[] = {{{{a, c, d}, {a, d, b}}},
                                                       {{{a, c, b}, {c, d, b}}},
                                                       {{{a, d, c}, {a, b, d}}},
                                                       {{{c, a, b}, {c, b, d}}},
                                                       {{{a, c, b}, {d, b, c}}}};
    const auto& two = cells[static_cast<std::size_t>(cut)];
    mesh.triangles.insert(mesh.triangles.end(), two.begin(), two.end());
}

/// Triangles between points row by row; `choose(row, column)` says how a cell is cut.
template <class Choose>
void add_cells(int rows, int columns, Choose&& choose, MeshOptions& mesh)
{
    for (int i = 0; i + 1 < rows; ++i)
    {
        for (int j = 0; j + 1 < columns; ++j)
        {
            const int a = i * columns + j, c = a + columns;
            add_cell({a, a + 1, c, c + 1}, choose(i, j), mesh);
        }
    }
}

/// The sides of a grid: triangles, and points in the order in which they are first named.
class Skin
{
public:
    Skin(const Numbers& params, int round) : params_(params), count_(find_counts(params)), round_(round) {}

    void add_bottom()
    {
        visit_grid({count_[0], count_[1], 1}, [&](const Place& place) { find(place); });
        add_cells(count_[0], count_[1], [](int, int) { return Cut::bottom; }, mesh_);
    }
    /// The side that runs along x (0) or y (1), at the first or the last point of the other.
    void add_side(std::size_t along, bool last)
    {
        const auto name = [&](int step, int layer)
        {
            Place place{0, 0, layer};
            place[along] = step;
            place[1 - along] = last ? count_[1 - along] - 1 : 0;
            return find(place);
        };
        for (int step = 0; step < count_[along]; ++step)
        {
            for (int layer = 1; layer < count_[2]; ++layer) name(step, layer);
        }
        // Seen from outside, the first side along x and the last along y run the same way.
        const Cut cut = last == (along == 1) ? Cut::rising : Cut::turned;
        for (int step = 0; step + 1 < count_[along]; ++step)
        {
            for (int layer = 0; layer + 1 < count_[2]; ++layer)
                add_cell({name(step, layer), name(step, layer + 1), name(step + 1, layer), name(step + 1, layer + 1)},
                         cut, mesh_);
        }
    }
    MeshOptions take() { return std::move(mesh_); }

private:
    int find(const Place& place)
    {
        const auto [found, added] = known_.try_emplace(place, static_cast<int>(mesh_.vertices.size()));
        if (added)
        {
            const GridPoint point = find_grid_point(params_, place);
            mesh_.vertices.push_back(multiply(draw_in(point.unit, round_), point.half));
        }
        return found->second;
    }

    const Numbers& params_;
    Place count_;
    int round_;
    std::map<Place, int> known_;
    MeshOptions mesh_;
};

}  // namespace

double find_cell_middle(int cell, int count, double fovea)
{
    const auto edge = [&](int i)
    {
        const double x = -1 + 2.0 * i / count;
        return (1 - fovea) * x + fovea * x * x * x * x * x;
    };
    return 0.5 * (edge(cell) + edge(cell + 1));
}

MeshOptions make_plate(const Numbers& p)
{
    const int rows = static_cast<int>(p[0]), columns = static_cast<int>(p[1]);
    MeshOptions mesh;
    visit_grid({rows, columns, 1}, [&](const Place& i)
               { mesh.vertices.push_back({find_cell_middle(i[0], rows, 0), find_cell_middle(i[1], columns, 0), -1}); });
    add_cells(rows, columns, [](int, int) { return Cut::plate; }, mesh);
    return mesh;
}

MeshOptions make_grid(const Numbers& p)
{
    if (p.size() == 7 && p[6] == kSurface) return make_flat_grid(p, false);
    MeshOptions mesh;
    visit_grid(find_counts(p),
               [&](const Place& i)
               {
                   const GridPoint point = find_grid_point(p, i);
                   mesh.vertices.push_back(multiply(point.unit, point.half));
               });
    return mesh;
}

MeshOptions make_flat_grid(const Numbers& p, bool round)
{
    const Place count = find_counts(p);
    MeshOptions mesh;
    visit_grid(count,
               [&](const Place& i)
               {
                   const auto [half, unit] = find_grid_point(p, i);
                   // MuJoCo draws a disc in where it has its size already, and scales it once more.
                   const Vec3 place = multiply(unit, half);
                   mesh.vertices.push_back(round ? multiply(draw_in(place, 2), half) : place);
               });
    // The diagonals of a disc run around its centre, so that no cell of the rim is folded.
    const auto choose = [&](int i, int j)
    { return !round || (i < count[0] / 2) == (j < count[1] / 2) ? Cut::rising : Cut::falling; };
    add_cells(count[0], count[1], choose, mesh);
    return mesh;
}

MeshOptions make_grid_skin(const Numbers& p, int round)
{
    if (p.size() == 7 && p[6] == kSurface)
    {
        Skin skin(p, round);
        skin.add_bottom();
        for (const std::size_t along : {0U, 1U})
        {
            for (const bool last : {false, true}) skin.add_side(along, last);
        }
        return skin.take();
    }
    const Place count = find_counts(p);
    MeshOptions mesh;
    mesh.vertices.push_back({});
    visit_grid(count,
               [&](const Place& i)
               {
                   bool outside = false;
                   for (std::size_t k = 0; k < 3; ++k) outside = outside || i[k] == 0 || i[k] == count[k] - 1;
                   const GridPoint point = find_grid_point(p, i);
                   if (outside) mesh.vertices.push_back(multiply(draw_in(point.unit, round), point.half));
               });
    return mesh;
}

}  // namespace rattleback::mjcf
