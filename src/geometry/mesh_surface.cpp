// MeshSurface: welds a mesh, joins its triangles along edges, and tells edges that stick out from those that do not.
#include "base/disjoint_sets.h"
#include "base/index.h"
#include "geometry/triangle_surface.h"

#include <numeric>
#include <tuple>

namespace rattleback
{
namespace
{

Aabb make_box(const Vec3& a, const Vec3& b, const Vec3& c) { return merge(merge({a, a}, {b, b}), {c, c}); }

}  // namespace

MeshSurface::MeshSurface(const MeshOptions& mesh, bool has_inside) : has_inside_(has_inside)
{
    // Vertices and triangles, then edges, patches, neighbours, and a tree of boxes.
    weld(mesh);
    drop_copies();
    join_edges();
    join_patches();
    list_owners();
    list_neighbours();
    weigh_corners();
    // Boxes of triangles as they are: the surface does not move in its own frame.
    std::vector<Aabb> boxes;
    boxes.reserve(triangles_.size());
    for (const Row& row : triangles_)
        boxes.push_back(
            make_box(vertices_[at(row.vertex[0])], vertices_[at(row.vertex[1])], vertices_[at(row.vertex[2])]));
    // A tree over triangles: contacts ask for those under a box.
    tree_.build(boxes);
    build_cones();
}

/// Vertices at one place become one, in the order of their first use, and triangles without area go away.
void MeshSurface::weld(const MeshOptions& mesh)
{
    // Sorted by place: equal points stand side by side, the first of them names all.
    std::vector<int> order(mesh.vertices.size()), number(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    const auto is_before = [&](int a, int b)
    {
        const Vec3 &p = mesh.vertices[at(a)], &q = mesh.vertices[at(b)];
        return std::tie(p.x, p.y, p.z, a) < std::tie(q.x, q.y, q.z, b);
    };
    std::sort(order.begin(), order.end(), is_before);
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        // Equal numbers only: a tolerance would close gaps that are meant.
        const bool is_new = i == 0 || !(mesh.vertices[at(order[i])] == mesh.vertices[at(order[i - 1])]);
        number[at(order[i])] = is_new ? order[i] : number[at(order[i - 1])];
    }
    std::vector<int> place(mesh.vertices.size(), -1);
    for (const std::array<int, 3>& corners : mesh.triangles)
    {
        const Vec3 &a = mesh.vertices[at(corners[0])], &b = mesh.vertices[at(corners[1])],
                   &c = mesh.vertices[at(corners[2])];
        const Vec3 area = cross(b - a, c - a);
        const double size = norm(area);
        // Slivers whose height is lost in the rounding of their corners have no normal.
        const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
        // Relative to the longest side: a small mesh has small triangles.
        if (!(size > 1e-12 * longest * longest)) continue;
        Row row{};
        for (std::size_t i = 0; i < 3; ++i)
        {
            int& here = place[at(number[at(corners[i])])];
            // The first triangle that uses a vertex owns it: contacts at a vertex are made once.
            row.owns[i] = here < 0;
            if (here < 0)
            {
                here = static_cast<int>(vertices_.size());
                vertices_.push_back(mesh.vertices[at(corners[i])]);
            }
            row.vertex[i] = here;
        }
        triangles_.push_back(row);
        // Unit normal by the order of the corners, outwards for a closed mesh.
        facets_.push_back({{a, b, c}, (1 / size) * area});
    }
}

/// Of triangles with the same corners in the same sense the first stays: a million of them would each bring contacts.
void MeshSurface::drop_copies()
{
    // Sorted by corners, each list turned so that its lowest number is in front: copies stand side by side.
    struct Named
    {
        std::array<int, 3> corners;
        int triangle;
        bool operator<(const Named& b) const { return std::tie(corners, triangle) < std::tie(b.corners, b.triangle); }
    };
    std::vector<Named> names;
    names.reserve(triangles_.size());
    for (int t = 0; t < triangle_count(); ++t)
    {
        std::array<int, 3> corners = triangles_[at(t)].vertex;
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        names.push_back({corners, t});
    }
    std::sort(names.begin(), names.end());
    std::vector<char> is_copy(triangles_.size(), 0);
    for (std::size_t i = 1; i < names.size(); ++i)
        is_copy[at(names[i].triangle)] = names[i].corners == names[i - 1].corners ? 1 : 0;
    std::size_t kept = 0;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
    {
        if (is_copy[t] != 0) continue;
        triangles_[kept] = triangles_[t];
        facets_[kept++] = facets_[t];
    }
    triangles_.resize(kept);
    facets_.resize(kept);
}

/// Finds the triangle beyond each edge. An edge with more than two triangles, or with two that run along it the same
/// way, counts as a border of each of them.
void MeshSurface::join_edges()
{
    // Each side with its triangle, its place there, and its sense.
    struct Side
    {
        int low, high, triangle;
        std::uint8_t place;
        bool rising;
    };
    std::vector<Side> sides;
    sides.reserve(3 * triangles_.size());
    for (int t = 0; t < triangle_count(); ++t)
    {
        const auto& v = triangles_[at(t)].vertex;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const int from = v[i], to = v[(i + 1) % 3];
            // Two triangles of an edge have the same two vertices.
            sides.push_back({std::min(from, to), std::max(from, to), t, static_cast<std::uint8_t>(i), from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b)
              { return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle); });
    for (std::size_t begin = 0; begin < sides.size();)
    {
        std::size_t end = begin + 1;
        while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
        // Two triangles that run along the edge in opposite ways are oriented alike.
        const bool joined = end == begin + 2 && sides[begin].rising != sides[begin + 1].rising;
        // Closed: every edge has two triangles, so inside and outside are defined.
        is_closed_ = is_closed_ && joined;
        for (std::size_t s = begin; s < end; ++s)
        {
            Row& row = triangles_[at(sides[s].triangle)];
            const std::size_t place = sides[s].place;
            row.edge[place] = edge_count_;
            row.kind[place] = EdgeKind::border;
            // Until a neighbour is found the edge is a border, where contact may come from any side.
            row.neighbour[place] = -1;
            if (!joined)
            {
                // An edge that is not joined counts for each of its triangles.
                ++edge_count_;
                continue;
            }
            // Convex where the neighbour's far corner lies behind this triangle's plane.
            const Side& other = sides[s == begin ? begin + 1 : begin];
            row.neighbour[place] = other.triangle;
            // The sign of the bend: n x n' along the edge as this triangle runs through it.
            const Vec3 along = make_unit(vertices_[at(row.vertex[(place + 1) % 3])] - vertices_[at(row.vertex[place])]);
            const double sine = dot(cross(normal(sides[s].triangle), normal(other.triangle)), along);
            const double cosine = dot(normal(sides[s].triangle), normal(other.triangle));
            // A fold by half a turn has a small sine too; the cosine tells it from a plane.
            row.kind[place] = std::abs(sine) < kFlatAngle && cosine > 0 ? EdgeKind::flat
                              : sine > 0                                ? EdgeKind::convex
                                                                        : EdgeKind::concave;
        }
        // One number for both sides of an edge: contacts on it are found once.
        if (joined) ++edge_count_;
        begin = end;
    }
}

void MeshSurface::join_patches()
{
    // Triangles that no edge bends are one patch: a body slides over it without noticing its cut.
    DisjointSets sets(triangles_.size());
    for (int t = 0; t < triangle_count(); ++t)
    {
        const Row& row = triangles_[at(t)];
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (row.kind[i] == EdgeKind::flat && row.neighbour[i] > t) sets.join(t, row.neighbour[i]);
        }
    }
    for (int t = 0; t < triangle_count(); ++t) patches_.push_back(sets.find(t));
}

