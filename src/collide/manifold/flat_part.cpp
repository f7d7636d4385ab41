// Builds the flat parts that lie in a contact: faces of boxes, caps, lines along sides, points.
#include "base/index.h"
#include "collide/manifold/box_face.h"

#include <algorithm>

namespace rattleback
{
namespace
{

// Whatever can lie on something becomes the same thing: corners in a frame across the normal, with heights along it and
// numbers of features. Round rims and sides are sampled or replaced by lines, so that one overlap serves all pairs.

void build_box_face(const PlacedShape& box, const Face& face, const NormalFrame& frame, FlatPart& part)
{
    const int axis = face.index / 2, j = (axis + 1) % 3, k = (axis + 2) % 3;
    const Vec3 center = face.point - frame.origin;
    // Half sides, in the world.
    const Vec3 a = box.size[j] * box.rotation.column(j), b = box.size[k] * box.rotation.column(k);
    // Centre and both half sides along the frame's three directions.
    const double u = dot(frame.u, center), v = dot(frame.v, center), h = dot(frame.n, center);
    const double au = dot(frame.u, a), av = dot(frame.v, a), ah = dot(frame.n, a);
    const double bu = dot(frame.u, b), bv = dot(frame.v, b), bh = dot(frame.n, b);
    // Whether the face's axis points along the normal, from which the sense of its corners follows.
    const bool is_positive = (dot(frame.n, face.normal) > 0) == ((face.index & 1) != 0);
    set_box_corners(face.index, is_positive, {u, v, h}, {au, av, ah}, {bu, bv, bh}, box.size[j], box.size[k], part);
    set_plane(frame, face.normal, u, v, h, part);
}

constexpr std::uint32_t kCapSides = 16;  // where the numbers of a cap's sides begin, above those of rims and lines

/// A cap that lies flat has its samples at fixed places of the cylinder, so that they do not wander; one that is tilted
/// has the first where it is deepest.
void build_cap(const PlacedShape& cylinder, const Face& face, const NormalFrame& frame, int sign, FlatPart& part)
{
    constexpr double kFlat = 1e-4, kDisc = 0.99995, kSide = 0.76536686473017954;  // kSide: 2 sin(22.5 degrees)
    const double radius = cylinder.size.x;
    const Vec3 direction = sign * frame.n;
    // The lowest point of a tilted rim lies along the projected normal.
    const Vec3 radial = direction - dot(direction, face.normal) * face.normal;
    const double sine = norm(radial);
    // A cap that lies flat has no lowest point: its samples stay with the cylinder.
    const Vec3 e = sine < kFlat ? cylinder.rotation.column(0) : (1 / sine) * radial;
    const Vec3 f = cross(sign * face.normal, e);
    // Eight points of the rim, as a polygon that others are laid over.
    const std::uint32_t cap = static_cast<std::uint32_t>(face.index);
    for (int i = 0; i < kRim; ++i)
    {
        const std::uint32_t number = kRim * cap + static_cast<std::uint32_t>(i);
        part.side[at(i)] = kSide * radius;
        // Sides between samples are numbered apart from the rims' own numbers.
        part.edge[at(i)] = kCapSides + number;
        add_corner(frame, face.point + radius * (kRimCosine[i] * e + kRimSine[i] * f), number, part);
    }
    const Vec3 center = face.point - frame.origin;
    const double u = dot(frame.u, center), v = dot(frame.v, center);
    set_plane(frame, face.normal, u, v, dot(frame.n, center), part);
    // Flat enough to count as a full disc: the rim itself is intersected, not the polygon of its samples.
    if (face.cosine < kDisc) return;
    part.disc_radius = radius;
    part.disc_u = u;
    part.disc_v = v;
    part.edge[0] = cap;
}

void build_point(const PlacedShape& shape, const NormalFrame& frame, int sign, FlatPart& part)
{
    // The furthest point along the direction: a ball's, or an ellipsoid's.
    const Vec3 direction = sign * frame.n;
    Vec3 point = shape.position + shape.size.x * direction;
    if (shape.type == ShapeType::ellipsoid)
    {
        // Support of an ellipsoid: S normalize(S d).
        const Vec3 local = transpose_times(shape.rotation, direction);
        const Vec3 ball{shape.size.x * local.x, shape.size.y * local.y, shape.size.z * local.z};
        const double scale = 1 / norm(ball);
        point = shape.position +
                shape.rotation * (scale * Vec3{shape.size.x * ball.x, shape.size.y * ball.y, shape.size.z * ball.z});
    }
    add_corner(frame, point, 0, part);
    part.kind = FeatureKind::vertex;
}

}  // namespace

NormalFrame make_normal_frame(const Vec3& origin, const Vec3& normal)
{
    // A direction that is never nearly parallel to the normal.
    const Vec3 hint = std::abs(normal.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 across = hint - dot(normal, hint) * normal;
    const Vec3 u = (1 / norm(across)) * across;
    return {origin, u, cross(normal, u), normal};
}

void add_corner(const NormalFrame& frame, const Vec3& point, std::uint32_t number, FlatPart& part)
{
    const Vec3 from_origin = point - frame.origin;
    const std::size_t i = at(part.count++);
    part.u[i] = dot(frame.u, from_origin);
    part.v[i] = dot(frame.v, from_origin);
    part.h[i] = dot(frame.n, from_origin);
    part.corner[i] = number;
}

void set_plane(const NormalFrame& frame, const Vec3& normal, double u, double v, double h, FlatPart& part)
{
    // n . (p - p0) = 0 solved for the height.
    // The height of the plane over (u, v), as a linear function.
    const double along = 1 / dot(frame.n, normal);
    part.slope_u = -dot(frame.u, normal) * along;
    part.slope_v = -dot(frame.v, normal) * along;
    part.base = h - part.slope_u * u - part.slope_v * v;
}

void build_line(const Vec3& center, const Vec3& half, const NormalFrame& frame, std::uint32_t first,
                std::uint32_t second, FlatPart& part)
{
    add_corner(frame, center - half, first, part);
    add_corner(frame, center + half, second, part);
    // Length as seen along the normal: a line that stands on end has none.
    const double du = part.u[1] - part.u[0], dv = part.v[1] - part.v[0];
    part.side[0] = part.side[1] = std::sqrt(du * du + dv * dv);
}

void build_cylinder_line(const PlacedShape& cylinder, const NormalFrame& frame, int sign, FlatPart& part)
{
    const Vec3 axis = cylinder.rotation.column(2), direction = sign * frame.n;
    // The line of the side that is furthest out along the direction.
    const Vec3 radial = direction - dot(direction, axis) * axis;
    const Vec3 center = cylinder.position + (cylinder.size.x / norm(radial)) * radial;
    build_line(center, cylinder.size.y * axis, frame, 0, kRim, part);
    part.is_round = true;
    part.kind = FeatureKind::face;
    part.index = part.edge[0] = 2;
}

void build_capsule_line(const PlacedShape& capsule, const NormalFrame& frame, int sign, FlatPart& part)
{
    // A capsule's line is its axis, moved by the radius along the normal.
    const Vec3 center = capsule.position + (sign * capsule.size.x) * frame.n;
    build_line(center, capsule.size.y * capsule.rotation.column(2), frame, 0, 1, part);
    part.is_round = true;
    part.kind = FeatureKind::edge;
    part.index = part.edge[0] = 0;
}

void build_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                double depth, FlatPart& part)
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
            return build_hull_part(shape, face, frame, sign, slack, depth, part);
        default:
            return build_point(shape, frame, sign, part);
    }
}

}  // namespace rattleback
