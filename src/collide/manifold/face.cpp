// Faces of shapes, how far shapes reach, and how wide they are.
#include "collide/manifold/flat_part.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A face must be this much nearer to the direction than one found before. It is little for faces that look straight
/// there, where the cosine hardly changes with the angle, and more for faces aside, where two can be equally far.
double find_bar(double cosine) { return cosine + 1e-3 * (1 - cosine) + 1e-9; }

Face find_box_face(const PlacedShape& box, const Vec3& direction)
{
    const Vec3 local = transpose_times(box.rotation, direction);
    int axis = 0;
    for (int i = 1; i < 3; ++i)
    {
        if (std::abs(local[i]) > find_bar(std::abs(local[axis]))) axis = i;
    }
    const bool is_positive = local[axis] >= 0;
    const Vec3 column = box.rotation.column(axis);
    const Vec3 normal = is_positive ? column : -column;
    return {2 * axis + (is_positive ? 1 : 0), normal, box.position + box.size[axis] * normal, std::abs(local[axis])};
}

Face find_cap(const PlacedShape& cylinder, const Vec3& direction)
{
    constexpr double kSteepest = 0.70710678118654752;
    const Vec3 axis = cylinder.rotation.column(2);
    const double cosine = dot(axis, direction);
    if (std::abs(cosine) <= kSteepest) return {};
    const Vec3 normal = cosine > 0 ? axis : -axis;
    return {cosine > 0 ? 1 : 0, normal, cylinder.position + cylinder.size.y * normal, std::abs(cosine)};
}

Face find_hull_face(const PlacedShape& shape, const Vec3& direction)
{
    const Polyhedron& solid = *shape.hull;
    const Vec3 local = transpose_times(shape.rotation, direction);
    int best = 0;
    double cosine = dot(local, solid.face_normal[0]), bar = find_bar(cosine);
    for (int f = 1; f < solid.face_count(); ++f)
    {
        const double candidate = dot(local, solid.face_normal[at(f)]);
        if (candidate <= bar) continue;
        best = f;
        cosine = candidate;
        bar = find_bar(cosine);
    }
    const Vec3& normal = solid.face_normal[at(best)];
    return {best, shape.rotation * normal, shape.position + shape.rotation * (solid.face_offset[at(best)] * normal),
            cosine};
}

double find_hull_extent(const Polyhedron& solid, const Vec3& local)
{
    double best[4];
    std::fill(best, best + 4, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < solid.x.size(); i += 4)
    {
        for (std::size_t k = 0; k < 4; ++k)
        {
            const double height = local.x * solid.x[i + k] + local.y * solid.y[i + k] + local.z * solid.z[i + k];
            best[k] = height > best[k] ? height : best[k];
        }
    }
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

double find_middle(const Vec3& size)
{
    return std::max(std::min(size.x, size.y), std::min(std::max(size.x, size.y), size.z));
}

}  // namespace

Face find_face(const PlacedShape& shape, const Vec3& direction)
{
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
    switch (shape.type)
    {
        case ShapeType::sphere:
            return size.x;
        case ShapeType::capsule:
            return size.x + size.y * std::abs(local.z);
        case ShapeType::box:
            return size.x * std::abs(local.x) + size.y * std::abs(local.y) + size.z * std::abs(local.z);
        case ShapeType::cylinder:
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
    return dot(face.normal, other.position - face.point) - find_extent(other, -face.normal);
}

double find_width(const PlacedShape& shape)
{
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
