// Builds a Polyhedron: merges faces, drops vertices that bound nothing, and lists edges and neighbours.
#include "geometry/polyhedron.h"

#include "base/index.h"
#include "geometry/convex/hull_support.h"
#include "geometry/hull.h"
#include "geometry/merge_faces.h"

#include <algorithm>
#include <tuple>

namespace rattleback
{
namespace
{

// Below this, rounding of a mesh in single precision is not told from a bend.
constexpr double kCoplanar = 5e-7;
constexpr double kThickness = 1e-3;
// Smaller ones are never climbed.
constexpr int kClimbable = 64;

// From a triangulated hull to a solid with polygonal faces, their edges with two faces each, and the neighbours of
// every vertex; coordinates once more by axis for scans in packs.

struct Extent
{
    double size = 0;       // longest side of the bounding box
    double thickness = 0;  // volume over area: within a factor of three of the radius of the ball inside
    Vec3 center;
};

Extent measure(const MeshOptions& mesh)
{
    Vec3 lower = mesh.vertices.front(), upper = lower, middle;
    for (const Vec3& v : mesh.vertices)
    {
        for (int i = 0; i < 3; ++i)
        {
            lower[i] = std::min(lower[i], v[i]);
            upper[i] = std::max(upper[i], v[i]);
        }
        // The mean of the vertices, inside of a convex solid.
        middle += (1.0 / static_cast<double>(mesh.vertices.size())) * v;
    }
    double volume = 0, area = 0;
    Vec3 moment;
    // Tetrahedra from the mean of the vertices, which is inside a convex solid: all volumes are positive.
    for (const auto& t : mesh.triangles)
    {
        const Vec3 a = mesh.vertices[at(t[0])] - middle, b = mesh.vertices[at(t[1])] - middle,
                   c = mesh.vertices[at(t[2])] - middle;
        // Rounding may turn a sliver's sign: it has no volume then.
        const double part = std::max(0.0, dot(a, cross(b, c)) / 6);
        volume += part;
        // Centroid of a tetrahedron: a quarter of the sum of its corners, the apex at zero.
        moment += 0.25 * part * (a + b + c);
        area += 0.5 * norm(cross(b - a, c - a));
    }
    const Vec3 side = upper - lower;
    const bool solid = volume > 0 && area > 0;
    return {std::max({side.x, side.y, side.z}), solid ? volume / area : 0,
            solid ? middle + (1 / volume) * moment : middle};
}

double distance_to_line(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const double length = norm(b - a);
    // The height of p over the line, by the area of a parallelogram.
    return length > 0 ? norm(cross(b - a, p - a)) / length : norm(p - a);
}

/// Takes out the vertices where only two faces meet, and which are in the middle of a straight edge.
void drop_straight(const std::vector<Vec3>& vertices, double tolerance, Loops& loops)
{
    // Up to two faces of each vertex.
    std::vector<std::array<int, 2>> faces(vertices.size(), {-1, -1});
    std::vector<int> count(vertices.size(), 0);
    for (std::size_t f = 0; f < loops.size(); ++f)
    {
        // How many faces pass through each vertex; two mean the middle of an edge.
        for (const int v : loops[f])
        {
            if (count[at(v)] < 2) faces[at(v)][at(count[at(v)])] = static_cast<int>(f);
            ++count[at(v)];
        }
    }
    for (std::size_t v = 0; v < vertices.size(); ++v)
    {
        if (count[v] != 2) continue;
        auto& first = loops[at(faces[v][0])];
        auto& second = loops[at(faces[v][1])];
        // A triangle would lose its area.
        if (first.size() <= 3 || second.size() <= 3) continue;
        // Its neighbours on the loop: straight between them, it bounds nothing.
        const auto it = std::find(first.begin(), first.end(), static_cast<int>(v));
        const auto i = static_cast<std::size_t>(it - first.begin()), n = first.size();
        const Vec3& before = vertices[at(first[(i + n - 1) % n])];
        const Vec3& after = vertices[at(first[(i + 1) % n])];
        if (distance_to_line(vertices[v], before, after) > tolerance) continue;
        first.erase(it);
        second.erase(std::find(second.begin(), second.end(), static_cast<int>(v)));
    }
}

/// Keeps the vertices that loops pass, and renumbers the loops.
std::vector<Vec3> take_vertices(const std::vector<Vec3>& vertices, Loops& loops)
{
    std::vector<int> number(vertices.size(), -1);
    for (const auto& loop : loops)
    {
        // Marked first, then numbered in their order.
        for (const int v : loop) number[at(v)] = 0;
    }
    std::vector<Vec3> kept;
    for (std::size_t v = 0; v < vertices.size(); ++v)
    {
        if (number[v] < 0) continue;
        number[v] = static_cast<int>(kept.size());
        kept.push_back(vertices[v]);
    }
    for (auto& loop : loops)
    {
        // Numbers of the kept vertices; loops begin at their lowest, so that they can be compared.
        for (int& v : loop) v = number[at(v)];
        std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    }
    return kept;
}

void add_face(const std::vector<int>& loop, Polyhedron& solid)
{
    // The sum of the triangles of a fan is the normal times twice the area, of a polygon that bends a little as well.
    const Vec3& origin = solid.vertices[at(loop[0])];
    Vec3 normal;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        normal += cross(solid.vertices[at(loop[i])] - origin, solid.vertices[at(loop[i + 1])] - origin);
    const double length = norm(normal);
    normal = length > 0 ? (1 / length) * normal : Vec3{0, 0, 1};
    // Outwards over all corners: no vertex is beyond its own face.
    double offset = dot(normal, origin);
    for (const int v : loop) offset = std::max(offset, dot(normal, solid.vertices[at(v)]));
    double perimeter = 0;
    for (std::size_t i = 0; i < loop.size(); ++i)
        perimeter += norm(solid.vertices[at(loop[(i + 1) % loop.size()])] - solid.vertices[at(loop[i])]);
    // Four times area over perimeter: the side of a square, the diameter of a circle.
    if (perimeter > 0) solid.width = std::max(solid.width, 2 * length / perimeter);
    solid.face_normal.push_back(normal);
    solid.face_offset.push_back(offset);
    solid.face_vertices.insert(solid.face_vertices.end(), loop.begin(), loop.end());
    solid.face_begin.push_back(static_cast<int>(solid.face_vertices.size()));
}

void add_edges(const Loops& loops, Polyhedron& solid)
{
    // Every side of every loop; those of one edge have the same two vertices.
    std::vector<std::tuple<int, int, bool, int>> sides;  // low, high, runs downwards, face
    for (std::size_t f = 0; f < loops.size(); ++f)
    {
        for (std::size_t i = 0; i < loops[f].size(); ++i)
        {
            const int from = loops[f][i], to = loops[f][(i + 1) % loops[f].size()];
            sides.emplace_back(std::min(from, to), std::max(from, to), from > to, static_cast<int>(f));
        }
    }
    // The two faces of an edge stand side by side, the one that runs upwards first.
    std::sort(sides.begin(), sides.end());
    // A closed surface has every edge exactly twice.
    for (std::size_t i = 0; i + 1 < sides.size(); i += 2)
    {
        solid.edges.push_back(
            {std::get<0>(sides[i]), std::get<1>(sides[i]), std::get<3>(sides[i]), std::get<3>(sides[i + 1])});
    }
}

/// For each vertex the others that a pair joins it with, increasing.
void list_neighbours(std::vector<std::pair<int, int>> pairs, int vertex_count, std::vector<int>& begin,
                     std::vector<int>& neighbours)
{
    // Compressed rows: neighbours of one vertex follow each other.
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    begin.assign(at(vertex_count) + 1, 0);
    for (const auto& [from, to] : pairs)
    {
        ++begin[at(from) + 1];
        neighbours.push_back(to);
    }
    for (int v = 0; v < vertex_count; ++v) begin[at(v) + 1] += begin[at(v)];
}

void add_neighbours(Polyhedron& solid)
{
    std::vector<std::pair<int, int>> pairs;
    for (const Polyhedron::Edge& edge : solid.edges)
    {
        // Both directions: each end lists the other.
        pairs.emplace_back(edge.first, edge.second);
        pairs.emplace_back(edge.second, edge.first);
    }
    list_neighbours(std::move(pairs), solid.vertex_count(), solid.neighbour_begin, solid.neighbours);
    // Edges are sorted by their lower and then their upper vertex: so are those to any one vertex, from below and
    // above.
    solid.neighbour_edges.resize(solid.neighbours.size());
    std::vector<int> next(solid.neighbour_begin.begin(), solid.neighbour_begin.end() - 1);
    // Edges that come up to a vertex first, then those that leave it: the order of the neighbours above.
    for (const bool upwards : {false, true})
    {
        for (int e = 0; e < solid.edge_count(); ++e)
        {
            const Polyhedron::Edge& edge = solid.edges[at(e)];
            solid.neighbour_edges[at(next[at(upwards ? edge.first : edge.second)]++)] = e;
        }
    }
}

/// Lists the edges of the triangles if these use all the vertices of the solid: where some were dropped, those that
/// remain get triangles anew.
void add_climb(const MeshOptions& hull_mesh, Polyhedron& solid)
{
    // Few vertices are scanned, which is quicker than climbing.
    if (solid.vertex_count() < kClimbable) return;
    const MeshOptions* mesh = &hull_mesh;
    MeshOptions fresh;
    if (hull_mesh.vertices.size() != solid.vertices.size())
    {
        // Triangles anew over the vertices that are left, so that every one has its neighbours.
        Result<MeshOptions> again = compute_hull(solid.vertices);
        if (!again || again.value().vertices.size() != solid.vertices.size()) return;
        fresh = std::move(again).value();
        mesh = &fresh;
    }
    std::vector<std::pair<int, int>> pairs;
    for (const auto& t : mesh->triangles)
    {
        for (std::size_t k = 0; k < 3; ++k)
        {
            // Edges of the triangulation, more than those of the faces: a climb gets over a large face in one step.
            pairs.emplace_back(t[k], t[(k + 1) % 3]);
            pairs.emplace_back(t[(k + 1) % 3], t[k]);
        }
    }
    list_neighbours(std::move(pairs), solid.vertex_count(), solid.climb_begin, solid.climb);
    // A start for each cell of directions: climbs then take a few steps.
    for (int cell = 0; cell < cores::kCellCount; ++cell)
        solid.climb_start.push_back(cores::scan_furthest(solid, cores::find_cell_direction(cell)));
}

/// Coordinate by coordinate, the first vector again where four do not come out even.
void split(const std::vector<Vec3>& vectors, std::vector<double>& x, std::vector<double>& y, std::vector<double>& z)
{
    // Padded to packs of four with a vertex that is there anyway: no scan needs a tail.
    const std::size_t padded = (vectors.size() + 3) / 4 * 4;
    for (std::size_t i = 0; i < padded; ++i)
    {
        const Vec3& v = vectors[i < vectors.size() ? i : 0];
        x.push_back(v.x);
        y.push_back(v.y);
        z.push_back(v.z);
    }
}

}  // namespace

Polyhedron build_polyhedron(const MeshOptions& hull_mesh)
{
    // Tolerances from the size of the solid and its thickness: a thin plate must not lose its rim.
    const Extent extent = measure(hull_mesh);
    // The smaller of both: rounding of large solids, thickness of thin ones.
    const double tolerance = std::min(kCoplanar * extent.size, kThickness * extent.thickness);
    Loops loops = merge_faces(hull_mesh, tolerance);
    drop_straight(hull_mesh.vertices, tolerance, loops);

    Polyhedron solid;
    solid.vertices = take_vertices(hull_mesh.vertices, loops);
    solid.center = extent.center;
    // Bounding ball about the centroid.
    for (const Vec3& v : solid.vertices) solid.radius = std::max(solid.radius, norm(v - solid.center));
    solid.face_begin.push_back(0);
    for (const auto& loop : loops) add_face(loop, solid);
    add_edges(loops, solid);
    add_neighbours(solid);
    split(solid.vertices, solid.x, solid.y, solid.z);
    split(solid.face_normal, solid.normal_x, solid.normal_y, solid.normal_z);
    add_climb(hull_mesh, solid);
    return solid;
}

int find_edge(const Polyhedron& solid, int first, int second)
{
    // Vertices have a handful of neighbours.
    for (int k = solid.neighbour_begin[at(first)]; k < solid.neighbour_begin[at(first) + 1]; ++k)
    {
        if (solid.neighbours[at(k)] == second) return solid.neighbour_edges[at(k)];
    }
    return -1;
}

}  // namespace rattleback
