// A convex shape on a triangle surface. What can touch what:
//   1. corners, rims and round sides of the shape on faces: the points the shape would show a plane, kept where they
//      lie over the triangle; so a flat patch of many triangles gives the contacts of one plane;
//   2. edges and corners of the surface that stick out, as segments without thickness, on the shape. Flat and concave
//      edges touch nothing, and an edge only what lies in its Voronoi region: nothing catches on inner edges.
// A face counts only while the shape's centre is in front of its plane; a shape whose centre is inside the solid is
// pushed out through the nearest face.
#include "base/index.h"
#include "collide/manifold/flat_part.h"
#include "collide/surface/choose_points.h"
#include "collide/surface/push_out.h"
#include "collide/surface/surface_key.h"
#include "collide/surface/surface_pairs.h"
#include "collide/surface/triangle_tests.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

Vec3 find_center(const PlacedShape& shape)
{
    return shape.hull != nullptr ? shape.position + shape.rotation * shape.hull->center : shape.position;
}

/// A box around the shape in the axes it is placed in, `margin` [m] wider.
Aabb find_box(const PlacedShape& shape, double margin)
{
    const auto reach = [&](const Vec3& direction) { return find_extent(shape, direction) + margin; };
    const Vec3 upper{reach({1, 0, 0}), reach({0, 1, 0}), reach({0, 0, 1})};
    const Vec3 lower{reach({-1, 0, 0}), reach({0, -1, 0}), reach({0, 0, -1})};
    return {shape.position - lower, shape.position + upper};
}

