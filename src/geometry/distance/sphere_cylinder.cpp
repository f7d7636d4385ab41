// Sphere and cylinder: the sphere's centre against the cylinder.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

SurfacePoint find_nearest(const Vec3& size, const Vec3& p)
{
    const double radius = size.x, half = size.y;
    const double rho = norm(Vec3{p.x, p.y, 0});
    const Vec3 outward = rho > kShortest ? Vec3{p.x / rho, p.y / rho, 0} : Vec3{1, 0, 0};
    const Vec3 up{0, 0, p.z < 0 ? -1.0 : 1.0};
    const int end = p.z < 0 ? 0 : 1;
    const double beyond_side = rho - radius, beyond_cap = std::abs(p.z) - half;

    if (beyond_side > 0 && beyond_cap > 0)
    {
        const double length = norm(Vec3{beyond_side, beyond_cap, 0});
        const Vec3 rim = radius * outward + half * up;
        if (length > kShortest)
        {
            const Vec3 normal = (beyond_side / length) * outward + (beyond_cap / length) * up;
            return {length, rim, normal, {FeatureKind::edge, end}};
        }
    }
    // Beyond one of the two surfaces or inside both: the one that is less deep.
    if (beyond_cap >= beyond_side) return {beyond_cap, {p.x, p.y, half * up.z}, up, {FeatureKind::face, end}};
    return {beyond_side, radius * outward + Vec3{0, 0, p.z}, outward, {FeatureKind::face, 2}};
}

}  // namespace

ShapeDistance find_sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, double)
{
    return make_from_center(sphere, cylinder, find_nearest(cylinder.size, to_local(cylinder, sphere.position)));
}

}  // namespace rattleback
