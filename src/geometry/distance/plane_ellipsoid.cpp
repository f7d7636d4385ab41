// Plane and ellipsoid: the lowest point is S normalize(S d), the image of the unit ball's.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_ellipsoid(const PlacedShape& plane, const PlacedShape& ellipsoid, double)
{
    const Vec3& s = ellipsoid.size;
    const Vec3 down = find_down(plane, ellipsoid);
    // S d: the normal seen from the unit ball
    const Vec3 stretched{s.x * down.x, s.y * down.y, s.z * down.z};
    const double scale = 1 / norm(stretched);
    const Vec3 lowest = scale * Vec3{s.x * stretched.x, s.y * stretched.y, s.z * stretched.z};
    return make_over_plane(plane, to_world(ellipsoid, lowest), {});
}

}  // namespace rattleback
