// Capsule and hull: the capsule's segment against the hull's face that it is furthest above, and the edges around it.
#include "base/index.h"
#include "geometry/convex/hull_support.h"
#include "geometry/distance/pairs.h"
#include "geometry/distance/segments.h"

namespace rattleback
{
namespace
{

constexpr int kMaxFaces = 160;  // of more, a scan takes longer than the general search

// A guess and a proof: the face that all of the segment is furthest above, or an edge of it, is nearly always nearest.
// A support of the hull along the normal found is a lower bound; where it meets the distance the guess is right.

/// The face that all of the segment is furthest above, or least below.
int find_highest_face(const Polyhedron& solid, const CapsuleSegment& segment, double& height)
{
    // Middle and half way of the segment, in all lanes.
    const Pack4 cx(segment.center.x), cy(segment.center.y), cz(segment.center.z);
    const Vec3 reach = segment.half * segment.axis;
    const Pack4 ux(reach.x), uy(reach.y), uz(reach.z);
    const double* offsets = solid.face_offset.data();
    const std::size_t faces = solid.face_offset.size(), count = solid.normal_x.size();
    // Unlike the normals, the offsets are not padded.
    const auto load_offsets = [&](std::size_t i)
    {
        if (i + 4 <= faces) return load_pack(offsets + i);
        const auto offset = [&](std::size_t k) { return offsets[k < faces ? k : 0]; };
        return Pack4(Pack4::Lanes{offset(i), offset(i + 1), offset(i + 2), offset(i + 3)});
    };
    const auto find_heights = [&](std::size_t i)
    {
        const Pack4 x = load_pack(&solid.normal_x[i]), y = load_pack(&solid.normal_y[i]),
                    z = load_pack(&solid.normal_z[i]);
        // The lower of both ends over each face: the height of the middle less what the segment falls.
        const Pack4 slope = ux * x + uy * y + uz * z;
        return cx * x + cy * y + cz * z - load_offsets(i) - maximum(slope, -slope);
    };
    const Mask4::Lanes first{0, 1, 2, 3};
    // Two at a time, so that not every comparison waits for the one before.
    cores::FurthestLanes best{find_heights(0), first}, other = best;
    Mask4::Lanes index = first + 4;
    std::size_t i = 4;
    // Four faces per step, two steps per turn.
    for (; i + 8 <= count; i += 8, index += 8)
    {
        best.take(find_heights(i), index);
        other.take(find_heights(i + 4), index + 4);
    }
    for (; i < count; i += 4, index += 4) best.take(find_heights(i), index);
    best.take(other.reach, other.index);
    height = find_largest(best.reach);
    const auto found = static_cast<std::size_t>(best.find_index());
    return found < faces ? static_cast<int>(found) : 0;  // the padding repeats the first face
}

/// The nearest points of the segment and some part of the hull.
struct Nearest
{
    Vec3 gap;                     ///< from the segment to the hull
    double place = 0;             ///< on the segment
    double share = 0;             ///< of the way along the edge; a face has none
    int first = -1, second = -1;  ///< vertices of the edge
};

/// Is the segment's lower end straight above the face?
bool is_over_face(const Polyhedron& solid, int face, const Vec3& foot)
{
    const Vec3& normal = solid.face_normal[at(face)];
    // A loop of edges, from the last corner to the first.
    const int begin = solid.face_begin[at(face)], end = solid.face_begin[at(face) + 1];
    int previous = solid.face_vertices[at(end - 1)];
    // Without leaving early: a branch per edge would cost more than it saves.
    bool inside = true;
    for (int i = begin; i < end; ++i)
    {
        const int next = solid.face_vertices[at(i)];
        const Vec3& corner = solid.vertices[at(previous)];
        // On the inner side of every edge of the face.
        inside = inside & (dot(cross(normal, solid.vertices[at(next)] - corner), foot - corner) >= 0);
        previous = next;
    }
    return inside;
}

/// The nearest of the edges around a face.
Nearest find_nearest_edge(const Polyhedron& solid, int face, const CapsuleSegment& segment)
{
    constexpr double kParallel = 1e-20;  // sine squared
    const int begin = solid.face_begin[at(face)], end = solid.face_begin[at(face) + 1];
    Nearest nearest;
    double least = std::numeric_limits<double>::infinity();
    int first = solid.face_vertices[at(end - 1)];
    for (int i = begin; i < end; ++i)
    {
        // |r + s e - t u|² is least where t = r u + s e u and s e² = t e u - r e, each within its ends.
        const int second = solid.face_vertices[at(i)];
        const Vec3 r = solid.vertices[at(first)] - segment.center;
        const Vec3 e = solid.vertices[at(second)] - solid.vertices[at(first)];
        const double ee = dot(e, e), eu = dot(e, segment.axis), re = dot(r, e), ru = dot(r, segment.axis);
        // Ericson 2005, section 5.1.9: the nearest points of two segments, clamped one after the other.
        // Parallel lines have no crossing: the bound on the sine keeps the quotient finite, and clamping does the rest.
        const double sine = std::max(ee - eu * eu, kParallel * ee);
        const double on_line = clamp_to(0.5, (eu * ru - re) / sine - 0.5) + 0.5;
        const double beside = ru + on_line * eu, t = clamp_to(segment.half, beside);
        const double back = clamp_to(0.5, (t * eu - re) / ee - 0.5) + 0.5;
        const double s = t == beside ? on_line : back;
        const Vec3 gap = r + s * e - t * segment.axis;
        const double square = dot(gap, gap);
        if (square < least)
        {
            least = square;
            nearest = {gap, t, s, first, second};
        }
        first = second;
    }
    return nearest;
}

ShapeFeature find_hull_feature(const Polyhedron& solid, int face, const Nearest& nearest)
{
    // Which part it is names the contact.
    if (nearest.first < 0) return {FeatureKind::face, face};
    if (nearest.share <= 0) return {FeatureKind::vertex, nearest.first};
    if (nearest.share >= 1) return {FeatureKind::vertex, nearest.second};
    int k = solid.neighbour_begin[at(nearest.first)];
    while (solid.neighbours[at(k)] != nearest.second) ++k;
    return {FeatureKind::edge, solid.neighbour_edges[at(k)]};
}

}  // namespace

ShapeDistance find_capsule_hull(const PlacedShape& capsule, const PlacedShape& hull, double reach)
{
    constexpr double kGap = 1e-12;  // of the size: bounds so near to each other are a proof
    const Polyhedron& solid = *hull.hull;
    if (solid.face_count() > kMaxFaces) return find_convex_distance(capsule, hull, reach);
    const CapsuleSegment segment{to_local(hull, capsule.position),
                                 transpose_times(hull.rotation, capsule.rotation.column(2)), capsule.size.y};
    const double radius = capsule.size.x;
    double height = 0;
    const int face = find_highest_face(solid, segment, height);
    if (height - radius > reach) return make_beyond(height - radius, height - radius);
    // No face has all of the segment above it: the two meet, or nearly.
    if (!(height > 0)) return find_convex_distance(capsule, hull, reach);

    const Vec3& up = solid.face_normal[at(face)];
    // Straight above the face: its normal, and the lower end.
    const double lower_end = dot(up, segment.axis) > 0 ? -segment.half : segment.half;
    Nearest nearest{-height * up, lower_end};
    double length = height;
    Vec3 normal = -up;
    if (!is_over_face(solid, face, segment.center + lower_end * segment.axis - height * up))
    {
        nearest = find_nearest_edge(solid, face, segment);
        length = norm(nearest.gap);
        normal = (1 / length) * nearest.gap;
    }
    // Proof: no point of the hull is nearer along this normal, up to rounding.
    const Vec3& furthest = solid.vertices[at(cores::find_furthest(solid, -normal))];
    const double lower = dot(normal, furthest - segment.center) - segment.half * std::abs(dot(normal, segment.axis));
    // Relative to all lengths that entered.
    const double size = solid.radius + segment.half + radius;
    // Another part of the hull is nearer, or rounding is large beside the distance.
    if (!(length - lower <= kGap * size)) return find_convex_distance(capsule, hull, reach);

    const Vec3 on_capsule = segment.center + nearest.place * segment.axis + radius * normal;
    ShapeDistance result =
        make_exact(length - radius, to_world(hull, on_capsule), hull.rotation * normal,
                   find_capsule_feature(nearest.place, segment.half), find_hull_feature(solid, face, nearest));
    result.lower = std::min(lower - radius, result.distance);
    return result;
}

}  // namespace rattleback
