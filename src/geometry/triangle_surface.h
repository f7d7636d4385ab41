// Surfaces made of triangles, ready for contacts: who lies next to whom, which edges stick out, what is near a box.
#pragma once

#include "geometry/normal_cone.h"
#include "geometry/tree.h"
#include "geometry/triangle_pack.h"
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

/// The angle [rad] that a triangle has at corner i.
double find_corner_angle(const std::array<Vec3, 3>& corners, std::size_t i);

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
    const Facet& facet(int triangle) const { return facets_[static_cast<std::size_t>(triangle)]; }
    const std::array<Vec3, 3>& corners(int triangle) const { return facet(triangle).corner; }
    int patch(int triangle) const { return patches_[static_cast<std::size_t>(triangle)]; }
    /// True when all three edges are flat: what touches the triangle touches its patch.
    bool is_inner(int triangle) const
    {
        const auto& kind = triangles_[static_cast<std::size_t>(triangle)].kind;
        return kind[0] == EdgeKind::flat && kind[1] == EdgeKind::flat && kind[2] == EdgeKind::flat;
    }
    /// True when one of its edges is that of a groove, from one side or the other.
    bool has_groove(int triangle) const
    {
        const auto is_groove = [&](EdgeKind kind)
        { return kind == EdgeKind::concave || (kind == EdgeKind::convex && !has_inside_); };
        const auto& kind = triangles_[static_cast<std::size_t>(triangle)].kind;
        return is_groove(kind[0]) || is_groove(kind[1]) || is_groove(kind[2]);
    }
    const std::array<int, 3>& numbers(int triangle) const
    {
        return triangles_[static_cast<std::size_t>(triangle)].vertex;
    }
    EdgeKind kind(int triangle, std::size_t edge) const
    {
        return triangles_[static_cast<std::size_t>(triangle)].kind[edge];
    }
    /// The normal beyond an edge of a triangle, which must have a neighbour there.
    const Vec3& beyond(int triangle, std::size_t edge) const
    {
        return normal(triangles_[static_cast<std::size_t>(triangle)].neighbour[edge]);
    }
    /// Bit i: edge i of the triangle sticks out, and no triangle with a lower number has it too.
    unsigned own_edges(int triangle) const { return own_[static_cast<std::size_t>(triangle)] & 7U; }
    /// Bit i: no triangle with a lower number has corner i too.
    unsigned own_corners(int triangle) const { return own_[static_cast<std::size_t>(triangle)] >> 3U; }
    const Vec3& vertex(int number) const { return vertices_[static_cast<std::size_t>(number)]; }
    const Vec3& normal(int triangle) const { return facet(triangle).normal; }
    /// Of a vertex: the sum of its triangles' normals, each times the angle it has there. What is nearest to the vertex
    /// is outside where this points to (Baerentzen and Aanaes, Signed distance computation using the angle weighted
    /// pseudonormal, 2005); no single triangle tells, where the corner is sharp.
    const Vec3& corner_normal(int vertex) const { return corner_normals_[static_cast<std::size_t>(vertex)]; }

    /// The directions in which a vertex is_extreme() up to kLeaningSine, or more; all of them where there is no inside.
    CornerCones corner_cones(int vertex) const
    {
        return corner_cones_.empty() ? CornerCones() : corner_cones_[static_cast<std::size_t>(vertex)];
    }
    /// False when no face within `reach` [m] of a corner looks towards it: opposite to a direction of its cones.
    bool may_be_held(const Vec3& point, double reach, const CornerCones& cones) const;

    /// Calls visit(triangle) for all triangles whose boxes overlap `box`, in a fixed order.
    template <class Visit>
    void query(const Aabb& box, Visit&& visit) const
    {
        tree_.query(box, visit);
    }

    /// The same for those that may come within `radius` [m] of a point and are touched from there: below what is left
    /// out no face has the point in front of it, and no edge or corner has it in its Voronoi region.
    template <class Visit>
    void query_ball(const Vec3& center, double radius, Visit&& visit) const
    {
        tree_.query_ball(center, radius * radius, [&](int node) { return find_facing(node, center); }, visit);
    }

    /// Calls visit(triangle) for all triangles whose boxes come within sqrt(square) [m] of a point; `visit` may lower
    /// `square`.
    template <class Visit>
    void find_near(const Vec3& point, double& square, Visit&& visit) const
    {
        tree_.find_near(point, square, visit);
    }

    /// Calls visit(triangle, others) for each triangle, moved by `turn`, and those of another mesh that may touch it:
    /// near it within the margin of `turn`, and where the two do not cross with normals that face each other. find_box
    /// gives the box of a moved triangle, without the margin. See BoxTree::query_pairs.
    template <class FindBox, class Visit>
    void query_pairs(const MeshSurface& other, const BoxTurn& turn, std::vector<int>& front, FindBox&& find_box,
                     Visit&& visit) const
    {
        tree_.query_pairs(
            other.tree_, front,
            [&](int node, int lane)
            {
                const int child = tree_.child(node, lane);
                const Aabb box = child < 0 ? find_box(~child) : turn.without_margin(tree_.child_box(node, lane));
                return PairProbe(other, box, turn.margin, cones_[static_cast<std::size_t>(node)].get(lane),
                                 turn.rotation);
            },
            visit);
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
    /// A box with the cone of the normals in it, moved into the frame of another mesh: what there it may touch.
    class PairProbe
    {
    public:
        PairProbe(const MeshSurface& other, const Aabb& box, double margin, const NormalCone& cone,
                  const Mat3& rotation)
            : other_(other), box_(box), limit_(margin * margin * (1 + 1e-9)), cone_(cone)
        {
            cone_.axis = rotation * cone.axis;
            middle_ = 0.5 * (box.lower + box.upper);
            half_ = 0.5 * (box.upper - box.lower);
        }
        unsigned operator()(int node) const
        {
            // What may cross is kept whatever its normals.
            const Pack4 gaps = other_.tree_.find_gaps(node, box_);
            const auto near = static_cast<unsigned>(to_bits(gaps <= Pack4(limit_)));
            if (near == 0) return 0;
            const auto crossing = static_cast<unsigned>(to_bits(gaps <= Pack4(0)));
            return near == crossing ? near : crossing | (near & other_.find_facing(node, cone_, middle_, half_));
        }

    private:
        const MeshSurface& other_;
        Aabb box_;
        double limit_;  ///< of squared distances [m^2]
        NormalCone cone_;
        Vec3 middle_, half_;
    };
    /// The children of a node of the tree with a normal that leads to a point; and those that may touch what lies in a
    /// box and has its normals in a cone, without crossing it.
    unsigned find_facing(int node, const Vec3& point) const;
    unsigned find_facing(int node, const NormalCone& cone, const Vec3& middle, const Vec3& half) const;
    /// The children of a node with normals opposite to directions of a cone.
    unsigned find_opposite(int node, const NormalCone& cone) const;

    void build_cones();
    void weld(const MeshOptions& mesh);
    void drop_copies();
    void join_edges();
    void join_patches();
    void list_owners();
    void list_neighbours();
    void weigh_corners();

    std::vector<Vec3> vertices_, corner_normals_;  ///< [vertex]
    std::vector<Row> triangles_;
    std::vector<Facet> facets_;                      ///< [triangle]
    std::vector<int> patches_;                       ///< [triangle]
    std::vector<std::uint8_t> own_;                  ///< [triangle] own_edges(), then own_corners()
    std::vector<int> neighbour_begin_, neighbours_;  ///< vertices joined to each vertex by an edge
    BoxTree tree_;
    std::vector<ConeFour> cones_;            ///< [node of the tree]
    std::vector<CornerCones> corner_cones_;  ///< [vertex]
    int edge_count_ = 0;
    bool has_inside_ = true;
    bool is_closed_ = true;
};

