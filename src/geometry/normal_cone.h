// Cones of normals: from which directions the triangles below a node of a tree can be touched at all (the normal cones
// of Johnson and Cohen, Spatialized Normal Cone Hierarchies, 2001). What lies elsewhere is left out a branch at a time.
#pragma once

#include "math/pack.h"
#include "math/rotation.h"

#include <array>
#include <span>

namespace rattleback
{

/// A flat part may lean on an edge or corner from so far beside its Voronoi region (a sine): less than this is tilt.
inline constexpr double kLeaningSine = 0.02;

/// An angle from 0 to pi by its cosine and sine: sums and comparisons need no inverse functions.
struct ConeAngle
{
    double cosine = 1, sine = 0;

    friend bool operator<(const ConeAngle& a, const ConeAngle& b) { return a.cosine > b.cosine; }
};
inline constexpr ConeAngle kHalfTurn{-1, 0};
ConeAngle find_cone_angle(const Vec3& a, const Vec3& b);
/// At most half a turn.
ConeAngle add_angles(const ConeAngle& a, const ConeAngle& b);

/// Unit directions not further than `angle` from the axis.
struct NormalCone
{
    Vec3 axis{0, 0, 1};
    ConeAngle angle = kHalfTurn;
    bool is_empty = false;
};

/// Cosine, between a corner's axis and a direction, beyond which nothing comes but from inside the solid.
inline constexpr double kInsideCosine = -0.1;

/// The directions in which none of the edges that leave a corner leads further than kLeaningSine, as far as their
/// cosine with the axis is no less than `least`: from there the corner can be touched. `ways` are unit, `axis` is where
/// the cone shall point.
NormalCone find_corner_cone(std::span<const Vec3> ways, const Vec3& axis, double least = kInsideCosine);

/// All directions in which no edge leads on from a corner. Flat corners and those whose mean normal lies oddly have
/// some on both sides, which one cone could only hold with all that is between them.
struct CornerCones
{
    NormalCone front, back;

    CornerCones() = default;
    CornerCones(std::span<const Vec3> ways, const Vec3& axis)
        : front(find_corner_cone(ways, axis)), back(find_corner_cone(ways, -axis, -kInsideCosine))
    {
    }
};
/// Around the axis, no narrower than all of these.
NormalCone merge_cones(const Vec3& axis, std::span<const NormalCone> cones);

/// The cones of a node's four children.
struct ConeFour
{
    std::array<std::array<double, 4>, 3> axis{};
    std::array<double, 4> cosine{}, sine{};

    void set(int lane, const NormalCone& cone);
    NormalCone get(int lane) const;
};

/// Cones, and how far the middles of their boxes are from something, in the lanes of packs.
struct SeenCones
{
    Pack4 cosine, sine;
    Pack4 along, across;  ///< the way to it, along and across the cone's axis [m]
    Pack4 radius;         ///< of balls around all that these ways may be off by [m]

    SeenCones(const Pack4& its_cosine, const Pack4& its_sine, const Vector3<Pack4>& axis, const Vector3<Pack4>& way,
              const Pack4& its_radius)
        : cosine(its_cosine), sine(its_sine), along(dot(axis, way)), radius(its_radius)
    {
        const Pack4 square = dot(way, way) - along * along;
        across = sqrt(select(square > Pack4(0), square, Pack4(0)));
    }

    /// True where no normal leads to it: with the angle p between axis and way and the cone's angle q, the point is
    /// d sin(p - q) from the cone.
    Mask4 misses_in_front() const { return across * cosine - along * sine > radius; }

    /// True where it lies behind no face either, nor over a groove: there a point may lie twice as far aside as it is
    /// deep, within atan 2 of a normal turned round.
    Mask4 misses_behind() const
    {
        constexpr double kCosine = 0.4472135954999579, kSine = 0.8944271909999159;  // of atan 2
        const Pack4 wide_cosine = cosine * Pack4(kCosine) - sine * Pack4(kSine);
        const Pack4 wide_sine = sine * Pack4(kCosine) + cosine * Pack4(kSine);
        // Cones that are wider than a half turn with the groove's angle hold every direction.
        const Mask4 is_narrow = wide_sine > Pack4(0);
        return both(is_narrow, across * wide_cosine + along * wide_sine > radius);
    }
};

}  // namespace rattleback
