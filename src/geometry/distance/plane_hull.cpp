// Plane and hull: the lowest vertex.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{

ShapeDistance find_plane_hull(const PlacedShape& plane, const PlacedShape& hull, double)
{
    const Vec3 down = find_down(plane, hull);
    const Polyhedron& solid = *hull.hull;
    int lowest = 0;
    double depth = dot(down, solid.vertices[0]);
    for (int i = 1; i < solid.vertex_count(); ++i)
    {
        const double candidate = dot(down, solid.vertices[static_cast<std::size_t>(i)]);
        if (candidate <= depth) continue;
        depth = candidate;
        lowest = i;
    }
    const Vec3& vertex = solid.vertices[static_cast<std::size_t>(lowest)];
    return make_over_plane(plane, to_world(hull, vertex), {FeatureKind::vertex, lowest});
}

}  // namespace rattleback
