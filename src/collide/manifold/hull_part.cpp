// Builds the part of a hull that lies in a contact: a face, or the edge or vertex that it stands on.
#include "collide/manifold/hull_scan.h"
#include "collide/manifold/part_builder.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
    for (int i = 0; i < std::min(size, kMax); ++i) chosen[at(i)] = size <= kMax ? i : i * size / kMax;
    if (size <= kMax) return size;
    const auto corner = [&](int i) { return solid.vertices[at(solid.face_vertices[at(begin + i)])]; };
    const Vec3 e = corner(1) - corner(0), f = cross(solid.face_normal[at(face)], e);
    for (int k = 0; k < kRim; ++k)
    {
        const Vec3 direction = kRimCosine[k] * e + kRimSine[k] * f;
        int best = 0;
        for (int i = 1; i < size; ++i)
        {
            if (dot(direction, corner(i)) > dot(direction, corner(best))) best = i;
        }
        // Run i begins at i size / max, rounded down: the last run that begins at `best` or before.
        chosen[at(((best + 1) * kMax - 1) / size)] = best;
    }
    return kMax;
}

void build_hull_face(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Polyhedron& solid = *shape.hull;
    const int begin = solid.face_begin[at(face.index)];
    const int* loop = solid.face_vertices.data() + begin;
    std::array<int, FlatPart::kMaxCorners> chosen;
    const int count = find_corners(solid, face.index, chosen);
    for (int slot = 0; slot < count; ++slot)
    {
        const int i = chosen[at(sign > 0 ? slot : count - 1 - slot)];
        const int side = chosen[at(sign > 0 ? slot : (2 * count - 2 - slot) % count)];
        part.edge[at(slot)] = static_cast<std::uint32_t>(begin + side);
        add_corner(frame, shape.position + shape.rotation * solid.vertices[at(loop[i])],
                   static_cast<std::uint32_t>(loop[i]), part);
    }
    for (int i = 0; i < count; ++i)
    {
        const int next = i + 1 < count ? i + 1 : 0;
        const double du = part.u[at(next)] - part.u[at(i)], dv = part.v[at(next)] - part.v[at(i)];
        part.side[at(i)] = std::sqrt(du * du + dv * dv);
    }
    const Vec3 center = face.point - frame.origin;
    set_plane(frame, face.normal, dot(frame.u, center), dot(frame.v, center), dot(frame.n, center), part);
}

}  // namespace

void build_hull_edge(const PlacedShape& shape, int first, int second, const NormalFrame& frame, FlatPart& part)
{
    const Vec3 a = place(shape, first), b = place(shape, second);
    build_line(0.5 * (a + b), 0.5 * (b - a), frame, static_cast<std::uint32_t>(first),
               static_cast<std::uint32_t>(second), part);
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = static_cast<std::uint32_t>(find_edge(*shape.hull, first, second));
}

void build_hull_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                     FlatPart& part)
{
    constexpr double kSteepest = 0.2, kFlat = 0.9999;
    const Polyhedron& solid = *shape.hull;
    const Vec3 local = transpose_times(shape.rotation, sign * frame.n);
    const Summit summit = find_summit(solid, local, slack);
    if (summit.count > 2) return build_hull_face(shape, face, frame, sign, part);

    int on_face = 0;
    for (int i = solid.face_begin[at(face.index)]; i < solid.face_begin[at(face.index) + 1]; ++i)
    {
        if (dot(local, solid.vertices[at(solid.face_vertices[at(i)])]) >= summit.bar) ++on_face;
    }
    const bool stands_on_face = on_face == summit.count && face.cosine >= kSteepest;
    const int first = summit.vertices[0], second = summit.vertices[at(summit.count - 1)];
    if (stands_on_face || (summit.count == 1 && face.cosine > kFlat))
        return build_hull_face(shape, face, frame, sign, part);
    if (summit.count == 2 && find_edge(solid, first, second) >= 0)
        return build_hull_edge(shape, first, second, frame, part);
    add_corner(frame, place(shape, first), static_cast<std::uint32_t>(first), part);
    part.kind = FeatureKind::vertex;
    part.index = static_cast<std::uint32_t>(first);
}

}  // namespace rattleback
