// Steps that builders of flat parts share.
#pragma once

#include "collide/manifold/flat_part.h"

namespace rattleback
{

void add_corner(const NormalFrame& frame, const Vec3& point, std::uint32_t number, FlatPart& part);

/// The plane through a point (u, v, h) with a normal of the world.
void set_plane(const NormalFrame& frame, const Vec3& normal, double u, double v, double h, FlatPart& part);

/// A segment from c - half to c + half.
void build_line(const Vec3& center, const Vec3& half, const NormalFrame& frame, std::uint32_t first,
                std::uint32_t second, FlatPart& part);

/// Number of the edge of a box along an axis at one of its corners.
constexpr std::uint32_t find_box_edge(int axis, std::uint32_t corner)
{
    const int low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
    return 4 * static_cast<std::uint32_t>(axis) + ((corner >> low) & 1U) + 2 * ((corner >> high) & 1U);
}

// Eight directions, 45 degrees apart.
inline constexpr int kRim = 8;
inline constexpr double kDiagonal = 0.70710678118654752;
inline constexpr double kRimCosine[kRim] = {1, kDiagonal, 0, -kDiagonal, -1, -kDiagonal, 0, kDiagonal};
inline constexpr double kRimSine[kRim] = {0, kDiagonal, 1, kDiagonal, 0, -kDiagonal, -1, -kDiagonal};

/// The line of a cylinder's side that is furthest out. Its ends are the deepest points of the caps' rims.
void build_cylinder_line(const PlacedShape& cylinder, const NormalFrame& frame, int sign, FlatPart& part);
void build_capsule_line(const PlacedShape& capsule, const NormalFrame& frame, int sign, FlatPart& part);

void build_hull_part(const PlacedShape& shape, const Face& face, const NormalFrame& frame, int sign, double slack,
                     FlatPart& part);
void build_hull_edge(const PlacedShape& shape, int first, int second, const NormalFrame& frame, FlatPart& part);

}  // namespace rattleback
