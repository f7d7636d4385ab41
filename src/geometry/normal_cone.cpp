// Cones of normals around corners, and around other cones.
#include "geometry/normal_cone.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{
namespace
{

constexpr double kSlack = 1.01 * kLeaningSine;  // a hundredth to spare for rounding, far more than it needs

/// True when no way leads further along the direction than the slack allows.
bool is_furthest(std::span<const Vec3> ways, const Vec3& direction)
{
    return std::all_of(ways.begin(), ways.end(),
                       [&](const Vec3& way) { return dot(way, direction) <= kSlack * (1 + 1e-6); });
}

}  // namespace

ConeAngle find_cone_angle(const Vec3& a, const Vec3& b)
{
    return {std::clamp(dot(a, b), -1.0, 1.0), norm(cross(a, b))};
}

ConeAngle add_angles(const ConeAngle& a, const ConeAngle& b)
{
    const double sine = a.sine * b.cosine + a.cosine * b.sine;
    if (sine < 0) return kHalfTurn;
    return {a.cosine * b.cosine - a.sine * b.sine, sine};
}

// The region is bounded by circles way * d = slack on the unit sphere, and by one around the axis, axis * d = least:
// opposite to the axis lies what touches a flat corner, or the bottom of a pit, from inside the solid. What of the
// region is furthest from the axis is the far point of a circle, or where two circles meet.
NormalCone find_corner_cone(std::span<const Vec3> ways, const Vec3& axis, double least)
{
    constexpr std::size_t kMostWays = 24;  // all pairs are looked at: wide fans count as open to all sides
    if (ways.size() < 3 || ways.size() > kMostWays) return {.axis = axis};
    NormalCone cone{.axis = axis, .angle = {}, .is_empty = true};
    const auto look = [&](const Vec3& direction)
    {
        if (dot(axis, direction) < least - 1e-9 || !is_furthest(ways, direction)) return;
        cone.is_empty = false;
        cone.angle = std::max(cone.angle, find_cone_angle(axis, direction));
    };
    // Where a d = p and b d = q: d = x a + y b +- z a x b with |d| = 1.
    const auto look_between = [&](const Vec3& a, double p, const Vec3& b, double q)
    {
        const Vec3 normal = cross(a, b);
        const double square = dot(normal, normal), cosine = dot(a, b);
        if (!(square > 1e-12)) return;
        const Vec3 middle = (1 / square) * ((p - q * cosine) * a + (q - p * cosine) * b);
        const double left = 1 - dot(middle, middle);
        if (!(left >= 0)) return;
        const double height = std::sqrt(left / square);
        look(middle + height * normal);
        look(middle - height * normal);
    };
    const double radius = std::sqrt(1 - kSlack * kSlack);
    for (std::size_t i = 0; i < ways.size(); ++i)
    {
        const Vec3 aside = axis - dot(axis, ways[i]) * ways[i];
        const double length = norm(aside);
        if (length > 1e-9)
        {
            look(kSlack * ways[i] - (radius / length) * aside);
            // A place of the circle around the axis, for where no other circle meets it.
            const Vec3 across = dot(axis, ways[i]) * axis - ways[i];
            look(least * axis + (std::sqrt(1 - least * least) / length) * across);
        }
        look_between(axis, least, ways[i], kSlack);
        for (std::size_t k = 0; k < i; ++k) look_between(ways[i], kSlack, ways[k], kSlack);
    }
    return cone;
}

NormalCone merge_cones(const Vec3& axis, std::span<const NormalCone> cones)
{
    NormalCone all{.axis = axis, .angle = {}, .is_empty = true};
    for (const NormalCone& cone : cones)
    {
        if (cone.is_empty) continue;
        all.is_empty = false;
        all.angle = std::max(all.angle, add_angles(find_cone_angle(axis, cone.axis), cone.angle));
    }
    return all;
}

void ConeFour::set(int lane, const NormalCone& cone)
{
    for (int i = 0; i < 3; ++i) axis[at(i)][at(lane)] = cone.axis[i];
    cosine[at(lane)] = cone.angle.cosine;
    sine[at(lane)] = cone.angle.sine;
}

NormalCone ConeFour::get(int lane) const
{
    const std::size_t i = at(lane);
    return {.axis = {axis[0][i], axis[1][i], axis[2][i]}, .angle = {cosine[i], sine[i]}};
}

}  // namespace rattleback
