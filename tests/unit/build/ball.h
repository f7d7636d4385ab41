// A mass for bodies whose mass does not matter.
#pragma once

#include <rattleback/builder.h>

namespace rattleback
{

inline constexpr Inertia kBall{.mass = 1, .diagonal = {1, 1, 1}};

}  // namespace rattleback