/// Contacts with an edge or a corner are looked for from one of its triangles.
void MeshSurface::list_owners()
{
    own_.reserve(triangles_.size());
    for (int t = 0; t < triangle_count(); ++t)
    {
        const Row& row = triangles_[at(t)];
        unsigned own = 0;
        for (unsigned i = 0; i < 3; ++i)
        {
            const bool sticks_out = row.kind[i] == EdgeKind::convex || row.kind[i] == EdgeKind::border;
            if (sticks_out && (row.neighbour[i] < 0 || t < row.neighbour[i])) own |= 1U << i;
            if (row.owns[i]) own |= 8U << i;
        }
        own_.push_back(static_cast<std::uint8_t>(own));
    }
}

void MeshSurface::list_neighbours()
{
    // Every edge in both directions; doubles go, and each list is increasing.
    std::vector<std::array<int, 2>> pairs;
    pairs.reserve(6 * triangles_.size());
    for (const Row& row : triangles_)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            pairs.push_back({row.vertex[i], row.vertex[(i + 1) % 3]});
            pairs.push_back({row.vertex[(i + 1) % 3], row.vertex[i]});
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    // Compressed rows: neighbours of a vertex follow each other.
    neighbour_begin_.assign(vertices_.size() + 1, 0);
    neighbours_.reserve(pairs.size());
    for (const auto& [from, to] : pairs)
    {
        ++neighbour_begin_[at(from) + 1];
        neighbours_.push_back(to);
    }
    std::partial_sum(neighbour_begin_.begin(), neighbour_begin_.end(), neighbour_begin_.begin());
}

