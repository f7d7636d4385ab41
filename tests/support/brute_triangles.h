// Slow and certain judges of triangle meshes: every triangle against every other one, and solid angles.
#pragma once

#include "geometry/placed_shape.h"

#include <array>
#include <vector>

namespace rattleback
{

using Corners = std::array<Vec3, 3>;

/// The triangles of a mesh that collides exactly, in the world.
std::vector<Corners> find_world_triangles(const PlacedShape& mesh);

/// Distance of a point to a triangle [m]: over the face, or to the nearest of its three edges.
double find_brute_distance(const Vec3& point, const Corners& triangle);

/// Least distance of any two triangles of two meshes [m]; zero where two cross.
double find_brute_distance(const std::vector<Corners>& first, const std::vector<Corners>& second);

/// Signed distance of a point to a closed mesh [m]: the sign is that of the winding number.
double find_brute_signed_distance(const Vec3& point, const std::vector<Corners>& mesh);

}  // namespace rattleback
