// Plane and box: the lowest vertex, or the middle of an edge or face that lies flat.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_box(const PlacedShape& plane, const PlacedShape& box, double)
{
    const Vec3 down = find_down(plane, box);
    int sides[3];
    Vec3 lowest;
    for (int axis = 0; axis < 3; ++axis)
    {
        // an axis level with the plane has no lowest end: its middle
        sides[axis] = down[axis] > 0 ? 1 : down[axis] < 0 ? -1 : 0;
        lowest[axis] = sides[axis] * box.size[axis];
    }
    return make_over_plane(plane, to_world(box, lowest), find_box_feature(sides));
}

}  // namespace rattleback
