// Sphere and box: the sphere's centre against the box.
#include "geometry/distance/nearest.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_sphere_box(const PlacedShape& sphere, const PlacedShape& box, double)
{
    return make_from_center(sphere, box, find_nearest_on_box(box.size, to_local(box, sphere.position)));
}

}  // namespace rattleback
