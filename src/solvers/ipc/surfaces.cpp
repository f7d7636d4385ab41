// Shapes as vertices, edges and faces.
#include "base/disjoint_sets.h"
#include "base/index.h"
#include "collide/model_shape.h"
#include "geometry/polyhedron.h"
#include "geometry/tessellate.h"
#include "geometry/triangle_surface.h"
#include "solvers/ipc/inset.h"
#include "solvers/ipc/layout.h"

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

/// Edges of the faces, each once.
void add_edges_of_faces(ShapeSurface& surface)
{
    for (const auto& face : surface.faces)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const auto [a, b] = std::minmax({face[i], face[(i + 1) % 3]});
            surface.edges.push_back({a, b});
        }
    }
    std::sort(surface.edges.begin(), surface.edges.end());
    surface.edges.erase(std::unique(surface.edges.begin(), surface.edges.end()), surface.edges.end());
}

/// Vertices at one place become one, triangles without area go away: files that own three vertices per face are welded.
ShapeSurface weld(const MeshOptions& mesh)
{
    const MeshSurface welded(mesh, false);
    ShapeSurface surface;
    surface.vertices = welded.vertices();
    for (int t = 0; t < welded.triangle_count(); ++t) surface.faces.push_back(welded.numbers(t));
    add_edges_of_faces(surface);
    return surface;
}

ShapeSurface from_mesh(const MeshOptions& mesh, double inset)
{
    ShapeSurface surface = weld(mesh);
    if (inset > 0) inset_mesh(surface.faces, inset, surface.vertices);
    return surface;
}

/// Faces as fans. Edges of a fan are left out again where the face is flat (find_outline()).
ShapeSurface from_polyhedron(const Polyhedron& solid, double inset)
{
    ShapeSurface surface;
    surface.vertices = solid.vertices;
    for (int f = 0; f < solid.face_count(); ++f)
    {
        const int* v = &solid.face_vertices[at(solid.face_begin[at(f)])];
        const int count = solid.face_begin[at(f) + 1] - solid.face_begin[at(f)];
        for (int i = 2; i < count; ++i) surface.faces.push_back({v[0], v[i - 1], v[i]});
    }
    if (inset > 0)
    {
        // Behind all sides, not its own alone: of a rounded edge nothing may be left beyond the sides that it joins.
        std::vector<Side> sides;
        for (int f = 0; f < solid.face_count(); ++f)
            sides.push_back({solid.face_normal[at(f)], solid.face_offset[at(f)]});
        for (Vec3& v : surface.vertices) v = find_inset_point(v, sides, inset);
        // Vertices that are one now.
        return weld({.vertices = surface.vertices, .triangles = surface.faces});
    }
    add_edges_of_faces(surface);
    return surface;
}

ShapeSurface from_box(const Vec3& half)
{
    ShapeSurface surface;
    for (int i = 0; i < 8; ++i)
        surface.vertices.push_back(
            {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z});
    for (int i = 0; i < 8; ++i)
    {
        for (const int bit : {1, 2, 4})
        {
            if ((i & bit) == 0) surface.edges.push_back({i, i | bit});
        }
    }
    // Each side in two triangles, seen counter-clockwise from outside.
    surface.faces = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return surface;
}

/// Sizes less the inset.
Vec3 shrink(ShapeType type, const Vec3& size, double inset)
{
    Vec3 less = size;
    // Of a capsule the radius alone: its axis stays.
    const int lengths = type == ShapeType::sphere || type == ShapeType::capsule ? 1
                        : type == ShapeType::cylinder                           ? 2
                                                                                : 3;
    for (int i = 0; i < lengths; ++i) less[i] = std::max(size[i] - inset, 0.1 * size[i]);
    return less;
}

}  // namespace

std::vector<FacePair> pair_faces(const std::vector<std::array<int, 3>>& faces)
{
    std::vector<std::pair<std::array<int, 2>, int>> sides;
    for (int f = 0; f < static_cast<int>(faces.size()); ++f)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const auto [a, b] = std::minmax({faces[at(f)][i], faces[at(f)][(i + 1) % 3]});
            sides.push_back({{a, b}, f});
        }
    }
    std::sort(sides.begin(), sides.end());
    std::vector<FacePair> pairs;
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end)
    {
        for (end = i; end < sides.size() && sides[end].first == sides[i].first;) ++end;
        if (end == i + 2) pairs.push_back({sides[i].first, sides[i].second, sides[i + 1].second});
    }
    return pairs;
}

void find_flats(Piece& piece, bool joins)
{
    // A plane to nine digits, as barriers ask for it; certificates ask for more (find_outline()).
    constexpr double kFlat = 1e-9;
    const auto find_normal = [&](int f)
    {
        const Simplex face = piece.face(f);
        const Vec3 across = cross(face.corner[1] - face.corner[0], face.corner[2] - face.corner[0]);
        return (1 / std::max(norm(across), 1e-300)) * across;
    };
    // Faces are joined over edges where both normals agree.
    DisjointSets sets(piece.faces.size());
    std::vector<std::array<int, 2>> inner;
    for (const FacePair& pair : pair_faces(piece.faces))
    {
        if (!joins) break;
        const Vec3 a = find_normal(pair.first), b = find_normal(pair.second);
        if (!(dot(a, b) > 0) || !(norm(cross(a, b)) < kFlat)) continue;
        sets.join(pair.first, pair.second);
        inner.push_back(pair.edge);
    }
    // A face that is alone in its plane is no flat.
    std::vector<int> sizes(piece.faces.size());
    for (int f = 0; f < static_cast<int>(piece.faces.size()); ++f) ++sizes[at(sets.find(f))];
    for (int f = 0; f < static_cast<int>(piece.faces.size()); ++f)
        piece.flat_of_face.push_back(sizes[at(sets.find(f))] > 1 ? sets.find(f) : -1);
    // A vertex lies inside a flat where all its edges do; one without edges keeps its own barrier.
    piece.is_inside.assign(piece.vertices.size(), 0);
    for (const auto& edge : inner) piece.is_inside[at(edge[0])] = piece.is_inside[at(edge[1])] = 1;
    for (const auto& edge : piece.edges)
    {
        const auto [a, b] = std::minmax({edge[0], edge[1]});
        const bool is_inner = std::binary_search(inner.begin(), inner.end(), std::array<int, 2>{a, b});
        piece.is_inner.push_back(is_inner ? 1 : 0);
        if (!is_inner) piece.is_inside[at(a)] = piece.is_inside[at(b)] = 0;
    }
}

