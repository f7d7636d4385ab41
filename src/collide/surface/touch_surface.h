// Contact points of shapes with triangle surfaces: exact meshes, sheets and height fields.
#pragma once

#include "collide/manifold.h"
#include "collide/surface/known_corners.h"

#include <vector>

namespace rattleback
{

/// What one worker needs beside the shapes; its storage is used again.
struct SurfaceScratch
{
    /// An edge inside the other shape that touches it nowhere.
    struct Edge
    {
        int triangle;
        std::size_t place;  ///< which of its three
    };

    std::vector<ManifoldPoint> points;  ///< the answer, features in increasing order
    std::vector<std::uint32_t> source;  ///< [point] which corner lies under the face; see choose_points.h
    std::vector<Edge> crossed;
    std::vector<std::uint32_t> leaning;   ///< points that count only where two meshes pierce each other somewhere
    Manifold on_plane, on_flat, on_edge;  ///< points of one triangle: a manifold is too large to be made for each
    PlacedShape plane{.type = ShapeType::plane};  ///< of the triangle looked at; likewise
    std::vector<int> front;                       ///< of the descent through two trees
    KnownCorners corners;
    // of choose_points
    std::vector<ManifoldPoint> chosen, group;
    std::vector<std::uint32_t> order;
    std::vector<double> spread;
    std::vector<char> dropped;
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
