// Plane and sphere.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_sphere(const PlacedShape& plane, const PlacedShape& sphere, double)
{
    return make_over_plane(plane, sphere.position - sphere.size.x * plane.rotation.column(2), {});
}

}  // namespace rattleback
