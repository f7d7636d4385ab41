// Sphere and hull: the sphere's centre against the faces that it sees.
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

std::size_t at(int index) { return static_cast<std::size_t>(index); }

int find_edge(const Polyhedron& solid, int first, int second)
{
    const Polyhedron::Edge wanted{std::min(first, second), std::max(first, second)};
    const auto found = std::lower_bound(solid.edges.begin(), solid.edges.end(), wanted,
                                        [](const Polyhedron::Edge& a, const Polyhedron::Edge& b)
                                        { return a.first != b.first ? a.first < b.first : a.second < b.second; });
    return static_cast<int>(found - solid.edges.begin());
}

/// The nearest point of a face to a point `height` above its plane; the normal is that of the face unless an edge or a
/// vertex is nearest.
SurfacePoint find_nearest_on_face(const Polyhedron& solid, int face, const Vec3& p, double height)
{
    const Vec3& normal = solid.face_normal[at(face)];
    const Vec3 foot = p - height * normal;
    SurfacePoint nearest{height, foot, normal, {FeatureKind::face, face}};
    double nearest_square = std::numeric_limits<double>::infinity();
    const int begin = solid.face_begin[at(face)], end = solid.face_begin[at(face) + 1];
    for (int i = begin; i < end; ++i)
    {
        const int first = solid.face_vertices[at(i)], second = solid.face_vertices[at(i + 1 < end ? i + 1 : begin)];
        const Vec3& corner = solid.vertices[at(first)];
        const Vec3 along = solid.vertices[at(second)] - corner;
        const Vec3 from_corner = foot - corner;
        if (dot(cross(normal, along), from_corner) >= 0) continue;
        const double fraction = dot(from_corner, along) / dot(along, along);
        const Vec3 point = fraction <= 0   ? corner
                           : fraction >= 1 ? solid.vertices[at(second)]
                                           : corner + fraction * along;
        const Vec3 away = p - point;
        const double square = dot(away, away);
        if (square >= nearest_square) continue;
        nearest_square = square;
        const double length = std::sqrt(square);
        nearest.distance = length;
        nearest.point = point;
        if (length > kShortest) nearest.normal = (1 / length) * away;
        nearest.feature = fraction <= 0   ? ShapeFeature{FeatureKind::vertex, first}
                          : fraction >= 1 ? ShapeFeature{FeatureKind::vertex, second}
                                          : ShapeFeature{FeatureKind::edge, find_edge(solid, first, second)};
    }
    return nearest;
}

/// The face whose plane is furthest below the point (least deep, inside), and how far.
int find_highest_face(const Polyhedron& solid, const Vec3& p, double& height)
{
    int highest = 0;
    height = -std::numeric_limits<double>::infinity();
    for (int face = 0; face < solid.face_count(); ++face)
    {
        const double candidate = dot(solid.face_normal[at(face)], p) - solid.face_offset[at(face)];
        if (candidate <= height) continue;
        height = candidate;
        highest = face;
    }
    return highest;
}

/// The nearest point of a hull to a point that is `height` above the plane of `highest`, further than above any other.
SurfacePoint find_nearest(const Polyhedron& solid, const Vec3& p, int highest, double height)
{
    if (height <= 0)
    {
        const Vec3& normal = solid.face_normal[at(highest)];
        return {height, p - height * normal, normal, {FeatureKind::face, highest}};
    }
    SurfacePoint nearest = find_nearest_on_face(solid, highest, p, height);
    for (int face = 0; face < solid.face_count() && nearest.distance > height; ++face)
    {
        const double candidate = dot(solid.face_normal[at(face)], p) - solid.face_offset[at(face)];
        if (candidate <= 0 || candidate >= nearest.distance || face == highest) continue;
        const SurfacePoint other = find_nearest_on_face(solid, face, p, candidate);
        if (other.distance < nearest.distance) nearest = other;
    }
    return nearest;
}

}  // namespace

ShapeDistance find_sphere_hull(const PlacedShape& sphere, const PlacedShape& hull, double reach)
{
    const Polyhedron& solid = *hull.hull;
    const Vec3 p = to_local(hull, sphere.position);
    double height = 0;
    const int highest = find_highest_face(solid, p, height);
    const double lower = height - sphere.size.x;
    if (lower > reach) return make_beyond(norm(p - solid.center), lower);
    return make_from_center(sphere, hull, find_nearest(solid, p, highest, height));
}

}  // namespace rattleback
