// Points on which a shape stands: corners and rims.
#include "geometry/packing/packing.h"

#include "geometry/hull.h"

#include <cmath>

namespace rattleback
{

namespace
{

std::vector<Vec3> find_rims(double radius, double half_length)
{
    // Sixteen directions, by halving right angles: roots alone, and so the same bits everywhere.
    const double c45 = std::sqrt(0.5), c22 = std::sqrt(0.5 * (1 + c45)), s22 = std::sqrt(0.5 * (1 - c45));
    const std::array<std::array<double, 2>, 4> quarter{{{1, 0}, {c22, s22}, {c45, c45}, {s22, c22}}};
    std::vector<Vec3> points;
    for (const double z : {-half_length, half_length})
    {
        for (const auto& [x, y] : quarter)
        {
            for (const auto& [a, b] : {std::pair{x, y}, {-y, x}, {-x, -y}, {y, -x}})
                points.push_back({radius * a, radius * b, z});
        }
    }
    return points;
}

}  // namespace

std::vector<Vec3> find_support_points(const PackedShape& shape)
{
    const Vec3& size = shape.size;
    switch (shape.type)
    {
        case ShapeType::box:
        {
            std::vector<Vec3> corners;
            for (const double x : {-size.x, size.x})
                for (const double y : {-size.y, size.y})
                    for (const double z : {-size.z, size.z}) corners.push_back({x, y, z});
            return corners;
        }
        case ShapeType::cylinder:
            return find_rims(size.x, size.y);
        case ShapeType::hull:
            return shape.hull->vertices;
        case ShapeType::mesh:
        {
            // Corners of the hull are corners of the mesh; a mesh in a plane has no hull and no inside.
            const Result<MeshOptions> hull = compute_hull(shape.mesh->vertices);
            return hull.ok() ? hull.value().vertices : std::vector<Vec3>{};
        }
        default:
            return {};
    }
}

}  // namespace rattleback
