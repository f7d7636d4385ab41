// Surfaces whose sides lie inside the shapes that they are of.
#pragma once

#include <rattleback/math.h>

#include <array>
#include <span>
#include <vector>

namespace rattleback::ipc
{

/// The half-space below a side: dot(normal, x) <= offset.
struct Side
{
    Vec3 normal;  ///< outward, unit
    double offset = 0;
};

/// Nothing moves further than so many insets: the tip of a needle would go far.
inline constexpr double kFarthestInset = 4;

/// The point nearest to `point` that lies `inset` [m] behind all sides, within kFarthestInset.
Vec3 find_inset_point(const Vec3& point, std::span<const Side> sides, double inset);

/// Moves the vertices of a closed surface inwards: each behind its own triangles.
void inset_mesh(const std::vector<std::array<int, 3>>& faces, double inset, std::vector<Vec3>& vertices);

}  // namespace rattleback::ipc
