// Faces of shapes, how far shapes reach, and how wide they are.
#include "base/index.h"
#include "collide/manifold/flat_part.h"
#include "collide/manifold/hull_scan.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

// Three questions that every manifold asks of a shape: which flat face looks in a direction, how far the shape reaches
// there, and what length tolerances are relative to.

Face find_box_face(const PlacedShape& box, const Vec3& direction)
{
    const Vec3 local = transpose_times(box.rotation, direction);
    int axis = 0;
    for (int i = 1; i < 3; ++i)
    {
        // Of nearly equal faces the first.
        if (std::abs(local[i]) > std::abs(local[axis]) + find_cosine_slack(std::abs(local[axis]))) axis = i;
    }
    const bool is_positive = local[axis] >= 0;
    const Vec3 column = box.rotation.column(axis);
    const Vec3 normal = is_positive ? column : -column;
    return {2 * axis + (is_positive ? 1 : 0), normal, box.position + box.size[axis] * normal, std::abs(local[axis])};
}

Face find_cap(const PlacedShape& cylinder, const Vec3& direction)
{
    constexpr double kSteepest = 0.70710678118654752;
    // Both caps look along the axis; one of them may face the direction.
    const Vec3 axis = cylinder.rotation.column(2);
    const double cosine = dot(axis, direction);
    // Beyond 45 degrees the side of the cylinder is nearer than its cap.
    if (std::abs(cosine) <= kSteepest) return {};
    const Vec3 normal = cosine > 0 ? axis : -axis;
    return {cosine > 0 ? 1 : 0, normal, cylinder.position + cylinder.size.y * normal, std::abs(cosine)};
}

Face find_hull_face(const PlacedShape& shape, const Vec3& direction)
{
    const Polyhedron& solid = *shape.hull;
    // In the hull's frame: its normals are stored there.
    const Vec3 local = transpose_times(shape.rotation, direction);
    const auto [index, cosine] = find_facing_face(solid, local);
    // Face planes are kept in the hull's frame: normal and offset are carried to the world.
    const Vec3& normal = solid.face_normal[at(index)];
    const Vec3 point = shape.position + shape.rotation * (solid.face_offset[at(index)] * normal);
    return {index, shape.rotation * normal, point, cosine};
}

double find_middle(const Vec3& size)
{
    // The middle of three numbers: neither the thinnest nor the longest side.
    return std::max(std::min(size.x, size.y), std::min(std::max(size.x, size.y), size.z));
}

}  // namespace

Face find_face(const PlacedShape& shape, const Vec3& direction)
{
    // Round shapes have no faces.
    switch (shape.type)
    {
        case ShapeType::box:
            return find_box_face(shape, direction);
        case ShapeType::cylinder:
            return find_cap(shape, direction);
        case ShapeType::hull:
        case ShapeType::mesh:
            return find_hull_face(shape, direction);
        default:
            return {};
    }
}

double find_extent(const PlacedShape& shape, const Vec3& direction)
{
    const Vec3& size = shape.size;
    const Vec3 local = transpose_times(shape.rotation, direction);
    // Support functions of all shapes, written out: a scalar is all that is asked for.
    switch (shape.type)
    {
        case ShapeType::sphere:
            return size.x;
        case ShapeType::capsule:
            return size.x + size.y * std::abs(local.z);
        case ShapeType::box:
            return size.x * std::abs(local.x) + size.y * std::abs(local.y) + size.z * std::abs(local.z);
        case ShapeType::cylinder:
            // Disc and segment: supports of a Minkowski sum add up.
            return size.x * std::sqrt(local.x * local.x + local.y * local.y) + size.y * std::abs(local.z);
        case ShapeType::ellipsoid:
            return norm(Vec3{size.x * local.x, size.y * local.y, size.z * local.z});
        case ShapeType::hull:
        case ShapeType::mesh:
            return find_hull_extent(*shape.hull, local);
        default:
            return std::numeric_limits<double>::infinity();
    }
}

double find_gap_over(const Face& face, const PlacedShape& other)
{
    // The plane of the face against the point of the other shape furthest into it.
    return dot(face.normal, other.position - face.point) - find_extent(other, -face.normal);
}

double find_width(const PlacedShape& shape)
{
    // What tolerances are measured by: the size of the parts that can lie flat.
    switch (shape.type)
    {
        case ShapeType::sphere:
        case ShapeType::capsule:
        case ShapeType::cylinder:
            return shape.size.x;
        case ShapeType::box:
        case ShapeType::ellipsoid:
            return find_middle(shape.size);
        case ShapeType::hull:
        case ShapeType::mesh:
            return shape.hull->width;
        default:
            return std::numeric_limits<double>::infinity();
    }
}

}  // namespace rattleback
