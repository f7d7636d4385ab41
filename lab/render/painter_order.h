// The order in which whole shapes can be painted over each other.
#pragma once

#include "lab/render/rasterise.h"

namespace rattleback::lab
{

/// Instances from back to front. Decided by where they overlap in a small picture: at each pixel the farther one comes
/// first. Where shapes hide each other in a ring, the fewest pixels are wrong.
std::vector<int> find_painter_order(const DrawnScene& scene, const Camera& camera);

}  // namespace rattleback::lab
