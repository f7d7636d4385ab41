// Contact points of shapes with triangle surfaces: exact meshes, sheets and height fields.
#pragma once

#include "collide/manifold.h"
#include "geometry/triangle_surface.h"

#include <vector>

namespace rattleback
{

/// What one worker needs beside the shapes; its storage is used again.
struct SurfaceScratch
{
    std::vector<ManifoldPoint> points;  ///< the answer, features in increasing order
    std::vector<ManifoldPoint> chosen, group;
    std::vector<double> spread;
    struct Edge
    {
        int triangle;
        std::size_t place;
    };
    std::vector<Edge> crossed;  ///< edges inside the other shape that touch it nowhere
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> source;  ///< of face points: which corner of which shape lies under the face
};

/// True for shapes that touch by their triangles.
inline bool is_surface(const PlacedShape& shape) { return shape.mesh != nullptr || shape.grid != nullptr; }

/// True when touch_surface() knows the pair: one is a surface, the other one is too, or a plane, or convex.
bool can_touch_surface(ShapeType first, bool first_is_surface, ShapeType second, bool second_is_surface);
inline bool can_touch_surface(const PlacedShape& first, const PlacedShape& second)
{
    return can_touch_surface(first.type, is_surface(first), second.type, is_surface(second));
}

/// Fills scratch.points with the points nearer than `reach` [m], normals from `first` to `second`; of points with
/// nearly one normal at most `limit`.
void touch_surface(const PlacedShape& first, const PlacedShape& second, double reach, int limit,
                   SurfaceScratch& scratch);

}  // namespace rattleback
