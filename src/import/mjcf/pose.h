// Positions and orientations in all the ways in which MJCF writes them.
#pragma once

#include "import/mjcf/element.h"

namespace rattleback::mjcf
{

/// The first three numbers.
Vec3 to_vector(const std::vector<double>& numbers);

/// The pose of an element in its parent, from pos and one of the orientations.
Pose read_pose(const Element& element, Log& log);

/// Its orientation alone.
Quat read_turn(const Element& element, Log& log);

/// The rotation of Euler angles [in the file's unit] in the file's sequence.
Quat read_euler(const std::vector<double>& angles, const Context& context);

/// The smallest rotation that turns +z to a direction (of any length but zero).
Quat turn_z_to(const Vec3& direction);

}  // namespace rattleback::mjcf
