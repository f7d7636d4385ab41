// Which pairs of shapes touch in a point that wanders against the bodies' centres as they roll.
#pragma once

#include <rattleback/kinds.h>

namespace rattleback
{

inline bool is_round(ShapeType type)
{
    return type == ShapeType::sphere || type == ShapeType::capsule || type == ShapeType::cylinder ||
           type == ShapeType::ellipsoid;
}

/// A ball that rolls on something flat keeps its point below its centre; all other round shapes do not.
inline bool point_wanders(ShapeType first, ShapeType second)
{
    const auto wanders = [](ShapeType one, ShapeType other)
    { return is_round(one) && (one != ShapeType::sphere || is_round(other)); };
    return wanders(first, second) || wanders(second, first);
}

}  // namespace rattleback
