// What makes a mesh unusable: bad numbers, bad indices, and triangles that do not close.
#include <algorithm>
#include <string>

#include "geometry/mesh_mass.h"
#include "math/finite.h"

namespace rattleback
{
namespace
{

// A solid's surface has every edge in exactly two triangles, which run through it in opposite ways. Sorted sides make
// that a walk over neighbours, and a message can name the first edge that fails.

/// One side of a triangle: its two vertices in rising order, and whether the triangle runs through them that way.
struct Side
{
    int low = 0;
    int high = 0;
    // Rising or falling: the two triangles beside an edge run through it in opposite ways.
    bool rising = true;

    friend auto operator<=>(const Side&, const Side&) = default;
};

Side make_side(int from, int to) { return {std::min(from, to), std::max(from, to), from < to}; }

/// Looks for an index outside [0, vertex_count) in a list of triangles or edges.
template <class Cells>
std::optional<Error> find_index_error(const Cells& cells, const char* noun, std::size_t vertex_count)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        for (const int vertex : cells[i])
        {
            // The first bad index is enough: a file with one has many.
            if (vertex >= 0 && static_cast<std::size_t>(vertex) < vertex_count) continue;
            return Error{.code = ErrorCode::invalid_value,
                         .message = std::string(noun) + " " + std::to_string(i) + " names vertex " +
                                    std::to_string(vertex) + ", but the mesh has " + std::to_string(vertex_count),
                         .hint = "vertices count from 0"};
        }
    }
    return std::nullopt;
}

/// Sides of all triangles with area, equal edges beside each other.
std::vector<Side> build_sides(const MeshOptions& mesh)
{
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles)
    {
        // Triangles that name a vertex twice have no area and no sides worth closing.
        if (a == b || b == c || c == a) continue;
        // The order of corners is the triangle's sense, which `rising` keeps.
        sides.push_back(make_side(a, b));
        sides.push_back(make_side(b, c));
        sides.push_back(make_side(c, a));
    }
    // Sides with the same two vertices follow each other.
    std::sort(sides.begin(), sides.end());
    return sides;
}

Error make_edge_error(const Side& side, std::size_t count)
{
    const std::string edge = "the edge from vertex " + std::to_string(side.low) + " to " + std::to_string(side.high);
    const std::string shell = "; or take the `surface` shape or the mass rule `shell`, `convex` or `legacy`";
    // Which of the three ways an edge can fail, each with its own advice.
    if (count == 1)
    {
        return {.code = ErrorCode::invalid_value,
                .message = "the mesh is open: " + edge + " belongs to one triangle only",
                .hint = "close the mesh and merge vertices at the same place" + shell};
    }
    if (count == 2)
    {
        return {.code = ErrorCode::invalid_value,
                .message = "the triangles are not oriented alike: both beside " + edge + " run the same way",
                .hint = "list the vertices of every triangle counter-clockwise from outside" + shell};
    }
    return {.code = ErrorCode::invalid_value,
            .message = edge + " belongs to " + std::to_string(count) + " triangles",
            .hint = "an edge of a solid belongs to two triangles" + shell};
}

}  // namespace

std::optional<Error> find_mesh_error(const MeshOptions& mesh)
{
    // Numbers before indices, indices before topology: each check relies on those before.
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    {
        if (is_finite(mesh.vertices[i])) continue;
        return Error{.code = ErrorCode::invalid_value,
                     .message = "vertex " + std::to_string(i) + " of the mesh is not finite"};
    }
    if (auto error = find_index_error(mesh.triangles, "triangle", mesh.vertices.size())) return error;
    return find_index_error(mesh.edges, "edge", mesh.vertices.size());
}

std::optional<Error> find_open_edge(const MeshOptions& mesh)
{
    // A walk over sorted sides is n log n, without a table of edges.
    const std::vector<Side> sides = build_sides(mesh);
    for (std::size_t first = 0; first < sides.size();)
    {
        std::size_t last = first;
        // Equal edges stand side by side: exactly two, running opposite ways, close the surface.
        while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high)
        {
            ++last;
        }
        // How many triangles share the edge.
        const std::size_t count = last - first;
        if (count != 2 || sides[first].rising == sides[first + 1].rising) return make_edge_error(sides[first], count);
        first = last;
    }
    return std::nullopt;
}

bool is_open(const MeshOptions& mesh)
{
    // An open surface is a sheet with borders; anything worse is no surface at all.
    const std::vector<Side> sides = build_sides(mesh);
    bool open = false;
    for (std::size_t first = 0; first < sides.size();)
    {
        std::size_t last = first;
        while (last < sides.size() && sides[last].low == sides[first].low && sides[last].high == sides[first].high)
            ++last;
        // A boundary has one triangle; where two meet they run along their edge in opposite directions.
        if (last - first > 2 || (last - first == 2 && sides[first].rising == sides[first + 1].rising)) return false;
        // A border: one triangle alone.
        open = open || last - first == 1;
        first = last;
    }
    return open;
}

}  // namespace rattleback