/// The upper side of a height field. Triangles are made when asked for: ten bytes per cell are all that is kept beside
/// the heights.
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
    template <class Visit>
    void query_ball(const Vec3& center, double radius, Visit&& visit) const;
    bool is_extreme(int vertex, const Vec3& direction, double slack) const;
    int find_extreme(int vertex, const Vec3& direction, int steps) const;
    int patch(int triangle) const { return patches_[static_cast<std::size_t>(triangle)]; }
    Vec3 corner_normal(int vertex) const;
    bool is_inner(int triangle) const { return kinds_[static_cast<std::size_t>(triangle)] == 0; }
    bool has_groove(int triangle) const
    {
        // In two bits only concave edges have the upper one without the lower.
        const unsigned kinds = kinds_[static_cast<std::size_t>(triangle)];
        return ((kinds >> 1) & ~kinds & 0b010101U) != 0;
    }
    std::array<int, 3> numbers(int triangle) const;
    EdgeKind kind(int triangle, std::size_t edge) const
    {
        return static_cast<EdgeKind>(kinds_[static_cast<std::size_t>(triangle)] >> (2 * edge) & 3U);
    }
    Vec3 beyond(int triangle, std::size_t edge) const
    {
        const int cell = triangle / 2, row = row_of(cell), column = cell - row * (field_.columns - 1);
        const bool is_upper = triangle % 2 != 0;
        const auto [up, right] = find_step(is_upper, edge);
        return find_normal(corners(row + up, column + right, !is_upper));
    }
    unsigned own_edges(int triangle) const
    {
        const unsigned kinds = kinds_[static_cast<std::size_t>(triangle)];
        // Of lower triangles the right edge and the diagonal, of upper ones the upper edge; borders of both.
        const unsigned own = triangle % 2 == 0 ? 0b010100U : 0b000100U;
        const unsigned edges = kinds & 0b010101U & (own | (kinds >> 1));
        return (edges & 1U) | (edges >> 1 & 2U) | (edges >> 2 & 4U);
    }
    std::array<Vec3, 3> corners(int triangle) const
    {
        const int cell = triangle / 2, row = row_of(cell);
        return corners(row, cell - row * (field_.columns - 1), triangle % 2 != 0);
    }
    Facet facet(int triangle) const
    {
        const std::array<Vec3, 3> corner = corners(triangle);
        return {corner, find_normal(corner)};
    }
    Vec3 normal(int triangle) const { return find_normal(corners(triangle)); }
    static Vec3 find_normal(const std::array<Vec3, 3>& corner)
    {
        return make_unit(cross(corner[1] - corner[0], corner[2] - corner[0]));
    }
    Vec3 vertex(int number) const
    {
        const int row = number / field_.columns;
        return point(row, number - row * field_.columns);
    }

    /// Where all the ground under a box is level and inner: its first triangle, as query() visits them, the rectangle
    /// of its cells and their height [m]. -1 elsewhere, and always under boxes more than 8 blocks wide.
    struct LevelGround
    {
        int first = -1;
        double lower_x = 0, lower_y = 0, upper_x = 0, upper_y = 0, height = 0;
    };
    LevelGround find_level(const Aabb& box) const;

    const HeightFieldOptions& field() const { return field_; }

