// Radii and levels from the definitions of the shapes.
#include "support/shape_level.h"

#include <algorithm>
#include <limits>

namespace rattleback
{

double find_radius(const PlacedShape& shape)
{
    const Vec3& s = shape.size;
    double radius = 0;
    switch (shape.type)
    {
        case ShapeType::plane:
            return 0;
        case ShapeType::sphere:
            return s.x;
        case ShapeType::capsule:
            return s.x + s.y;
        case ShapeType::cylinder:
        case ShapeType::box:
            return norm(s);
        case ShapeType::ellipsoid:
            return std::max({s.x, s.y, s.z});
        default:
            for (const Vec3& v : shape.hull->vertices) radius = std::max(radius, norm(v));
            return radius;
    }
}

double find_level(const PlacedShape& shape, const Vec3& point)
{
    const Vec3 p = transpose_times(shape.rotation, point - shape.position);
    const Vec3& s = shape.size;
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    double level = -std::numeric_limits<double>::infinity();
    switch (shape.type)
    {
        case ShapeType::plane:
            return p.z;
        case ShapeType::sphere:
            return norm(p) - s.x;
        case ShapeType::capsule:
            return norm(Vec3{p.x, p.y, std::max(std::abs(p.z) - s.y, 0.0)}) - s.x;
        case ShapeType::box:
            return std::max({std::abs(p.x) - s.x, std::abs(p.y) - s.y, std::abs(p.z) - s.z});
        case ShapeType::cylinder:
            return std::max(rho - s.x, std::abs(p.z) - s.y);
        case ShapeType::ellipsoid:
            return (norm(Vec3{p.x / s.x, p.y / s.y, p.z / s.z}) - 1) * std::min({s.x, s.y, s.z});
        default:
            for (std::size_t i = 0; i < shape.hull->face_normal.size(); ++i)
                level = std::max(level, dot(shape.hull->face_normal[i], p) - shape.hull->face_offset[i]);
            return level;
    }
}

}  // namespace rattleback
