// Sphere and capsule: the sphere's centre against the capsule's segment.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

SurfacePoint find_nearest(const Vec3& size, const Vec3& p)
{
    const double radius = size.x, half = size.y;
    const Vec3 axis_point{0, 0, std::clamp(p.z, -half, half)};
    const Vec3 away = p - axis_point;
    const double length = norm(away);
    // On the segment the way out is across it, never along it.
    const Vec3 normal = length > kShortest ? (1 / length) * away : Vec3{1, 0, 0};
    return {length - radius, axis_point + radius * normal, normal, find_capsule_feature(p.z, half)};
}

}  // namespace

ShapeDistance find_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double)
{
    return make_from_center(sphere, capsule, find_nearest(capsule.size, to_local(capsule, sphere.position)));
}

}  // namespace rattleback