/// Axes whose z is the unit direction.
Mat3 make_axes(const Vec3& z)
{
    const Mat3 frame = make_contact_frame(z);
    const Vec3 x = frame.column(1), y = frame.column(2);
    return {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

PlacedShape make_plane(const SurfaceTriangle& triangle)
{
    PlacedShape plane;
    plane.type = ShapeType::plane;
    plane.position = triangle.corner[0];
    plane.rotation = make_axes(triangle.normal);
    return plane;
}

/// A segment as a capsule of radius zero.
PlacedShape make_segment(const Vec3& from, const Vec3& to)
{
    PlacedShape segment;
    segment.type = ShapeType::capsule;
    segment.position = 0.5 * (from + to);
    const Vec3 way = to - from;
    const double length = norm(way);
    segment.rotation = make_axes((1 / length) * way);
    segment.size = {0, 0.5 * length, 0};
    return segment;
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
          scratch_(scratch)
    {
    }

    void touch()
    {
        const Aabb box = find_box(shape_, reach_);
        turned_ = !surface_.has_inside() && is_behind(norm(box.upper - box.lower));
        surface_.query(box, [&](int t) { touch_triangle(t); });
        drop_deeper_faces(scratch_);
        const auto touches = [](const ManifoldPoint& point) { return point.distance < 0; };
        if (std::any_of(scratch_.points.begin(), scratch_.points.end(), touches)) return;
        if (!scratch_.crossed.empty())
            leave_edges();
        else if (scratch_.points.empty() && surface_.has_inside())
            leave_inside();
    }

private:
    /// On which side of a sheet the shape is, by the triangle nearest to its centre.
    bool is_behind(double reach) const
    {
        const NearestOnSurface nearest = find_nearest(surface_, center_, reach);
        if (nearest.triangle < 0) return false;
        return dot(surface_.triangle(nearest.triangle).normal, center_ - nearest.point) < 0;
    }

    /// As seen from the shape's side.
    SurfaceTriangle find_triangle(int number) const
    {
        const SurfaceTriangle triangle = surface_.triangle(number);
        return turned_ ? turn_over(triangle) : triangle;
    }

    void touch_triangle(int number)
    {
        // A flat floor of many triangles is one plane, whose points are found once.
        const bool is_inner = surface_.is_inner(number) && !turned_;
        if (is_inner && touch_known_plane(number)) return;
        const SurfaceTriangle triangle = find_triangle(number);
        const double height = dot(triangle.normal, center_ - triangle.corner[0]);
        const double offset = dot(triangle.normal, shape_.position - triangle.corner[0]);
        if (is_inner) known_ = {.patch = triangle.patch, .normal = triangle.normal, .origin = triangle.corner[0]};
        if (offset - find_extent(shape_, -triangle.normal) >= reach_) return;
        if (height >= 0) touch_face(triangle, is_inner);
        if (is_inner) return;
        for (std::size_t i = 0; i < 3; ++i)
        {
            if (owns_edge(triangle, number, i)) touch_edge(triangle, number, i);
        }
    }

    /// The plane of a flat patch, and what the shape shows it.
    struct KnownPlane
    {
        int patch = -1;
        Vec3 normal, origin;
        Manifold manifold = {};
    };

    /// False where the triangle does not lie, to rounding, in the plane known.
    bool touch_known_plane(int number)
    {
        if (known_.patch != surface_.patch(number)) return false;
        const std::array<Vec3, 3> corner = surface_.corners(number);
        for (const Vec3& c : corner)
        {
            if (std::abs(dot(known_.normal, c - known_.origin)) > 1e-13 * size_) return false;
        }
        for (int i = 0; i < known_.manifold.count; ++i)
        {
            const ManifoldPoint& point = known_.manifold.points[at(i)];
            const Vec3 foot = point.point - (0.5 * point.distance) * known_.normal;
            if (is_over_flat(corner, known_.normal, foot)) add_face_point(point, known_.normal, known_.patch, true);
        }
        return true;
    }

    void touch_face(const SurfaceTriangle& triangle, bool keep)
    {
        Manifold own;
        Manifold& manifold = keep ? known_.manifold : own;
        on_plane_(make_plane(triangle), shape_, reach_, manifold);
        for (int i = 0; i < manifold.count; ++i)
        {
            const ManifoldPoint& point = manifold.points[at(i)];
            const Vec3 half = (0.5 * point.distance) * triangle.normal;
            const Over over = find_over(triangle, point.point - half, point.point + half, point.distance);
            if (over == Over::outside || (over == Over::groove && !is_in_solid(point.point + half))) continue;
            add_face_point(point, triangle.normal, triangle.patch, over == Over::face);
        }
    }

    void add_face_point(ManifoldPoint point, const Vec3& normal, int patch, bool is_over)
    {
        if (is_beyond(point.point + (0.5 * point.distance) * normal, -point.distance)) return;
        // In a groove all faces hold; elsewhere the nearest face has the point.
        const auto source = static_cast<std::uint32_t>(point.feature);
        point.feature = make_surface_key(SurfacePart::face, point.feature, patch);
        scratch_.points.push_back(point);
        scratch_.source.push_back(is_over ? source : kKeepsAll);
    }

    /// A point behind both faces of a groove is in it only near the groove.
    bool is_in_solid(const Vec3& point) const
    {
        return !surface_.has_inside() || find_nearest(surface_, point, size_).distance < 0;
    }

    /// A point deep behind a face may have left the solid on the other side, or be much nearer to another face; one
    /// that is not deep is taken as it is.
    bool is_beyond(const Vec3& point, double depth) const
    {
        if (depth <= kShallow * size_ || !surface_.has_inside()) return false;
        return find_nearest(surface_, point, (1 + 1e-9) * depth).distance > -0.5 * depth;
    }

    void touch_edge(const SurfaceTriangle& triangle, int number, std::size_t i)
    {
        const Vec3 &from = triangle.corner[i], &to = triangle.corner[(i + 1) % 3];
        const PlacedShape segment = make_segment(from, to);
        const bool shape_first = shape_.type < ShapeType::capsule;
        Manifold manifold;
        if (shape_first)
            on_segment_(shape_, segment, reach_, manifold);
        else
            on_segment_(segment, shape_, reach_, manifold);
        const Vec3 along = segment.rotation.column(2);
        const double length = 2 * segment.size.y;
        for (int k = 0; k < manifold.count; ++k)
        {
            ManifoldPoint point = manifold.points[at(k)];
            if (shape_first) point.normal = -point.normal;
            const std::uint64_t part = fold_key(shape_first ? point.feature >> 32 : point.feature & 0xffffffffU);
            const Vec3 on_edge = point.point - (0.5 * point.distance) * point.normal;
            const double place = dot(along, on_edge - from);
            // Flat parts of a shape may lean on an edge a little from beside it; round ones have one nearest point.
            const double slack = is_round_ ? 1e-6 : kLeaningSine;
            const double end = 1e-6 * length;
            if (place > end && place < length - end)
            {
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
                if (!surface_.is_extreme(vertex, point.normal, slack)) continue;
                point.feature = make_surface_key(SurfacePart::vertex, part, vertex);
            }
            scratch_.points.push_back(point);
            scratch_.source.push_back(kKeepsAll);
        }
    }

    /// Edges are in the shape, and the shortest way out of each is no way out for the two solids: as for two thin boxes
    /// that cross. Then the shape leaves along the direction between the faces of an edge in which it is least deep.
    void leave_edges()
    {
        double least = std::numeric_limits<double>::infinity();
        ManifoldPoint way_out{};
        constexpr int kDirections = 16;
        for (const SurfaceScratch::Edge& edge : scratch_.crossed)
        {
            const SurfaceTriangle triangle = find_triangle(edge.triangle);
            const Vec3 &from = triangle.corner[edge.place], &to = triangle.corner[(edge.place + 1) % 3];
            for (int k = 0; k <= kDirections; ++k)
            {
                const double share = static_cast<double>(k) / kDirections;
                const Vec3 normal = make_unit((1 - share) * triangle.normal + share * triangle.beyond[edge.place]);
                const double depth = find_extent(shape_, -normal) - dot(normal, shape_.position - from);
                if (!(dot(normal, center_ - from) >= 0) || !(depth < least)) continue;
                least = depth;
                const Vec3 along = to - from;
                const double place = std::clamp(dot(center_ - from, along) / dot(along, along), 0.0, 1.0);
                way_out = {.point = from + place * along - (0.5 * depth) * normal,
                           .normal = normal,
                           .distance = -depth,
                           .feature = make_surface_key(SurfacePart::inside, 1, triangle.edge[edge.place])};
            }
        }
        if (least < std::numeric_limits<double>::infinity()) scratch_.points.push_back(way_out);
    }

    void leave_inside()
    {
        push_out(
            surface_, center_, [&](const Vec3& down)
            { return find_extent(shape_, down) - dot(down, center_ - shape_.position); }, scratch_);
    }

    const Surface& surface_;
    const PlacedShape& shape_;
    double reach_;
    Vec3 center_;
    ManifoldFunction on_plane_, on_segment_;
    double size_;
    bool is_round_;
    bool turned_ = false;  ///< the shape is behind a sheet
    KnownPlane known_;
    SurfaceScratch& scratch_;
};

}  // namespace

void touch_convex(const PlacedShape& surface, const PlacedShape& shape, double reach, SurfaceScratch& scratch)
{
    if (surface.mesh != nullptr)
        ConvexOnSurface(*surface.mesh, shape, reach, scratch).touch();
    else
        ConvexOnSurface(*surface.grid, shape, reach, scratch).touch();
}

}  // namespace rattleback
