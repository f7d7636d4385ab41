// Sphere and capsule: the sphere's centre against the capsule's segment.
#include "geometry/distance/nearest.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double)
{
    return make_from_center(sphere, capsule, find_nearest_on_capsule(capsule.size, to_local(capsule, sphere.position)));
}

}  // namespace rattleback
