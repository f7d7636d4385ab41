// Plane and cylinder: the lowest point of a rim, or the middle of a cap or side that lies flat.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_cylinder(const PlacedShape& plane, const PlacedShape& cylinder, double)
{
    const Vec3 down = find_down(plane, cylinder);
    // lower cap first; across the axis the rim is lowest where it points down most
    const int end = down.z > 0 ? 1 : 0;
    const double radial = norm(Vec3{down.x, down.y, 0});
    Vec3 lowest{0, 0, down.z == 0 ? 0 : with_sign(cylinder.size.y, down.z)};
    ShapeFeature feature{FeatureKind::face, end};
    // upright, the rim is level: the middle of the cap stands for it
    if (radial > kShortest)
    {
        const double scale = cylinder.size.x / radial;
        lowest.x = scale * down.x;
        lowest.y = scale * down.y;
        feature = down.z == 0 ? ShapeFeature{FeatureKind::face, 2} : ShapeFeature{FeatureKind::edge, end};
    }
    return make_over_plane(plane, to_world(cylinder, lowest), feature);
}

}  // namespace rattleback