namespace
{

/// [flat, by the number of its first face] how far its vertices are from the plane of its largest face; 0 of others.
std::vector<double> find_flatness(const Piece& piece)
{
    std::vector<double> areas(piece.faces.size()), flatness(piece.faces.size());
    std::vector<Vec3> normals(piece.faces.size()), places(piece.faces.size());
    const auto walk = [&](auto&& visit)
    {
        for (int f = 0; f < static_cast<int>(piece.faces.size()); ++f)
        {
            if (piece.flat_of_face[at(f)] >= 0) visit(at(piece.flat_of_face[at(f)]), piece.face(f).corner);
        }
    };
    walk(
        [&](std::size_t flat, const std::array<Vec3, 3>& t)
        {
            const Vec3 across = cross(t[1] - t[0], t[2] - t[0]);
            const double area = norm(across);
            if (!(area > areas[flat])) return;
            areas[flat] = area;
            normals[flat] = (1 / area) * across;
            places[flat] = t[0];
        });
    // What rounding may add to a product of three differences is far below 1e-14 of the radius.
    walk(
        [&](std::size_t flat, const std::array<Vec3, 3>& t)
        {
            for (const Vec3& v : t)
                flatness[flat] =
                    std::max(flatness[flat], std::abs(dot(normals[flat], v - places[flat])) + 1e-14 * piece.radius);
        });
    return flatness;
}

}  // namespace

void find_outline(Piece& piece, double most)
{
    const std::vector<double> flatness = find_flatness(piece);
    std::vector<char> is_kept(piece.edges.size(), 1), is_corner(piece.vertices.size(), 1);
    // Edges of two faces of one flat that is flat enough go, and vertices that have no others.
    std::vector<std::array<int, 2>> within;
    for (const FacePair& pair : pair_faces(piece.faces))
    {
        const int flat = piece.flat_of_face[at(pair.first)];
        if (flat < 0 || flat != piece.flat_of_face[at(pair.second)] || !(flatness[at(flat)] <= most)) continue;
        within.push_back(pair.edge);
        piece.flatness = std::max(piece.flatness, flatness[at(flat)]);
    }
    for (std::size_t e = 0; e < piece.edges.size(); ++e)
    {
        const auto [a, b] = std::minmax({piece.edges[e][0], piece.edges[e][1]});
        const bool is_within = std::binary_search(within.begin(), within.end(), std::array<int, 2>{a, b});
        is_kept[e] = piece.is_inner[e] != 0 && is_within ? 0 : 1;
        if (is_kept[e] == 0) is_corner[at(a)] = is_corner[at(b)] = 0;
    }
    for (std::size_t e = 0; e < piece.edges.size(); ++e)
    {
        if (is_kept[e] == 0) continue;
        piece.outline.push_back(static_cast<int>(e));
        is_corner[at(piece.edges[e][0])] = is_corner[at(piece.edges[e][1])] = 1;
    }
    for (std::size_t v = 0; v < piece.vertices.size(); ++v)
    {
        if (is_corner[v] != 0) piece.corners.push_back(static_cast<int>(v));
    }
}

ShapeSurface build_surface(const Model& model, int shape, int corners, double inset)
{
    const Shapes& shapes = model.shapes;
    const ShapeType type = shapes.type[at(shape)];
    const Vec3 size = shrink(type, shapes.size[at(shape)], inset);
    const int asset = shapes.asset[at(shape)];
    ShapeSurface surface;
    switch (type)
    {
        case ShapeType::plane:
        case ShapeType::height_field:
            return surface;
        case ShapeType::box:
            return from_box(size);
        case ShapeType::sphere:
            surface.vertices = {{}};
            surface.round = size.x;
            return surface;
        case ShapeType::capsule:
            surface.vertices = {{0, 0, -size.y}, {0, 0, size.y}};
            surface.edges = {{0, 1}};
            surface.round = size.x;
            return surface;
        case ShapeType::cylinder:
        case ShapeType::ellipsoid:
            // Around the shape: what these triangles do not touch the shape does not touch either.
            surface = weld(tessellate(type, size, corners, Fit::circumscribed));
            surface.error = find_tessellation_error(type, size, corners, Fit::circumscribed);
            return surface;
        case ShapeType::hull:
            return from_polyhedron(model.hulls[at(asset)], inset);
        case ShapeType::mesh:
            return is_hull(shapes, shape) ? from_polyhedron(model.hulls[at(asset)], inset)
                                          : from_mesh(model.meshes[at(asset)], inset);
        case ShapeType::surface:
            return weld(model.meshes[at(asset)]);
        case ShapeType::points:
            surface.vertices = model.meshes[at(asset)].vertices;
            return surface;
        case ShapeType::segments:
            surface.vertices = model.meshes[at(asset)].vertices;
            surface.edges = model.meshes[at(asset)].edges;
            return surface;
    }
    return surface;
}

}  // namespace rattleback::ipc
