// Names the smallest part of a core that holds its witness point.
#include "geometry/convex/features.h"

#include "base/index.h"

namespace rattleback::cores
{
namespace
{

// Normals this near to an axis [rad] see a cap, or a side, of a cylinder.
constexpr double kAligned = 1e-7;

// GJK and EPA leave the corners whose mix is the witness point: as many distinct ones as the dimension of the part asks
// for. Curved shapes have no corners; there the normal says which part it is.

// Face loops are short: a walk is enough.
bool holds(const Polyhedron& hull, int face, int vertex)
{
    for (int k = hull.face_begin[at(face)]; k < hull.face_begin[at(face) + 1]; ++k)
    {
        if (hull.face_vertices[at(k)] == vertex) return true;
    }
    return false;
}

/// Of the faces around the first corner: the one with most of the other corners; of equals, the one that looks along n.
int find_face(const Polyhedron& hull, const Corners& corners, const Vec3& n)
{
    const int corner = corners.ids[0];
    int best = 0, most = -1;
    double along = -2;
    const auto look = [&](int face)
    {
        int held = 0;
        // A witness on a face has its corners there; ties by the direction of the normal.
        for (int i = 1; i < corners.count; ++i) held += holds(hull, face, corners.ids[i]) ? 1 : 0;
        const double cosine = dot(hull.face_normal[at(face)], n);
        if (held < most || (held == most && !(cosine > along))) return;
        best = face;
        most = held;
        along = cosine;
    };
    // Around the first corner: the face must hold it.
    for (int k = hull.neighbour_begin[at(corner)]; k < hull.neighbour_begin[at(corner) + 1]; ++k)
    {
        // Each face around the corner is on the left of one edge that leaves it.
        const Polyhedron::Edge& edge = hull.edges[at(hull.neighbour_edges[at(k)])];
        look(edge.first == corner ? edge.left : edge.right);
    }
    return best;
}

/// Each corner once.
Corners find_distinct(const Corners& corners)
{
    Corners distinct;
    // One corner of a core may take part in several corners of the difference.
    for (int i = 0; i < corners.count; ++i)
    {
        bool known = false;
        for (int j = 0; j < distinct.count; ++j) known = known || distinct.ids[j] == corners.ids[i];
        if (!known) distinct.ids[distinct.count++] = corners.ids[i];
    }
    return distinct;
}

}  // namespace

ShapeFeature find_feature(const PointCore&, const Corners&, const Vec3&, const Vec3&) { return {}; }

ShapeFeature find_feature(const SegmentCore&, const Corners& corners, const Vec3&, const Vec3&)
{
    // Both ends: somewhere along the segment.
    for (int i = 1; i < corners.count; ++i)
    {
        if (corners.ids[i] != corners.ids[0]) return {FeatureKind::edge, 0};
    }
    return {FeatureKind::vertex, corners.ids[0]};
}

ShapeFeature find_feature(const BoxCore&, const Corners& corners, const Vec3& n, const Vec3&)
{
    // Corners of a box are numbered by the signs of their coordinates.
    const int id = corners.ids[0];
    int varies = 0;  // bit i: the corners differ along axis i
    // Two corners that differ in one bit are an edge, in two a face.
    for (int i = 1; i < corners.count; ++i) varies |= corners.ids[i] ^ id;
    // Edges and faces are numbered by the ends of the axes that do not vary.
    const auto sign = [id](int axis) { return id >> axis & 1; };
    switch (varies)
    {
        case 0:
            return {FeatureKind::vertex, id};
        case 1:
            return {FeatureKind::edge, sign(1) + 2 * sign(2)};
        case 2:
            return {FeatureKind::edge, 4 + sign(0) + 2 * sign(2)};
        case 4:
            return {FeatureKind::edge, 8 + sign(0) + 2 * sign(1)};
        case 6:
            return {FeatureKind::face, sign(0)};
        case 5:
            return {FeatureKind::face, 2 + sign(1)};
        case 3:
            return {FeatureKind::face, 4 + sign(2)};
        default:
            break;
    }
    // Corners across the box: rounding, or a touching point inside. The normal decides.
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return {FeatureKind::face, 2 * axis + (n[axis] > 0 ? 1 : 0)};
}

ShapeFeature find_feature(const CylinderCore&, const Corners&, const Vec3& n, const Vec3& point)
{
    // The normal tells caps, side and rim apart.
    // A normal along the axis sees all of a cap, one across it all of a line on the side; others touch a rim.
    if (n.x * n.x + n.y * n.y < kAligned * kAligned) return {FeatureKind::face, n.z > 0 ? 1 : 0};
    if (std::abs(n.z) < kAligned) return {FeatureKind::face, 2};
    return {FeatureKind::edge, point.z > 0 ? 1 : 0};
}

ShapeFeature find_feature(const EllipsoidCore&, const Corners&, const Vec3&, const Vec3&) { return {}; }

ShapeFeature find_feature(const HullCore& core, const Corners& corners, const Vec3& n, const Vec3&)
{
    const Corners distinct = find_distinct(corners);
    // One corner, or two joined by an edge; any other set lies on a face.
    if (distinct.count == 1) return {FeatureKind::vertex, distinct.ids[0]};
    if (distinct.count == 2)
    {
        const int edge = find_edge(*core.hull, distinct.ids[0], distinct.ids[1]);
        // Two corners that no edge joins lie across a face.
        if (edge >= 0) return {FeatureKind::edge, edge};
    }
    return {FeatureKind::face, find_face(*core.hull, distinct, n)};
}

}  // namespace rattleback::cores
