// Support points of the bounded convex shapes.
#include "geometry/support.h"

#include <algorithm>

namespace rattleback
{
namespace
{

/// Unit vector along `v`, however short or long; zero for zero.
Vec3 find_unit(const Vec3& v)
{
    // Scaled by the largest member first: squares of tiny or huge directions would leave the range of numbers.
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (!(largest > 0)) return {};
    const Vec3 scaled{v.x / largest, v.y / largest, v.z / largest};
    return (1 / norm(scaled)) * scaled;
}

double with_sign(double magnitude, double sign) { return sign < 0 ? -magnitude : magnitude; }

Vec3 find_furthest_vertex(const MeshOptions& mesh, const Vec3& direction)
{
    RB_ASSERT(!mesh.vertices.empty());
    Vec3 furthest;
    double reach = 0;
    bool found = false;
    for (const Vec3& v : mesh.vertices)
    {
        const double distance = dot(v, direction);
        // Strictly further: of equal vertices the first, whatever the direction's rounding.
        if (found && !(distance > reach)) continue;
        furthest = v;
        reach = distance;
        found = true;
    }
    return furthest;
}

}  // namespace

Vec3 find_support(ShapeType type, const Vec3& size, const MeshOptions* mesh, const Vec3& direction)
{
    const Vec3 unit = find_unit(direction);
    switch (type)
    {
        case ShapeType::sphere:
            // A ball's support is along the direction.
            return size.x * unit;
        case ShapeType::capsule:
            // A Minkowski sum: supports of segment and ball add up.
            return Vec3{0, 0, with_sign(size.y, unit.z)} + size.x * unit;
        case ShapeType::box:
            // The corner by signs; a zero takes the positive side.
            return {with_sign(size.x, unit.x), with_sign(size.y, unit.y), with_sign(size.z, unit.z)};
        case ShapeType::cylinder:
            // Segment plus disc: the disc's direction is that across the axis, its middle where there is none.
            return Vec3{0, 0, with_sign(size.y, unit.z)} + size.x * find_unit(Vec3{unit.x, unit.y, 0});
        case ShapeType::ellipsoid:
        {
            // The unit ball stretched by the radii S: its support is S normalize(Sᵀ d).
            const Vec3 ball = find_unit(Vec3{size.x * unit.x, size.y * unit.y, size.z * unit.z});
            return {size.x * ball.x, size.y * ball.y, size.z * ball.z};
        }
        case ShapeType::hull:
        case ShapeType::mesh:
        case ShapeType::points:
        case ShapeType::segments:
        case ShapeType::surface:
            RB_ASSERT(mesh != nullptr);
            return find_furthest_vertex(*mesh, unit);
        case ShapeType::plane:
        case ShapeType::height_field:
            break;
    }
    RB_ASSERT(false && "planes and height fields have no support point");
    return {};
}

}  // namespace rattleback
