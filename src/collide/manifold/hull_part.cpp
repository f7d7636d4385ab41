// Builds the part of a hull that lies in a contact: a face, or the edge or vertex that it stands on.
#include "base/index.h"
#include "collide/manifold/hull_scan.h"
#include "collide/manifold/part_builder.h"

#include <algorithm>
#include <limits>

namespace rattleback
{
namespace
{

// A hull lies on a face, stands on an edge or on a vertex. The face that looks down counts unless the highest vertices
// say otherwise; a hull that has sunk in touches with vertices beside its face as well, and those are listed apart.

Vec3 place(const PlacedShape& shape, int vertex)
{
    return shape.position + shape.rotation * shape.hull->vertices[at(vertex)];
}

/// Which corners of a long face to take: all, or one of each run of neighbours; of a run that holds an extreme corner,
/// that one. A function of the hull alone.
int find_corners(const Polyhedron& solid, int face, std::array<int, FlatPart::kMaxCorners>& chosen)
{
    constexpr int kMax = FlatPart::kMaxCorners;
    const int begin = solid.face_begin[at(face)], size = solid.face_begin[at(face) + 1] - begin;
    // Evenly over the loop; extreme corners are put in afterwards.
    for (int i = 0; i < std::min(size, kMax); ++i) chosen[at(i)] = size <= kMax ? i : i * size / kMax;
    if (size <= kMax) return size;
    const auto corner = [&](int i) { return solid.vertices[at(solid.face_vertices[at(begin + i)])]; };
    // Two directions in the plane of the face; their lengths do not matter for extremes.
    const Vec3 e = corner(1) - corner(0), f = cross(solid.face_normal[at(face)], e);
    std::array<double, kRim> furthest;
    std::array<int, kRim> extreme{};
    furthest.fill(-std::numeric_limits<double>::infinity());
    for (int i = 0; i < size; ++i)
    {
        // The furthest corner in each of eight directions.
        const double u = dot(e, corner(i)), v = dot(f, corner(i));
        for (int k = 0; k < kRim; ++k)
        {
            const double reach = kRimCosine[k] * u + kRimSine[k] * v;
            extreme[at(k)] = reach > furthest[at(k)] ? i : extreme[at(k)];
            furthest[at(k)] = std::max(furthest[at(k)], reach);
        }
    }
    // Run i begins at i size / max, rounded down: the last run that begins at the extreme corner or before.
    for (const int i : extreme) chosen[at(((i + 1) * kMax - 1) / size)] = i;
    return kMax;
}

// The face as a polygon; its corners in the sense that the frame asks for.
void build_hull_face(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Polyhedron& solid = *shape.hull;
    const int begin = solid.face_begin[at(face.index)];
    const int* loop = solid.face_vertices.data() + begin;
    std::array<int, FlatPart::kMaxCorners> chosen;
    const int count = find_corners(solid, face.index, chosen);
    for (int slot = 0; slot < count; ++slot)
    {
        // Clockwise loops are walked backwards, so that parts are counter-clockwise about the normal.
        const int i = chosen[at(sign > 0 ? slot : count - 1 - slot)];
        const int side = chosen[at(sign > 0 ? slot : (2 * count - 2 - slot) % count)];
        part.edge[at(slot)] = static_cast<std::uint32_t>(begin + side);
        add_corner(frame, shape.position + shape.rotation * solid.vertices[at(loop[i])],
                   static_cast<std::uint32_t>(loop[i]), part);
    }
    // Lengths of sides as seen along the normal: tolerances are relative to them.
    for (int i = 0; i < count; ++i)
    {
        const int next = i + 1 < count ? i + 1 : 0;
        const double du = part.u[at(next)] - part.u[at(i)], dv = part.v[at(next)] - part.v[at(i)];
        part.side[at(i)] = std::sqrt(du * du + dv * dv);
    }
    const Vec3 center = face.point - frame.origin;
    set_plane(frame, face.normal, dot(frame.u, center), dot(frame.v, center), dot(frame.n, center), part);
}

/// The face, or the edge or vertex that the hull stands on if the face does not hold it.
void build_standing(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, const Vec3& local,
                    const Summit& summit, FlatPart& part)
{
    const FeatureKind kind = find_standing(*shape.hull, {face.index, face.cosine}, local, summit);
    const int first = summit.vertices[0];
    if (kind == FeatureKind::face) return build_hull_face(shape, face, frame, sign, part);
    if (kind == FeatureKind::edge) return build_hull_edge(shape, first, summit.vertices[1], frame, part);
    add_corner(frame, place(shape, first), static_cast<std::uint32_t>(first), part);
    part.kind = FeatureKind::vertex;
    part.index = static_cast<std::uint32_t>(first);
}

}  // namespace

FeatureKind find_standing(const Polyhedron& solid, const FacingFace& face, const Vec3& local, const Summit& summit)
{
    constexpr double kSteepest = 0.2, kFlat = 0.9999;
    // More than two highest vertices: a face lies level.
    if (summit.count > 2) return FeatureKind::face;
    int on_face = 0;
    for (int i = solid.face_begin[at(face.index)]; i < solid.face_begin[at(face.index) + 1]; ++i)
    {
        if (dot(local, solid.vertices[at(solid.face_vertices[at(i)])]) >= summit.bar) ++on_face;
    }
    // The face holds all that is highest, and is not too steep to lie on.
    if (on_face == summit.count && face.cosine >= kSteepest) return FeatureKind::face;
    if (summit.count == 1 && face.cosine > kFlat) return FeatureKind::face;
    // Two highest vertices are an edge only if the hull has one there.
    const bool is_edge = summit.count == 2 && find_edge(solid, summit.vertices[0], summit.vertices[1]) >= 0;
    return is_edge ? FeatureKind::edge : FeatureKind::vertex;
}

void build_hull_edge(const PlacedShape& shape, int first, int second, const NormalFrame& frame, FlatPart& part)
{
    const Vec3 a = place(shape, first), b = place(shape, second);
    // From the middle, so that both ends are treated alike.
    build_line(0.5 * (a + b), 0.5 * (b - a), frame, static_cast<std::uint32_t>(first),
               static_cast<std::uint32_t>(second), part);
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = static_cast<std::uint32_t>(find_edge(*shape.hull, first, second));
}

void build_hull_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                     double depth, FlatPart& part)
{
    const Polyhedron& solid = *shape.hull;
    const Vec3 local = transpose_times(shape.rotation, sign * frame.n);
    // What is highest decides: face, edge or vertex; two are all that an edge needs.
    const Summit summit = find_summit(solid, local, slack, 2);
    build_standing(shape, face, frame, sign, local, summit, part);
    if (depth <= slack) return;

    const bool is_face = part.kind == FeatureKind::face;
    // What the part shows already is not listed beside it.
    const std::array<int, 2> ends{static_cast<int>(part.corner[0]), static_cast<int>(part.corner[at(part.count - 1)])};
    const int* loop = solid.face_vertices.data() + solid.face_begin[at(face.index)];
    const int* loop_end = solid.face_vertices.data() + solid.face_begin[at(face.index) + 1];
    const std::span<const int> shown = is_face ? std::span<const int>(loop, loop_end) : std::span<const int>(ends);
    std::array<int, FlatPart::kMaxLoose> beside;
    // Vertices that have sunk in as well, beside the part: a sunken hull touches with more than its face.
    const double bar = summit.bar + slack - depth;
    part.loose_count = find_beside(solid, is_face ? face.index : -1, shown, local, bar, beside);
    for (std::size_t i = 0; i < at(part.loose_count); ++i)
    {
        const Vec3 from_origin = place(shape, beside[i]) - frame.origin;
        part.loose_u[i] = dot(frame.u, from_origin);
        part.loose_v[i] = dot(frame.v, from_origin);
        part.loose_h[i] = dot(frame.n, from_origin);
        part.loose[i] = static_cast<std::uint32_t>(beside[i]);
    }
}

}  // namespace rattleback
