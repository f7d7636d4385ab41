// Sphere and hull: the sphere's centre against the faces that it sees.
#include "base/index.h"
#include "geometry/distance/local.h"
#include "geometry/distance/pairs.h"

namespace rattleback
{
namespace
{

// Of a point outside a convex polyhedron the face that it is highest above is nearly always the one with the nearest
// point; where that lies on an edge the neighbour is asked, and only a vertex that is not settled takes a full search.

/// The nearest point of a face to a point `height` above its plane; the normal is that of the face unless an edge or a
/// vertex is nearest.
SurfacePoint find_nearest_on_face(const Polyhedron& solid, int face, const Vec3& p, double height)
{
    const Vec3& normal = solid.face_normal[at(face)];
    // The foot on the face's plane; edges that it is beyond may be nearer.
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
        // Inside of this edge: only edges that the foot is beyond can be nearest.
        if (dot(cross(normal, along), from_corner) >= 0) continue;
        // The foot on the edge's line, as a fraction of its length.
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
    // Signed height over every face plane: for a point inside, the least depth.
    for (int face = 0; face < solid.face_count(); ++face)
    {
        // One dot product per face.
        const double candidate = dot(solid.face_normal[at(face)], p) - solid.face_offset[at(face)];
        if (candidate <= height) continue;
        height = candidate;
        highest = face;
    }
    return highest;
}

/// The nearest of all faces; `nearest` is that of one.
SurfacePoint search_faces(const Polyhedron& solid, const Vec3& p, SurfacePoint nearest)
{
    for (int face = 0; face < solid.face_count(); ++face)
    {
        // A face that the point is not above cannot hold its nearest point.
        const double height = dot(solid.face_normal[at(face)], p) - solid.face_offset[at(face)];
        // Its plane is further than what was found: nothing on it can be nearer.
        if (height <= 0 || height >= nearest.distance) continue;
        const SurfacePoint other = find_nearest_on_face(solid, face, p, height);
        if (other.distance < nearest.distance) nearest = other;
    }
    return nearest;
}

/// True when no edge leads from the vertex towards the point: then the vertex is the nearest of all.
bool is_nearest_vertex(const Polyhedron& solid, int vertex, const Vec3& p)
{
    const Vec3& corner = solid.vertices[at(vertex)];
    const Vec3 away = p - corner;
    for (int i = solid.neighbour_begin[at(vertex)]; i < solid.neighbour_begin[at(vertex) + 1]; ++i)
    {
        // For a convex solid a local minimum over edges is the global one.
        if (dot(away, solid.vertices[at(solid.neighbours[at(i)])] - corner) > 0) return false;
    }
    return true;
}

/// The nearest point of a hull to a point that is `height` above the plane of `face`, further than above any other.
/// What is nearest on all faces around it is nearest of all.
SurfacePoint find_nearest(const Polyhedron& solid, const Vec3& p, int face, double height)
{
    // Inside: the face that is least deep.
    if (height <= 0)
    {
        const Vec3& normal = solid.face_normal[at(face)];
        return {height, p - height * normal, normal, {FeatureKind::face, face}};
    }
    // From face to face over edges, as long as the distance falls.
    SurfacePoint nearest = find_nearest_on_face(solid, face, p, height);
    for (int step = 0; step < solid.face_count() && nearest.feature.kind == FeatureKind::edge; ++step)
    {
        const Polyhedron::Edge& edge = solid.edges[at(nearest.feature.index)];
        face = edge.left == face ? edge.right : edge.left;
        // Beyond the edge lies the only face that can be nearer.
        const double other_height = dot(solid.face_normal[at(face)], p) - solid.face_offset[at(face)];
        // Behind the neighbouring face: the edge between the two is nearest.
        if (other_height <= 0) return nearest;
        const SurfacePoint other = find_nearest_on_face(solid, face, p, other_height);
        if (!(other.distance < nearest.distance)) return nearest;
        nearest = other;
    }
    // A vertex whose edges all lead away is nearest; otherwise all faces are asked.
    if (nearest.feature.kind == FeatureKind::face) return nearest;
    const bool is_done =
        nearest.feature.kind == FeatureKind::vertex && is_nearest_vertex(solid, nearest.feature.index, p);
    return is_done ? nearest : search_faces(solid, p, nearest);
}

}  // namespace

ShapeDistance find_sphere_hull(const PlacedShape& sphere, const PlacedShape& hull, double reach)
{
    const Polyhedron& solid = *hull.hull;
    const Vec3 p = to_local(hull, sphere.position);
    double height = 0;
    const int highest = find_highest_face(solid, p, height);
    // The largest height over any plane is a lower bound of the distance.
    const double lower = height - sphere.size.x;
    if (lower > reach) return make_beyond(norm(p - solid.center), lower);
    return make_from_center(sphere, hull, find_nearest(solid, p, highest, height));
}

}  // namespace rattleback
