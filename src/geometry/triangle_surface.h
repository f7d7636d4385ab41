// Surfaces made of triangles, ready for contacts: who lies next to whom, which edges stick out, what is near a box.
#pragma once

#include "geometry/tree.h"
#include "math/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace rattleback
{

/// How two triangles meet along an edge, seen from outside.
enum class EdgeKind : std::uint8_t
{
    flat,     ///< in one plane: nothing ever touches this edge, only the faces beside it
    convex,   ///< it sticks out
    concave,  ///< a groove: what touches it touches a face
    border,   ///< there is no second triangle
};

/// One triangle and what lies around it, in the surface's frame. Edge i runs from corner i to the next.
struct SurfaceTriangle
{
    std::array<Vec3, 3> corner;    ///< counter-clockwise from outside [m]
    Vec3 normal;                   ///< outward, unit
    std::array<int, 3> vertex;     ///< numbers of the corners
    std::array<int, 3> edge;       ///< numbers of the edges
    std::array<EdgeKind, 3> kind;  ///< of the edges
    std::array<int, 3> neighbour;  ///< the triangle beyond each edge; -1: none
    std::array<Vec3, 3> beyond;    ///< its normal; this triangle's own where there is none
    std::array<bool, 3> owns;      ///< the corners: one of a vertex's triangles owns it
    int patch = -1;                ///< the same number for all triangles joined to this one by flat edges
};

/// The direction into a triangle across an edge that runs along `edge_direction`: in its plane, as long as the edge's.
inline Vec3 find_inward(const Vec3& normal, const Vec3& edge_direction) { return cross(normal, edge_direction); }

/// The triangle seen from behind.
SurfaceTriangle turn_over(const SurfaceTriangle& triangle);

/// The point of a triangle nearest to p (Ericson, Real-Time Collision Detection, 5.1.5).
Vec3 find_nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& p);

/// Triangles whose normals differ by less than this angle [rad] lie in one plane: a file's numbers in single
/// precision turn the triangles of a plane by about 1e-7 times their number across.
inline constexpr double kFlatAngle = 1e-5;

/// The triangles of a mesh. Vertices at one place are one; triangles without area are left out.
class MeshSurface
{
public:
    /// `has_inside`: the mesh bounds a solid, its triangles have one side.
    MeshSurface(const MeshOptions& mesh, bool has_inside);

    int triangle_count() const { return static_cast<int>(triangles_.size()); }
    int vertex_count() const { return static_cast<int>(vertices_.size()); }
    int edge_count() const { return edge_count_; }
    const std::vector<Vec3>& vertices() const { return vertices_; }
    bool has_inside() const { return has_inside_; }
    bool is_closed() const { return is_closed_; }
    Aabb bounds() const { return tree_.bounds(); }
    SurfaceTriangle triangle(int index) const;
    std::array<Vec3, 3> corners(int triangle) const
    {
        const auto& v = triangles_[static_cast<std::size_t>(triangle)].vertex;
        return {vertices_[static_cast<std::size_t>(v[0])], vertices_[static_cast<std::size_t>(v[1])],
                vertices_[static_cast<std::size_t>(v[2])]};
    }
    int patch(int triangle) const { return patches_[static_cast<std::size_t>(triangle)]; }
    /// True when all three edges are flat: what touches the triangle touches its patch.
    bool is_inner(int triangle) const
    {
        const auto& kind = triangles_[static_cast<std::size_t>(triangle)].kind;
        return kind[0] == EdgeKind::flat && kind[1] == EdgeKind::flat && kind[2] == EdgeKind::flat;
    }
    const Vec3& vertex(int number) const { return vertices_[static_cast<std::size_t>(number)]; }
    const Vec3& normal(int triangle) const { return normals_[static_cast<std::size_t>(triangle)]; }

    /// Calls visit(triangle) for all triangles whose boxes overlap `box`, in a fixed order.
    template <class Visit>
    void query(const Aabb& box, Visit&& visit) const
    {
        tree_.query(box, visit);
    }

    /// Calls visit(triangle) for all triangles whose boxes come within sqrt(square) [m] of a point; `visit` may lower
    /// `square`.
    template <class Visit>
    void find_near(const Vec3& point, double& square, Visit&& visit) const
    {
        tree_.find_near(point, square, visit);
    }

    /// Calls visit(triangle, others) for each triangle and those of another mesh near it: see BoxTree::query_pairs.
    template <class FindBox, class Visit>
    void query_pairs(const MeshSurface& other, const BoxTurn& turn, std::vector<int>& front, FindBox&& find_box,
                     Visit&& visit) const
    {
        tree_.query_pairs(other.tree_, turn, front, find_box, visit);
    }

