// Contact points of shapes with triangle surfaces: exact meshes, sheets and height fields.
#pragma once

#include "collide/manifold.h"
#include "geometry/triangle_surface.h"

#include <vector>

namespace rattleback
{

/// Nearest places of corners on a surface, found once for each corner of a pair: a small table in which later corners
/// take the places of earlier ones.
class KnownNearest
{
public:
    /// At the begin of a pair.
    void forget() { ++pair_; }

    /// As find_nearest(surface, point, reach) for the corner of that number, 2 vertex + (0 or 1 for the two shapes);
    /// -1: a point that is asked about once.
    template <class Surface>
    NearestOnSurface find(const Surface& surface, int corner, const Vec3& point, double reach)
    {
        if (corner < 0) return find_nearest(surface, point, reach);
        Entry& entry = entries_[static_cast<std::size_t>(corner) % entries_.size()];
        if (entry.pair != pair_ || entry.corner != corner || entry.reach < reach)
            entry = {pair_, corner, reach, find_nearest(surface, point, reach)};
        return std::abs(entry.nearest.distance) <= reach ? entry.nearest : NearestOnSurface{};
    }

    /// True when a corner was followed in (nearly) this direction before in this pair; it is from then on.
    bool was_followed(int corner, const Vec3& direction)
    {
        Followed& entry = followed_[static_cast<std::size_t>(corner) % followed_.size()];
        constexpr double kSame = 0.95;  // cosine: what leads on down an edge hardly depends on less
        if (entry.pair == pair_ && entry.corner == corner && dot(entry.direction, direction) > kSame) return true;
        entry = {pair_, corner, direction};
        return false;
    }

private:
    struct Followed
    {
        std::uint64_t pair = 0;
        int corner = -1;
        Vec3 direction;
    };
    struct Entry
    {
        std::uint64_t pair = 0;
        int corner = -1;
        double reach = 0;
        NearestOnSurface nearest;
    };
    std::array<Entry, 128> entries_;
    std::array<Followed, 128> followed_;
    std::uint64_t pair_ = 0;
};

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
    std::vector<int> front;               ///< of the descent through two trees
    KnownNearest nearest;
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
