// Bounding boxes and bounding radii of all shapes.
#include "geometry/bounds.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The extent of a body along an axis of the world is its support function there; for images of cubes and balls under a
// matrix that is a sum or a norm of the matrix's row.

Aabb make_around(const Vec3& center, const Vec3& half) { return {center - half, center + half}; }

/// Half extents of the image of a unit cube (`ball` false) or unit ball under the matrix: sums or norms of its rows.
Vec3 find_row_sizes(const Mat3& m, bool ball)
{
    Vec3 half;
    for (int i = 0; i < 3; ++i)
    {
        // Row i of the matrix says how far each axis of the shape reaches along axis i of the world.
        const Vec3 row{m(i, 0), m(i, 1), m(i, 2)};
        half[i] = ball ? norm(row) : std::abs(row.x) + std::abs(row.y) + std::abs(row.z);
    }
    return half;
}

Mat3 scaled_columns(const Mat3& m, const Vec3& s)
{
    return {{m(0, 0) * s.x, m(0, 1) * s.y, m(0, 2) * s.z, m(1, 0) * s.x, m(1, 1) * s.y, m(1, 2) * s.z, m(2, 0) * s.x,
             m(2, 1) * s.y, m(2, 2) * s.z}};
}

Aabb compute_vertex_bounds(const MeshOptions& mesh, const Vec3& position, const Mat3& rotation)
{
    // An empty box, which the first vertex fills.
    Aabb box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Vec3& vertex : mesh.vertices)
    {
        // Turned about the origin and moved at the end: the position is added once, and rounds once.
        const Vec3 v = rotation * vertex;
        for (int i = 0; i < 3; ++i)
        {
            box.lower[i] = std::min(box.lower[i], v[i]);
            box.upper[i] = std::max(box.upper[i], v[i]);
        }
    }
    return {position + box.lower, position + box.upper};
}

double find_highest(const HeightFieldOptions& field)
{
    // Not below the field's plane: a little too large for fields that lie under it.
    double highest = 0;
    for (const double height : field.heights) highest = std::max(highest, height);
    return highest;
}

double find_vertex_radius(const MeshOptions& mesh)
{
    double radius = 0;
    // A ball about the origin of the shape's frame, not the smallest one: it stays valid when the shape turns.
    for (const Vec3& v : mesh.vertices) radius = std::max(radius, norm(v));
    return radius;
}

Aabb compute_field_bounds(const HeightFieldOptions& field, const Vec3& position, const Mat3& rotation)
{
    const double top = find_highest(field);
    // From the lowest base to the highest point; heights are above the field's plane.
    const Vec3 half{field.half_x, field.half_y, (top + field.base) / 2};
    const Vec3 middle = position + rotation * Vec3{0, 0, (top - field.base) / 2};
    return make_around(middle, find_row_sizes(scaled_columns(rotation, half), false));
}

}  // namespace

Aabb compute_bounds(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                    const Pose& pose)
{
    return compute_bounds(type, size, mesh, field, pose.position, to_matrix(pose.rotation));
}

Aabb compute_bounds(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                    const Vec3& position, const Mat3& rotation)
{
    // Size as in Shapes: radius and half length, half extents, or radii.
    const double r = size.x, h = size.y;
    const Vec3 ball{r, r, r};
    switch (type)
    {
        // No box holds a half-space; planes are met by other means.
        case ShapeType::plane:
            return make_around({}, {kInfinity, kInfinity, kInfinity});
        case ShapeType::sphere:
            return make_around(position, ball);
        // Minkowski sums: extents of the parts add up, here a segment and a ball.
        case ShapeType::capsule:
            return make_around(position, find_row_sizes(scaled_columns(rotation, {0, 0, h}), false) + ball);
        case ShapeType::box:
            return make_around(position, find_row_sizes(scaled_columns(rotation, size), false));
        case ShapeType::cylinder:
            // A segment and a flat disc.
            return make_around(position, find_row_sizes(scaled_columns(rotation, {0, 0, h}), false) +
                                             find_row_sizes(scaled_columns(rotation, {r, r, 0}), true));
        case ShapeType::ellipsoid:
            return make_around(position, find_row_sizes(scaled_columns(rotation, size), true));
        case ShapeType::height_field:
            RB_ASSERT(field != nullptr);
            return compute_field_bounds(*field, position, rotation);
        default:
            RB_ASSERT(mesh != nullptr);
            return compute_vertex_bounds(*mesh, position, rotation);
    }
}

double compute_bounding_radius(ShapeType type, const Vec3& size, const MeshOptions* mesh,
                               const HeightFieldOptions* field)
{
    switch (type)
    {
        // Radii about the origin of the shape, so that one number bounds it at any rotation.
        case ShapeType::plane:
            return kInfinity;
        case ShapeType::sphere:
            return size.x;
        case ShapeType::capsule:
            return size.x + size.y;
        case ShapeType::box:
            return norm(size);
        case ShapeType::cylinder:
            return norm(Vec3{size.x, size.y, 0});
        case ShapeType::ellipsoid:
            return std::max({size.x, size.y, size.z});
        case ShapeType::height_field:
            RB_ASSERT(field != nullptr);
            // About the shape's origin, which is not the centre of its box.
            return norm(Vec3{field->half_x, field->half_y, std::max(field->base, find_highest(*field))});
        default:
            RB_ASSERT(mesh != nullptr);
            return find_vertex_radius(*mesh);
    }
}

}  // namespace rattleback
