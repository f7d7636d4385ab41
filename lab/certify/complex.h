// Complex: a shape as points, segments and triangles, perhaps rounded by a radius, for audits of what intersects.
#pragma once

#include <rattleback/record.h>

#include "geometry/tree.h"

namespace rattleback::lab
{

/// A triangle, segment or point by its vertices. A vertex or edge that elements share is owned by one of them, so that
/// it is looked at once. Edge k runs from corner k to the next.
struct Element
{
    std::array<int, 3> vertex{-1, -1, -1};
    int count = 0;
    std::array<bool, 3> owns_vertex{}, owns_edge{};

    int edge_count() const { return count == 3 ? 3 : count - 1; }
};

struct Complex
{
    std::vector<Vec3> vertices;  ///< from the body's centre of mass, in its axes [m]
    std::vector<Element> elements;
    double radius = 0;   ///< of spheres and capsules: all points so near to the elements belong to the shape [m]
    bool solid = false;  ///< the triangles bound a volume
    bool plane = false;  ///< the half-space below the first vertex, `normal` up; no elements
    Vec3 normal;         ///< in the body's axes
    double error = 0;    ///< how far inside the true surface the triangles of a curved shape are at most [m]
    double reach = 0;    ///< farthest point from the centre of mass [m]
    double size = 0;     ///< diameter of the box around it [m]
    BoxTree tree;        ///< over the elements, without the radius

    const Vec3& corner(const Element& element, int k) const
    {
        return vertices[static_cast<std::size_t>(element.vertex[static_cast<std::size_t>(k % element.count)])];
    }
};

/// Of a shape of a recording. Boxes, hulls, meshes, surfaces, wires and points as they are, spheres and capsules by
/// their radius, the top of height fields; cylinders and ellipsoids by triangles inside them, with the error that
/// makes.
Complex make_complex(const RecordedModel& model, int shape);
/// The same from a mesh, its vertices as they are.
Complex make_complex(const MeshOptions& mesh, ShapeType type);

}  // namespace rattleback::lab