private:
    struct Cells
    {
        int first_row = 0, last_row = -1, first_column = 0, last_column = -1;
    };
    /// Square pieces of the field, kBlock cells wide: the first look at what lies under a box.
    struct Block
    {
        double highest = 0;     ///< of its points [m]
        bool is_level = false;  ///< all its points are as high, and all its triangles are inner
    };
    static constexpr int kBlock = 8;  ///< [cells]
    /// From a triangle's cell to the one beyond each of its edges, in the order of the corners: of the lower triangle
    /// the cell below, the cell to the right and its own upper half; of the upper one its lower half, the cell above
    /// and the cell to the left.
    struct Step
    {
        int up, right;
    };
    static Step find_step(bool is_upper, std::size_t edge)
    {
        constexpr Step kSteps[2][3] = {{{-1, 0}, {0, 1}, {0, 0}}, {{0, 0}, {1, 0}, {0, -1}}};
        return kSteps[is_upper ? 1 : 0][edge];
    }
    Cells find_cells(const Aabb& box) const;
    /// The row of a cell, by a product with 1 / (cells in a row): half a cell is far more than its rounding.
    int row_of(int cell) const { return static_cast<int>((cell + 0.5) * per_row_); }
    Vec3 point(int row, int column) const
    {
        return {x_[static_cast<std::size_t>(column)], y_[static_cast<std::size_t>(row)], height(row, column)};
    }
    /// As cut_grid() cuts: the lower triangle of a cell is below its diagonal.
    std::array<Vec3, 3> corners(int row, int column, bool is_upper) const
    {
        const Vec3 here = point(row, column), far = point(row + 1, column + 1);
        if (is_upper) return {here, far, point(row + 1, column)};
        return {here, point(row, column + 1), far};
    }
    double height(int row, int column) const
    {
        return field_.heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(field_.columns) +
                              static_cast<std::size_t>(column)];
    }
    const Block& block(int block_row, int block_column) const
    {
        return blocks_[static_cast<std::size_t>(block_row) * static_cast<std::size_t>(blocks_across_) +
                       static_cast<std::size_t>(block_column)];
    }
    template <class Visit>
    void visit_neighbours(int vertex, Visit&& visit) const;
    void join_patches();
    void build_blocks();

    HeightFieldOptions field_;
    std::vector<double> x_, y_;  ///< of the columns and rows [m]
    Aabb bounds_;
    std::vector<int> patches_;         ///< [triangle]
    std::vector<std::uint8_t> kinds_;  ///< [triangle] of its edges, two bits each
    std::vector<Block> blocks_;        ///< [row of blocks][column of blocks]
    int blocks_across_ = 0;
    double per_row_ = 0;                                 ///< 1 / cells in a row
    double rows_per_metre_ = 0, columns_per_metre_ = 0;  ///< [1/m]
};

