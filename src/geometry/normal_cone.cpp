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

// The region is bounded by circles way * d = slack on the unit sphere. What of it is furthest from the axis is the far
// point of a circle, or where two circles meet. Opposite to the axis lies what touches a flat corner, or the bottom of
// a pit, from inside the solid: nothing does. Where the two regions are one, the corner counts as open to all sides.
NormalCone find_corner_cone(std::span<const Vec3> ways, const Vec3& axis)
{
    constexpr std::size_t kMostWays = 24;  // all pairs are looked at: wide fans count as open to all sides
    if (ways.size() < 3 || ways.size() > kMostWays) return {.axis = axis};
    NormalCone cone{.axis = axis, .angle = {}, .is_empty = true};
    bool is_open = false;
    const auto look = [&](const Vec3& direction)
    {
        constexpr double kInside = -0.9, kAcross = -0.1;  // cosines
        const double along = dot(axis, direction);
        if (along < kInside || !is_furthest(ways, direction)) return;
        is_open = is_open || along < kAcross;
        cone.is_empty = false;
        cone.angle = std::max(cone.angle, find_cone_angle(axis, direction));
    };
    const double radius = std::sqrt(1 - kSlack * kSlack);
    for (std::size_t i = 0; i < ways.size(); ++i)
    {
        const Vec3 aside = axis - dot(axis, ways[i]) * ways[i];
        const double length = norm(aside);
        if (length > 1e-9) look(kSlack * ways[i] - (radius / length) * aside);
        for (std::size_t k = 0; k < i; ++k)
        {
            // d = x (w + w') +- y w x w' with w d = w' d = slack and |d| = 1.
            const Vec3 normal = cross(ways[i], ways[k]);
            const double square = dot(normal, normal), share = kSlack / (1 + dot(ways[i], ways[k]));
            const Vec3 middle = share * (ways[i] + ways[k]);
            const double left = 1 - dot(middle, middle);
            if (!(square > 1e-12) || !(left >= 0)) continue;
            const double height = std::sqrt(left / square);
            look(middle + height * normal);
            look(middle - height * normal);
        }
    }
    if (is_open) return {.axis = axis};
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
