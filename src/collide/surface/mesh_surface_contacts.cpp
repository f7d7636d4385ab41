// The triangles of a mesh on those of another surface. Pairs of triangles near each other come from one descent through
// both trees; what of them touches, features first:
//   1. corners on faces, both ways, where the corner is the furthest of its surroundings along the face's normal;
//   2. edges that stick out and cross, or pass each other within the reach, each within the other's Voronoi region.
// Where the two surfaces pierce each other, the corner that is furthest behind is looked for along the edges: it leaves
// through the face nearest to it, or, where it went through a thin wall, through the face it came in by.
#include "base/index.h"
#include "collide/surface/choose_points.h"
#include "collide/surface/mesh_corners.h"
#include "collide/surface/mesh_edges.h"
#include "collide/surface/near_four.h"
#include "collide/surface/push_out.h"
#include "collide/surface/surface_pairs.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace rattleback
{
namespace
{

template <class Surface>
class MeshOnSurface
{
public:
    MeshOnSurface(const Surface& surface, const PlacedShape& placed, double reach, SurfaceScratch& scratch)
        : surface_(surface),
          placed_(placed),
          mesh_(*placed.mesh),
          reach_(reach),
          scratch_(scratch),
          meeting_(surface, placed, reach, scratch),
          corners_(meeting_),
          edges_(meeting_)
    {
        const Aabb box = mesh_.bounds();
        // Boxes' middles tell on which side of a sheet the other is.
        center_ = meeting_.to_surface(0.5 * (box.lower + box.upper));
        surface_center_ = 0.5 * (surface_.bounds().lower + surface_.bounds().upper);
    }

    void touch()
    {
        // All in the frame of the surface: only the mesh's triangles are moved.
        const BoxTurn turn(placed_.rotation, placed_.position, reach_);
        if constexpr (std::is_same_v<Surface, MeshSurface>)
        {
            // One descent through both trees: whole branches that are apart go at once.
            mesh_.query_pairs(
                surface_, turn, scratch_.front, [&](int ours) { return find_tight_box(ours); },
                [&](int ours, std::span<const int> theirs) { touch_triangle(ours, theirs); });
        }
        else
        {
            // A grid finds by itself what lies under a box.
            const Mat3 back = transpose(placed_.rotation);
            // The grid's box in the mesh's frame: triangles outside of it are not looked at.
            const Aabb near = BoxTurn(back, -(back * placed_.position), reach_)(surface_.bounds());
            mesh_.query(near,
                        [&](int ours)
                        {
                            scratch_.front.clear();
                            surface_.query(find_box(ours), [&](int theirs) { scratch_.front.push_back(theirs); });
                            if (!scratch_.front.empty()) touch_triangle(ours, scratch_.front);
                        });
        }
        // Of several faces under one corner the nearest.
        if (!meeting_.pierced) meeting_.drop_leaning();
        drop_deeper_faces(scratch_);
        sort_points(scratch_);
        // Two ways out of one place: the shorter.
        drop_long_ways(scratch_);
        const auto touches = [](const ManifoldPoint& point) { return point.distance < 0; };
        // Edges that cross where no corner is inside, as two plates that pierce each other.
        if (meeting_.crossing.distance < 0 && std::none_of(scratch_.points.begin(), scratch_.points.end(), touches))
            scratch_.points.push_back(meeting_.crossing);
        // Wholly inside: no surface near.
        if (scratch_.points.empty()) leave_inside();
    }

private:
    /// The box around a moved triangle.
    Aabb find_tight_box(int ours) const
    {
        const auto [a, b, c] = mesh_.corners(ours);
        const Vec3 p = meeting_.to_surface(a), q = meeting_.to_surface(b), r = meeting_.to_surface(c);
        return merge(merge({p, p}, {q, q}), {r, r});
    }
    /// As wide as contacts are looked for.
    Aabb find_box(int ours) const { return inflate(find_tight_box(ours), reach_); }

    void touch_triangle(int number_of_ours, std::span<const int> numbers_of_theirs)
    {
        SurfaceTriangle ours = meeting_.place(mesh_.triangle(number_of_ours));
        // An open mesh shows the side that looks at the other.
        if (!mesh_.has_inside()) face(surface_center_, ours);
        unsigned once = 0;
        for (std::size_t i = 0; i < 3; ++i) once |= owns_edge(ours, number_of_ours, i) ? 1U << i : 0U;
        const NearFour near(ours, once, reach_);
        const OurTriangle our{ours, find_ball(ours.corner), find_edge_balls(ours.corner), number_of_ours};
        std::array<NearPair, 4> pairs;
        for (std::size_t begin = 0; begin < numbers_of_theirs.size(); begin += 4)
        {
            const std::span<const int> numbers =
                numbers_of_theirs.subspan(begin, std::min<std::size_t>(4, numbers_of_theirs.size() - begin));
            look_at_four(near, numbers, pairs);
            for (std::size_t i = 0; i < numbers.size(); ++i)
            {
                if (pairs[i].any()) touch_pair(our, numbers[i], pairs[i]);
            }
        }
    }

    /// Up to four triangles of theirs against one of ours.
    void look_at_four(const NearFour& near, std::span<const int> numbers, std::array<NearPair, 4>& pairs)
    {
        std::array<const Facet*, 4> facet;
        unsigned once = 0, corners = 0;
        for (unsigned i = 0; i < 4; ++i)
        {
            // Lanes without a triangle repeat the first; nobody asks for them.
            const int number = numbers[i < numbers.size() ? i : 0];
            facet[i] = find_facet(number, made_[i]);
            // Of sheets and fields all edges and corners count: which of them they own is looked up later.
            const bool knows = std::is_same_v<Surface, MeshSurface> && surface_.has_inside();
            once |= spread_bits(knows ? surface_.own_edges(number) : 7U) << i;
            corners |= spread_bits(knows ? own_corners(number) : 7U) << i;
        }
        near.look(load_facets(*facet[0], *facet[1], *facet[2], *facet[3]), once, corners, pairs);
    }
    /// Bits 0, 1, 2 to bits 0, 4, 8.
    static unsigned spread_bits(unsigned bits) { return (bits & 1U) | (bits & 2U) << 3 | (bits & 4U) << 6; }
    unsigned own_corners([[maybe_unused]] int number) const
    {
        if constexpr (std::is_same_v<Surface, MeshSurface>) return surface_.own_corners(number);
        return 7U;
    }
    /// A facet of the surface as ours see it, in `made` where it does not lie in memory like that.
    const Facet* find_facet(int number, Facet& made) const
    {
        if constexpr (std::is_same_v<Surface, MeshSurface>)
        {
            if (surface_.has_inside()) return &surface_.facet(number);
        }
        made = surface_.facet(number);
        if (is_turned(made))
        {
            made.normal = -made.normal;
            std::swap(made.corner[1], made.corner[2]);
        }
        return &made;
    }
    /// Sheets show the side that looks at the mesh.
    bool is_turned(const Facet& facet) const
    {
        return !surface_.has_inside() && dot(facet.normal, center_ - facet.corner[0]) < 0;
    }

    /// A triangle of the mesh, and what all pairs with it need.
    struct OurTriangle
    {
        const SurfaceTriangle& triangle;
        TripleBall ball;
        EdgeBalls edges;
        int number;
    };

    void touch_pair(const OurTriangle& our, int number, const NearPair& near)
    {
        const SurfaceTriangle& ours = our.triangle;
        SurfaceTriangle theirs = surface_.triangle(number);
        if (is_turned({theirs.corner, theirs.normal})) theirs = turn_over(theirs);
        if (are_far(our.ball, find_ball(theirs.corner), reach_)) return;
        const Heights above = find_heights(ours.corner, theirs.normal, theirs.corner[0]);
        const Heights below = find_heights(theirs.corner, ours.normal, ours.corner[0]);
        if (near.corners) corners_.touch_corners(ours, above, theirs);
        if (near.faces) corners_.touch_faces(ours, theirs, below);
        // Only triangles that both reach through the other's plane can cross.
        const bool may_cross = has_both_sides(above) && has_both_sides(below);
        if (may_cross) corners_.enter(ours, above, theirs, below);
        if (near.edges != 0)
            edges_.touch_edges({&ours, &above, &our.edges, our.number}, {&theirs, &below, nullptr, number}, near.edges,
                               may_cross);
    }

    static bool has_both_sides(const Heights& h)
    {
        // A triangle that only touches the plane does not reach through.
        return std::min({h[0], h[1], h[2]}) < 0 && std::max({h[0], h[1], h[2]}) >= 0;
    }

    /// Sheets have two sides: the one towards the other's middle counts.
    static void face(const Vec3& other, SurfaceTriangle& triangle)
    {
        if (dot(triangle.normal, other - triangle.corner[0]) < 0) triangle = turn_over(triangle);
    }

    /// Neither surface is near the other: the two are apart, or one is wholly in the other. One corner tells; the
    /// middle of a box does not, for that of a bowl is in the air.
    void leave_inside()
    {
        if (const Vec3 corner = meeting_.to_surface(mesh_.corners(0)[0]); lies_in(surface_, corner))
        {
            const Vec3 middle = lies_in(surface_, center_) ? center_ : corner, local = meeting_.to_mesh(middle);
            scratch_.points.push_back(push_out(
                surface_, middle, [&](const Vec3& down)
                { return find_extent_of(mesh_.vertices(), local, transpose_times(placed_.rotation, down)); }, 0));
            return;
        }
        if constexpr (std::is_same_v<Surface, MeshSurface>)
        {
            const Vec3 corner = surface_.corners(0)[0];
            if (!lies_in(mesh_, meeting_.to_mesh(corner))) return;
            const Vec3& middle = lies_in(mesh_, meeting_.to_mesh(surface_center_)) ? surface_center_ : corner;
            ManifoldPoint point = push_out(
                mesh_, meeting_.to_mesh(middle), [&](const Vec3& down)
                { return find_extent_of(surface_.vertices(), middle, placed_.rotation * down); }, 4);
            // From the mesh's frame to the surface's, and from the surface to the mesh.
            point.point = meeting_.to_surface(point.point);
            point.normal = -(placed_.rotation * point.normal);
            scratch_.points.push_back(point);
        }
    }

    const Surface& surface_;
    const PlacedShape& placed_;
    const MeshSurface& mesh_;
    double reach_;
    SurfaceScratch& scratch_;
    Vec3 center_, surface_center_;
    MeshMeeting<Surface> meeting_;
    MeshCorners<Surface> corners_;
    MeshEdges<Surface> edges_;
    std::array<Facet, 4> made_;  ///< of look_at_four()
};

}  // namespace

void touch_mesh(const PlacedShape& surface, const PlacedShape& mesh, double reach, SurfaceScratch& scratch)
{
    if (surface.mesh != nullptr)
        MeshOnSurface(*surface.mesh, mesh, reach, scratch).touch();
    else
        MeshOnSurface(*surface.grid, mesh, reach, scratch).touch();
}

}  // namespace rattleback
