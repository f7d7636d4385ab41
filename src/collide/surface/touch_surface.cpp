// Pairs with a surface: who is the surface, its frame, and back into the world.
#include "collide/surface/touch_surface.h"

#include "collide/surface/choose_points.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/surface_pairs.h"
#include "collide/surface/triangle_tests.h"

namespace rattleback
{
namespace
{

/// `shape` as seen from the frame of `surface`.
PlacedShape place_in(const PlacedShape& surface, const PlacedShape& shape)
{
    PlacedShape local = shape;
    // Positions and axes by the transposed rotation.
    local.position = transpose_times(surface.rotation, shape.position - surface.position);
    // A ball looks the same from everywhere.
    if (shape.type != ShapeType::sphere) local.rotation = transpose(surface.rotation) * shape.rotation;
    return local;
}

/// A mesh on a plane: every corner under it that no neighbour lies below. Normals from the mesh to the plane.
void touch_plane(const PlacedShape& plane, const PlacedShape& mesh, double reach, SurfaceScratch& scratch)
{
    const PlacedShape local = place_in(mesh, plane);
    // The plane's normal in the mesh's frame: vertices stay as they are.
    const Vec3 normal = local.rotation.column(2);
    const std::vector<Vec3>& vertices = mesh.mesh->vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
    {
        const double distance = dot(normal, vertices[i] - local.position);
        // Corners with a lower neighbour would be contacts of the same part once more.
        if (distance >= reach || !mesh.mesh->is_extreme(static_cast<int>(i), -normal, kLeaningSine)) continue;
        scratch.points.push_back({.point = vertices[i] - (0.5 * distance) * normal,
                                  .normal = -normal,
                                  .distance = distance,
                                  .feature = make_surface_key(SurfacePart::vertex, 0, static_cast<int>(i))});
    }
}

}  // namespace

bool can_touch_surface(ShapeType first, bool first_is_surface, ShapeType second, bool second_is_surface)
{
    const auto is_simple = [](ShapeType type) { return type <= ShapeType::mesh; };
    // Grounds are supported: they never meet.
    if (never_touch(first, second)) return true;
    return (first_is_surface && (second_is_surface || is_simple(second))) || (second_is_surface && is_simple(first));
}

void touch_surface(const PlacedShape& first, const PlacedShape& second, double reach, int limit,
                   SurfaceScratch& scratch)
{
    // Storage stays, contents go.
    scratch.points.clear();
    scratch.source.clear();
    scratch.crossed.clear();
    // The frame of the surface: of two the grid, or the second.
    const bool second_is_frame =
        is_surface(second) && (second.grid != nullptr || !is_surface(first) || first.grid == nullptr);
    const PlacedShape& frame = second_is_frame ? second : first;
    const PlacedShape& other = second_is_frame ? first : second;
    if (other.type == ShapeType::plane)
        touch_plane(other, frame, reach, scratch);
    else if (is_surface(other))
        touch_mesh(frame, place_in(frame, other), reach, scratch);
    else
        touch_convex(frame, place_in(frame, other), reach, scratch);
    // A few points per direction, as in every manifold; one needs no choice.
    if (scratch.points.size() > 1) choose_points(limit, scratch);
    // From the surface's frame and side to the world, and from the first shape to the second.
    for (ManifoldPoint& point : scratch.points)
    {
        point.point = frame.position + frame.rotation * point.point;
        // Functions speak from the surface to the other shape.
        point.normal = frame.rotation * (second_is_frame ? -point.normal : point.normal);
        point.tangent = frame.rotation * point.tangent;
    }
}

}  // namespace rattleback
