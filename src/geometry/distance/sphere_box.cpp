// Sphere and box: the sphere's centre against the box.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

SurfacePoint find_nearest(const Vec3& size, const Vec3& p)
{
    int sides[3], nearest_axis = 0;
    Vec3 nearest, away;
    double depth = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis)
    {
        sides[axis] = p[axis] > size[axis] ? 1 : p[axis] < -size[axis] ? -1 : 0;
        nearest[axis] = std::clamp(p[axis], -size[axis], size[axis]);
        away[axis] = p[axis] - nearest[axis];
        const double to_face = size[axis] - std::abs(p[axis]);
        if (to_face >= depth) continue;
        depth = to_face;
        nearest_axis = axis;
    }
    const double length = norm(away);
    if (length > kShortest) return {length, nearest, (1 / length) * away, find_box_feature(sides)};

    const double side = p[nearest_axis] < 0 ? -1 : 1;
    Vec3 normal;
    normal[nearest_axis] = side;
    nearest[nearest_axis] = side * size[nearest_axis];
    return {-depth, nearest, normal, {FeatureKind::face, 2 * nearest_axis + (side > 0 ? 1 : 0)}};
}

}  // namespace

ShapeDistance find_sphere_box(const PlacedShape& sphere, const PlacedShape& box, double)
{
    return make_from_center(sphere, box, find_nearest(box.size, to_local(box, sphere.position)));
}

}  // namespace rattleback
