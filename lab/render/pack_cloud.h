// A file of points as a solid of spheres.
#pragma once

#include "geometry/packing/cloud_solid.h"

#include <filesystem>

namespace rattleback::lab
{

/// Points of a text file: three numbers [m] per line, what follows them (colours, normals) is left alone; empty lines
/// and those that begin with # are skipped.
Result<std::vector<Vec3>> load_points(const std::filesystem::path& path);

}  // namespace rattleback::lab
