// Two spheres.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_sphere_sphere(const PlacedShape& first, const PlacedShape& second, double)
{
    const Vec3 between = second.position - first.position;
    const double length = norm(between);
    // Concentric: every direction is as good, so always the same.
    const Vec3 normal = length > kShortest ? (1 / length) * between : Vec3{1, 0, 0};
    const double distance = length - (first.size.x + second.size.x);
    return make_exact(distance, first.position + first.size.x * normal, normal, {}, {});
}

}  // namespace rattleback
