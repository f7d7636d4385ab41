// Rotations that align one direction with another.
#pragma once

#include <rattleback/math.h>

namespace rattleback
{

/// The shortest turn that takes the z axis to `direction` (any length but zero).
inline Quat turn_z_to(const Vec3& direction)
{
    // Half-way quaternion: 1 + cos and the cross product are twice cos^2 and twice cos sin of the half angle.
    const double length = norm(direction);
    const Vec3 d = (1 / length) * direction;
    if (d.z < -1 + 1e-12) return {0, 1, 0, 0};       // opposite: half a turn about x
    return normalized(Quat{1 + d.z, -d.y, d.x, 0});  // (1 + z.d, z x d): half of the angle between them
}

}  // namespace rattleback
