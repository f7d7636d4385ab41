// Sphere and cylinder: the sphere's centre against the cylinder.
#include "geometry/distance/nearest.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_sphere_cylinder(const PlacedShape& sphere, const PlacedShape& cylinder, double)
{
    return make_from_center(sphere, cylinder,
                            find_nearest_on_cylinder(cylinder.size, to_local(cylinder, sphere.position)));
}

}  // namespace rattleback
