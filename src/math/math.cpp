// Functions of the public math header that need our elementary functions.
#include <rattleback/math.h>

#include "math/rotation.h"

namespace rattleback
{

Quat from_axis_angle(const Vec3& axis, double angle)
{
    RB_CHECK(norm(axis) > 0, "from_axis_angle: the axis has no direction");
    return turn((1 / norm(axis)) * axis, angle);
}

}  // namespace rattleback