template <class Visit>
void GridSurface::query(const Aabb& box, Visit&& visit) const
{
    const Cells cells = find_cells(box);
    for (int row = cells.first_row; row <= cells.last_row; ++row)
    {
        for (int column = cells.first_column; column <= cells.last_column;)
        {
            // Over a block that lies too low in one step.
            const int end = std::min(cells.last_column + 1, (column / kBlock + 1) * kBlock);
            if (box.lower.z > block(row / kBlock, column / kBlock).highest) column = end;
            for (; column < end; ++column)
            {
                const double a = height(row, column), b = height(row, column + 1);
                const double c = height(row + 1, column + 1), d = height(row + 1, column);
                const int number = 2 * (row * (field_.columns - 1) + column);
                if (box.lower.z <= std::max({a, b, c})) visit(number);
                if (box.lower.z <= std::max({a, c, d})) visit(number + 1);
            }
        }
    }
}

template <class Visit>
void GridSurface::query_ball(const Vec3& center, double radius, Visit&& visit) const
{
    const Vec3 around{radius, radius, radius};
    const Cells cells = find_cells({center - around, center + around});
    const double square = radius * radius;
    // How far a place lies outside a stretch, squared.
    const auto outside = [](double place, double from, double to)
    {
        const double far = std::max({from - place, place - to, 0.0});
        return far * far;
    };
    for (int row = cells.first_row; row <= cells.last_row; ++row)
    {
        const auto r = static_cast<std::size_t>(row);
        const double aside = outside(center.y, y_[r], y_[r + 1]);
        for (int column = cells.first_column; column <= cells.last_column; ++column)
        {
            const auto c = static_cast<std::size_t>(column);
            // What is left of the squared radius for the way down to the cell.
            const double left = square - aside - outside(center.x, x_[c], x_[c + 1]);
            if (left < 0) continue;
            const double near = height(row, column), far = height(row + 1, column + 1);
            const double lower = std::max({near, far, height(row, column + 1)});
            const double upper = std::max({near, far, height(row + 1, column)});
            const int number = 2 * (row * (field_.columns - 1) + column);
            const auto reaches = [&](double top) { return center.z <= top || outside(center.z, top, top) <= left; };
            if (reaches(lower)) visit(number);
            if (reaches(upper)) visit(number + 1);
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
/// is on an edge, the triangle seen most from the front or from behind tells inside from outside; at a corner
/// corner_normal() does.
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
