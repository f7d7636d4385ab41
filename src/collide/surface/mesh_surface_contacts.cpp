// The triangles of a mesh on those of another surface. Pairs of triangles near each other come from one descent through
// both trees; what of them touches, features first:
//   1. corners on faces, both ways, where the corner is the furthest of its surroundings along the face's normal;
//   2. edges that stick out and cross, or pass each other within the reach, each within the other's Voronoi region.
// Where the two surfaces pierce each other, the corner that is furthest behind is looked for along the edges: it leaves
// through the face nearest to it, or, where it went through a thin wall, through the face it came in by.
#include "base/index.h"
#include "collide/surface/choose_points.h"
#include "collide/surface/near_four.h"
#include "collide/surface/push_out.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/surface_pairs.h"
#include "collide/surface/triangle_pair.h"

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
        : surface_(surface), placed_(placed), mesh_(*placed.mesh), reach_(reach), scratch_(scratch)
    {
        const Aabb box = mesh_.bounds();
        // Boxes' middles tell on which side of a sheet the other is.
        center_ = to_surface(0.5 * (box.lower + box.upper));
        surface_center_ = 0.5 * (surface_.bounds().lower + surface_.bounds().upper);
        scratch_.nearest.forget();
        scratch_.leaning.clear();
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
        if (!pierced_) drop_leaning();
        drop_deeper_faces(scratch_);
        sort_points(scratch_);
        // Two ways out of one place: the shorter.
        drop_long_ways(scratch_);
        const auto touches = [](const ManifoldPoint& point) { return point.distance < 0; };
        // Edges that cross where no corner is inside, as two plates that pierce each other.
        if (crossing_.distance < 0 && std::none_of(scratch_.points.begin(), scratch_.points.end(), touches))
            scratch_.points.push_back(crossing_);
        // Wholly inside: no surface near.
        if (scratch_.points.empty() && surface_.has_inside()) leave_inside();
    }

