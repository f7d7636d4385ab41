// A convex shape on a triangle surface. What can touch what:
//   1. corners, rims and round sides of the shape on faces: the points the shape would show a plane, kept where they
//      lie over the triangle; so a flat patch of many triangles gives the contacts of one plane;
//   2. edges and corners of the surface that stick out, as segments without thickness, on the shape. Flat and concave
//      edges touch nothing, and an edge only what lies in its Voronoi region: nothing catches on inner edges.
// A face counts only while the shape's centre is in front of its plane; a shape whose centre is inside the solid is
// pushed out through the nearest face.
#include "base/flatten.h"
#include "base/index.h"
#include "collide/manifold/flat_part.h"
#include "collide/surface/choose_points.h"
#include "collide/surface/push_out.h"
#include "collide/surface/shape_region.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/surface_pairs.h"
#include "collide/surface/triangle_tests.h"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace rattleback
{
namespace
{

Vec3 find_center(const PlacedShape& shape)
{
    // Hulls have their centroid elsewhere than the origin of their frame.
    return shape.hull != nullptr ? shape.position + shape.rotation * shape.hull->center : shape.position;
}

/// Axes whose z is the unit direction.
Mat3 make_axes(const Vec3& z)
{
    const Mat3 frame = make_contact_frame(z);
    const Vec3 x = frame.column(1), y = frame.column(2);
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

/// A segment as a capsule of radius zero.
PlacedShape make_segment(const Vec3& from, const Vec3& to)
{
    const Vec3 way = to - from;
    const double length = norm(way);
    // A capsule without radius: the functions for capsules serve as they are.
    return {.type = ShapeType::capsule,
            .position = 0.5 * (from + to),
            .rotation = make_axes((1 / length) * way),
            .size = {0, 0.5 * length, 0},
            .hull = nullptr,
            .mesh = nullptr,
            .grid = nullptr};
}

constexpr double kShallow = 0.02;  // of the shape's width

template <class Surface>
class ConvexOnSurface
{
public:
    /// `shape` in the frame of the surface.
    ConvexOnSurface(const Surface& surface, const PlacedShape& shape, double reach, SurfaceScratch& scratch)
        : surface_(surface),
          shape_(shape),
          reach_(reach),
          center_(find_center(shape)),
          on_plane_(find_manifold_function(ShapeType::plane, shape.type)),
          on_segment_(find_manifold_function(ShapeType::capsule, shape.type)),
          size_(find_width(shape)),
          is_round_(shape.type == ShapeType::sphere || shape.type == ShapeType::ellipsoid),
          region_(shape, reach),
          scratch_(scratch)
    {
        scratch_.corners.forget();
    }

    void touch()
    {
        const Aabb box = region_.find_box();
        turned_ = !surface_.has_inside() && is_behind(norm(box.upper - box.lower));
        if (touch_from_outside()) return;
        const auto touch_it = [&](int t) { touch_triangle(t); };
        if (!touch_level(box))
        {
            // Balls inside a solid ask for what lies behind its faces, too.
            const bool is_solid = std::is_same_v<Surface, MeshSurface> && surface_.has_inside();
            if (shape_.type == ShapeType::sphere && !is_solid)
                surface_.query_ball(center_, region_.limit(), touch_it);
            else
                surface_.query(box, touch_it);
        }
        drop_deeper_faces(scratch_);
        // Something is touched: no way out has to be looked for.
        if (touches()) return;
        const bool is_crossed = !scratch_.crossed.empty();
        const auto find_it = [&](int t) { return find_triangle(t); };
        if (is_crossed && leave_edges(shape_, center_, find_it, scratch_)) return;
        if ((is_crossed || scratch_.points.empty()) && surface_.has_inside()) leave_inside();
    }

private:
    bool touches() const
    {
        return std::any_of(scratch_.points.begin(), scratch_.points.end(),
                           [](const ManifoldPoint& point) { return point.distance < 0; });
    }

    /// A ball whose middle is outside of a solid touches what has a normal that leads to its middle, and nothing else:
    /// the nearest place of all is among it. False, without any points, where the middle is inside, or for other
    /// shapes.
    bool touch_from_outside()
    {
        if constexpr (std::is_same_v<Surface, MeshSurface>)
        {
            if (shape_.type != ShapeType::sphere || !surface_.has_inside()) return false;
            region_.keep_sunk(false);
            surface_.query_ball(center_, region_.limit(), [&](int t) { touch_triangle(t); });
            drop_deeper_faces(scratch_);
            if (touches()) return true;
            const NearestOnSurface nearest = find_nearest(surface_, center_, region_.limit());
            if (nearest.triangle >= 0 && nearest.distance > 0) return true;
            region_.keep_sunk(true);
            known_ = {};
            scratch_.points.clear();
            scratch_.source.clear();
        }
        return false;
    }

    /// On which side of a sheet the shape is, by the triangle nearest to its centre.
    bool is_behind(double reach) const
    {
        // Nearest by distance; the side by the sign of its height.
        const NearestOnSurface nearest = find_nearest(surface_, center_, reach);
        if (nearest.triangle < 0) return false;
        return dot(surface_.triangle(nearest.triangle).normal, center_ - nearest.point) < 0;
    }

    /// As seen from the shape's side.
    SurfaceTriangle find_triangle(int number) const
    {
        const SurfaceTriangle triangle = surface_.triangle(number);
        // With the other side up, convex edges are concave and the other way round.
        return turned_ ? turn_over(triangle) : triangle;
    }

    /// Level ground is one plane, whatever number of triangles it has under the shape. False where the ground is not
    /// level, or a point's foot lies beside it.
    RB_FLATTEN bool touch_level(const Aabb& box)
    {
        if constexpr (std::is_same_v<Surface, GridSurface>)
        {
            const GridSurface::LevelGround ground = surface_.find_level(box);
            if (ground.first < 0) return false;
            know_plane({ground.lower_x, ground.lower_y, ground.height}, {0, 0, 1}, ground.first);
            const auto is_on_it = [&](const ManifoldPoint& point)
            {
                const Vec3 foot = point.point - (0.5 * point.distance) * known_.normal;
                return foot.x > ground.lower_x && foot.x < ground.upper_x && foot.y > ground.lower_y &&
                       foot.y < ground.upper_y;
            };
            const std::span<const ManifoldPoint> points =
                std::span(scratch_.on_flat.points).first(at(scratch_.on_flat.count));
            if (!std::all_of(points.begin(), points.end(), is_on_it))
            {
                known_ = {};
                return false;
            }
            for (const ManifoldPoint& point : points) add_face_point(point, known_.normal, known_.patch, true);
            return true;
        }
        return false;
    }

    void touch_triangle(int number)
    {
        // A flat floor of many triangles is one plane, whose points are found once.
        const bool is_inner = surface_.is_inner(number) && !turned_;
        // Triangles of one plane share the points that the shape shows it.
        if (is_inner && touch_known_plane(number)) return;
        // The plane first, then the triangle and its edges, before all that lies around them is looked up.
        std::array<Vec3, 3> corner = surface_.corners(number);
        Vec3 normal = surface_.normal(number);
        if (turned_)
        {
            normal = -normal;
            std::swap(corner[1], corner[2]);
        }
        if (is_inner)
        {
            know_plane(corner[0], normal, number);
            add_flat_points(corner);
            return;
        }
        const double gap = region_.find_gap(corner[0], normal);
        if (gap >= reach_ || region_.is_behind(corner[0], normal, gap) || region_.is_far(corner)) return;
        const bool is_near = region_.may_lie_over(corner, gap);
        // Points deep in a groove are held by its faces even beside them.
        const bool is_groove = gap < 0 && surface_.has_groove(number);
        if (!is_near && !is_groove) return;
        if (dot(normal, center_ - corner[0]) >= 0) touch_face(number, corner, normal, is_groove);
        if (is_near) touch_edges(number, corner, normal);
    }

    void touch_edges(int number, const std::array<Vec3, 3>& corner, const Vec3& normal)
    {
        unsigned edges = turned_ ? 7U : surface_.own_edges(number);
        for (unsigned i = 0; i < 3; ++i)
        {
            if ((edges >> i & 1U) == 0) continue;
            const bool may_touch = region_.is_near_edge(corner, normal, i) &&
                                   (turned_ || region_.may_touch_edge(surface_, number, corner, i));
            if (!may_touch) edges &= ~(1U << i);
        }
        if (edges == 0) return;
        const SurfaceTriangle triangle = find_triangle(number);
        for (std::size_t i = 0; i < 3; ++i)
        {
            if ((edges >> i & 1U) != 0 && owns_edge(triangle, number, i)) touch_edge(triangle, number, i);
        }
    }

    /// The plane of a flat patch; what the shape shows it is in scratch_.on_flat.
    struct KnownPlane
    {
        int patch = -1;
        Vec3 normal, origin;
    };

    /// A triangle is its plane, cut to where it is. Contacts ask for a plane's z axis only; the part of it that closed
    /// forms load together is stored together, or they would wait for it.
    const PlacedShape& set_plane(const Vec3& origin, const Vec3& normal)
    {
        PlacedShape& plane = scratch_.plane;
        plane.position = origin;
        plane.rotation.m[2] = normal.x;
        store_pack(Pack4(Pack4::Lanes{normal.y, 0, 0, normal.z}), &plane.rotation.m[5]);
        return plane;
    }

    void know_plane(const Vec3& origin, const Vec3& normal, int number)
    {
        known_ = {.patch = surface_.patch(number), .normal = normal, .origin = origin};
        scratch_.on_flat.count = 0;
        if (region_.find_gap(origin, normal) < reach_ && dot(normal, center_ - origin) >= 0)
            on_plane_(set_plane(origin, normal), shape_, reach_, scratch_.on_flat);
    }

    /// False where the triangle does not lie, to rounding, in the plane known.
    bool touch_known_plane(int number)
    {
        if (known_.patch != surface_.patch(number)) return false;
        const std::array<Vec3, 3> corner = surface_.corners(number);
        for (const Vec3& c : corner)
        {
            // To rounding of the shape's size: the plane is the same.
            if (std::abs(dot(known_.normal, c - known_.origin)) > 1e-13 * size_) return false;
        }
        add_flat_points(corner);
        return true;
    }

    /// Those of the known plane's points that lie over a triangle in it.
    void add_flat_points(const std::array<Vec3, 3>& corner)
    {
        for (int i = 0; i < scratch_.on_flat.count; ++i)
        {
            const ManifoldPoint& point = scratch_.on_flat.points[at(i)];
            const Vec3 foot = point.point - (0.5 * point.distance) * known_.normal;
            if (is_over_flat(corner, known_.normal, foot)) add_face_point(point, known_.normal, known_.patch, true);
        }
    }

    void touch_face(int number, const std::array<Vec3, 3>& corner, const Vec3& normal, bool is_groove)
    {
        Manifold& manifold = scratch_.on_plane;
        manifold.count = 0;
        on_plane_(set_plane(corner[0], normal), shape_, reach_, manifold);
        for (int i = 0; i < manifold.count; ++i)
        {
            const ManifoldPoint& point = manifold.points[at(i)];
            const Vec3 half = (0.5 * point.distance) * normal, foot = point.point - half;
            const bool is_over = is_over_flat(corner, normal, foot);
            if (!is_over)
            {
                if (!is_groove || point.distance >= 0 || stands_over(point)) continue;
                const Vec3 deep = point.point + half;
                if (!is_in_groove(number, corner, normal, foot, deep, point.distance) ||
                    !is_in_solid(point.feature, deep))
                    continue;
            }
            add_face_point(point, normal, surface_.patch(number), is_over);
        }
    }

    /// A ball, or the end of a capsule, whose middle is in front of a face: it touches the face where the middle stands
    /// over it and nowhere else, however deep.
    bool stands_over(const ManifoldPoint& point) const
    {
        return -point.distance <= region_.radius() && region_.radius() > 0;
    }

    /// As find_over() for a place that is not over the triangle itself.
    bool is_in_groove(int number, const std::array<Vec3, 3>& corner, const Vec3& normal, const Vec3& foot,
                      const Vec3& deep, double height) const
    {
        if (turned_) return find_over(find_triangle(number), foot, deep, height) == Over::groove;
        for (std::size_t i = 0; i < 3; ++i)
        {
            const Vec3 side = corner[(i + 1) % 3] - corner[i];
            const double inward = dot(find_inward(normal, side), foot - corner[i]);
            if (is_inward(inward, side)) continue;
            if (surface_.kind(number, i) != EdgeKind::concave) return false;
            if (!is_held(surface_.beyond(number, i), side, corner[i], inward, deep, height)) return false;
        }
        return true;
    }

    void add_face_point(ManifoldPoint point, const Vec3& normal, int patch, bool is_over)
    {
        const bool is_round = stands_over(point);
        if (!is_round && is_beyond(point.feature, point.point + (0.5 * point.distance) * normal, -point.distance))
            return;
        // In a groove all faces hold; elsewhere the nearest face has the point of a corner. What is round shows every
        // face a point of its own.
        const auto source = static_cast<std::uint32_t>(point.feature);
        point.feature = make_surface_key(SurfacePart::face, point.feature, patch);
        scratch_.points.push_back(point);
        scratch_.source.push_back(is_over && !is_round ? source : kKeepsAll);
    }

    /// The place of the surface nearest to a point of the shape. A box shows all planes the same corners: what is
    /// near them is found once.
    NearestOnSurface find_nearest_to(std::uint64_t feature, const Vec3& point, double reach) const
    {
        const int corner = shape_.type == ShapeType::box ? static_cast<int>(feature) : -1;
        return scratch_.corners.find_nearest_to(surface_, corner, point, reach);
    }

    /// A point behind both faces of a groove is in it only near the groove.
    bool is_in_solid(std::uint64_t feature, const Vec3& point) const
    {
        return !surface_.has_inside() || find_nearest_to(feature, point, size_).distance < 0;
    }

    /// A corner deep behind a face may have left the solid on the other side, or be much nearer to another face; one
    /// that is not deep is taken as it is.
    bool is_beyond(std::uint64_t feature, const Vec3& point, double depth) const
    {
        // Shallow points are sure: the nearest face is the one that found them.
        if (depth <= kShallow * size_ || !surface_.has_inside()) return false;
        return find_nearest_to(feature, point, (1 + 1e-9) * depth).distance > -0.5 * depth;
    }

    void touch_edge(const SurfaceTriangle& triangle, int number, std::size_t i)
    {
        const Vec3 &from = triangle.corner[i], &to = triangle.corner[(i + 1) % 3];
        const PlacedShape segment = make_segment(from, to);
        // Functions take the lower type first.
        const bool shape_first = shape_.type < ShapeType::capsule;
        Manifold& manifold = scratch_.on_edge;
        manifold.count = 0;
        if (shape_first)
            on_segment_(shape_, segment, reach_, manifold);
        else
            on_segment_(segment, shape_, reach_, manifold);
        const Vec3 along = segment.rotation.column(2);
        const double length = 2 * segment.size.y;
        for (int k = 0; k < manifold.count; ++k)
        {
            ManifoldPoint point = manifold.points[at(k)];
            // Normals point from the surface to the shape.
            if (shape_first) point.normal = -point.normal;
            // The shape's part of the key, folded to the bits that are left for it.
            const std::uint64_t part = fold_key(shape_first ? point.feature >> 32 : point.feature & 0xffffffffU);
            const Vec3 on_edge = point.point - (0.5 * point.distance) * point.normal;
            const double place = dot(along, on_edge - from);
            // Flat parts of a shape may lean on an edge a little from beside it; round ones have one nearest point.
            const double slack = is_round_ ? 1e-6 : kLeaningSine;
            const double end = 1e-6 * length;
            // Inside the edge, or at one of its ends.
            if (place > end && place < length - end)
            {
                // Outside of the edge's Voronoi region a face or a vertex is nearer.
                if (!faces_edge(triangle, i, point.normal, slack))
                {
                    if (point.distance < 0) scratch_.crossed.push_back({number, i});
                    continue;
                }
                point.feature = make_surface_key(SurfacePart::edge, part, triangle.edge[i]);
            }
            else
            {
                const int vertex = triangle.vertex[place <= end ? i : (i + 1) % 3];
                // A corner counts where no edge leads further along the normal: its own Voronoi region.
                if (!surface_.is_extreme(vertex, point.normal, slack)) continue;
                point.feature = make_surface_key(SurfacePart::vertex, part, vertex);
            }
            scratch_.points.push_back(point);
            scratch_.source.push_back(kKeepsAll);
        }
    }

    void leave_inside()
    {
        if (!lies_in(surface_, center_)) return;
        scratch_.points.push_back(push_out(
            surface_, center_,
            [&](const Vec3& down) { return find_extent(shape_, down) - dot(down, center_ - shape_.position); }, 0));
    }

    const Surface& surface_;
    const PlacedShape& shape_;
    double reach_;
    Vec3 center_;
    ManifoldFunction on_plane_, on_segment_;
    double size_;
    bool is_round_;
    bool turned_ = false;  ///< the shape is behind a sheet
    ShapeRegion region_;
    KnownPlane known_;
    SurfaceScratch& scratch_;
};

}  // namespace

void touch_convex(const PlacedShape& surface, const PlacedShape& shape, double reach, SurfaceScratch& scratch)
{
    // The same text for meshes and height fields: both know their triangles.
    if (surface.mesh != nullptr)
        ConvexOnSurface(*surface.mesh, shape, reach, scratch).touch();
    else
        ConvexOnSurface(*surface.grid, shape, reach, scratch).touch();
}

}  // namespace rattleback
