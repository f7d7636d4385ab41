// Edges of a mesh and a surface that stick out and cross, or pass each other within the reach, each within the other's
// Voronoi region.
#pragma once

#include "collide/surface/choose_points.h"
#include "collide/surface/mesh_meeting.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/triangle_pair.h"

namespace rattleback
{

template <class Surface>
class MeshEdges
{
public:
    explicit MeshEdges(MeshMeeting<Surface>& meeting)
        : meeting_(meeting),
          surface_(meeting.surface),
          placed_(meeting.placed),
          mesh_(meeting.mesh),
          reach_(meeting.reach)
    {
    }

    /// A triangle of a pair, with the heights of its corners above the other.
    struct Side
    {
        const SurfaceTriangle* triangle;
        const Heights* height;
        const EdgeBalls* edges;  ///< of ours
        int number;
    };

    /// Apart each pair once, but sunk into each other from all triangles that cross, for some may be too deep to be
    /// found: equal points have equal features.
    /// `pairs` has bit 3 i + k for our edge i and their edge k.
    void touch_edges(const Side& ours, const Side& theirs, unsigned pairs, bool may_cross)
    {
        const EdgeBalls their_edges = find_edge_balls(theirs.triangle->corner);
        for (; pairs != 0; pairs &= pairs - 1)
        {
            const auto pair = static_cast<std::size_t>(__builtin_ctz(pairs)), i = pair / 3, k = pair % 3;
            // Flat and concave edges touch nothing: faces and corners have been there before them.
            if (!sticks_out(ours.triangle->kind[i]) || !sticks_out(theirs.triangle->kind[k])) continue;
            // An edge belongs to two triangles; one of them speaks.
            const bool once =
                owns_edge(*ours.triangle, ours.number, i) && owns_edge(*theirs.triangle, theirs.number, k);
            if ((once || may_cross) && !are_apart((*ours.edges)[i], their_edges[k], reach_))
                touch_edges(ours, i, theirs, k, once);
        }
    }

private:
    /// Two edges, ours seen from theirs along their common normal. `once`: no other triangles bring them together.
    void touch_edges(const Side& ours, std::size_t i, const Side& theirs, std::size_t k, bool once)
    {
        const SurfaceTriangle &a = *ours.triangle, &b = *theirs.triangle;
        const EdgePair pair(a.corner[i], a.corner[(i + 1) % 3], b.corner[k], b.corner[(k + 1) % 3]);
        if (pair.is_crossing())
        {
            // From the surface to the mesh: away from what is behind the surface's edge.
            // Towards the outside of the surface's edge: the mean of its two faces.
            const EdgeCrossing crossing = pair.find_crossing(b.normal + b.beyond[k]);
            if (crossing.distance >= reach_ || (crossing.distance >= 0 && !once)) return;
            // Each edge in the other's Voronoi region, or a face is nearer.
            if (!faces_edge(b, k, crossing.normal, kLeaningSine) || !faces_edge(a, i, -crossing.normal, kLeaningSine))
                return;
            // Sunk edges only where the solids do overlap there.
            meeting_.leans = false;
            if (crossing.distance < 0 && !is_sunk(ours, i, theirs, k, crossing)) return;
            meeting_.add(
                crossing.on_second + (0.5 * crossing.distance) * crossing.normal, crossing.normal, crossing.distance,
                make_surface_key(SurfacePart::edge, static_cast<std::uint64_t>(a.edge[i]), b.edge[k]), kKeepsAll);
        }
        else if (once)
        {
            // Apart, and nearest at an end.
            touch_ends(a, i, b, k, pair.find_nearest());
        }
    }

    /// Edges that cross behind each other: one goes through a face beside the other, or each is in the other solid.
    bool is_sunk(const Side& ours, std::size_t i, const Side& theirs, std::size_t k, const EdgeCrossing& crossing)
    {
        return pierces(*ours.triangle, i, (i + 1) % 3, *ours.height, *theirs.triangle) ||
               pierces(*theirs.triangle, k, (k + 1) % 3, *theirs.height, *ours.triangle) ||
               (meeting_.is_in_surface(-1, crossing.on_first, crossing.distance) &&
                meeting_.is_in_mesh(-1, crossing.on_second, crossing.distance));
    }

    /// Edges apart that are nearest at an end of one or both.
    void touch_ends(const SurfaceTriangle& ours, std::size_t i, const SurfaceTriangle& theirs, std::size_t k,
                    const EdgeNearest& nearest)
    {
        constexpr double kSlack = 1e-6;  // a sine: beside the Voronoi region a face or another edge is touched
        // Ends that touch or overlap are corners on faces.
        if (!(nearest.distance > 0 && nearest.distance < reach_)) return;
        const Vec3& normal = nearest.normal;
        const int our_end = ours.vertex[nearest.first_place < 0.5 ? i : (i + 1) % 3];
        const int their_end = theirs.vertex[nearest.second_place < 0.5 ? k : (k + 1) % 3];
        const bool is_ours = nearest.at_first_end(), is_theirs = nearest.at_second_end();
        // Their end or edge must look at ours.
        const bool is_seen =
            is_theirs ? surface_.is_extreme(their_end, normal, kSlack) : faces_edge(theirs, k, normal, kSlack);
        if (!is_seen) return;
        // And ours at theirs.
        if (is_ours ? !mesh_.is_extreme(our_end, -transpose_times(placed_.rotation, normal), kSlack)
                    : !faces_edge(ours, i, -normal, kSlack))
            return;
        // A key tells ends from inner points, and whose end it is.
        const auto other = static_cast<std::uint64_t>(is_ours ? our_end : ours.edge[i]);
        meeting_.add(nearest.on_second + (0.5 * nearest.distance) * normal, normal, nearest.distance,
                     make_surface_key(is_theirs ? SurfacePart::vertex : SurfacePart::edge,
                                      kEnd | (is_ours ? kOurEnd : 0) | other, is_theirs ? their_end : theirs.edge[k]),
                     kKeepsAll);
    }

    /// Marks in a feature's part of the mesh: the end of an edge is touched, and it is an end of ours.
    static constexpr std::uint64_t kEnd = std::uint64_t{1} << 29, kOurEnd = std::uint64_t{1} << 28;

    MeshMeeting<Surface>& meeting_;
    const Surface& surface_;
    const PlacedShape& placed_;
    const MeshSurface& mesh_;
    double reach_;
};

}  // namespace rattleback