private:
    Vec3 to_surface(const Vec3& point) const { return placed_.position + placed_.rotation * point; }
    Vec3 to_mesh(const Vec3& point) const { return transpose_times(placed_.rotation, point - placed_.position); }

    /// The box around a moved triangle.
    Aabb find_tight_box(int ours) const
    {
        const auto [a, b, c] = mesh_.corners(ours);
        const Vec3 p = to_surface(a), q = to_surface(b), r = to_surface(c);
        return merge(merge({p, p}, {q, q}), {r, r});
    }
    /// As wide as contacts are looked for.
    Aabb find_box(int ours) const { return inflate(find_tight_box(ours), reach_); }

    SurfaceTriangle place(SurfaceTriangle triangle) const
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            triangle.corner[i] = to_surface(triangle.corner[i]);
            // Neighbours' normals turn along: they bound the Voronoi regions of the edges.
            triangle.beyond[i] = placed_.rotation * triangle.beyond[i];
        }
        triangle.normal = placed_.rotation * triangle.normal;
        return triangle;
    }

    void touch_triangle(int number_of_ours, std::span<const int> numbers_of_theirs)
    {
        SurfaceTriangle ours = place(mesh_.triangle(number_of_ours));
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
    void look_at_four(const NearFour& near, std::span<const int> numbers, std::array<NearPair, 4>& pairs) const
    {
        std::array<Facet, 4> made;
        std::array<const Facet*, 4> facet;
        unsigned once = 0, corners = 0;
        for (unsigned i = 0; i < 4; ++i)
        {
            // Lanes without a triangle repeat the first; nobody asks for them.
            const int number = numbers[i < numbers.size() ? i : 0];
            facet[i] = find_facet(number, made[i]);
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
        if (near.corners) touch_corners(ours, above, theirs);
        if (near.faces) touch_faces(ours, theirs, below);
        // Only triangles that both reach through the other's plane can cross.
        const bool may_cross = has_both_sides(above) && has_both_sides(below);
        if (may_cross) enter(ours, above, theirs, below);
        if (near.edges != 0)
            touch_edges({&ours, &above, &our.edges, our.number}, {&theirs, &below, nullptr, number}, near.edges,
                        may_cross);
    }

    static bool has_both_sides(const Heights& h)
    {
        // A triangle that only touches the plane does not reach through.
        return std::min({h[0], h[1], h[2]}) < 0 && std::max({h[0], h[1], h[2]}) >= 0;
    }

    /// From corners that are behind the other triangle, and came there through it, to the furthest behind it.
    void enter(const SurfaceTriangle& ours, const Heights& above, const SurfaceTriangle& theirs, const Heights& below)
    {
        // No deeper than the smaller triangle is large: beyond, the crossing says nothing.
        const double size = 2 * std::sqrt(std::min(find_ball(ours.corner).square, find_ball(theirs.corner).square));
        for (std::size_t i = 0; i < 3; ++i)
        {
            const std::size_t k = (i + 1) % 3;
            if (pierces(ours, i, k, above, theirs))
            {
                pierced_ = true;
                keep_crossing(ours, i, k, above, theirs.normal, size,
                              make_surface_key(SurfacePart::inside, 2, theirs.patch));
                // The end behind the plane came in through this triangle.
                follow_corner(ours.vertex[above[i] < 0 ? i : k], theirs);
            }
            if (pierces(theirs, i, k, below, ours))
            {
                pierced_ = true;
                keep_crossing(theirs, i, k, below, -ours.normal, size,
                              make_surface_key(SurfacePart::inside, 3, ours.patch));
                follow_their_corner(theirs.vertex[below[i] < 0 ? i : k], ours);
            }
        }
    }

    /// Of all edges that go through a triangle the one that is deepest behind it, yet no deeper than the smaller
    /// triangle is large: a way out where no other is found.
    void keep_crossing(const SurfaceTriangle& of, std::size_t from, std::size_t to, const Heights& height,
                       const Vec3& normal, double size, std::uint64_t feature)
    {
        const double depth = std::min(size, -std::min(height[from], height[to]));
        // The deepest of all crossings is kept.
        if (-depth >= crossing_.distance) return;
        // Where the edge goes in.
        const double share = height[from] / (height[from] - height[to]);
        const Vec3 place = of.corner[from] + share * (of.corner[to] - of.corner[from]);
        crossing_ = {.point = place, .normal = normal, .distance = -depth, .feature = feature};
    }

    /// Sheets have two sides: the one towards the other's middle counts.
    static void face(const Vec3& other, SurfaceTriangle& triangle)
    {
        if (dot(triangle.normal, other - triangle.corner[0]) < 0) triangle = turn_over(triangle);
    }

    /// Corners of the mesh on a face of the surface: each from one of its triangles.
    void touch_corners(const SurfaceTriangle& ours, const Heights& above, const SurfaceTriangle& theirs)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            // Each corner once, with the triangle that owns it.
            if (above[i] >= reach_ || !ours.owns[i]) continue;
            const Vec3& corner = ours.corner[i];
            // The foot on the plane, within the triangle or over a groove.
            const Over over = find_over(theirs, corner - above[i] * theirs.normal, corner, above[i]);
            if (over == Over::outside) continue;
            const Vec3 down = -transpose_times(placed_.rotation, theirs.normal);
            // Not the lowest around: a neighbour is the contact.
            if (!mesh_.is_extreme(ours.vertex[i], down, kLeaningSine)) continue;
            // Behind the plane, but not in the solid: it has left by another side.
            leans_ = false;
            if (above[i] < 0 && !is_in_surface(2 * ours.vertex[i], corner, above[i])) continue;
            add_corner(ours.vertex[i], corner, above[i], theirs, over == Over::face);
        }
    }

    /// Corners of the surface on a face of the mesh.
    void touch_faces(const SurfaceTriangle& ours, const SurfaceTriangle& theirs, const Heights& below)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (below[i] >= reach_ || !theirs.owns[i]) continue;
            const Vec3& corner = theirs.corner[i];
            const Over over = find_over(ours, corner - below[i] * ours.normal, corner, below[i]);
            // Seen along the mesh's normal, in the frame of the surface.
            if (over == Over::outside || !surface_.is_extreme(theirs.vertex[i], -ours.normal, kLeaningSine)) continue;
            leans_ = false;
            if (below[i] < 0 && !is_in_mesh(2 * theirs.vertex[i] + 1, corner, below[i])) continue;
            add_their_corner(theirs.vertex[i], corner, below[i], ours, over == Over::face);
        }
    }

    void add_corner(int vertex, const Vec3& corner, double height, const SurfaceTriangle& theirs, bool is_over)
    {
        // Half way between corner and plane.
        add(corner - (0.5 * height) * theirs.normal, theirs.normal, height,
            make_surface_key(SurfacePart::face, static_cast<std::uint64_t>(vertex), theirs.patch),
            // Corners of both meshes are told apart by the last bit.
            is_over ? static_cast<std::uint32_t>(2 * vertex) : kKeepsAll);
    }
    void add_their_corner(int vertex, const Vec3& corner, double height, const SurfaceTriangle& ours, bool is_over)
    {
        add(corner - (0.5 * height) * ours.normal, -ours.normal, height,
            make_surface_key(SurfacePart::vertex, static_cast<std::uint64_t>(ours.patch), vertex),
            is_over ? static_cast<std::uint32_t>(2 * vertex + 1) : kKeepsAll);
    }

    /// A corner of ours that came in through a face of theirs: from it on down to the furthest, which is held by the
    /// face nearest to it, or, having left through the other side of a wall, by the face it came in by.
    void follow_corner(int vertex, const SurfaceTriangle& theirs)
    {
        const Vec3 down = -transpose_times(placed_.rotation, theirs.normal);
        // One walk per corner and direction: others would end at the same tip.
        if (scratch_.nearest.was_followed(2 * vertex, theirs.normal)) return;
        // Steepest descent along edges, in the mesh's own frame.
        const int tip = mesh_.find_extreme(vertex, down, kMaxClimb);
        const Vec3 corner = to_surface(mesh_.vertex(tip));
        const double height = dot(theirs.normal, corner - theirs.corner[0]);
        const bool is_over = find_over(theirs, corner - height * theirs.normal, corner, height) == Over::face;
        // A sheet has no depth but that over its own face.
        if (!surface_.has_inside())
        {
            if (is_over) add_corner(tip, corner, height, theirs, true);
            return;
        }
        // How deep the tip is in the solid; nothing nearer than the face it came through.
        const NearestOnSurface nearest = scratch_.nearest.find(surface_, 2 * tip, corner, -(1 + 1e-9) * height);
        if (nearest.triangle < 0) return;
        const SurfaceTriangle face = surface_.triangle(nearest.triangle);
        const double depth = dot(face.normal, corner - face.corner[0]);
        const Vec3 out = -transpose_times(placed_.rotation, face.normal);
        // Inside, and the tip is also the furthest towards the face nearest to it: that is the way out.
        if (nearest.distance <= 0 && depth < 0 && mesh_.is_extreme(tip, out, kLeaningSine))
            add_corner(tip, corner, depth, face, true);
        // On the far side of a thin wall: back through the face it came in by.
        else if ((is_over || tip == vertex) && dot(face.normal, theirs.normal) < 0)
            add_corner(tip, corner, height, theirs, true);
    }
    void follow_their_corner(int vertex, const SurfaceTriangle& ours)
    {
        if (scratch_.nearest.was_followed(2 * vertex + 1, ours.normal)) return;
        const int tip = surface_.find_extreme(vertex, -ours.normal, kMaxClimb);
        const Vec3 corner = surface_.vertex(tip);
        const double height = dot(ours.normal, corner - ours.corner[0]);
        const bool is_over = find_over(ours, corner - height * ours.normal, corner, height) == Over::face;
        if (!mesh_.has_inside())
        {
            if (is_over) add_their_corner(tip, corner, height, ours, true);
            return;
        }
        const NearestOnSurface nearest =
            scratch_.nearest.find(mesh_, 2 * tip + 1, to_mesh(corner), -(1 + 1e-9) * height);
        if (nearest.triangle < 0) return;
        const SurfaceTriangle face = place(mesh_.triangle(nearest.triangle));
        const double depth = dot(face.normal, corner - face.corner[0]);
        if (nearest.distance <= 0 && depth < 0 && surface_.is_extreme(tip, -face.normal, kLeaningSine))
            add_their_corner(tip, corner, depth, face, true);
        else if ((is_over || tip == vertex) && dot(face.normal, ours.normal) < 0)
            add_their_corner(tip, corner, height, ours, true);
    }

    /// False for points behind a face, `distance` [m] (negative) away from it, that have left the solid on another
    /// side. An edge that lies flat on another is on that side: a little beside it, when the two are tilted, still
    /// counts, if the solids are not apart.
    bool is_inside(const NearestOnSurface& nearest, double distance)
    {
        if (nearest.triangle < 0 || nearest.distance > -kLeaningSine * distance) return false;
        leans_ = leans_ || nearest.distance > 0;
        return true;
    }
    /// Where no edge goes through a face, nothing has sunk in by its side.
    void drop_leaning()
    {
        for (std::size_t i = scratch_.leaning.size(); i-- > 0;)
        {
            const auto place = static_cast<std::ptrdiff_t>(scratch_.leaning[i]);
            scratch_.points.erase(scratch_.points.begin() + place);
            scratch_.source.erase(scratch_.source.begin() + place);
        }
    }

    bool is_in_surface(int vertex, const Vec3& point, double distance)
    {
        // Every point behind a sheet is behind it: it has no other side to leave by.
        if (!surface_.has_inside()) return true;
        return is_inside(scratch_.nearest.find(surface_, vertex, point, -(1 + 1e-9) * distance), distance);
    }
    bool is_in_mesh(int vertex, const Vec3& point, double distance)
    {
        if (!mesh_.has_inside()) return true;
        return is_inside(scratch_.nearest.find(mesh_, vertex, to_mesh(point), -(1 + 1e-9) * distance), distance);
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
            leans_ = false;
            if (crossing.distance < 0 && !is_sunk(ours, i, theirs, k, crossing)) return;
            add(crossing.on_second + (0.5 * crossing.distance) * crossing.normal, crossing.normal, crossing.distance,
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
               (is_in_surface(-1, crossing.on_first, crossing.distance) &&
                is_in_mesh(-1, crossing.on_second, crossing.distance));
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
        add(nearest.on_second + (0.5 * nearest.distance) * normal, normal, nearest.distance,
            make_surface_key(is_theirs ? SurfacePart::vertex : SurfacePart::edge,
                             kEnd | (is_ours ? kOurEnd : 0) | other, is_theirs ? their_end : theirs.edge[k]),
            kKeepsAll);
    }

    void add(const Vec3& point, const Vec3& normal, double distance, std::uint64_t feature, std::uint32_t source)
    {
        if (leans_) scratch_.leaning.push_back(static_cast<std::uint32_t>(scratch_.points.size()));
        leans_ = false;
        scratch_.points.push_back({.point = point, .normal = normal, .distance = distance, .feature = feature});
        scratch_.source.push_back(source);
    }

    void leave_inside()
    {
        const auto find_reach = [&](const Vec3& down)
        {
            const Vec3 local_down = transpose_times(placed_.rotation, down), local_center = to_mesh(center_);
            double reach = 0;
            // Support of all vertices: the mesh is not convex, but its furthest vertex is that of its hull.
            for (const Vec3& vertex : mesh_.vertices()) reach = std::max(reach, dot(local_down, vertex - local_center));
            return reach;
        };
        push_out(surface_, center_, find_reach, scratch_);
    }

    static constexpr int kMaxClimb = 100;
    /// Marks in a feature's part of the mesh: the end of an edge is touched, and it is an end of ours.
    static constexpr std::uint64_t kEnd = std::uint64_t{1} << 29, kOurEnd = std::uint64_t{1} << 28;

    const Surface& surface_;
    const PlacedShape& placed_;
    const MeshSurface& mesh_;
    double reach_;
    SurfaceScratch& scratch_;
    Vec3 center_, surface_center_;
    ManifoldPoint crossing_{};
    bool pierced_ = false;  ///< an edge of one goes through a face of the other
    bool leans_ = false;    ///< the point looked at is a little outside of what it has sunk into
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
