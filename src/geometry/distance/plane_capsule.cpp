// Plane and capsule: the lower end; the middle of the side where the capsule lies flat.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_capsule(const PlacedShape& plane, const PlacedShape& capsule, double)
{
    const double tilt = find_down(plane, capsule).z;
    // the lowest point of a ball at the middle; the tilt chooses the end
    Vec3 lowest = capsule.position - capsule.size.x * plane.rotation.column(2);
    if (tilt == 0) return make_over_plane(plane, lowest, {FeatureKind::edge, 0});
    lowest += with_sign(capsule.size.y, tilt) * capsule.rotation.column(2);
    return make_over_plane(plane, lowest, {FeatureKind::vertex, tilt > 0 ? 1 : 0});
}

}  // namespace rattleback
