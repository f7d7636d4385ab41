// Where a point is nearest to the surface of a box, a capsule or a cylinder, in the shape's own frame.
#pragma once

#include "geometry/distance/local.h"

namespace rattleback
{

inline SurfacePoint find_nearest_on_box(const Vec3& size, const Vec3& p)
{
    // Outside: the clamped point.
    Vec3 nearest{std::clamp(p.x, -size.x, size.x), std::clamp(p.y, -size.y, size.y), std::clamp(p.z, -size.z, size.z)};
    const Vec3 away = p - nearest;
    const double length = norm(away);
    if (length > kShortest)
    {
        const auto side = [](double beyond) { return beyond > 0 ? 1 : beyond < 0 ? -1 : 0; };
        const int sides[3] = {side(away.x), side(away.y), side(away.z)};
        return {length, nearest, (1 / length) * away, find_box_feature(sides)};
    }
    // Inside: the face that is least far.
    int axis = 0;
    double depth = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i)
    {
        const double to_face = size[i] - std::abs(p[i]);
        if (to_face >= depth) continue;
        depth = to_face;
        axis = i;
    }
    const double side = p[axis] < 0 ? -1 : 1;
    Vec3 normal;
    normal[axis] = side;
    nearest[axis] = side * size[axis];
    return {-depth, nearest, normal, {FeatureKind::face, 2 * axis + (side > 0 ? 1 : 0)}};
}

inline SurfacePoint find_nearest_on_capsule(const Vec3& size, const Vec3& p)
{
    const double radius = size.x, half = size.y;
    const Vec3 axis_point{0, 0, std::clamp(p.z, -half, half)};
    const Vec3 away = p - axis_point;
    const double length = norm(away);
    // On the segment the way out is across it, never along it.
    const Vec3 normal = length > kShortest ? (1 / length) * away : Vec3{1, 0, 0};
    return {length - radius, axis_point + radius * normal, normal, find_capsule_feature(p.z, half)};
}

inline SurfacePoint find_nearest_on_cylinder(const Vec3& size, const Vec3& p)
{
    const double radius = size.x, half = size.y;
    const double rho = norm(Vec3{p.x, p.y, 0});
    const Vec3 outward = rho > kShortest ? Vec3{p.x / rho, p.y / rho, 0} : Vec3{1, 0, 0};
    const Vec3 up{0, 0, p.z < 0 ? -1.0 : 1.0};
    const int end = p.z < 0 ? 0 : 1;
    const double beyond_side = rho - radius, beyond_cap = std::abs(p.z) - half;

    if (beyond_side > 0 && beyond_cap > 0)
    {
        const double length = norm(Vec3{beyond_side, beyond_cap, 0});
        const Vec3 rim = radius * outward + half * up;
        if (length > kShortest)
        {
            const Vec3 normal = (beyond_side / length) * outward + (beyond_cap / length) * up;
            return {length, rim, normal, {FeatureKind::edge, end}};
        }
    }
    // Beyond one of the two surfaces or inside both: the one that is less deep.
    if (beyond_cap >= beyond_side) return {beyond_cap, {p.x, p.y, half * up.z}, up, {FeatureKind::face, end}};
    return {beyond_side, radius * outward + Vec3{0, 0, p.z}, outward, {FeatureKind::face, 2}};
}

}  // namespace rattleback
