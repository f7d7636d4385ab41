// Polyhedron: a convex solid bounded by polygons, ready for distances and contacts, made from a triangulated hull.
#pragma once

#include <rattleback/shapes.h>

#include <array>
#include <vector>

namespace rattleback
{

/// A closed convex solid in its own frame. Triangles of the hull that lie in one plane are one face.
struct Polyhedron
{
    /// Two vertices and the two faces that meet between them; `left` is seen on the left when looking from outside
    /// along first -> second.
    struct Edge
    {
        int first = -1, second = -1;
        int left = -1, right = -1;
    };

    std::vector<Vec3> vertices;        ///< [m]
    std::vector<Vec3> face_normal;     ///< outward, unit
    std::vector<double> face_offset;   ///< dot(normal, x) on the face [m]
    std::vector<int> face_begin;       ///< [faces + 1] into face_vertices
    std::vector<int> face_vertices;    ///< counter-clockwise from outside
    std::vector<Edge> edges;           ///< sorted by (first, second), first < second
    std::vector<int> neighbour_begin;  ///< [vertices + 1] into neighbours
    std::vector<int> neighbours;       ///< vertices joined by an edge, increasing
    std::vector<int> neighbour_edges;  ///< the edges to them
    std::vector<double> x, y, z;       ///< the vertices once more, by coordinate, padded to a multiple of four
    std::vector<double> normal_x, normal_y, normal_z;  ///< the face normals likewise
    Vec3 center;                                       ///< of volume: a point well inside
    double width = 0;                                  ///< of its widest face: four times area over perimeter [m]
    double radius = 0;                                 ///< of the ball about `center` that holds the vertices [m]
    /// Big ones only: all edges of the triangulated solid, as `neighbours`, for climbing to the furthest vertex. Unlike
    /// `neighbours` they cannot end on a false summit where a face is flat only nearly.
    std::vector<int> climb_begin, climb;
    std::vector<int>
        climb_start;  ///< and where to start: the furthest vertices in fixed directions, see geometry/convex

    int vertex_count() const { return static_cast<int>(vertices.size()); }
    int face_count() const { return static_cast<int>(face_normal.size()); }
    int edge_count() const { return static_cast<int>(edges.size()); }
};

/// Index of the edge between two vertices; -1 if there is none.
int find_edge(const Polyhedron& solid, int first, int second);

/// The solid inside a mesh from compute_hull. Triangles in one plane become one face; "in one plane" allows for the
/// rounding of files in single precision, 5e-7 of the size, but never for more than a thousandth of the thickness.
/// Vertices inside a face or in the middle of an edge go away; the others keep their order.
Polyhedron build_polyhedron(const MeshOptions& hull_mesh);

}  // namespace rattleback
