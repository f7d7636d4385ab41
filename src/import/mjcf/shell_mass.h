// Mass of primitives whose mass is all on their surface (`shellinertia`).
#pragma once

#include <optional>

#include "geometry/mass.h"

namespace rattleback::mjcf
{

/// In the shape's own frame, per area [m^2 and m^4]. Ellipsoids as MuJoCo approximates them. Nothing: not a primitive.
std::optional<MassProperties> compute_shell_mass(ShapeType type, const Vec3& size);

}  // namespace rattleback::mjcf
