// Builds the flat parts that lie in a contact: faces, caps, lines along sides, points.
#include "collide/manifold/flat_part.h"

#include <algorithm>

namespace rattleback
{
namespace
{

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

void add_corner(const NormalFrame& frame, const Vec3& point, std::uint32_t number, FlatPart& part)
{
    const Vec3 from_origin = point - frame.origin;
    const std::size_t i = at(part.count++);
    part.u[i] = dot(frame.u, from_origin);
    part.v[i] = dot(frame.v, from_origin);
    part.h[i] = dot(frame.n, from_origin);
    part.corner[i] = number;
}

/// The plane through a point (u, v, h) with a normal of the world.
void set_plane(const NormalFrame& frame, const Vec3& normal, double u, double v, double h, FlatPart& part)
{
    const double along = 1 / dot(frame.n, normal);
    part.slope_u = -dot(frame.u, normal) * along;
    part.slope_v = -dot(frame.v, normal) * along;
    part.base = h - part.slope_u * u - part.slope_v * v;
}

/// A corner of a box's face and the side after it; signs of the two axes after the face's own.
struct BoxCorner
{
    double j = 0, k = 0;
    std::uint32_t corner = 0, edge = 0;
    bool along_j = true;
};

constexpr std::uint32_t find_box_edge(int axis, std::uint32_t corner)
{
    const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return 4 * static_cast<std::uint32_t>(axis) + ((corner >> low) & 1U) + 2 * ((corner >> high) & 1U);
}

using BoxFaces = std::array<std::array<std::array<BoxCorner, 4>, 2>, 6>;

/// [face][0: counter-clockwise about the positive axis, 1: about the negative].
constexpr BoxFaces make_box_faces()
{
    constexpr bool kSigns[4][2] = {{true, true}, {false, true}, {false, false}, {true, false}};
    BoxFaces faces{};
    for (int face = 0; face < 6; ++face)
    {
        const int axis = face / 2, j = (axis + 1) % 3, k = (axis + 2) % 3;
        for (int i = 0; i < 4; ++i)
        {
            const bool plus_j = kSigns[i][0], plus_k = kSigns[i][1];
            const std::uint32_t corner = (static_cast<std::uint32_t>(face & 1) << axis) |
                                         (static_cast<std::uint32_t>(plus_j) << j) |
                                         (static_cast<std::uint32_t>(plus_k) << k);
            const std::uint32_t before = find_box_edge(i % 2 == 0 ? k : j, corner);
            const std::uint32_t after = find_box_edge(i % 2 == 0 ? j : k, corner);
            const double sj = plus_j ? 1 : -1, sk = plus_k ? 1 : -1;
            faces[at(face)][0][at(i)] = {sj, sk, corner, after, i % 2 == 0};
            faces[at(face)][1][at(3 - i)] = {sj, sk, corner, before, i % 2 != 0};
        }
    }
    return faces;
}
constexpr BoxFaces kBoxFaces = make_box_faces();

void build_box_face(const PlacedShape& box, const Face& face, const NormalFrame& frame, FlatPart& part)
{
    const int axis = face.index / 2, j = (axis + 1) % 3, k = (axis + 2) % 3;
    const Vec3 center = face.point - frame.origin;
    const Vec3 a = box.size[j] * box.rotation.column(j), b = box.size[k] * box.rotation.column(k);
    const double u = dot(frame.u, center), v = dot(frame.v, center), h = dot(frame.n, center);
    const double au = dot(frame.u, a), av = dot(frame.v, a), ah = dot(frame.n, a);
    const double bu = dot(frame.u, b), bv = dot(frame.v, b), bh = dot(frame.n, b);
    const bool is_positive = (dot(frame.n, face.normal) > 0) == ((face.index & 1) != 0);
    const auto& corners = kBoxFaces[at(face.index)][is_positive ? 0 : 1];
    for (std::size_t i = 0; i < 4; ++i)
    {
        const BoxCorner& corner = corners[i];
        part.u[i] = u + corner.j * au + corner.k * bu;
        part.v[i] = v + corner.j * av + corner.k * bv;
        part.h[i] = h + corner.j * ah + corner.k * bh;
        part.side[i] = 2 * (corner.along_j ? box.size[j] : box.size[k]);
        part.corner[i] = corner.corner;
        part.edge[i] = corner.edge;
    }
    part.count = 4;
    set_plane(frame, face.normal, u, v, h, part);
}

// Samples on the rim of a cap, and where the numbers of its corners and sides begin.
constexpr int kRim = 8;
constexpr std::uint32_t kCapSides = 16;
constexpr double kHalf = 0.70710678118654752;  // cosine and sine of 45 degrees
constexpr double kRimCosine[kRim] = {1, kHalf, 0, -kHalf, -1, -kHalf, 0, kHalf};
constexpr double kRimSine[kRim] = {0, kHalf, 1, kHalf, 0, -kHalf, -1, -kHalf};

/// A cap that lies flat has its samples at fixed places of the cylinder, so that they do not wander; one that is tilted
/// has the first where it is deepest.
void build_cap(const PlacedShape& cylinder, const Face& face, const NormalFrame& frame, int sign, FlatPart& part)
{
    constexpr double kFlat = 1e-4, kDisc = 0.995, kSide = 0.76536686473017954;  // kSide: 2 sin(22.5 degrees)
    const double radius = cylinder.size.x;
    const Vec3 direction = sign * frame.n;
    const Vec3 radial = direction - dot(direction, face.normal) * face.normal;
    const double sine = norm(radial);
    const Vec3 e = sine < kFlat ? cylinder.rotation.column(0) : (1 / sine) * radial;
    const Vec3 f = cross(sign * face.normal, e);
    const std::uint32_t cap = static_cast<std::uint32_t>(face.index);
    for (int i = 0; i < kRim; ++i)
    {
        const std::uint32_t number = kRim * cap + static_cast<std::uint32_t>(i);
        part.side[at(i)] = kSide * radius;
        part.edge[at(i)] = kCapSides + number;
        add_corner(frame, face.point + radius * (kRimCosine[i] * e + kRimSine[i] * f), number, part);
    }
    const Vec3 center = face.point - frame.origin;
    const double u = dot(frame.u, center), v = dot(frame.v, center);
    set_plane(frame, face.normal, u, v, dot(frame.n, center), part);
    if (face.cosine < kDisc) return;
    part.disc_radius = radius;
    part.disc_u = u;
    part.disc_v = v;
    part.edge[0] = cap;
}

/// Length of a segment as seen along the normal.
void set_length(FlatPart& segment)
{
    const double du = segment.u[1] - segment.u[0], dv = segment.v[1] - segment.v[0];
    segment.side[0] = segment.side[1] = std::sqrt(du * du + dv * dv);
}

/// A segment from c - half to c + half.
void build_line(const Vec3& center, const Vec3& half, const NormalFrame& frame, std::uint32_t first,
                std::uint32_t second, FlatPart& part)
{
    add_corner(frame, center - half, first, part);
    add_corner(frame, center + half, second, part);
    set_length(part);
    part.is_round = true;
}

/// The line of a cylinder's side that is furthest out. Its ends are the deepest points of the caps' rims.
void build_cylinder_line(const PlacedShape& cylinder, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Vec3 axis = cylinder.rotation.column(2), direction = sign * frame.n;
    const Vec3 radial = direction - dot(direction, axis) * axis;
    const Vec3 center = cylinder.position + (cylinder.size.x / norm(radial)) * radial;
    build_line(center, cylinder.size.y * axis, frame, 0, kRim, part);
    part.kind = FeatureKind::face;
    part.index = part.edge[0] = 2;
}

void build_capsule_line(const PlacedShape& capsule, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Vec3 center = capsule.position + (sign * capsule.size.x) * frame.n;
    build_line(center, capsule.size.y * capsule.rotation.column(2), frame, 0, 1, part);
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = 0;
}

void build_point(const PlacedShape& shape, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Vec3 direction = sign * frame.n;
    Vec3 point = shape.position + shape.size.x * direction;
    if (shape.type == ShapeType::ellipsoid)
    {
        const Vec3 local = transpose_times(shape.rotation, direction);
        const Vec3 ball{shape.size.x * local.x, shape.size.y * local.y, shape.size.z * local.z};
        const double scale = 1 / norm(ball);
        point = shape.position +
                shape.rotation * (scale * Vec3{shape.size.x * ball.x, shape.size.y * ball.y, shape.size.z * ball.z});
    }
    add_corner(frame, point, 0, part);
    part.kind = FeatureKind::vertex;
}

/// The vertices of a hull that reach as far as any, up to a slack: their number, and the first few.
struct Summit
{
    static constexpr int kMaxKept = 8;
    int count = 0;
    int vertices[kMaxKept];
    double bar = 0;  ///< height that counts
};

Summit find_summit(const Polyhedron& solid, const Vec3& local, double slack)
{
    double top = dot(local, solid.vertices[0]);
    for (const Vec3& vertex : solid.vertices) top = std::max(top, dot(local, vertex));
    Summit summit;
    summit.bar = top - slack;
    for (int i = 0; i < solid.vertex_count(); ++i)
    {
        if (dot(local, solid.vertices[at(i)]) < summit.bar) continue;
        if (summit.count < Summit::kMaxKept) summit.vertices[summit.count] = i;
        ++summit.count;
    }
    return summit;
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

std::uint32_t find_edge(const Polyhedron& solid, int first, int second)
{
    const auto comes_before = [](const Polyhedron::Edge& edge, const std::pair<int, int>& key)
    { return std::pair(edge.first, edge.second) < key; };
    const auto found = std::lower_bound(solid.edges.begin(), solid.edges.end(), std::pair(first, second), comes_before);
    const bool is_edge = found != solid.edges.end() && found->first == first && found->second == second;
    return is_edge ? static_cast<std::uint32_t>(found - solid.edges.begin()) : ~std::uint32_t{0};
}

void build_hull_edge(const PlacedShape& shape, int first, int second, std::uint32_t edge, const NormalFrame& frame,
                     FlatPart& part)
{
    const Polyhedron& solid = *shape.hull;
    add_corner(frame, shape.position + shape.rotation * solid.vertices[at(first)], static_cast<std::uint32_t>(first),
               part);
    add_corner(frame, shape.position + shape.rotation * solid.vertices[at(second)], static_cast<std::uint32_t>(second),
               part);
    set_length(part);
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = edge;
}

void build_hull_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                     FlatPart& part)
{
    constexpr double kSteepest = 0.2, kFlat = 0.9999;
    const Polyhedron& solid = *shape.hull;
    const Vec3 local = transpose_times(shape.rotation, sign * frame.n);
    const Summit summit = find_summit(solid, local, slack);
    int on_face = 0;
    for (int i = solid.face_begin[at(face.index)]; i < solid.face_begin[at(face.index) + 1]; ++i)
    {
        const int vertex = solid.face_vertices[at(i)];
        if (dot(local, solid.vertices[at(vertex)]) >= summit.bar) ++on_face;
    }
    if (summit.count <= 2 && (on_face < summit.count || face.cosine < kSteepest))
    {
        const int first = summit.vertices[0], second = summit.vertices[summit.count - 1];
        const std::uint32_t edge = find_edge(solid, first, second);
        if (summit.count == 2 && edge != ~std::uint32_t{0})
            return build_hull_edge(shape, first, second, edge, frame, part);
        if (face.cosine < kFlat)
        {
            add_corner(frame, shape.position + shape.rotation * solid.vertices[at(first)],
                       static_cast<std::uint32_t>(first), part);
            part.kind = FeatureKind::vertex;
            part.index = static_cast<std::uint32_t>(first);
            return;
        }
    }
    build_hull_face(shape, face, frame, sign, part);
}

}  // namespace

NormalFrame make_normal_frame(const Vec3& origin, const Vec3& normal)
{
    const Vec3 hint = std::abs(normal.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 across = hint - dot(normal, hint) * normal;
    const Vec3 u = (1 / norm(across)) * across;
    return {origin, u, cross(normal, u), normal};
}

void build_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                FlatPart& part)
{
    part.kind = FeatureKind::face;
    part.index = static_cast<std::uint32_t>(std::max(face.index, 0));
    switch (shape.type)
    {
        case ShapeType::capsule:
            return build_capsule_line(shape, frame, sign, part);
        case ShapeType::box:
            return build_box_face(shape, face, frame, part);
        case ShapeType::cylinder:
            return face.index >= 0 ? build_cap(shape, face, frame, sign, part)
                                   : build_cylinder_line(shape, frame, sign, part);
        case ShapeType::hull:
        case ShapeType::mesh:
            return build_hull_part(shape, face, frame, sign, slack, part);
        default:
            return build_point(shape, frame, sign, part);
    }
}

bool build_segment(const PlacedShape& shape, const NormalFrame& frame, int sign, double slack, const Vec3& near,
                   const Vec3& hint, FlatPart& part)
{
    const Vec3 local = transpose_times(shape.rotation, sign * frame.n);
    switch (shape.type)
    {
        case ShapeType::capsule:
            if (2 * shape.size.y * std::abs(local.z) > slack) return false;
            build_capsule_line(shape, frame, sign, part);
            return true;
        case ShapeType::cylinder:
            if (2 * shape.size.y * std::abs(local.z) > slack) return false;
            build_cylinder_line(shape, frame, sign, part);
            return true;
        default:
            break;
    }
    const Vec3 place = transpose_times(shape.rotation, near - shape.position);
    const Vec3 along = transpose_times(shape.rotation, hint);
    if (shape.type == ShapeType::box)
    {
        int axis = -1;
        for (int i = 0; i < 3; ++i)
        {
            if (2 * shape.size[i] * std::abs(local[i]) > slack) continue;
            if (axis < 0 || std::abs(along[i]) > 1.001 * std::abs(along[axis])) axis = i;
        }
        if (axis < 0) return false;
        Vec3 center, half;
        std::uint32_t corner = 0;
        for (int i = 0; i < 3; ++i)
        {
            if (i == axis) continue;
            const bool is_free = 2 * shape.size[i] * std::abs(local[i]) <= slack;
            const bool is_positive = (is_free ? place[i] : local[i]) >= 0;
            center[i] = is_positive ? shape.size[i] : -shape.size[i];
            if (is_positive) corner |= 1U << i;
        }
        half[axis] = shape.size[axis];
        build_line(shape.position + shape.rotation * center, shape.rotation * half, frame, corner,
                   corner | (1U << axis), part);
        part.is_round = false;
        part.kind = FeatureKind::edge;
        part.index = part.edge[0] = find_box_edge(axis, corner);
        return true;
    }
    if (shape.type != ShapeType::hull && shape.type != ShapeType::mesh) return false;

    const Polyhedron& solid = *shape.hull;
    const Summit summit = find_summit(solid, local, slack);
    if (summit.count > Summit::kMaxKept) return false;
    double best = -1;
    int first = -1, second = -1;
    for (int i = 0; i < summit.count; ++i)
    {
        for (int j = i + 1; j < summit.count; ++j)
        {
            if (find_edge(solid, summit.vertices[i], summit.vertices[j]) == ~std::uint32_t{0}) continue;
            const Vec3& a = solid.vertices[at(summit.vertices[i])];
            const Vec3 edge = solid.vertices[at(summit.vertices[j])] - a;
            const double length = norm(edge);
            if (norm(cross(edge, place - a)) > 2 * slack * length) continue;
            const double score = std::abs(dot(edge, along)) / length;
            if (score <= 1.001 * best) continue;
            best = score;
            first = summit.vertices[i];
            second = summit.vertices[j];
        }
    }
    if (first < 0) return false;
    build_hull_edge(shape, first, second, find_edge(solid, first, second), frame, part);
    return true;
}

}  // namespace rattleback