void MeshSurface::weigh_corners()
{
    corner_normals_.assign(vertices_.size(), {});
    for (int t = 0; t < triangle_count(); ++t)
    {
        for (std::size_t i = 0; i < 3; ++i)
            corner_normals_[at(numbers(t)[i])] += find_corner_angle(corners(t), i) * normal(t);
    }
}

SurfaceTriangle MeshSurface::triangle(int index) const
{
    const Row& row = triangles_[at(index)];
    SurfaceTriangle result;
    result.vertex = row.vertex;
    result.edge = row.edge;
    result.kind = row.kind;
    result.neighbour = row.neighbour;
    result.owns = row.owns;
    result.normal = normal(index);
    result.corner = corners(index);
    result.patch = patches_[at(index)];
    for (std::size_t i = 0; i < 3; ++i)
    {
        // A border has its own normal beyond it: contacts there are those of a free edge.
        result.beyond[i] = row.neighbour[i] < 0 ? result.normal : normal(row.neighbour[i]);
    }
    return result;
}

bool MeshSurface::is_extreme(int vertex, const Vec3& direction, double slack) const
{
    const Vec3& here = vertices_[at(vertex)];
    for (int i = neighbour_begin_[at(vertex)]; i < neighbour_begin_[at(vertex) + 1]; ++i)
    {
        const Vec3 way = vertices_[at(neighbours_[at(i)])] - here;
        const double further = dot(direction, way);
        // Squares are compared: no root, and a slack that is an angle.
        if (further > 0 && further * further > slack * slack * dot(way, way)) return false;
    }
    return true;
}

int MeshSurface::find_extreme(int vertex, const Vec3& direction, int steps) const
{
    for (int step = 0; step < steps; ++step)
    {
        // Steepest ascent along edges; on a convex part it ends at the furthest vertex, elsewhere at a local one.
        int best = vertex;
        double most = dot(direction, vertices_[at(vertex)]);
        for (int i = neighbour_begin_[at(vertex)]; i < neighbour_begin_[at(vertex) + 1]; ++i)
        {
            const double here = dot(direction, vertices_[at(neighbours_[at(i)])]);
            if (here <= most) continue;
            most = here;
            best = neighbours_[at(i)];
        }
        if (best == vertex) break;
        vertex = best;
    }
    return vertex;
}

}  // namespace rattleback
