// Cuts polygons into triangles.
#pragma once

#include <rattleback/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rattleback
{

/// Appends the triangles of a polygon as indices into `corners`, each turning as the polygon does: n - 2 of them.
/// Quads are cut along the shorter diagonal, in 32 bits and with ties to the one from corner 1 to 3, all as MuJoCo
/// does. From five corners on, ears are cut off: a fan from corner 0 where the polygon is convex; where it crosses
/// itself the rest becomes a fan. MuJoCo 4.0 cuts ears too, but tells inner corners by a sign that depends on where the
/// origin is: convex polygons come out whole, cut differently, while a third of the others lose triangles. That is
/// cut_polygon_as_mujoco(), for files of MuJoCo's. `work` is lowered by the corners looked at; false when it is used
/// up.
bool cut_polygon(std::span<const Vec3> corners, std::vector<std::array<int, 3>>& triangles, std::uint64_t& work);

/// The same as MuJoCo 4.0 does it from five corners on, in 32 bits, lost triangles included.
bool cut_polygon_as_mujoco(std::span<const Vec3> corners, std::vector<std::array<int, 3>>& triangles,
                           std::uint64_t& work);

}  // namespace rattleback