    /// True when no edge leads from the vertex further along a unit direction, up to `slack` (a sine): then a flat
    /// thing that comes from there touches this vertex first.
    bool is_extreme(int vertex, const Vec3& direction, double slack) const;
    /// Follows edges from a vertex as far as they lead along a unit direction: a vertex no neighbour of which is
    /// further, or one `steps` edges away.
    int find_extreme(int vertex, const Vec3& direction, int steps) const;

private:
    struct Row
    {
        std::array<int, 3> vertex, edge, neighbour;
        std::array<EdgeKind, 3> kind;
        std::array<bool, 3> owns;
    };
    void weld(const MeshOptions& mesh);
    void join_edges();
    void join_patches();
    void list_neighbours();

    std::vector<Vec3> vertices_;
    std::vector<Row> triangles_;
    std::vector<Vec3> normals_;                      ///< [triangle]
    std::vector<int> patches_;                       ///< [triangle]
    std::vector<int> neighbour_begin_, neighbours_;  ///< vertices joined to each vertex by an edge
    BoxTree tree_;
    int edge_count_ = 0;
    bool has_inside_ = true;
    bool is_closed_ = true;
};

/// The upper side of a height field. Triangles are made when asked for: two ints per cell are all that is kept.
class GridSurface
{
public:
    explicit GridSurface(HeightFieldOptions field);

    int triangle_count() const { return 2 * (field_.rows - 1) * (field_.columns - 1); }
    bool has_inside() const { return true; }
    Aabb bounds() const { return bounds_; }
    SurfaceTriangle triangle(int index) const;
    template <class Visit>
    void query(const Aabb& box, Visit&& visit) const;
    bool is_extreme(int vertex, const Vec3& direction, double slack) const;
    int find_extreme(int vertex, const Vec3& direction, int steps) const;
    int patch(int triangle) const { return patches_[static_cast<std::size_t>(triangle)]; }
    bool is_inner(int triangle) const { return inner_[static_cast<std::size_t>(triangle)] != 0; }
    std::array<Vec3, 3> corners(int triangle) const;
    Vec3 vertex(int number) const;

    const HeightFieldOptions& field() const { return field_; }

private:
    struct Cells
    {
        int first_row = 0, last_row = -1, first_column = 0, last_column = -1;
    };
    Cells find_cells(const Aabb& box) const;
    std::array<int, 3> numbers(int triangle) const;
    template <class Visit>
    void visit_neighbours(int vertex, Visit&& visit) const;
    void join_patches();

    HeightFieldOptions field_;
    Aabb bounds_;
    std::vector<int> patches_;         ///< [triangle]
    std::vector<std::uint8_t> inner_;  ///< [triangle]
};

template <class Visit>
void GridSurface::query(const Aabb& box, Visit&& visit) const
{
    const Cells cells = find_cells(box);
    const auto height = [&](int row, int column)
    {
        return field_.heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(field_.columns) +
                              static_cast<std::size_t>(column)];
    };
    for (int row = cells.first_row; row <= cells.last_row; ++row)
    {
        for (int column = cells.first_column; column <= cells.last_column; ++column)
        {
            const double a = height(row, column), b = height(row, column + 1);
            const double c = height(row + 1, column + 1), d = height(row + 1, column);
            const int number = 2 * (row * (field_.columns - 1) + column);
            if (box.lower.z <= std::max({a, b, c})) visit(number);
            if (box.lower.z <= std::max({a, c, d})) visit(number + 1);
        }
    }
}

/// Where a surface is nearest to a point.
struct NearestOnSurface
{
    int triangle = -1;    ///< -1: nothing within the reach
    Vec3 point;           ///< [m]
    double distance = 0;  ///< [m]; negative inside of what has an inside
};

/// The place of a mesh's surface nearest to a point of its frame, not further than `reach` [m]. Where the nearest place
/// is on an edge or corner, the triangle seen most from the front or from behind tells inside from outside.
NearestOnSurface find_nearest(const MeshSurface& surface, const Vec3& point, double reach);
NearestOnSurface find_nearest(const GridSurface& surface, const Vec3& point, double reach);

/// The surfaces of a model's meshes and height fields, null where no shape needs one.
struct TriangleSurfaces
{
    std::vector<std::unique_ptr<const MeshSurface>> solids;  ///< [mesh], of meshes that collide exactly
    std::vector<std::unique_ptr<const MeshSurface>> sheets;  ///< [mesh], of Surface shapes
    std::vector<std::unique_ptr<const GridSurface>> grids;   ///< [height field]
};

}  // namespace rattleback
